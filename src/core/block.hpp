// Sixteen rows of floats by columns, a lane for each: laid out, and multiplied with a vector.
#pragma once

#include "source.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

inline __m128 four_at(const float* x) { return _mm_loadu_ps(x); }
inline __m128 four_at(const double* x) { return _mm256_cvtpd_ps(_mm256_loadu_pd(x)); }
inline __m256 eight_at(const float* x) { return _mm256_loadu_ps(x); }
inline __m256 eight_at(const double* x) { return _mm512_cvtpd_ps(_mm512_loadu_pd(x)); }

// Which of its last four columns a row has: all lanes or none of each.
struct Ends {
    __mmask16 last[4];

    explicit Ends(int64_t d) {
        for (int q = 0; q < 4; ++q) last[q] = static_cast<__mmask16>(q <= (d - 1) % 4 ? 0xFFFF : 0);
    }
};

// Sixteen rows by columns; beyond the last one there are zeros.
template <int chunks>
struct Block {
    alignas(64) float column[4 * chunks][lanes];

    template <class T>
    [[gnu::always_inline]] void lay_out(int64_t d, const T* const* rows) {
        __m512 part[chunks][4];  // four columns of rows q, q + 4, q + 8 and q + 12
        for (int q = 0; q < 4; ++q) {
            const T* row[4];
            for (int k = 0; k < 4; ++k) row[k] = rows[q + 4 * k];
            for (int c = 0; c + 1 < chunks; c += 2) {
                const auto two = [&](int k) __attribute__((always_inline)) {
                    return _mm512_insertf32x8(_mm512_castps256_ps512(eight_at(row[k] + 4 * c)),
                                              eight_at(row[k + 1] + 4 * c), 1);
                };
                const __m512 first = two(0), last = two(2);
                part[c][q] = _mm512_shuffle_f32x4(first, last, 0x88);
                part[c + 1][q] = _mm512_shuffle_f32x4(first, last, 0xDD);
            }
            if constexpr (chunks % 2 == 1) {
                constexpr int c = chunks - 1;
                __m512 all = _mm512_castps128_ps512(four_at(row[0] + 4 * c));
                all = _mm512_insertf32x4(all, four_at(row[1] + 4 * c), 1);
                all = _mm512_insertf32x4(all, four_at(row[2] + 4 * c), 2);
                part[c][q] = _mm512_insertf32x4(all, four_at(row[3] + 4 * c), 3);
            }
        }
        for (int c = 0; c < chunks; ++c) {
            const __m512 low = _mm512_unpacklo_ps(part[c][0], part[c][1]);
            const __m512 low2 = _mm512_unpacklo_ps(part[c][2], part[c][3]);
            const __m512 high = _mm512_unpackhi_ps(part[c][0], part[c][1]);
            const __m512 high2 = _mm512_unpackhi_ps(part[c][2], part[c][3]);
            _mm512_store_ps(column[4 * c], _mm512_shuffle_ps(low, low2, 0x44));
            _mm512_store_ps(column[4 * c + 1], _mm512_shuffle_ps(low, low2, 0xEE));
            _mm512_store_ps(column[4 * c + 2], _mm512_shuffle_ps(high, high2, 0x44));
            _mm512_store_ps(column[4 * c + 3], _mm512_shuffle_ps(high, high2, 0xEE));
        }
        for (int64_t j = d; j < 4 * chunks; ++j)  // what lies behind a row is not its own
            _mm512_store_ps(column[j], _mm512_setzero_ps());
    }

    __m512 squared_norms() const {
        __m512 sum[4] = {};
        for (int j = 0; j < 4 * chunks; ++j) {
            const __m512 x = _mm512_load_ps(column[j]);
            sum[j % 4] = _mm512_fmadd_ps(x, x, sum[j % 4]);
        }
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }

    // The products of all rows with w, and `first`: in fours, which takes fewer loads.
    [[gnu::always_inline]] __m512 products_with(const float* w, __m512 first) const {
        return sum_of(
            [&](int c, const auto& add) __attribute__((always_inline)) {
                const __m512 four = _mm512_broadcast_f32x4(_mm_load_ps(w + 4 * c));
                add(0, _mm512_shuffle_ps(four, four, 0x00));
                add(1, _mm512_shuffle_ps(four, four, 0x55));
                add(2, _mm512_shuffle_ps(four, four, 0xAA));
                add(3, _mm512_shuffle_ps(four, four, 0xFF));
            },
            first);
    }

    // The same with a row: the processor can begin with any element of it. What lies behind it is left out: NaN times
    // a column of zeros is NaN.
    [[gnu::always_inline]] __m512 products_with(const float* x, const Ends& ends, __m512 first) const {
        return sum_of(
            [&](int c, const auto& add) __attribute__((always_inline)) {
#pragma GCC unroll 4
                for (int q = 0; q < 4; ++q) {
                    const __m128 element = _mm_load_ss(x + 4 * c + q);
                    add(q, q > 0 && c + 1 == chunks ? _mm512_maskz_broadcastss_ps(ends.last[q], element)
                                                    : _mm512_broadcastss_ps(element));
                }
            },
            first);
    }

  private:
    // each(c, add) calls add(q, factor of column 4 c + q).
    template <class Each>
    [[gnu::always_inline]] __m512 sum_of(const Each& each, __m512 first) const {
        __m512 sum[4] = {first};
        const float* from = column[0];
        asm("" : "+r"(from));  // or the compiler keeps the address of every column
#pragma GCC unroll 12
        for (int c = 0; c < chunks; ++c) {
            each(c, [&](int q, __m512 factor) __attribute__((always_inline)) {
                const __m512 x = _mm512_load_ps(from + (4 * c + q) * lanes);
                sum[q] = c == 0 && q > 0 ? factor * x : _mm512_fmadd_ps(factor, x, sum[q]);
            });
        }
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
};

inline const float* in_float32(const float* x, float*) { return x; }

// A row of float64 is written down first.
template <int columns>
[[gnu::always_inline]] inline const float* in_float32(const double* x, float (&room)[columns]) {
    for (int j = 0; j < columns; j += 4) _mm_storeu_ps(room + j, four_at(x + j));
    return room;
}

#endif

}  // namespace rosenblatt::ROSENBLATT_LEVEL
