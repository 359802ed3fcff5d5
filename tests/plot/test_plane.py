"""Lines and half-planes in the plane: exact, whatever their direction and length."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rosenblatt.plot.plane import View, clip, hull, regions, segment, view_of

VIEW = View(-3.0, 5.0, -2.0, 4.0)
parts = st.integers(-20, 20)


@pytest.mark.parametrize(
    ("w", "c", "ends"),
    [
        ((1, 0), -1, [[1, -2], [1, 4]]),  # vertical
        ((0, 2), -2, [[-3, 1], [5, 1]]),  # horizontal
        ((1, -1), 0, [[-2, -2], [4, 4]]),
        ((1, 0), -5, [[5, -2], [5, 4]]),  # along the edge of the view
    ],
)
def test_a_line_ends_at_the_edges_of_the_view(w, c, ends):
    np.testing.assert_allclose(segment(np.array(w, dtype=float), c, VIEW), ends, atol=1e-12)


def test_no_line_where_w_is_zero_or_the_view_is_missed():
    assert segment(np.zeros(2), 1.0, VIEW) is None
    assert segment(np.array([1.0, 0.0]), -9.0, VIEW) is None


@pytest.mark.parametrize("length", [1e-200, 1.0, 1e200])
def test_the_length_of_w_does_not_matter(length):
    np.testing.assert_allclose(segment(length * np.array([1.0, -1.0]), 0.0, VIEW), [[-2, -2], [4, 4]], atol=1e-9)


@pytest.mark.property
@given(parts, parts, parts)
def test_ends_lie_on_the_line_and_in_the_view(w1, w2, c):
    w = np.array([w1, w2], dtype=float)
    ends = segment(w, c, VIEW)
    corners = VIEW.corners @ w + c
    if ends is None:
        assert not w.any() or (corners >= 0).all() or (corners <= 0).all()
        return
    assert np.abs(ends @ w + c).max() <= 1e-9 * (1 + abs(c) + np.abs(w).sum() * 5)
    assert (ends >= [VIEW.left - 1e-9, VIEW.bottom - 1e-9]).all()
    assert (ends <= [VIEW.right + 1e-9, VIEW.top + 1e-9]).all()


def area(polygon):
    if len(polygon) < 3:
        return 0.0
    x, y = polygon.T
    return 0.5 * abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))


@pytest.mark.property
@given(parts, parts, parts)
def test_two_half_planes_fill_the_view(w1, w2, c):
    w = np.array([w1, w2], dtype=float)
    if not w.any():
        return
    whole = VIEW.width * VIEW.height
    assert area(clip(VIEW.corners, w, c)) + area(clip(VIEW.corners, -w, -c)) == pytest.approx(whole)


@pytest.mark.property
@given(st.lists(st.tuples(parts, parts, parts), min_size=3, max_size=5, unique=True))
def test_regions_of_several_classes_fill_the_view(vectors):
    V = np.array(vectors, dtype=float)
    if len(np.unique(V[:, :2], axis=0)) < len(V):
        return  # parallel scores: one of the two is larger everywhere or they tie everywhere
    assert sum(area(part) for part in regions(V[:, :2], V[:, 2], VIEW)) == pytest.approx(VIEW.width * VIEW.height)


def test_a_view_of_points_in_a_row_still_has_height():
    view = view_of(np.array([[0.0, 2.0], [4.0, 2.0]]))
    assert view.height > 0
    assert view.bottom < 2 < view.top
    assert view_of(np.array([[1.0, 1.0]])).width > 0


def test_the_hull_leaves_out_what_is_inside():
    assert len(hull(np.array([[0, 0], [4, 0], [4, 4], [0, 4], [2, 2], [2, 0]], dtype=float))) == 4
    assert hull(np.array([[1.0, 1.0], [1.0, 1.0]])).tolist() == [[1.0, 1.0]]
