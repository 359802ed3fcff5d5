// Looking ahead on several threads: until an example is wrong the vectors stand still, and all verdicts can be had at
// once.
//
// Problem:  where updates are rare, one core judges row after row and the others are idle.
// Given:    the vectors as they are now; the driver shares positions [s.position, s.look_until) out among threads.
// Returns:  the first wrong position of a part. From the first of all parts the loop goes on; what was looked at behind
//           it is forgotten, so that every update is the one that a single thread makes.
// One update in 100 000 rows of sparse text, two cores: 41 ns a row, and 26.
#pragma once

#include <algorithm>

#include "stretch.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr double most_shared = 1 << 27;  // bytes of examples after which somebody should look at the clock

// Is it worth looking ahead, how far and on how many threads? As far as the last wrong example lies behind, or as
// updates lay apart in the last pass.
template <class Source>
bool worth_looking_ahead(const Source& data, State& s) {
    if (s.threads <= 1 || s.position == s.wrong_at || (s.screen && s.screen->on)) return false;
    const int64_t apart = s.pass_size > 0 ? s.length / (s.pass_updates[s.pass_size - 1] + 1) : 0;
    const double row = data.mean_row_bytes();
    const int64_t most = static_cast<int64_t>(most_shared / row);
    const int64_t rows = std::min({s.length - s.position, std::max(s.steps - s.quiet_since, apart), most});
    s.lookers = static_cast<int32_t>(std::min<double>(s.threads, static_cast<double>(rows) * row / s.least_share));
    s.look_until = s.position + rows;
    return s.lookers > 1;
}

// How far to go alone before that is asked again.
template <class Source>
int64_t alone_until(const Source& data, const State& s, int64_t end) {
    if (s.threads <= 1) return end;
    return std::min(end, s.position + 1 + static_cast<int64_t>(2 * s.least_share / data.mean_row_bytes()));
}

// The first wrong position in [first, last), or last. Reads what others read; only `score` is its own.
template <class Source, class Shape>
int64_t first_wrong(Source data, const int32_t* y, const State& s, double* score, int64_t first, int64_t last) {
    State mine = s;
    mine.score = score;
    mine.position = first;
    if constexpr (stretchable<Source, Shape>)
        if (fits_registers(s)) return next_wrong_in_registers(data, y, mine, last);
    if constexpr (glanceable<decltype(data.row(0))>)
        if (s.glance && s.glance->spans_are == Spans::known) data.spans = s.glance->spans;
    return next_wrong<Source, Shape>(data, y, mine, s.margin, last);
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
