// Finding the next example that is not right: where the time goes, since most examples are.
//
// Problem:  in the order of the pass, find the first example with m <= margin for some machine.
// Given:    the examples, the vectors as they are now, a stretch of positions [s.position, end).
// Returns:  its position with its scores in s.score, or `end`. Nothing is changed on the way, so judging several
//           rows at once with the present vectors finds the same example as judging one after another.
#pragma once

#include <algorithm>

#include "direct.hpp"
#include "linear.hpp"
#include "screen.hpp"
#include "source.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int in_flight = 4;       // rows judged together
constexpr int collected = 16;      // rows in reach that are fetched before the first of them is judged
constexpr int64_t calm_after = 8;  // right examples in a row before that pays: what follows a wrong one is judged again

// Scores of up to `in_flight` rows with one vector.
template <class Source>
[[gnu::always_inline]] inline void score_together(const Source& data, const int64_t* index, int count, const double* w,
                                                  double* score) {
    using Row = decltype(data.row(0));
    if constexpr (requires(Row* row, double* out) { Row::template dots<in_flight>(row, out, out); }) {
        if (count == in_flight) {
            Row row[in_flight];
            bool slack = true;
            for (int q = 0; q < in_flight; ++q) {
                row[q] = data.row(index[q]);
                slack &= row[q].slack;
            }
            if (slack) return Row::template dots<in_flight>(row, w, score);
        }
    }
    for (int q = 0; q < count; ++q) score[q] = data.row(index[q]).dot(w);
}

// One weight vector. Everything that does not change between updates is held in locals.
template <class Source>
[[gnu::noinline]] int64_t next_wrong_of_one(const Source& data, const int32_t* y, State& s, double margin,
                                            int64_t end) {
    using Row = decltype(data.row(0));
    constexpr bool together = requires(Row* row, double* out) { Row::template dots<in_flight>(row, out, out); };
    const double* const w = s.w;
    const double b = s.b[0];
    const int32_t* const permutation = s.permutation;
    const int64_t last_prefetch = permutation ? s.length - data.ahead : 0;
    int64_t position = s.position;
    const auto row_at = [&](int64_t p) __attribute__((always_inline)) {
        return permutation ? static_cast<int64_t>(permutation[p]) : p;
    };
    const auto fetch_ahead = [&](int64_t i) __attribute__((always_inline)) {
        data.prefetch(i);
        __builtin_prefetch(y + i);
    };
    const auto judge_one = [&](double& score) __attribute__((always_inline)) {
        const int64_t i = row_at(position);
        if (position < last_prefetch) fetch_ahead(permutation[position + data.ahead]);
        score = data.row(i).dot(w) + b;
        return !((y[i] == s.first_class ? score : -score) > margin);
    };
    const int64_t calm = together && position + calm_after < end ? position + calm_after : end;
    for (double score; position < calm; ++position)
        if (judge_one(score)) {
            s.score[0] = score;
            return position;
        }
    if constexpr (together) {
        const int32_t positive = s.first_class;
        for (; position + in_flight <= end; position += in_flight) {
            int64_t index[in_flight];
            double score[in_flight], m[in_flight];
            for (int q = 0; q < in_flight; ++q) {
                index[q] = row_at(position + q);
                if (position + q < last_prefetch) fetch_ahead(permutation[position + q + data.ahead]);
            }
            score_together(data, index, in_flight, w, score);
            bool wrong = false;
            for (int q = 0; q < in_flight; ++q) {
                score[q] += b;
                m[q] = y[index[q]] == positive ? score[q] : -score[q];
                wrong |= !(m[q] > margin);
            }
            if (!wrong) continue;
            int q = 0;
            while (m[q] > margin) ++q;
            s.score[0] = score[q];
            return position + q;
        }
        for (double score; position < end; ++position)
            if (judge_one(score)) {
                s.score[0] = score;
                return position;
            }
    }
    return end;
}

// Rows of bytes: a glance settles most of them.
template <class Source, class Shape>
[[gnu::noinline]] int64_t next_wrong_glanced(const Source& data, const int32_t* y, State& s, double margin,
                                             int64_t end) {
    for (int64_t position = s.position; position < end; ++position) {
        const int64_t i = s.permutation ? static_cast<int64_t>(s.permutation[position]) : position;
        if (s.permutation && position + data.ahead < s.length) data.prefetch(s.permutation[position + data.ahead]);
        if (!Shape::right_at_a_glance(s, data.row(i), y[i], margin) && Shape::any_within(s, y[i], margin))
            return position;
    }
    return end;
}

// The same, looking only at examples that are not provably right.
template <class Source>
[[gnu::noinline]] int64_t next_wrong_screened(const Source& data, const int32_t* y, State& s, double margin,
                                              int64_t end) {
    Screen& screen = *s.screen;
    const Screening screening{s, screen};
    const float reach = screen.reach;
    const double b = s.b[0];
    int64_t place[collected], index[collected];
    double score[collected];
    int count = 0;
    // Looks at the collected examples; the place of the first wrong one, or end.
    const auto look = [&]() -> int64_t {
        const bool glance = glanceable<decltype(data.row(0))> && s.glance;
        for (int q = 0; q < count; ++q) {
            if (!glance && q % in_flight == 0)
                score_together(data, index + q, std::min(in_flight, count - q), s.w, score + q);
            const int64_t i = index[q];
            ++screen.looked;
            if constexpr (glanceable<decltype(data.row(0))>) {
                if (glance) {
                    const double least = Binary::least_m(s, data.row(i), y[i], 0);
                    if (least > margin) {
                        screen.limit[i] = screening.limit(least, screen.inverse_norm[i]);
                        continue;
                    }
                    score[q] = data.row(i).dot(s.w);
                }
            }
            const double f = score[q] + b;
            const double m = y[i] == s.first_class ? f : -f;
            if (!(m > margin)) {
                screen.limit[i] = -HUGE_VALF;
                s.score[0] = f;
                return place[q];
            }
            screen.limit[i] = screening.limit(m, screen.inverse_norm[i]);
        }
        count = 0;
        return end;
    };
    const auto collect = [&](int64_t position) -> int64_t {
        const int64_t i = s.permutation ? static_cast<int64_t>(s.permutation[position]) : position;
        data.prefetch(i);
        place[count] = position;
        index[count++] = i;
        return count == collected ? look() : end;
    };
    int64_t position = s.position;
    for (; position + lanes <= end; position += lanes)
        for (uint32_t bits = in_reach(screen.limit, s.permutation, position, reach); bits; bits &= bits - 1)
            if (const int64_t found = collect(position + __builtin_ctz(bits)); found < end) return found;
    for (; position < end; ++position)
        if (const int64_t found = collect(position); found < end) return found;
    return look();
}

template <class Source, class Shape>
int64_t next_wrong(const Source& data, const int32_t* y, State& s, double margin, int64_t end) {
    if constexpr (Shape::one_vector)
        if (s.screen && s.screen->on) return next_wrong_screened(data, y, s, margin, end);
    if constexpr (glanceable<decltype(data.row(0))>)
        if (s.glance) return next_wrong_glanced<Source, Shape>(data, y, s, margin, end);
    if constexpr (Shape::one_vector) {
        return next_wrong_of_one(data, y, s, margin, end);
    } else {
        for (int64_t position = s.position; position < end; ++position) {
            const int64_t i = s.permutation ? static_cast<int64_t>(s.permutation[position]) : position;
            if (s.permutation && position + data.ahead < s.length) data.prefetch(s.permutation[position + data.ahead]);
            Shape::judge(s, data.row(i));
            if (Shape::any_within(s, y[i], margin)) return position;
        }
        return end;
    }
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
