"""Places of labels in a plot: of lines across it, beside curves, and at points.

A label lies where it covers least of the data and of other labels; names beside a plot are moved apart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.app.lab.figures.axes import Span, bar_width, scaled
from twinlens.app.lab.figures.figure import Axis, Figure, FigureKind, Series
from twinlens.core.arrays import Float64Values

_ROWS = 4  # of words at the top that lines which stand may use
_MARK, _BORDERED = 3.0, 5.0  # half a mark, without and with the border around it
_RING = 9.0  # half the ring around a mark that is pointed at
_USUAL = 1  # weight of a label without one of its own
_BARS = 3.0  # between the strokes that stand for a bar


class Lead(NamedTuple):
    """A thin line from a label to its point."""

    x: float
    y: float
    to_x: float
    to_y: float


class LabelBox(NamedTuple):
    """A rectangle in pixels, from its left and top."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class PlacedLabel:
    """A label in the colour of a palette slot, with a line to its point if it is away from it."""

    box: LabelBox
    words: str
    place: int
    lead: Lead | None = None


def place_labels(
    figure: Figure,
    spans: tuple[Span, Span],
    size: tuple[float, float],
    measure: Callable[[str], float],
    line: float,
) -> tuple[list[PlacedLabel], list[PlacedLabel]]:
    """Place the labels of lines and points.

    What a point says covers neither other words nor any point: the labels that matter most are placed first, and one
    for which no room is left is left out. Those that matter most of all may stand away from their point.

    Parameters
    ----------
    spans : ((float, float), (float, float))
        What is seen of the axes, scaled.
    size : (float, float)
        Of the plot; boxes are counted from its left and top.
    measure : callable
        Gives how wide words are.
    line : float
        How high a line of words is.
    """
    plot = _Plot(figure, spans, size)
    room = LabelPlacer(*size)
    for one in figure.series:
        plot.take(room, one)
    standing = {one.at: float(plot.across(one.at)) for one in figure.markers if one.vertical}
    for at in standing.values():  # what stands is to be read, too
        room.take_curve(np.array([at, at]), np.array([0.0, size[1]]))
    lines = []
    for marker in sorted(figure.markers, key=lambda one: (not one.vertical, one.at)):
        label = str(marker.label)
        width = measure(label) + 2
        if marker.vertical:
            at, most = standing[marker.at], size[0]
            candidates = beside_line(at, width, line, _ROWS)
        else:
            at, most = float(plot.down(marker.at)), size[1]
            candidates = along_line(at, width, line, size[0])
        if label and -1 <= at <= most + 1:
            lines.append(PlacedLabel(room.place(candidates), label, marker.place))
    labels = sorted((label for one in figure.series for label in plot.labels(one)), key=lambda one: one.rank)
    found = [_placed(room, one, measure(one.words) + 1, line - 2) for one in labels]
    return lines, [one for one in found if one is not None]


def _placed(room: LabelPlacer, label: _Label, width: float, height: float) -> PlacedLabel | None:
    """Place the label of a point; None if there is no room."""
    if label.rank == 0:
        led = room.place_led(label.x, label.y, width, height)
        return None if led is None else PlacedLabel(led[0], label.words, label.place, led[1])
    box = room.place_free(around_point(label.x, label.y, width, height))
    return None if box is None else PlacedLabel(box, label.words, label.place)


@dataclass(frozen=True)
class _Label:
    """Text and place of a point."""

    x: float
    y: float
    words: str
    place: int
    rank: int


@dataclass(frozen=True)
class _Plot:
    """Pixel positions of values, from the left and top of the plot."""

    figure: Figure
    spans: tuple[Span, Span]
    size: tuple[float, float]

    def across(self, values: object) -> Float64Values:
        return self._share(values, self.figure.x, self.spans[0]) * self.size[0]

    def down(self, values: object) -> Float64Values:
        return (1 - self._share(values, self.figure.y, self.spans[1])) * self.size[1]

    def _share(self, values: object, axis: Axis, span: Span) -> Float64Values:
        return (scaled(values, axis) - span[0]) / (span[1] - span[0])

    def take(self, room: LabelPlacer, one: Series) -> None:
        """Mark the area that a series covers as taken."""
        x, y = self.across(one.x), self.down(one.y)
        if one.kind is FigureKind.BARS:
            half = bar_width(one, self.figure.x) / 2 / (self.spans[0][1] - self.spans[0][0]) * self.size[0]
            for centre, top in zip(x[np.isfinite(x * y)], y[np.isfinite(x * y)], strict=True):
                for at in np.arange(max(centre - half, 0), min(centre + half, self.size[0]) + 1, _BARS):
                    room.take_curve(np.array([at, at]), np.array([top, self.size[1]]))
            return
        if one.kind is FigureKind.LINES and len(one.x) > 1:
            room.take_curve(x, y)
        else:
            room.take_points(x, y)
        if one.marked or one.kind is FigureKind.POINTS:
            room.take_marks(x, y, _BORDERED)
            for off in (-_MARK, _MARK):
                room.take_points(x + off, y + off)
        firm = np.array([rank == 0 for rank in one.ranks], bool)
        if firm.any():  # what matters most is what a ring is around
            room.take_marks(x[firm], y[firm], _RING)

    def labels(self, one: Series) -> list[_Label]:
        """Return the labels of the visible points of a series."""
        across, down = self.across(one.x).tolist(), self.down(one.y).tolist()
        ranks = one.ranks or [_USUAL] * len(one.labels)
        return [
            _Label(x, y, str(label), one.place, rank)
            for x, y, label, rank in zip(across, down, one.labels, ranks, strict=False)
            if label and 0 <= x <= self.size[0] and 0 <= y <= self.size[1]
        ]


Coordinates = npt.NDArray[np.float64]
_CELL = 3.0  # pixels
_DATA, _WORDS = 1, 40  # what it costs to cover a cell
_BESIDE = 10.0  # gap to a point that words are seen to belong to, with a ring around it
_AWAY = (20.0, 32.0, 46.0, 62.0, 80.0, 100.0)  # gaps to one that words are led to
_STROKE = 1.0


def crosses(one: LabelBox, other: LabelBox) -> bool:
    """Return whether two rectangles overlap.

    Examples
    --------
    >>> crosses(LabelBox(0, 0, 10, 10), LabelBox(9, 9, 5, 5)), crosses(LabelBox(0, 0, 10, 10), LabelBox(10, 0, 5, 5))
    (True, False)
    """
    return (
        one.left < other.left + other.width
        and other.left < one.left + one.width
        and one.top < other.top + other.height
        and other.top < one.top + one.height
    )


class LabelPlacer:
    """Occupancy of a plot by data and labels.

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
        """Mark the positions of points as taken."""
        good = np.isfinite(x) & np.isfinite(y)
        columns, rows = (x[good] / _CELL).astype(np.int64), (y[good] / _CELL).astype(np.int64)
        inside = (columns >= 0) & (rows >= 0) & (columns < self._cost.shape[1]) & (rows < self._cost.shape[0])
        self._cost[rows[inside], columns[inside]] = np.maximum(self._cost[rows[inside], columns[inside]], _DATA)

    def take_marks(self, x: Coordinates, y: Coordinates, half: float) -> None:
        """Mark squares around points as taken, which no label may cover."""
        good = np.isfinite(x) & np.isfinite(y)
        new = np.stack([x[good], y[good], np.full(int(good.sum()), half)], axis=1)
        self._marks = np.concatenate([self._marks, new])

    def take_words(self, box: LabelBox) -> None:
        """Mark a rectangle as taken by a label."""
        self._cost[self._cells(box)] = _WORDS
        self._written.append(box)

    def place(self, candidates: Sequence[LabelBox]) -> LabelBox:
        """Take the candidate that covers least, the first of equals; all are moved into the plot."""
        inside = [self._within(one) for one in candidates]
        best = min(inside, key=lambda box: int(self._cost[self._cells(box)].sum()))
        self.take_words(best)
        return best

    def place_free(self, candidates: Sequence[LabelBox]) -> LabelBox | None:
        """Take the candidate that covers no label, no mark and least of lines; return None if none does.

        All are moved into the plot.
        """
        free = [one for one in map(self._within, candidates) if self.is_free(one)]
        if not free:
            return None
        best = min(free, key=lambda box: int(self._cost[self._cells(box)].sum()))
        self.take_words(best)
        return best

    def place_led(self, x: float, y: float, width: float, height: float) -> tuple[LabelBox, Lead | None] | None:
        """Place a label near its point, with a line to it if it is away; return None if nowhere is room.

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
        """Return whether a label in a rectangle covers no label and no mark, and lies within the plot."""
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
    """Return a line from the nearest edge of a label to just before the mark of its point."""
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


_LETTERS = 25  # of a name in a line


def beside_line(at: float, width: float, height: float, rows: int, gap: float = 5.0) -> list[LabelBox]:
    """Return candidates for the label of an upright line at `at`: right and left of it, from the top down."""
    found = []
    for row in range(rows):
        top = 2.0 + row * (height + 2.0)
        found += [LabelBox(at + gap, top, width, height), LabelBox(at - gap - width, top, width, height)]
    return found


def along_line(at: float, width: float, height: float, length: float, gap: float = 3.0) -> list[LabelBox]:
    """Return candidates for the label of a level line at `at`: above and below it, from the left."""
    found = []
    for share in (0.0, 1.0, 0.5, 0.25, 0.75):
        left = 4.0 + share * max(0.0, length - width - 8.0)
        found += [LabelBox(left, at - gap - height, width, height), LabelBox(left, at + gap, width, height)]
    return found


def around_point(x: float, y: float, width: float, height: float, gap: float = 9.0) -> list[LabelBox]:
    """Return candidates for the label of a point: above, below, right and left of it, and at its corners.

    The usual gap leaves room for a ring around the point.
    """
    return [
        LabelBox(x - width / 2, y - gap - height, width, height),
        LabelBox(x - width / 2, y + gap, width, height),
        LabelBox(x + gap, y - height / 2, width, height),
        LabelBox(x - gap - width, y - height / 2, width, height),
        LabelBox(x + gap * 0.7, y - gap * 0.7 - height, width, height),
        LabelBox(x - gap * 0.7 - width, y - gap * 0.7 - height, width, height),
        LabelBox(x + gap * 0.7, y + gap * 0.7, width, height),
        LabelBox(x - gap * 0.7 - width, y + gap * 0.7, width, height),
    ]


def folded_label(name: str) -> str:
    """Break a long name between its parts."""
    lines = [""]
    for piece in name.replace(" · ", " · \0").replace(",", ",\0").replace(":", ":\0").split("\0"):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > _LETTERS:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.strip() for line in lines)


def spread_labels(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> list[float]:
    """Move labels apart by as little as possible: descending positions, without overlap, within bounds.

    Labels that touch stand together, around the mean of where they want to be (pool of adjacent violators).

    Parameters
    ----------
    wanted : sequence of float
        Middles, falling.
    low, high : float
        Bounds of all, as long as there is room.

    Examples
    --------
    >>> spread_labels([0.9, 0.5, 0.5], [0.1, 0.1, 0.1], 0.0, 1.0)
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
