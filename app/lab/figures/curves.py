"""Figures of a curve for each method: recall among the first R, and precision by recall."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.lab.figures.figure import Axis, Dash, Figure, Series
from app.lab.figures.named_rows import CURVES, NamedRow, without_part
from app.lab.figures.names import short_names
from app.lab.figures.palette import series_dash
from app.lab.figures.truth_words import relevant_first
from core.message import NOTHING, Message, joined

_ALL = 0.9995


def recall_curves(points: Sequence[NamedRow], told: Message) -> Figure | None:
    """Return the share that is found among the first R, of each method; None where nothing of it was measured."""
    every = [one for one in points if one.row.recall_curve]
    if not every:
        return None
    marked = every[0].run.data is not None and every[0].run.data.truth in {"marks", "edits"}
    return Figure(
        name="recall-at",
        title=Message("Recall@R"),
        reading=Message("The share of the right photos that is among the first R: the further left and up, the better.")
        if marked
        else Message(
            "The share of queries for which the exact nearest photo is among the first R: the further left and "
            "up, the better."
        ),
        x=Axis(Message("R, photos that are looked through"), log=True, low=1, high=_telling_end(every)),
        y=Axis(Message("recall@R"), low=0, high=1),
        series=_told_apart([_curve(one, one.row.recall_curve, one.row.recall_spread, every) for one in every]),
        note=told,
    )


def precision_recall_figure(points: Sequence[NamedRow], told: Message) -> Figure | None:
    """Return precision at each recall, of each method; None where it was not measured."""
    every = [one for one in points if len(one.row.measured.precision_at) > 1]
    if not every:
        return None
    first = relevant_first(every[0].run.data) if every[0].run.data is not None else NOTHING
    return Figure(
        name="precision-recall",
        title=Message("Precision and recall"),
        reading=Message(
            "Each curve widens the Hamming radius from left to right: the higher it stays, the fewer wrong photos "
            "come with the right ones."
        ),
        x=Axis(Message("recall"), low=0, high=1),
        y=Axis(Message("precision"), low=0, high=1),
        series=_told_apart(
            [_curve(one, one.row.measured.precision_at, one.row.precision_spread, every) for one in every]
        ),
        note=joined([first, told]),
    )


def few(points: Sequence[NamedRow]) -> tuple[list[NamedRow], Message]:
    """Keep the curves of one number of bits where there are too many to be told apart, and say so."""
    if len(points) <= CURVES:
        return list(points), NOTHING
    families: dict[int, set[str]] = {}
    for one in points:
        families.setdefault(one.method.bits, set()).add(without_part(one, "bits"))
    most = max(len(names) for names in families.values())
    shared = sorted(bits for bits, names in families.items() if len(names) == most)
    bits = shared[(len(shared) - 1) // 2]
    kept = [one for one in points if one.method.bits == bits][:CURVES]
    told = Message("Codes of {bits} bits; {rows} other rows are in the table.", bits=bits, rows=len(points) - len(kept))
    return kept, told


def _telling_end(points: Sequence[NamedRow]) -> float | None:
    """Return R from which on every curve is at its end, so that what differs has the room; None for the last one."""
    whole = [
        next((at for at, value in one.row.recall_curve if value > _ALL), one.row.recall_curve[-1][0]) for one in points
    ]
    return max(10.0, *whole) if whole else None


def _told_apart(series: Sequence[Series]) -> list[Series]:
    """Break curves of one colour differently."""
    found: list[Series] = []
    for one in series:
        before = sum(other.place == one.place for other in found)
        dashes = list(Dash)
        own = dashes.index(series_dash(one))
        found.append(replace(one, dash=dashes[(own + before) % len(dashes)]) if before else one)
    return found


def _curve(
    one: NamedRow, curve: Sequence[tuple[float, float]], spread: Sequence[float], every: Sequence[NamedRow]
) -> Series:
    x, y = [at for at, _ in curve], [value for _, value in curve]
    several = len(one.row.measured.seeds) > 1 and len(spread) == len(y)
    about = one.about()
    return Series(
        name=_shortened(one, every),
        x=x,
        y=y,
        low=[max(0.0, value - off) for value, off in zip(y, spread, strict=True)] if several else (),
        high=[min(1.0, value + off) for value, off in zip(y, spread, strict=True)] if several else (),
        place=one.place,
        points=[about] * len(x),
        keys=[one.row.key] * len(x),
    )


def _shortened(one: NamedRow, every: Sequence[NamedRow]) -> str:
    """Leave out of a name what all have in common: the method of the others, and parameters that are equal."""
    return short_names([each.name for each in every])[next(i for i, each in enumerate(every) if each is one)]
