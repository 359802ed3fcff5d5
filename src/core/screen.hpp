// Which examples are provably right without looking.
//
// Problem:  near convergence almost every example is right by far, and looking at it again is wasted.
// Given:    an example had margin m when last looked at, with the vector at distance D_then from an anchor vector.
//           The vector is now at distance D from the anchor, so it has moved by at most D + D_then since, and
//           m now >= m then - (D + D_then) ||x||.
// Returns:  the example need not be looked at while limit > D, where limit = (m then - margin) / ||x|| - D_then.
//           The limit is less a bound on the rounding of that score, D more one on the rounding of the next. Exact: the
//           same examples are found wrong, bit for bit.
//
// The limits of all examples are scanned as plain numbers. The anchor is the mean of the vectors passed through in a
// pass: they swarm around it. When one is set, the other limits shrink by how far it is from the one before, and what
// then may come within reach is looked at from it, which no later look can better. It is set when passes are getting
// dearer again, counted with what it cost. Until then the vector moves about as far as it did before: where every pass
// has the same order, the few examples that come within reach of that are listed, and the others not even scanned. When
// looking was not saved by half, screening steps aside, each time for twice as long. (2 000 passes over 200 000 rows:
// 250 ms with the anchor at one of the vectors and no look from there, 155 so.)
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "order.hpp"
#include "row.hpp"
#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// Bit l is set when the example at position + l is within reach, for 16 positions at once.
inline uint32_t in_reach(const float* limit, const int32_t* permutation, int64_t position, float reach) {
#if defined(__AVX512F__)
    const auto gathered = [&] {
        const __m512i rows =
            _mm512_andnot_si512(_mm512_set1_epi32(negative_label), _mm512_loadu_si512(permutation + position));
        return _mm512_i32gather_ps(rows, limit, sizeof(float));
    };
    const __m512 limits = permutation ? gathered() : _mm512_loadu_ps(limit + position);
    return _mm512_cmp_ps_mask(limits, _mm512_set1_ps(reach), _CMP_NGT_UQ);
#else
    uint32_t bits = 0;
    for (uint32_t l = 0; l < lanes; ++l) {
        const int64_t i = row_at(permutation, position + l);
        bits |= static_cast<uint32_t>(!(limit[i] > reach)) << l;
    }
    return bits;
#endif
}

// Writes `first` + l for every bit l that is set, without a branch on any of them, and may write on up to 16 places in
// all; returns how many are set.
inline int write_places(uint32_t bits, int32_t first, int32_t* out) {
#if defined(__AVX512F__)
    const __m512i places = _mm512_add_epi32(_mm512_set1_epi32(first),
                                            _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), places));
    return __builtin_popcount(bits);
#else
    int count = 0;
    for (int32_t l = 0; l < lanes; ++l) {
        out[count] = first + l;
        count += bits >> l & 1;
    }
    return count;
#endif
}

// Calls visit(position) for those of these positions that are in reach, until it returns true; returns the position of
// that one, or `last`. fetch(position) is called for some at a time, before the first of them is visited.
template <class Fetch, class Visit>
[[gnu::always_inline]] inline int64_t each_in_reach(const float* limit, const int32_t* permutation, int64_t first,
                                                    int64_t last, float reach, Fetch fetch, Visit visit) {
    int32_t collected[2 * lanes];
    int count = 0;
    const auto visit_them = [&]() -> int64_t {
        for (int k = 0; k < count; ++k) fetch(collected[k]);
        for (int k = 0; k < count; ++k)
            if (visit(collected[k])) return collected[k];
        count = 0;
        return last;
    };
    for (; first + lanes <= last; first += lanes) {
        const uint32_t bits = in_reach(limit, permutation, first, reach);
        count += write_places(bits, static_cast<int32_t>(first), collected + count);
        if (count >= lanes)
            if (const int64_t found = visit_them(); found < last) return found;
    }
    for (; first < last; ++first) collected[count++] = static_cast<int32_t>(first);
    return visit_them();
}

struct Screening {
    const State& s;
    Screen& screen;

    // The most that a score of a row of unit length can be off by rounding, w of this squared length.
    double rounding(double squared) const { return rounding_of(s.d) * std::sqrt(squared); }

    // After every update.
    void moved() {
        add_to_mean();
        measure_distance();
    }

    // What is known of an example just looked at with the vector as it is, rounded down.
    float limit(double m, int64_t i) const { return limit(m, i, screen.distance + screen.rounding); }

    // At the start of a pass: turn on, over or off. `quiet` says that the last pass had few updates.
    template <class Source>
    void plan(const Source& data, const int32_t* y, bool quiet) {
        if (screen.on) {
            screen.skipped += data.n;
            ++screen.passes;
            ++screen.age;
            const int64_t looks = spend();
            // The best moment: a pass costs more than those since the anchor on average, the anchor's price included.
            if (looks * screen.age >= screen.spent && screen.summed > 0) carry_over(data, y);
            forget_mean();
            if (screen.looked < 2 * data.n) return;
            const bool paid = screen.passes >= 4;
            count_anew();
            if (paid) {
                screen.rest = 1;
                return;
            }
            screen.on = false;
            screen.rest = screen.rest < 1024 ? 2 * screen.rest : screen.rest;
            screen.asleep = 8 * screen.rest;
        } else if (screen.asleep > 0) {
            --screen.asleep;
        } else if (quiet) {
            turn_on(data);
        }
    }

    // Is there a short list that is enough, as far as the vector is now?
    bool by_list(int64_t n, const int32_t* y) {
        if (screen.listed >= 0 && !(screen.reach <= screen.listed_reach)) make_list(n, y, ample * screen.reach);
        return screen.listed >= 0;
    }

    // The first place in the list that is not before this position of the pass.
    int64_t first_listed(int64_t position) const {
        const int32_t* const listed = screen.position;
        const int64_t next = screen.next;
        if ((next == 0 || listed[next - 1] < position) && (next == screen.listed || listed[next] >= position))
            return next;
        return std::lower_bound(listed, listed + screen.listed, position) - listed;
    }

  private:
    static constexpr float ample = 1.25F;  // how much farther than so far the vector may move

    template <class Source>
    void turn_on(const Source& data) {
        if (!screen.has_norms) measure(data);
        screen.on = true;
        std::fill(screen.limit, screen.limit + data.n, -HUGE_VALF);  // nothing is known yet
        screen.listed = -1;
        count_anew();
        std::copy(s.w, s.w + s.padded, screen.anchor);
        screen.anchor_b = s.b[0];
        screen.farthest = 0;
        measure_distance();
        forget_mean();
        screen.age = -1;  // the first pass looks at all: that is this anchor's price
        screen.spent = 0;
    }

    void count_anew() {
        screen.skipped -= screen.looked;
        screen.looked = screen.counted = 0;
        screen.passes = 0;
    }

    // Counts the looks since this was last done, and returns them.
    int64_t spend() {
        const int64_t looks = screen.looked - screen.counted;
        screen.counted = screen.looked;
        screen.spent += looks;
        return looks;
    }

    void add_to_mean() {
        for (int64_t j = 0; j < s.padded; ++j) screen.sum[j] += s.w[j];
        screen.sum_b += s.b[0];
        ++screen.summed;
    }

    void forget_mean() {
        std::fill(screen.sum, screen.sum + s.padded, 0.0);
        screen.sum_b = 0;
        screen.summed = 0;
    }

    // How far the vector is from the anchor, rounding included.
    void measure_distance() {
        double steps[lanes] = {}, squares[lanes] = {};
        for (int64_t j = 0; j < s.padded; j += lanes)
            for (int64_t l = 0; l < lanes; ++l) {
                const double step = s.w[j + l] - screen.anchor[j + l];
                steps[l] += step * step;
                squares[l] += s.w[j + l] * s.w[j + l];
            }
        double sum = (s.b[0] - screen.anchor_b) * (s.b[0] - screen.anchor_b), squared = s.b[0] * s.b[0];
        for (int64_t l = 0; l < lanes; ++l) {
            sum += steps[l];
            squared += squares[l];
        }
        screen.distance = std::sqrt(sum) * (1 + 1e-9);
        screen.rounding = rounding(squared);
        // Rounded up: the limits are compared with it in float32.
        screen.reach = static_cast<float>((screen.distance + screen.rounding) * (1 + 1e-6));
        screen.farthest = std::max(screen.farthest, screen.reach);
    }

    // To the mean; returns how far that is from the one before.
    double set_anchor() {
        const double share = 1 / static_cast<double>(screen.summed);
        double squares = 0;
        const auto set = [&](double& from, double to) {
            squares += (to - from) * (to - from);
            from = to;
        };
        for (int64_t j = 0; j < s.padded; ++j) set(screen.anchor[j], screen.sum[j] * share);
        set(screen.anchor_b, screen.sum_b * share);
        screen.age = 0;
        screen.farthest = 0;
        measure_distance();
        return std::sqrt(squares);
    }

    static constexpr double most = std::numeric_limits<float>::max();

    // To float32, also where floats become so small that their rounding is no longer relative.
    template <class T>
    static float rounded_down(T value) {
        return static_cast<float>(value - std::fabs(value) * T{1e-6} - std::numeric_limits<float>::min());
    }

    float limit(double m, int64_t i, double loss) const {
        const double room = (m - s.margin) * static_cast<double>(screen.inverse_norm[i]) - loss;
        return rounded_down(std::min(room, most));  // never infinite, which no later loss would make smaller
    }

    // A vector within D of the new anchor is within D + distance of the old one. What may come within reach is looked
    // at from the new anchor.
    template <class Source>
    void carry_over(const Source& data, const int32_t* y) {
        const float reach = ample * screen.farthest;
        const float distance = static_cast<float>(set_anchor() * (1 + 1e-6));
        double squared = screen.anchor_b * screen.anchor_b;
        for (int64_t j = 0; j < s.padded; ++j) squared += screen.anchor[j] * screen.anchor[j];
        const double doubt = rounding(squared);
        for (int64_t i = 0; i < data.n; ++i) screen.limit[i] = rounded_down(screen.limit[i] - distance);
        const auto look = [&](int64_t i) {
            const double f = data.row(i).dot(screen.anchor) + screen.anchor_b;
            screen.limit[i] = limit(sign_of(y[i] == s.first_class) * f, i, doubt);
            ++screen.looked;
            return false;
        };
        each_in_reach(screen.limit, nullptr, 0, data.n, reach, [&](int64_t i) { data.prefetch(i); }, look);
        make_list(data.n, y, reach);
        screen.spent = data.n / 16;  // going through the limits: sixteen cost about a look
        spend();
    }

    // Lists what is in reach while that is at most this, if few enough are.
    void make_list(int64_t n, const int32_t* y, float reach) {
        screen.listed = -1;
        if (s.picking != Picking::cyclic && s.picking != Picking::shuffle_once) return;  // the places change
        int64_t count = 0, position = 0;
        for (; position + lanes <= n; position += lanes) {
            if (count + 2 * lanes > most_listed(n)) return;  // the last are listed without a look
            const uint32_t bits = in_reach(screen.limit, s.permutation, position, reach);
            count += write_places(bits, static_cast<int32_t>(position), screen.position + count);
        }
        for (; position < n; ++position) screen.position[count++] = static_cast<int32_t>(position);
        for (int64_t k = 0; k < count; ++k) {
            screen.place[k] = place_at(s.permutation, y, s.first_class, screen.position[k]);
            screen.near_limit[k] = screen.limit[row_of(screen.place[k])];
        }
        screen.listed = count;
        screen.listed_reach = reach;
        screen.next = 0;
    }

    template <class Source>
    void measure(const Source& data) {
        for (int64_t i = 0; i < data.n; ++i) {
            const double norm = std::sqrt(data.row(i).squared_norm() + (s.bias ? 1.0 : 0.0));
            // Rounded down. With 0 a row is always looked at: one of zeros, which is never right, and those so short or
            // long that a square or the inverse in float32 is not to be trusted.
            const bool sound = norm > 1e-30 && norm < 1e30;
            screen.inverse_norm[i] = sound ? static_cast<float>((1 - 1e-6) / norm) : 0.0F;
        }
        screen.has_norms = true;
    }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
