"""Points in the plane: fast answers are those of plain loops."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from twinlens.core.embedding import plane

UNIT = st.floats(0, 1, width=16)
"""Few different values, so that points lie on borders and on each other."""
POINTS = st.integers(0, 60).flatmap(lambda n: arrays.arrays(np.float32, (n, 2), elements=UNIT))
CORNERS = arrays.arrays(np.float64, st.tuples(st.integers(0, 9), st.just(2)), elements=UNIT)


def _inside_plain(point: npt.NDArray[np.float32], corners: npt.NDArray[np.float64]) -> bool:
    x, y = map(float, point)
    odd = False
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if min(y0, y1) <= y < max(y0, y1) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            odd = not odd
    return odd


@given(POINTS, CORNERS)
def test_what_a_lasso_takes(xy: npt.NDArray[np.float32], corners: npt.NDArray[np.float64]) -> None:
    expected = [row for row, point in enumerate(xy) if len(corners) > 2 and _inside_plain(point, corners)]
    assert plane.points_in_polygon(xy, corners).tolist() == expected


@given(POINTS, st.tuples(UNIT, UNIT), st.floats(0, 0.5))
def test_the_nearest(xy: npt.NDArray[np.float32], point: tuple[float, float], radius: float) -> None:
    squared = [(float(x) - point[0]) ** 2 + (float(y) - point[1]) ** 2 for x, y in xy]
    near = [(one, row) for row, one in enumerate(squared) if one <= radius * radius]
    assert plane.nearest_point(xy, point, radius) == (min(near)[1] if near else None)


@given(POINTS, UNIT, UNIT, UNIT, UNIT)
def test_what_is_in_sight(xy: npt.NDArray[np.float32], left: float, top: float, right: float, bottom: float) -> None:
    expected = [row for row, (x, y) in enumerate(xy) if left <= x <= right and top <= y <= bottom]
    assert plane.points_in_rectangle(xy, (left, top, right, bottom)).tolist() == expected


def _appearing_plain(xy: npt.NDArray[np.float32], order: list[int]) -> list[float]:
    """Show points one by one, at each spacing those that have room."""
    found = [0.0] * len(xy)
    points = xy.astype(np.float64)
    for level in range(23):
        spacing = float(np.float32(2 ** (-level / 2)))
        for row in order:
            shown = [other for other in order if found[other] > 0]
            if found[row] == 0 and all(np.abs(points[row] - points[other]).max() >= spacing for other in shown):
                found[row] = spacing
    return found


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 14).flatmap(lambda n: arrays.arrays(np.float32, (n, 2), elements=UNIT)), st.randoms())
def test_who_is_shown_first_is_as_one_by_one(xy: npt.NDArray[np.float32], random: object) -> None:
    order = list(range(len(xy)))
    random.shuffle(order)  # type: ignore[attr-defined]
    assert plane.spacings_of_appearance(xy, np.array(order, np.int64)).tolist() == _appearing_plain(xy, order)


def test_thumbnails_do_not_overlap_and_leave_no_room() -> None:
    xy = np.random.default_rng(0).random((3_000, 2)).astype(np.float32)
    shown_at = plane.spacings_of_appearance(xy)
    cell = 1 / 16
    found = plane.representatives(xy, (0.2, 0.2, 0.8, 0.8), cell, shown_at)
    apart = np.abs(xy[found][:, None] - xy[found][None]).max(axis=2) + np.eye(len(found))
    assert apart.min() >= cell - 1e-7
    inner = plane.points_in_rectangle(xy, (0.3, 0.3, 0.7, 0.7))
    assert np.abs(xy[inner][:, None] - xy[found][None]).max(axis=2).min(axis=1).max() < cell
    deeper = plane.representatives(xy, (0.2, 0.2, 0.8, 0.8), cell / 3)
    assert set(found.tolist()) < set(deeper.tolist())
    moved = plane.representatives(xy, (0.25, 0.2, 0.9, 0.8), cell, shown_at)
    assert set(found[xy[found, 0] >= 0.25].tolist()) <= set(moved.tolist())
