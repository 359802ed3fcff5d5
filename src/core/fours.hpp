// Four short decimal numbers at once, where vectors have 64 bytes; at other levels none.
//
// Problem:  field.hpp reads one number in some eighty instructions, most of them on 16 bytes; here four lie side by
//           side in one vector, a lane of 16 bytes for each.
// Given:    the ends of neighbouring fields, before the first of them the end of the field in front, and 16 bytes
//           before every end that may be read.
// Returns:  how many were read, a multiple of four, each the same double as field.hpp's. It stops before four of which
//           one is longer than 16 bytes or anything but digits with at most one point and a minus in front.
// Reference: field.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__) && defined(__BMI2__)
#include <immintrin.h>
#define ROSENBLATT_FOURS
#endif

namespace rosenblatt::ROSENBLATT_LEVEL {

#ifdef ROSENBLATT_FOURS

// One bit for every byte: 16 for each number, its last byte the highest.
constexpr uint64_t lowest = 0x0001000100010001u, highest = 0x8000800080008000u;

// 10^(15 - point), the point counted from the left; 1 where there is none.
constexpr double divisors[] = {1e15, 1e14, 1e13, 1e12, 1e11, 1e10, 1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1, 1};

inline __m128i before_end(const char* end) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(end - 16)); }

inline double divisor(uint64_t points, int number) {
    return divisors[_tzcnt_u32(static_cast<uint32_t>(points >> 16 * number) | 0x10000u)];
}

// Digits to numbers: pairs, fours, eights, sixteen; in the even places of eight.
inline __m512i sixteens(__m512i digits) {
    const __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(10 | 1 << 8));
    const __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(100 | 1 << 16));
    const __m512i eights = _mm512_madd_epi16(_mm512_packus_epi32(fours, fours), _mm512_set1_epi32(10'000 | 1 << 16));
    const __m512i first = _mm512_maskz_mul_epu32(0xFF, eights, _mm512_set1_epi64(100'000'000));
    return _mm512_add_epi64(first, _mm512_maskz_srli_epi64(0xFF, eights, 32));
}

inline bool read_four(const char* const* ends, double* out) {
    __m256i end, before;
    std::memcpy(&end, ends, sizeof end);
    std::memcpy(&before, ends - 1, sizeof before);
    const __m256i length = _mm256_sub_epi64(_mm256_sub_epi64(end, before), _mm256_set1_epi64x(1));
    if (_mm256_cmpgt_epi64_mask(length, _mm256_set1_epi64x(16))) return false;
    __m512i x = _mm512_castsi128_si512(before_end(ends[0]));
    x = _mm512_inserti32x4(x, before_end(ends[1]), 1);
    x = _mm512_inserti32x4(x, before_end(ends[2]), 2);
    x = _mm512_inserti32x4(x, before_end(ends[3]), 3);

    // Where the numbers are: byte by byte, how far the end is against how long the field is.
    const __m512i away = _mm512_set4_epi32(0x01020304, 0x05060708, 0x090A0B0C, 0x0D0E0F10);
    const __m512i twice =
        _mm512_maskz_permutexvar_epi64(0xFF, _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3), _mm512_castsi256_si512(length));
    const __m512i lengths = _mm512_shuffle_epi8(twice, _mm512_setzero_si512());
    const uint64_t begins = _mm512_cmpeq_epi8_mask(away, lengths);
    const uint64_t minus = _mm512_mask_cmpeq_epi8_mask(begins, x, _mm512_set1_epi8('-'));
    const uint64_t number = _mm512_cmple_epu8_mask(away, lengths) & ~minus;
    const uint64_t points = _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8('.')) & number;

    // What stands before a point moves one place to the right. A point in the last place moves nothing away, so that
    // its own byte is refused below.
    const uint64_t marked = points | highest;
    const uint64_t until_point = marked ^ (marked - lowest);
    const uint64_t last = until_point & highest;
    const uint64_t pointless = last | (last - (last >> 15));
    const uint64_t wanted = number & ((number << 1 & ~lowest) | pointless);
    const __m512i moved = _mm512_mask_blend_epi8(until_point & ~pointless, x, _mm512_bslli_epi128(x, 1));
    const __m512i digits = _mm512_maskz_sub_epi8(wanted, moved, _mm512_set1_epi8('0'));
    if (_mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9)) | (highest & ~wanted)) return false;

    const __m512i packed = _mm512_maskz_compress_epi64(0x55, sixteens(digits));
    __m256i whole;
    std::memcpy(&whole, &packed, sizeof whole);
    if (_mm256_cmpgt_epi64_mask(whole, _mm256_set1_epi64x(int64_t{1} << 53))) return false;
    const __m256d divided =
        _mm256_div_pd(_mm256_cvtepi64_pd(whole),
                      _mm256_setr_pd(divisor(points, 0), divisor(points, 1), divisor(points, 2), divisor(points, 3)));
    const uint64_t negative = (((minus & ~highest) + ~highest) | minus) & highest;
    const auto signs = static_cast<__mmask8>(_pext_u64(negative, highest));
    _mm256_storeu_pd(out, _mm256_mask_xor_pd(divided, signs, divided, _mm256_set1_pd(-0.0)));
    return true;
}

static size_t read_fours(const char* const* ends, size_t count, double* out) {
    size_t k = 0;
    while (k + 4 <= count && read_four(ends + k, out + k)) k += 4;
    return k;
}

#else

static size_t read_fours(const char* const*, size_t, double*) { return 0; }

#endif

}  // namespace rosenblatt::ROSENBLATT_LEVEL
