// Work shared out among threads; the caller's is the first of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace rosenblatt {

// Calls work(k) for k = 0 .. count - 1, each on its own thread, or here where no thread can be had. What a thread
// throws is thrown here when all are done, the first if several do.
template <class Work>
void on_threads(size_t count, const Work& work) {
    std::exception_ptr thrown;
    std::mutex mutex;
    const auto guarded = [&](size_t k) {
        try {
            work(k);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex);
            if (!thrown) thrown = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    others.reserve(count);
    try {
        while (others.size() + 1 < count) others.emplace_back(guarded, others.size() + 1);
    } catch (...) {  // no more can be had
    }
    guarded(0);
    for (size_t k = others.size() + 1; k < count; ++k) guarded(k);
    for (std::thread& other : others) other.join();
    if (thrown) std::rethrow_exception(thrown);
}

// Keeps the smallest of the places that several threads find.
inline void lower(std::atomic<int64_t>& found, int64_t place) {
    for (int64_t known = found; place < known && !found.compare_exchange_weak(known, place);) {
    }
}

constexpr size_t worth_parsing = size_t{1} << 19, worth_reading = size_t{1} << 23;

// How many threads for so many bytes, of which some are `worth` starting one: half a megabyte of text, of numbers that
// are only looked at eight.
inline size_t threads_for(size_t bytes, int64_t threads, size_t worth) {
    return std::min(static_cast<size_t>(std::max<int64_t>(threads, 1)), std::max<size_t>(1, bytes / worth));
}

// Calls work(first, last) on `threads` stretches of 0..n.
template <class Work>
void in_stretches(int64_t n, int64_t threads, const Work& work) {
    const int64_t parts = std::clamp<int64_t>(threads, 1, std::max<int64_t>(1, n));
    on_threads(static_cast<size_t>(parts), [&](size_t k) {
        const int64_t at = static_cast<int64_t>(k);
        work(n * at / parts, n * (at + 1) / parts);
    });
}

}  // namespace rosenblatt
