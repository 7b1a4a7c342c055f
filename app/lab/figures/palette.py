"""Colours, dashes and marks of series: told apart by people who see few colours, and in grey.

The colours are those of Okabe and Ito, in an order in which neighbours differ in lightness, too; yellow is left out,
which is too light for a line on white.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.lab.figures.figure import Dash, Series

_LIGHT: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#1a1a1a")
_DARK: Final = ("#56b4e9", "#e8743b", "#2bc49a", "#e39cc4", "#f0b429", "#8fb8ff", "#f2f2f2")
_DASHES: Final = (Dash.SOLID, Dash.DASHED, Dash.DASH_DOT, Dash.DOTTED)
MARKS: Final = ("o", "s", "^", "D", "v", "P", "X")  # as matplotlib names them


@dataclass(frozen=True)
class FigureColours:
    """Colours of everything else in a figure."""

    ground: str
    words: str
    quiet: str  # the reading, ticks, notes
    grid: str
    reference: str  # series and markers that are no method


LIGHT: Final = FigureColours("#ffffff", "#1f1f1e", "#6b6a66", "#e6e5e1", "#7d7c78")
DARK: Final = FigureColours("#1b1c1d", "#ececea", "#a3a29d", "#34363a", "#96958f")


def figure_colours(dark: bool) -> FigureColours:
    """Return the colours of what is no series."""
    return DARK if dark else LIGHT


def series_colour(place: int, dark: bool = False) -> str:
    """Return the colour of a place as #rrggbb; below 0, grey."""
    if place < 0:
        return figure_colours(dark).reference
    colours = _DARK if dark else _LIGHT
    return colours[place % len(colours)]


def series_dash(one: Series) -> Dash:
    """Return how the line of a series is broken."""
    if one.dash is not None:
        return one.dash
    return Dash.DASHED if one.place < 0 else _DASHES[one.place % len(_DASHES)]


def marker_of(place: int) -> str:
    """Return the mark of the points of a place."""
    return MARKS[max(place, 0) % len(MARKS)]
