"""Clusters of a map as eyes see them: heaps of points, parted where they lie thinly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix

Plane = npt.NDArray[np.float32]

_GRID = 160
_BLUR = 0.015  # of the side of the map: standard deviation
_SADDLE = 0.7  # of the lower summit: two heaps that are joined by a ridge as high are one
_LEAST_SHARE, _LEAST = 0.008, 4  # of the points; heaps with fewer are none


@dataclass(frozen=True, eq=False)
class Heaps:
    """The heap of each point.

    Attributes
    ----------
    number : ndarray of int32, (n,)
        0 for the heap of most points, and so on; -1 for points on none.
    summits : ndarray of float64, (heaps, 2)
        Where they are highest.
    """

    number: npt.NDArray[np.int32]
    summits: Float64Matrix


def heaps(xy: Plane, every: bool = False) -> Heaps:
    """Part points in [0, 1]² into heaps of density; ``every`` one, also those of fewer points than eyes take for one.

    Their density on a grid, blurred, is climbed from every cell to a summit; summits with a high ridge between them are
    one heap (the watershed of the density, joined by prominence).
    """
    n = len(xy)
    if n == 0:
        return Heaps(np.empty(0, np.int32), np.empty((0, 2)))
    from scipy.ndimage import gaussian_filter

    place = np.clip((xy.astype(np.float64) * _GRID).astype(np.int64), 0, _GRID - 1)
    cell = place[:, 0] * _GRID + place[:, 1]
    counts = np.bincount(cell, minlength=_GRID * _GRID).reshape(_GRID, _GRID).astype(np.float64)
    density = gaussian_filter(counts, _BLUR * _GRID, mode="constant", truncate=4.0)
    summit = _joined(density.ravel(), _climbed(density))
    labels, sizes = np.unique(summit[cell], return_counts=True)
    order = np.lexsort((labels, -sizes))
    if not every:
        order = order[sizes[order] >= max(_LEAST, _LEAST_SHARE * n)]
    number = np.full(_GRID * _GRID, -1, np.int32)
    number[labels[order]] = np.arange(len(order), dtype=np.int32)
    tops = labels[order]
    return Heaps(number[summit[cell]], (np.stack([tops // _GRID, tops % _GRID], axis=1) + 0.5) / _GRID)


def _climbed(density: Float64Matrix) -> npt.NDArray[np.int64]:
    """Return the summit above each cell: the cell that the steepest way up from cell to cell ends at."""
    side = len(density)
    padded = np.pad(density, 1, constant_values=-1.0)
    cells = np.arange(side * side).reshape(side, side)
    best, up = density.copy(), cells.copy()
    for i in (-1, 0, 1):
        for j in (-1, 0, 1):
            other = padded[1 + i : 1 + i + side, 1 + j : 1 + j + side]
            higher = other > best
            best[higher] = other[higher]
            up[higher] = cells[higher] + i * side + j
    above = up.ravel()
    while True:
        further = above[above]
        if np.array_equal(further, above):
            return above
        above = further


def _joined(density: Float64Matrix, summit: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Join summits between which the ridge is high, highest ridges first; the higher summit stays."""
    side = int(np.sqrt(len(density)))
    cells = np.arange(len(density)).reshape(side, side)
    first = np.concatenate([cells[:, :-1].ravel(), cells[:-1].ravel()])
    second = np.concatenate([cells[:, 1:].ravel(), cells[1:].ravel()])
    ridge = np.minimum(density[first], density[second])
    meeting = (summit[first] != summit[second]) & (ridge > 0)
    first, second, ridge = first[meeting], second[meeting], ridge[meeting]
    stays = {one: one for one in np.unique(summit).tolist()}

    def top(one: int) -> int:
        while stays[one] != one:
            one = stays[one]
        return one

    for edge in np.argsort(-ridge, kind="stable").tolist():
        one, other = top(int(summit[first[edge]])), top(int(summit[second[edge]]))
        if one == other:
            continue
        if (density[one], -one) < (density[other], -other):
            one, other = other, one
        if ridge[edge] >= _SADDLE * density[other]:
            stays[other] = one
    tops = np.arange(len(density))
    for one in stays:
        tops[one] = top(one)
    return np.asarray(tops[summit])
