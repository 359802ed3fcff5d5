// Looking ahead on several threads: until an example is wrong the vectors stand still, and all verdicts can be had at
// once.
//
// Problem:  where updates are rare, one core judges row after row and the others are idle.
// Given:    the vectors as they are now; the driver shares positions [s.position, s.look_until) out among s.lookers.
// Returns:  the first wrong position of a part. From the first of all parts the loop goes on; what was looked at behind
//           it is forgotten, so that every update is the one that a single thread makes.
// One update in 100 000 rows of sparse text, two cores: 41 ns a row, and 26.
#pragma once

#include <algorithm>

#include "stretch.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// When to look ahead, how far and on how many threads.
class LookingAhead {
  public:
    template <class Source>
    LookingAhead(const Source& data, const State& s)
        : share_(1 + static_cast<int64_t>(s.least_share / data.mean_row_bytes())),
          most_(1 + static_cast<int64_t>(most_bytes / (data.mean_row_bytes() * s.vectors))) {}

    // As far as the last wrong example lies behind, or as the last two lay apart.
    bool plan(State& s) const {
        if (alone(s) || s.position == s.wrong_at) return false;
        const int64_t rows =
            std::min({s.length - s.position, std::max(s.steps - s.quiet_since, s.quiet_before), most_});
        if (rows < 2 * share_) return false;
        s.lookers = static_cast<int32_t>(std::min<int64_t>(s.threads, rows / share_));
        s.look_until = s.position + rows;
        return true;
    }

    // How far to go before that is asked again: over one that is known to be wrong, or in the hope of many right ones.
    int64_t alone_until(const State& s, int64_t end) const { return alone(s) ? end : alone_until(s, end, 2 * share_); }

    static int64_t alone_until(const State& s, int64_t end, int64_t most) {
        return std::min(end, s.position + (s.position == s.wrong_at ? 1 : most));
    }

    // After so many steps an example was wrong.
    static void found_wrong(State& s, int64_t steps) {
        s.quiet_before = steps - s.quiet_since;
        s.quiet_since = steps + 1;
    }

  private:
    // Screening keeps accounts of what it looks at, and spans are sought by whoever comes by: neither is shared.
    static bool alone(const State& s) {
        return s.threads <= 1 || (s.screen && s.screen->on) || (s.glance && s.glance->spans_are == Spans::sought);
    }

    static constexpr double most_bytes = 1 << 27;  // after which somebody should look at the clock
    int64_t share_, most_;                         // rows: worth one more thread; at a time
};

// The first wrong position in [first, last), or last. Reads what others read; only `score` is its own.
template <class Source, class Shape>
int64_t first_wrong(Source data, const int32_t* y, const State& s, double* score, int64_t first, int64_t last) {
    State mine = s;
    mine.score = score;
    mine.position = first;
    if constexpr (stretchable<Source, Shape>)
        if (s.stretching && fits_registers(s)) return next_wrong_in_registers(data, y, mine, last);
    if constexpr (glanceable<decltype(data.row(0))>)
        if (s.glance && s.glance->spans_are == Spans::known) data.spans = s.glance->spans;
    return next_wrong<Source, Shape>(data, y, mine, s.margin, last);
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
