// Where the rows come from: typed views over a View. They own nothing.
#pragma once

#include "row.hpp"
#include "view.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

// Prefetching is always inlined: the compiler takes a function that only prefetches for one without effect, and drops
// it.

template <class T>
struct DenseSource {
    const T* values;
    int64_t n, d, stride;
    int64_t with_slack;        // rows before this one may be read up to the next multiple of 16 columns
    int64_t row_bytes, ahead;  // how far ahead of the judge to prefetch: about 4 kB

    explicit DenseSource(const View& v)
        : values(static_cast<const T*>(v.values)),
          n(v.n),
          d(v.d),
          stride(v.stride),
          row_bytes(d * static_cast<int64_t>(sizeof(T))),
          ahead(row_bytes < 256 ? 16 : 8) {
        // Past the last rows there is nobody's memory; between strided rows there may be a NaN.
        const int64_t padded = (d + lanes - 1) & ~(lanes - 1);
        with_slack = stride == d && n * d >= padded ? (n * d - padded) / d + 1 : 0;
    }

    Dense<T> row(int64_t i) const { return {values + i * stride, d, i < with_slack}; }

    // Four cache lines are enough: the processor sees the stream and fetches the rest.
    [[gnu::always_inline]] void prefetch(int64_t i) const {
        const char* p = reinterpret_cast<const char*>(values + i * stride);
        __builtin_prefetch(p);
        if (row_bytes > 64) __builtin_prefetch(p + 64);
        if (row_bytes > 128) {
            __builtin_prefetch(p + 128);
            __builtin_prefetch(p + 192);
        }
    }
};

template <class T, class I>
struct SparseSource {
    const T* values;
    const I* columns;
    const I* starts;
    int64_t n, d;
    static constexpr int64_t ahead = 8;

    explicit SparseSource(const View& v)
        : values(static_cast<const T*>(v.values)),
          columns(static_cast<const I*>(v.columns)),
          starts(static_cast<const I*>(v.starts)),
          n(v.n),
          d(v.d) {}

    Sparse<T, I> row(int64_t i) const {
        return {values + starts[i], columns + starts[i], static_cast<int64_t>(starts[i + 1] - starts[i])};
    }

    [[gnu::always_inline]] void prefetch(int64_t i) const {
        const char* v = reinterpret_cast<const char*>(values + starts[i]);
        const char* c = reinterpret_cast<const char*>(columns + starts[i]);
        for (int64_t at = 0; at < 256; at += 64) __builtin_prefetch(v + at);
        for (int64_t at = 0; at < 192; at += 64) __builtin_prefetch(c + at);
    }
};

struct GramSource {
    const double* values;
    int64_t n, d, stride;
    static constexpr int64_t ahead = 4;

    explicit GramSource(const View& v)
        : values(static_cast<const double*>(v.values)), n(v.n), d(v.d), stride(v.stride) {}

    Gram row(int64_t i) const { return {values + i * stride, i, n}; }

    [[gnu::always_inline]] void prefetch(int64_t i) const { __builtin_prefetch(values + i * stride); }
};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
