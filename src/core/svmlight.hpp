// svmlight / libsvm text: bytes -> rows. Parsing only; no files, no allocation.
//
// Problem:  read "label index:value index:value ... # comment" lines at the speed of the memory they come from.
// Given:    bytes that begin at the start of a line, and room for as many rows as they have lines and as many
//           entries as they have colons.
// Returns:  labels, CSR parts, the lowest and highest index, and the first fault with its place. Any bytes are safe.
//           Indices must ascend within a line; "qid:n" is counted and skipped.
// Reference: Joachims, SVM-light. Numbers are read in decimal.hpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "decimal.hpp"

namespace rosenblatt::svmlight {

using namespace decimal;

enum class Fault : int { none, label, index, colon, value, too_large, order, below_first, wide };

inline const char* name(Fault fault) {
    constexpr const char* names[] = {"",          "label", "index",       "colon", "value",
                                     "too_large", "order", "below_first", "wide"};
    return names[static_cast<int>(fault)];
}

// Where the rows go; every pointer has the room that `count` asked for.
template <class T, class I>
struct Sink {
    double* labels;
    int64_t* ends;  // entries up to and including the row
    T* values;
    I* columns;
};

struct Parsed {
    int64_t rows = 0, entries = 0, qids = 0;
    int64_t lowest = std::numeric_limits<int64_t>::max(), highest = -1;
    Fault fault = Fault::none;
    const char* at = nullptr;

    Parsed& fail(Fault why, const char* where) {
        fault = why;
        at = where;
        return *this;
    }
};

// Reads one index; null if there is none or it has more than 18 digits.
inline const char* index_of(const char* p, const char* end, int64_t& out) {
    const char* start = p;
    int64_t i = 0;
    while (p < end && is_digit(*p) && p - start < 18) i = i * 10 + (*p++ - '0');
    out = i;
    return p == start || (p < end && is_digit(*p)) ? nullptr : p;
}

// `first` is the lowest index the file may use (0 or 1); columns come out as they are written.
template <class T, class I>
Parsed parse(const char* p, const char* end, int64_t first, Sink<T, I> out) {
    Parsed done;
    while (p < end) {
        while (p < end && is_blank(*p)) ++p;
        if (p == end) break;
        if (*p == '#') p = line_end(p, end);
        if (p == end) break;
        if (*p == '\n') {
            ++p;
            continue;
        }
        const Decimal label = scan(p, end);
        if (!label.next || !ends_token(label.next, end)) return done.fail(Fault::label, p);
        if (!round_to(label, out.labels[done.rows])) return done.fail(Fault::too_large, p);
        p = label.next;
        int64_t before = -1;
        for (;;) {
            while (p < end && is_blank(*p)) ++p;
            if (p < end && *p == '#') p = line_end(p, end);
            if (p == end || *p == '\n') break;
            if (end - p > 4 && std::memcmp(p, "qid:", 4) == 0) {
                int64_t query;
                const char* next = index_of(p + 4, end, query);
                if (!next || !ends_token(next, end)) return done.fail(Fault::index, p);
                ++done.qids;
                p = next;
                continue;
            }
            int64_t index;
            const char* next = index_of(p, end, index);
            if (!next) return done.fail(Fault::index, p);
            if (next == end || *next != ':') return done.fail(Fault::colon, p);
            if (index <= before) return done.fail(Fault::order, p);
            if (index < first) return done.fail(Fault::below_first, p);
            if constexpr (sizeof(I) == 4)
                if (index > std::numeric_limits<int32_t>::max()) return done.fail(Fault::wide, p);
            const Decimal value = scan(next + 1, end);
            if (!value.next || !ends_token(value.next, end)) return done.fail(Fault::value, next + 1);
            if (!round_to(value, out.values[done.entries])) return done.fail(Fault::too_large, next + 1);
            out.columns[done.entries++] = static_cast<I>(index);
            if (before < 0 && index < done.lowest) done.lowest = index;
            before = index;
            p = value.next;
        }
        if (before > done.highest) done.highest = before;
        out.ends[done.rows++] = done.entries;
        if (p < end) ++p;
    }
    return done;
}

}  // namespace rosenblatt::svmlight
