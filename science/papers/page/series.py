"""Series of figures out of results: over a parameter, or a curve that was measured, with what is sure of each point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.lab.figures.figure import Axis, Series
from science.papers.result import MeanFigure, Result

ACROSS = Axis("recall", low=0, high=1)
UP = Axis("precision", low=0, high=1)


def spread(
    name: str, x: Sequence[float], y: Sequence[float], off: Sequence[float], place: int, marked: bool = True
) -> Series:
    """Draw figures with what is unsure of each, on both sides."""
    low, high = ([value + sign * each for value, each in zip(y, off, strict=True)] for sign in (-1, 1))
    return Series(name=name, x=list(x), y=list(y), low=low, high=high, place=place, marked=marked)


def over(name: str, values: Mapping[float, MeanFigure], place: int) -> Series:
    """Draw figures over a number, in its order, each with the deviation of single runs."""
    x = sorted(values)
    means = [values[one].mean for one in x]
    if not any(values[one].runs > 1 for one in x):
        return plain(name, x, means, place)
    return spread(name, x, means, [values[one].deviation for one in x], place)


def plain(name: str, x: Sequence[float], y: Sequence[float], place: int, marked: bool = True) -> Series:
    """Draw figures that are what they are."""
    return Series(name=name, x=list(x), y=list(y), place=place, marked=marked)


def curve(name: str, result: Result, text: str, kind: str, place: int, search: str = "scan") -> Series:
    """Draw a curve of a method: ``precision_recall``, or ``recall_curve`` (recall@R over R).

    Parameters
    ----------
    name : str
    result : Result
        Of an experiment.
    text : str
        The method.
    kind : str
    place : int
    search : str
    """
    row: dict[str, Any] = result.method(text, search)
    x = [at for at, _ in row[kind]]
    y = [value for _, value in row[kind]]
    spread = row.get({"precision_recall": "precision_spread", "recall_curve": "recall_spread"}[kind]) or []
    several = len(row["seeds"]) > 1 and len(spread) == len(y)
    return Series(
        name=name,
        x=x,
        y=y,
        low=[max(0.0, value - off) for value, off in zip(y, spread, strict=True)] if several else (),
        high=[min(1.0, value + off) for value, off in zip(y, spread, strict=True)] if several else (),
        place=place,
    )
