"""A figure as plain data: what the window and the files of a run draw, each by its own means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from core.message import Message, joined, verbatim

Words = Message | str
"""What a person reads: a message, or text that is the same in every language, such as the name of a method."""

Parameters = Mapping[Words, Words]  # what a point was measured with, by name


class FigureKind(StrEnum):
    """The way a series, or a whole figure, is drawn."""

    LINES = "lines"  # points joined in the order they are given
    POINTS = "points"  # points alone, as of a scatter
    DENSITY = "density"  # of a figure: its `density` below whatever its series are
    BARS = "bars"  # from 0 up


class Dash(StrEnum):
    """The way a line is broken, so that series are told apart in grey, too."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    DASH_DOT = "dash-dot"


@dataclass(frozen=True)
class Axis:
    """One axis.

    Attributes
    ----------
    label : Message or str
        What it counts, in words.
    unit : Message or str
        Of what it counts; empty for numbers without one.
    log : bool
        Whether it is logarithmic.
    low, high : float, optional
        Where it begins and ends; by what is drawn where they are not given.
    """

    label: Words
    unit: Words = ""
    log: bool = False
    low: float | None = None
    high: float | None = None

    @property
    def words(self) -> str:
        """Return the label with its unit."""
        return f"{self.label} ({self.unit})" if self.unit else str(self.label)


@dataclass(frozen=True)
class Series:
    """Values with one colour and one name.

    Attributes
    ----------
    name : Message or str
        Is written at its end, or in a legend.
    x, y : sequence of float
        Its points.
    low, high : sequence of float
        From where to where each y is sure (the mean less and more the deviation over seeds, or a bound); empty for
        none.
    kind : Kind
        ``LINES``, ``POINTS`` or ``BARS``.
    place : int
        In the palette and in the order of dashes and markers (`app.lab.figures.palette`); series of one method keep
        theirs in every figure of a run. Below 0: what is no method, such as theory or a reference, in grey.
    dash : Dash, optional
        Where it is not what `place` says.
    labels : sequence of Message or str
        Written beside a point, such as "128"; empty, or one for each point, of which some may be empty. One for which
        there is no room is left out: whoever points at the point is told.
    ranks : sequence of int
        How much each label matters: the lower, the sooner it gets its room; one of 0 is written away from its point
        where there is none beside it, with a line that leads there. Empty, or one for each point.
    points : sequence of mapping
        What each point was measured with: shown where the pointer is over it. Empty, or one for each point.
    keys : sequence of str
        The row of the run each point belongs to, so that a click makes it an index; empty, or one for each point, empty
        where there is none.
    marked : bool
        Whether each point has a marker (few, measured points), or only the line is drawn (a curve of many).
    """

    name: Words
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    kind: FigureKind = FigureKind.LINES
    place: int = 0
    dash: Dash | None = None
    labels: Sequence[Words] = ()
    ranks: Sequence[int] = ()
    points: Sequence[Parameters] = ()
    keys: Sequence[str] = ()
    marked: bool = False

    def __post_init__(self) -> None:
        for name in ("y", "low", "high", "labels", "ranks", "points", "keys"):
            values = getattr(self, name)
            if len(values) != len(self.x) and (values or name == "y"):
                raise ValueError(f"{len(values)} {name} for {len(self.x)} x of the series {self.name}")


@dataclass(frozen=True)
class Marker:
    """A line across the figure, with words.

    Attributes
    ----------
    at : float
        Where it crosses the axis.
    label : Message or str
        What it says, such as "rank 64: best by held-out recall".
    vertical : bool
        Whether it stands at an x, or lies at a y.
    place : int
        Of its colour in the palette; below 0: grey.
    """

    at: float
    label: Words
    vertical: bool = True
    place: int = -1


@dataclass(frozen=True)
class Density:
    """Frequencies of pairs of values over a grid of cells.

    Attributes
    ----------
    x, y : sequence of float
        Borders of the cells: one more than there are cells in each direction, rising.
    weight : sequence of sequence of float
        Of each cell, a row for each cell in y from below; 0 where there is nothing, which is drawn as no colour.
    unit : Message or str
        What a weight is, such as "share of pairs".
    """

    x: Sequence[float]
    y: Sequence[float]
    weight: Sequence[Sequence[float]]
    unit: Words = ""


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes
    ----------
    name : str
        Short and stable, such as ``recall-at``: part of the name of its file.
    title : Message or str
        What is shown, in a few words: "Recall@R".
    reading : Message or str
        One sentence that says how to read it.
    x, y : Axis
        The axes.
    series : sequence of Series
        What is drawn, in the order of its importance.
    markers : sequence of Marker
        Lines across it.
    kind : Kind
        Of the whole: says what a drawing makes room for.
    density : Density, optional
        Below the series, where `kind` is ``DENSITY``.
    note : Message or str
        What must be known besides, small below the figure; empty for nothing.
    equal : bool
        Whether a unit is as long across as up, as in a picture of places.
    """

    name: str
    title: Words
    reading: Words
    x: Axis
    y: Axis
    series: Sequence[Series] = field(default_factory=tuple)
    markers: Sequence[Marker] = ()
    kind: FigureKind = FigureKind.LINES
    density: Density | None = None
    note: Words = ""
    equal: bool = False


def figure_text(figure: Figure, text: Callable[[Message], str]) -> Figure:
    """Return a figure whose words are text.

    Parameters
    ----------
    figure : Figure
    text : callable
        Writes a message in a person's language; ``str`` in English.
    """

    def plain(words: Words) -> str:
        return text(words) if isinstance(words, Message) else words

    def axis(one: Axis) -> Axis:
        return replace(one, label=plain(one.label), unit=plain(one.unit))

    def series(one: Series) -> Series:
        points: list[Parameters] = [{plain(name): plain(value) for name, value in each.items()} for each in one.points]
        return replace(one, name=plain(one.name), labels=[plain(label) for label in one.labels], points=points)

    return replace(
        figure,
        title=plain(figure.title),
        reading=plain(figure.reading),
        note=plain(figure.note),
        x=axis(figure.x),
        y=axis(figure.y),
        series=[series(one) for one in figure.series],
        markers=[replace(one, label=plain(one.label)) for one in figure.markers],
        density=None if figure.density is None else replace(figure.density, unit=plain(figure.density.unit)),
    )


def sentences(parts: Iterable[Words]) -> Message:
    """Join sentences; empty ones are left out."""
    return joined(one if isinstance(one, Message) else verbatim(one) for one in parts)


def document(figure: Figure) -> dict[str, Any]:
    """Return a figure as what JSON can hold, in English."""
    return asdict(figure_text(figure, str))


CROWDED = 400
"""Points of a scatter from which on they are drawn small, and let through what is behind."""


def is_crowded(figure: Figure) -> bool:
    """Return whether a figure has so many single points that they cover each other."""
    return sum(len(one.x) for one in figure.series if one.kind is FigureKind.POINTS) > CROWDED
