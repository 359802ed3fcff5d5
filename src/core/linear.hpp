// Machines that each separate one class from the rest: binary (one machine) and one-vs-rest (K of them).
//
// Given:    K weight vectors; the code of an example's class. Machine k says +1 to class first_class + k class_step.
// Returns:  judge: one score per machine from one read of the row; m = y score; add: w_k += s x, b_k += s.
// The binary perceptron is machine 0 with first_class = 1: code 1 is the positive class, code 0 the negative.
#pragma once

#include "glance.hpp"
#include "row.hpp"
#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// Vectors scored per read of a row: as many as their partial sums leave room for in registers.
constexpr int together = width == 8 ? 5 : 3;

template <class Row, int count>
inline void score_some(const State& s, const Row& row, const int32_t* who) {
    const double* w[count];
    double out[count];
    for (int q = 0; q < count; ++q) w[q] = s.w + who[q] * s.padded;
    row.template dots_with<count>(w, out);
    for (int q = 0; q < count; ++q) s.score[who[q]] = out[q] + s.b[who[q]];
}

// Scores of all vectors (or of the live ones), reading the row as few times as possible.
template <class Row>
inline void score_all(const State& s, const Row& row, const Running* running) {
    int32_t who[together];
    int count = 0;
    for (int32_t k = 0; k < s.vectors; ++k) {
        if (running && running[k] != Running::live) continue;
        if constexpr (requires(double* out) { row.template dots_with<1>(&out, out); }) {
            if (row.slack) {
                who[count++] = k;
                if (count == together) {
                    score_some<Row, together>(s, row, who);
                    count = 0;
                }
                continue;
            }
        }
        s.score[k] = row.dot(s.w + k * s.padded) + s.b[k];
    }
    if constexpr (requires(double* out) { row.template dots_with<1>(&out, out); }) {
        if (count >= 4) score_some<Row, 4>(s, row, who);
        if (count == 3) score_some<Row, 3>(s, row, who);
        if (count == 2) score_some<Row, 2>(s, row, who);
        if (count == 1) score_some<Row, 1>(s, row, who);
    }
}

struct Verdict {
    double m;
    bool positive;
    int32_t rival;  // who else moves (direct) or which machine moved (one-vs-rest); -1 in binary
};

template <bool single>
struct AgainstRest {
    static constexpr bool one_vector = single;
    static int32_t machines(const State& s) { return single ? 1 : s.machines; }
    static int32_t class_of(const State& s, int32_t k) { return s.first_class + k * s.class_step; }

    template <class Row>
    static void judge(const State& s, const Row& row) {
        if constexpr (single)
            s.score[0] = row.dot(s.w) + s.b[0];
        else
            score_all(s, row, s.running);
    }

    template <class Row>
    static void judge_one(const State& s, const Row& row, int32_t k) {
        s.score[k] = row.dot(s.w + k * s.padded) + s.b[k];
    }

    // m of one machine; the scores stay as they are.
    template <class Row>
    static double m_of(const State& s, const Row& row, int32_t code, int32_t k) {
        const double score = row.dot(s.w + k * s.padded) + s.b[k];
        return code == class_of(s, k) ? score : -score;
    }

    static Verdict verdict(const State& s, int32_t code, int32_t k) {
        const bool positive = code == class_of(s, k);
        return {positive ? s.score[k] : -s.score[k], positive, single ? -1 : class_of(s, k)};
    }

    // Is there a machine whose m is at most `margin`? (Never true for all: margin >= 0, so mistakes are among them.)
    static bool any_within(const State& s, int32_t code, double margin) {
        for (int32_t k = 0; k < machines(s); ++k)
            if ((single || s.running[k] == Running::live) && !(verdict(s, code, k).m > margin)) return true;
        return false;
    }

    // Is the example right beyond doubt for every machine? Where not, the scores in doubt are computed, and the others
    // set to what is right by far.
    template <class Row>
    static bool right_at_a_glance(const State& s, const Row& row, int32_t code, double margin) {
        const Glancing glancing{s, *s.glance};
        bool right = true;
        const auto settle = [&](int32_t k, double rough) __attribute__((always_inline)) {
            const bool positive = code == class_of(s, k);
            const double doubt = s.glance->doubt[k];
            if ((positive ? rough : -rough) - doubt > margin) {
                s.score[k] = positive ? HUGE_VAL : -HUGE_VAL;
                return;
            }
            right = false;
            if (doubt == 0)
                s.score[k] = rough;
            else
                judge_one(s, row, k);
        };
        glancing.look_at_all(row, single ? nullptr : s.running, settle);
        return right;
    }

    // What m of the one machine is at least.
    template <class Row>
    static double least_m(const State& s, const Row& row, int32_t code) {
        const int32_t only = 0;
        double rough;
        Glancing{s, *s.glance}.look<1>(row, &only, &rough);
        return (code == s.first_class ? rough : -rough) - s.glance->doubt[0];
    }

    // The vectors that an update of machine k moves, and how many times (x, 1) is added to each.
    template <class Visit>
    static void each_moved(int32_t, const Verdict& v, int32_t k, double tau, const Visit& visit) {
        visit(k, v.positive ? tau : -tau);
    }

    static int32_t first_vector(const State&, int32_t k) { return k; }
    static int32_t vectors_of_a_machine(const State&) { return 1; }
};

using Binary = AgainstRest<true>;
using OneVsRest = AgainstRest<false>;

}  // namespace rosenblatt::ROSENBLATT_LEVEL
