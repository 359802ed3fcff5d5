// Machines that each separate one class from the rest: binary (one machine) and one-vs-rest (K of them).
//
// Given:    K weight vectors; the code of an example's class. Machine k says +1 to class first_class + k class_step.
// Returns:  judge: one score per machine from one read of the row; m = y score; each_moved: the vector that an update
//           moves, and by how many times (x, 1).
// The binary perceptron is machine 0 with first_class = 1: code 1 is the positive class, code 0 the negative.
#pragma once

#include <bit>

#include "glance.hpp"
#include "row.hpp"
#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// y as a number. Looked up: the compiler would branch, and no predictor knows the next label.
inline double sign_of(bool positive) {
    static constexpr double sign[] = {-1.0, 1.0};
    return sign[positive];
}

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

    // Is there a machine whose m is at most `margin`?
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
        if constexpr (single) {
            const double rough = glancing.look_at(row, 0);
            if (sign_of(code == s.first_class) * rough - s.glance->doubt[0] > margin) return true;
            s.score[0] = rough;
            if (s.glance->doubt[0] != 0) judge(s, row);
            return false;
        }
        bool right = true;
        const auto settle = [&](int32_t first, int32_t count, const double* rough) __attribute__((always_inline)) {
            uint32_t left = not_right_by_far(s, code, margin, first, count, rough);
            right &= left == 0;
            for (; left != 0; left &= left - 1)
                if (const int32_t k = first + std::countr_zero(left); s.glance->doubt[k] != 0) judge_one(s, row, k);
        };
        glancing.look_at_all(row, s.running, settle);
        return right;
    }

    // What m of the one machine is at least.
    template <class Row>
    static double least_m(const State& s, const Row& row, int32_t code) {
        const double rough = Glancing{s, *s.glance}.look_at(row, 0);
        return sign_of(code == s.first_class) * rough - s.glance->doubt[0];
    }

    // The vectors that an update of machine k moves, and how many times (x, 1) is added to each.
    template <class Visit>
    static void each_moved(int32_t, const Verdict& v, int32_t k, double tau, const Visit& visit) {
        visit(k, v.positive ? tau : -tau);
    }

    static int32_t first_vector(const State&, int32_t k) { return k; }
    static int32_t vectors_of_a_machine(const State&) { return 1; }

  private:
    // Of machines with these rough scores, bit by bit, those that may not be right. Theirs become the scores; those of
    // the others are set to what is right by far.
    [[gnu::always_inline]] static uint32_t not_right_by_far(const State& s, int32_t code, double margin, int32_t first,
                                                            int32_t count, const double* rough) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
        const __mmask8 all = static_cast<__mmask8>((1U << count) - 1);
        const __m256i step = _mm256_set1_epi32(s.class_step), from = _mm256_set1_epi32(class_of(s, first));
        const __m256i places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        const __m256i classes = _mm256_add_epi32(from, _mm256_mullo_epi32(step, places));
        const __mmask8 negative = _mm256_cmpneq_epi32_mask(classes, _mm256_set1_epi32(code));
        const __m512d sign = _mm512_maskz_mov_pd(negative, _mm512_set1_pd(-0.0)), far = _mm512_set1_pd(HUGE_VAL);
        const __m512d score = _mm512_loadu_pd(rough);
        const __m512d doubt = _mm512_maskz_loadu_pd(all, s.glance->doubt + first);
        const __m512d least = _mm512_xor_pd(score, sign) - doubt;
        const __mmask8 right = _mm512_cmp_pd_mask(least, _mm512_set1_pd(margin), _CMP_GT_OQ);
        _mm512_mask_storeu_pd(s.score + first, all, _mm512_mask_xor_pd(score, right, far, sign));
        return all & ~right;
#else
        uint32_t left = 0;
        for (int32_t k = 0; k < count; ++k) {
            const bool positive = code == class_of(s, first + k);
            const bool right = (positive ? rough[k] : -rough[k]) - s.glance->doubt[first + k] > margin;
            s.score[first + k] = !right ? rough[k] : positive ? HUGE_VAL : -HUGE_VAL;
            left |= uint32_t{!right} << k;
        }
        return left;
#endif
    }
};

using Binary = AgainstRest<true>;
using OneVsRest = AgainstRest<false>;

}  // namespace rosenblatt::ROSENBLATT_LEVEL
