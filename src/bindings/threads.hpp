// Work shared out among threads; the caller's is the first of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace rosenblatt {

// Calls work(k) for k = 0 .. count - 1, each on its own thread.
template <class Work>
void on_threads(size_t count, const Work& work) {
    std::vector<std::thread> others;
    for (size_t k = 1; k < count; ++k) others.emplace_back(work, k);
    work(0);
    for (std::thread& other : others) other.join();
}

// Calls work(first, last) on `threads` stretches of 0..n.
template <class Work>
void in_stretches(int64_t n, int threads, const Work& work) {
    const int64_t parts = std::clamp<int64_t>(threads, 1, std::max<int64_t>(1, n));
    on_threads(static_cast<size_t>(parts), [&](size_t k) {
        const int64_t at = static_cast<int64_t>(k);
        work(n * at / parts, n * (at + 1) / parts);
    });
}

}  // namespace rosenblatt
