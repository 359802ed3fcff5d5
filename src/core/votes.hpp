// The votes of a sequence of vectors that is given by its updates.
//
// Problem:  every vector of a run has its say on every example, and none of them is stored.
// Given:    S = stored rows x examples, products of the rows that caused updates with the examples to judge; the
//           products of the start; per update the row, the step, and how many steps the vector after it was in force.
// Returns:  binary: sum_k c_k sign(score_k), sign(0) = +1; direct: for each class the sum of the c_k of those vectors
//           that score it highest, the first of equals.
// Reference: Freund and Schapire 1999, figure 1.
#pragma once

#include <cstdint>

#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// 64 examples walk through the sequence of updates together: their products and votes stay in the nearest cache. The
// bias comes last, as in training: added to the sum it would swallow small products for good.
inline void votes(const double* S, int64_t n, const double* start, double start_bias, const Sequence& updates,
                  double* out) {
    constexpr int64_t together = 64;
    for (int64_t first = 0; first < n; first += together) {
        const int64_t size = first + together < n ? together : n - first;
        double product[together], vote[together], b = start_bias;
        for (int64_t l = 0; l < size; ++l) {
            product[l] = start[first + l];
            vote[l] = product[l] + b >= 0 ? updates.count[0] : -updates.count[0];
        }
        for (int64_t k = 0; k < updates.size; ++k) {
            const double* s = S + updates.row[k] * n + first;
            const double t = updates.step[k], c = updates.count[k + 1];
            b += t * updates.one;
            for (int64_t l = 0; l < size; ++l) {
                product[l] += t * s[l];
                vote[l] += product[l] + b >= 0 ? c : -c;
            }
        }
        for (int64_t l = 0; l < size; ++l) out[first + l] = vote[l];
    }
}

// `start` and `out` have a row of `classes` for each example; `room` is for two rows more.
inline void votes_direct(const double* S, int64_t n, int32_t classes, const double* start, const double* start_bias,
                         const Sequence& updates, double* room, double* out) {
    double *const product = room, *const b = room + classes;
    for (int64_t i = 0; i < n; ++i) {
        for (int32_t c = 0; c < classes; ++c) {
            product[c] = start[i * classes + c];
            b[c] = start_bias[c];
        }
        for (int64_t k = 0; k <= updates.size; ++k) {
            if (k > 0) {
                const double t = updates.step[k - 1], move = t * S[updates.row[k - 1] * n + i];
                const int32_t up = updates.gains[k - 1], down = updates.loses[k - 1];
                product[up] += move;
                product[down] -= move;
                b[up] += t * updates.one;
                b[down] -= t * updates.one;
            }
            int32_t best = 0;
            for (int32_t c = 1; c < classes; ++c)
                if (product[c] + b[c] > product[best] + b[best]) best = c;
            out[i * classes + best] += updates.count[k];
        }
    }
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
