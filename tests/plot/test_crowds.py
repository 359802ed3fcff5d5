"""Pictures of many noisy examples: what matters stands out, and nothing is a solid block."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from rosenblatt import DataError, learn, study, trace
from rosenblatt.datasets import xor
from rosenblatt.plot import (
    BoundaryDisplay,
    CertificateDisplay,
    ConvergenceDisplay,
    DualDisplay,
    MarginDisplay,
    MistakesDisplay,
    SurvivalDisplay,
    draw,
)
from rosenblatt.plot.examples import Shown
from rosenblatt.plot.points import draw_points


@pytest.fixture(scope="module")
def noisy():
    chance = np.random.default_rng(0)
    X = chance.normal(size=(600, 2))
    return X, np.where(X @ [1, 2] + 0.3 + chance.normal(size=600) > 0, "yes", "no")


@pytest.fixture(scope="module")
def run(noisy):
    return trace(*noisy, max_passes=3)


def test_many_vectors_are_a_band_with_their_mean(run):
    display = SurvivalDisplay.from_trace(run, ax=Figure().subplots())
    assert len(display.count) > 200
    (band,) = display.ax_.collections
    heights = band.get_paths()[0].vertices[:, 1]
    lasting = display.right[display.count > 0]  # the start may have no step at all
    assert (heights.min(), heights.max()) == (lasting.min(), lasting.max())
    (mean,) = display.ax_.patches
    values, edges, _ = mean.get_data()
    weighted = (values * np.diff(edges)).sum() / display.count.sum()
    assert weighted == pytest.approx(np.average(display.right, weights=display.count), rel=0.01)


def test_few_vectors_are_bars(noisy):
    display = SurvivalDisplay.from_trace(trace(*noisy, max_updates=20), ax=Figure().subplots())
    assert len(display.ax_.patches) == len(display.count)


def test_the_rows_of_a_proof_stand_out_of_a_crowd(noisy):
    display = CertificateDisplay.from_data(*noisy, ax=Figure().subplots())
    strong = sum(int((artist.get_alpha() > 0.5).sum()) for artist in display.points_)
    assert strong == len(display.rows)


def test_many_mistakes_have_finer_rings_and_the_title_says_that_the_run_went_on(run):
    display = BoundaryDisplay.from_trace(run, ax=Figure().subplots())
    assert display.ax_.get_title(loc="left").endswith("not converged")
    assert display.wrong.sum() > 60
    assert display.rings_.get_linewidths()[0] < 1


def test_examples_without_an_update_stay_visible(run):
    display = DualDisplay.from_trace(run, ax=Figure().subplots(1, 2))
    edges = [artist.get_edgecolors() for artist in display.points_]
    assert all((colours[:, :3] < 1).any() for colours in edges if len(colours))


def test_a_run_longer_than_its_trace_is_drawn_as_it_ended(noisy):
    run = trace(*noisy, max_passes=3, max_rows=50)
    outcome = learn(*noisy, max_passes=3)
    boundary = BoundaryDisplay.from_trace(run, ax=Figure().subplots())
    assert boundary.w.tolist() == outcome.w.tolist()
    assert boundary.ax_.get_title(loc="left").startswith(f"after {outcome.n_updates} updates")
    margins = MarginDisplay.from_trace(run, ax=Figure().subplots())
    assert (margins.margins <= 0).sum() == boundary.wrong.sum()
    cut = f"the first 50 of {outcome.n_updates} updates"
    mistakes = MistakesDisplay.from_trace(run, ax=Figure().subplots(1, 2))
    assert cut in mistakes.ax_[1].get_xlabel()
    assert mistakes.n_steps[""] == run.updates.step[-1] + 1
    assert cut in DualDisplay.from_trace(run, ax=Figure().subplots(1, 2)).ax_[0].get_title(loc="left")
    assert cut in SurvivalDisplay.from_trace(run, ax=Figure().subplots()).ax_.get_xlabel()


def test_a_study_without_a_clean_pass_says_so(noisy):
    with pytest.raises(DataError, match=r"not separable.*'mistakes'.*'certificate'"):
        draw("convergence", *noisy)
    display = ConvergenceDisplay.from_study(study(*xor(), runs=5, max_passes=3), ax=Figure().subplots())
    assert display.ax_.get_title(loc="left") == "5 runs, none converged"
    assert len(display.ax_.get_xticks()) == 0


def test_classes_at_one_place_are_drawn_side_by_side():
    """Corners of a cube seen from above: a disc would cover the square."""
    ax = Figure().subplots()
    xy = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [2.0, 0.0], [2.0, 0.0]])
    shown = Shown(xy, np.array([0, 1, 1, 0, 0]), np.array([0, 1]), np.ones(5, dtype=bool))
    made = draw_points(ax, shown)
    moved = [part.get_offset_transform().transform((0, 0)) - ax.transData.transform((0, 0)) for part in made]
    assert [len(part.get_offsets()) for part in made] == [2, 1, 1, 1]
    assert [np.sign(round(x, 6)) for x, _ in moved] == [0, -1, 0, 1]
