"""Rows joined into series: what is measured of each, by a number that differs among them or by what they cost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from app.lab.experiments.results import LabRow
from app.lab.figures.figure import Series, Words
from app.lab.figures.named_rows import NamedRow, group_slots_of
from app.lab.figures.names import short_names
from core.message import Message

Value = Callable[[LabRow], float | None]

Measure = tuple[str, Words, Words, Value, str]
ACCURACY: Measure = (
    "accuracy",
    Message("Accuracy"),
    Message("accuracy of the vote, share of queries"),
    lambda row: row.measured.accuracy,
    "accuracy",
)
MEASURES: tuple[Measure, ...] = (
    (
        "recall",
        Message("Recall@10"),
        Message("recall@10, share of queries"),
        lambda row: row.measured.recall.get("10"),
        "recall@10",
    ),
    ("map", "mAP", Message("mean average precision"), lambda row: row.measured.map, "map"),
    ACCURACY,
)


def joined_series(
    groups: Mapping[str, Sequence[NamedRow]],
    at: Callable[[NamedRow], float | None],
    value: Value,
    spread: str,
    shown: Collection[str],
) -> list[Series]:
    """Make a series of each group, of the points that are drawn: names and colours are as if all were."""
    found = []
    for name, group, place in zip(short_names(list(groups)), groups.values(), group_slots_of(groups), strict=True):
        kept = [one for one in group if one.row.key in shown]
        if not kept:
            continue
        placed = sorted(((at(one) or 0.0, one) for one in kept), key=lambda pair: pair[0])
        ordered = [one for _, one in placed]
        y = [value(one.row) or 0.0 for one in ordered]
        off = [one.row.measured.deviation.get(spread, 0.0) for one in ordered]
        several = any(off)
        found.append(
            Series(
                name=name,
                x=[where for where, _ in placed],
                y=y,
                low=[max(0.0, mean - one) for mean, one in zip(y, off, strict=True)] if several else (),
                high=[min(1.0, mean + one) for mean, one in zip(y, off, strict=True)] if several else (),
                place=place,
                points=[one.about() for one in ordered],
                keys=[one.row.key for one in ordered],
                marked=True,
            )
        )
    return found


def is_logarithmic(series: Sequence[Series]) -> bool:
    """Return whether an axis across is better logarithmic: its values differ by times and not by steps."""
    values = [x for one in series for x in one.x]
    return bool(values) and min(values) > 0 and max(values) >= 4 * min(values)


def begins_at_zero(series: Sequence[Series]) -> bool:
    """Return whether an axis from 0 shows differences still: they are no small part of the values."""
    values = [y for one in series for y in one.y]
    return max(values) - min(values) > 0.35 * max(values)
