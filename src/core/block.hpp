// Sixteen rows of floats by columns, a lane for each: laid out, and multiplied with a vector.
#pragma once

#include <algorithm>

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

    // The products of all rows with w, eight of it in a register, and `first`.
    [[gnu::always_inline]] __m512 products_with(const __m256* w, __m512 first) const {
        const float* from = column[0];
        asm("" : "+r"(from));  // or the compiler keeps the address of every column
        return sum_of(
            [&](int c, int q) __attribute__((always_inline)) {
                return _mm512_permutexvar_ps(_mm512_set1_epi32(c % 2 * 4 + q), _mm512_castps256_ps512(w[c / 2]));
            },
            [&](int j) __attribute__((always_inline)) { return _mm512_load_ps(from + j * lanes); }, first);
    }

    // The factor of column 4 c + q and the column itself, multiplied and summed up.
    template <class Factor, class Column>
    [[gnu::always_inline]] static __m512 sum_of(const Factor& factor, const Column& column, __m512 first) {
        __m512 sum[4] = {first};
#pragma GCC unroll 12
        for (int c = 0; c < chunks; ++c) {
#pragma GCC unroll 4
            for (int q = 0; q < 4; ++q) {
                const __m512 a = factor(c, q), x = column(4 * c + q);
                sum[q] = c == 0 && q > 0 ? a * x : _mm512_fmadd_ps(a, x, sum[q]);
            }
        }
        return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
};

// A block that is multiplied with several rows: its first columns are in registers, if it has no more than twenty (one
// row in five wrong, 20 columns: 4.9 ns a row, and 5.0 with all of them in memory; of 40, slower).
template <int chunks>
class BlockInRegisters {
  public:
    [[gnu::always_inline]] explicit BlockInRegisters(const Block<chunks>& block) : from_(block.column[0]) {
#pragma GCC unroll 12
        for (int j = 0; j < held; ++j) {
            column_[j] = _mm512_load_ps(from_ + j * lanes);
            asm("" : "+v"(column_[j]));  // or the compiler takes it from memory all the same
        }
    }

    // The products of all rows with x, and `first`: the processor can begin with any element of it. What lies behind it
    // is left out: NaN times a column of zeros is NaN.
    [[gnu::always_inline]] __m512 products_with(const float* x, const Ends& ends, __m512 first) const {
        const float* from = from_;
        asm("" : "+r"(from));
        return Block<chunks>::sum_of(
            [&](int c, int q) __attribute__((always_inline)) {
                const __m128 element = _mm_load_ss(x + 4 * c + q);
                return q > 0 && c + 1 == chunks ? _mm512_maskz_broadcastss_ps(ends.last[q], element)
                                                : _mm512_broadcastss_ps(element);
            },
            [&](int j)
                __attribute__((always_inline)) { return j < held ? column_[j] : _mm512_load_ps(from + j * lanes); },
            first);
    }

  private:
    static constexpr int held = chunks > 5 ? 0 : chunks < 3 ? 4 * chunks : 12;
    const float* const from_;
    __m512 column_[std::max(held, 1)];
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
