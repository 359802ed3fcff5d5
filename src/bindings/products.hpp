// Products of sparse rows on all threads, and the formulas of the kernels over products: on one, since the threads of
// the matrix product before them go on turning for a while, and more of ours would only stand in their way.
#pragma once

#include "arrays.hpp"
#include "dispatch.hpp"
#include "postings.hpp"
#include "threads.hpp"

namespace rosenblatt {

using Products = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Visitor>
void visit_sparse(const View& v, const Visitor& visitor) {
    const auto with_index = [&]<class I>(I) {
        const auto* columns = static_cast<const I*>(v.columns);
        const auto* starts = static_cast<const I*>(v.starts);
        if (v.element == Element::f32)
            visitor(SparseRows<float, I>{static_cast<const float*>(v.values), columns, starts, v.n});
        else
            visitor(SparseRows<double, I>{static_cast<const double*>(v.values), columns, starts, v.n});
    };
    if (v.wide_index)
        with_index(int64_t{});
    else
        with_index(int32_t{});
}

// The matrix of inner products of sparse rows, A.n x B.n.
inline nb::ndarray<nb::numpy, double> sparse_products(const Examples& A, const Examples& B, int threads) {
    require(A.view.storage == Storage::sparse && B.view.storage == Storage::sparse, "both must be sparse");
    require(A.view.d == B.view.d && A.view.n <= INT32_MAX, "rows of different widths, or too many of them");
    const int64_t all = B.view.n, parts = std::clamp<int64_t>(threads, 1, std::max<int64_t>(1, all));
    const int64_t room = Postings::together * A.view.n;
    std::unique_ptr<double[]> S(new double[static_cast<size_t>(A.view.n * all) + 1]);
    std::vector<double> sums(static_cast<size_t>(parts * room));  // here, where running out of memory can be told
    {
        nb::gil_scoped_release released;
        visit_sparse(A.view, [&](const auto& a) {
            const Postings postings(a, A.view.d, compiled().add_times);
            visit_sparse(B.view, [&](const auto& b) {
                on_threads(static_cast<size_t>(parts), [&](size_t part) {
                    const int64_t k = static_cast<int64_t>(part);
                    postings.products(b, all * k / parts, all * (k + 1) / parts, S.get(), all, sums.data() + k * room);
                });
            });
        });
    }
    return given_away(std::move(S), {static_cast<size_t>(A.view.n), static_cast<size_t>(all)});
}

inline void rbf_of_products(const Products& K, const Vector& a, const Vector& b, double gamma) {
    require(a.shape(0) == K.shape(0) && b.shape(0) == K.shape(1), "one length per row and per column is needed");
    nb::gil_scoped_release released;
    compiled().rbf(K.data(), static_cast<int64_t>(K.shape(0)), static_cast<int64_t>(K.shape(1)), a.data(), b.data(),
                   gamma);
}

inline void poly_of_products(const Products& K, double gamma, double coef0, int32_t degree) {
    nb::gil_scoped_release released;
    compiled().poly(K.data(), static_cast<int64_t>(K.size()), gamma, coef0, degree);
}

}  // namespace rosenblatt
