// Scores and votes of many examples.
#pragma once

#include "arrays.hpp"
#include "dispatch.hpp"
#include "held.hpp"
#include "threads.hpp"

namespace rosenblatt {

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// scores[i, v] = w_v . x_i + b_v in the canonical order, so that what is predicted is what was judged.
inline nb::ndarray<nb::numpy, double> scores(const Examples& examples, const Doubles& w, const Vector& b, int threads) {
    const View& view = examples.view;
    const size_t vectors = b.shape(0);
    require(w.size() == vectors * static_cast<size_t>(view.d), "w has the wrong size for these columns");
    const int64_t padded = padded_to_lanes(view.d);
    Lines<double> wide(vectors * static_cast<size_t>(padded));
    for (size_t v = 0; v < vectors; ++v)
        std::copy(w.data() + v * view.d, w.data() + (v + 1) * view.d, wide.begin() + v * padded);
    std::unique_ptr<double[]> out(new double[view.n * vectors + 1]);
    {
        nb::gil_scoped_release released;
        in_stretches(view.n, threads, [&](int64_t first, int64_t last) {
            compiled().scores(view, wide.data(), b.data(), static_cast<int32_t>(vectors), padded, first, last,
                              out.get() + first * static_cast<int64_t>(vectors));
        });
    }
    return given_away(std::move(out), {static_cast<size_t>(view.n), vectors});
}

inline void require_sequence(const Matrix& S, const Places& row, const Vector& step, const Vector& count) {
    require(step.shape(0) == row.shape(0) && count.shape(0) == row.shape(0) + 1,
            "the sequence's columns differ in length");
    for (size_t k = 0; k < row.shape(0); ++k)
        require(row.data()[k] >= 0 && row.data()[k] < static_cast<int64_t>(S.shape(0)),
                "a row of the sequence is unknown");
}

inline Sequence sequence(const Places& row, const Vector& step, const Vector& count, bool bias) {
    return {row.data(), step.data(), count.data(), static_cast<int64_t>(row.shape(0)), bias ? 1.0 : 0.0};
}

// One number per example (votes.hpp).
inline nb::ndarray<nb::numpy, double> votes(const Matrix& S, const Vector& start, double start_bias, const Places& row,
                                            const Vector& step, const Vector& count, bool bias) {
    require_sequence(S, row, step, count);
    require(start.shape(0) == S.shape(1), "one start product per example is needed");
    const size_t n = S.shape(1);
    std::unique_ptr<double[]> out(new double[n + 1]);
    {
        nb::gil_scoped_release released;
        compiled().votes(S.data(), static_cast<int64_t>(n), start.data(), start_bias, sequence(row, step, count, bias),
                         out.get());
    }
    return given_away(std::move(out), {n});
}

// One number per example and class.
inline nb::ndarray<nb::numpy, double> votes_direct(const Matrix& S, const Matrix& start, const Vector& start_bias,
                                                   const Places& row, const Vector& step, const Codes& gains,
                                                   const Codes& loses, const Vector& count, bool bias) {
    require_sequence(S, row, step, count);
    require(start.shape(0) == S.shape(1), "one row of start products per example is needed");
    const size_t n = S.shape(1), classes = start.shape(1), updates = row.shape(0);
    require(start_bias.shape(0) == classes, "one start bias per class is needed");
    require(gains.shape(0) == updates && loses.shape(0) == updates, "the sequence's columns differ in length");
    for (size_t k = 0; k < updates; ++k)
        for (int32_t code : {gains.data()[k], loses.data()[k]})
            require(code >= 0 && code < static_cast<int32_t>(classes), "a class of the sequence is unknown");
    std::unique_ptr<double[]> out(new double[n * classes + 1]());
    {
        nb::gil_scoped_release released;
        Sequence updated = sequence(row, step, count, bias);
        updated.gains = gains.data();
        updated.loses = loses.data();
        std::vector<double> room(2 * classes);
        compiled().votes_direct(S.data(), static_cast<int64_t>(n), static_cast<int32_t>(classes), start.data(),
                                start_bias.data(), updated, room.data(), out.get());
    }
    return given_away(std::move(out), {n, classes});
}

}  // namespace rosenblatt
