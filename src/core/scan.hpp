// Finding the next example that is not right: where the time goes, since most examples are.
//
// Problem:  in the order of the pass, find the first example with m <= margin for some machine.
// Given:    the examples, the vectors as they are now, a stretch of positions [s.position, end).
// Returns:  its position with its scores in s.score, or `end`.
#pragma once

#include "direct.hpp"
#include "linear.hpp"
#include "order.hpp"
#include "screen.hpp"
#include "source.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int collected = 16;  // rows in reach that are fetched before the first of them is judged

// `labelled`: the place has the label.
template <bool labelled, class Source>
[[gnu::always_inline]] inline void fetch_row(const Source& data, const int32_t* y, int64_t i) {
    data.prefetch(i);
    if constexpr (!labelled) __builtin_prefetch(y + i);
}

// Not inlined: the judge needs all registers. The empty instruction is an effect: without one the compiler drops the
// call.
template <class Source>
[[gnu::noinline]] void fetch_burst(const Source& data, const int32_t* y, const int32_t* permutation, int64_t first,
                                   int64_t last) {
    for (int64_t position = first; position < last; ++position)
        fetch_row<false>(data, y, row_at(permutation, position));
    asm volatile("");
}

// Asks for the rows that come `ahead` places later in the pass, for where those lie that come as much later again, and
// for some of the next row. `several`: vectors.
template <bool several, class Source>
[[gnu::always_inline]] inline void fetch_ahead(const Source& data, const int32_t* y, const int32_t* permutation,
                                               int64_t position, int64_t length) {
    const int64_t later = position + data.ahead;
    if (later >= length) return;
    constexpr int64_t burst = Source::template burst<several>;
    if constexpr (requires { data.prefetch_start(0); })
        if (permutation) data.prefetch_start(row_at(permutation, std::min(later + data.ahead, length - 1)));
    if constexpr (burst == 1)
        fetch_row<!several>(data, y, row_at(permutation, later));
    else if (position % burst == 0)
        fetch_burst(data, y, permutation, later, std::min(later + burst, length));
    if (permutation) data.prefetch_next(row_at(permutation, position + 1));
}

// Are the rows read in order, and such that it helps to know that?
template <class Source>
bool streamed(const State& s) {
    return requires(const Source& data) { data.followed(0); } && !s.permutation;
}

// One weight vector, one row after the other: the processor works on several at once by itself, and reading several
// side by side confuses its prefetching (100 columns from memory: 15 ns a row, 23 in fours). Calls
// wrong(position, place, score), which may move the vector, for every wrong example until it returns true; returns the
// position of that one, or `end`.
template <bool streaming, class Source, class Wrong>
[[gnu::always_inline]] inline int64_t each_wrong(const Source& data, const int32_t* y, const State& s, double margin,
                                                 int64_t end, const Wrong& wrong) {
    const double* const w = s.w;
    double b = s.b[0];
    const int32_t positive = s.first_class;
    const int32_t* const permutation = s.permutation;
    const int64_t length = s.length;
    for (int64_t position = s.position; position < end; ++position) {
        const int32_t place = place_at(streaming ? nullptr : permutation, y, positive, position);
        const int64_t i = row_of(place);
        double score = b;
        if constexpr (streaming) {
            score += data.followed(i) ? data.row(i).dot_in_order(w) : data.row(i).dot(w);
        } else {
            fetch_ahead<false>(data, y, permutation, position, length);
            score += data.row(i).dot(w);
        }
        if (!(sign_of(positive_at(place)) * score > margin)) {
            if (wrong(position, place, score)) return position;
            b = s.b[0];
        }
    }
    return end;
}

template <class Source, bool streaming>
[[gnu::noinline]] int64_t next_wrong_of_one(const Source& data, const int32_t* y, State& s, double margin,
                                            int64_t end) {
    return each_wrong<streaming>(data, y, s, margin, end, [&](int64_t, int32_t, double score) {
        s.score[0] = score;
        return true;
    });
}

// Several vectors, or rows of bytes, most of which a glance settles.
template <class Source, class Shape>
[[gnu::noinline]] int64_t next_wrong_of_all(const Source& data, const int32_t* y, State& s, double margin,
                                            int64_t end) {
    for (int64_t position = s.position; position < end; ++position) {
        fetch_ahead<!Shape::one_vector>(data, y, s.permutation, position, s.length);
        const int64_t i = row_at(s.permutation, position);
        const auto row = data.row(i);
        const int32_t code =
            Shape::one_vector && s.permutation
                ? s.first_class - !positive_at(s.permutation[position])  // anything but the first class
                : y[i];
        if constexpr (glanceable<decltype(data.row(0))>) {
            if (!s.glance)
                Shape::judge(s, row);
            else if (Shape::right_at_a_glance(s, row, code, margin))
                continue;
        } else {
            Shape::judge(s, row);
        }
        if (Shape::any_within(s, code, margin)) return position;
    }
    return end;
}

// One weight vector, looking only at examples that are not provably right: those in reach, of the short list or of all.
// What is scanned are the entries of the list, or the positions of the pass.
template <class Source, bool by_list>
[[gnu::noinline]] int64_t next_wrong_screened(const Source& data, const int32_t* y, State& s, double margin,
                                              int64_t end) {
    Screen& screen = *s.screen;
    const Screening screening{s, screen};
    const float reach = screen.reach;
    const double b = s.b[0];
    const int64_t first = by_list ? screening.first_listed(s.position) : s.position;
    const int64_t last = !by_list ? end : end == s.length ? screen.listed : screening.first_listed(end);
    float* const limit = by_list ? screen.near_limit : screen.limit;
    const auto position_of = [&](int64_t entry) { return by_list ? int64_t{screen.place[entry]} : entry; };
    int32_t entries[collected + lanes];  // counted from the first
    int count = 0;
    // Looks at the collected examples; the entry of the first wrong one, or the last.
    const auto look = [&]() -> int64_t {
        for (int q = 0; q < count; ++q) data.prefetch(row_at(s.permutation, position_of(first + entries[q])));
        for (int q = 0; q < count; ++q) {
            const int64_t entry = first + entries[q], i = row_at(s.permutation, position_of(entry));
            float& known = limit[by_list ? entry : i];
            const auto row = data.row(i);
            if constexpr (glanceable<decltype(row)>) {
                if (s.glance) {
                    const double least = Binary::least_m(s, row, y[i]);
                    if (least > margin) {
                        known = screening.limit(least, screen.inverse_norm[i]);
                        continue;
                    }
                }
            }
            const double f = row.dot(s.w) + b;
            const double m = sign_of(y[i] == s.first_class) * f;
            if (!(m > margin)) {
                known = -HUGE_VALF;
                s.score[0] = f;
                screen.looked += q + 1;
                return entry;
            }
            known = screening.limit(m, screen.inverse_norm[i]);
        }
        screen.looked += count;
        count = 0;
        return last;
    };
    const auto found_at = [&](int64_t entry) {
        if (by_list) screen.next = std::min(entry + 1, last);
        return entry < last ? position_of(entry) : end;
    };
    int64_t entry = first;
    for (; entry + lanes <= last; entry += lanes) {
        const uint32_t bits = in_reach(limit, by_list ? nullptr : s.permutation, entry, reach);
        count += write_places(bits, static_cast<int32_t>(entry - first), entries + count);
        if (count >= collected)
            if (const int64_t found = look(); found < last) return found_at(found);
    }
    for (; entry < last; ++entry) entries[count++] = static_cast<int32_t>(entry - first);
    return found_at(look());
}

template <class Source, class Shape>
int64_t next_wrong(const Source& data, const int32_t* y, State& s, double margin, int64_t end) {
    if constexpr (Shape::one_vector) {
        if (s.screen && s.screen->on)
            return Screening{s, *s.screen}.by_list(data.n)
                       ? next_wrong_screened<Source, true>(data, y, s, margin, end)
                       : next_wrong_screened<Source, false>(data, y, s, margin, end);
        if constexpr (requires { data.followed(0); })
            if (streamed<Source>(s)) return next_wrong_of_one<Source, true>(data, y, s, margin, end);
        if (!s.glance) return next_wrong_of_one<Source, false>(data, y, s, margin, end);
    }
    return next_wrong_of_all<Source, Shape>(data, y, s, margin, end);
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
