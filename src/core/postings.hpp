// Inner products of sparse rows with sparse rows.
//
// Problem:  two rows of text share few of their columns; products should cost what they share.
// Given:    rows A with, for every column, the list of those that have it (their postings), and rows B.
// Returns:  S = A B^T, dense: each entry of a row of B walks the postings of its column. A column that many rows have
//           is kept whole, and added as a vector: words like "the" are most of the work otherwise. Eight rows of B at a
//           time, so that what is written of S are whole cache lines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rosenblatt {

// A CSR matrix whose indices and values may be of any kind.
template <class T, class I>
struct SparseRows {
    const T* values;
    const I* columns;
    const I* starts;
    int64_t n;
};

class Postings {
  public:
    using AddTimes = void (*)(const double* x, double s, double* out, int64_t n);  // out += s x

    template <class T, class I>
    Postings(const SparseRows<T, I>& a, int64_t d, AddTimes add_times)
        : n_(a.n), add_times_(add_times), starts_(static_cast<size_t>(d) + 1), whole_(static_cast<size_t>(d), -1) {
        const int64_t entries = a.n > 0 ? a.starts[a.n] - a.starts[0] : 0;
        rows_.resize(static_cast<size_t>(entries));
        values_.resize(static_cast<size_t>(entries));
        for (int64_t i = 0; i < a.n; ++i)
            for (int64_t e = a.starts[i]; e < a.starts[i + 1]; ++e) ++starts_[static_cast<size_t>(a.columns[e]) + 1];
        for (size_t j = 1; j < starts_.size(); ++j) starts_[j] += starts_[j - 1];
        std::vector<int64_t> next(starts_.begin(), starts_.end() - 1);
        for (int64_t i = 0; i < a.n; ++i)
            for (int64_t e = a.starts[i]; e < a.starts[i + 1]; ++e) {
                const auto place = static_cast<size_t>(next[static_cast<size_t>(a.columns[e])]++);
                rows_[place] = static_cast<int32_t>(i);
                values_[place] = static_cast<double>(a.values[e]);
            }
        for (size_t j = 0; j < whole_.size(); ++j)
            if (often * (starts_[j + 1] - starts_[j]) > n_) keep_whole(j);
    }

    static constexpr int64_t together = 8;

    // Columns first..last of S, which has `all` of them; `sums` is room for `together` x n numbers.
    template <class T, class I>
    void products(const SparseRows<T, I>& b, int64_t first, int64_t last, double* S, int64_t all, double* sums) const {
        for (int64_t j = first; j < last; j += together) {
            const int64_t some = j + together < last ? together : last - j;
            std::fill(sums, sums + together * n_, 0.0);
            for (int64_t l = 0; l < some; ++l) add(b, j + l, sums + l * n_);
            for (int64_t i = 0; i < n_; ++i)
                for (int64_t l = 0; l < some; ++l) S[i * all + j + l] = sums[l * n_ + i];
        }
    }

  private:
    static constexpr int64_t often = 8;  // a column is kept whole if more than one row in so many has it

    void keep_whole(size_t column) {
        whole_[column] = static_cast<int64_t>(columns_.size());
        columns_.resize(columns_.size() + static_cast<size_t>(n_));
        double* const out = columns_.data() + whole_[column];
        for (int64_t p = starts_[column]; p < starts_[column + 1]; ++p)
            out[rows_[static_cast<size_t>(p)]] += values_[static_cast<size_t>(p)];
    }

    template <class T, class I>
    void add(const SparseRows<T, I>& b, int64_t row, double* sum) const {
        for (int64_t e = b.starts[row]; e < b.starts[row + 1]; ++e) {
            const double x = static_cast<double>(b.values[e]);
            const auto column = static_cast<size_t>(b.columns[e]);
            if (whole_[column] >= 0) {
                add_times_(columns_.data() + whole_[column], x, sum, n_);
                continue;
            }
            for (int64_t p = starts_[column]; p < starts_[column + 1]; ++p)
                sum[rows_[static_cast<size_t>(p)]] += x * values_[static_cast<size_t>(p)];
        }
    }

    int64_t n_;
    AddTimes add_times_;
    std::vector<int64_t> starts_;
    std::vector<int64_t> whole_;   // where a column kept whole begins, or -1
    std::vector<double> columns_;  // those kept whole
    std::vector<int32_t> rows_;
    std::vector<double> values_;
};

}  // namespace rosenblatt
