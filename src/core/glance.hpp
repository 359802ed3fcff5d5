// A cheap look that proves most rows of bytes right.
//
// Problem:  a score in float64 spends its time on making floats of bytes, and all that is asked is whether m > margin.
// Given:    w rounded to small integers, |w_j - scale q_j| <= scale / 2 with scale a power of two. |x_j| <= reach for
//           bytes, hence |w.x - scale q.x| <= scale d reach / 2, and q.x is exact in 32-bit integers.
// Returns:  scale q.x + b, and how far a score as the spec rounds it can be from that. Where the rough score leaves a
//           doubt the true one is computed, so that the same examples are found wrong, bit for bit.
#pragma once

#include <cmath>

#include "row.hpp"
#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int rough_together = 5;  // vectors per read of a row

template <class Row>
constexpr bool glanceable = requires { requires Row::bytes; };

struct Glancing {
    const State& s;
    Glance& glance;

    // Round vector v anew: before the first look and after each of its updates.
    void moved(int32_t v) const {
        const int32_t biggest = round_to_integers(v);
        if (biggest > glance.most || biggest < glance.most / 4) {
            choose_scale(v);
            round_to_integers(v);
        }
    }

    void all_moved() const {
        for (int32_t v = 0; v < s.vectors; ++v) moved(v);
    }

    // Visits (vector, rough score) of all vectors, or of the live ones, reading the row as few times as possible.
    template <class Row, class Visit>
    [[gnu::always_inline]] void look_at_all(const Row& row, const Running* running, const Visit& visit) const {
        int32_t who[rough_together];
        double score[rough_together];
        int count = 0;
        for (int32_t v = 0; v < s.vectors; ++v) {
            if (running && running[v] != Running::live) continue;
            who[count++] = v;
            if (count < rough_together) continue;
            look<rough_together>(row, who, score);
            for (int k = 0; k < rough_together; ++k) visit(who[k], score[k]);
            count = 0;
        }
        for (int k = 0; k < count; ++k) {
            look<1>(row, who + k, score);
            visit(who[k], score[0]);
        }
    }

    // The rough scores of some vectors.
    template <int count, class Row>
    [[gnu::always_inline]] void look(const Row& row, const int32_t* who, double* score) const {
        const int16_t* q[count];
        int32_t product[count];
        for (int k = 0; k < count; ++k) q[k] = glance.q + who[k] * glance.padded;
        row.template small_dots<count>(q, product);
        for (int k = 0; k < count; ++k) score[k] = glance.scale[who[k]] * product[k] + s.b[who[k]];
    }

  private:
    // The smallest power of two that keeps every |q| within bounds.
    void choose_scale(int32_t v) const {
        double top = 0;
        for (int64_t j = v * s.padded; j < (v + 1) * s.padded; ++j) top = std::fmax(top, std::fabs(s.w[j]));
        int exponent = 0;
        if (top > 0 && top < HUGE_VAL) std::frexp(top / glance.most, &exponent);
        glance.scale[v] = std::ldexp(1.0, exponent > -1000 ? exponent : -1000);
    }

    // Fills q, says what the rounding leaves in doubt, and returns the largest |q|.
    int32_t round_to_integers(int32_t v) const {
        const double* const w = s.w + v * s.padded;
        int16_t* const q = glance.q + v * glance.padded;
        const double scale = glance.scale[v], inverse = 1 / scale;
        const double limit = glance.most + 1.0;
        int32_t biggest[lanes] = {}, most = 0;
        for (int64_t j = 0; j < s.padded; j += lanes)
            for (int64_t l = 0; l < lanes; ++l) {
                double r = w[j + l] * inverse;
                r = r < limit ? r : limit;  // also what is no number
                r = r > -limit ? r : -limit;
                const int32_t k = static_cast<int32_t>(r + std::copysign(0.5, r));
                q[j + l] = static_cast<int16_t>(k);
                const int32_t size = k < 0 ? -k : k;
                biggest[l] = size > biggest[l] ? size : biggest[l];
            }
        for (int64_t l = 0; l < lanes; ++l) most = biggest[l] > most ? biggest[l] : most;
        // Half a unit from each of d products; beside it four times what sums of d products can be off, as for the
        // screen, and as much for the bias.
        const double d = static_cast<double>(s.d);
        const double rounding = 4 * (d + 32) * 2.220446049250313e-16;
        glance.doubt[v] =
            scale * d * glance.reach * (0.5 + 1e-9 + rounding * glance.most) + rounding * std::fabs(s.b[v]);
        return most;
    }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
