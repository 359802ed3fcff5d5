// A row of examples: dense of any element type, or sparse. The only place that knows storage.
//
// Problem:  score and move a weight vector by one example, with the same rounding on every machine.
// Given:    a row, and w in float64 padded with zeros to a multiple of 16 columns.
// Returns:  dot(w) = the canonical sum (sum.hpp) of the products, each in the partial sum of its column modulo 16; in
//           sparse rows, of its position modulo 16.
// Reference: docs/glossary.md, "Rounding".
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "span.hpp"
#include "sum.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

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
    bool slack;  // up to 15 elements may be read past the end

    static constexpr int64_t elements_ahead = 1024, elements_soon = 256;

    [[gnu::always_inline]] double dot(const double* w) const {
        return slack ? sum_of_products<false>(w) : careful_dot(w);
    }

    // The same where rows are read in order and elements_ahead of the next ones follow. Elements are asked for a line
    // at a time between the products, into the second cache and then into the first: the processor does not see the
    // streams among the look-ups.
    [[gnu::always_inline]] double dot_in_order(const double* w) const { return sum_of_products<true>(w); }

    void add_to(double* w, double s) const {
#pragma GCC unroll 4
        for (int64_t j = 0; j < nonzeros; ++j) w[column[j]] += s * static_cast<double>(x[j]);
    }

    void add_to_both(double* w, double s, double* u, double t) const {
#pragma GCC unroll 4
        for (int64_t j = 0; j < nonzeros; ++j) {
            const int64_t c = column[j];
            const double value = static_cast<double>(x[j]);
            w[c] += s * value;
            u[c] += t * value;
        }
    }

    double squared_norm() const {
        double sum = 0;
        for (int64_t j = 0; j < nonzeros; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(x[j]);
        return sum;
    }

  private:
    template <bool in_order>
    [[gnu::always_inline]] double sum_of_products(const double* w) const {
        Partial sum;
        int64_t j = 0;
        for (; j + lanes < nonzeros; j += lanes) {
            if constexpr (in_order) fetch(j);
            sum.add_product(Widened(x + j), gather(w, column + j));
        }
        if constexpr (in_order) fetch(j);
        add_last(sum, w, x + j, column + j, nonzeros - j);
        return sum.fold();
    }

    // Where nothing may be read past the end: the last rows.
    [[gnu::noinline]] double careful_dot(const double* w) const {
        Partial sum;
        int64_t j = 0;
        for (; j + lanes < nonzeros; j += lanes) sum.add_product(Widened(x + j), gather(w, column + j));
        T rest[lanes] = {};
        I places[lanes] = {};
        std::copy(x + j, x + nonzeros, rest);
        std::copy(column + j, column + nonzeros, places);
        add_last(sum, w, rest, places, nonzeros - j);
        return sum.fold();
    }

    // The last `left` elements, at most 16. Registers are read whole, so that few branches depend on their number; what
    // is not the row's is taken out of the products: multiplied by 0 it would count where it is no number.
    [[gnu::always_inline]] static void add_last(Partial& sum, const double* w, const T* values, const I* columns,
                                                int64_t left) {
        alignas(64) static constexpr int64_t keep[2 * lanes] = {-1, -1, -1, -1, -1, -1, -1, -1,
                                                                -1, -1, -1, -1, -1, -1, -1, -1};
        for (int r = 0; r < registers; ++r) {
            if (left <= r * width) break;
            Bits mask;
            std::memcpy(&mask, keep + lanes - left + r * width, sizeof mask);
            const Register product = widen(values + r * width) * gather_one(w, columns + r * width);
            sum.part[r] += reinterpret_cast<Register>(reinterpret_cast<Bits>(product) & mask);
        }
    }

    // Asks for 16 elements far ahead, and for 16 that come soon.
    [[gnu::always_inline]] void fetch(int64_t j) const {
        fetch_lines<2>(x + j + elements_ahead);
        fetch_lines<2>(column + j + elements_ahead);
        fetch_lines<3>(x + j + elements_soon);
        fetch_lines<3>(column + j + elements_soon);
    }

    template <int cache, class E>
    [[gnu::always_inline]] static void fetch_lines(const E* p) {
        constexpr size_t line = 64;
        for (size_t at = 0; at < lanes * sizeof(E); at += line) __builtin_prefetch(p + at / sizeof(E), 0, cache);
    }

    // Element by element: on most processors that is faster than the gather instruction.
    [[gnu::always_inline]] static Register gather_one(const double* w, const I* c) {
#if defined(__AVX512F__)
        if constexpr (sizeof(I) == 4) {
            // Two indices in each number: what a row of look-ups is short of are loads.
            const uint64_t p = two_at(c), q = two_at(c + 2), r = two_at(c + 4), s = two_at(c + 6);
            return Register{w[static_cast<uint32_t>(p)], w[p >> 32], w[static_cast<uint32_t>(q)], w[q >> 32],
                            w[static_cast<uint32_t>(r)], w[r >> 32], w[static_cast<uint32_t>(s)], w[s >> 32]};
        } else {
            return Register{w[c[0]], w[c[1]], w[c[2]], w[c[3]], w[c[4]], w[c[5]], w[c[6]], w[c[7]]};
        }
#else
        if constexpr (width == 4)
            return Register{w[c[0]], w[c[1]], w[c[2]], w[c[3]]};
        else
            return Register{w[c[0]], w[c[1]]};
#endif
    }

#if defined(__AVX512F__)
    static uint64_t two_at(const I* c) {
        uint64_t two;
        std::memcpy(&two, c, sizeof two);
        return two;
    }
#endif

    [[gnu::always_inline]] static Widened gather(const double* w, const I* c) {
        Widened g;
        for (int r = 0; r < registers; ++r) {
            g.part[r] = gather_one(w, c + r * width);
#if defined(__AVX512F__)
            // Eight at a time: with all sixteen in flight there are not enough registers for the indices (1 % of a
            // row).
            asm("" : "+r"(c) : "v"(g.part[r]));
#endif
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
