// In which order the examples are shown.
//
// Problem:  the same seed must give the same order in C++, in Python (blackboard.py) and in the browser.
// Given:    a 64-bit seed and the number of examples n.
// Returns:  SplitMix64 numbers; below(n) = floor(u * n / 2^64); a forward Fisher-Yates shuffle of n places:
//           for i = 0 .. n-2, swap places i and i + below(n - i).
// Reference: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014 (SplitMix64);
//            Knuth, TAOCP vol. 2, algorithm 3.4.2P.
#pragma once

#include <cstdint>
#include <cstring>
#include <utility>

#include "view.hpp"

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
    return permutation ? row_of(permutation[position]) : position;
}

// The place at a position of the pass, where one binary machine learns; in order it is made of y.
inline int32_t place_at(const int32_t* permutation, const int32_t* y, int32_t first_class, int64_t position) {
    return permutation ? permutation[position] : place_of(position, y[position] == first_class);
}

// With whom the places i, i + 1, ... of n are swapped.
template <int64_t count>
[[gnu::always_inline]] inline void draw(uint64_t& state, int64_t i, int64_t n, int32_t* other) {
    for (int64_t k = 0; k < count; ++k) {
        const uint64_t u = mix(state + (k + 1) * increment), left = static_cast<uint64_t>(n - i - k);
        // u times n by halves of u, which a vector can do.
        other[k] = static_cast<int32_t>(i + k + (((u >> 32) * left + ((u & 0xFFFFFFFF) * left >> 32)) >> 32));
    }
    state += count * increment;
}

// Shuffles what stands in the places. Where vectors can multiply, many are drawn at a time, and some time before they
// are needed: numbers that a vector has just stored are not to be had one by one (2.0 ns a place one by one, 0.6 at a
// time, 0.5 so).
inline void shuffle(uint64_t& state, int32_t* place, int64_t n) {
    int64_t i = 0;
#if defined(__AVX512DQ__)
    constexpr int64_t batch = 32;
    alignas(64) int32_t other[2][batch];
    if (batch < n) draw<batch>(state, 0, n, other[0]);
    for (int64_t k = 0; i + batch < n; i += batch, ++k) {
        const bool more = i + 2 * batch < n;
        if (more) draw<batch>(state, i + batch, n, other[(k + 1) % 2]);
        asm volatile("" : : "r"(other) : "memory");  // in this order
        const int32_t* const with = other[k % 2];
        for (int64_t l = 0; l < batch; l += 2) {
            uint64_t two;
            std::memcpy(&two, with + l, sizeof two);
            std::swap(place[i + l], place[static_cast<uint32_t>(two)]);
            std::swap(place[i + l + 1], place[two >> 32]);
        }
    }
#endif
    for (; i + 1 < n; ++i) std::swap(place[i], place[i + below(state, n - i)]);
}

// All rows in a new order. `y`: labels that travel with them, or null.
inline void permute(uint64_t& state, const int32_t* y, int32_t first_class, int32_t* place, int64_t n) {
    for (int64_t i = 0; i < n; ++i) place[i] = place_of(i, !y || y[i] == first_class);
    shuffle(state, place, n);
}

}  // namespace rosenblatt::ROSENBLATT_LEVEL
