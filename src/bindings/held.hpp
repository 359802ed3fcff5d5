// The memory that a State points into. The core works on plain pointers; whoever runs it holds the columns here.
#pragma once

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "view.hpp"

namespace rosenblatt {

// Columns begin with a cache line: a register of w that straddles two costs two loads.
template <class T>
struct CacheLines {
    using value_type = T;
    CacheLines() = default;
    template <class U>
    CacheLines(const CacheLines<U>&) {}
    T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t{64})); }
    void deallocate(T* p, size_t) { ::operator delete(p, std::align_val_t{64}); }
    bool operator==(const CacheLines&) const { return true; }
};

template <class T>
using Lines = std::vector<T, CacheLines<T>>;

inline int64_t padded_to_lanes(int64_t d) { return (d + 15) / 16 * 16; }

// Makes of the last vector w the mean of those in force after each step, w - u / steps (memory.hpp).
inline void to_mean(double* w, const double* u, int64_t size, int64_t steps) {
    if (steps == 0) return;
    for (int64_t j = 0; j < size; ++j) w[j] -= u[j] / static_cast<double>(steps);
}

// One binary machine that keeps no journal and no counts by row: for one example at a time, and for studies.
struct OneMachine {
    Lines<double> w, u;  // u is empty where no average is kept
    double b = 0, ub = 0, score = 0;
    Running running = Running::live;
    int64_t updates = 0, mistakes = 0, updates_in_pass = 0, last_step = 0, last_pass = 0;

    // The memory may have moved since the last run.
    void point(State& s) {
        s.w = w.data();
        s.b = &b;
        s.u = u.empty() ? nullptr : u.data();
        s.ub = &ub;
        s.score = &score;
        s.running = &running;
        s.updates = &updates;
        s.mistakes = &mistakes;
        s.updates_in_pass = &updates_in_pass;
        s.last_step = &last_step;
        s.last_pass = &last_pass;
    }
};

// Everything a Learner may keep; a column that its settings do not need stays empty.
struct Held {
    // the hypothesis, and per machine how it stands
    Lines<double> w, b, u, ub, score;
    Lines<Running> running;
    Lines<int64_t> updates, mistakes, updates_in_pass, last_step, last_pass;
    // by pass, by example, and the order
    Lines<int64_t> pass_updates, row_updates;
    Lines<int32_t> permutation;
    // the journal
    Lines<int64_t> step, row;
    Lines<double> tau, m;
    Lines<int32_t> rival;
    // the pocket
    Lines<double> best_w, best_b, anchor_w, anchor_b, scale, norm, t;
    Lines<int64_t> best_errors, spent, starts, rows;
    Pocket pocket{};
    // the screen
    // Not touched, and so without memory, until screening begins.
    std::shared_ptr<float[]> limit, inverse_norm, near_limit;
    std::shared_ptr<int32_t[]> listed_position, listed_place;
    std::shared_ptr<double[]> screen_anchor, screen_sum;
    Screen screen{};
    // the glance
    Lines<int16_t> q, high;
    Lines<double> q_scale, doubt_base, doubt, left;
    Lines<uint8_t> tall, behind;
    std::shared_ptr<uint16_t[]> spans;  // not touched, and so without memory, before they are looked for
    Glance glance{};

    // The columns may have moved since the last run.
    void point(State& s) {
        s.w = w.data();
        s.b = b.data();
        s.u = u.empty() ? nullptr : u.data();
        s.ub = ub.data();
        s.score = score.data();
        s.running = running.data();
        s.updates = updates.data();
        s.mistakes = mistakes.data();
        s.updates_in_pass = updates_in_pass.data();
        s.last_step = last_step.data();
        s.last_pass = last_pass.data();
        s.row_updates = row_updates.data();
        s.permutation = permutation.empty() ? nullptr : permutation.data();
        s.pass_updates = pass_updates.data();
        s.pass_capacity = static_cast<int64_t>(pass_updates.size());
        const int64_t capacity = static_cast<int64_t>(step.size());
        s.journal = {step.data(), row.data(), tau.data(), m.data(), rival.data(), s.journal.size, capacity};
        pocket = {best_w.data(),      best_b.data(), anchor_w.data(), anchor_b.data(),
                  best_errors.data(), spent.data(),  scale.data(),    starts.data(),
                  rows.data(),        norm.data(),   t.data()};
        s.pocket = best_w.empty() ? nullptr : &pocket;
        screen.limit = limit.get();
        screen.inverse_norm = inverse_norm.get();
        screen.anchor = screen_anchor.get();
        screen.sum = screen_sum.get();
        screen.position = listed_position.get();
        screen.place = listed_place.get();
        screen.near_limit = near_limit.get();
        s.screen = limit ? &screen : nullptr;
        glance.q = q.data();
        glance.high = high.data();
        glance.scale = q_scale.data();
        glance.base = doubt_base.data();
        glance.doubt = doubt.data();
        glance.left = left.data();
        glance.tall = tall.data();
        glance.behind = behind.data();
        glance.spans = spans.get();
        s.glance = q.empty() ? nullptr : &glance;
    }

    // Makes room for the next pass; false if there was some.
    bool grow_passes(const State& s) {
        if (s.pass_size < static_cast<int64_t>(pass_updates.size())) return false;
        pass_updates.resize(std::max<size_t>(16, 2 * pass_updates.size()));
        return true;
    }

    // Makes room for the next step's updates; false if that would take more than `limit` lines.
    bool grow_journal(const State& s, int64_t limit) {
        const int64_t wanted = std::max<int64_t>(2 * s.journal.capacity, 64 + s.machines);
        const int64_t capacity = std::min(wanted, limit);
        if (capacity < s.journal.size + s.machines) return false;
        step.resize(capacity);
        row.resize(capacity);
        tau.resize(capacity);
        m.resize(capacity);
        rival.resize(capacity);
        return true;
    }

    // Of few examples, and of those that a look-up judges, none need be skipped.
    void prepare_screen(const View& view, const State& s, bool screening) {
        screen = {};
        screen.rest = 1;
        screen.listed = -1;
        const bool useful = screening && view.storage != Storage::gram && view.n >= 256;
        const auto room = [&]<class T>(std::shared_ptr<T[]>& array, int64_t size) {
            array = useful ? std::make_shared_for_overwrite<T[]>(static_cast<size_t>(size)) : nullptr;
        };
        room(limit, view.n);
        room(inverse_norm, view.n);
        room(near_limit, most_listed(view.n));
        room(listed_position, most_listed(view.n));
        room(listed_place, most_listed(view.n));
        room(screen_anchor, s.padded);
        room(screen_sum, s.padded);
    }

    // Errors are counted on these examples.
    void prepare_pocket(const View& view, const State& s) {
        if (best_w.empty()) return;
        scale.resize(s.machines);
        starts.resize(s.machines * (pocket_buckets + 1));
        rows.resize(static_cast<size_t>(s.machines * view.n));
        norm.assign(view.n, -1.0);
        t.resize(view.n);
        best_errors.assign(s.machines, -1);
    }

    // Bytes only, and few enough of them for their products with integers of some size to fit 32 bits.
    void prepare_glance(const View& view, const State& s, bool glancing) {
        const bool bytes = view.element == Element::u8 || view.element == Element::i8;
        q.clear();
        if (!glancing || view.storage != Storage::dense || !bytes || s.d > 1 << 16) return;
        glance.padded = (s.d + 31) / 32 * 32;
        glance.reach = view.element == Element::u8 ? 255 : 128;
        glance.digit_bits = digit_bits(s.d * glance.reach);
        for (auto* digits : {&q, &high}) digits->assign(static_cast<size_t>(s.vectors * glance.padded), 0);
        for (auto* column : {&q_scale, &doubt_base, &doubt, &left}) column->assign(s.vectors, 1.0);
        for (auto* flags : {&tall, &behind}) flags->assign(s.vectors, 0);
        spans = std::make_shared_for_overwrite<uint16_t[]>(static_cast<size_t>(2 * view.n));
        glance.spans_are = Spans::unknown;
        glance.passes = 0;
    }

    // A journal that nobody asked for must not fill the memory; the run goes on without it.
    void let_go_of_journal(State& s) {
        step = row = {};
        tau = m = {};
        rival = {};
        s.journal.size = 0;
        s.keep_journal = false;
    }

  private:
    // The most bits of a low digit with which d products of half a digit are at most 2^30: room for rows to come. Two
    // digits of 8 bits would hold no more than the one of 16.
    static int32_t digit_bits(int64_t largest_sum) {
        int32_t bits = 14;
        while (bits > 8 && largest_sum << (bits - 1) > 1 << 30) --bits;
        return bits > 8 ? bits : 0;
    }
};

}  // namespace rosenblatt
