// Where the rows come from: typed views over a View. They own nothing.
#pragma once

#include <algorithm>

#include "row.hpp"
#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int64_t rows_ahead = 16, rows_soon = 2, longest_fetch = 4096, second_cache = 1 << 19, third_cache = 1 << 24;

// Rows ahead of the judge are fetched into the second cache: far more of its lines can be on their way at once than of
// the first's, and from there the rest is quick (rows of 784 bytes at random: 40 ns each, against 70 into the first).
// Of longer rows only the beginning: sixteen of them would not fit, and the processor sees where a stream goes on.
// Rows that take long to judge are asked for once more, rows_soon before their turn and into the first cache: those of
// several vectors (784 bytes, ten classes: 114 ns each, against 128), and of one where asked_twice() says so.
// Of another dense row that comes next the middle is fetched into the first cache: one that is read from its beginning
// looks like a stream to the processor, which then fetches what lies behind it; one whose middle has been read does not
// (rows of 400 bytes at random: 24 ns each, against 60). Asking for whole lines and none behind the row is slower too
// (35 and 55 ns): the processor would fetch that line by itself, and late.
// Always inlined: the compiler takes a function that only prefetches for one without effect, and drops it.
template <int cache>
[[gnu::always_inline]] inline void fetch(const void* from, int64_t bytes) {
    const char* p = static_cast<const char*>(from);
    constexpr int locality = 4 - cache;
    for (int64_t at = 0; at < bytes && at < longest_fetch; at += 64) __builtin_prefetch(p + at, 0, locality);
}

template <class T>
struct DenseSource {
    const T* values;
    int64_t n, d, stride;
    int64_t readable;    // behind rows before this one, up to the next multiple of 16 columns, there is memory,
    int64_t with_slack;  // and behind those before this one no NaN in it
    int64_t row_bytes;
    int64_t ahead;              // how many rows ahead to fetch; n, and so none, where the second cache holds them all
    uint16_t* spans = nullptr;  // of bytes, where they are known or sought (span.hpp)
    bool seeking = false;

    explicit DenseSource(const View& v)
        : values(static_cast<const T*>(v.values)),
          n(v.n),
          d(v.d),
          stride(v.stride),
          row_bytes(d * static_cast<int64_t>(sizeof(T))) {
        // Past the last rows there is nobody's memory; between strided rows there may be anything.
        const int64_t padded = (d + lanes - 1) & ~(lanes - 1), behind_first = (n - 1) * stride + d - padded;
        ahead = n * row_bytes > second_cache ? rows_ahead : n;
        readable = d > 0 && stride >= d && behind_first >= 0 ? behind_first / stride + 1 : 0;
        with_slack = stride == d ? readable : 0;
    }

    double mean_row_bytes() const { return static_cast<double>(std::max<int64_t>(1, row_bytes)); }

    Dense<T> row(int64_t i) const { return {values + i * stride, d, i < with_slack, span(i)}; }

    // 784 columns of float32 at random: 164 ns a row, against 218 where they are asked for once.
    bool asked_twice() const { return row_bytes > 1024; }

    template <int cache = 2>
    [[gnu::always_inline]] void prefetch(int64_t i) const {
        // Not the span alone: waiting for its ends costs more than two lines too many.
        if (Dense<T>::bytes && spans) __builtin_prefetch(spans + 2 * i);
        fetch<cache>(values + i * stride, row_bytes + 63);
    }
    [[gnu::always_inline]] void prefetch_next(int64_t i) const { __builtin_prefetch(values + i * stride + d / 2); }

  private:
    [[gnu::always_inline]] Span span(int64_t i) const {
        if (!Dense<T>::bytes || !spans) return {0, d};
        if (seeking) find_span(values + i * stride, d, spans + 2 * i);
        return Span::of_blocks(spans + 2 * i, d);
    }
};

template <class T, class I>
struct SparseSource {
    const T* values;
    const I* columns;
    const I* starts;
    int64_t n, d;
    int64_t with_slack;  // rows before this one may be read up to 15 elements past their end
    static constexpr int64_t ahead = rows_ahead;
    int64_t usual_values, usual_columns;  // bytes

    explicit SparseSource(const View& v)
        : values(static_cast<const T*>(v.values)),
          columns(static_cast<const I*>(v.columns)),
          starts(static_cast<const I*>(v.starts)),
          n(v.n),
          d(v.d),
          usual_values(usual_bytes(sizeof(T))),
          usual_columns(usual_bytes(sizeof(I))) {
        with_slack = std::upper_bound(starts + 1, starts + n + 1, starts[n] - static_cast<I>(lanes)) - (starts + 1);
    }

    double mean_row_bytes() const { return 1 + mean_nonzeros() * (sizeof(T) + sizeof(I)); }

    Sparse<T, I> row(int64_t i) const {
        return {values + starts[i], columns + starts[i], static_cast<int64_t>(starts[i + 1] - starts[i]),
                i < with_slack};
    }

    // Do so many elements follow row i that dot_in_order may read past it, and ask for more?
    bool followed(int64_t i) const { return starts[n] - starts[i + 1] > Sparse<T, I>::elements_ahead + lanes; }

    template <int cache = 2>
    [[gnu::always_inline]] void prefetch(int64_t i) const {
        const int64_t nonzeros = static_cast<int64_t>(starts[i + 1] - starts[i]);
        fetch_at_least<cache>(values + starts[i], nonzeros * static_cast<int64_t>(sizeof(T)), usual_values);
        fetch_at_least<cache>(columns + starts[i], nonzeros * static_cast<int64_t>(sizeof(I)), usual_columns);
    }

    // Of short rows, or where the third cache holds them, it is not worth the requests (at random, 68 nonzeros: 45 ns a
    // row, and 51 asked for once; 12 nonzeros: 23.2 ns, and 22.5; 68 nonzeros of 8 MB in all: 43.8, and 42.7).
    bool asked_twice() const {
        constexpr int64_t element = sizeof(T) + sizeof(I);
        return usual_columns > 256 && static_cast<int64_t>(starts[n]) > third_cache / element;
    }

    // Where a row begins must be known before it can be asked for.
    [[gnu::always_inline]] void prefetch_start(int64_t i) const { __builtin_prefetch(starts + i); }

    // The beginning of it, 16, 48 or 80 elements as the usual row is long: the look-ups wait for the columns (68
    // nonzeros: 27.5 ns a row, against 29.2 with two lines of each).
    [[gnu::always_inline]] void prefetch_next(int64_t i) const {
        const auto ask = [&](int64_t first, int64_t last) __attribute__((always_inline)) {
            for (int64_t at = first; at < last; at += lanes) {
                __builtin_prefetch(values + starts[i] + at);
                __builtin_prefetch(columns + starts[i] + at);
            }
        };
        ask(0, lanes);
        if (usual_columns > 128) ask(lanes, 3 * lanes);
        if (usual_columns > 256) ask(3 * lanes, 5 * lanes);
    }

  private:
    static constexpr int64_t most_usual = 768;  // bytes

    double mean_nonzeros() const {
        return static_cast<double>(starts[n]) / static_cast<double>(std::max<int64_t>(1, n));
    }

    // As many lines as a row of the mean length may lie in, by twos.
    int64_t usual_bytes(size_t element) const {
        const int64_t pairs = static_cast<int64_t>(mean_nonzeros() * static_cast<double>(element) + 63) / 128 + 1;
        return 128 * std::min(pairs, most_usual / 128);
    }

    // The usual lines, however short the row is: a number of requests that differs from row to row is guessed wrong at
    // every other one, which costs more than a line too many (68 nonzeros in float32 at random: 34 ns a row, against
    // 48 where each asked for its own).
    template <int cache>
    [[gnu::always_inline]] static void fetch_at_least(const void* from, int64_t bytes, int64_t usual) {
        const char* p = static_cast<const char*>(from);
        constexpr int locality = 4 - cache;
#pragma GCC unroll 6
        for (int64_t at = 0; at < most_usual; at += 128) {
            if (at >= usual) break;
            __builtin_prefetch(p + at, 0, locality);
            __builtin_prefetch(p + at + 64, 0, locality);
        }
        if (bytes + 63 > usual) fetch<cache>(p + usual, bytes + 63 - usual);
    }
};

struct GramSource {
    const double* values;
    int64_t n, d, stride;
    static constexpr int64_t ahead = rows_ahead;

    explicit GramSource(const View& v)
        : values(static_cast<const double*>(v.values)), n(v.n), d(v.d), stride(v.stride) {}

    double mean_row_bytes() const { return sizeof(double); }

    Gram row(int64_t i) const { return {values + i * stride, i, n}; }

    bool asked_twice() const { return false; }
    template <int cache = 2>
    void prefetch(int64_t) const {}  // judging reads a score, not the row
    void prefetch_next(int64_t) const {}
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
