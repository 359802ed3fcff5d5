// Finding the next example that is not right: where the time goes, since most examples are.
//
// Problem:  in the order of the pass, find the first example with m <= margin for some machine.
// Given:    the examples, the vectors as they are now, a stretch of positions [s.position, end).
// Returns:  its position with its scores in s.score, or `end`. Nothing is changed on the way, so judging several
//           rows at once with the present vectors finds the same example as judging one after another.
#pragma once

#include "direct.hpp"
#include "linear.hpp"
#include "source.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int in_flight = 4;       // rows judged together
constexpr int64_t calm_after = 8;  // right examples in a row before that pays: what follows a wrong one is judged again

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
    const auto row_at = [&](int64_t p) { return permutation ? static_cast<int64_t>(permutation[p]) : p; };
    const auto judge_one = [&](double& score) {
        const int64_t i = row_at(position);
        if (position < last_prefetch) data.prefetch(permutation[position + data.ahead]);
        score = data.row(i).dot(w) + b;
        return (y[i] == s.first_class ? score : -score) <= margin;
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
            Row row[in_flight];
            double score[in_flight], m[in_flight];
            for (int q = 0; q < in_flight; ++q) {
                row[q] = data.row(row_at(position + q));
                if (position + q < last_prefetch) data.prefetch(permutation[position + q + data.ahead]);
            }
            bool slack = true;
            for (int q = 0; q < in_flight; ++q) slack &= row[q].slack;
            if (slack)
                Row::template dots<in_flight>(row, w, score);
            else
                for (int q = 0; q < in_flight; ++q) score[q] = row[q].dot(w);
            bool wrong = false;
            for (int q = 0; q < in_flight; ++q) {
                score[q] += b;
                m[q] = y[row_at(position + q)] == positive ? score[q] : -score[q];
                wrong |= m[q] <= margin;
            }
            if (!wrong) continue;
            int q = 0;
            while (!(m[q] <= margin)) ++q;
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

template <class Source, class Shape>
int64_t next_wrong(const Source& data, const int32_t* y, State& s, double margin, int64_t end) {
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
