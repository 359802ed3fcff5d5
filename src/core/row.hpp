// A row of examples: dense of any element type, or sparse. The only place that knows storage.
//
// Problem:  score and move a weight vector by one example, with the same rounding on every machine.
// Given:    a row, and w in float64 padded with zeros to a multiple of 16 columns.
// Returns:  dot(w) = sum over 16 partial sums (by column modulo 16; in sparse rows by position modulo 16),
//           products and sums rounded separately, folded 16 -> 8 -> 4 -> 2 -> 1.
// Reference: spec section 6. Vector width changes how many partial sums share a register, never the result.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "span.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int64_t lanes = 16;

#if defined(__AVX512F__)
constexpr int width = 8;
#elif defined(__AVX2__)
constexpr int width = 4;
#else
constexpr int width = 2;
#endif
constexpr int registers = lanes / width;

using Register = double __attribute__((vector_size(width * 8)));
using Bits = int64_t __attribute__((vector_size(width * 8)));

template <class T>
struct Narrow {
    typedef T type __attribute__((vector_size(width * sizeof(T))));
};

template <class T>
inline Register widen(const T* p) {
    typename Narrow<T>::type v;
    std::memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, Register);
}

// One instruction where the compiler makes four of the generic form.
#if defined(__AVX512F__)
inline Register widen(const float* p) { return _mm512_cvtps_pd(_mm256_loadu_ps(p)); }
inline Register widen(const int32_t* p) {
    return _mm512_cvtepi32_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
inline Register widen(const int16_t* p) {
    return _mm512_cvtepi32_pd(_mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
inline Register widen(const int8_t* p) {
    return _mm512_cvtepi32_pd(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
inline Register widen(const uint8_t* p) {
    return _mm512_cvtepi32_pd(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
#elif defined(__AVX2__)
inline Register widen(const float* p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
inline Register widen(const int32_t* p) {
    return _mm256_cvtepi32_pd(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
inline Register widen(const int16_t* p) {
    return _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
inline Register widen(const int8_t* p) { return _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(_mm_loadu_si32(p))); }
inline Register widen(const uint8_t* p) { return _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_loadu_si32(p))); }
#endif

inline Register load(const double* p) {
    Register v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline void store(double* p, Register v) { std::memcpy(p, &v, sizeof v); }

#if defined(__AVX512F__)
inline __m256d low_half(__m512d v) { return _mm512_castpd512_pd256(v); }
inline __m256d high_half(__m512d v) { return _mm512_extractf64x4_pd(v, 1); }
#endif
#if defined(__AVX2__)
inline __m128d low_half(__m256d v) { return _mm256_castpd256_pd128(v); }
inline __m128d high_half(__m256d v) { return _mm256_extractf128_pd(v, 1); }
#endif

// How far a sum of d products can be off by rounding, relative to |w| |x|; four times that, to be on the safe side.
inline double rounding_of(int64_t d) { return 4 * (static_cast<double>(d) + 32) * 2.220446049250313e-16; }

// 16 neighbouring elements as float64.
struct Widened {
    Register part[registers];

    Widened() = default;

    template <class T>
    explicit Widened(const T* x) {
        for (int r = 0; r < registers; ++r) part[r] = widen(x + r * width);
    }
};

// The 16 partial sums of a dot product.
struct Partial {
    Register part[registers];

    Partial() {
        for (int r = 0; r < registers; ++r) part[r] = Register{};
    }

    void add_product(const Widened& x, const Widened& w) {
        for (int r = 0; r < registers; ++r) part[r] += x.part[r] * w.part[r];
    }

    [[gnu::always_inline]] double fold() const {
        Register sum[registers];
        for (int r = 0; r < registers; ++r) sum[r] = part[r];
        for (int half = registers / 2; half > 0; half /= 2)
            for (int r = 0; r < half; ++r) sum[r] += sum[r + half];
        return fold_register(sum[0]);
    }

  private:
    template <class V>
    [[gnu::always_inline]] static double fold_register(V v) {
        if constexpr (sizeof(V) == 2 * sizeof(double)) {
            return v[0] + v[1];
        } else {
            return fold_register(low_half(v) + high_half(v));
        }
    }
};

constexpr int side_by_side = 8;  // totals that are written at once

#if defined(__AVX512BW__)
// out[k] = the sum of the integers in sum[k]; where there are several, the other places of out are written too.
template <int count>
[[gnu::always_inline]] inline void write_totals(const __m512i* sum, int32_t* out) {
    if constexpr (count == 1) {
        out[0] = _mm512_reduce_add_epi32(sum[0]);
    } else {
        __m256i half[8] = {};
        for (int k = 0; k < count; ++k)
            half[k] = _mm256_add_epi32(_mm512_castsi512_si256(sum[k]), _mm512_extracti64x4_epi64(sum[k], 1));
        const auto fold_four = [&](int k) __attribute__((always_inline)) {
            return _mm256_hadd_epi32(_mm256_hadd_epi32(half[k], half[k + 1]),
                                     _mm256_hadd_epi32(half[k + 2], half[k + 3]));
        };
        const __m256i first = fold_four(0), last = fold_four(4);
        const __m256i low = _mm256_permute2x128_si256(first, last, 0x20);
        const __m256i high = _mm256_permute2x128_si256(first, last, 0x31);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_add_epi32(low, high));
    }
}
#endif

template <class T>
struct Dense {
    const T* x;
    int64_t d;
    bool slack;  // up to 15 finite elements may be read past the end: w is zero there
    Span span;   // of bytes

    [[gnu::always_inline]] double dot(const double* w) const {
        if (!slack) return careful_dot(w);
        Partial sum;
        for (int64_t j = 0; j < d; j += lanes) sum.add_product(Widened(x + j), Widened(w + j));
        return sum.fold();
    }

    // One row with slack against several vectors: the row is read and widened once.
    template <int vectors>
    [[gnu::always_inline]] void dots_with(const double* const* w, double* out) const {
        Partial sum[vectors];
        for (int64_t j = 0; j < d; j += lanes) {
            const Widened wide(x + j);
            for (int q = 0; q < vectors; ++q) sum[q].add_product(wide, Widened(w[q] + j));
        }
        for (int q = 0; q < vectors; ++q) out[q] = sum[q].fold();
    }

    static constexpr bool bytes = std::is_same_v<T, uint8_t> || std::is_same_v<T, int8_t>;

    // Bytes against several vectors of small integers (glance.hpp), exactly; the sums fit by the choice of q. Where
    // there are several, `out` has room for side_by_side of them.
    template <int vectors>
    [[gnu::always_inline]] void small_dots(const int16_t* const* q, int32_t* out) const
        requires bytes
    {
#if defined(__AVX512BW__)
        __m512i sum[vectors] = {};
        const auto add = [&](__m256i some, int64_t j) __attribute__((always_inline)) {
            const __m512i wide = std::is_signed_v<T> ? _mm512_cvtepi8_epi16(some) : _mm512_cvtepu8_epi16(some);
            for (int k = 0; k < vectors; ++k)
                sum[k] = _mm512_add_epi32(sum[k], _mm512_madd_epi16(wide, _mm512_loadu_si512(q[k] + j)));
        };
        const int64_t whole = span.end & ~int64_t{31};
        // First: a rest that follows a loop has the compiler copy the sums in every turn of it.
        if (whole < span.end) add(_mm256_maskz_loadu_epi8((1U << (span.end - whole)) - 1, x + whole), whole);
        for (int64_t j = span.begin; j < whole; j += 32)
            add(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + j)), j);
        write_totals<vectors>(sum, out);
#else
        int32_t sum[vectors] = {};
        for (int64_t j = span.begin; j < span.end; ++j)
            for (int k = 0; k < vectors; ++k) sum[k] += int32_t{x[j]} * int32_t{q[k][j]};
        for (int k = 0; k < vectors; ++k) out[k] = sum[k];
#endif
    }

    void add_to_small(int16_t* q, int16_t s) const
        requires bytes
    {
        for (int64_t j = span.begin; j < span.end; ++j) q[j] = static_cast<int16_t>(q[j] + s * x[j]);
    }

    void add_to(double* w, double s) const {
        const int64_t whole = d & ~(lanes - 1);
        for (int64_t j = 0; j < whole; j += width) store(w + j, load(w + j) + s * widen(x + j));
        if (whole < d) {
            // Whole registers here too: the next dot product loads them, and narrow stores would stall it.
            const Widened rest = slack ? Widened(x + whole) : careful_tail(whole);
            for (int r = 0; r < registers; ++r) {
                double* at = w + whole + r * width;
                store(at, load(at) + s * (rest.part[r] * keep(d - whole - r * width)));
            }
        }
    }

    double squared_norm() const {
        double sum[lanes] = {}, total = 0;
        const int64_t whole = d & ~(lanes - 1);
        for (int64_t j = 0; j < whole; j += lanes)
            for (int64_t l = 0; l < lanes; ++l) sum[l] += static_cast<double>(x[j + l]) * static_cast<double>(x[j + l]);
        for (int64_t j = whole; j < d; ++j) total += static_cast<double>(x[j]) * static_cast<double>(x[j]);
        for (int64_t l = 0; l < lanes; ++l) total += sum[l];
        return total;
    }

  private:
    // 1 in the first `count` places, 0 in the others.
    static Register keep(int64_t count) {
        Register mask;
        for (int l = 0; l < width; ++l) mask[l] = l < count ? 1.0 : 0.0;
        return mask;
    }

    [[gnu::noinline]] Widened careful_tail(int64_t whole) const {
        T rest[lanes] = {};
        std::memcpy(rest, x + whole, (d - whole) * sizeof(T));
        return Widened(rest);
    }

    // Where nothing may be read past the end: the last rows, and rows cut out of wider ones.
    [[gnu::noinline]] double careful_dot(const double* w) const {
        Partial sum;
        const int64_t whole = d & ~(lanes - 1);
        for (int64_t j = 0; j < whole; j += lanes) sum.add_product(Widened(x + j), Widened(w + j));
        if (whole < d) sum.add_product(careful_tail(whole), Widened(w + whole));
        return sum.fold();
    }
};

template <class T, class I>
struct Sparse {
    const T* x;
    const I* column;
    int64_t nonzeros;

    [[gnu::always_inline]] double dot(const double* w) const {
        Partial sum;
        const int64_t whole = nonzeros & ~(lanes - 1);
        for (int64_t j = 0; j < whole; j += lanes) sum.add_product(Widened(x + j), gather(w, column + j));
        if (whole < nonzeros) add_rest(sum, w, whole);
        return sum.fold();
    }

    void add_to(double* w, double s) const {
        for (int64_t j = 0; j < nonzeros; ++j) w[column[j]] += s * static_cast<double>(x[j]);
    }

    double squared_norm() const {
        double sum = 0;
        for (int64_t j = 0; j < nonzeros; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(x[j]);
        return sum;
    }

  private:
    // The last elements, fewer than 16.
    [[gnu::always_inline]] void add_rest(Partial& sum, const double* w, int64_t whole) const {
#if defined(__AVX512F__)
        for (int r = 0; r < registers; ++r) {
            const int64_t at = whole + r * width, left = nonzeros - at;
            if (left <= 0) break;
            const __mmask8 some = left >= width ? 0xFF : static_cast<__mmask8>((1U << left) - 1);
            sum.part[r] += masked_values(some, x + at) * masked_gather(some, w, column + at);
        }
#else
        T rest[lanes] = {};
        I places[lanes] = {};  // w[0] times 0
        for (int64_t j = whole; j < nonzeros; ++j) {
            rest[j - whole] = x[j];
            places[j - whole] = column[j];
        }
        sum.add_product(Widened(rest), gather(w, places));
#endif
    }

#if defined(__AVX512F__)
    static Register masked_values(__mmask8 some, const double* p) { return _mm512_maskz_loadu_pd(some, p); }
    static Register masked_values(__mmask8 some, const float* p) {
        return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(some, p));
    }
    static Register masked_gather(__mmask8 some, const double* w, const int32_t* c) {
        return _mm512_mask_i32gather_pd(Register{}, some, _mm256_maskz_loadu_epi32(some, c), w, sizeof(double));
    }
    static Register masked_gather(__mmask8 some, const double* w, const int64_t* c) {
        return _mm512_mask_i64gather_pd(Register{}, some, _mm512_maskz_loadu_epi64(some, c), w, sizeof(double));
    }
#endif

    // Element by element: on most processors that is faster than the gather instruction.
    static Widened gather(const double* w, const I* c) {
        Widened g;
        for (int r = 0; r < registers; ++r, c += width) {
            if constexpr (width == 8)
                g.part[r] = Register{w[c[0]], w[c[1]], w[c[2]], w[c[3]], w[c[4]], w[c[5]], w[c[6]], w[c[7]]};
            else if constexpr (width == 4)
                g.part[r] = Register{w[c[0]], w[c[1]], w[c[2]], w[c[3]]};
            else
                g.part[r] = Register{w[c[0]], w[c[1]]};
        }
        return g;
    }
};

// One row of a Gram matrix. Here w holds one score per example of the block, so judging is a look-up and
// an update adds the row of kernel values: the kernel perceptron is the same loop over another kind of row.
struct Gram {
    const double* k;
    int64_t index, n;

    double dot(const double* w) const { return w[index]; }

    void add_to(double* w, double s) const {
        for (int64_t j = 0; j < n; ++j) w[j] += s * k[j];
    }

    double squared_norm() const { return k[index]; }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
