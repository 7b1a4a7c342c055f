"""A figure as plain data, which is drawn in the window and into files.

Colours, dashes and marks tell series apart for people who see few colours, and in grey. A series is named by its
declaration without what all declarations of the figure have in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from twinlens.core.message import Message, joined, verbatim

Words = Message | str
"""Text for people: a message, or text that is the same in every language, such as the name of a method."""

Parameters = Mapping[Words, Words]  # what a point was measured with, by name


class FigureKind(StrEnum):
    """The form in which a series, or a whole figure, is drawn."""

    LINES = "lines"  # points joined in the order they are given
    POINTS = "points"  # points alone, as of a scatter
    DENSITY = "density"  # of a figure: its `density` below whatever its series are
    BARS = "bars"  # from 0 up


class Dash(StrEnum):
    """Dash pattern of a line, which tells series apart in grey, too."""

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
    kind : FigureKind
        ``LINES``, ``POINTS`` or ``BARS``.
    place : int
        In the palette and in the order of dashes and markers (`twinlens.app.lab.figures.figure`); series of one method
        keep theirs in every figure of a run. Below 0: what is no method, such as theory or a reference, in grey.
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
    """A line across the figure, with a label.

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
    kind : FigureKind
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
    """Return a figure as JSON values, in English."""
    return asdict(figure_text(figure, str))


CROWDED = 400
"""Points of a scatter from which on they are drawn small, and let through what is behind."""


def is_crowded(figure: Figure) -> bool:
    """Return whether a figure has so many single points that they cover each other."""
    return sum(len(one.x) for one in figure.series if one.kind is FigureKind.POINTS) > CROWDED


_LIGHT: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1a1a1a")
_DARK: Final = ("#56b4e9", "#e8743b", "#2bc49a", "#e39cc4", "#f0b429", "#8fb8ff", "#f2f2f2")
_DASHES: Final = (Dash.SOLID, Dash.DASHED, Dash.DASH_DOT, Dash.DOTTED)
MARKS: Final = ("o", "s", "^", "D", "v", "P", "X")


@dataclass(frozen=True)
class FigureColours:
    """Colours of everything in a figure except series."""

    ground: str
    words: str
    quiet: str  # the reading, ticks, notes
    grid: str
    reference: str  # series and markers that are no method


LIGHT: Final = FigureColours("#ffffff", "#1f1f1e", "#6b6a66", "#e6e5e1", "#7d7c78")
DARK: Final = FigureColours("#1b1c1d", "#ececea", "#a3a29d", "#34363a", "#96958f")


def figure_colours(dark: bool) -> FigureColours:
    """Return the colours of everything except series."""
    return DARK if dark else LIGHT


def series_colour(place: int, dark: bool = False) -> str:
    """Return the colour of a palette slot as #rrggbb; grey below 0."""
    if place < 0:
        return figure_colours(dark).reference
    colours = _DARK if dark else _LIGHT
    return colours[place % len(colours)]


def series_dash(one: Series) -> Dash:
    """Return the dash pattern of a series' line."""
    if one.dash is not None:
        return one.dash
    return Dash.DASHED if one.place < 0 else _DASHES[one.place % len(_DASHES)]


def marker_of(place: int) -> str:
    """Return the mark of the points of a palette slot; where colours begin anew, they come with other marks.

    Examples
    --------
    >>> [marker_of(place) for place in (-1, 0, 1, 7, 8)]
    ['o', 'o', 's', 's', '^']
    """
    turn, first = divmod(max(place, 0), len(MARKS))
    return MARKS[(first + turn) % len(MARKS)]


BETWEEN = " · "


def short_names(names: Sequence[str]) -> list[str]:
    """Shorten names of declarations by leaving out what all have in common.

    Parameters
    ----------
    names : sequence of str
        Text forms, or several with `BETWEEN` between them, as many in each.

    Examples
    --------
    >>> short_names(["klsh:rank=16,bits=64", "klsh:rank=64,bits=64", "lsh:bits=64"])
    ['klsh:rank=16', 'klsh:rank=64', 'lsh']
    >>> short_names(["lsh:bits=64 · scan", "lsh:bits=64 · buckets"])
    ['lsh · scan', 'lsh · buckets']
    >>> short_names(["klsh:kernel=chi-square,rank=8", "klsh:kernel=chi-square,rank=16", "itq:bits=8", "itq:bits=16"])
    ['klsh:rank=8', 'klsh:rank=16', 'itq:bits=8', 'itq:bits=16']
    """
    parts = [name.split(BETWEEN) for name in names]
    if len(names) < 2 or len({len(one) for one in parts}) > 1:
        return list(names)
    columns = [_shorter(list(column)) for column in zip(*parts, strict=True)]
    short = [BETWEEN.join(one) for one in zip(*columns, strict=True)]
    return short if len(set(short)) == len(set(names)) else list(names)


def _shorter(texts: list[str]) -> list[str]:
    """Leave out parameters that all declarations of a key share, if no other key has another value of them."""
    taken = [words_of_declaration(text) for text in texts]
    found = []
    for key, words in taken:
        own = [others for other, others in taken if other == key]
        common = {word for word in words if all(word in others for others in own)}

        def is_elsewhere(word: str, key: str = key) -> bool:
            name = word.partition("=")[0] + "="
            elsewhere = [one for other, others in taken if other != key for one in others]
            return all(one == word for one in elsewhere if one.startswith(name))

        alone = len(own) < 2 and len({other for other, _ in taken}) < len(taken)
        kept = [
            word for word in words
            if not (word in common and is_elsewhere(word) and (not alone or _everywhere(word, taken)))
        ]  # fmt: skip
        found.append(key + (":" + ",".join(kept) if kept else ""))
    return found


def _everywhere(word: str, taken: Sequence[tuple[str, list[str]]]) -> bool:
    return all(word in words for _, words in taken)


def words_of_declaration(text: str) -> tuple[str, list[str]]:
    """Split a text form into its key and its parameters; commas in brackets do not split.

    Examples
    --------
    >>> words_of_declaration("klsh:kernel=gaussian(gamma=1,scale=2),rank=8")
    ('klsh', ['kernel=gaussian(gamma=1,scale=2)', 'rank=8'])
    """
    key, _, rest = text.partition(":")
    words, depth, word = [], 0, ""
    for letter in rest:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            words.append(word)
            word = ""
        else:
            word += letter
    return key, [*words, *([word] if word else [])]
