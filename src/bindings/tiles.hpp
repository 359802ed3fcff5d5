// Kernel values of sparse rows, and sums of them, tile by tile on all threads (core/tile.hpp).
#pragma once

#include <atomic>
#include <cmath>
#include <optional>
#include <thread>
#include <utility>

#include "held.hpp"
#include "products.hpp"

namespace rosenblatt {

// How small the numbers are, and how long the longest row.
struct Smallness {
    // Are all numbers whole, no column twice in a row, and float32 enough for every inner product of two rows?
    bool whole = true;
    double longest = 0;  // the largest squared norm

    explicit Smallness(const View& v) {
        const double most = std::min(127.0, std::sqrt(0x1p24 / std::max<double>(1, static_cast<double>(v.d))));
        visit_sparse(v, [&](const auto& rows) {
            for (int64_t i = 0; i < v.n; ++i) {
                double squared = 0;
                for (auto e = rows.starts[i]; e < rows.starts[i + 1]; ++e) {
                    const double value = static_cast<double>(rows.values[e]);
                    whole &= std::abs(value) <= most && value == static_cast<double>(static_cast<int32_t>(value));
                    whole &= e == rows.starts[i] || rows.columns[e - 1] < rows.columns[e];
                    squared += value * value;
                }
                longest = std::max(longest, squared);
            }
        });
    }
};

// The values of rbf at all squared distances up to (|a| + |b|)^2 <= 2 (|a|^2 + |b|^2), if these are whole and fewer
// than the values that are asked for.
inline std::vector<double> rbf_by_distance(const Smallness& a, const Smallness& b, double gamma, double asked) {
    const double most = 2 * (a.longest + b.longest);
    if (!a.whole || !b.whole || most >= std::min(4096.0, asked)) return {};
    std::vector<double> values(static_cast<size_t>(most) + 1), distances(values.size());
    for (size_t k = 0; k < values.size(); ++k) distances[k] = static_cast<double>(k);
    const double nothing = 0;
    compiled().rbf(values.data(), 1, static_cast<int64_t>(values.size()), &nothing, distances.data(), gamma);
    return values;
}

// The rows of A as tiles, one after another, filled anew for each.
class Tiling {
  public:
    // As many rows as the nearest cache holds columns of, 64 kB in all.
    static constexpr int64_t cells = 1 << 14, step = 64;

    static int64_t size_for(int64_t d) {
        return std::clamp<int64_t>(cells / std::max<int64_t>(1, d) / step * step, step, 4 * step);
    }

    // `whole`: all numbers are small and whole.
    Tiling(const View& a, bool whole, const double* weights, size_t vectors, size_t others)
        : sums(vectors * others), a_(a), whole_(whole), weights_(weights), vectors_(static_cast<int64_t>(vectors)) {
        size_ = size_for(a.d);
        narrow_.resize(static_cast<size_t>(size_ * a.d));
        norms_.resize(static_cast<size_t>(size_));
        used_weights_.resize(static_cast<size_t>(size_ * vectors_));
        wide_.resize(narrow_.size());
        values.resize(static_cast<size_t>(size_));
    }

    int64_t size() const { return size_; }

    // The tile that begins with row `first`.
    Tile at(int64_t first) {
        const int64_t used = std::min(size_, a_.n - first);
        bool exact = true;
        std::fill(narrow_.begin(), narrow_.end(), 0.0F);
        std::fill(norms_.begin(), norms_.end(), 0.0);
        each(first, used, [&](size_t place, double value) {
            narrow_[place] = static_cast<float>(value);
            exact = exact && static_cast<double>(narrow_[place]) == value;
            norms_[place % static_cast<size_t>(size_)] += value * value;
        });
        if (!exact) {
            std::fill(wide_.begin(), wide_.end(), 0.0);
            each(first, used, [&](size_t place, double value) { wide_[place] = value; });
        }
        for (int64_t v = 0; v < vectors_; ++v)
            for (int64_t j = 0; j < size_; ++j)
                used_weights_[static_cast<size_t>(v * size_ + j)] = j < used ? weights_[v * a_.n + first + j] : 0.0;
        return {exact ? narrow_.data() : nullptr,          wide_.data(), whole_, size_, used, norms_.data(),
                weights_ ? used_weights_.data() : nullptr, vectors_};
    }

    Lines<double> values;  // of one row with the tile
    Lines<double> sums;    // of all rows with the tile: vectors x rows

  private:
    template <class Visit>
    void each(int64_t first, int64_t used, const Visit& visit) const {
        visit_sparse(a_, [&](const auto& rows) {
            for (int64_t j = 0; j < used; ++j)
                for (auto e = rows.starts[first + j]; e < rows.starts[first + j + 1]; ++e)
                    visit(static_cast<size_t>(static_cast<int64_t>(rows.columns[e]) * size_ + j),
                          static_cast<double>(rows.values[e]));
        });
    }

    const View& a_;
    bool whole_;
    const double* weights_;
    int64_t vectors_, size_;
    Lines<float> narrow_;
    Lines<double> wide_, norms_, used_weights_;
};

using Weights = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// K(A, B) of sparse rows, rbf or, given coef0 and the degree, poly; or, with weights (vectors x A.n), their product
// with it (vectors x B.n).
inline nb::ndarray<nb::numpy, double> sparse_kernel(const Examples& A, const Examples& B,
                                                    const std::optional<Weights>& weights, double gamma,
                                                    std::optional<std::pair<double, int32_t>> poly, int threads) {
    require(A.view.storage == Storage::sparse && B.view.storage == Storage::sparse, "both must be sparse");
    require(A.view.d == B.view.d, "rows of different widths");
    const auto n = static_cast<size_t>(A.view.n), all = static_cast<size_t>(B.view.n);
    require(!weights || weights->shape(1) == n, "one weight per row is needed");
    require(!weights || weights->shape(0) > 0, "at least one vector of weights is needed");
    const auto [coef0, degree] = poly.value_or(std::pair{0.0, 0});
    const Smallness a(A.view), b(B.view);
    const std::vector<double> by_distance =
        poly ? std::vector<double>() : rbf_by_distance(a, b, gamma, static_cast<double>(n) * static_cast<double>(all));
    const Formula formula{poly ? Formula::poly : Formula::rbf, gamma, coef0, degree,
                          by_distance.empty() ? nullptr : by_distance.data()};
    // Without weights the values of a row with all tiles lie side by side: then it is A that goes through tiles of B.
    const bool sums = weights.has_value();
    const Examples &tiled = sums ? A : B, &through = sums ? B : A;
    const size_t vectors = sums ? weights->shape(0) : 0, size = sums ? vectors * all : n * all;
    std::unique_ptr<double[]> out(new double[size + 1]());
    std::vector<Tiling> tilings;  // here, where running out of memory can be told
    const int64_t size_of_tile = Tiling::size_for(A.view.d), tiles = (tiled.view.n + size_of_tile - 1) / size_of_tile;
    for (int64_t k = 0; k < std::clamp<int64_t>(threads, 1, std::max<int64_t>(1, tiles)); ++k)
        tilings.emplace_back(tiled.view, a.whole && b.whole, sums ? weights->data() : nullptr, vectors, all);
    {
        nb::gil_scoped_release released;
        std::atomic<int64_t> next{0}, added{0};
        on_threads(tilings.size(), [&](size_t k) {
            Tiling& mine = tilings[k];
            for (int64_t tile; (tile = next++) * mine.size() < tiled.view.n;) {
                const int64_t first = tile * mine.size();
                double* const into = sums ? mine.sums.data() : out.get() + first;
                compiled().tile(through.view, mine.at(first), formula, mine.values.data(), into, B.view.n);
                if (!sums) continue;
                // One after another, in the order of the tiles: so the sums are the same for any number of threads.
                while (added != tile) std::this_thread::yield();
                for (size_t j = 0; j < size; ++j) out[j] += mine.sums[j];
                ++added;
            }
        });
    }
    return given_away(std::move(out), {sums ? vectors : n, all});
}

}  // namespace rosenblatt
