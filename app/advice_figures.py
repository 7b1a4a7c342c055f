"""The figures of an advice, as plain data: recall against time, and against bytes."""

from __future__ import annotations

from collections.abc import Callable

from app import catalogue
from app.advice_results import AdvicePoint, AdviceResult
from app.lab.figure import Axis, Figure, Kind, Series

_MEANS = {
    "edits": "edited photographs found among the first 10",
    "marks": "similar photographs found among the first 10",
    "pairs": "matching photographs found among the first 10",
    "neighbours": "of the exact first 10 found",
}


def frontier_figures(result: AdviceResult) -> list[Figure]:
    """Give what was measured by recall against time and bytes, the frontier as a line through it.

    Each point has the key of its index, so that a click can make it one.
    """
    recall = Axis(f"share of {_MEANS[result.truth]}" if result.truth != "neighbours" else _MEANS[result.truth])
    reading = "Up is more found, left is {}: nothing measured is better than the points on the line."
    return [
        Figure(
            name="advice-time",
            title="Recall against time",
            reading=reading.format("faster"),
            x=Axis("time of a question", "ms", log=True),
            y=recall,
            series=_series(result, lambda one: 1000 * one.seconds),
        ),
        Figure(
            name="advice-bytes",
            title="Recall against bytes",
            reading=reading.format("smaller"),
            x=Axis("bytes a photograph that a search goes through", "B", log=True),
            y=recall,
            series=_series(result, lambda one: one.bytes_per_photograph),
        ),
    ]


def _series(result: AdviceResult, across: Callable[[AdvicePoint], float]) -> list[Series]:
    """Give a series for each method and descriptor, and before them the line over which nothing is."""
    groups: dict[str, list[AdvicePoint]] = {}
    several = len({one.descriptor for one in result.points}) > 1
    for one in result.points:
        name = one.method.partition(":")[0] or "exact"
        told = f"{name} · {catalogue.descriptor(one.descriptor).plain_name}" if several else name
        groups.setdefault(told, []).append(one)
    ordered = sorted(result.points, key=lambda one: (across(one), -one.recall))
    best: list[AdvicePoint] = []
    for one in ordered:
        if not best or one.recall > best[-1].recall:
            best.append(one)
    line = Series("frontier", [across(one) for one in best], [one.recall for one in best], place=-1)
    return [line, *(_points(name, some, across, place) for place, (name, some) in enumerate(sorted(groups.items())))]


def _points(name: str, some: list[AdvicePoint], across: Callable[[AdvicePoint], float], place: int) -> Series:
    return Series(
        name,
        [across(one) for one in some],
        [one.recall for one in some],
        kind=Kind.POINTS,
        place=place,
        labels=[f"{one.bits:,}" if one.bits else "" for one in some],
        points=[
            {"descriptor": one.descriptor, "method": one.method or "exact", "search": one.search, "speed": one.speed}
            for one in some
        ],
        keys=[one.key for one in some],
        marked=True,
    )
