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

template <class T>
struct Narrow {
    typedef T type __attribute__((vector_size(width * sizeof(T))));
};

template <class T>
inline Register widen(const T* p) {
    typename Narrow<T>::type v;
    std::memcpy(&v, p, sizeof v);
    if constexpr (std::is_integral_v<T> && sizeof(T) < 4) {
        using Ints = typename Narrow<int32_t>::type;
        return __builtin_convertvector(__builtin_convertvector(v, Ints), Register);
    } else {
        return __builtin_convertvector(v, Register);
    }
}

inline Register load(const double* p) {
    Register v;
    std::memcpy(&v, p, sizeof v);
    return v;
}

inline void store(double* p, Register v) { std::memcpy(p, &v, sizeof v); }

// The 16 partial sums of a dot product.
struct Partial {
    Register part[registers] = {};

    template <class T>
    void add_product(const T* x, const double* w) {
        for (int r = 0; r < registers; ++r) part[r] += widen(x + r * width) * load(w + r * width);
    }

    double fold() const {
        Register sum[registers];
        for (int r = 0; r < registers; ++r) sum[r] = part[r];
        for (int half = registers / 2; half > 0; half /= 2)
            for (int r = 0; r < half; ++r) sum[r] += sum[r + half];
        return fold_register(sum[0]);
    }

  private:
    template <class V>
    static double fold_register(V v) {
        if constexpr (sizeof(V) == 2 * sizeof(double)) {
            return v[0] + v[1];
        } else {
            typedef double Half __attribute__((vector_size(sizeof(V) / 2)));
            Half low, high;
            std::memcpy(&low, &v, sizeof low);
            std::memcpy(&high, reinterpret_cast<const char*>(&v) + sizeof low, sizeof high);
            return fold_register<Half>(low + high);
        }
    }
};

template <class T>
struct Dense {
    const T* x;
    int64_t d;
    bool slack;  // up to 15 finite elements may be read past the end: w is zero there

    double dot(const double* w) const {
        Partial sum;
        const int64_t whole = d & ~(lanes - 1);
        for (int64_t j = 0; j < whole; j += lanes) sum.add_product(x + j, w + j);
        if (whole < d) {
            if (slack) {
                sum.add_product(x + whole, w + whole);
            } else {
                T tail[lanes] = {};
                std::memcpy(tail, x + whole, (d - whole) * sizeof(T));
                sum.add_product(tail, w + whole);
            }
        }
        return sum.fold();
    }

    void add_to(double* w, double s) const {
        const int64_t whole = d & ~(lanes - 1);
        for (int64_t j = 0; j < whole; j += width) store(w + j, load(w + j) + s * widen(x + j));
        for (int64_t j = whole; j < d; ++j) w[j] += s * static_cast<double>(x[j]);
    }

    double squared_norm() const {
        double sum = 0;
        for (int64_t j = 0; j < d; ++j) sum += static_cast<double>(x[j]) * static_cast<double>(x[j]);
        return sum;
    }
};

template <class T, class I>
struct Sparse {
    const T* x;
    const I* column;
    int64_t nonzeros;

    double dot(const double* w) const {
        Partial sum;
        const int64_t whole = nonzeros & ~(lanes - 1);
        for (int64_t j = 0; j < whole; j += lanes) add_gathered(sum, x + j, column + j, w, lanes);
        if (whole < nonzeros) {
            T tail[lanes] = {};
            std::memcpy(tail, x + whole, (nonzeros - whole) * sizeof(T));
            add_gathered(sum, tail, column + whole, w, nonzeros - whole);
        }
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
    static void add_gathered(Partial& sum, const T* x, const I* column, const double* w, int64_t count) {
        double gathered[lanes];
        if (count == lanes) {
            for (int64_t j = 0; j < lanes; ++j) gathered[j] = w[column[j]];
        } else {
            for (int64_t j = 0; j < lanes; ++j) gathered[j] = j < count ? w[column[j]] : 0.0;
        }
        sum.add_product(x, gathered);
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
