// Where the rows of blocks begin: found side by side, and asked for, some blocks before they are laid out.
//
// Every step waits for its row, and for where that is: from here it is known nine cycles earlier than from the place.
#pragma once

#include "source.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

#if defined(__AVX512DQ__) && defined(__AVX512VL__)

// How many blocks before they are laid out rows are asked for; not into the second cache, in which none would be found
// again (from the third cache, 100 000 rows of 20 columns at random, one in twenty wrong: 2.9 ns a row, against 3.3;
// from memory, 1 000 000 of 28: 10.3 ns six blocks before, 13.4 three). What has been read only once, in order, is not
// in the third cache (a first pass over 100 000 of 20, after other work: 1.1 ms the call, and 1.4 three blocks before).
// 0: never, as they are in the second cache, or in order in the third (100 000 of 20: 2.7 ns, and 3.0 where they are
// asked for).
template <class T>
int64_t blocks_ahead_of(const DenseSource<T>& data, bool in_order, bool first_pass) {
    const bool from_memory = first_pass || data.n * data.row_bytes > third_cache;
    if (data.ahead == data.n || (in_order && !from_memory)) return 0;
    return from_memory ? 6 : 3;
}

// Rows are asked for by their first element, by each one a line of the cache further, and by the last one where that
// can lie in one more line. In vain a request takes as long as one that is needed (100 000 rows of 20 columns at
// random, one in five wrong: 5.0 ns a row, and 5.2 with three requests where two do).
template <class T>
bool ends_apart(const DenseSource<T>& data, int64_t columns) {
    constexpr uint64_t line = 64;
    const uint64_t step = static_cast<uint64_t>(data.stride) * sizeof(T);
    const uint64_t begins = reinterpret_cast<uint64_t>(data.values) | step | line;
    const uint64_t latest = line - (begins & -begins);  // where in its line a row begins
    const uint64_t last = static_cast<uint64_t>(columns) * sizeof(T) - 1;
    return (latest + last) / line > (latest + last / line * line) / line;
}

template <int columns, class T>
class Beginnings {
  public:
    // The rows at place[0], place[1] and so on, as many as are to be learnt. Of a permutation more places are known,
    // up to the end of the pass; in order it is the address that is moved on.
    Beginnings(const DenseSource<T>& data, const int32_t* place, int64_t rows, int64_t rows_left, bool in_order,
               bool first_pass)
        : values_(data.values),
          stride_(data.stride),
          place_(place),
          known_(in_order ? rows : rows_left),
          end_apart_(ends_apart(data, columns)) {
        const int64_t blocks = blocks_ahead_of(data, in_order, first_pass);
        last_asked_ = blocks > 0 ? rows_left - (blocks + 1) * lanes : -1;
        asked_ = in_order ? 0 : blocks;
        later_ = in_order ? blocks * lanes * data.stride : 0;
        found_ = std::max<int64_t>(3, asked_ + 1);
        for (int64_t k = 0; k < found_; ++k) find(k);
    }

    const T* const* of_block(int64_t k) const { return row_[k % most]; }

    // To be called after every block k: asks for the rows of a later one, and finds those to be asked for next.
    [[gnu::always_inline]] void go_on_from(int64_t k) {
        if (k * lanes <= last_asked_) {  // decided here for a block, not for every row
            if (end_apart_)
                ask_for(k, true);
            else
                ask_for(k, false);
        }
        find(k + found_);
    }

  private:
    static constexpr int64_t most = 8;
    alignas(64) const T* row_[most][lanes];
    const T* const values_;
    const int64_t stride_;
    const int32_t* const place_;
    const int64_t known_;
    const bool end_apart_;
    int64_t last_asked_, asked_, later_, found_;

    [[gnu::always_inline]] void find(int64_t k) {
        if ((k + 1) * lanes > known_) return;
        const auto beginnings = [&](__m256i place) {
            const __m256i row = _mm256_and_si256(place, _mm256_set1_epi32(static_cast<int>(~negative_label)));
            const __m512i step = _mm512_set1_epi64(stride_ * static_cast<int64_t>(sizeof(T)));
            return _mm512_set1_epi64(reinterpret_cast<int64_t>(values_)) +
                   _mm512_mullo_epi64(_mm512_cvtepu32_epi64(row), step);
        };
        const __m512i place = _mm512_loadu_si512(place_ + k * lanes);
        _mm512_store_si512(row_[k % most], beginnings(_mm512_castsi512_si256(place)));
        _mm512_store_si512(row_[k % most] + 8, beginnings(_mm512_extracti64x4_epi64(place, 1)));
    }

    [[gnu::always_inline]] void ask_for(int64_t k, bool end) const {
        const T* const* const rows = of_block(k + asked_);
#pragma GCC unroll 16
        for (int l = 0; l < lanes; ++l) {
            const T* const row = rows[l] + later_;
#pragma GCC unroll 6
            for (int j = 0; j < columns; j += 64 / static_cast<int>(sizeof(T))) __builtin_prefetch(row + j, 0, 0);
            if (end) __builtin_prefetch(row + columns - 1, 0, 0);
        }
    }
};

#endif

}  // namespace rosenblatt::ROSENBLATT_LEVEL
