// The formulas of the kernels on all threads, over products that a matrix product made.
#pragma once

#include "arrays.hpp"
#include "dispatch.hpp"
#include "threads.hpp"

namespace rosenblatt {

using Products = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

inline void rbf_of_products(const Products& K, const Vector& a, const Vector& b, double gamma, int threads) {
    require(a.shape(0) == K.shape(0) && b.shape(0) == K.shape(1), "one length per row and per column is needed");
    const int64_t columns = static_cast<int64_t>(K.shape(1));
    nb::gil_scoped_release released;
    in_stretches(static_cast<int64_t>(K.shape(0)), threads, [&](int64_t first, int64_t last) {
        kernels().rbf(K.data() + first * columns, last - first, columns, a.data() + first, b.data(), gamma);
    });
}

inline void poly_of_products(const Products& K, double gamma, double coef0, int32_t degree, int threads) {
    nb::gil_scoped_release released;
    in_stretches(static_cast<int64_t>(K.size()), threads, [&](int64_t first, int64_t last) {
        kernels().poly(K.data() + first, last - first, gamma, coef0, degree);
    });
}

}  // namespace rosenblatt
