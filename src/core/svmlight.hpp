// svmlight / libsvm text: bytes -> rows. Parsing only; no files.
//
// Problem:  read "label index:value index:value ... # comment" lines at the speed of the memory they come from.
// Given:    bytes that begin at the start of a line, and room: enough is as many rows as they have lines and as many
//           entries as they have colons.
// Returns:  labels, CSR parts, the lowest and highest index, and the first fault with its place. Any bytes are safe.
//           Indices must ascend within a line; "qid:n" is counted and skipped.
// Reference: Joachims, SVM-light. Numbers are read in decimal.hpp.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>

#include "decimal.hpp"
#include "field.hpp"
#include "separators.hpp"

namespace rosenblatt::svmlight {

using namespace decimal;

enum class Fault : int { none, label, index, colon, value, too_large, order, below_first, wide, room };

inline const char* name(Fault fault) {
    constexpr const char* names[] = {"",          "label", "index",       "colon", "value",
                                     "too_large", "order", "below_first", "wide",  "room"};
    return names[static_cast<int>(fault)];
}

// Where the rows go, and how many rows and entries there is room for.
template <class T, class I>
struct Sink {
    double* labels;
    int64_t* ends;  // entries up to and including the row
    T* values;
    I* columns;
    Count room;
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

// Reads an index of at most eight digits from the eight bytes before its end.
inline bool read_short(const char* begin, const char* end, int64_t& out) {
    const auto length = static_cast<uint64_t>(end - begin);
    if (length - 1 > 7) return false;
    uint64_t eight;
    std::memcpy(&eight, end - 8, 8);
    eight ^= 0x3030303030303030u;
    const uint64_t others = 64 - 8 * length;
    eight = eight >> others << others;
    if ((eight | (eight + 0x0606060606060606u)) & 0xF0F0F0F0F0F0F0F0u) return false;
    out = static_cast<int64_t>(eight_digits(eight));
    return true;
}

struct BlankOrColon {
    bool operator()(char c) const { return static_cast<unsigned char>(c) <= ' ' || c == ':'; }
#ifdef __SSE2__
    __m128i operator()(__m128i x) const {
        const __m128i blank = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(' ')), x);
        return _mm_or_si128(blank, _mm_cmpeq_epi8(x, _mm_set1_epi8(':')));
    }
#endif
};

// Reads " index:value" as often as it is written like that, from `p` on, and returns where it stopped: at anything that
// `parse` has to look at itself. A function of its own, so that what the loop needs stays in registers.
template <class T, class I>
[[gnu::noinline]] const char* read_pairs(const char* p, const char* end, int64_t first, int64_t& before, Sink<T, I> out,
                                         Parsed& done, Separators<BlankOrColon>& separators) {
    separators.follow(p);
    int64_t entries = done.entries, last = before, index;
    double value;
    while (*p == ' ' && entries < out.room.colons) {
        const char* const* ends = separators.next(2);
        if (!ends || ends[1] == end || *ends[0] != ':' || (*ends[1] != ' ' && *ends[1] != '\n')) break;
        if (!read_short(p + 1, ends[0], index) || index <= last || index < first) break;
        if (ends[1] == ends[0] + 1 || !field::read(ends[0] + 1, ends[1], value)) break;
        if (!narrow(value, out.values[entries])) break;
        out.columns[entries++] = static_cast<I>(index);
        if (last < 0 && index < done.lowest) done.lowest = index;
        last = index;
        p = ends[1];
        separators.pass(2);
    }
    done.entries = entries;
    before = last;
    return p;
}

// `first` is the lowest index the file may use (0 or 1); columns come out as they are written.
template <class T, class I>
Parsed parse(const char* p, const char* end, int64_t first, Sink<T, I> out) {
    Parsed done;
    const char* begin = p;
    Separators separators(begin, end, BlankOrColon{}, 2);
    while (p < end) {
        while (p < end && is_blank(*p)) ++p;
        if (p == end) break;
        if (*p == '#') p = line_end(p, end);
        if (p == end) break;
        if (*p == '\n') {
            ++p;
            continue;
        }
        if (done.rows == out.room.lines) return done.fail(Fault::room, p);
        const Decimal label = scan(p, end);
        if (!label.next || !ends_token(label.next, end)) return done.fail(Fault::label, p);
        if (!round_to(label, out.labels[done.rows])) return done.fail(Fault::too_large, p);
        p = label.next;
        int64_t before = -1;
        for (;;) {
            if (field::quick && p - begin >= field::reach && p < end)
                p = read_pairs(p, end, first, before, out, done, separators);
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
            if (done.entries == out.room.colons) return done.fail(Fault::room, p);
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
