// Between NumPy and the core's plain memory. Shapes and types are checked here once more, so that no call
// from Python can make the core read what is not there.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <atomic>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "threads.hpp"
#include "view.hpp"

namespace nb = nanobind;

namespace rosenblatt {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;
using Codes = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Doubles = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Vector = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

inline Element element_of(const AnyArray& a) {
    const nb::dlpack::dtype t = a.dtype();
    if (t == nb::dtype<double>()) return Element::f64;
    if (t == nb::dtype<float>()) return Element::f32;
    if (t == nb::dtype<uint8_t>()) return Element::u8;
    if (t == nb::dtype<int8_t>()) return Element::i8;
    if (t == nb::dtype<int16_t>()) return Element::i16;
    if (t == nb::dtype<int32_t>()) return Element::i32;
    throw std::invalid_argument("element type not read by the core");
}

inline void require(bool holds, const char* message) {
    if (!holds) throw std::invalid_argument(message);
}

// A flag that is up while this lives, however it ends.
class Raised {
  public:
    explicit Raised(bool& flag) : flag_(flag) { flag_ = true; }
    ~Raised() { flag_ = false; }
    Raised(const Raised&) = delete;
    Raised& operator=(const Raised&) = delete;

  private:
    bool& flag_;
};

// A step of 0 would be taken for none at all.
inline void require_steps(const double* weight, int64_t n, double rate) {
    for (int64_t i = 0; i < n; ++i)
        if (weight[i] > 0 && !(rate * weight[i] > 0))
            throw std::invalid_argument("row " + std::to_string(i) +
                                        ": its weight times the rate is too small for a float; scale the weights");
}

constexpr int64_t widest = int64_t{1} << 48;  // columns; the bytes of no more than these can be counted

// The examples of a call and the arrays that must outlive their use.
struct Examples {
    View view{};
    int64_t stored = 0;            // elements of the CSR parts
    std::vector<AnyArray> arrays;  // held themselves: a view of them would not keep their memory in place

    static Examples dense(const AnyArray& X, bool gram) {
        require(X.ndim() == 2, "X must have two dimensions");
        Examples e;
        e.view.storage = gram ? Storage::gram : Storage::dense;
        e.view.element = element_of(X);
        require(!gram || e.view.element == Element::f64, "a Gram matrix must be float64");
        e.view.values = X.data();
        e.view.n = static_cast<int64_t>(X.shape(0));
        e.view.d = static_cast<int64_t>(X.shape(1));
        e.view.stride = e.view.n > 1 ? X.stride(0) : e.view.d;
        require(e.view.n == 0 || e.view.d < 2 || X.stride(1) == 1, "rows must be contiguous");
        require(e.view.stride >= e.view.d, "rows must not overlap");
        require(!gram || e.view.n == e.view.d, "a Gram matrix must be square");
        e.arrays = {X};
        return e;
    }

    static Examples sparse(const AnyArray& values, const AnyArray& columns, const AnyArray& starts, int64_t d,
                           int64_t threads) {
        require(values.ndim() == 1 && columns.ndim() == 1 && starts.ndim() == 1, "CSR parts must be vectors");
        require(contiguous(values) && contiguous(columns) && contiguous(starts), "CSR parts must be contiguous");
        Examples e;
        e.view.storage = Storage::sparse;
        e.view.element = element_of(values);
        require(e.view.element == Element::f64 || e.view.element == Element::f32, "CSR values must be floats");
        require(columns.dtype() == starts.dtype(), "CSR indices and indptr must be of one type");
        e.view.wide_index = columns.dtype() == nb::dtype<int64_t>();
        require(e.view.wide_index || columns.dtype() == nb::dtype<int32_t>(), "CSR indices must be int32 or int64");
        require(starts.shape(0) > 0, "indptr is empty");
        require(d >= 0 && d <= widest, "the number of columns is negative, or beyond 2^48");
        e.view.values = values.data();
        e.view.columns = columns.data();
        e.view.starts = starts.data();
        e.view.n = static_cast<int64_t>(starts.shape(0)) - 1;
        e.view.d = d;
        e.stored = static_cast<int64_t>(std::min(values.shape(0), columns.shape(0)));
        e.arrays = {values, columns, starts};
        e.check(threads);
        return e;
    }

    // The arrays are the caller's, who may write to them whenever Python runs: to be asked again after that.
    void check(int64_t threads) const {
        if (view.storage != Storage::sparse) return;
        if (view.wide_index)
            check_indices<int64_t>(view, stored, threads);
        else
            check_indices<int32_t>(view, stored, threads);
    }

  private:
    static bool contiguous(const AnyArray& a) { return a.shape(0) < 2 || a.stride(0) == 1; }

    template <class I>
    static void check_indices(const View& v, int64_t stored, int64_t threads) {
        const I* starts = static_cast<const I*>(v.starts);
        const I* columns = static_cast<const I*>(v.columns);
        require(starts[0] == 0 && starts[v.n] <= stored, "indptr does not fit the stored values");
        for (int64_t i = 0; i < v.n; ++i) require(starts[i] <= starts[i + 1], "indptr must not decrease");
        // The sign bits of all c and all d - 1 - c together, several at once without a comparison; the culprit is found
        // afterwards.
        using Unsigned = std::make_unsigned_t<I>;
        constexpr int64_t most = std::numeric_limits<I>::max();
        const Unsigned last = static_cast<Unsigned>(v.d <= most ? v.d - 1 : most);
        const int64_t count = starts[v.n];
        std::atomic<bool> outside{false};
        in_stretches(count, threads_for(static_cast<size_t>(count) * sizeof(I), threads, worth_reading),
                     [&](int64_t first, int64_t end) {
                         Unsigned signs = 0;
                         for (int64_t j = first; j < end; ++j) {
                             const Unsigned c = static_cast<Unsigned>(columns[j]);
                             signs |= c | (last - c);
                         }
                         if (static_cast<I>(signs) < 0) outside = true;
                     });
        for (int64_t j = 0; outside && j < count; ++j)
            if (columns[j] < 0 || columns[j] >= v.d)
                throw std::invalid_argument("column index " + std::to_string(columns[j]) + " is outside 0.." +
                                            std::to_string(v.d - 1));
    }
};

// An array that Python will own.
template <class T>
nb::ndarray<nb::numpy, T> given_away(std::unique_ptr<T[]> data, std::vector<size_t> shape) {
    T* p = data.release();
    nb::capsule owner(p, [](void* q) noexcept { delete[] static_cast<T*>(q); });
    return nb::ndarray<nb::numpy, T>(p, shape.size(), shape.data(), owner);
}

template <class T>
nb::ndarray<nb::numpy, T> to_numpy(const T* data, std::vector<size_t> shape) {
    size_t count = 1;
    for (size_t extent : shape) count *= extent;
    std::unique_ptr<T[]> copy(new T[count ? count : 1]);
    if (count) std::memcpy(copy.get(), data, count * sizeof(T));
    return given_away(std::move(copy), std::move(shape));
}

}  // namespace rosenblatt
