// The canonical sum: 16 partial sums, in as few registers as the level has.
//
// Problem:  add products so that every machine rounds alike.
// Given:    16 neighbouring products at a time, of any element type, widened to float64.
// Returns:  their sum: products and sums rounded separately, folded 16 -> 8 -> 4 -> 2 -> 1.
// Reference: docs/glossary.md, "Rounding". Vector width changes how many partial sums share a register, never the
// result.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

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

}  // namespace rosenblatt::ROSENBLATT_LEVEL
