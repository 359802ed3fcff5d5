// A cheap look that proves most rows of bytes right.
//
// Problem:  a score in float64 spends its time on making floats of bytes, and all that is asked is whether m > margin.
// Given:    w as small integers, |w_j - scale q_j| <= error. |x_j| <= reach for bytes, hence
//           |w.x - scale q.x| <= d reach error, and q.x is exact in 32-bit integers while reach sum |q_j| < 2^31.
// Returns:  scale q.x + b, and how far a score as sum.hpp rounds it can be from that; no doubt: it is that score.
//           Where a doubt matters the true score is computed: the same examples are found wrong, bit for bit.
//
// A vector that started at zero is a whole multiple of the rate in every place: then scale is the rate, the error next
// to nothing, and q follows an update by adding the row to it. For a rate that is a power of two there is no error at
// all: the integers are the vector, w is written when somebody asks for it, and a vector that grows too large gets a
// second digit, w_j = scale (q_j + digit high_j). Any other vector, or one that has grown too large for that, is
// rounded to the finest power of two that fits, anew after each of its updates.
#pragma once

#include <algorithm>
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

    // Before the first look: the vectors may be anything.
    void begin() const {
        for (int32_t v = 0; v < s.vectors; ++v) {
            glance.behind[v] = false;
            if (!follow_from_here(v)) round(v);
        }
    }

    // Adds `step` times the row to vector v; to its integers alone, where they are all there is to say.
    template <class Row>
    void add(int32_t v, const Row& row, double step) const {
        const double units = step / glance.scale[v];
        const bool follows = units == std::floor(units) && has_room(v, std::fabs(units));
        if (follows && exact(v)) {
            glance.behind[v] = true;
        } else {
            write(v);
            row.add_to(s.w + v * s.padded, step);
        }
        if (follows) {
            row.add_to_small(low(v), static_cast<int16_t>(units));
            glance.left[v] -= std::fabs(units);
            settle_doubt(v);
        } else if (glance.left[v] < 0 || !follow_from_here(v)) {
            round(v);
        }
    }

    // Writes w where only its integers have moved.
    void write_all() const {
        for (int32_t v = 0; v < s.vectors; ++v) write(v);
    }

    // Are the integers the vector, and so what they say the score?
    bool exact(int32_t v) const { return glance.base[v] == 0; }

    // The rough score of one vector.
    template <class Row>
    [[gnu::always_inline]] double look_at(const Row& row, int32_t v) const {
        double units = dot(row, low(v));
        if (glance.tall[v]) units += digit() * dot(row, high(v));
        return glance.scale[v] * units + s.b[v];
    }

    // Visits the rough scores of all vectors, or of those from the first live one to the last, some at a time: (the
    // first of them, how many, their scores and room for others).
    template <class Row, class Visit>
    [[gnu::always_inline]] void look_at_all(const Row& row, const Running* running, const Visit& visit) const {
        static_assert(rough_together == 5);
        double score[side_by_side] = {};
        for (int32_t next = 0; next < s.vectors; next += rough_together) {
            int32_t first = next, end = std::min(next + rough_together, s.vectors);
            if (running) {
                while (first < end && running[first] != Running::live) ++first;
                while (first < end && running[end - 1] != Running::live) --end;
            }
            switch (end - first) {
                case 0:
                    continue;
                case 1:
                    score[0] = look_at(row, first);
                    break;
                case 2:
                    look_at_some<2>(row, first, score);
                    break;
                case 3:
                    look_at_some<3>(row, first, score);
                    break;
                case 4:
                    look_at_some<4>(row, first, score);
                    break;
                default:
                    look_at_some<5>(row, first, score);
                    break;
            }
            visit(first, end - first, score);
        }
    }

  private:
    static constexpr double most = 32767;
    static constexpr double largest_scale = 0x1p970;  // sums of 2^49 of these, the most there can be, are still finite

    // The rough scores of several vectors from one read of the row.
    template <int count, class Row>
    [[gnu::always_inline]] void look_at_some(const Row& row, int32_t first, double* score) const {
        const int16_t* q[count];
        int32_t product[side_by_side];
        bool any_tall = false;
        for (int k = 0; k < count; ++k) q[k] = low(first + k);
        for (int k = 0; k < count; ++k) any_tall |= glance.tall[first + k] != 0;
        row.template small_dots<count>(q, product);
        const auto add_high_digits = [&](double* units) {
            for (int k = 0; k < count; ++k)
                if (glance.tall[first + k]) units[k] += digit() * dot(row, high(first + k));
        };
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
        // Whole registers in and out of memory: what part of one has written, a load of all of it must wait for.
        constexpr __mmask8 all = (1U << count) - 1;
        __m512d units = _mm512_cvtepi32_pd(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(product)));
        if (any_tall) {
            double one_by_one[side_by_side];
            _mm512_storeu_pd(one_by_one, units);
            add_high_digits(one_by_one);
            units = _mm512_loadu_pd(one_by_one);
        }
        const __m512d scale = _mm512_maskz_loadu_pd(all, glance.scale + first);
        _mm512_storeu_pd(score, scale * units + _mm512_maskz_loadu_pd(all, s.b + first));
#else
        for (int k = 0; k < count; ++k) score[k] = product[k];
        if (any_tall) add_high_digits(score);
        for (int k = 0; k < count; ++k) score[k] = glance.scale[first + k] * score[k] + s.b[first + k];
#endif
    }

    int16_t* low(int32_t v) const { return glance.q + v * glance.padded; }
    int16_t* high(int32_t v) const { return glance.high + v * glance.padded; }
    int32_t digit() const { return 1 << glance.digit_bits; }

    template <class Row>
    [[gnu::always_inline]] static double dot(const Row& row, const int16_t* q) {
        int32_t product;
        row.template small_dots<1>(&q, &product);
        return product;
    }

    void write(int32_t v) const {
        if (!glance.behind[v]) return;
        glance.behind[v] = false;
        double* const w = s.w + v * s.padded;
        const double scale = glance.scale[v];
        for (int64_t j = 0; j < s.padded; ++j) w[j] = scale * (low(v)[j] + digit() * high(v)[j]);
    }

    // The largest sum of |q_j|.
    double most_in_all() const { return 2147483647.0 / glance.reach; }

    // Can `units` times a row be added to the integers?
    bool has_room(int32_t v, double units) const {
        if (glance.left[v] >= 0 && glance.left[v] < units && exact(v)) {
            count_left(v);
            if (glance.left[v] < units && carry(v)) count_left(v);
        }
        return glance.left[v] >= units;
    }

    // Takes the rate for scale; false if the vector is no multiple of it or too large.
    bool follow_from_here(int32_t v) const { return follow(v, false) || (glance.digit_bits > 0 && follow(v, true)); }

    bool follow(int32_t v, bool tall) const {
        glance.scale[v] = s.rate;
        const Rounded found = to_integers(v, tall);
        const double left = rows_left(tall ? digit() / 2 : found.biggest, found.sum);
        const bool near = tall ? exact(v) : found.error <= 1e-9 * s.rate;
        const bool follows = near && left >= 1 && s.rate < largest_scale;
        glance.left[v] = follows ? left : -1;
        return follows;
    }

    // How many rows can be added before an integer or a sum may become too large.
    double rows_left(double biggest, double sum) const {
        const double by_size = (most - biggest) / glance.reach;
        const double by_sum = (most_in_all() - sum) / (glance.reach * static_cast<double>(s.d));
        return std::floor(by_size < by_sum ? by_size : by_sum);
    }

    // The same for a vector that has been followed exactly: its integers need no look at w.
    void count_left(int32_t v) const {
        const int16_t* const q = low(v);
        int32_t biggest = 0;
        int64_t sum = 0;
        for (int64_t j = 0; j < s.padded; ++j) {
            const int32_t size = q[j] < 0 ? -q[j] : q[j];
            biggest = size > biggest ? size : biggest;
            sum += size;
        }
        const double left = rows_left(biggest, static_cast<double>(sum));
        glance.left[v] = left >= 1 ? left : 0;
    }

    // Makes the low digit small at the cost of the high one; false if that is too large as well.
    bool carry(int32_t v) const {
        if (glance.digit_bits == 0) return false;
        const int32_t half = digit() / 2;
        int16_t *const q = low(v), *const h = high(v);
        int32_t biggest = 0;
        for (int64_t j = 0; j < s.padded; ++j) {
            const int32_t over = (q[j] + half) >> glance.digit_bits, sum = h[j] + over, size = sum < 0 ? -sum : sum;
            biggest = size > biggest ? size : biggest;
            q[j] = static_cast<int16_t>(q[j] - over * digit());
            h[j] = static_cast<int16_t>(sum);
        }
        glance.tall[v] = true;
        return biggest <= half;
    }

    void round(int32_t v) const {
        glance.left[v] = -1;
        if (fits(to_integers(v, false))) return;
        double top = 0, sum = 0;
        for (int64_t j = v * s.padded; j < (v + 1) * s.padded; ++j) {
            top = std::fmax(top, std::fabs(s.w[j]));
            sum += std::fabs(s.w[j]);
        }
        // Half a unit of each place may be added in rounding: a little below the limits.
        const double unit = std::fmax(top / (most - 1), sum / (most_in_all() - static_cast<double>(s.d)));
        int exponent = 0;
        if (unit > 0 && unit < HUGE_VAL) std::frexp(unit, &exponent);
        glance.scale[v] = std::ldexp(1.0, exponent > -1000 ? exponent : -1000);
        to_integers(v, false);
    }

    struct Rounded {
        double biggest, sum, error;  // of |w_j / scale|, of |q_j|, and of |w_j - scale q_j|
    };

    // Neither too large for the sums nor so small that a finer scale would do.
    bool fits(const Rounded& r) const {
        return r.biggest <= most && r.sum <= most_in_all() && (r.biggest > most / 4 || r.sum > most_in_all() / 4);
    }

    // Fills q, and high for a tall vector; says what that leaves in doubt, and what came out.
    Rounded to_integers(int32_t v, bool tall) const {
        const double* const w = s.w + v * s.padded;
        int16_t *const q = low(v), *const h = high(v);
        const double scale = glance.scale[v], inverse = 1 / scale;
        const double limit = tall ? digit() * (digit() / 2) : most;
        double biggest[lanes] = {}, sum[lanes] = {}, error[lanes] = {};
        for (int64_t j = 0; j < s.padded; j += lanes)
            for (int64_t l = 0; l < lanes; ++l) {
                double r = w[j + l] * inverse;
                r = r < limit + 1 ? r : limit + 1;  // also what is no number
                r = r > -limit - 1 ? r : -limit - 1;
                const int32_t k = static_cast<int32_t>(r + std::copysign(0.5, r));
                const int32_t over = tall ? (k + digit() / 2) >> glance.digit_bits : 0, rest = k - over * digit();
                q[j + l] = static_cast<int16_t>(rest);
                h[j + l] = static_cast<int16_t>(over);
                const double size = std::fabs(static_cast<double>(k));
                const double off = std::fabs(w[j + l] - scale * k);
                biggest[l] = size > biggest[l] ? size : biggest[l];
                error[l] = off <= error[l] ? error[l] : off;
                sum[l] += std::fabs(static_cast<double>(rest));
            }
        Rounded all{0, 0, 0};
        for (int64_t l = 0; l < lanes; ++l) {
            all.biggest = std::fmax(all.biggest, biggest[l]);
            all.error = error[l] <= all.error ? all.error : error[l];
            all.sum += sum[l];
        }
        // A vector that is followed gathers rounding of its own: less than a billionth of the scale. Whole multiples of
        // a power of two gather none, and their sums are exact in float64 too. Of what is no number, or too large for
        // integers, nothing can be said.
        const double d = static_cast<double>(s.d);
        int exponent;
        const bool none = all.error == 0 && std::frexp(scale, &exponent) == 0.5;
        const double known = d * glance.reach * (all.error + scale * (1e-9 + rounding_of(s.d) * (limit + 1)));
        const bool sound = all.biggest <= limit && scale < largest_scale;
        glance.base[v] = !sound ? HUGE_VAL : none ? 0 : known;
        glance.tall[v] = tall;
        settle_doubt(v);
        return all;
    }

    void settle_doubt(int32_t v) const {
        glance.doubt[v] = glance.base[v] == 0 ? 0 : glance.base[v] + rounding_of(s.d) * std::fabs(s.b[v]);
    }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
