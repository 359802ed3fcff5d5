// A decimal number between two known places: all its digits at once, without a branch on how many there are.
//
// Problem:  fields of a table have a sign or none, their point anywhere, and few or many digits. A reader that goes
//           from left to right guesses wrong at each of these, and a wrong guess costs as much as the number itself.
// Given:    a field of one byte or more, and `reach` bytes before its end that may be read.
// Returns:  the number, correctly rounded; false where a reader with more patience is needed (decimal.hpp): blanks, a
//           plus, an exponent of one or three digits, very many digits, no number at all.
// Reference: sixteen digits in four products as in Muła, "SIMD-ized conversion of ASCII numbers to integers" (2014);
//           rounding as in decimal.hpp.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>

#include "decimal.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace rosenblatt::field {

constexpr int64_t reach = 37;

#ifdef __SSE2__

constexpr bool quick = true;

// What the place of the point and the number of digits mean in a field of `width` places, right-aligned.
template <int width, class Unit>
struct Places {
    alignas(16) uint8_t until_point[width + 1][width] = {};  // by the point's place from the left; `width` for none
    alignas(16) uint8_t last[width + 1][width] = {};         // the last so many
    Unit divisor[2][width + 1] = {};                         // by sign, and place of the point; 0 for one too large

    template <class Powers>
    constexpr explicit Places(const Powers& powers) {
        for (int k = 0; k <= width; ++k) {
            for (int i = 0; i < width; ++i) {
                until_point[k][i] = k < width && i <= k ? 255 : 0;
                last[k][i] = i >= width - k ? 255 : 0;
            }
            const size_t after = k < width ? static_cast<size_t>(width - 1 - k) : 0;
            divisor[0][k] = after < std::size(powers) ? powers[after] : 0;
            divisor[1][k] = -divisor[0][k];
        }
    }
};

inline constexpr Places<16, double> few(decimal::powers_of_ten);
inline constexpr Places<32, long double> many(decimal::wide_powers_of_ten);

inline __m128i load(const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); }

inline uint32_t places_of(char c, const char* p) {
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(load(p), _mm_set1_epi8(c))));
}

// The digits as numbers from sixteen bytes: those up to the point are read one byte earlier.
inline __m128i digits_at(const char* p, const uint8_t* until_point, const uint8_t* wanted) {
    const __m128i x = load(p);
    const __m128i moved = _mm_xor_si128(x, _mm_and_si128(_mm_xor_si128(x, load(p - 1)), load(until_point)));
    return _mm_and_si128(_mm_sub_epi8(moved, _mm_set1_epi8('0')), load(wanted));
}

inline int above_nine(__m128i digits) { return _mm_movemask_epi8(_mm_adds_epu8(digits, _mm_set1_epi8(127 - 9))); }

// The number that sixteen digits write: pairs, fours, eights.
inline uint64_t sixteen(__m128i digits) {
    const __m128i pairs = _mm_srli_epi16(_mm_mullo_epi16(digits, _mm_set1_epi16(2561)), 8);  // 10 * first + second
    const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(100 | 1 << 16));
    const __m128i eights = _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(10'000 | 1 << 16));
    const auto both = static_cast<uint64_t>(_mm_cvtsi128_si64(eights));
    return (both & 0xFFFFFFFFu) * 100'000'000 + (both >> 32);
}

// What is written from `first` to `last`, without an exponent.
template <int width>
struct Written {
    bool negative;
    int point;  // `width` for none
    uint64_t digits;

    int64_t after_point() const { return point < width ? width - 1 - point : 0; }
};

// Up to 16 bytes.
inline bool read_digits(const char* first, const char* last, Written<16>& out) {
    out.negative = *first == '-';
    const auto length = static_cast<uint32_t>(last - first) - out.negative;
    const uint32_t points = places_of('.', last - 16) & 0xFFFF0000u >> length;
    out.point = std::countr_zero(points | 0x10000u);
    const uint32_t count = length - (points != 0);
    const __m128i digits = digits_at(last - 16, few.until_point[out.point], few.last[count]);
    out.digits = sixteen(digits);
    return count > 0 && !above_nine(digits);
}

// Up to 32 bytes that write less than 2^63.
inline bool read_digits(const char* first, const char* last, Written<32>& out) {
    out.negative = *first == '-';
    const auto length = static_cast<uint32_t>(last - first) - out.negative;
    const uint64_t all = places_of('.', last - 32) | uint64_t{places_of('.', last - 16)} << 16;
    const uint64_t points = all & 0xFFFFFFFF00000000u >> length;
    out.point = std::countr_zero(points | uint64_t{1} << 32);
    const uint32_t count = length - (points != 0);
    const __m128i upper = digits_at(last - 32, many.until_point[out.point], many.last[count]);
    const __m128i lower = digits_at(last - 16, many.until_point[out.point] + 16, many.last[count] + 16);
    const uint64_t front = sixteen(upper);
    out.digits = front * 10'000'000'000'000'000u + sixteen(lower);
    return count > 0 && !above_nine(upper) && !above_nine(lower) && front <= 900;
}

// With an exponent of two digits, as "%e" writes it.
template <int width>
inline bool read_scientific(const char* first, const char* last, double& out) {
    const int tens = last[-2] - '0', ones = last[-1] - '0';
    Written<width> found;
    if ((last[-3] != '-' && last[-3] != '+') || tens < 0 || tens > 9 || ones < 0 || ones > 9) return false;
    if (!read_digits(first, last - 4, found)) return false;
    const int64_t exponent = last[-3] == '-' ? -10 * tens - ones : 10 * tens + ones;
    if (!decimal::in_one_step(found.digits, exponent - found.after_point(), out)) return false;
    if (found.negative) out = -out;
    return true;
}

inline bool read_few(const char* first, const char* last, double& out) {
    Written<16> found;
    if (!read_digits(first, last, found) || found.digits > uint64_t{1} << 53) return false;
    out = static_cast<double>(static_cast<int64_t>(found.digits)) / few.divisor[found.negative][found.point];
    return true;
}

// Where a long double has 64 bits of mantissa.
inline bool read_many(const char* first, const char* last, double& out) {
    Written<32> found;
    if (!read_digits(first, last, found)) return false;
    const long double divisor = many.divisor[found.negative][found.point];
    if (divisor == 0) return false;
    return decimal::rounds_once(static_cast<long double>(static_cast<int64_t>(found.digits)) / divisor, out);
}

inline bool read(const char* first, const char* last, double& out) {
    const int64_t length = last - first;
    if (length > 4 && (last[-4] | 0x20) == 'e') {
        if (length <= 20) return read_scientific<16>(first, last, out);
        return length <= 36 && read_scientific<32>(first, last, out);
    }
    if (length <= 16) return read_few(first, last, out);
    if constexpr (std::numeric_limits<long double>::digits == 64)
        if (length <= 32) return read_many(first, last, out);
    return false;
}

#else

constexpr bool quick = false;

inline bool read(const char*, const char*, double&) { return false; }

#endif

}  // namespace rosenblatt::field
