"""Spatial queries of points in the plane: those in sight, under the pointer, or encircled."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Values, Int64Rows

Plane = npt.NDArray[np.float32]
Rect = tuple[float, float, float, float]
"""Left, top, right, bottom; points on its border are inside."""

_LEVELS = 23  # of spacings, each 1 / sqrt(2) of the one before: from the whole to 1/2048 of it
_EVERY_LEVEL = 0.0
_BLANK = -1


def points_in_rectangle(xy: Plane, rect: Rect) -> Int64Rows:
    """Return the points in a rectangle, ascending."""
    left, top, right, bottom = rect
    x, y = xy[:, 0], xy[:, 1]
    return np.flatnonzero((x >= left) & (x <= right) & (y >= top) & (y <= bottom))


def nearest_point(xy: Plane, point: tuple[float, float], radius: float) -> int | None:
    """Return the point nearest to a place, of equally near ones the first; None where none is within the radius."""
    x, y = point
    rows = points_in_rectangle(xy, (x - radius, y - radius, x + radius, y + radius))
    if len(rows) == 0:
        return None
    squared = np.square(xy[rows].astype(np.float64) - (x, y)).sum(axis=1)
    best = int(np.argmin(squared))
    return int(rows[best]) if squared[best] <= radius * radius else None


def points_in_polygon(xy: Plane, polygon: npt.ArrayLike) -> Int64Rows:
    """Return points inside a polygon, ascending: those from which a line to the right crosses its sides oddly often.

    Each side is compared only with the points that are as high as it, which of a line drawn by hand are few.

    Parameters
    ----------
    xy : ndarray, (n, 2)
    polygon : array_like, (corners, 2)
        The last corner is joined to the first; it may cross itself.

    Examples
    --------
    >>> points_in_polygon(np.array([[0.5, 0.5], [2.0, 0.5]], np.float32), [(0, 0), (1, 0), (1, 1), (0, 1)]).tolist()
    [0]
    """
    corners = np.asarray(polygon, np.float64).reshape(-1, 2)
    if len(corners) < 3:
        return np.empty(0, np.int64)
    (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
    rows = points_in_rectangle(xy, (left, top, right, bottom))
    order = np.argsort(xy[rows, 1])
    rows = rows[order]
    x, y = (xy[:, axis][rows].astype(np.float64) for axis in (0, 1))
    odd = np.zeros(len(rows), np.bool_)
    ends = np.roll(corners, -1, axis=0)
    low, high = np.minimum(corners[:, 1], ends[:, 1]), np.maximum(corners[:, 1], ends[:, 1])
    starts, stops = np.searchsorted(y, low, "left"), np.searchsorted(y, high, "left")
    for (x0, y0), (x1, y1), start, stop in zip(corners, ends, starts.tolist(), stops.tolist(), strict=True):
        if start < stop:
            some = slice(start, stop)
            odd[some] ^= x[some] < x0 + (y[some] - y0) / (y1 - y0) * (x1 - x0)
    found = np.zeros(len(xy), np.bool_)
    found[rows[odd]] = True
    return np.flatnonzero(found)


def spacings_of_appearance(xy: Plane, order: Int64Rows | None = None) -> npt.NDArray[np.float32]:
    """Return the spacing from which on each point is shown, (n,): so that none hides another, at any depth.

    At a spacing s those points are shown whose value is at least s. No two of them are nearer than s, in x and in y
    both; who is shown stays shown as one goes deeper, whatever is in sight; and there is no room for any other, up to
    the steps of sqrt(2) in which spacings come. Points that lie at one place, or nearly, come last, at 0.

    Parameters
    ----------
    xy : ndarray, (n, 2)
        In [0, 1].
    order : ndarray of int64, (n,), optional
        Those that are to be shown first; by default as they stand.

    Examples
    --------
    >>> spacings_of_appearance(np.array([[0.0, 0.0], [0.1, 0.0], [1.0, 1.0]], np.float32)).tolist()
    [1.0, 0.08838834..., 1.0]
    """
    n = len(xy)
    shown_at = np.full(n, _EVERY_LEVEL, np.float32)
    rank = np.empty(n, np.int64)
    rank[np.arange(n) if order is None else order] = np.arange(n)
    x, y = (np.ascontiguousarray(xy[:, axis], np.float64) for axis in (0, 1))
    shown, waiting = np.empty(0, np.int64), np.argsort(rank)
    for level in range(_LEVELS):
        if len(waiting) == 0:
            break
        spacing = float(np.float32(2 ** (-level / 2)))
        new = _with_room(x, y, shown, waiting, rank, spacing)
        shown_at[new] = spacing
        shown = np.concatenate([shown, new])
        waiting = waiting[shown_at[waiting] == _EVERY_LEVEL]
    return shown_at


def _with_room(
    x: Float64Values, y: Float64Values, shown: Int64Rows, waiting: Int64Rows, rank: Int64Rows, spacing: float
) -> Int64Rows:
    """Choose, in the order of rank, the waiting points that have room beside all shown and chosen ones.

    A cell of the grid as wide as the spacing holds one shown point at most, so only nine have to be looked at.
    """
    side = int(1 / spacing) + 3
    cell = (x / spacing).astype(np.int32) * side + (y / spacing).astype(np.int32) + side + 1
    holder = np.full(side * (side + 2), _BLANK, np.int32)
    holder[cell[shown]] = shown
    beside = [i * side + j for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]

    def crowded(rows: Int64Rows, by: npt.NDArray[np.int32], before_only: bool) -> npt.NDArray[np.bool_]:
        """Return which of some points have a point too near in a neighbouring cell."""
        found = np.zeros(len(rows), np.bool_)
        own, own_x, own_y = cell[rows], x[rows], y[rows]
        for offset in beside:
            other = by[own + offset]
            near = (other != _BLANK) & (np.abs(own_x - x[other]) < spacing) & (np.abs(own_y - y[other]) < spacing)
            found |= near & (rank[other] < rank[rows]) if before_only else near
        return found

    chosen = [np.empty(0, np.int64)]
    candidates = waiting[holder[cell[waiting]] == _BLANK]  # by rank
    candidates = candidates[~crowded(candidates, holder, False)]
    while len(candidates):
        # The first of each cell, unless the first of a cell beside it comes before it and is too near.
        heads = np.full(len(holder), _BLANK, np.int32)
        heads[cell[candidates[::-1]]] = candidates[::-1]
        leaders = candidates[heads[cell[candidates]] == candidates]
        new = leaders[~crowded(leaders, heads, True)]
        holder[cell[new]] = new
        chosen.append(new)
        candidates = candidates[holder[cell[candidates]] == _BLANK]
        candidates = candidates[~crowded(candidates, holder, False)]
    return np.concatenate(chosen)


def representatives(xy: Plane, rect: Rect, cell: float, shown_at: npt.NDArray[np.float32] | None = None) -> Int64Rows:
    """Return the points of a rectangle that are shown where a picture takes a square of side ``cell``, ascending.

    Parameters
    ----------
    xy : ndarray, (n, 2)
    cell : float
        In the units of the points.
    shown_at : ndarray, (n,), optional
        What :func:`spacings_of_appearance` gives of all points, kept by who asks often.
    """
    found = points_in_rectangle(xy, rect)
    values = spacings_of_appearance(xy) if shown_at is None else shown_at
    return found[values[found] >= cell]
