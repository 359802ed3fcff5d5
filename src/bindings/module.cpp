// The names that Python sees.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "learner.hpp"
#include "text.hpp"

namespace rosenblatt {

// scores[i, v] = w_v . x_i + b_v in the canonical order, so that what is predicted is what was judged.
static nb::ndarray<nb::numpy, double> scores(const Examples& examples, const Doubles& w, const Vector& b) {
    const View& view = examples.view;
    const size_t vectors = b.shape(0);
    require(w.size() == vectors * static_cast<size_t>(view.d), "w has the wrong size for these columns");
    const int64_t padded = padded_to_lanes(view.d);
    std::vector<double> wide(vectors * static_cast<size_t>(padded));
    for (size_t v = 0; v < vectors; ++v)
        std::copy(w.data() + v * view.d, w.data() + (v + 1) * view.d, wide.begin() + v * padded);
    double* out = new double[std::max<size_t>(1, view.n * vectors)];
    nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    {
        nb::gil_scoped_release released;
        kernels().scores(view, wide.data(), b.data(), static_cast<int32_t>(vectors), padded, 0, view.n, out);
    }
    return nb::ndarray<nb::numpy, double>(out, {static_cast<size_t>(view.n), vectors}, owner);
}

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Places = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

static void require_sequence(const Matrix& S, const Places& row, const Vector& step, const Vector& count) {
    require(step.shape(0) == row.shape(0) && count.shape(0) == row.shape(0) + 1,
            "the sequence's columns differ in length");
    for (size_t k = 0; k < row.shape(0); ++k)
        require(row.data()[k] >= 0 && row.data()[k] < static_cast<int64_t>(S.shape(1)),
                "a row of the sequence is unknown");
}

// votes[i] = sum_k c_k sign(score_k(x_i)), sign(0) = +1, for vectors given as a sequence of updates:
// score_k = score_0 + sum over the first k updates of step (S[i, row] + bias).
static nb::ndarray<nb::numpy, double> votes(const Matrix& S, const Vector& start, const Places& row, const Vector& step,
                                            const Vector& count, bool bias) {
    require_sequence(S, row, step, count);
    require(start.shape(0) == S.shape(0), "one start score per example is needed");
    const size_t n = S.shape(0), updates = row.shape(0);
    double* out = new double[std::max<size_t>(1, n)];
    nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    {
        nb::gil_scoped_release released;
        const double one = bias ? 1.0 : 0.0;
        for (size_t i = 0; i < n; ++i) {
            const double* s = S.data() + i * S.shape(1);
            double score = start.data()[i];
            double vote = score >= 0 ? count.data()[0] : -count.data()[0];
            for (size_t k = 0; k < updates; ++k) {
                score += step.data()[k] * (s[row.data()[k]] + one);
                vote += score >= 0 ? count.data()[k + 1] : -count.data()[k + 1];
            }
            out[i] = vote;
        }
    }
    return nb::ndarray<nb::numpy, double>(out, {n}, owner);
}

// The direct machine: each vector in turn votes for its best class, the first of equals.
static nb::ndarray<nb::numpy, double> votes_direct(const Matrix& S, const Matrix& start, const Places& row,
                                                   const Vector& step, const Codes& gains, const Codes& loses,
                                                   const Vector& count, bool bias) {
    require_sequence(S, row, step, count);
    require(start.shape(0) == S.shape(0), "one row of start scores per example is needed");
    const size_t n = S.shape(0), classes = start.shape(1), updates = row.shape(0);
    require(gains.shape(0) == updates && loses.shape(0) == updates, "the sequence's columns differ in length");
    for (size_t k = 0; k < updates; ++k)
        for (int32_t code : {gains.data()[k], loses.data()[k]})
            require(code >= 0 && code < static_cast<int32_t>(classes), "a class of the sequence is unknown");
    double* out = new double[std::max<size_t>(1, n * classes)]();
    nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<double*>(p); });
    {
        nb::gil_scoped_release released;
        std::vector<double> score(classes);
        const double one = bias ? 1.0 : 0.0;
        for (size_t i = 0; i < n; ++i) {
            const double* s = S.data() + i * S.shape(1);
            score.assign(start.data() + i * classes, start.data() + (i + 1) * classes);
            for (size_t k = 0; k <= updates; ++k) {
                if (k > 0) {
                    const double move = step.data()[k - 1] * (s[row.data()[k - 1]] + one);
                    score[gains.data()[k - 1]] += move;
                    score[loses.data()[k - 1]] -= move;
                }
                const size_t best = std::max_element(score.begin(), score.end()) - score.begin();
                out[i * classes + best] += count.data()[k];
            }
        }
    }
    return nb::ndarray<nb::numpy, double>(out, {n, classes}, owner);
}

static nb::tuple permutation(uint64_t generator, int64_t n) {
    require(n >= 0 && n <= INT32_MAX, "a permutation has 0 to 2^31 - 1 places");
    std::vector<int32_t> drawn(static_cast<size_t>(n));
    kernels().permute(generator, drawn.data(), n);
    const std::vector<int64_t> place(drawn.begin(), drawn.end());
    return nb::make_tuple(generator, to_numpy(place.data(), {place.size()}));
}

static int64_t first_not_finite(const AnyArray& values) {
    const Element element = element_of(values);
    const int64_t count = static_cast<int64_t>(values.size());
    int64_t expected = 1;
    for (size_t k = values.ndim(); k-- > 0;) {
        require(values.shape(k) < 2 || values.stride(k) == expected, "values must be contiguous");
        expected *= static_cast<int64_t>(values.shape(k));
    }
    nb::gil_scoped_release released;
    return kernels().not_finite(values.data(), element, count);
}

}  // namespace rosenblatt

NB_MODULE(_core, m) {
    using namespace rosenblatt;
    m.doc() = "The compiled loop of rosenblatt. Trusts its caller with meaning, never with memory.";

    nb::class_<Examples>(m, "Examples", "A view of somebody's rows: dense, CSR or a Gram matrix.")
        .def_static(
            "dense",
            [](const nb::object& X, bool gram) {
                Examples e = Examples::dense(nb::cast<AnyArray>(X), gram);
                e.keep = X;
                return e;
            },
            nb::arg("X"), nb::arg("gram") = false)
        .def_static(
            "sparse",
            [](const nb::object& values, const nb::object& columns, const nb::object& starts, int64_t d) {
                Examples e = Examples::sparse(nb::cast<AnyArray>(values), nb::cast<AnyArray>(columns),
                                              nb::cast<AnyArray>(starts), d);
                e.keep = nb::make_tuple(values, columns, starts);
                return e;
            },
            nb::arg("values"), nb::arg("columns"), nb::arg("starts"), nb::arg("d"))
        .def_prop_ro("n", [](const Examples& e) { return e.view.n; })
        .def_prop_ro("d", [](const Examples& e) { return e.view.d; });

    nb::class_<Learner>(m, "Learner", "Hypothesis, memory, counters and generator: the only object with a life.")
        .def(nb::init<const std::string&, int32_t, int64_t, int32_t, double, double, bool, bool, const std::string&,
                      uint64_t, bool, bool, bool, int64_t, bool>(),
             nb::kw_only(), nb::arg("shape"), nb::arg("vectors"), nb::arg("d"), nb::arg("first_class"),
             nb::arg("margin"), nb::arg("rate"), nb::arg("bias"), nb::arg("ties_positive"), nb::arg("order"),
             nb::arg("seed"), nb::arg("average"), nb::arg("pocket"), nb::arg("journal"), nb::arg("journal_limit"),
             nb::arg("screening") = true)
        .def("start", &Learner::start, nb::arg("w"), nb::arg("b"))
        .def(
            "bind",
            [](Learner& learner, const Examples& examples, const Codes& y, const std::optional<Vector>& weight,
               bool blocks) {
                learner.bind(examples, y, weight,
                             nb::make_tuple(examples.keep, nb::cast(y), weight ? nb::cast(*weight) : nb::none()),
                             blocks);
            },
            nb::arg("examples"), nb::arg("y"), nb::arg("weight").none(), nb::arg("blocks") = false)
        .def(
            "rebind",
            [](Learner& learner, const Examples& examples, const Codes& y, const std::optional<Vector>& weight) {
                learner.rebind(examples, y, weight,
                               nb::make_tuple(examples.keep, nb::cast(y), weight ? nb::cast(*weight) : nb::none()));
            },
            nb::arg("examples"), nb::arg("y"), nb::arg("weight").none())
        .def("run", &Learner::run, nb::arg("seconds"), nb::arg("max_passes"), nb::arg("max_updates"),
             nb::arg("pause_at_pass_end") = false)
        .def("end_pass", &Learner::end_pass)
        .def("clear_journal", &Learner::clear_journal)
        .def("state", &Learner::state)
        .def("restore", &Learner::restore, nb::arg("state"))
        .def_prop_ro("w", &Learner::w, nb::rv_policy::move)
        .def_prop_ro("b", &Learner::b, nb::rv_policy::move)
        .def_prop_ro("average", &Learner::average)
        .def_prop_ro("pocket", &Learner::pocket)
        .def_prop_ro("row_updates", &Learner::row_updates, nb::rv_policy::move)
        .def_prop_ro("updates_per_pass", &Learner::updates_per_pass, nb::rv_policy::move)
        .def_prop_ro("journal", &Learner::journal)
        .def_prop_ro("counts", &Learner::counts);

    m.def("scores", &scores, nb::arg("examples"), nb::arg("w"), nb::arg("b"));
    m.def("votes", &votes, nb::arg("S"), nb::arg("start"), nb::arg("row"), nb::arg("step"), nb::arg("count"),
          nb::arg("bias"));
    m.def("votes_direct", &votes_direct, nb::arg("S"), nb::arg("start"), nb::arg("row"), nb::arg("step"),
          nb::arg("gains"), nb::arg("loses"), nb::arg("count"), nb::arg("bias"));
    m.def("permutation", &permutation, nb::arg("generator"), nb::arg("n"));
    m.def("first_not_finite", &first_not_finite, nb::arg("values"));
    m.def("parse_svmlight", &parse_svmlight, nb::arg("data"), nb::kw_only(), nb::arg("first_index"),
          nb::arg("float32") = false, nb::arg("threads") = 1);
    m.def("level", [] { return level().name; });
    m.def("levels", [] {
        std::vector<std::string> names;
        for (const Level& l : levels()) names.push_back(l.name);
        return names;
    });
}
