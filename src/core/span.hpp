// Where rows of bytes begin and end: images have blank margins, and what is all zeros adds nothing to a product.
//
// Given:    rows of bytes.
// Returns:  two numbers a row: the first block of 32 columns that is not all zeros, and the one after the last such.
#pragma once

#include <cstring>

#include "source.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// From either end, eight columns at a time.
template <class T>
Span find_span(const Dense<T>& row) {
    constexpr int64_t word = 8;
    const auto blank = [&](int64_t at) {
        uint64_t some;
        std::memcpy(&some, row.x + at, word);
        return some == 0;
    };
    Span found{0, row.d};
    while (found.begin + word <= found.end && blank(found.begin)) found.begin += word;
    while (found.begin + word <= found.end && blank(found.end - word)) found.end -= word;
    return found;
}

// False where the spans leave out less than an eighth of all blocks.
template <class T>
bool find_spans(const DenseSource<T>& data, uint16_t* spans) {
    int64_t within = 0;
    for (int64_t i = 0; i < data.n; ++i) {
        const Span found = find_span(data.row(i));
        spans[2 * i] = static_cast<uint16_t>(found.begin / Span::block);
        spans[2 * i + 1] = static_cast<uint16_t>((found.end + Span::block - 1) / Span::block);
        within += spans[2 * i + 1] - spans[2 * i];
    }
    const int64_t all = (data.d + Span::block - 1) / Span::block * data.n;
    return 8 * within <= 7 * all;
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
