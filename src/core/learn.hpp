// THE loop: every perceptron of the family.
//
// Problem:  show examples in an order; judge, let the rule turn m into a step, add, remember, write it down.
// Given:    examples, and a State with the hypothesis, the policies and all counters, so that a run can be
//           paused after any step and continued to the same result.
// Returns:  why it paused. An update is made iff m <= margin; nothing here allocates, throws or prints.
// Reference: Rosenblatt 1958; Freund and Schapire 1999, figure 1.
#pragma once

#include "abreast.hpp"
#include "ahead.hpp"
#include "direct.hpp"
#include "linear.hpp"
#include "memory.hpp"
#include "order.hpp"
#include "rule.hpp"
#include "scan.hpp"
#include "source.hpp"
#include "stretch.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// Counts the pass and stops the machines for which it was clean; true when none goes on.
template <class Clean>
bool close_pass(State& s, const Clean& clean) {
    s.in_pass = false;
    ++s.passes;
    int64_t total = 0;
    bool any_live = false;
    for (int32_t k = 0; k < s.machines; ++k) {
        total += s.updates_in_pass[k];
        if (s.running[k] == Running::live) {
            if (s.updates_in_pass[k] == 0 && clean(k)) {
                s.running[k] = Running::clean;
                s.last_step[k] = s.steps;
                s.last_pass[k] = s.passes;
            } else {
                any_live = true;
            }
        }
        s.updates_in_pass[k] = 0;
    }
    s.pass_updates[s.pass_size++] = total;
    return !any_live;
}

template <class Source, class Shape>
struct Loop {
    const View& view;
    Source data;
    State& s;
    int64_t& budget;  // examples that may still be looked at before the next pause
    const Rule rule;
    const LookingAhead looking_ahead;
    Abreast abreast;
    double share = 0;  // of the last stretch that were updates
    RowCounts row_counts;

    Loop(const View& view, State& s, int64_t& budget)
        : view(view),
          data(view),
          s(s),
          budget(budget),
          rule{s.margin, s.rate, s.ties_positive},
          looking_ahead(data, s),
          row_counts(s.row_updates) {}

    Pause run() {
        if (over_the_cap() && capped()) return Pause::max_updates;
        if (s.glance) Glancing{s, *s.glance}.begin();  // the vectors may have been set since the last run
        use_spans();
        if (s.pocket)  // the start vector is eligible
            for (int32_t k = 0; k < Shape::machines(s); ++k)
                if (s.pocket->best_errors[k] < 0) PocketCount<Shape>(view, s, k).watch(data, budget);
        for (;;) {
            if (!s.in_pass) {
                if (s.passes >= s.max_passes) return Pause::max_passes;
                if (s.orders_come && !s.order_here) return Pause::order;
                begin_pass();
            }
            const Pause pause = sweep();
            write_vectors();
            row_counts.count();
            if (pause != Pause::pass_end) return pause;
            if (s.blocks) return Pause::block_end;
            if (s.pass_size == s.pass_capacity) return Pause::full;
            if (end_pass()) return Pause::converged;
        }
    }

    // Shows examples until the pass or the budget ends.
    Pause sweep() {
        int64_t end = paused_at();
        while (s.position < s.length) {
            if (s.position >= end) return Pause::budget;
            if (looking_ahead.plan(s)) return Pause::quiet;
            if (s.owed.room > 0 && s.owed.room - s.owed.size < stretch) return Pause::owed;
            // Rows of bytes are left to the search: there the glance moves integers.
            if constexpr (Shape::one_vector && !glanceable<decltype(data.row(0))>)
                if (undisturbed()) {
                    learn_some(LookingAhead::alone_until(s, end, stretch));
                    continue;
                }
            const int64_t stop = looking_ahead.alone_until(s, end);
            const int64_t position = next_wrong<Source, Shape>(data, view.y, s, rule.margin, stop);
            const int64_t right = position - s.position;
            s.position = position;
            s.steps += right;
            budget -= right;
            if (position == stop) continue;
            LookingAhead::found_wrong(s, s.steps);
            if (s.keep_journal && s.journal.size + s.machines > s.journal.capacity) return Pause::full;
            const bool updated = step(row_at(s.permutation, position));
            ++s.steps;
            ++s.position;
            --budget;
            if (updated && s.picking == Picking::first) s.position = s.length;
            if (updated && capped()) return Pause::max_updates;
            if (s.pocket) end = paused_at();
        }
        return Pause::pass_end;
    }

    // Can nothing happen in the next stretch but updates of the plain rule?
    bool undisturbed() const {
        return s.stretching && s.running[0] == Running::live && !view.weight && !rule.ties_positive &&
               s.picking != Picking::first && !s.pocket && !(s.screen && s.screen->on) &&
               s.max_updates - s.updates[0] > stretch &&
               !(s.keep_journal && s.journal.size + stretch > s.journal.capacity);
    }

    void learn_some(int64_t end) {
        if constexpr (stretchable<Source, Shape>)
            if (fits_registers(s)) return learn_one_stretch(end);
        learn_rows(end);
    }

    // The rows of a stretch one after the other: leaving the search at every wrong one costs more than moving at once
    // (68 nonzeros, one row in ten wrong: 36.8 ns a row, and 34.4).
    void learn_rows(int64_t end) {
        Found found;
        read_best(data, s, [&](auto reading) { learn_each<reading>(end, found); });
        take_over(found);
        go_on_at(end);
    }

    // Every wrong row moves the vector at once, and what the average keeps, if no other thread does that.
    template <Reading reading>
    [[gnu::noinline]] void learn_each(int64_t end, Found& found) {
        int64_t count = 0;
        each_wrong<reading>(data, view.y, s, rule.margin, end, [&](int64_t position, int32_t place, double score) {
            const double label = sign_of(positive_at(place));
            found.position[count] = position;
            found.place[count] = place;
            found.m[count++] = label * score;
            move_by(row_of(place), label * s.rate, s.steps + position - s.position);
            return false;
        });
        found.count = count;
    }

    // Adds step (x, 1) to the one vector and remembers that; a sparse row is read once if both are done here. Not
    // inlined: the judge needs all registers.
    [[gnu::noinline]] void move_by(int64_t i, double step, int64_t steps) {
        const auto row = data.row(i);
        if constexpr (requires { row.add_to_both(s.w, step, s.u, step); })
            if (s.u && s.owed.room == 0) {
                const double weighted = step * static_cast<double>(steps);
                row.add_to_both(s.w, step, s.u, weighted);
                if (s.bias) {
                    s.b[0] += step;
                    s.ub[0] += weighted;
                }
                return;
            }
        add(row, 0, step);
        remember(s, row, i, 0, step, steps);
    }

    void go_on_at(int64_t position) {
        budget -= position - s.position;
        s.steps += position - s.position;
        s.position = position;
    }

    void learn_one_stretch(int64_t end) {
        Found found;
        Ground ground(data, view.y, s, end);
        if (!abreast.learn(ground, found)) {
            learn_stretch(ground, share > 1.0 / 8, found);
            abreast.measure(ground);
        }
        share = static_cast<double>(found.count) / static_cast<double>(ground.end - s.position);
        take_over(found);
        if (s.u)
            for (int64_t k = 0; k < found.count; ++k) {
                const double step = positive_at(found.place[k]) ? s.rate : -s.rate;
                const int64_t i = row_of(found.place[k]);
                remember(s, data.row(i), i, 0, step, step_of(found, k));
            }
        go_on_at(ground.end);
    }

    int64_t step_of(const Found& found, int64_t k) const { return s.steps + found.position[k] - s.position; }

    // What the loop would have done at each update of a stretch.
    void take_over(const Found& found) {
        int64_t mistakes = 0;
        for (int64_t k = 0; k < found.count; ++k) mistakes += found.m[k] <= 0;
        s.mistakes[0] += mistakes;
        count_updates(0, found.count);
        row_counts.count_now(found.place, found.count);
        if (s.keep_journal)
            for (int64_t k = 0; k < found.count; ++k)
                write_down(row_of(found.place[k]), {found.m[k], true, -1}, s.rate, step_of(found, k));
        for (int64_t k = std::max<int64_t>(0, found.count - 2); k < found.count; ++k)  // it keeps the last two
            LookingAhead::found_wrong(s, step_of(found, k));
    }

    int64_t paused_at() const {
        return budget < s.length - s.position ? s.position + (budget > 0 ? budget : 0) : s.length;
    }

    // One example that is wrong for some machine; its scores are in s.score.
    [[gnu::noinline]] bool step(int64_t i) {
        bool updated = false;
        const auto row = data.row(i);
        for (int32_t k = 0; k < Shape::machines(s); ++k) {
            if (s.running[k] != Running::live) continue;
            const Verdict v = Shape::verdict(s, view.y[i], k);
            s.mistakes[k] += v.m <= 0;
            const double tau = rule.tau(v.m, v.positive, view.weight ? view.weight[i] : 1.0);
            if (tau > 0) {
                update(row, i, v, k, tau);
                updated = true;
            }
        }
        return updated;
    }

    // Adds step (x, 1) to one vector.
    template <class Row>
    void add(const Row& row, int32_t vector, double step) const {
        if (s.bias) s.b[vector] += step;
        if constexpr (glanceable<Row>)
            if (s.glance) return Glancing{s, *s.glance}.add(vector, row, step);
        row.add_to(s.w + vector * s.padded, step);
    }

    // The glance may have moved integers alone.
    void write_vectors() const {
        if (s.glance) Glancing{s, *s.glance}.write_all();
    }

    // w += tau y x and b += tau y: the shape says which vectors move, and by tau with which sign.
    template <class Row>
    void update(const Row& row, int64_t i, const Verdict& v, int32_t k, double tau) {
        Shape::each_moved(view.y[i], v, k, tau, [&](int32_t moved, double step) {
            add(row, moved, step);
            remember(s, row, i, moved, step, s.steps);
        });
        count_updates(k, 1);
        row_counts.count_later(k * view.n + i);
        if (s.keep_journal) write_down(i, v, tau, s.steps);
        if (s.pocket || (s.screen && s.screen->on)) write_vectors();
        if (s.screen && s.screen->on) Screening{s, *s.screen}.moved();
        if (s.pocket) PocketCount<Shape>(view, s, k).watch(data, budget);
    }

    void count_updates(int32_t k, int64_t count) {
        s.updates[k] += count;
        s.updates_in_pass[k] += count;
    }

    void write_down(int64_t i, const Verdict& v, double tau, int64_t steps) {
        Columns& j = s.journal;
        j.step[j.size] = steps;
        j.row[j.size] = i;
        j.tau[j.size] = tau;
        j.m[j.size] = v.m + 0.0;  // no negative zeros in the journal
        j.rival[j.size] = v.rival;
        ++j.size;
    }

    // Has a machine made more updates already than this run is allowed?
    bool over_the_cap() const {
        for (int32_t k = 0; k < Shape::machines(s); ++k)
            if (s.running[k] == Running::live && s.updates[k] >= s.max_updates) return true;
        return false;
    }

    // A machine that has made max_updates stops where it is; true when none goes on.
    bool capped() {
        bool any_live = false;
        for (int32_t k = 0; k < Shape::machines(s); ++k) {
            if (s.running[k] != Running::live) continue;
            if (s.updates[k] >= s.max_updates) {
                s.running[k] = Running::capped;
                s.last_step[k] = s.steps;
                s.last_pass[k] = s.passes + (s.in_pass ? 1 : 0);
            } else {
                any_live = true;
            }
        }
        return !any_live;
    }

    void begin_pass() {
        s.in_pass = true;
        s.position = 0;
        if (s.measured < view.n) s.measured = 0;
        s.length = view.n;
        if (s.glance && s.vectors > 1) plan_spans(*s.glance, view.n, view.d);
        use_spans();
        if constexpr (Shape::one_vector)  // below one update in 96 examples skipping may pay
            if (s.screen)
                Screening{s, *s.screen}.plan(data, view.y, s.pass_size > 0 && last_pass_updates() < view.n / 96);
        switch (s.picking) {
            case Picking::shuffle:
                if (!s.order_here) shuffle_all();
                s.order_here = false;
                break;
            case Picking::shuffle_once:
                if (s.passes == 0) shuffle_all();
                break;
            case Picking::random:
                for (int64_t i = 0; i < view.n; ++i) s.permutation[i] = place(below(s.generator, view.n));
                break;
            case Picking::worst:
                s.length = view.n > 0 ? 1 : 0;
                if (view.n > 0) s.permutation[0] = place(worst());
                break;
            case Picking::cyclic:
            case Picking::first:
                break;
        }
    }

    void shuffle_all() {
        permute(s.generator, Shape::one_vector ? view.y : nullptr, s.first_class, s.permutation, view.n);
    }

    int32_t place(int64_t i) const { return place_of(i, !Shape::one_vector || view.y[i] == s.first_class); }

    void use_spans() {
        if constexpr (glanceable<decltype(data.row(0))>)
            if (s.glance) {
                data.spans = s.glance->spans_are == Spans::unknown ? nullptr : s.glance->spans;
                data.seeking = s.glance->spans_are == Spans::sought;
            }
    }

    int64_t last_pass_updates() const { return s.pass_updates[s.pass_size - 1]; }

    // Draws with replacement may have missed a row, so there a quiet pass is not yet a clean one.
    bool end_pass() {
        return close_pass(s, [this](int32_t k) { return s.picking != Picking::random || all_right(k); });
    }

    double tau_at(int64_t i, int32_t k, double& m) const {
        Shape::judge_one(s, data.row(i), k);
        const Verdict v = Shape::verdict(s, view.y[i], k);
        m = v.m;
        return rule.tau(v.m, v.positive, view.weight ? view.weight[i] : 1.0);
    }

    bool all_right(int32_t k) {
        budget -= view.n;
        double m;
        for (int64_t i = 0; i < view.n; ++i)
            if (tau_at(i, k, m) > 0) return false;
        return true;
    }

    // The example with the smallest m among those that ask for an update; the first of all if none does.
    int64_t worst() {
        budget -= view.n;
        int64_t pick = 0;
        double m, smallest = HUGE_VAL;
        for (int64_t i = 0; i < view.n; ++i)
            if (tau_at(i, 0, m) > 0 && m < smallest) {
                smallest = m;
                pick = i;
            }
        return pick;
    }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
