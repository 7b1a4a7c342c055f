"""The room that is left in a plot, so that words cover neither data nor each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from app.lab.figures.word_places import LabelBox, around_point

Coordinates = npt.NDArray[np.float64]

_CELL = 3.0  # pixels
_DATA, _WORDS = 1, 40  # what it costs to cover a cell
_BESIDE = 10.0  # gap to a point that words are seen to belong to, with a ring around it
_AWAY = (20.0, 32.0, 46.0, 62.0, 80.0, 100.0)  # gaps to one that words are led to
_STROKE = 1.0


def crosses(one: LabelBox, other: LabelBox) -> bool:
    """Return whether two rectangles have a part in common.

    Examples
    --------
    >>> crosses(Box(0, 0, 10, 10), Box(9, 9, 5, 5)), crosses(Box(0, 0, 10, 10), Box(10, 0, 5, 5))
    (True, False)
    """
    return (
        one.left < other.left + other.width
        and other.left < one.left + one.width
        and one.top < other.top + other.height
        and other.top < one.top + one.height
    )


class Lead(NamedTuple):
    """A thin line from words to their point."""

    x: float
    y: float
    to_x: float
    to_y: float


class LabelPlacer:
    """Parts of a plot taken by data and by words.

    Lines may be covered where there is no other place, for they are seen on both sides of words; marks may not.

    Parameters
    ----------
    width, height : float
        Of the plot, in pixels.
    """

    def __init__(self, width: float, height: float) -> None:
        self._bounds = LabelBox(0.0, 0.0, width, height)
        self._cost = np.zeros((max(1, int(height / _CELL) + 1), max(1, int(width / _CELL) + 1)), np.int32)
        self._marks = np.empty((0, 3))  # x, y and half the width
        self._written: list[LabelBox] = []

    def take_curve(self, x: Coordinates, y: Coordinates) -> None:
        """Mark the area below a line through points as taken."""
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

    def take_points(self, x: Coordinates, y: Coordinates) -> None:
        """Mark the places of points as taken."""
        good = np.isfinite(x) & np.isfinite(y)
        columns, rows = (x[good] / _CELL).astype(np.int64), (y[good] / _CELL).astype(np.int64)
        inside = (columns >= 0) & (rows >= 0) & (columns < self._cost.shape[1]) & (rows < self._cost.shape[0])
        self._cost[rows[inside], columns[inside]] = np.maximum(self._cost[rows[inside], columns[inside]], _DATA)

    def take_marks(self, x: Coordinates, y: Coordinates, half: float) -> None:
        """Mark squares around points as taken, which no words may cover."""
        good = np.isfinite(x) & np.isfinite(y)
        new = np.stack([x[good], y[good], np.full(int(good.sum()), half)], axis=1)
        self._marks = np.concatenate([self._marks, new])

    def take_words(self, box: LabelBox) -> None:
        """Mark a rectangle as taken by words."""
        self._cost[self._cells(box)] = _WORDS
        self._written.append(box)

    def place(self, candidates: Sequence[LabelBox]) -> LabelBox:
        """Choose the candidate that covers least, of equals the first, and take it; all are moved into the plot."""
        inside = [self._within(one) for one in candidates]
        best = min(inside, key=lambda box: int(self._cost[self._cells(box)].sum()))
        self.take_words(best)
        return best

    def place_free(self, candidates: Sequence[LabelBox]) -> LabelBox | None:
        """Choose the candidate that covers no words, no marks and least of lines, and take it; None if none does.

        All are moved into the plot.
        """
        free = [one for one in map(self._within, candidates) if self.is_free(one)]
        if not free:
            return None
        best = min(free, key=lambda box: int(self._cost[self._cells(box)].sum()))
        self.take_words(best)
        return best

    def place_led(self, x: float, y: float, width: float, height: float) -> tuple[LabelBox, Lead | None] | None:
        """Place the words of a point as near to it as there is room, led to it where they are away; None if nowhere.

        The line that leads there crosses marks only where all ways do, and words never.
        """
        box = self.place_free(around_point(x, y, width, height, _BESIDE))
        if box is not None:
            return box, None
        free = [one for gap in _AWAY for one in around_point(x, y, width, height, gap) if self.is_free(one)]
        leads = [(one, _lead(one, x, y)) for one in free]
        leads = [(one, lead) for one, lead in leads if not self._crosses_words(lead)]
        if not leads:
            return None
        box, lead = next((pair for pair in leads if not self._crosses_marks(pair[1], x, y)), leads[0])
        self.take_words(box)
        self.take_marks(*_along(lead), _STROKE)
        return box, lead

    def is_free(self, box: LabelBox) -> bool:
        """Return whether words in a rectangle cover neither other words nor marks, and lie within."""
        if box != self._within(box) or any(crosses(box, one) for one in self._written):
            return False
        x, y, half = self._marks.T
        across = (x + half > box.left) & (x - half < box.left + box.width)
        return not bool((across & (y + half > box.top) & (y - half < box.top + box.height)).any())

    def _crosses_words(self, lead: Lead) -> bool:
        return any(
            crosses(LabelBox(left, top, _STROKE, _STROKE), one)
            for left, top in zip(*_along(lead), strict=True)
            for one in self._written
        )

    def _crosses_marks(self, lead: Lead, x: float, y: float) -> bool:
        """Return whether a line to a point crosses the marks of others."""
        along = np.stack(_along(lead), axis=1)
        others = self._marks[(self._marks[:, 0] != x) | (self._marks[:, 1] != y)]
        away = np.abs(along[:, None] - others[None, :, :2]).max(axis=2, initial=0)
        return bool((away < others[None, :, 2]).any())

    def _within(self, box: LabelBox) -> LabelBox:
        left = min(max(box.left, 0.0), max(0.0, self._bounds.width - box.width))
        top = min(max(box.top, 0.0), max(0.0, self._bounds.height - box.height))
        return LabelBox(left, top, box.width, box.height)

    def _cells(self, box: LabelBox) -> tuple[slice, slice]:
        rows = slice(max(0, int(box.top / _CELL)), max(0, int((box.top + box.height) / _CELL) + 1))
        columns = slice(max(0, int(box.left / _CELL)), max(0, int((box.left + box.width) / _CELL) + 1))
        return rows, columns


def _lead(box: LabelBox, x: float, y: float) -> Lead:
    """Lead from the nearest edge of words to just before the mark of their point."""
    at_x = min(max(x, box.left), box.left + box.width)
    at_y = min(max(y, box.top), box.top + box.height)
    length = max(1e-9, float(np.hypot(at_x - x, at_y - y)))
    share = min(1.0, _BESIDE / length)
    return Lead(at_x, at_y, x + (at_x - x) * share, y + (at_y - y) * share)


def _along(lead: Lead) -> tuple[Coordinates, Coordinates]:
    count = 2 + int(np.hypot(lead.to_x - lead.x, lead.to_y - lead.y) / _CELL)
    # Not from the words on: their own edge crosses nothing.
    share = np.linspace(0, 1, count)[1:]
    return lead.x + share * (lead.to_x - lead.x), lead.y + share * (lead.to_y - lead.y)
