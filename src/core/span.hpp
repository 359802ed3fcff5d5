// Where rows of bytes begin and end: images have blank margins, and what is all zeros adds nothing to a product.
//
// Given:    rows of bytes that several vectors look at, pass after pass.
// Returns:  two numbers a row: the first block of 32 columns that is not all zeros, and the one after the last such.
//           They are found when a row is looked at, for then it is near: reading all rows for it would cost a pass.
#pragma once

#include <cstring>

#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// The columns outside which a row has only zeros.
struct Span {
    static constexpr int64_t block = 32;
    int64_t begin, end;

    static Span of_blocks(const uint16_t* two, int64_t d) {
        const int64_t end = block * two[1];
        return {block * two[0], end < d ? end : d};
    }
};

// From either end, eight columns at a time.
[[gnu::noinline]] inline void find_span(const void* row, int64_t d, uint16_t* two) {
    constexpr int64_t word = 8;
    const auto blank = [&](int64_t at) {
        uint64_t some;
        std::memcpy(&some, static_cast<const char*>(row) + at, word);
        return some == 0;
    };
    int64_t begin = 0, end = d;
    while (begin + word <= end && blank(begin)) begin += word;
    while (begin + word <= end && blank(end - word)) end -= word;
    two[0] = static_cast<uint16_t>(begin / Span::block);
    two[1] = static_cast<uint16_t>((end + Span::block - 1) / Span::block);
}

// At the beginning of a pass: whoever begins a third will make more, and seeks; the fourth knows.
inline void plan_spans(Glance& glance, int64_t n, int64_t d) {
    const int64_t blocks = (d + Span::block - 1) / Span::block;
    if (++glance.passes == 3) {
        glance.spans_are = Spans::sought;
        for (int64_t i = 0; i < n; ++i) {  // an order with replacement may miss a row
            glance.spans[2 * i] = 0;
            glance.spans[2 * i + 1] = static_cast<uint16_t>(blocks);
        }
    } else if (glance.passes == 4) {
        int64_t within = 0;
        for (int64_t i = 0; i < n; ++i) within += glance.spans[2 * i + 1] - glance.spans[2 * i];
        glance.spans_are = 8 * within <= 7 * blocks * n ? Spans::known : Spans::unknown;  // an eighth is worth it
    }
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
