// Decimal numbers in text: bytes -> doubles, and the counting of lines that every text format begins with.
//
// Problem:  read numbers at the speed of the memory they come from, correctly rounded.
// Given:    a stretch of bytes; any bytes are safe.
// Returns:  the number and where it ends. Up to 2^53 x 10^±22 one exact product or quotient (Clinger), up to
//           2^63 x 10^±27 one of wide floats where it rounds once, beyond that std::from_chars.
// Reference: Clinger, "How to read floating point numbers accurately", PLDI 1990, section 4; eight digits at a time as
//           in Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51 (2021),
//           section 5.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace rosenblatt::decimal {

struct Count {
    int64_t lines = 0, colons = 0;  // a last line without an end counts too
};

inline Count count(const char* p, const char* end) {
    typedef uint8_t Sixteen __attribute__((vector_size(16)));
    Count total;
    if (p < end && end[-1] != '\n') ++total.lines;
    while (p < end) {
        // Bytes are compared and summed 16 at a time; no lane can pass 255 within one stretch.
        const char* stop = p + std::min<int64_t>(end - p, 255 * 16);
        Sixteen lines = {}, colons = {};
        for (; stop - p >= 16; p += 16) {
            Sixteen x;
            std::memcpy(&x, p, sizeof x);
            lines -= reinterpret_cast<Sixteen>(x == '\n');  // a lane that is equal is -1
            colons -= reinterpret_cast<Sixteen>(x == ':');
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

inline const char* line_end(const char* p, const char* end) {
    const void* found = p == end ? nullptr : std::memchr(p, '\n', static_cast<size_t>(end - p));
    return found ? static_cast<const char*>(found) : end;
}

inline bool is_blank(char c) { return c <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'); }
inline bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }
inline bool ends_token(const char* p, const char* end) { return p == end || is_blank(*p) || *p == '\n' || *p == '#'; }

inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

inline constexpr auto wide_powers_of_ten = [] {
    std::array<long double, 28> powers{1};
    for (size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * 10;
    return powers;
}();

// The number that eight digits write, each a byte from 0 to 9, the first the lowest.
inline uint64_t eight_digits(uint64_t eight) {
    eight = eight * 10 + (eight >> 8);
    return ((eight & 0x000000FF000000FFu) * 0x000F424000000064u +
            ((eight >> 16) & 0x000000FF000000FFu) * 0x0000271000000001u) >>
           32;
}

// Reads a run of digits into `out` (wrapping beyond 19 of them): eight at a time, without a branch on each.
inline const char* digits_of(const char* p, const char* end, uint64_t& out) {
    if constexpr (std::endian::native == std::endian::little) {
        constexpr uint64_t scale[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
        while (end - p >= 8) {
            uint64_t eight;
            std::memcpy(&eight, p, 8);
            eight ^= 0x3030303030303030u;
            // A byte above 9 shows in its upper half, itself or with 6 added; a carry can only reach later bytes.
            const uint64_t others = (eight | (eight + 0x0606060606060606u)) & 0xF0F0F0F0F0F0F0F0u;
            const int n = others ? std::countr_zero(others) >> 3 : 8;
            if (n == 0) return p;
            // leading zeros in front of the digits there are
            out = out * scale[n] + eight_digits(eight << (64 - 8 * n));
            p += n;
            if (n < 8) return p;
        }
    }
    while (p < end && is_digit(*p)) out = out * 10 + static_cast<uint64_t>(*p++ - '0');
    return p;
}

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
    if (p == end) return d;
    d.negative = *p == '-';  // without a branch: no predictor knows the next sign
    p += d.negative | (*p == '+');
    d.first = p;
    const char* start = p;
    for (int k = 0; k < 2 && p < end && is_digit(*p); ++k) d.digits = d.digits * 10 + static_cast<uint64_t>(*p++ - '0');
    if (p < end && is_digit(*p)) p = digits_of(p, end, d.digits);
    int64_t count = p - start;
    if (p < end && *p == '.') {
        const char* point = ++p;
        p = digits_of(p, end, d.digits);
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

// A long double with 64 bits of mantissa as a double; false where rounding twice may be wrong: at the midpoint of two.
inline bool rounds_once(long double wide, double& out) {
    uint64_t mantissa;
    std::memcpy(&mantissa, &wide, sizeof mantissa);
    out = static_cast<double>(wide);
    return (mantissa & 0x7FF) != 0x400;
}

// digits x 10^exponent where one product or quotient of exact numbers gives it; false elsewhere.
inline bool in_one_step(uint64_t digits, int64_t exponent, double& out) {
    if (digits <= (uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) {
        out = static_cast<double>(digits);
        out = exponent < 0 ? out / powers_of_ten[-exponent] : out * powers_of_ten[exponent];
        return true;
    }
    if constexpr (std::numeric_limits<long double>::digits == 64) {
        // 5^27 is below 2^63: both are exact.
        if (digits >> 63 || exponent < -27 || exponent > 27) return false;
        auto wide = static_cast<long double>(static_cast<int64_t>(digits));
        wide = exponent < 0 ? wide / wide_powers_of_ten[-exponent] : wide * wide_powers_of_ten[exponent];
        return rounds_once(wide, out);
    }
    return false;
}

// A correctly rounded double as a T; false where that would round twice, or is not sure to be in range.
template <class T>
inline bool narrow(double value, T& out) {
    if constexpr (std::is_same_v<T, float>) {
        // Rounding twice is wrong only where the double is the midpoint of two floats.
        if ((std::bit_cast<uint64_t>(value) & 0x1FFFFFFFu) == 0x10000000u) return false;
        if (std::abs(value) > 3.4e38 || (value != 0 && std::abs(value) < 1.2e-38)) return false;
    }
    out = static_cast<T>(value);
    return true;
}

// False if the number is too large for T.
template <class T>
inline bool round_to(const Decimal& d, T& out) {
    double value;
    if (d.cut || !in_one_step(d.digits, d.exponent, value)) return exactly(d, out);
    constexpr double sign[] = {1.0, -1.0};
    value *= sign[d.negative];  // exact, -0.0 too
    return narrow(value, out) || exactly(d, out);
}

}  // namespace rosenblatt::decimal
