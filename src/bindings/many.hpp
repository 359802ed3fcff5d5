// Many runs over the same examples, for studies.
//
// Problem:  thousands of independent runs, each with its own seed, start, margin, rate and labels, on all threads.
// Given:    examples and one line per run; what is the same for all runs is given once.
// Returns:  per run the counts and the vector the memory made. Each run is a run of THE loop (learn.hpp), so it equals
//           the single run with the same settings, whatever the number of threads.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "learner.hpp"

namespace rosenblatt {

using Seeds = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CodeRows = nb::ndarray<const int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using DoubleRows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// One line per run, or one line for all.
template <class Array>
const auto* line(const Array& rows, int64_t run) {
    return rows.data() + (rows.shape(0) == 1 ? 0 : run * static_cast<int64_t>(rows.shape(1)));
}

struct RunLines {
    const Seeds& seed;
    const CodeRows& y;
    const DoubleRows& start;  // (w, b)
    const Vector& margin;
    const Vector& rate;
};

struct RunResults {
    std::vector<int64_t> updates, mistakes, steps, passes;
    std::vector<int8_t> pause;  // Pause of each run; budget where it was not finished
    std::vector<double> w, b;

    RunResults(size_t runs, size_t d)
        : updates(runs), mistakes(runs), steps(runs), passes(runs), pause(runs), w(runs * d), b(runs) {
        std::fill(pause.begin(), pause.end(), static_cast<int8_t>(Pause::budget));
    }
};

// The memory of one thread: set up once, used run after run.
class Bench {
  public:
    Bench(const View& view, const State& common, bool average, bool pocket) : view_(view), s_(common) {
        const size_t padded = static_cast<size_t>(s_.padded), n = static_cast<size_t>(view.n);
        one_.w.resize(padded);
        if (average) one_.u.resize(padded);
        if (pocket) {
            best_w_.resize(padded);
            anchor_w_.resize(padded);
            bucket_starts_.resize(pocket_buckets + 1);
            bucket_rows_.resize(n);
            norm_.assign(n, -1.0);
            bucket_t_.resize(n);
        }
        if (s_.picking != Picking::cyclic && s_.picking != Picking::first) permutation_.resize(n);
    }

    // Makes run i; gives up where it stands when `stop` is raised.
    void run(int64_t i, const RunLines& given, RunResults& out, const std::atomic<bool>& stop) {
        begin(i, given);
        int64_t budget = look;
        for (;;) {
            const Pause pause = compiled().learn(view_, s_, Shape::binary, budget);
            if (pause == Pause::full) {
                s_.pass_size = 0;  // a study keeps no counts per pass
            } else if (pause != Pause::budget) {
                return write(i, pause, out);
            } else if (stop) {
                return;
            } else {
                budget = look;
            }
        }
    }

  private:
    static constexpr int64_t look = 1 << 16;  // examples between two looks at `stop`

    void begin(int64_t i, const RunLines& given) {
        const double* start = line(given.start, i);
        one_ = {std::move(one_.w), std::move(one_.u), start[s_.d]};  // counts at zero, in the same memory
        std::copy(start, start + s_.d, one_.w.begin());
        std::fill(one_.u.begin(), one_.u.end(), 0.0);
        spent_ = 0;
        best_errors_ = -1;
        view_.y = line(given.y, i);
        s_.margin = given.margin.data()[i];
        s_.rate = given.rate.data()[i];
        s_.generator = given.seed.data()[i];
        one_.point(s_);
        s_.permutation = permutation_.empty() ? nullptr : permutation_.data();
        pocket_ = {best_w_.data(),      &best_b_,     anchor_w_.data(), &anchor_b_,
                   &best_errors_,       &spent_,      &bucket_scale_,   bucket_starts_.data(),
                   bucket_rows_.data(), norm_.data(), bucket_t_.data()};
        s_.pocket = best_w_.empty() ? nullptr : &pocket_;
        s_.pass_updates = pass_updates_;
        s_.pass_capacity = 16;
        s_.pass_size = s_.steps = s_.passes = s_.position = 0;
        s_.length = view_.n;
        s_.in_pass = false;
    }

    void write(int64_t i, Pause pause, RunResults& out) const {
        const bool live = one_.running == Running::live;
        out.updates[i] = one_.updates;
        out.mistakes[i] = one_.mistakes;
        out.steps[i] = live ? s_.steps : one_.last_step;
        out.passes[i] = live ? s_.passes + (s_.in_pass ? 1 : 0) : one_.last_pass;
        out.pause[i] = static_cast<int8_t>(pause);
        double* w = out.w.data() + i * s_.d;
        const Lines<double>& from = best_w_.empty() ? one_.w : best_w_;
        std::copy(from.begin(), from.begin() + s_.d, w);
        out.b[i] = best_w_.empty() ? one_.b : best_b_;
        if (one_.u.empty()) return;
        to_mean(w, one_.u.data(), s_.d, out.steps[i]);
        to_mean(&out.b[i], &one_.ub, 1, out.steps[i]);
    }

    View view_;
    State s_;
    Pocket pocket_{};
    OneMachine one_;
    Lines<double> best_w_, anchor_w_;
    double best_b_ = 0, anchor_b_ = 0, bucket_scale_ = 0;
    int64_t best_errors_ = -1, spent_ = 0;
    int64_t pass_updates_[16] = {};
    std::vector<int32_t> permutation_;
    std::vector<int64_t> bucket_starts_, bucket_rows_;
    std::vector<double> norm_, bucket_t_;
};

// Shares the runs out among the threads; the caller's thread looks after Ctrl-C meanwhile. False: interrupted.
inline bool share_out(std::vector<Bench>& benches, int64_t runs, const RunLines& given, RunResults& out) {
    std::atomic<int64_t> next{0};
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::condition_variable finished;
    size_t busy = benches.size();
    std::vector<std::thread> threads;
    threads.reserve(benches.size());
    nb::gil_scoped_release released;
    const auto work = [&](Bench& bench) {
        for (int64_t i = next++; i < runs && !stop; i = next++) bench.run(i, given, out, stop);
        const std::lock_guard<std::mutex> lock(mutex);
        if (--busy == 0) finished.notify_one();
    };
    try {
        for (Bench& bench : benches) threads.emplace_back(work, std::ref(bench));
    } catch (...) {  // no more can be had: those that there are do it all
        const std::lock_guard<std::mutex> lock(mutex);
        busy -= benches.size() - threads.size();
    }
    if (threads.empty()) {
        busy = 1;
        work(benches[0]);
    }
    for (;;) {
        {
            std::unique_lock<std::mutex> lock(mutex);
            if (finished.wait_for(lock, std::chrono::milliseconds(50), [&] { return busy == 0; })) break;
        }
        if (stop) continue;
        nb::gil_scoped_acquire held;
        if (PyErr_CheckSignals() != 0) stop = true;
    }
    for (std::thread& thread : threads) thread.join();
    return !stop;
}

inline nb::dict run_many(const Examples& examples, const CodeRows& y, const std::optional<Vector>& weight,
                         const Seeds& seed, const DoubleRows& start, const Vector& margin, const Vector& rate,
                         bool bias, bool ties_positive, const std::string& order, bool average, bool pocket,
                         int64_t max_passes, int64_t max_updates, int32_t threads) {
    View view = examples.view;
    const int64_t runs = static_cast<int64_t>(seed.shape(0));
    const auto fits = [runs](const auto& rows, int64_t width) {
        return (rows.shape(0) == 1 || static_cast<int64_t>(rows.shape(0)) == runs) &&
               static_cast<int64_t>(rows.shape(1)) == width;
    };
    require(view.n > 0 && view.n <= INT32_MAX, "a study needs at least one row and fewer than 2^31");
    require(fits(y, view.n), "y must have one line of codes for all runs or for each");
    require(fits(start, view.d + 1), "start must have one line (w, b) for all runs or for each");
    require(static_cast<int64_t>(margin.shape(0)) == runs && static_cast<int64_t>(rate.shape(0)) == runs,
            "one margin and one rate per run are needed");
    require(!weight || static_cast<int64_t>(weight->shape(0)) == view.n, "weights have another length than X");
    for (size_t i = 0; i < y.size(); ++i) require(y.data()[i] == 0 || y.data()[i] == 1, "a class code is out of range");
    if (weight && runs > 0) require_steps(weight->data(), view.n, *std::min_element(rate.data(), rate.data() + runs));
    view.weight = weight ? weight->data() : nullptr;
    State common{};
    common.d = view.d;
    common.padded = padded_to_lanes(view.d);
    common.vectors = common.machines = common.first_class = 1;
    common.wrong_at = -1;
    common.bias = bias;
    common.ties_positive = ties_positive;
    common.stretching = common.abreast = true;
    common.picking = picking_named(order);
    common.max_passes = max_passes;
    common.max_updates = max_updates;
    std::vector<Bench> benches;
    const int64_t needed = std::max<int64_t>(1, std::min<int64_t>(threads, runs));
    benches.reserve(static_cast<size_t>(needed));
    for (int64_t k = 0; k < needed; ++k) benches.emplace_back(view, common, average, pocket);
    const size_t lines = static_cast<size_t>(runs);
    RunResults out(lines, static_cast<size_t>(view.d));
    if (!share_out(benches, runs, {seed, y, start, margin, rate}, out)) throw nb::python_error();
    nb::dict d;
    d["updates"] = to_numpy(out.updates.data(), {lines});
    d["mistakes"] = to_numpy(out.mistakes.data(), {lines});
    d["steps"] = to_numpy(out.steps.data(), {lines});
    d["passes"] = to_numpy(out.passes.data(), {lines});
    d["pause"] = to_numpy(out.pause.data(), {lines});
    d["w"] = to_numpy(out.w.data(), {lines, static_cast<size_t>(view.d)});
    d["b"] = to_numpy(out.b.data(), {lines});
    return d;
}

}  // namespace rosenblatt
