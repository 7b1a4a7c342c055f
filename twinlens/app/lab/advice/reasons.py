"""Reasons for a proposed index, as messages with measured numbers."""

from __future__ import annotations

from collections.abc import Sequence

from twinlens.app.lab.advice.advice_results import CHANCE, OVERLAP, AdvicePoint, IndexParts, speed_class
from twinlens.app.methods import catalogue
from twinlens.core.message import NOTHING, Message, joined, verbatim

_SPEED_NAMES = {
    "at once": Message("at once"),
    "soon": Message("soon"),
    "a moment": Message("a moment"),
    "long": Message("long"),
}
SPEEDS_MEANING = Message("at once: under 50 ms, soon: under 200 ms, a moment: under a second, long: a second or more")


def speed_name(point: AdvicePoint) -> Message:
    """Return the name of an index's speed class."""
    return _SPEED_NAMES[point.speed]


def query_duration(seconds: float) -> Message:
    r"""Return a query time in seconds or milliseconds.

    Examples
    --------
    >>> [str(query_duration(seconds)) for seconds in (0.0021, 0.05, 1.5)]
    ['2.1\xa0ms', '50\xa0ms', '1.5\xa0s']
    """
    if seconds >= 1:
        return Message("{seconds:,.1f}\u00a0s", seconds=seconds)
    if seconds >= 0.01:
        return Message("{milliseconds:,.0f}\u00a0ms", milliseconds=1000 * seconds)
    return Message("{milliseconds:,.1f}\u00a0ms", milliseconds=1000 * seconds)


def descriptor_name(text: str) -> Message:
    """Return the plain name of a descriptor given in text form."""
    return Message(catalogue.descriptor(text).plain_name)


def short_name(index: IndexParts) -> Message:
    """Return an index's plain descriptor, metric, method and search structure, without the descriptor's parameters."""
    return joined(
        [descriptor_name(index.descriptor), *map(verbatim, (index.metric, index.method, index.search))],
        " · ",
    )


def index_name(point: AdvicePoint, with_descriptor: bool) -> Message:
    """Return the name of an index in a sentence: its own in the library, else its parts."""
    if point.index:
        return Message("“{name}”", name=point.index)
    compared = [descriptor_name(point.descriptor), verbatim(point.metric)] if with_descriptor else []
    how = Message("exact search") if point.exact else verbatim(point.method)
    search = NOTHING if point.exact or point.search == "scan" else verbatim(point.search)
    return joined([*compared, how, search], " · ")


def reasons(points: Sequence[AdvicePoint], chosen: AdvicePoint, photographs: int, truth: str) -> list[Message]:
    """Return the reasons for an index, a sentence each."""
    same = [one for one in points if (one.descriptor, one.metric) == (chosen.descriptor, chosen.metric)]
    found = []
    if truth in {"marks", "pairs"} and all(one.recall == 0 for one in points):
        found.append(
            Message(
                "No index finds any of these pairs among the first 10 results. Learn a metric from marks, or create an "
                "index with another descriptor."
            )
        )
    found += _speed_and_size(same, chosen, photographs)
    found += _recall(chosen, truth)
    found += _lengths(same, chosen)
    found += _other_descriptors(points, chosen, truth)
    if chosen.exact:
        found.append(_growth(same, chosen))
    return found


def _speed_and_size(same: Sequence[AdvicePoint], chosen: AdvicePoint, photographs: int) -> list[Message]:
    if chosen.exact:
        values = {"photographs": photographs, "time": query_duration(chosen.seconds)}
        if speed_class(chosen.seconds) == 0:
            return [Message("Exact search of {photographs} photos takes {time}. Hash codes are not needed.", **values)]
        return [Message("Exact search of {photographs} photos takes {time}. No index feels faster.", **values)]
    exact = next((one for one in same if one.exact), None)
    values = {"share": chosen.overlap, "time": query_duration(chosen.seconds), "size": chosen.bytes_per_photograph}
    if exact is None:
        return [Message("It finds {share:.0%} of the exact results and uses {size:,.0f} B per photo.", **values)]
    values |= {"ratio": _ratio(exact.seconds, chosen.seconds), "exact_size": exact.bytes_per_photograph}
    return [
        Message(
            "It finds {share:.0%} of the exact results, {ratio} ({time}), and uses {size:,.0f} B per photo "
            "instead of {exact_size:,.0f} B.",
            **values,
        )
    ]


def _recall(chosen: AdvicePoint, truth: str) -> list[Message]:
    found = []
    if truth == "edits":
        found.append(
            Message("It finds {share:.1%} of the edited photos among the first 10 results.", share=chosen.recall)
        )
    elif truth != "neighbours":
        found.append(
            Message("It finds {share:.1%} of the matching photos among the first 10 results.", share=chosen.recall)
        )
    if chosen.wrong is not None:
        found.append(
            Message(
                "{share:.0%} of the photos that should not match are among the first 10 results too.",
                share=chosen.wrong,
            )
        )
    return found


def _lengths(same: Sequence[AdvicePoint], chosen: AdvicePoint) -> list[Message]:
    """Return the effect of more and of fewer bits, with the same method and search structure."""
    if chosen.bits is None:
        return []
    name = _method_key(chosen)
    alike = [
        one for one in same
        if one.bits and _method_key(one) == name and one.search == chosen.search
        and one.photographs == chosen.photographs
    ]  # fmt: skip
    longer = [one for one in alike if (one.bits or 0) > chosen.bits]
    shorter = [one for one in alike if (one.bits or 0) < chosen.bits]
    found = []
    if longer:
        found.append(_other_length(min(longer, key=lambda one: one.bits or 0), chosen))
    if shorter:
        found.append(_other_length(max(shorter, key=lambda one: one.bits or 0), chosen))
    return found


def _other_length(other: AdvicePoint, chosen: AdvicePoint) -> Message:
    gain = other.judged - chosen.judged
    cost = other.bytes_per_photograph / chosen.bytes_per_photograph
    if abs(gain) < 0.005:
        return Message(
            "{bits} bits would find as much and take {cost:.1f} times the space.", bits=other.bits, cost=cost
        )
    if gain > 0:
        return Message(
            "{bits} bits would find {gain:.0%} more and take {cost:.1f} times the space.",
            bits=other.bits, gain=gain, cost=cost,
        )  # fmt: skip
    return Message(
        "{bits} bits would find {loss:.0%} less and take {cost:.1f} times the space.",
        bits=other.bits, loss=-gain, cost=cost,
    )  # fmt: skip


def _other_descriptors(points: Sequence[AdvicePoint], chosen: AdvicePoint, truth: str) -> list[Message]:
    others = [one for one in points if one.exact and (one.descriptor, one.metric) != (chosen.descriptor, chosen.metric)]
    if truth == "neighbours" or not others:
        return []
    other = max(others, key=lambda one: one.judged)
    return [
        Message(
            "Exact search by {descriptor} finds {share:.1%} in {time}.",
            descriptor=descriptor_name(other.descriptor), share=other.recall, time=query_duration(other.seconds),
        )
    ]  # fmt: skip


def _growth(same: Sequence[AdvicePoint], chosen: AdvicePoint) -> Message:
    """Return how the time of exact search grows with the library, and which index to choose then."""
    time = query_duration(chosen.seconds_tenfold)
    best = max((one.judged for one in same), default=0.0)
    hashed = [one for one in same if not one.exact and one.judged >= best - CHANCE and one.overlap >= OVERLAP]
    quick = [one for one in hashed if speed_class(one.seconds_tenfold) < speed_class(chosen.seconds_tenfold)]
    if not quick:
        return Message("With ten times as many photos it takes about {time}.", time=time)
    one = min(quick, key=lambda one: (speed_class(one.seconds_tenfold), one.bytes_per_photograph))
    return Message(
        "With ten times as many photos it takes about {time}. Measure {method} with {search} then: it takes about "
        "{less}.",
        time=time, method=one.method, search=one.search, less=query_duration(one.seconds_tenfold),
    )  # fmt: skip


def _ratio(exact: float, seconds: float) -> Message:
    ratio = exact / max(seconds, 1e-9)
    if ratio < 1:
        return Message("{ratio:.1f} times as slow", ratio=1 / ratio)
    if ratio >= 10:
        return Message("{ratio:,.0f} times as fast", ratio=ratio)
    return Message("{ratio:.1f} times as fast", ratio=ratio)


def _method_key(one: AdvicePoint) -> str:
    return catalogue.method(one.method).key if one.method else ""
