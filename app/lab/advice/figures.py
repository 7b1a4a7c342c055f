"""The figures of an advice, as plain data: recall against time, and against bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.lab.advice.choice import comparable, on_frontier
from app.lab.advice.results import AdvicePoint, AdviceResult
from app.lab.figures.figure import Axis, Figure, Kind, Series
from app.methods import catalogue

_MEANS = {
    "edits": "edited photographs found among the first 10",
    "marks": "similar photographs found among the first 10",
    "pairs": "matching photographs found among the first 10",
    "neighbours": "of the exact first 10 found",
}
Words = tuple[str, str]
_FEWER = "The line is of what was asked {:,} questions; the others were asked fewer, and may find as much by chance."
_LEAST = 0.02  # of recall, around what was measured
_EDGE = 0.02  # of the axis, below 0, where nothing can be, for the markers there


def frontier_figures(result: AdviceResult, words: Words = ("proposed", "now")) -> list[Figure]:
    """Return what was measured by recall against time and bytes, the frontier as a line through it.

    Each point has the key of its index, so that a click can make it one.

    Parameters
    ----------
    result : AdviceResult
    words : (str, str)
        What is written beside the one that is proposed, and beside the one that answers now.
    """
    return point_figures(result.points, result.truth, result.proposed, result.present, words)


def point_figures(
    points: Sequence[AdvicePoint], truth: str, proposed: str = "", present: str = "", words: Words = ("proposed", "now")
) -> list[Figure]:
    """Return the same of what is measured so far.

    Parameters
    ----------
    points : sequence of AdvicePoint
    truth : str
    proposed, present : str
        Keys of the one that is proposed, and of the one that answers now; empty for none.
    words : (str, str)
        As for :func:`frontier_figures`.
    """
    found = [one.judged for one in points]
    pad = max(_LEAST, (max(found) - min(found)) / 10)
    top = min(1.0, max(found) + pad)  # an axis that ends at 1 leaves room for the markers there itself
    shares = f"share of {_MEANS[truth]}" if truth != "neighbours" else _MEANS[truth]
    recall = Axis(
        shares if all(one.wrong is None for one in points) else f"{shares}, less the wrong ones",
        low=max(min(0.0, *found) - _EDGE * abs(top), min(found) - pad),
        high=top,
    )
    reading = "Up is more found, left is {}: nothing measured is better than the points on the line."
    full = comparable(points)
    best = {one.key for one, front in zip(full, on_frontier(full), strict=True) if front}
    note = "" if len(full) == len(points) else _FEWER.format(full[0].questions)
    said = dict.fromkeys(best, "")
    said |= {present: words[1]}
    said |= {proposed: words[0] if proposed != present else f"{words[0]}, {words[1]}"}
    return [
        Figure(
            name="advice-time",
            title="Recall against time",
            reading=reading.format("faster"),
            x=Axis("time of a question", "ms", log=True),
            y=recall,
            series=_series(points, said, lambda one: 1000 * one.seconds),
            note=note,
        ),
        Figure(
            name="advice-bytes",
            title="Recall against bytes",
            reading=reading.format("smaller"),
            x=Axis("bytes a photograph that a search goes through", "B", log=True),
            y=recall,
            series=_series(points, said, lambda one: one.bytes_per_photograph),
            note=note,
        ),
    ]


def _series(
    points: Sequence[AdvicePoint], said: dict[str, str], across: Callable[[AdvicePoint], float]
) -> list[Series]:
    """Return a series for each method and descriptor, and before them the line over which nothing is."""
    groups: dict[str, list[AdvicePoint]] = {}
    several = len({one.descriptor for one in points}) > 1
    for one in points:
        name = _method(one)
        told = f"{name} · {catalogue.descriptor(one.descriptor).plain_name}" if several else name
        groups.setdefault(told, []).append(one)
    best: list[AdvicePoint] = []
    for one in sorted(comparable(points), key=lambda one: (across(one), -one.judged)):
        if not best or one.judged > best[-1].judged:
            best.append(one)
    named = "frontier" if len(best) > 1 else ""  # of a single point there is no line to be seen
    line = Series(named, [across(one) for one in best], [one.judged for one in best], place=-1)
    return [
        line,
        *(_points(name, some, said, across, place) for place, (name, some) in enumerate(sorted(groups.items()))),
    ]


def _method(one: AdvicePoint) -> str:
    return one.method.partition(":")[0] or "exact"


def _label(one: AdvicePoint, said: dict[str, str]) -> str:
    """Name what is proposed, what answers now, and what is on the frontier; of the others say the bits alone."""
    bits = f"{one.bits:,}" if one.bits else ""
    if one.key not in said:
        return bits
    named = f"{_method(one)} {bits}".strip()
    return f"{said[one.key]}: {named}" if said[one.key] else named


def _rank(one: AdvicePoint, said: dict[str, str]) -> int:
    """Return what is proposed and what answers now their room first, then what is on the frontier."""
    if one.key not in said:
        return 2
    return 0 if said[one.key] else 1


def _points(
    name: str, some: list[AdvicePoint], said: dict[str, str], across: Callable[[AdvicePoint], float], place: int
) -> Series:
    return Series(
        name,
        [across(one) for one in some],
        [one.judged for one in some],
        kind=Kind.POINTS,
        place=place,
        labels=[_label(one, said) for one in some],
        ranks=[_rank(one, said) for one in some],
        points=[
            {
                "descriptor": catalogue.descriptor(one.descriptor).plain_name,
                "method": one.method or "exact",
                "search": one.search,
                "felt": one.speed,
                "questions": f"{one.questions:,}",
                **({"index": one.index} if one.index else {}),
            }
            for one in some
        ],
        keys=[one.key for one in some],
        marked=True,
    )
