// Kernel values from inner products, in place.
//
// Problem:  a matrix of products a.b is made by a matrix product; what remains is one formula per entry.
// Given:    the products, and for rbf the squared lengths of the rows on either side.
// Returns:  rbf exp(-gamma max(0, |a|^2 + |b|^2 - 2 a.b)); poly (gamma a.b + coef0)^degree for whole degrees.
//           exp: x = n ln 2 + r, |r| <= ln 2 / 2, a polynomial in r, and n into the exponent; within 2 units in the
//           last place. Plain operations in one order: the same values on every machine and at every vector width.
// Reference: Cody and Waite, "Software manual for the elementary functions" (1980), chapter 6.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "row.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// So many registers go through a formula side by side, step by step: alone, each step would wait for the one before.
constexpr int abreast = 4;
constexpr int64_t stretch_of_values = abreast * width;

struct Some {
    Register part[abreast];
};

template <class Step>
[[gnu::always_inline]] inline void each_abreast(const Step& step) {
    for (int r = 0; r < abreast; ++r) step(r);
}

// exp(x) for x <= 0; 0 below -708, where doubles begin to lose digits.
[[gnu::always_inline]] inline void exp_of_negative(Some& x) {
    constexpr double shift = 6755399441055744.0;  // 1.5 x 2^52: adding it rounds to a whole number
    constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
    const Register least = -708.0 - Register{};
    Some r, p, power;
    each_abreast([&](int q) {
        const Register kept = x.part[q] < least ? least : x.part[q];
        const Register shifted = kept * 0x1.71547652b82fep0 + shift;
        const Register n = shifted - shift;
        r.part[q] = (kept - n * ln2_high) - n * ln2_low;
        power.part[q] = reinterpret_cast<Register>((reinterpret_cast<Bits>(shifted) + 1023) << 52);  // n: lowest bits
        p.part[q] = 1.0 / 6227020800 - Register{};
    });
    for (const double c : {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                           1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5})
        each_abreast([&](int q) { p.part[q] = p.part[q] * r.part[q] + c; });
    each_abreast([&](int q) {
        const Register value = (p.part[q] * r.part[q] * r.part[q] + r.part[q] + 1.0) * power.part[q];
        x.part[q] = x.part[q] < least ? Register{} : value;
    });
}

// Calls change(some) on stretches of the numbers, the last one filled up with zeros.
template <class Change>
[[gnu::always_inline]] inline void change_each(double* values, int64_t size, const Change& change) {
    int64_t first = 0;
    Some some;
    for (; first + stretch_of_values <= size; first += stretch_of_values) {
        each_abreast([&](int q) { some.part[q] = load(values + first + q * width); });
        change(some);
        each_abreast([&](int q) { store(values + first + q * width, some.part[q]); });
    }
    if (first < size) {
        double rest[stretch_of_values] = {};
        std::memcpy(rest, values + first, static_cast<size_t>(size - first) * sizeof(double));
        each_abreast([&](int q) { some.part[q] = load(rest + q * width); });
        change(some);
        each_abreast([&](int q) { store(rest + q * width, some.part[q]); });
        std::memcpy(values + first, rest, static_cast<size_t>(size - first) * sizeof(double));
    }
}

inline void rbf_of_products(double* K, int64_t rows, int64_t columns, const double* a, const double* b, double gamma) {
    for (int64_t i = 0; i < rows; ++i) {
        double* const line = K + i * columns;
        for (int64_t j = 0; j < columns; ++j) {
            const double distance = (a[i] + b[j]) - 2 * line[j];
            line[j] = distance < 0 ? 0.0 : -gamma * distance;
        }
        change_each(line, columns, [](Some& some) { exp_of_negative(some); });
    }
}

inline void poly_of_products(double* K, int64_t size, double gamma, double coef0, int32_t degree) {
    change_each(K, size, [&](Some& some) {
        Some base;
        each_abreast([&](int q) {
            base.part[q] = gamma * some.part[q] + coef0;
            some.part[q] = 1.0 - Register{};
        });
        for (int32_t left = degree; left > 0; left >>= 1) {
            if (left & 1) each_abreast([&](int q) { some.part[q] *= base.part[q]; });
            each_abreast([&](int q) { base.part[q] *= base.part[q]; });
        }
    });
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
