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

namespace rosenblatt::ROSENBLATT_LEVEL {

// exp(x) for x <= 0; 0 below -708, where doubles begin to lose digits.
inline double exp_of_negative(double x) {
    constexpr double shift = 6755399441055744.0;  // 1.5 x 2^52: adding it rounds to a whole number
    constexpr double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;
    const double kept = x < -708.0 ? -708.0 : x;
    const double shifted = kept * 0x1.71547652b82fep0 + shift;
    const double n = shifted - shift;
    const double r = (kept - n * ln2_high) - n * ln2_low;
    double p = 1.0 / 6227020800;
    p = p * r + 1.0 / 479001600;
    p = p * r + 1.0 / 39916800;
    p = p * r + 1.0 / 3628800;
    p = p * r + 1.0 / 362880;
    p = p * r + 1.0 / 40320;
    p = p * r + 1.0 / 5040;
    p = p * r + 1.0 / 720;
    p = p * r + 1.0 / 120;
    p = p * r + 1.0 / 24;
    p = p * r + 1.0 / 6;
    p = p * r + 0.5;
    p = p * r * r + r + 1.0;
    const uint64_t power = (std::bit_cast<uint64_t>(shifted) + 1023) << 52;  // n is in the lowest bits
    const double value = p * std::bit_cast<double>(power);
    return x < -708.0 ? 0.0 : value;
}

inline void rbf_of_products(double* K, int64_t rows, int64_t columns, const double* a, const double* b, double gamma) {
    for (int64_t i = 0; i < rows; ++i) {
        double* const line = K + i * columns;
        const double length = a[i];
        for (int64_t j = 0; j < columns; ++j) {
            const double distance = (length + b[j]) - 2 * line[j];
            line[j] = exp_of_negative(distance < 0 ? 0.0 : -gamma * distance);
        }
    }
}

inline void poly_of_products(double* K, int64_t size, double gamma, double coef0, int32_t degree) {
    for (int64_t j = 0; j < size; ++j) {
        double base = gamma * K[j] + coef0, power = 1.0;
        for (int32_t left = degree; left > 0; left >>= 1) {
            power = left & 1 ? power * base : power;
            base *= base;
        }
        K[j] = power;
    }
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
