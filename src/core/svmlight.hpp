// svmlight / libsvm text: bytes -> rows. Parsing only; no files, no allocation.
//
// Problem:  read "label index:value index:value ... # comment" lines at the speed of the memory they come from.
// Given:    bytes that begin at the start of a line, and room for as many rows as they have lines and as many
//           entries as they have colons.
// Returns:  labels, CSR parts, the lowest and highest index, and the first fault with its place. Any bytes are safe.
//           Numbers are correctly rounded: up to 2^53 x 10^±22 one exact product or quotient (Clinger), beyond that
//           std::from_chars. Indices must ascend within a line; "qid:n" is counted and skipped.
// Reference: Joachims, SVM-light; Clinger, "How to read floating point numbers accurately", PLDI 1990, section 4.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace rosenblatt::svmlight {

enum class Fault : int { none, label, index, colon, value, too_large, order, below_first, wide };

inline const char* name(Fault fault) {
    constexpr const char* names[] = {"",          "label", "index",       "colon", "value",
                                     "too_large", "order", "below_first", "wide"};
    return names[static_cast<int>(fault)];
}

struct Count {
    int64_t lines = 0, colons = 0;  // a last line without an end counts too
};

inline Count count(const char* p, const char* end) {
    Count total;
    if (p < end && end[-1] != '\n') ++total.lines;
    while (p < end) {
        // Bytes are compared and summed 16 at a time; no lane can pass 255 within one stretch.
        const char* stop = p + std::min<int64_t>(end - p, 255 * 16);
        uint8_t lines[16] = {}, colons[16] = {};
        for (; stop - p >= 16; p += 16)
            for (int k = 0; k < 16; ++k) {
                lines[k] += p[k] == '\n';
                colons[k] += p[k] == ':';
            }
        for (; p < stop; ++p) {
            total.lines += *p == '\n';
            total.colons += *p == ':';
        }
        for (int k = 0; k < 16; ++k) {
            total.lines += lines[k];
            total.colons += colons[k];
        }
    }
    return total;
}

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }
inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool ends_token(const char* p, const char* end) { return p == end || is_blank(*p) || *p == '\n' || *p == '#'; }

inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// A decimal number as its parts; `next` is null when there is none.
struct Decimal {
    const char* first;  // after the sign
    const char* next;
    uint64_t digits;  // the first 19 significant ones
    int64_t exponent;
    bool negative, cut;  // cut: there were more than 19 digits
};

inline Decimal scan(const char* p, const char* end) {
    Decimal d{p, nullptr, 0, 0, false, false};
    if (p < end && (*p == '-' || *p == '+')) d.negative = *p++ == '-';
    d.first = p;
    const char* start = p;
    while (p < end && is_digit(*p)) d.digits = d.digits * 10 + static_cast<uint64_t>(*p++ - '0');
    int64_t count = p - start;
    if (p < end && *p == '.') {
        const char* point = ++p;
        while (p < end && is_digit(*p)) d.digits = d.digits * 10 + static_cast<uint64_t>(*p++ - '0');
        d.exponent = point - p;
        count += p - point;
    }
    if (count == 0) return d;
    d.cut = count > 19;  // leading zeros counted: then from_chars decides, more slowly but alike
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char* q = p + 1;
        bool below = false;
        if (q < end && (*q == '-' || *q == '+')) below = *q++ == '-';
        if (q == end || !is_digit(*q)) return d;
        int64_t e = 0;
        for (; q < end && is_digit(*q); ++q)
            if (e < 1'000'000'000) e = e * 10 + (*q - '0');
        d.exponent += below ? -e : e;
        p = q;
    }
    d.next = p;
    return d;
}

// Digits of the mantissa without leading zeros: the number is below 10^(significant + exponent), and not far below.
inline int64_t significant(const Decimal& d) {
    int64_t digits = 0;
    for (const char* p = d.first; p < d.next && *p != 'e' && *p != 'E'; ++p)
        if (*p != '.' && (digits > 0 || *p != '0')) ++digits;
    return digits;
}

// std::from_chars with the underflow of strtod (a signed zero); false if the number is too large for T.
template <class T>
bool exactly(const Decimal& d, T& out) {
    const auto result = std::from_chars(d.first, d.next, out);
    if (result.ec == std::errc::result_out_of_range) {
        if (d.exponent + significant(d) > 0) return false;
        out = 0;
    }
    if (!std::isfinite(out)) return false;
    if (d.negative) out = -out;
    return true;
}

// False if the number is too large for T.
template <class T>
inline bool round_to(const Decimal& d, T& out) {
    double value;
    if (!d.cut && d.digits <= (uint64_t{1} << 53) && d.exponent >= -22 && d.exponent <= 22) {
        value = static_cast<double>(d.digits);
        value = d.exponent < 0 ? value / powers_of_ten[-d.exponent] : value * powers_of_ten[d.exponent];
        if (d.negative) value = -value;
    } else {
        if constexpr (std::is_same_v<T, float>) return exactly(d, out);
        if (!exactly(d, value)) return false;
    }
    if constexpr (std::is_same_v<T, float>) {
        // Rounding twice is wrong only where the double is the midpoint of two floats.
        if ((std::bit_cast<uint64_t>(value) & 0x1FFFFFFFu) == 0x10000000u) return exactly(d, out);
        if (std::abs(value) > 3.4e38 || (value != 0 && std::abs(value) < 1.2e-38)) return exactly(d, out);
    }
    out = static_cast<T>(value);
    return true;
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

inline const char* line_end(const char* p, const char* end) {
    const void* found = p == end ? nullptr : std::memchr(p, '\n', static_cast<size_t>(end - p));
    return found ? static_cast<const char*>(found) : end;
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
