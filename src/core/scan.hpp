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

// How the rows of a stretch come to be in the caches: as a stream, asked for some rows ahead, or twice.
enum class Reading { stream, asked, asked_twice };

// Rows for which it helps to know that they are read in order.
template <class Source>
constexpr bool streamable = requires(const Source& data) { data.followed(0); };

// Calls read(constant) with how these rows are best read.
template <class Source, class Read>
auto read_best(const Source& data, const State& s, const Read& read) {
    if constexpr (streamable<Source>) {
        if (!s.permutation) return read(std::integral_constant<Reading, Reading::stream>());
    }
    if (data.asked_twice()) return read(std::integral_constant<Reading, Reading::asked_twice>());
    return read(std::integral_constant<Reading, Reading::asked>());
}

// Asks for the row that comes `ahead` places later in the pass, for where the one lies that comes as much later again,
// and for one that comes soon, or some of the next. `several`: vectors. An order that another thread has made lies in
// the cache of another core, and is asked for too (sparse text, two threads: 36.6 ns a row, and 34.4; one: no change).
template <bool several, Reading reading = Reading::asked, class Source>
[[gnu::always_inline]] inline void fetch_ahead(const Source& data, const int32_t* y, const int32_t* permutation,
                                               int64_t position, int64_t length) {
    const int64_t later = position + data.ahead;
    if (later >= length) return;
    if constexpr (requires { data.prefetch_start(0); })
        if (permutation) data.prefetch_start(row_at(permutation, std::min(position + 2 * data.ahead, length - 1)));
    if (permutation) __builtin_prefetch(permutation + std::min(position + 8 * data.ahead, length - 1));
    const int64_t row = row_at(permutation, later);
    data.prefetch(row);
    // One vector finds the label in the place, or reads y in order: only several ask for it.
    if constexpr (several) __builtin_prefetch(y + row);
    if (!permutation) return;
    if constexpr (several || reading == Reading::asked_twice)
        data.template prefetch<1>(row_at(permutation, position + rows_soon));
    else
        data.prefetch_next(row_at(permutation, position + 1));
}

// One weight vector, one row after the other: the processor works on several at once by itself, and reading several
// side by side confuses its prefetching (100 columns from memory: 15 ns a row, 23 in fours). Calls
// wrong(position, place, score), which may move the vector, for every wrong example until it returns true; returns the
// position of that one, or `end`.
template <Reading reading, class Source, class Wrong>
[[gnu::always_inline]] inline int64_t each_wrong(const Source& data, const int32_t* y, const State& s, double margin,
                                                 int64_t end, const Wrong& wrong) {
    const double* const w = s.w;
    double b = s.b[0];
    const int32_t positive = s.first_class;
    const int32_t* const permutation = s.permutation;
    const int64_t length = s.length;
    constexpr bool streaming = reading == Reading::stream;
    for (int64_t position = s.position; position < end; ++position) {
        const int64_t i = streaming ? position : row_at(permutation, position);
        double score = b;
        if constexpr (streaming) {
            score += data.followed(i) ? data.row(i).dot_in_order(w) : data.row(i).dot(w);
        } else {
            fetch_ahead<false, reading>(data, y, permutation, position, length);
            score += data.row(i).dot(w);
        }
        // Not before the score: in order, on two cores, that costs a pass 7 %.
        const int32_t place = place_at(streaming ? nullptr : permutation, y, positive, position);
        if (!(sign_of(positive_at(place)) * score > margin)) {
            if (wrong(position, place, score)) return position;
            b = s.b[0];
        }
    }
    return end;
}

template <class Source, Reading reading>
[[gnu::noinline]] int64_t next_wrong_of_one(const Source& data, const int32_t* y, State& s, double margin,
                                            int64_t end) {
    return each_wrong<reading>(data, y, s, margin, end, [&](int64_t, int32_t, double score) {
        s.score[0] = score;
        return true;
    });
}

// A class on the right side of the one machine: the first, or any other.
inline int32_t class_at(const State& s, int32_t place) { return s.first_class - !positive_at(place); }

// Several vectors, or rows of bytes, most of which a glance settles.
template <class Source, class Shape>
[[gnu::noinline]] int64_t next_wrong_of_all(const Source& data, const int32_t* y, State& s, double margin,
                                            int64_t end) {
    for (int64_t position = s.position; position < end; ++position) {
        fetch_ahead<!Shape::one_vector>(data, y, s.permutation, position, s.length);
        const int64_t i = row_at(s.permutation, position);
        const auto row = data.row(i);
        const int32_t code =
            Shape::one_vector ? class_at(s, place_at(s.permutation, y, s.first_class, position)) : y[i];
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
    const double b = s.b[0];
    const int64_t first = by_list ? screening.first_listed(s.position) : s.position;
    const int64_t last = !by_list ? end : end == s.length ? screen.listed : screening.first_listed(end);
    const auto place_of_entry = [&](int64_t entry) {
        return by_list ? screen.place[entry] : place_at(s.permutation, y, s.first_class, entry);
    };
    const auto wrong = [&](int64_t entry) {
        const int32_t place = place_of_entry(entry);
        const int64_t i = row_of(place);
        const auto row = data.row(i);
        const auto right = [&](double m) {
            if (!by_list) screen.limit[i] = std::max(screen.limit[i], screening.limit(m, i));
            return false;
        };
        ++screen.looked;
        if constexpr (glanceable<decltype(row)>) {
            if (s.glance) {
                const double least = Binary::least_m(s, row, class_at(s, place));
                if (least > margin) return right(least);
            }
        }
        const double f = row.dot(s.w) + b;
        const double m = sign_of(positive_at(place)) * f;
        if (m > margin) return right(m);
        s.score[0] = f;
        return true;
    };
    const int64_t found = each_in_reach(
        by_list ? screen.near_limit : screen.limit, by_list ? nullptr : s.permutation, first, last, screen.reach,
        [&](int64_t entry) { data.prefetch(row_of(place_of_entry(entry))); }, wrong);
    if (by_list) screen.next = std::min(found + 1, last);
    return found == last ? end : by_list ? int64_t{screen.position[found]} : found;
}

template <class Source, class Shape>
int64_t next_wrong(const Source& data, const int32_t* y, State& s, double margin, int64_t end) {
    if constexpr (Shape::one_vector) {
        if (s.screen && s.screen->on)
            return Screening{s, *s.screen}.by_list(data.n, y)
                       ? next_wrong_screened<Source, true>(data, y, s, margin, end)
                       : next_wrong_screened<Source, false>(data, y, s, margin, end);
        if (!s.glance)
            return read_best(data, s,
                             [&](auto reading) { return next_wrong_of_one<Source, reading>(data, y, s, margin, end); });
    }
    return next_wrong_of_all<Source, Shape>(data, y, s, margin, end);
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
