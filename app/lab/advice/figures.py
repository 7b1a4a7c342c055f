"""The figures of an advice, as plain data: recall against time, and against bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from app.bench.experiment import PEER
from app.lab.advice.choice import comparable, on_frontier
from app.lab.advice.reasons import descriptor_name, speed_name
from app.lab.advice.results import AdvicePoint
from app.lab.figures.figure import Axis, Figure, FigureKind, Series, Words, sentences
from core.message import NOTHING, Message, verbatim
from core.tuning.best_declaration import frontier

_FOUND = {
    "edits": Message("share of edited photos found among the first 10"),
    "marks": Message("share of similar photos found among the first 10"),
    "pairs": Message("share of matching photos found among the first 10"),
    "neighbours": Message("of the exact first 10 found"),
}
_LEAST = 0.02  # of recall, around what was measured
_EDGE = 0.02  # of the axis, below 0, where nothing can be, for the markers there


def point_figures(
    points: Sequence[AdvicePoint],
    truth: str,
    proposed: str = "",
    present: str = "",
    peers: Sequence[AdvicePoint] = (),
) -> list[Figure]:
    """Return recall against time and bytes, the frontier as a line through it.

    Each point has the key of its index, so that a click can make it one. What is proposed and what answers now, if
    anything, are told by their keys; indexes of other programs, the peers, are on no frontier.
    """
    found = [one.judged for one in (*points, *peers)]
    pad = max(_LEAST, (max(found) - min(found)) / 10)
    top = min(1.0, max(found) + pad)  # an axis that ends at 1 leaves room for the markers there itself
    found_share = _FOUND[truth]
    recall = Axis(
        found_share
        if all(one.wrong is None for one in points)
        else Message("{found}, less the wrong ones", found=found_share),
        low=max(min(0.0, *found) - _EDGE * abs(top), min(found) - pad),
        high=top,
    )
    full = comparable(points)
    best = {one.key for one, front in zip(full, on_frontier(full), strict=True) if front}
    note = NOTHING
    if len(full) < len(points):
        note = Message(
            "The line is of what was asked {questions} questions; the others were asked fewer, and may find as much by "
            "chance.",
            questions=full[0].questions,
        )
    roles = dict.fromkeys(best, NOTHING)
    roles |= {present: Message("now")}
    roles |= {proposed: Message("proposed") if proposed != present else Message("proposed, now")}
    return [
        Figure(
            name="advice-time",
            title=Message("Recall against time"),
            reading=Message(
                "Higher finds more, further left is faster. No index of the library could beat those on the line."
            )
            if peers
            else Message("Higher finds more, further left is faster. Nothing measured beats the points on the line."),
            x=Axis(Message("time of a question"), "ms", log=True),
            y=recall,
            series=_series(points, peers, roles, lambda one: 1000 * one.seconds),
            note=note,
        ),
        Figure(
            name="advice-bytes",
            title=Message("Recall against bytes"),
            reading=Message(
                "Higher finds more, further left is smaller. No index of the library could beat those on the line."
            )
            if peers
            else Message("Higher finds more, further left is smaller. Nothing measured beats the points on the line."),
            x=Axis(Message("bytes read per photo and search"), "B", log=True),
            y=recall,
            series=_series(points, peers, roles, lambda one: one.bytes_per_photograph),
            note=note,
        ),
    ]


def _series(
    points: Sequence[AdvicePoint],
    peers: Sequence[AdvicePoint],
    roles: dict[str, Message],
    across: Callable[[AdvicePoint], float],
) -> list[Series]:
    """Return a series for each method and descriptor, and before them the line over which nothing is."""
    best = frontier(comparable(points), across)
    named: Words = Message("frontier") if len(best) > 1 else ""  # of a single point there is no line to be seen
    line = Series(named, [across(one) for one in best], [one.judged for one in best], place=-1)
    return [
        line,
        *(_points(name, some, roles, across, place) for place, (name, some) in enumerate(_groups([*points, *peers]))),
    ]


def _groups(points: Sequence[AdvicePoint]) -> list[tuple[Words, list[AdvicePoint]]]:
    """Return the indexes of each method and descriptor, in the order of the palette."""
    groups: dict[Words, list[AdvicePoint]] = {}
    several = len({one.descriptor for one in points}) > 1
    for one in points:
        name = _method(one)
        described = Message("{method} · {descriptor}", method=name, descriptor=descriptor_name(one.descriptor))
        groups.setdefault(described if several else name, []).append(one)
    return sorted(groups.items(), key=lambda group: str(group[0]))


def colour_slots(points: Sequence[AdvicePoint]) -> dict[str, int]:
    """Return the place of each index in the palette, by its key."""
    return {one.key: place for place, (_, some) in enumerate(_groups(points)) for one in some}


def _method(one: AdvicePoint) -> Words:
    return one.method.partition(":")[0] or Message("exact")


def _label(one: AdvicePoint, roles: dict[str, Message]) -> Message:
    """Name what is proposed, what answers now, and what is on the frontier; of the others the bits alone."""
    bits = Message("{bits}", bits=one.bits) if one.bits else NOTHING
    if one.method.startswith(PEER):
        return verbatim(one.method.removeprefix(PEER))
    if one.key not in roles:
        return bits
    named = sentences([_method(one), bits])
    return Message("{role}: {method}", role=roles[one.key], method=named) if roles[one.key] else named


def _rank(one: AdvicePoint, roles: dict[str, Message]) -> int:
    """Return what is proposed and what answers now their room first, then what is on the frontier."""
    if one.key not in roles:
        return 2
    return 0 if roles[one.key] else 1


def _points(
    name: Words, some: list[AdvicePoint], roles: dict[str, Message], across: Callable[[AdvicePoint], float], place: int
) -> Series:
    return Series(
        name,
        [across(one) for one in some],
        [one.judged for one in some],
        kind=FigureKind.POINTS,
        place=place,
        labels=[_label(one, roles) for one in some],
        ranks=[_rank(one, roles) for one in some],
        points=[
            {
                Message("descriptor"): descriptor_name(one.descriptor),
                Message("method"): one.method or Message("exact"),
                Message("search"): one.search,
                Message("felt"): speed_name(one),
                Message("questions"): Message("{count}", count=one.questions),
                **({Message("index"): one.index} if one.index else {}),
            }
            for one in some
        ],
        keys=[one.key for one in some],
        marked=True,
    )
