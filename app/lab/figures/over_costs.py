"""Figures of what is found over what it costs: time, photographs looked at, bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.lab.experiments.results import LabRow
from app.lab.figures.figure import Axis, Figure, FigureKind
from app.lab.figures.named_rows import ALONE, NamedRow, families, one_search, seconds_of
from app.lab.figures.series import ACCURACY, MEASURES, Measure, begins_at_zero, is_logarithmic, joined_series
from core.message import Message, verbatim


@dataclass(frozen=True)
class _Cost:
    name: str
    title: Message
    label: Message
    unit: Message
    value: Callable[[LabRow], float]
    reading: Message
    by_search: bool

    def of(self, one: NamedRow) -> float:
        return self.value(one.row)


_COSTS = (
    _Cost(
        "time",
        Message("time"),
        Message("time of a query, from its vector on"),
        verbatim("ms"),
        lambda row: 1000 * seconds_of(row),
        Message("The further left and up, the better: a point above and left of another finds more in less time."),
        True,
    ),
    _Cost(
        "looked-at",
        Message("photos looked at"),
        Message("measured exactly, a query"),
        Message("photos"),
        lambda row: row.measured.looked_at,
        Message(
            "How many candidates are measured exactly for each query, and how much of the truth they hold: left and up "
            "is better."
        ),
        True,
    ),
    _Cost(
        "bytes",
        Message("space"),
        Message("space of codes and lists"),
        Message("bytes a photo"),
        lambda row: row.bytes_each,
        Message("Space that a photo takes in the index, and how well its codes rank: left and up is better."),
        False,
    ),
)

_SEARCH_MEASURES: tuple[Measure, ...] = (
    (
        "found",
        Message("Overlap@10"),
        Message("overlap@10, share of the true first 10"),
        lambda row: row.measured.overlap.get("10"),
        "overlap@10",
    ),
    ACCURACY,
)


def against_costs(points: Sequence[NamedRow], of: Sequence[NamedRow]) -> list[Figure]:
    """Return what is found against what it costs, a point a row; rows of one method are joined by their cost."""
    found: list[Figure] = []
    for cost in _COSTS:
        shown = {one.row.key for one in (points if cost.by_search else one_search(points))}
        every = list(of) if cost.by_search else one_search(of)
        for key, title, label, value, spread in MEASURES if not cost.by_search else _SEARCH_MEASURES:
            groups = families([one for one in every if value(one.row) is not None], several=len(every) > ALONE)
            series = joined_series(groups, cost.of, value, spread, shown)
            if not series or len(every) < 2:
                continue
            found.append(
                Figure(
                    name=f"{key}-{cost.name}",
                    title=Message("{measured} against {cost}", measured=title, cost=cost.title),
                    reading=cost.reading,
                    x=Axis(cost.label, cost.unit, log=is_logarithmic(series)),
                    y=Axis(label, low=0 if begins_at_zero(series) else None),
                    series=series,
                    kind=FigureKind.POINTS,
                )
            )
    return found
