"""The other displays: their numbers are the library's numbers, and their artists carry them."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import rosenblatt
from rosenblatt import DataError, Perceptron, VotedPerceptron, check, learn, max_margin, mistake_bound, study, trace
from rosenblatt import plot as p
from rosenblatt.datasets import iris, make_separable, neither, w1, w2, w3, xor


@pytest.fixture(scope="module")
def run():
    return trace(*w2(), bias=False)


def two_species():
    data = iris()
    kept = data.y != "virginica"
    return data.X[kept][:, 2:], data.y[kept]


def test_update_draws_w_the_example_at_its_tip_and_the_new_w(run, ax):
    """W2, third update: (2, 2) + (−2, 2) = (0, 4); the line turns from the diagonal to the horizontal."""
    display = p.UpdateDisplay.from_trace(run, k=3, ax=ax)
    assert (display.w_before.tolist(), display.step.tolist(), display.w_after.tolist()) == ([2, 2], [-2, 2], [0, 4])
    assert display.scale == 1
    ends = {name: (part._posA_posB[0], part._posA_posB[1]) for name, part in display.arrows_.items()}
    assert ends["before"] == ((0, 0), (2, 2))
    assert ends["step"] == ((2, 2), (0, 4))
    assert ends["after"] == ((0, 0), (0, 4))
    assert display.line_.get_ydata().tolist() == [0, 0]
    assert np.ptp(display.ghost_.get_xydata().sum(axis=1)) == pytest.approx(0)
    assert display.ring_.get_offsets().tolist() == [[-2, 2]]
    assert "w ← (2, 2) + (−2, 2) = (0, 4)" in ax.get_title(loc="left")


def test_the_first_beat_shows_the_mistake_only(run, ax):
    display = p.UpdateDisplay.from_trace(run, k=2, ax=ax, beat=1)
    assert display.line_ is None
    assert display.arrows_["after"] is None
    assert display.arrows_["step"] is not None


def test_the_first_update_from_zero_has_no_old_line(run, ax):
    display = p.UpdateDisplay.from_trace(run, k=1, ax=ax)
    assert display.ghost_ is None
    assert display.arrows_["before"] is None


def test_a_grid_shows_all_updates_in_one_view(run):
    displays = p.UpdateDisplay.grid(run)
    assert [display.k for display in displays] == [1, 2, 3, 4]
    assert len({display.ax_.get_xlim() for display in displays}) == 1
    assert len(plt.get_fignums()) == 1
    displays[0].figure_.canvas.draw()


def test_a_grid_says_its_scale_once_and_where_the_new_line_is_not_seen():
    displays = p.UpdateDisplay.grid(trace([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]))
    assert "vectors drawn at 0.33 of their length" in displays[0].figure_.get_suptitle()
    assert displays[0].ax_.get_xlabel() == "$w_{1} = 0$: no line"
    assert displays[0].areas_ == []
    assert displays[3].ax_.get_xlabel() == "new line: outside the picture"
    assert len(displays[3].areas_) == 1  # all of the view is on the negative side
    assert displays[4].ax_.get_xlabel() == ""


def test_long_vectors_are_drawn_to_scale_and_the_caption_says_so(ax):
    X, y = [[1.0, 0.01], [1.0, -0.01]], [1, -1]
    long = trace(X, y, bias=False, start=[30, 0], exact=True)
    display = p.UpdateDisplay.from_trace(long, k=1, ax=ax)
    assert display.scale < 1
    assert "of their length" in ax.get_xlabel()


def test_one_feature_and_a_bias_are_drawn_in_the_plane_of_x_and_1(ax):
    display = p.UpdateDisplay.from_trace(trace(*w3()), k=1, ax=ax)
    assert display.shown.xy.tolist() == [[9, 1], [11, 1]]
    assert ax.get_ylabel() == "the constant 1"


def test_updates_outside_the_run_and_more_features_are_refused(run, ax):
    for k in (0, 5):
        with pytest.raises(DataError, match=rf"k={k}: no such update was kept; k is from 1 to 4"):
            p.UpdateDisplay.from_trace(run, k=k, ax=ax)
    for display in (p.BoundaryDisplay, p.MarginDisplay):
        with pytest.raises(DataError, match=r"k=5: no such update was kept; k is from 0 to 4"):
            display.from_trace(run, k=5, ax=ax)
    four = trace(*make_separable(10, 4, gamma=0.2), bias=False, exact=False)
    with pytest.raises(DataError, match="needs two features and there are 4"):
        p.UpdateDisplay.from_trace(four, ax=ax)


def test_strip_has_a_mark_per_step(run, ax):
    display = p.TraceStripDisplay.from_trace(run, ax=ax)
    assert len(display.row) == run.counts.n_steps == 12
    assert sum(len(marks.get_offsets()) for marks in display.marks_) == 4
    assert len(display.quiet_.get_offsets()) == 8
    assert display.place.tolist() == [0, 1, 2, 3] * 3


def test_strip_tells_mistakes_from_updates_for_want_of_margin(ax):
    display = p.TraceStripDisplay.from_trace(trace(*w2(), bias=False, margin=9), ax=ax)
    assert (display.updated & ~display.mistaken).any()
    assert "too near" in " ".join(text.get_text() for text in display.legend_.get_texts())


def test_strip_of_a_long_run_says_what_is_left_out(ax):
    display = p.TraceStripDisplay.from_trace(trace(*w3()), ax=ax)
    assert display.left_out == trace(*w3()).counts.n_steps - 80
    assert "not drawn" in ax.get_xlabel()


def test_mistakes_per_pass_and_cumulative_against_the_bound(run, two_axes):
    display = p.MistakesDisplay.from_trace(run, ax=two_axes)
    assert [bar.get_height() for bar in display.bars_[""]] == [3, 1, 0]
    assert display.curves_[""].get_ydata()[-1] == 4
    assert display.bound == mistake_bound(*w2(), bias=False).most == 10
    assert display.bound_.get_ydata()[0] == 10


def test_mistakes_of_a_start_have_the_starts_bound(two_axes):
    display = p.MistakesDisplay.from_trace(trace(*w1(), bias=False, start=([1, -0.8], 0)), ax=two_axes)
    assert display.bound == mistake_bound(*w1(), bias=False, start=([1, -0.8], 0)).most


def test_several_runs_are_drawn_by_name(two_axes):
    X, y = two_species()
    runs = {name: trace(X, y, margin=margin, exact=False) for name, margin in (("plain", 0.0), ("wide", 1.0))}
    display = p.MistakesDisplay.from_trace(runs, ax=two_axes)
    assert list(display.curves_) == ["plain", "wide"]
    assert display.whose == " (wide)"
    assert any(text.get_text() == f"bound {display.bound} (wide)" for text in two_axes[1].texts)
    with pytest.raises(DataError, match="no trace"):
        p.MistakesDisplay.from_trace({}, ax=two_axes)


def test_an_outcome_can_be_drawn_too(two_axes):
    display = p.MistakesDisplay.from_outcome(learn(*w2(), bias=False), bound=10, ax=two_axes)
    assert display.curves_[""].get_ydata()[-1] == 4


@pytest.mark.parametrize("kind", ["histogram", "ecdf"])
def test_convergence_counts_every_run_and_marks_the_bound(kind, ax):
    found = study(*w2(), runs=200, bias=False, threads=1)
    display = p.ConvergenceDisplay.from_study(found, ax=ax, kind=kind)
    assert display.counts.sum() == 200
    assert display.bound == 10
    assert display.bound_.get_xdata()[0] == 10  # near enough to be drawn to scale
    if kind == "ecdf":
        assert display.curve_.get_ydata()[-1] == 1


def test_a_far_bound_is_drawn_behind_a_break(ax):
    X, y = two_species()
    display = p.ConvergenceDisplay.from_study(study(X, y, runs=100, threads=1), ax=ax)
    assert display.bound == 410
    assert display.bound_.get_xdata()[0] < 410
    assert "bound 410" in [text.get_text() for text in ax.texts]


def test_runs_that_did_not_converge_are_shown_apart(ax):
    found = study(*xor(), runs=20, max_passes=5, threads=1)
    display = p.ConvergenceDisplay.from_study(found, ax=ax)
    assert (len(display.updates), display.not_converged, display.bound) == (0, 20, None)
    assert "none converged" in ax.get_title(loc="left")


def test_angle_curves_are_the_proofs(run, two_axes):
    display = p.AngleDisplay.from_trace(run, ax=two_axes)
    proof = run.proof()
    assert display.bound == pytest.approx(10)
    np.testing.assert_array_equal(display.cosine_.get_ydata(), proof.cosine)
    np.testing.assert_array_equal(display.norm_.get_ydata(), proof.norm)
    np.testing.assert_array_equal(display.progress_.get_ydata(), proof.progress)
    # the promises meet where the bound says: kγ = √k·R
    assert display.floor_.get_ydata()[-1] == pytest.approx(display.ceiling_.get_ydata()[-1])
    assert display.floor_.get_xdata()[-1] == pytest.approx(10)


@pytest.mark.parametrize(
    ("rate", "margin", "bound", "ceiling"),
    [
        (1, 0, r"(R/\gamma)^2", r"$\leq \sqrt{k}\,R$"),
        (0.5, 0, r"(R/\gamma)^2", r"$\leq \sqrt{k}\,r\,R$"),
        (1, 1, r"(R^2 + 2\beta)/\gamma^2", r"$\leq \sqrt{k(R^2 + 2\beta)}$"),
        (0.5, 1, r"(R^2 + 2\beta/r)/\gamma^2", r"$\leq \sqrt{k(r^2R^2 + 2r\beta)}$"),
    ],
)
def test_the_promises_are_named_by_the_theorem_they_come_from(two_axes, rate, margin, bound, ceiling):
    run = trace(*w2(), bias=False, rate=rate, margin=margin)
    display = p.AngleDisplay.from_trace(run, ax=two_axes)
    assert display.bound == pytest.approx(mistake_bound(*w2(), bias=False, rate=rate, margin=margin).value)
    assert display.words.bound == bound
    assert display.ceiling_.get_label() == ceiling


def test_angle_of_a_start_and_on_one_axes(ax):
    display = p.AngleDisplay.from_trace(trace(*w1(), bias=False, start=([1, -0.8], 0)), ax=ax)
    assert display.bound is None
    assert len(display.ax_) == 1
    with pytest.raises(DataError, match="no separator is known"):
        p.AngleDisplay.from_trace(trace(*xor(), max_passes=3), ax=ax)


def test_margins_are_geometric_and_the_best_is_marked(run, ax):
    display = p.MarginDisplay.from_trace(run, ax=ax)
    np.testing.assert_allclose(display.margins, np.array([4, 8, 4, 12]) / np.sqrt(20))
    assert display.smallest == pytest.approx(display.best)
    assert p.MarginDisplay.from_trace(run, k=1, ax=ax).smallest == -np.inf


def test_margin_histogram_never_mixes_right_and_wrong(ax):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(300, 2)), rng.integers(0, 2, 300)
    display = p.MarginDisplay.from_outcome(learn(X, y, max_passes=2), X, y, ax=ax)
    edges = np.array([bar.get_x() for bar in display.marks_[0]])
    assert np.abs(edges).min() < 1e-12
    assert sum(bar.get_height() for bars in display.marks_ for bar in bars) == 300


def test_alpha_sums_to_the_updates(run, two_axes):
    display = p.DualDisplay.from_trace(run, ax=two_axes)
    assert display.alpha.tolist() == [2, 1, 1, 0]
    assert [bar.get_width() for bar in display.bars_] == [2, 1, 1]
    X, y = two_species()
    model = Perceptron().fit(X, y)
    assert p.DualDisplay.from_estimator(model, X, y, ax=two_axes).updates == model.n_updates_
    with pytest.raises(DataError, match="rows learnt from"):
        p.DualDisplay.from_estimator(model, X[:5], y[45:50], ax=two_axes)


def test_starts_draw_every_run_and_their_mean(ax):
    runs = [trace(*w2(), bias=False, start=start) for start in ([1, 0], [0, 1], [-1, 1])]
    display = p.StartsDisplay.from_traces(runs, ax=ax)
    assert len(display.lines_) == 3
    unit = display.W / np.linalg.norm(display.W, axis=1, keepdims=True)
    np.testing.assert_allclose(display.mean[0], unit.mean(axis=0))
    assert display.mean_line_.get_xydata().tolist() == display.mean_line.tolist()
    with pytest.raises(DataError, match="different examples"):
        p.StartsDisplay.from_traces([runs[0], trace(*w1(), bias=False)], ax=ax)


def test_a_studys_models_can_be_drawn(ax):
    X, y = two_species()
    display = p.StartsDisplay.from_study(study(X, y, runs=250, vary=("order", "start"), threads=1), ax=ax)
    assert len(display.W) == 200
    assert "first 200 of 250" in ax.get_title(loc="left")


def test_the_largest_margin_and_who_touches_it(ax):
    display = p.CertificateDisplay.from_data(*w2(), bias=False, ax=ax)
    best = max_margin(*w2(), bias=False)
    assert display.separable
    assert display.rows.tolist() == best.rows.tolist() == [0, 2]
    assert display.rings_.get_offsets().tolist() == w2().X[[0, 2]].tolist()
    np.testing.assert_allclose(display.line @ display.w + display.c, 0, atol=1e-12)


def test_a_separator_need_not_be_the_best(ax):
    found = check(*w2(), bias=False)
    display = p.CertificateDisplay.from_certificate(found, *w2(), ax=ax)
    assert display.gamma == found.gamma
    assert "a separator" in ax.get_title(loc="left")


def test_xor_is_drawn_as_two_diagonals_that_cross(ax):
    display = p.CertificateDisplay.from_data(*xor(), ax=ax)
    assert display.meet.tolist() == [0.5, 0.5]
    assert [len(part) for part in display.hulls] == [2, 2]
    assert [text.get_text() for text in display.labels_] == ["$\\lambda$ = 1/4"] * 4


def test_a_point_inside_a_triangle(ax):
    display = p.CertificateDisplay.from_data(*neither(), ax=ax)
    assert sorted(len(part) for part in display.hulls) == [1, 3]
    np.testing.assert_allclose(display.meet, [0, -1], atol=1e-12)


def test_through_the_origin_the_signed_rows_surround_it(ax):
    display = p.CertificateDisplay.from_data([[1, 1], [3, 3], [1, 0]], [0, 1, 1], bias=False, ax=ax)
    assert display.meet.tolist() == [0, 0]
    sign = np.where(np.array([0, 1, 1]) == 1, 1, -1)
    assert display.shown.xy.tolist() == (sign[:, None] * np.array([[1, 1], [3, 3], [1, 0]])).tolist()


def test_more_features_show_shadows_that_meet_too(ax):
    data = iris()
    kept = data.y != "setosa"
    display = p.CertificateDisplay.from_data(data.X[kept], data.y[kept], features=(2, 3), ax=ax)
    assert not display.separable
    assert len(display.rows) <= 6
    assert "shadows" in ax.get_xlabel()
    weights = np.array([float(weight) for weight in display.weights])
    code = display.shown.codes[display.rows]
    for k in (0, 1):
        xy = display.shown.xy[display.rows][code == k]
        np.testing.assert_allclose(weights[code == k] @ xy / weights[code == k].sum(), display.meet, atol=1e-9)


def test_survival_counts_are_the_votes(run, ax):
    display = p.SurvivalDisplay.from_trace(run, ax=ax)
    assert display.count.tolist() == [0, 1, 1, 2, 8]
    assert display.right.tolist() == [0, 2, 3, 3, 4]
    model = VotedPerceptron(shuffle=False, fit_intercept=False).fit(*w2())
    again = p.SurvivalDisplay.from_estimator(model, *w2(), ax=ax)
    assert again.count.tolist() == display.count.tolist()
    assert again.right.tolist() == display.right.tolist()
    with pytest.raises(DataError, match="VotedPerceptron"):
        p.SurvivalDisplay.from_estimator(Perceptron().fit(*w2()), *w2(), ax=ax)


def test_too_many_axes_are_refused(run, two_axes):
    with pytest.raises(DataError, match="this display has 2 panels"):
        p.AngleDisplay.from_trace(run, ax=[*two_axes, two_axes[0]])


def test_plot_is_reached_without_an_import_statement():
    assert rosenblatt.plot is p
    assert all(hasattr(p, name) for name in p.__all__)


def test_every_display_draws_again_on_a_figure_of_its_own(run):
    displays = (
        p.BoundaryDisplay.from_trace(run),
        p.UpdateDisplay.from_trace(run),
        p.TraceStripDisplay.from_trace(run),
        p.MistakesDisplay.from_trace(run),
        p.AngleDisplay.from_trace(run),
        p.MarginDisplay.from_trace(run),
        p.DualDisplay.from_trace(run),
        p.StartsDisplay.from_traces([run]),
        p.SurvivalDisplay.from_trace(run),
        p.CertificateDisplay.from_data(*w2(), bias=False),
    )
    assert len(plt.get_fignums()) == len(displays)
    plt.close("all")
    for display in displays:
        first = display.figure_
        assert display.plot() is display
        assert display.figure_ is not first
        assert len(plt.get_fignums()) == 1
        plt.close("all")


def test_headings_of_updates_stay_above_their_own_panels():
    """Long decimals and a bias: the arithmetic is broken into lines, or left out where a line would not fit."""
    X = [[1.4, 0.2], [4.7, 1.4], [1.3, 0.2], [4.5, 1.5]]
    run = trace(X, [-1, 1, -1, 1])
    for k in range(1, len(run.updates) + 1):
        heading = p.UpdateDisplay.from_trace(run, k=k).ax_.get_title(loc="left")
        assert max(map(len, heading.split("\n"))) <= 42


def test_a_users_words_are_drawn_letter_by_letter(tmp_path):
    X = pd.DataFrame({"a$": [1.0, -1, 2], "$x_2^$": [2.0, -1, 1]})
    y = ["p$q$", "_b", "p$q$"]
    display = p.BoundaryDisplay.from_outcome(learn(X, y), X, y)
    display.figure_.savefig(tmp_path / "words.png")  # where a formula would be parsed
    assert display.ax_.get_ylabel() == r"\$x_2^\$"
    assert [text.get_text().strip() for text in display.legend_.get_texts()][:2] == [r"p\$q\$", "_b"]


def test_very_large_and_small_numbers_stand_at_their_ticks():
    X, y = [[1e12, 2e-9], [-1e12, 1e-9], [3e12, -4e-9]], ["no", "yes", "no"]
    display = p.BoundaryDisplay.from_outcome(learn(X, y), X, y)
    display.figure_.canvas.draw()
    assert display.ax_.yaxis.get_offset_text().get_text() == ""
    assert "1e+12" in [tick.get_text() for tick in display.ax_.get_xticklabels()]


def test_wrong_examples_that_are_left_are_marked_in_the_strip():
    run = trace(*w2(), bias=False, ties="positive", what="steps")
    display = p.TraceStripDisplay.from_trace(run)
    assert len(display.left_.get_offsets()) == 2
    assert "wrong, but left" in [text.get_text() for text in display.legend_.get_texts()]


def test_a_heading_says_which_vector_of_a_memory_is_drawn():
    X, y = [[1, 2], [3, 1], [0, -1], [2, 5], [4, 4], [0, 1]], list("ababba")
    heading = {
        memory: p.BoundaryDisplay.from_trace(trace(X, y, memory=memory)).heading for memory in ("vote", "average")
    }
    assert heading == {"vote": "not the vote: the last of its 21 voters", "average": "the average over 72 steps"}


def test_runs_that_all_need_the_same_updates_have_a_bar_to_see():
    display = p.ConvergenceDisplay.from_study(study(*w3(), runs=20))
    left, right = display.ax_.get_xlim()
    assert 0.05 < 1 / (right - left) < 0.2


def test_starts_say_how_many_did_not_converge():
    display = p.StartsDisplay.from_study(study(*xor(), runs=5, max_passes=3))
    assert display.not_converged == 5
    assert "5 of them did not converge" in display.ax_.get_title(loc="left").replace("\n", " ")
