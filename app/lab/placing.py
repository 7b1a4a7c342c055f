"""Where words have room in a drawing: beside curves, and where they cover neither data nor each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Values = npt.NDArray[np.float64]

_CELL = 3.0  # pixels
_LETTERS = 25  # of a name in a line
_DATA, _WORDS = 1, 40  # what it costs to cover a cell


class Box(NamedTuple):
    """A rectangle in pixels, from its left and top."""

    left: float
    top: float
    width: float
    height: float


class Room:
    """Which parts of a plot are taken, by data and by words.

    Parameters
    ----------
    width, height : float
        Of the plot, in pixels.
    """

    def __init__(self, width: float, height: float) -> None:
        self._bounds = Box(0.0, 0.0, width, height)
        self._cost = np.zeros((max(1, int(height / _CELL) + 1), max(1, int(width / _CELL) + 1)), np.int32)

    def take_curve(self, x: Values, y: Values) -> None:
        """Take what lies below a line through points."""
        good = np.isfinite(x) & np.isfinite(y)
        x, y = x[good], y[good]
        if len(x) < 2:
            self.take_points(x, y)
            return
        x, y = np.clip(x, -1e4, 1e4), np.clip(y, -1e4, 1e4)
        along = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
        if along[-1] > 0:
            at = np.linspace(0, along[-1], min(20_000, int(along[-1] / _CELL) + 2))
            self.take_points(np.interp(at, along, x), np.interp(at, along, y))

    def take_points(self, x: Values, y: Values) -> None:
        """Take the places of points."""
        good = np.isfinite(x) & np.isfinite(y)
        columns, rows = (x[good] / _CELL).astype(np.int64), (y[good] / _CELL).astype(np.int64)
        inside = (columns >= 0) & (rows >= 0) & (columns < self._cost.shape[1]) & (rows < self._cost.shape[0])
        self._cost[rows[inside], columns[inside]] = np.maximum(self._cost[rows[inside], columns[inside]], _DATA)

    def take_words(self, box: Box) -> None:
        """Take a rectangle that is written in."""
        self._cost[self._cells(box)] = _WORDS

    def place(self, candidates: Sequence[Box]) -> Box:
        """Choose the candidate that covers least, of equals the first, and take it; all are moved into the plot."""
        inside = [self._within(one) for one in candidates]
        best = min(inside, key=lambda box: int(self._cost[self._cells(box)].sum()))
        self.take_words(best)
        return best

    def covers(self, box: Box) -> bool:
        """Tell whether words in a rectangle would cover other words."""
        return bool((self._cost[self._cells(box)] >= _WORDS).any())

    def _within(self, box: Box) -> Box:
        left = min(max(box.left, 0.0), max(0.0, self._bounds.width - box.width))
        top = min(max(box.top, 0.0), max(0.0, self._bounds.height - box.height))
        return Box(left, top, box.width, box.height)

    def _cells(self, box: Box) -> tuple[slice, slice]:
        rows = slice(max(0, int(box.top / _CELL)), max(0, int((box.top + box.height) / _CELL) + 1))
        columns = slice(max(0, int(box.left / _CELL)), max(0, int((box.left + box.width) / _CELL) + 1))
        return rows, columns


def beside_line(at: float, width: float, height: float, rows: int, gap: float = 5.0) -> list[Box]:
    """Give candidates for the words of a line that stands at `at`: right and left of it, from above downwards."""
    found = []
    for row in range(rows):
        top = 2.0 + row * (height + 2.0)
        found += [Box(at + gap, top, width, height), Box(at - gap - width, top, width, height)]
    return found


def along_line(at: float, width: float, height: float, length: float, gap: float = 3.0) -> list[Box]:
    """Give candidates for the words of a line that lies at `at`: above and below it, from the left on."""
    found = []
    for share in (0.0, 1.0, 0.5, 0.25, 0.75):
        left = 4.0 + share * max(0.0, length - width - 8.0)
        found += [Box(left, at - gap - height, width, height), Box(left, at + gap, width, height)]
    return found


def around_point(x: float, y: float, width: float, height: float, gap: float = 6.0) -> list[Box]:
    """Give candidates for the words of a point: above, below, right and left of it, and at its corners."""
    return [
        Box(x - width / 2, y - gap - height, width, height),
        Box(x - width / 2, y + gap, width, height),
        Box(x + gap, y - height / 2, width, height),
        Box(x - gap - width, y - height / 2, width, height),
        Box(x + gap * 0.7, y - gap * 0.7 - height, width, height),
        Box(x - gap * 0.7 - width, y - gap * 0.7 - height, width, height),
        Box(x + gap * 0.7, y + gap * 0.7, width, height),
        Box(x - gap * 0.7 - width, y + gap * 0.7, width, height),
    ]


def folded(name: str) -> str:
    """Break a long name where its parts meet."""
    lines = [""]
    for piece in name.replace(" · ", " · \0").replace(",", ",\0").replace(":", ":\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > _LETTERS:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines)


def spread(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> list[float]:
    """Move labels apart, as little as can be: of places that fall, so that none overlaps and all are within bounds.

    Labels that touch stand together, around the mean of where they want to be (pool of adjacent violators).

    Parameters
    ----------
    wanted : sequence of float
        Middles, falling.
    heights : sequence of float
    low, high : float
        Bounds of all, as long as there is room.

    Examples
    --------
    >>> spread([0.9, 0.5, 0.5], [0.1, 0.1, 0.1], 0.0, 1.0)
    [0.9, 0.55, 0.45]
    """
    groups: list[tuple[float, list[int]]] = []  # top of a group, and what stands in it
    for place in range(len(wanted)):
        group, top = [place], wanted[place] + heights[place] / 2
        top = min(top, high)
        while groups:
            above_top, above = groups[-1]
            if above_top - sum(heights[one] for one in above) >= top - 1e-12:
                break
            groups.pop()
            group = [*above, *group]
            before = np.concatenate([[0.0], np.cumsum([heights[one] for one in group])])
            tops = [wanted[one] + heights[one] / 2 + before[i] for i, one in enumerate(group)]
            total = float(before[-1])
            top = min(max(float(np.mean(tops)), low + total), high)
        total = sum(heights[one] for one in group)
        groups.append((max(top, min(low + total, high)), group))
    found = [0.0] * len(wanted)
    floor = low
    for top, group in reversed(groups):
        total = sum(heights[one] for one in group)
        lifted = max(top, floor + total)
        at = lifted
        for one in group:
            found[one] = round(at - heights[one] / 2, 9)
            at -= heights[one]
        floor = lifted
    return found
