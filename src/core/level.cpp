// The hot headers, compiled for one instruction-set level (CMakeLists.txt compiles this file once per level).
// Everything below lives in a namespace named after the level, so that the linker cannot mix the levels up.
#include "fours.hpp"
#include "kernel.hpp"
#include "learn.hpp"
#include "tile.hpp"

namespace rosenblatt::ROSENBLATT_LEVEL {

template <class Visitor>
auto visit(const View& view, const Visitor& visitor) {
    if (view.storage == Storage::gram) return visitor(GramSource(view));
    if (view.storage == Storage::sparse) {
        const bool f32 = view.element == Element::f32;
        if (view.wide_index) {
            return f32 ? visitor(SparseSource<float, int64_t>(view)) : visitor(SparseSource<double, int64_t>(view));
        }
        return f32 ? visitor(SparseSource<float, int32_t>(view)) : visitor(SparseSource<double, int32_t>(view));
    }
    switch (view.element) {
        case Element::f32:
            return visitor(DenseSource<float>(view));
        case Element::u8:
            return visitor(DenseSource<uint8_t>(view));
        case Element::i8:
            return visitor(DenseSource<int8_t>(view));
        case Element::i16:
            return visitor(DenseSource<int16_t>(view));
        case Element::i32:
            return visitor(DenseSource<int32_t>(view));
        case Element::f64:
            break;
    }
    return visitor(DenseSource<double>(view));
}

static Pause learn(const View& view, State& s, Shape shape, int64_t& budget) {
    return visit(view, [&](const auto& source) {
        using Source = std::decay_t<decltype(source)>;
        switch (shape) {
            case Shape::one_vs_rest:
                return Loop<Source, OneVsRest>(view, s, budget).run();
            case Shape::direct:
                return Loop<Source, Direct>(view, s, budget).run();
            case Shape::binary:
                break;
        }
        return Loop<Source, Binary>(view, s, budget).run();
    });
}

static bool end_pass(State& s) {
    return close_pass(s, [](int32_t) { return true; });
}

static void scores(const View& view, const double* w, const double* b, int32_t vectors, int64_t padded, int64_t first,
                   int64_t last, double* out) {
    visit(view, [&](const auto& source) {
        for (int64_t i = first; i < last; ++i) {
            const auto row = source.row(i);
            for (int32_t v = 0; v < vectors; ++v) *out++ = row.dot(w + v * padded) + b[v];
        }
    });
}

// 64 examples walk through the sequence of updates together: their products and votes stay in the nearest cache. The
// bias comes last, as in training: added to the sum it would swallow small products for good.
static void votes(const double* S, int64_t n, const double* start, double start_bias, const int64_t* row,
                  const double* step, const double* count, int64_t updates, double one, double* out) {
    constexpr int64_t together = 64;
    for (int64_t first = 0; first < n; first += together) {
        const int64_t size = first + together < n ? together : n - first;
        double product[together], vote[together], b = start_bias;
        for (int64_t l = 0; l < size; ++l) {
            product[l] = start[first + l];
            vote[l] = product[l] + b >= 0 ? count[0] : -count[0];
        }
        for (int64_t k = 0; k < updates; ++k) {
            const double* s = S + row[k] * n + first;
            const double t = step[k], c = count[k + 1];
            b += t * one;
            for (int64_t l = 0; l < size; ++l) {
                product[l] += t * s[l];
                vote[l] += product[l] + b >= 0 ? c : -c;
            }
        }
        for (int64_t l = 0; l < size; ++l) out[first + l] = vote[l];
    }
}

// The place of the first NaN or infinity among the stored values, or -1.
template <class T>
static int64_t first_not_finite(const T* x, int64_t count) {
    constexpr int64_t block = 1024;
    for (int64_t from = 0; from < count; from += block) {
        const int64_t to = from + block < count ? from + block : count;
        T poison[lanes] = {};  // x - x is 0, or NaN where x is not finite
        for (int64_t j = from; j + lanes <= to; j += lanes)
            for (int64_t l = 0; l < lanes; ++l) poison[l] += x[j + l] - x[j + l];
        T sum = 0;
        for (int64_t l = 0; l < lanes; ++l) sum += poison[l];
        for (int64_t j = from + (to - from) / lanes * lanes; j < to; ++j) sum += x[j] - x[j];
        if (sum == 0) continue;
        for (int64_t j = from; j < to; ++j)
            if (!(x[j] - x[j] == 0)) return j;
    }
    return -1;
}

static int64_t not_finite(const void* values, Element element, int64_t count) {
    if (element == Element::f32) return first_not_finite(static_cast<const float*>(values), count);
    if (element == Element::f64) return first_not_finite(static_cast<const double*>(values), count);
    return -1;
}

static void add_times(const double* x, double s, double* out, int64_t n) {
    for (int64_t j = 0; j < n; ++j) out[j] += s * x[j];
}

static void tile(const View& view, const Tile& tile, const Formula& formula, double* values, double* out,
                 int64_t stride) {
    visit(view, [&](const auto& source) {
        if constexpr (requires { source.columns; }) through_tile(source, tile, formula, values, out, stride);
    });
}

extern const Kernels kernels;
const Kernels kernels{learn,           end_pass,         scores,    votes, shuffle,   not_finite,
                      rbf_of_products, poly_of_products, add_times, tile,  read_fours};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
