// Kernel values between sparse rows of few columns, and sums of them with weights.
//
// Problem:  made dense, rows with 14 of 123 columns cost nine times the arithmetic; and a matrix of products, made
//           first and then walked over by a formula and a sum, does not stay in a cache.
// Given:    some rows side by side, column by column, in a tile that the nearest cache holds; sparse rows.
// Returns:  per sparse row its kernel values with the rows of the tile, or their sums with vectors of weights.
//           A product is summed in the order of the sparse row's entries, a sum of values over 16 partial sums.
//           Where all numbers are small and whole, float32 holds every product exactly, at twice the speed.
#pragma once

#include "kernel.hpp"
#include "source.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int64_t tile_step = 4 * lanes;  // rows of a tile whose products are summed side by side

// The products of one sparse row with all rows of the tile, summed in Sum.
template <class Sum, class Cell, class T, class I>
inline void products_with_tile(const Cell* cells, int64_t size, const Sparse<T, I>& x, double* out) {
    typedef Sum Sums __attribute__((vector_size(width * 8)));  // one register
    typedef Cell Cells __attribute__((vector_size(width * 8 / sizeof(Sum) * sizeof(Cell)), aligned(4), may_alias));
    constexpr int per_register = width * 8 / sizeof(Sum), some = tile_step / per_register;
    for (int64_t first = 0; first < size; first += tile_step) {
        Sums sum[some] = {};
        for (int64_t e = 0; e < x.nonzeros; ++e) {
            const Cell* at = cells + static_cast<int64_t>(x.column[e]) * size + first;
            const Sums value = static_cast<Sum>(x.x[e]) - Sums{};
            for (int r = 0; r < some; ++r)
                sum[r] += value * __builtin_convertvector(*reinterpret_cast<const Cells*>(at + r * per_register), Sums);
        }
        for (int r = 0; r < some; ++r) {
            typedef double Doubles __attribute__((vector_size(per_register * 8)));
            const Doubles wide = __builtin_convertvector(sum[r], Doubles);
            std::memcpy(out + first + r * per_register, &wide, sizeof wide);
        }
    }
}

inline double weighted_sum(const double* values, const double* weights, int64_t size) {
    Partial sum;
    for (int64_t j = 0; j < size; j += lanes) sum.add_product(Widened(values + j), Widened(weights + j));
    return sum.fold();
}

// Where all squared distances are whole numbers and small, their values stand in a table: a look-up in place of an exp.
inline void look_up_rbf(double* values, int64_t size, double squared_norm, const double* squared_norms,
                        const double* by_distance) {
    int32_t place[tile_step];
    for (int64_t first = 0; first < size; first += tile_step) {
        for (int64_t j = 0; j < tile_step; ++j)
            place[j] = static_cast<int32_t>((squared_norm + squared_norms[first + j]) - 2 * values[first + j]);
        for (int64_t j = 0; j < tile_step; ++j) values[first + j] = by_distance[place[j]];
    }
}

// All rows: values into out[row, :], or, with weights, their sums into out[vector, row].
template <class T, class I>
inline void through_tile(const SparseSource<T, I>& data, const Tile& tile, const Formula& formula, double* values,
                         double* out, int64_t stride) {
    for (int64_t i = 0; i < data.n; ++i) {
        const Sparse<T, I> x = data.row(i);
        if (tile.whole)
            products_with_tile<float>(tile.narrow, tile.size, x, values);
        else if (tile.narrow)
            products_with_tile<double>(tile.narrow, tile.size, x, values);
        else
            products_with_tile<double>(tile.wide, tile.size, x, values);
        if (formula.kind == Formula::rbf) {
            const double squared_norm = x.squared_norm();
            if (formula.by_distance)
                look_up_rbf(values, tile.size, squared_norm, tile.squared_norms, formula.by_distance);
            else
                rbf_of_products(values, 1, tile.size, &squared_norm, tile.squared_norms, formula.gamma);
        } else {
            poly_of_products(values, tile.size, formula.gamma, formula.coef0, formula.degree);
        }
        if (tile.weights) {
            for (int64_t j = tile.used; j < tile.size; ++j) values[j] = 0;  // of no row, and perhaps infinite
            for (int64_t v = 0; v < tile.vectors; ++v)
                out[v * stride + i] = weighted_sum(values, tile.weights + v * tile.size, tile.size);
        } else {
            for (int64_t j = 0; j < tile.used; ++j) out[i * stride + j] = values[j];
        }
    }
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
