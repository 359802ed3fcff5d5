// Looking ahead on several threads: who looks where. What it is good for, and when, is core/ahead.hpp's matter.
#pragma once

#include <algorithm>
#include <atomic>

#include "dispatch.hpp"
#include "held.hpp"
#include "threads.hpp"

namespace rosenblatt {

// The first wrong position in [s.position, s.look_until), or the end of it. Each thread takes the next portion that
// nobody has, so that a slow one takes fewer.
inline int64_t first_wrong_on_threads(const View& view, const State& s, Shape shape) {
    constexpr int64_t portions = 32;  // per thread
    const int64_t last = s.look_until, size = (last - s.position) / (portions * s.lookers) + 1;
    std::atomic<int64_t> next{s.position}, found{last};
    on_threads(static_cast<size_t>(s.lookers), [&](size_t) {
        Lines<double> score(static_cast<size_t>(s.vectors));
        for (int64_t first; (first = next.fetch_add(size)) < found;) {
            const int64_t end = std::min(first + size, last);
            const int64_t wrong = compiled().first_wrong(view, s, shape, score.data(), first, end);
            if (wrong < end) lower(found, wrong);
        }
    });
    return found;
}

}  // namespace rosenblatt
