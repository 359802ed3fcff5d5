// Where the rows come from: typed views over a View. They own nothing.
#pragma once

#include <algorithm>

#include "row.hpp"
#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

constexpr int64_t rows_ahead = 16, longest_fetch = 4096, second_cache = 1 << 19;

// Rows ahead of the judge are fetched into the second cache: far more of its lines can be on their way at once than of
// the first's, and from there the rest is quick (rows of 784 bytes at random: 40 ns each, against 70 into the first).
// Of longer rows only the beginning: sixteen of them would not fit, and the processor sees where a stream goes on.
// The middle of the row that comes next is fetched into the first cache: a row that is read from its beginning looks
// like a stream to the processor, which then fetches what lies behind it; one whose middle has been read does not
// (rows of 400 bytes at random: 24 ns each, against 60). Asking for whole lines and none behind the row is slower too
// (35 and 55 ns): the processor would fetch that line by itself, and late.
// Always inlined: the compiler takes a function that only prefetches for one without effect, and drops it.
[[gnu::always_inline]] inline void fetch(const void* from, int64_t bytes) {
    const char* p = static_cast<const char*>(from);
    for (int64_t at = 0; at < bytes && at < longest_fetch; at += 64) __builtin_prefetch(p + at, 0, 2);
}

template <class T>
struct DenseSource {
    const T* values;
    int64_t n, d, stride;
    int64_t with_slack;  // rows before this one may be read up to the next multiple of 16 columns
    int64_t row_bytes;
    int64_t ahead;  // how many rows ahead to fetch; n, and so none, where the second cache holds them all
    // Rows per burst. Several vectors that judge bytes are slowed by requests in between (MNIST, five classes: 77 ns a
    // row, against 92 where each row asks for one); one vector, or floats, by rows that come all at once.
    template <bool several>
    static constexpr int64_t burst = several && Dense<T>::bytes ? 8 : 1;
    uint16_t* spans = nullptr;  // of bytes, where they are known or sought (span.hpp)
    bool seeking = false;

    explicit DenseSource(const View& v)
        : values(static_cast<const T*>(v.values)),
          n(v.n),
          d(v.d),
          stride(v.stride),
          row_bytes(d * static_cast<int64_t>(sizeof(T))) {
        // Past the last rows there is nobody's memory; between strided rows there may be a NaN.
        const int64_t padded = (d + lanes - 1) & ~(lanes - 1);
        ahead = n * row_bytes > second_cache ? rows_ahead : n;
        with_slack = d > 0 && stride == d && n * d >= padded ? (n * d - padded) / d + 1 : 0;
    }

    double mean_row_bytes() const { return static_cast<double>(std::max<int64_t>(1, row_bytes)); }

    Dense<T> row(int64_t i) const { return {values + i * stride, d, i < with_slack, span(i)}; }

    [[gnu::always_inline]] void prefetch(int64_t i) const {
        // Not the span alone: waiting for its ends costs more than two lines too many.
        if (Dense<T>::bytes && spans) __builtin_prefetch(spans + 2 * i);
        fetch(values + i * stride, row_bytes + 63);
    }
    [[gnu::always_inline]] void prefetch_middle(int64_t i) const { __builtin_prefetch(values + i * stride + d / 2); }

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
    // In bursts: while lines of rows are on their way the weights come slowly from the second cache, so that fetching
    // and judging take turns (68 nonzeros at random in float32: 55 ns a row, against 65 where each row asks for one).
    // The first of a burst are judged while the last are on their way.
    template <bool>
    static constexpr int64_t burst = 16;
    static constexpr int64_t ahead = 4;

    explicit SparseSource(const View& v)
        : values(static_cast<const T*>(v.values)),
          columns(static_cast<const I*>(v.columns)),
          starts(static_cast<const I*>(v.starts)),
          n(v.n),
          d(v.d) {}

    double mean_row_bytes() const {
        return 1 +
               static_cast<double>(starts[n]) * (sizeof(T) + sizeof(I)) / static_cast<double>(std::max<int64_t>(1, n));
    }

    Sparse<T, I> row(int64_t i) const {
        return {values + starts[i], columns + starts[i], static_cast<int64_t>(starts[i + 1] - starts[i])};
    }

    // Do so many elements follow row i that dot_in_order may read past it, and ask for more?
    bool followed(int64_t i) const { return starts[n] - starts[i + 1] > Sparse<T, I>::elements_ahead + lanes; }

    [[gnu::always_inline]] void prefetch(int64_t i) const {
        const int64_t nonzeros = static_cast<int64_t>(starts[i + 1] - starts[i]);
        fetch(values + starts[i], nonzeros * static_cast<int64_t>(sizeof(T)) + 63);
        fetch(columns + starts[i], nonzeros * static_cast<int64_t>(sizeof(I)) + 63);
    }

    [[gnu::always_inline]] void prefetch_middle(int64_t i) const {
        const I middle = starts[i] + (starts[i + 1] - starts[i]) / 2;
        __builtin_prefetch(values + middle);
        __builtin_prefetch(columns + middle);
    }
};

struct GramSource {
    const double* values;
    int64_t n, d, stride;
    template <bool>
    static constexpr int64_t burst = 1;
    static constexpr int64_t ahead = rows_ahead;

    explicit GramSource(const View& v)
        : values(static_cast<const double*>(v.values)), n(v.n), d(v.d), stride(v.stride) {}

    double mean_row_bytes() const { return sizeof(double); }

    Gram row(int64_t i) const { return {values + i * stride, i, n}; }

    void prefetch(int64_t) const {}  // judging reads a score, not the row
    void prefetch_middle(int64_t) const {}
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
