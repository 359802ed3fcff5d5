// The direct multiclass machine: the true class against its best rival.
//
// Given:    one weight vector per class; the code of an example's class.
// Returns:  m = score_y - max over r != y of score_r (a tie is a mistake; the first best rival counts);
//           an update: w_y += tau x, w_rival -= tau x, biases alike.
// Reference: Crammer and Singer 2003, "Ultraconservative online algorithms", section 3 (the two-class update).
#pragma once

#include "linear.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

struct Direct {
    static constexpr bool one_vector = false;
    static int32_t machines(const State&) { return 1; }

    template <class Row>
    static void judge(const State& s, const Row& row) {
        score_all(s, row, nullptr);
    }

    template <class Row>
    static void judge_one(const State& s, const Row& row, int32_t) {
        judge(s, row);
    }

    template <class Row>
    static double m_of(const State& s, const Row& row, int32_t code, int32_t k) {
        judge(s, row);
        return verdict(s, code, k).m;
    }

    static Verdict verdict(const State& s, int32_t code, int32_t) {
        int32_t rival = code == 0 ? 1 : 0;
        for (int32_t r = rival + 1; r < s.vectors; ++r)
            if (r != code && s.score[r] > s.score[rival]) rival = r;
        return {s.score[code] - s.score[rival], true, rival};
    }

    static bool any_within(const State& s, int32_t code, double margin) { return !(verdict(s, code, 0).m > margin); }

    // As AgainstRest: the true class must beat every rival by more than both can be off.
    template <class Row>
    static bool right_at_a_glance(const State& s, const Row& row, int32_t code, double margin) {
        double worst = HUGE_VAL, most = -HUGE_VAL;
        const Glancing glancing{s, *s.glance};
        bool sure = true, exact = true;
        glancing.look_at_all(row, nullptr, [&](int32_t first, int32_t count, const double* scores) {
            for (int32_t k = first; k < first + count; ++k) {
                const double score = scores[k - first], doubt = s.glance->doubt[k];
                s.score[k] = score;
                exact &= doubt == 0;
                sure &= score + doubt < HUGE_VAL;  // neither overflowed nor no number
                if (k == code)
                    worst = score - doubt;
                else if (score + doubt > most)
                    most = score + doubt;
            }
        });
        if (sure && (worst - most) - 1e-15 * (std::fabs(worst) + std::fabs(most)) > margin) return true;
        if (exact) return false;
        glancing.write_all();
        judge(s, row);
        return false;
    }

    template <class Visit>
    static void each_moved(int32_t code, const Verdict& v, int32_t, double tau, const Visit& visit) {
        visit(code, tau);
        visit(v.rival, -tau);
    }

    static int32_t first_vector(const State&, int32_t) { return 0; }
    static int32_t vectors_of_a_machine(const State& s) { return s.vectors; }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
