// The only object with a life: hypothesis, memory, counters and generator, and the memory they stand in.
#pragma once

#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

#include "arrays.hpp"
#include "dispatch.hpp"

namespace rosenblatt {

inline int64_t padded_to_lanes(int64_t d) { return (d + 15) / 16 * 16; }

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

class Learner {
  public:
    Learner(const std::string& shape, int32_t vectors, int64_t d, int32_t first_class, double margin, double rate,
            bool bias, bool ties_positive, const std::string& order, uint64_t seed, bool average, bool pocket,
            bool journal, int64_t journal_limit, bool screening)
        : shape_(named<Shape>({{"binary", Shape::binary}, {"ovr", Shape::one_vs_rest}, {"direct", Shape::direct}},
                              shape, "shape")),
          journal_limit_(journal_limit),
          screening_(screening && shape_ == Shape::binary) {
        require(vectors > 0 && d >= 0, "a learner needs at least one vector and no negative dimension");
        require(shape_ != Shape::binary || vectors == 1, "a binary learner has one vector");
        require(shape_ != Shape::direct || vectors > 1, "the direct machine needs at least two classes");
        s_.d = d;
        s_.padded = padded_to_lanes(d);
        s_.vectors = vectors;
        s_.machines = shape_ == Shape::one_vs_rest ? vectors : 1;
        s_.first_class = shape_ == Shape::binary ? 1 : first_class;
        s_.margin = margin;
        s_.rate = rate;
        s_.bias = bias;
        s_.ties_positive = ties_positive;
        s_.picking = picking_named(order);
        require(s_.machines == 1 || (s_.picking != Picking::first && s_.picking != Picking::worst),
                "orders 'first' and 'worst' belong to one machine: make one learner per class");
        s_.generator = seed;
        s_.keep_journal = journal;
        const size_t size = static_cast<size_t>(vectors * s_.padded);
        w_.resize(size);
        b_.resize(vectors);
        if (average) {
            u_.resize(size);
            ub_.resize(vectors);
        }
        if (pocket) {
            for (auto* copy : {&best_w_, &anchor_w_}) copy->resize(size);
            for (auto* copy : {&best_b_, &anchor_b_}) copy->resize(vectors);
            best_errors_.assign(s_.machines, -1);
            spent_.assign(s_.machines, 0);
        }
        score_.resize(vectors);
        running_.assign(s_.machines, Running::live);
        for (auto* count : {&updates_, &mistakes_, &updates_in_pass_, &last_step_, &last_pass_})
            count->assign(s_.machines, 0);
        pass_updates_.resize(16);
    }

    // The start: any (w0, b0).
    void start(const Doubles& w, const Vector& b) {
        require(w.size() == static_cast<size_t>(s_.vectors * s_.d), "start w has the wrong size");
        require(b.size() == static_cast<size_t>(s_.vectors), "start b has the wrong size");
        scatter(w.data(), w_);
        std::copy(b.data(), b.data() + s_.vectors, b_.begin());
    }

    // Examples to learn from; `blocks` says that the driver will bring more before it ends the pass.
    void bind(Examples examples, const Codes& y, const std::optional<Vector>& weight, nb::object keep, bool blocks) {
        const View& v = examples.view;
        require(v.d == s_.d, "X has another number of columns than the learner");
        require(static_cast<int64_t>(y.shape(0)) == v.n, "y has another length than X");
        require(!weight || static_cast<int64_t>(weight->shape(0)) == v.n, "weights have another length than X");
        const int32_t classes = shape_ == Shape::direct ? s_.vectors : INT32_MAX;
        for (int64_t i = 0; i < v.n; ++i)
            require(y.data()[i] >= 0 && y.data()[i] < classes, "a class code is out of range");
        require(v.n <= INT32_MAX, "more than 2^31 - 1 rows: bring them in blocks");
        view_ = v;
        view_.y = y.data();
        view_.weight = weight ? weight->data() : nullptr;
        keep_ = std::move(keep);
        s_.blocks = blocks;
        s_.position = 0;
        s_.length = v.n;
        s_.in_pass = blocks;
        row_updates_.assign(static_cast<size_t>(s_.machines * v.n), 0);
        const bool in_place = blocks || s_.picking == Picking::cyclic || s_.picking == Picking::first;
        permutation_.assign(in_place ? 0 : v.n, 0);
        screen_ = {};
        screen_.rest = 1;
        if (screening_ && !blocks && v.storage != Storage::gram && v.n >= 256) {
            limit_.resize(v.n);
            inverse_norm_.resize(v.n);
            screen_anchor_.resize(s_.padded);
        } else {
            limit_.clear();
        }
        if (!best_w_.empty()) {
            scale_.resize(s_.machines);
            starts_.resize(s_.machines * (pocket_buckets + 1));
            rows_.resize(static_cast<size_t>(s_.machines * v.n));
            t_.resize(v.n);
            best_errors_.assign(s_.machines, -1);  // errors are counted on these examples
        }
    }

    // Learns for about `seconds`; says why it paused.
    std::string run(double seconds, int64_t max_passes, int64_t max_updates, bool pause_at_pass_end) {
        require(view_.y != nullptr, "bind examples first");
        s_.max_passes = max_passes;
        s_.max_updates = max_updates;
        s_.pause_at_pass_end = pause_at_pass_end;
        nb::gil_scoped_release released;
        using Clock = std::chrono::steady_clock;
        const auto start = Clock::now();
        for (;;) {
            point();
            int64_t budget = chunk_;
            const auto before = Clock::now();
            const Pause pause = kernels().learn(view_, s_, shape_, budget);
            const auto now = Clock::now();
            if (pause == Pause::full) {
                if (!grow()) return "journal_full";
                continue;
            }
            if (pause != Pause::budget) return name(pause);
            // A look at the clock costs nothing beside half a millisecond of work.
            if (std::chrono::duration<double>(now - before).count() < 5e-4) chunk_ *= 2;
            if (std::chrono::duration<double>(now - before).count() > 5e-3) chunk_ = std::max<int64_t>(chunk_ / 2, 64);
            if (std::chrono::duration<double>(now - start).count() >= seconds) return "time";
        }
    }

    // Ends a pass that came in blocks; true when every machine has stopped.
    bool end_pass() {
        if (s_.pass_size == static_cast<int64_t>(pass_updates_.size())) pass_updates_.resize(2 * pass_updates_.size());
        point();
        return kernels().end_pass(s_);
    }

    nb::dict counts() const {
        nb::dict d;
        d["steps"] = s_.steps;
        d["skipped"] = screen_.skipped > screen_.looked ? screen_.skipped - screen_.looked : 0;
        d["passes"] = s_.passes + (s_.in_pass && !s_.blocks ? 1 : 0);
        nb::list updates, mistakes, running, steps, passes;
        for (int32_t k = 0; k < s_.machines; ++k) {
            const bool live = running_[k] == Running::live;
            updates.append(updates_[k]);
            mistakes.append(mistakes_[k]);
            running.append(live ? "live" : running_[k] == Running::clean ? "clean" : "capped");
            steps.append(live ? s_.steps : last_step_[k]);
            passes.append(live ? s_.passes + (s_.in_pass && !s_.blocks ? 1 : 0) : last_pass_[k]);
        }
        d["machine_updates"] = updates;
        d["machine_mistakes"] = mistakes;
        d["machine_running"] = running;
        d["machine_steps"] = steps;
        d["machine_passes"] = passes;
        return d;
    }

    nb::ndarray<nb::numpy, int64_t> updates_per_pass() const {
        std::vector<int64_t> counts(pass_updates_.begin(), pass_updates_.begin() + s_.pass_size);
        if (s_.in_pass && !s_.blocks) {  // interrupted inside a pass
            int64_t open = 0;
            for (int64_t k : updates_in_pass_) open += k;
            counts.push_back(open);
        }
        return to_numpy(counts.data(), {counts.size()});
    }

    nb::ndarray<nb::numpy, double> w() const { return gathered(w_); }
    nb::ndarray<nb::numpy, double> b() const { return to_numpy(b_.data(), {b_.size()}); }

    // w - u / N and b - ub / N, N the steps of each machine.
    nb::tuple average() const {
        require(!u_.empty(), "this learner keeps no average");
        std::vector<double> w = w_, b = b_;
        for (int32_t v = 0; v < s_.vectors; ++v) {
            const int32_t k = shape_ == Shape::one_vs_rest ? v : 0;
            const int64_t steps = running_[k] == Running::live ? s_.steps : last_step_[k];
            if (steps == 0) continue;
            for (int64_t j = v * s_.padded; j < (v + 1) * s_.padded; ++j) w[j] -= u_[j] / static_cast<double>(steps);
            b[v] -= ub_[v] / static_cast<double>(steps);
        }
        return nb::make_tuple(gathered(w), to_numpy(b.data(), {b.size()}));
    }

    // The pocket's vectors and the training errors of each machine.
    nb::tuple pocket() const {
        require(!best_w_.empty() && best_errors_[0] >= 0, "this learner has nothing in its pocket");
        return nb::make_tuple(gathered(best_w_), to_numpy(best_b_.data(), {best_b_.size()}),
                              to_numpy(best_errors_.data(), {best_errors_.size()}));
    }

    // machines x n: how often each example of the bound data caused an update.
    nb::ndarray<nb::numpy, int64_t> row_updates() const {
        const size_t machines = static_cast<size_t>(s_.machines);
        return to_numpy(row_updates_.data(), {machines, row_updates_.size() / machines});
    }

    nb::dict journal() const {
        const size_t size = static_cast<size_t>(s_.journal.size);
        nb::dict d;
        d["step"] = to_numpy(step_.data(), {size});
        d["row"] = to_numpy(row_.data(), {size});
        d["tau"] = to_numpy(tau_.data(), {size});
        d["m"] = to_numpy(m_.data(), {size});
        d["rival"] = to_numpy(rival_.data(), {size});
        return d;
    }

    void clear_journal() { s_.journal.size = 0; }

    // Everything that decides the rest of the run, as arrays: for pickling and checkpoints.
    nb::dict state() const {
        nb::dict d;
        const std::vector<int64_t> scalars{s_.steps,     s_.passes,       s_.position,
                                           s_.length,    s_.in_pass,      s_.blocks,
                                           s_.pass_size, s_.journal.size, static_cast<int64_t>(s_.generator)};
        d["scalars"] = to_numpy(scalars.data(), {scalars.size()});
        for (const auto& [key, column] : doubles()) d[key.c_str()] = to_numpy(column->data(), {column->size()});
        for (const auto& [key, column] : integers()) d[key.c_str()] = to_numpy(column->data(), {column->size()});
        std::vector<int64_t> running;
        for (Running r : running_) running.push_back(static_cast<int64_t>(r));
        d["running"] = to_numpy(running.data(), {running.size()});
        d["rival"] = to_numpy(rival_.data(), {rival_.size()});
        d["permutation"] = to_numpy(permutation_.data(), {permutation_.size()});
        return d;
    }

    void restore(const nb::dict& d) {
        const std::vector<int64_t> scalars = column<int64_t>(d, "scalars");
        require(scalars.size() == 9, "not a learner's state");
        std::map<std::string, std::vector<double>> new_doubles;
        std::map<std::string, std::vector<int64_t>> new_integers;
        for (const auto& [key, own] : doubles()) {
            new_doubles[key] = column<double>(d, key.c_str());
            if (key != "tau" && key != "m")
                require(new_doubles[key].size() == own->size(), "the state belongs to another learner");
        }
        for (const auto& [key, own] : integers()) {
            new_integers[key] = column<int64_t>(d, key.c_str());
            if (key != "step" && key != "row" && key != "pass_updates" && key != "row_updates")
                require(new_integers[key].size() == own->size(), "the state belongs to another learner");
        }
        const std::vector<int32_t> rival = column<int32_t>(d, "rival");
        const std::vector<int32_t> permutation = column<int32_t>(d, "permutation");
        const std::vector<int64_t> running = column<int64_t>(d, "running");
        const int64_t size = scalars[7], capacity = static_cast<int64_t>(rival.size());
        require(running.size() == running_.size(), "the state belongs to another learner");
        require(size >= 0 && size <= capacity, "the state's journal is damaged");
        for (const char* key : {"step", "row"})
            require(static_cast<int64_t>(new_integers[key].size()) == capacity, "the state's journal is damaged");
        for (const char* key : {"tau", "m"})
            require(static_cast<int64_t>(new_doubles[key].size()) == capacity, "the state's journal is damaged");
        const int64_t rows = static_cast<int64_t>(new_integers["row_updates"].size()) / s_.machines;
        require(scalars[6] >= 0 && scalars[6] <= static_cast<int64_t>(new_integers["pass_updates"].size()) &&
                    !new_integers["pass_updates"].empty(),
                "the state's passes are damaged");
        require(scalars[2] >= 0 && scalars[2] <= scalars[3] && scalars[3] <= rows, "the state's position is damaged");
        for (int32_t place : permutation) require(place >= 0 && place < rows, "the state's permutation is damaged");
        for (int64_t r : running) require(r >= 0 && r <= 2, "the state's machines are damaged");
        for (auto& [key, own] : doubles()) *own = new_doubles[key];
        for (auto& [key, own] : integers()) *own = new_integers[key];
        rival_ = rival;
        permutation_ = permutation;
        for (size_t k = 0; k < running.size(); ++k) running_[k] = static_cast<Running>(running[k]);
        s_.steps = scalars[0];
        s_.passes = scalars[1];
        s_.position = scalars[2];
        s_.length = scalars[3];
        s_.in_pass = scalars[4] != 0;
        s_.blocks = scalars[5] != 0;
        s_.pass_size = scalars[6];
        s_.journal.size = size;
        s_.generator = static_cast<uint64_t>(scalars[8]);
        spent_.assign(spent_.size(), INT64_MAX / 2);  // the pocket's anchor is not kept: count afresh
        view_ = View{};
    }

    // After restore: the same examples again, without losing the place in them.
    void rebind(Examples examples, const Codes& y, const std::optional<Vector>& weight, nb::object keep) {
        const int64_t position = s_.position, length = s_.length;
        const bool in_pass = s_.in_pass, blocks = s_.blocks;
        const std::vector<int64_t> rows = row_updates_, errors = best_errors_;
        const std::vector<int32_t> permutation = permutation_;
        bind(std::move(examples), y, weight, std::move(keep), blocks);
        require(rows.size() == row_updates_.size() && permutation.size() == permutation_.size() && length <= view_.n,
                "the state belongs to other examples");
        s_.position = position;
        s_.length = length;
        s_.in_pass = in_pass;
        row_updates_ = rows;
        permutation_ = permutation;
        best_errors_ = errors;
    }

  private:
    using Doubled = std::vector<std::pair<std::string, std::vector<double>*>>;
    using Counted = std::vector<std::pair<std::string, std::vector<int64_t>*>>;

    Doubled doubles() const {
        auto* self = const_cast<Learner*>(this);
        return {{"w", &self->w_},           {"b", &self->b_},           {"u", &self->u_},     {"ub", &self->ub_},
                {"best_w", &self->best_w_}, {"best_b", &self->best_b_}, {"tau", &self->tau_}, {"m", &self->m_}};
    }

    Counted integers() const {
        auto* self = const_cast<Learner*>(this);
        return {{"updates", &self->updates_},
                {"mistakes", &self->mistakes_},
                {"updates_in_pass", &self->updates_in_pass_},
                {"last_step", &self->last_step_},
                {"last_pass", &self->last_pass_},
                {"pass_updates", &self->pass_updates_},
                {"best_errors", &self->best_errors_},
                {"row_updates", &self->row_updates_},
                {"step", &self->step_},
                {"row", &self->row_}};
    }

    template <class T>
    static std::vector<T> column(const nb::dict& d, const char* key) {
        const auto array = nb::cast<nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>>(d[key]);
        return std::vector<T>(array.data(), array.data() + array.size());
    }

    static std::string name(Pause pause) {
        switch (pause) {
            case Pause::converged:
                return "converged";
            case Pause::max_passes:
                return "max_passes";
            case Pause::max_updates:
                return "max_updates";
            case Pause::block_end:
                return "block_end";
            case Pause::pass_end:
                return "pass_end";
            case Pause::budget:
            case Pause::full:
                break;
        }
        return "time";
    }

    bool grow() {
        if (s_.pass_size == static_cast<int64_t>(pass_updates_.size())) {
            pass_updates_.resize(2 * pass_updates_.size());
            return true;
        }
        const int64_t capacity = std::min(std::max<int64_t>(2 * s_.journal.capacity, 64 + s_.machines), journal_limit_);
        if (capacity < s_.journal.size + s_.machines) return false;
        step_.resize(capacity);
        row_.resize(capacity);
        tau_.resize(capacity);
        m_.resize(capacity);
        rival_.resize(capacity);
        return true;
    }

    // The vectors may have moved since the last run.
    void point() {
        s_.w = w_.data();
        s_.b = b_.data();
        s_.u = u_.empty() ? nullptr : u_.data();
        s_.ub = ub_.data();
        s_.score = score_.data();
        s_.running = running_.data();
        s_.updates = updates_.data();
        s_.mistakes = mistakes_.data();
        s_.updates_in_pass = updates_in_pass_.data();
        s_.last_step = last_step_.data();
        s_.last_pass = last_pass_.data();
        s_.row_updates = row_updates_.data();
        s_.permutation = permutation_.empty() ? nullptr : permutation_.data();
        s_.pass_updates = pass_updates_.data();
        s_.pass_capacity = static_cast<int64_t>(pass_updates_.size());
        s_.journal = {step_.data(),
                      row_.data(),
                      tau_.data(),
                      m_.data(),
                      rival_.data(),
                      s_.journal.size,
                      static_cast<int64_t>(step_.size())};
        pocket_ = {best_w_.data(), best_b_.data(), anchor_w_.data(), anchor_b_.data(), best_errors_.data(),
                   spent_.data(),  scale_.data(),  starts_.data(),   rows_.data(),     t_.data()};
        s_.pocket = best_w_.empty() ? nullptr : &pocket_;
        screen_.limit = limit_.data();
        screen_.inverse_norm = inverse_norm_.data();
        screen_.anchor = screen_anchor_.data();
        s_.screen = limit_.empty() ? nullptr : &screen_;
    }

    void scatter(const double* from, std::vector<double>& to) const {
        for (int32_t v = 0; v < s_.vectors; ++v)
            std::copy(from + v * s_.d, from + (v + 1) * s_.d, to.begin() + v * s_.padded);
    }

    nb::ndarray<nb::numpy, double> gathered(const std::vector<double>& from) const {
        std::vector<double> out(static_cast<size_t>(s_.vectors * s_.d));
        for (int32_t v = 0; v < s_.vectors; ++v)
            std::copy(from.begin() + v * s_.padded, from.begin() + v * s_.padded + s_.d, out.begin() + v * s_.d);
        return to_numpy(out.data(), {static_cast<size_t>(s_.vectors), static_cast<size_t>(s_.d)});
    }

    Shape shape_;
    int64_t journal_limit_;
    bool screening_;
    Screen screen_{};
    State s_{};
    Pocket pocket_{};
    View view_{};
    nb::object keep_;
    int64_t chunk_ = 1024;
    std::vector<double> w_, b_, u_, ub_, best_w_, best_b_, anchor_w_, anchor_b_, score_, tau_, m_;
    std::vector<int64_t> updates_, mistakes_, updates_in_pass_, last_step_, last_pass_, pass_updates_;
    std::vector<int64_t> row_updates_, best_errors_, spent_, step_, row_;
    std::vector<int32_t> rival_, permutation_;
    std::vector<Running> running_;
    std::vector<double> scale_, t_;
    std::vector<int64_t> starts_, rows_;
    std::vector<float> limit_, inverse_norm_;
    std::vector<double> screen_anchor_;
};

}  // namespace rosenblatt
