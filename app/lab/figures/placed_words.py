"""Words in a plot: what lines across it and points say, each where it covers least."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from app.lab.figures.extent import Span, bar_width, scaled
from app.lab.figures.figure import Axis, Figure, FigureKind, Series
from app.lab.figures.room import LabelPlacer, Lead
from app.lab.figures.word_places import LabelBox, along_line, around_point, beside_line
from core.arrays import Float64Values

_ROWS = 4  # of words at the top that lines which stand may use
_MARK, _BORDERED = 3.0, 5.0  # half a mark, without and with the border around it
_RING = 9.0  # half the ring around a mark that is pointed at
_USUAL = 1  # how much a label matters of which nothing is said
_BARS = 3.0  # between the strokes that stand for a bar


@dataclass(frozen=True)
class PlacedLabel:
    """Words, in the colour of a place, and the line to their point where they are away from it."""

    box: LabelBox
    words: str
    place: int
    lead: Lead | None = None


@dataclass(frozen=True)
class _Label:
    """Text and place of a point."""

    x: float
    y: float
    words: str
    place: int
    rank: int


def place_labels(
    figure: Figure,
    spans: tuple[Span, Span],
    size: tuple[float, float],
    measure: Callable[[str], float],
    line: float,
) -> tuple[list[PlacedLabel], list[PlacedLabel]]:
    """Place what lines across say, and what points say.

    What a point says covers neither other words nor any point: the labels that matter most are placed first, and one
    for which no room is left is left out. Those that matter most of all may stand away from their point.

    Parameters
    ----------
    figure : Figure
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
    """Place what a point says; None where there is no room."""
    if label.rank == 0:
        led = room.place_led(label.x, label.y, width, height)
        return None if led is None else PlacedLabel(led[0], label.words, label.place, led[1])
    box = room.place_free(around_point(label.x, label.y, width, height))
    return None if box is None else PlacedLabel(box, label.words, label.place)


@dataclass(frozen=True)
class _Plot:
    """Places of values, from the left and top of the plot."""

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
        """Return what the points of a series say that are seen."""
        across, down = self.across(one.x).tolist(), self.down(one.y).tolist()
        ranks = one.ranks or [_USUAL] * len(one.labels)
        return [
            _Label(x, y, str(label), one.place, rank)
            for x, y, label, rank in zip(across, down, one.labels, ranks, strict=False)
            if label and 0 <= x <= self.size[0] and 0 <= y <= self.size[1]
        ]
