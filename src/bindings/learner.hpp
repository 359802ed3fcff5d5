// The only object with a life: hypothesis, memory, counters and generator. Where they stand is held.hpp's matter, how
// they are saved snapshot.hpp's.
#pragma once

#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <stdexcept>

#include "arrays.hpp"
#include "dispatch.hpp"
#include "held.hpp"
#include "looking.hpp"
#include "ordering.hpp"
#include "owing.hpp"
#include "snapshot.hpp"

namespace rosenblatt {

template <class Enum>
Enum named(const std::map<std::string, Enum>& names, const std::string& name, const char* what) {
    const auto found = names.find(name);
    if (found == names.end()) throw std::invalid_argument(std::string("unknown ") + what + " '" + name + "'");
    return found->second;
}

inline Picking picking_named(const std::string& order) {
    return named<Picking>({{"cyclic", Picking::cyclic},
                           {"shuffle", Picking::shuffle},
                           {"shuffle_once", Picking::shuffle_once},
                           {"random", Picking::random},
                           {"first", Picking::first},
                           {"worst", Picking::worst}},
                          order, "order");
}

// Vectors are held in units: what goes in is divided by the unit, and what comes out is multiplied by it.
class Learner {
  public:
    Learner(const std::string& shape, int32_t vectors, int64_t d, int32_t first_class, int32_t class_step,
            double margin, double rate, double unit, bool bias, bool ties_positive, const std::string& order,
            uint64_t seed, bool average, bool pocket, bool journal, int64_t journal_limit, bool screening,
            bool glancing, bool stretching, bool abreast, double least_share)
        : shape_(named<Shape>({{"binary", Shape::binary}, {"ovr", Shape::one_vs_rest}, {"direct", Shape::direct}},
                              shape, "shape")),
          unit_(unit),
          journal_limit_(journal_limit),
          screening_(screening && shape_ == Shape::binary),
          glancing_(glancing) {
        require(vectors > 0 && d >= 0, "a learner needs at least one vector and no negative dimension");
        require(d <= widest && vectors <= widest / std::max<int64_t>(1, d), "so many weights have no address");
        require(least_share >= 1 && least_share <= 1e15, "a share of work has from 1 to 1e15 bytes");
        require(shape_ != Shape::binary || vectors == 1, "a binary learner has one vector");
        require(shape_ != Shape::direct || vectors > 1, "the direct machine needs at least two classes");
        s_.d = d;
        s_.padded = padded_to_lanes(d);
        s_.vectors = vectors;
        s_.machines = shape_ == Shape::one_vs_rest ? vectors : 1;
        s_.first_class = shape_ == Shape::binary ? 1 : first_class;
        s_.class_step = class_step;
        s_.margin = margin;
        s_.rate = rate;
        s_.bias = bias;
        s_.ties_positive = ties_positive;
        s_.stretching = stretching;
        s_.abreast = abreast;
        s_.least_share = least_share;
        s_.wrong_at = -1;
        s_.picking = picking_named(order);
        require(s_.machines == 1 || (s_.picking != Picking::first && s_.picking != Picking::worst),
                "orders 'first' and 'worst' belong to one machine: make one learner per class");
        s_.generator = seed;
        s_.keep_journal = journal;
        const size_t size = static_cast<size_t>(vectors * s_.padded);
        held_.w.resize(size);
        held_.b.resize(vectors);
        if (average) {
            held_.u.resize(size);
            held_.ub.resize(vectors);
        }
        if (pocket) {
            for (auto* copy : {&held_.best_w, &held_.anchor_w}) copy->resize(size);
            for (auto* copy : {&held_.best_b, &held_.anchor_b}) copy->resize(vectors);
            held_.best_errors.assign(s_.machines, -1);
            held_.spent.assign(s_.machines, 0);
        }
        held_.score.resize(vectors);
        held_.running.assign(s_.machines, Running::live);
        for (auto* count :
             {&held_.updates, &held_.mistakes, &held_.updates_in_pass, &held_.last_step, &held_.last_pass})
            count->assign(s_.machines, 0);
        held_.pass_updates.resize(16);
    }

    // A run lets other threads of Python in: they must leave this learner alone.
    void require_rest() const {
        require(!running_, "this learner is learning in another thread; give each thread one of its own");
    }

    // The start: any (w0, b0), its zeros without a sign.
    void start(const Doubles& w, const Vector& b) {
        require(w.size() == static_cast<size_t>(s_.vectors * s_.d), "start w has the wrong size");
        require(b.size() == static_cast<size_t>(s_.vectors), "start b has the wrong size");
        scatter(w.data(), held_.w);
        std::transform(b.data(), b.data() + s_.vectors, held_.b.begin(),
                       [&](double value) { return value / unit_ + 0.0; });
        held_.screen.on = false;  // what it knows is of the vectors before
    }

    // Examples to learn from; `blocks` says that the driver will bring more before it ends the pass.
    void bind(Examples examples, const Codes& y, const std::optional<Vector>& weight, bool blocks) {
        const View& v = examples.view;
        if (v.d != s_.d)
            throw std::invalid_argument("X has " + std::to_string(v.d) + " columns, the learner " +
                                        std::to_string(s_.d));
        require(static_cast<int64_t>(y.shape(0)) == v.n, "y has another length than X");
        require(!weight || static_cast<int64_t>(weight->shape(0)) == v.n, "weights have another length than X");
        const int32_t classes = shape_ == Shape::direct ? s_.vectors : INT32_MAX;
        for (int64_t i = 0; i < v.n; ++i)
            require(y.data()[i] >= 0 && y.data()[i] < classes, "a class code is out of range");
        require(v.n <= INT32_MAX, "more than 2^31 - 1 rows: bring them in blocks");
        if (weight) require_steps(weight->data(), v.n, s_.rate * unit_);
        view_ = View{};  // until all is there: memory may not suffice
        View view = v;
        view.y = y.data();
        view.weight = weight ? weight->data() : nullptr;
        s_.blocks = blocks;
        s_.position = 0;
        s_.length = v.n;
        s_.in_pass = blocks;
        s_.largest_squared_norm = 0;
        s_.measured = 0;
        held_.row_updates.assign(static_cast<size_t>(s_.machines * v.n), 0);
        const bool in_place = blocks || s_.picking == Picking::cyclic || s_.picking == Picking::first;
        held_.permutation.assign(in_place ? 0 : v.n, 0);
        held_.prepare_screen(view, s_, screening_ && !blocks);
        held_.prepare_glance(view, s_, glancing_);
        held_.prepare_pocket(view, s_);
        view_ = view;
        examples_ = std::move(examples);
        y_ = y;
        weight_ = weight;
    }

    // After somebody else's Python has run: are the examples still such that they can be read?
    void check_rows() { examples_.check(1); }

    // Learns for about `seconds`; says why it paused. What it does is the same for any number of threads.
    std::string run(double seconds, int64_t max_passes, int64_t max_updates, int64_t threads) {
        require(view_.y != nullptr, "bind examples first");
        require(!s_.blocks || s_.in_pass, "the pass has ended: bind its next block first");
        s_.max_passes = max_passes;
        s_.max_updates = max_updates;
        s_.threads = static_cast<int32_t>(std::clamp<int64_t>(threads, 1, INT16_MAX));
        const Raised running(running_);  // until the lock is back
        nb::gil_scoped_release released;
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        const std::unique_ptr<NextOrder> next_order = orders_on_a_thread(view_, s_, shape_);
        s_.orders_come = next_order != nullptr;
        held_.point(s_);  // the sum is the payer's until the end
        const std::unique_ptr<Payer> payer = average_on_a_thread(view_, s_, shape_);
        for (;;) {
            held_.point(s_);
            int64_t budget = chunk_;
            const auto before = Clock::now();
            const Pause pause = compiled().learn(view_, s_, shape_, budget);
            const auto now = Clock::now();
            if (pause == Pause::full) {
                if (!held_.grow_passes(s_) && !held_.grow_journal(s_, journal_limit_)) held_.let_go_of_journal(s_);
                continue;
            }
            if (pause == Pause::order) {
                next_order->bring(s_.generator, held_.permutation);
                s_.order_here = true;
                continue;  // without a look at the clock: a state has an order only of a pass that has begun
            }
            if (pause == Pause::converged && any_capped()) return name(Pause::max_updates);
            if (pause == Pause::owed) {
                payer->take_over();
            } else if (pause == Pause::quiet) {
                look_ahead();
            } else if (pause == Pause::budget) {
                // A look at the clock costs nothing beside half a millisecond of work.
                const double took = std::chrono::duration<double>(now - before).count();
                if (took < 5e-4) chunk_ *= 2;
                if (took > 5e-3) chunk_ = std::max<int64_t>(chunk_ / 2, 64);
            } else {
                return name(pause);
            }
            if (std::chrono::duration<double>(now - start).count() >= seconds) return "time";
        }
    }

    // Ends a pass that came in blocks; true when every machine has stopped.
    bool end_pass() {
        held_.grow_passes(s_);
        held_.point(s_);
        return compiled().end_pass(s_);
    }

    nb::dict counts() const {
        nb::list updates, mistakes, running, steps, passes;
        for (int32_t k = 0; k < s_.machines; ++k) {
            updates.append(held_.updates[k]);
            mistakes.append(held_.mistakes[k]);
            running.append(live(k) ? "live" : held_.running[k] == Running::clean ? "clean" : "capped");
            steps.append(steps_of(k));
            passes.append(passes_of(k));
        }
        nb::dict d;
        const Screen& screen = held_.screen;
        d["skipped"] = screen.skipped > screen.looked ? screen.skipped - screen.looked : 0;
        d["ahead"] = ahead_;
        d["machine_updates"] = updates;
        d["machine_mistakes"] = mistakes;
        d["machine_running"] = running;
        d["machine_steps"] = steps;
        d["machine_passes"] = passes;
        return d;
    }

    nb::ndarray<nb::numpy, int64_t> updates_per_pass() const {
        std::vector<int64_t> counts(held_.pass_updates.begin(), held_.pass_updates.begin() + s_.pass_size);
        if (open_pass()) {  // interrupted inside a pass
            int64_t open = 0;
            for (int64_t k : held_.updates_in_pass) open += k;
            counts.push_back(open);
        }
        return to_numpy(counts.data(), {counts.size()});
    }

    nb::ndarray<nb::numpy, double> w() const { return gathered(held_.w); }
    nb::ndarray<nb::numpy, double> b() const { return out_of_units(held_.b, held_.b.size()); }

    // w - u / N and b - ub / N, N the steps of each machine.
    nb::tuple average() const {
        require(!held_.u.empty(), "this learner keeps no average");
        Lines<double> w = held_.w, b = held_.b;
        for (int32_t v = 0; v < s_.vectors; ++v) {
            const int64_t steps = steps_of(shape_ == Shape::one_vs_rest ? v : 0), first = v * s_.padded;
            to_mean(w.data() + first, held_.u.data() + first, s_.padded, steps);
            to_mean(&b[v], &held_.ub[v], 1, steps);
        }
        return nb::make_tuple(gathered(w), out_of_units(b, b.size()));
    }

    // The pocket's vectors and the training errors of each machine.
    nb::tuple pocket() const {
        require(!held_.best_w.empty() && held_.best_errors[0] >= 0, "this learner has nothing in its pocket");
        return nb::make_tuple(gathered(held_.best_w), out_of_units(held_.best_b, held_.best_b.size()),
                              to_numpy(held_.best_errors.data(), {held_.best_errors.size()}));
    }

    // machines x n: how often each example of the bound data caused an update.
    nb::ndarray<nb::numpy, int64_t> row_updates() const {
        const size_t machines = static_cast<size_t>(s_.machines);
        return to_numpy(held_.row_updates.data(), {machines, held_.row_updates.size() / machines});
    }

    nb::dict journal() const {
        const size_t size = static_cast<size_t>(s_.journal.size);
        nb::dict d;
        d["step"] = to_numpy(held_.step.data(), {size});
        d["row"] = to_numpy(held_.row.data(), {size});
        d["units"] = to_numpy(held_.tau.data(), {size});
        d["m"] = out_of_units(held_.m, size);
        d["rival"] = to_numpy(held_.rival.data(), {size});
        return d;
    }

    bool keeps_journal() const { return s_.keep_journal; }
    void clear_journal() { s_.journal.size = 0; }

    nb::dict state() const { return snapshot(held_, s_); }

    void restore(const nb::dict& d) {
        rosenblatt::restore(d, held_, s_);
        s_.quiet_since = s_.steps;
        s_.quiet_before = 0;
        view_ = View{};
    }

    // Lets machines that stopped at a clean pass or a limit move again.
    void go_on() { held_.running.assign(held_.running.size(), Running::live); }

    // After restore: the same examples again, without losing the place in them.
    void rebind(Examples examples, const Codes& y, const std::optional<Vector>& weight, bool blocks) {
        require(blocks ? s_.blocks && s_.in_pass : !s_.blocks, "the state's place in its pass is damaged");
        const int64_t position = s_.position, length = s_.length;
        const bool in_pass = s_.in_pass;
        const Lines<int64_t> rows = held_.row_updates, errors = held_.best_errors;
        const Lines<int32_t> permutation = held_.permutation;
        bind(std::move(examples), y, weight, blocks);
        require(rows.size() == held_.row_updates.size() && permutation.size() == held_.permutation.size() &&
                    length <= view_.n,
                "the state belongs to other examples");
        s_.position = position;
        s_.length = length;
        s_.in_pass = in_pass;
        held_.row_updates = rows;
        held_.permutation = permutation;
        if (shape_ == Shape::binary)  // the state has rows alone
            for (int32_t& place : held_.permutation) place = place_of(place, view_.y[place] == s_.first_class);
        held_.best_errors = errors;
    }

  private:
    // What others found right counts as shown; the loop goes on at what they found wrong.
    void look_ahead() {
        const int64_t found = first_wrong_on_threads(view_, s_, shape_);
        ahead_ += found - s_.position;
        s_.steps += found - s_.position;
        s_.position = found;
        s_.wrong_at = found < s_.look_until ? found : -1;
    }

    static std::string name(Pause pause) {
        switch (pause) {
            case Pause::converged:
                return "clean_pass";
            case Pause::max_passes:
                return "max_passes";
            case Pause::max_updates:
                return "max_updates";
            case Pause::block_end:
                return "block_end";
            case Pause::pass_end:  // the loop's own
            case Pause::budget:
            case Pause::full:
            case Pause::quiet:
            case Pause::order:
            case Pause::owed:
                break;
        }
        return "time";
    }

    // The passes of machine k so far, an open one included; where it stopped, if it has.
    int64_t passes_of(int32_t k) const { return live(k) ? s_.passes + open_pass() : held_.last_pass[k]; }
    int64_t steps_of(int32_t k) const { return live(k) ? s_.steps : held_.last_step[k]; }
    bool any_capped() const {
        return std::find(held_.running.begin(), held_.running.end(), Running::capped) != held_.running.end();
    }
    bool live(int32_t k) const { return held_.running[k] == Running::live; }
    bool open_pass() const { return s_.in_pass && !s_.blocks; }

    void scatter(const double* from, Lines<double>& to) const {
        for (int32_t v = 0; v < s_.vectors; ++v)
            std::transform(from + v * s_.d, from + (v + 1) * s_.d, to.begin() + v * s_.padded,
                           [&](double value) { return value / unit_ + 0.0; });
    }

    nb::ndarray<nb::numpy, double> out_of_units(const Lines<double>& from, size_t size) const {
        std::unique_ptr<double[]> out(new double[std::max<size_t>(size, 1)]);
        std::transform(from.begin(), from.begin() + size, out.get(), [&](double value) { return value * unit_; });
        return given_away(std::move(out), {size});
    }

    nb::ndarray<nb::numpy, double> gathered(const Lines<double>& from) const {
        const size_t vectors = static_cast<size_t>(s_.vectors), d = static_cast<size_t>(s_.d);
        std::unique_ptr<double[]> out(new double[std::max<size_t>(vectors * d, 1)]);
        for (int32_t v = 0; v < s_.vectors; ++v)
            std::transform(from.begin() + v * s_.padded, from.begin() + v * s_.padded + s_.d, out.get() + v * s_.d,
                           [&](double value) { return value * unit_; });
        return given_away(std::move(out), {vectors, d});
    }

    Shape shape_;
    double unit_;
    int64_t journal_limit_;
    bool screening_, glancing_;
    Held held_;
    State s_{};
    View view_{};
    Examples examples_;
    Codes y_;
    std::optional<Vector> weight_;
    int64_t chunk_ = 1024;
    int64_t ahead_ = 0;  // examples found right by looking ahead
    bool running_ = false;
};

}  // namespace rosenblatt
