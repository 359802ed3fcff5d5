// What is remembered of the vectors passed through. `last` needs nothing and `vote` reads the journal;
// here are the average and the pocket.
//
// Average.  Given c = steps before this one, an update adds tau c y (x, 1) to u; after N steps the mean of the
//           vectors in force after each step is w - u / N (to_mean in held.hpp). Reference: Daume, CIML, algorithm 7.
// Pocket.   Given the vector just made, keep it iff it gets strictly fewer examples wrong (m <= 0) than the best
//           so far. Counting all n examples at every update would cost a pass per update, so:
//           at the last full count (the anchor w_a) each example stood at t = m / ||x||. A vector at distance
//           D = ||w - w_a|| moves every m by at most D ||x||, hence t < -D is still wrong and t > D still right.
//           With the examples in buckets by t the first are counted without a look, only those between are
//           looked at, the likeliest wrong first, and the count stops when it reaches the best.
//           Reference: Gallant 1990, "Perceptron-based learning algorithms", section III (pocket with ratchet).
#pragma once

#include <cmath>

#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// What the average keeps of an update after so many steps.
template <class Row>
void remember(State& s, const Row& row, int64_t i, int32_t vector, double step, int64_t steps) {
    if (!s.u) return;
    const double weighted = step * static_cast<double>(steps);
    if (Owed& owed = s.owed; owed.room > 0) {
        owed.row[owed.size] = i;
        owed.step[owed.size++] = weighted;
        return;
    }
    row.add_to(s.u + vector * s.padded, weighted);
    if (s.bias) s.ub[vector] += weighted;
}

// Adds to the sum what it is owed, in the order in which that came.
template <class Source>
void pay(const Source& data, const Owed& owed, double* u, double* ub, bool bias) {
    constexpr int64_t ahead = 4;
    for (int64_t k = 0; k < owed.size; ++k) {
        if (k + ahead < owed.size) data.prefetch(owed.row[k + ahead]);
        data.row(owed.row[k]).add_to(u, owed.step[k]);
        if (bias) *ub += owed.step[k];
    }
}

// How often each example caused an update. The counts lie all over memory: asked for now and increased some updates
// later nobody waits for them (MNIST, ten classes: 250 ns a row, and 200).
class RowCounts {
  public:
    explicit RowCounts(int64_t* counts) : counts_(counts) {}

    // Of many at a time, which the processor fetches side by side.
    void count_now(const int32_t* places, int64_t count) {
        if (!counts_) return;
        for (int64_t k = 0; k < count; ++k) ++counts_[row_of(places[k])];
    }

    void count_later(int64_t cell) {
        if (!counts_) return;
        __builtin_prefetch(counts_ + cell, 1);
        if (held_ == most_held) count();
        waiting_[held_++] = cell;
    }

    void count() {
        for (int64_t k = 0; k < held_; ++k) ++counts_[waiting_[k]];
        held_ = 0;
    }

  private:
    static constexpr int64_t most_held = 32;
    int64_t* const counts_;  // or null: nobody asks
    int64_t waiting_[most_held];
    int64_t held_ = 0;
};

template <class Shape>
struct PocketCount {
    const View& view;
    State& s;
    Pocket& pocket;
    int32_t machine;
    int64_t offset, size;  // this machine's part of w

    PocketCount(const View& view, State& s, int32_t machine)
        : view(view),
          s(s),
          pocket(*s.pocket),
          machine(machine),
          offset(Shape::first_vector(s, machine) * s.padded),
          size(Shape::vectors_of_a_machine(s) * s.padded) {}

    template <class Source>
    double m_of(const Source& data, int64_t i) const {
        return Shape::m_of(s, data.row(i), view.y[i], machine);
    }

    template <class Source>
    void watch(const Source& data, int64_t& budget) {
        const int64_t best = pocket.best_errors[machine];
        // Anchoring costs about two passes: do it when as much has been spent on doubtful examples.
        const bool stale = best < 0 || pocket.spent[machine] > 2 * data.n;
        const int64_t errors = stale ? anchor(data, budget) : errors_below(data, best, budget);
        if (best < 0 || errors < best) keep(errors);
    }

  private:
    void keep(int64_t errors) {
        pocket.best_errors[machine] = errors;
        copy(s.w + offset, pocket.best_w + offset, size);
        const int32_t v = Shape::first_vector(s, machine);
        copy(s.b + v, pocket.best_b + v, Shape::vectors_of_a_machine(s));
    }

    static void copy(const double* from, double* to, int64_t count) {
        for (int64_t j = 0; j < count; ++j) to[j] = from[j];
    }

    int64_t* starts() const { return pocket.starts + machine * (pocket_buckets + 1); }
    int64_t* rows() const { return pocket.rows + machine * view.n; }

    int64_t bucket_of(double t) const {
        const double place = (t * pocket.scale[machine] + 1) * (pocket_buckets / 2);
        return place < 0 ? 0 : place < pocket_buckets ? static_cast<int64_t>(place) : pocket_buckets - 1;
    }

    // Counts all errors and sorts the examples into buckets by t.
    template <class Source>
    int64_t anchor(const Source& data, int64_t& budget) {
        int64_t errors = 0;
        double sum = 0;
        for (int64_t i = 0; i < data.n; ++i) {
            const double m = m_of(data, i);
            double& norm = pocket.norm[i];
            if (norm < 0) norm = std::sqrt(data.row(i).squared_norm() + (s.bias ? 1.0 : 0.0));
            if (norm < 1e-140) norm = 0;  // of squares too small for floats: always doubtful
            errors += m <= 0;
            pocket.t[i] = norm > 0 ? m / norm : 0;
            sum += std::fabs(pocket.t[i]);
        }
        const double scale = static_cast<double>(data.n) / (3 * sum);  // three times the mean is the last bucket
        pocket.scale[machine] = scale > 0 && scale < HUGE_VAL ? scale : 1;
        int64_t* const start = starts();
        for (int64_t k = 0; k <= pocket_buckets; ++k) start[k] = 0;
        for (int64_t i = 0; i < data.n; ++i) {
            const int64_t bucket = bucket_of(pocket.t[i]);
            pocket.t[i] = static_cast<double>(bucket);
            ++start[bucket + 1];
        }
        for (int64_t k = 0; k < pocket_buckets; ++k) start[k + 1] += start[k];
        for (int64_t i = 0; i < data.n; ++i) rows()[start[static_cast<int64_t>(pocket.t[i])]++] = i;
        for (int64_t k = pocket_buckets; k > 0; --k) start[k] = start[k - 1];
        start[0] = 0;
        copy(s.w + offset, pocket.anchor_w + offset, size);
        const int32_t v = Shape::first_vector(s, machine);
        copy(s.b + v, pocket.anchor_b + v, Shape::vectors_of_a_machine(s));
        pocket.spent[machine] = 0;
        budget -= 2 * data.n;
        return errors;
    }

    // The count, or `best` as soon as it is known to be no smaller.
    template <class Source>
    int64_t errors_below(const Source& data, int64_t best, int64_t& budget) {
        const double reach = distance_bound();
        // The buckets that -reach and reach fall into, and one more for rounding, are doubtful themselves.
        const int64_t low = bucket_of(-reach), high = bucket_of(reach);
        const int64_t first = low > 1 ? starts()[low - 1] : 0;
        const int64_t last = starts()[high + 2 < pocket_buckets ? high + 2 : pocket_buckets];
        int64_t errors = first;  // all below are wrong
        int64_t looked = 0;
        const int64_t* const row = rows();
        for (int64_t place = first; errors < best && place < last; ++place, ++looked) {
            if (place + 8 < last) data.prefetch(row[place + 8]);  // bucket by bucket, they lie anywhere
            errors += m_of(data, row[place]) <= 0;
        }
        pocket.spent[machine] += looked;
        budget -= looked;
        return errors;
    }

    // An upper bound of how far any m / ||x|| can have moved since the anchor, rounding of the scores included.
    double distance_bound() const {
        double moved = 0, now = 0, then = 0;
        for (int64_t j = 0; j < size; ++j) {
            const double w = s.w[offset + j], a = pocket.anchor_w[offset + j];
            moved += (w - a) * (w - a);
            now += w * w;
            then += a * a;
        }
        const int32_t v = Shape::first_vector(s, machine);
        for (int32_t r = v; r < v + Shape::vectors_of_a_machine(s); ++r) {
            const double b = s.b[r], a = pocket.anchor_b[r];
            moved += (b - a) * (b - a);
            now += b * b;
            then += a * a;
        }
        if (!(moved > 1e-280 && now + then < HUGE_VAL)) return HUGE_VAL;  // squares too small or large for floats
        // m of the direct machine is a difference of two scores: ||a - b|| <= sqrt(2) ||(a, b)||.
        const double spread = Shape::vectors_of_a_machine(s) > 1 ? 1.4142135623730952 : 1.0;
        const double rounding = rounding_of(s.d);
        return spread * std::sqrt(moved) * (1 + 1e-9) + rounding * (std::sqrt(now) + std::sqrt(then));
    }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
