// The names that Python sees.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "layout.hpp"
#include "learner.hpp"
#include "many.hpp"
#include "online.hpp"
#include "predict.hpp"
#include "products.hpp"
#include "table.hpp"
#include "text.hpp"
#include "tiles.hpp"

namespace rosenblatt {

static nb::tuple permutation(uint64_t generator, int64_t n) {
    require(n >= 0 && n <= INT32_MAX, "a permutation has 0 to 2^31 - 1 places");
    std::vector<int32_t> drawn(static_cast<size_t>(n));
    compiled().permute(generator, nullptr, 0, drawn.data(), n);
    const std::vector<int64_t> place(drawn.begin(), drawn.end());
    return nb::make_tuple(generator, to_numpy(place.data(), {place.size()}));
}

// Rows may lie apart, as in a slice of columns.
static int64_t first_not_finite(const AnyArray& values, int64_t threads) {
    const Element element = element_of(values);
    const bool flat = values.ndim() < 2;
    require(values.ndim() <= 2, "values have one dimension, or rows and columns");
    const auto* const data = static_cast<const char*>(values.data());
    int64_t n = flat ? 1 : static_cast<int64_t>(values.shape(0));
    int64_t d = static_cast<int64_t>(values.size()) / std::max<int64_t>(1, n);
    require(d < 2 || values.stride(values.ndim() - 1) == 1, "the values of a row must be contiguous");
    const int64_t stride = flat ? d : values.stride(0);
    if (stride == d) d *= std::exchange(n, 1);  // one long row
    const int64_t count = n * d, bytes = static_cast<int64_t>(values.itemsize());
    std::atomic<int64_t> found{count};
    nb::gil_scoped_release released;
    in_stretches(count, threads_for(values.nbytes(), threads, worth_reading), [&](int64_t first, int64_t last) {
        while (first < last) {  // to the end of a row at most
            const int64_t i = first / d, j = first % d, some = std::min(d - j, last - first);
            const int64_t at = compiled().not_finite(data + (i * stride + j) * bytes, element, some);
            if (at >= 0) return lower(found, first + at);
            first += some;
        }
    });
    return found < count ? found.load() : -1;
}

// A method of a learner that no other thread is running.
template <class Result, class... Given>
static auto at_rest(Result (Learner::*method)(Given...)) {
    return [method](Learner& learner, Given... given) -> Result {
        learner.require_rest();
        return (learner.*method)(given...);
    };
}

template <class Result>
static auto at_rest(Result (Learner::*method)() const) {
    return [method](const Learner& learner) -> Result {
        learner.require_rest();
        return (learner.*method)();
    };
}

}  // namespace rosenblatt

NB_MODULE(_core, m) {
    using namespace rosenblatt;
    m.doc() =
        "The compiled loop of rosenblatt. Trusts its caller with meaning, not with memory: arrays are "
        "checked when they come in, and again by check_rows; meanwhile nobody may write to them.";

    nb::class_<Examples>(m, "Examples", "A view of somebody's rows: dense, CSR or a Gram matrix.")
        .def_static(
            "dense", [](const nb::object& X, bool gram) { return Examples::dense(nb::cast<AnyArray>(X), gram); },
            nb::arg("X"), nb::arg("gram") = false)
        .def_static(
            "sparse",
            [](const nb::object& values, const nb::object& columns, const nb::object& starts, int64_t d,
               int64_t threads) {
                return Examples::sparse(nb::cast<AnyArray>(values), nb::cast<AnyArray>(columns),
                                        nb::cast<AnyArray>(starts), d, threads);
            },
            nb::arg("values"), nb::arg("columns"), nb::arg("starts"), nb::arg("d"), nb::arg("threads") = 1);

    nb::class_<Learner>(m, "Learner", "Hypothesis, memory, counters and generator: the only object with a life.")
        .def(nb::init<const std::string&, int32_t, int64_t, int32_t, int32_t, double, double, double, bool, bool,
                      const std::string&, uint64_t, bool, bool, bool, int64_t, bool, bool, bool, bool, double>(),
             nb::kw_only(), nb::arg("shape"), nb::arg("vectors"), nb::arg("d"), nb::arg("first_class"),
             nb::arg("class_step") = 1, nb::arg("margin"), nb::arg("rate"), nb::arg("unit") = 1.0, nb::arg("bias"),
             nb::arg("ties_positive"), nb::arg("order"), nb::arg("seed"), nb::arg("average"), nb::arg("pocket"),
             nb::arg("journal"), nb::arg("journal_limit"), nb::arg("screening") = true, nb::arg("glancing") = true,
             nb::arg("stretching") = true, nb::arg("abreast") = true, nb::arg("least_share") = double{1 << 21})
        .def("start", at_rest(&Learner::start), nb::arg("w"), nb::arg("b"))
        .def("bind", at_rest(&Learner::bind), nb::arg("examples"), nb::arg("y"), nb::arg("weight").none(),
             nb::arg("blocks") = false)
        .def("rebind", at_rest(&Learner::rebind), nb::arg("examples"), nb::arg("y"), nb::arg("weight").none(),
             nb::arg("blocks") = false)
        .def("run", at_rest(&Learner::run), nb::arg("seconds"), nb::arg("max_passes"), nb::arg("max_updates"),
             nb::arg("threads") = 1)
        .def("check_rows", at_rest(&Learner::check_rows))
        .def("end_pass", at_rest(&Learner::end_pass))
        .def("go_on", at_rest(&Learner::go_on))
        .def("clear_journal", at_rest(&Learner::clear_journal))
        .def("state", at_rest(&Learner::state))
        .def("restore", at_rest(&Learner::restore), nb::arg("state"))
        .def_prop_ro("w", at_rest(&Learner::w), nb::rv_policy::reference)
        .def_prop_ro("b", at_rest(&Learner::b), nb::rv_policy::reference)
        .def_prop_ro("average", at_rest(&Learner::average))
        .def_prop_ro("pocket", at_rest(&Learner::pocket))
        .def_prop_ro("row_updates", at_rest(&Learner::row_updates), nb::rv_policy::reference)
        .def_prop_ro("updates_per_pass", at_rest(&Learner::updates_per_pass), nb::rv_policy::reference)
        .def_prop_ro("journal", at_rest(&Learner::journal))
        .def_prop_ro("keeps_journal", at_rest(&Learner::keeps_journal))
        .def_prop_ro("counts", at_rest(&Learner::counts));

    nb::class_<Online>(m, "Online", "One example at a time, vectors or dictionaries of named features.")
        .def(nb::init<double, double, bool, bool>(), nb::kw_only(), nb::arg("margin"), nb::arg("unit"), nb::arg("bias"),
             nb::arg("average"))
        .def("step", &Online::step, nb::arg("x").none(), nb::arg("y").none())
        .def("score", &Online::score, nb::arg("x").none())
        .def("state", &Online::state)
        .def("restore", &Online::restore, nb::arg("w"), nb::arg("b"), nb::arg("u"), nb::arg("ub"), nb::arg("steps"),
             nb::arg("updates"), nb::arg("mistakes"), nb::arg("names"))
        .def_prop_ro("last", &Online::last)
        .def_prop_ro("average", &Online::average)
        .def_prop_ro("names", &Online::names)
        .def_prop_ro("n_steps", &Online::steps)
        .def_prop_ro("n_updates", &Online::updates)
        .def_prop_ro("n_mistakes", &Online::mistakes);

    m.def("scores", &scores, nb::arg("examples"), nb::arg("w"), nb::arg("b"), nb::arg("threads") = 1);
    m.def("votes", &votes, nb::arg("S"), nb::arg("start"), nb::arg("start_bias"), nb::arg("row"), nb::arg("step"),
          nb::arg("count"), nb::arg("bias"));
    m.def("votes_direct", &votes_direct, nb::arg("S"), nb::arg("start"), nb::arg("start_bias"), nb::arg("row"),
          nb::arg("step"), nb::arg("gains"), nb::arg("loses"), nb::arg("count"), nb::arg("bias"));
    m.def("sparse_products", &sparse_products, nb::arg("A"), nb::arg("B"), nb::arg("threads") = 1);
    m.def("sparse_kernel", &sparse_kernel, nb::arg("A"), nb::arg("B"), nb::arg("weights").none(), nb::kw_only(),
          nb::arg("gamma"), nb::arg("poly").none() = nb::none(), nb::arg("threads") = 1);
    m.def("rbf_of_products", &rbf_of_products, nb::arg("K").noconvert(), nb::arg("a"), nb::arg("b"), nb::arg("gamma"));
    m.def("poly_of_products", &poly_of_products, nb::arg("K").noconvert(), nb::arg("gamma"), nb::arg("coef0"),
          nb::arg("degree"));
    m.def("run_many", &run_many, nb::arg("examples"), nb::arg("y"), nb::arg("weight").none(), nb::kw_only(),
          nb::arg("seed"), nb::arg("start"), nb::arg("margin"), nb::arg("rate"), nb::arg("bias"),
          nb::arg("ties_positive"), nb::arg("order"), nb::arg("average"), nb::arg("pocket"), nb::arg("max_passes"),
          nb::arg("max_updates"), nb::arg("threads"));
    m.def("permutation", &permutation, nb::arg("generator"), nb::arg("n"));
    m.def("first_not_finite", &first_not_finite, nb::arg("values"), nb::arg("threads") = 1);
    m.def("parse_svmlight", &parse_svmlight, nb::arg("data"), nb::kw_only(), nb::arg("first_index"),
          nb::arg("float32") = false, nb::arg("threads") = 1, nb::arg("sheet").noconvert() = nb::none());
    m.def("parse_delimited", &parse_delimited, nb::arg("data"), nb::kw_only(), nb::arg("delimiter"), nb::arg("fields"),
          nb::arg("threads") = 1, nb::arg("sheet").noconvert() = nb::none());
    m.def("lay_side_by_side", &lay_side_by_side, nb::arg("columns"), nb::arg("out").noconvert());
    m.def("count_lines_and_colons", &count_lines_and_colons, nb::arg("data"));
    m.def("level", [] { return level().name; });
    m.def("levels", [] {
        std::vector<std::string> names;
        for (const Level& l : levels()) names.push_back(l.name);
        return names;
    });
}
