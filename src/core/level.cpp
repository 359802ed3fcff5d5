// The hot headers, compiled for one instruction-set level (CMakeLists.txt compiles this file once per level).
// Everything below lives in a namespace named after the level, so that the linker cannot mix the levels up.
#include "finite.hpp"
#include "fours.hpp"
#include "kernel.hpp"
#include "learn.hpp"
#include "tile.hpp"
#include "votes.hpp"

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

// The same for the kind of machine: visitor(source, shape).
template <class Visitor>
auto visit(const View& view, Shape shape, const Visitor& visitor) {
    return visit(view, [&](const auto& source) {
        switch (shape) {
            case Shape::one_vs_rest:
                return visitor(source, OneVsRest{});
            case Shape::direct:
                return visitor(source, Direct{});
            case Shape::binary:
                break;
        }
        return visitor(source, Binary{});
    });
}

static Pause learn(const View& view, State& s, Shape shape, int64_t& budget) {
    return visit(view, shape, [&]<class Source, class Machine>(const Source&, Machine) {
        return Loop<Source, Machine>(view, s, budget).run();
    });
}

static int64_t first_wrong(const View& view, const State& s, Shape shape, double* score, int64_t first, int64_t last) {
    return visit(view, shape, [&]<class Source, class Machine>(const Source& source, Machine) {
        return first_wrong<Source, Machine>(source, view.y, s, score, first, last);
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

static void pay(const View& view, const Owed& owed, double* u, double* ub, bool bias) {
    visit(view, [&](const auto& source) { pay(source, owed, u, ub, bias); });
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

extern const Compiled compiled;
const Compiled compiled{learn, end_pass,   first_wrong,     scores,           votes,     votes_direct, permute,
                        pay,   not_finite, rbf_of_products, poly_of_products, add_times, tile,         read_fours};

}  // namespace rosenblatt::ROSENBLATT_LEVEL
