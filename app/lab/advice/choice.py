"""Which of the measured indexes no other is better than, which one is proposed, and why, in sentences.

Proposal, frontier and charts follow from the same indexes (`comparable`) and the same numbers: what is proposed is on
the frontier, and the index that answers now is proposed where it finds as much and is felt as fast.

Times differ from run to run, so that they enter by classes alone. For the frontier these are the whole powers of two of
a millisecond. For the proposal a class is what a person feels: at once (under 50 ms), soon (under 200 ms), a moment
(under a second), or long. So equal recall gives the same proposal unless a time crosses one of three limits; where one
is near, a note says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.lab.advice.results import AdvicePoint
from app.methods import catalogue

SPEEDS = ((0.05, "at once"), (0.2, "soon"), (1.0, "a moment"), (math.inf, "long"))
SPEEDS_TEXT = "at once: under 50 ms; soon: under 200 ms; a moment: under a second; long: more"

_CHANCE = 0.03  # recall that is given away for a smaller or faster index, at most
_SURE = 0.01
_OVERLAP = 0.95  # of what exact search finds, that an index should find
_NEAR = 0.25
_FORGIVEN = 1e-9


def speed(seconds: float) -> str:
    """Name the class of a time.

    Examples
    --------
    >>> speed(0.004), speed(0.3)
    ('at once', 'a moment')
    """
    return next(word for limit, word in SPEEDS if seconds < limit)


def _class(seconds: float) -> int:
    return next(place for place, (limit, _) in enumerate(SPEEDS) if seconds < limit)


def _octave(seconds: float) -> int:
    return max(0, math.ceil(math.log2(max(1000 * seconds, 1.0))))


def on_frontier(points: Sequence[AdvicePoint]) -> list[bool]:
    """Say of each whether no other finds as much, as fast, in as few bytes, and is better in one of these."""
    known = [(one.judged, -_octave(one.seconds), -one.bytes_per_photograph) for one in points]

    def beaten(place: int) -> bool:
        mine = known[place]
        return any(
            all(a >= b - _FORGIVEN for a, b in zip(other, mine, strict=True))
            and (any(a > b + _FORGIVEN for a, b in zip(other, mine, strict=True)) or number < place)
            for number, other in enumerate(known)
            if number != place
        )

    return [not beaten(place) for place in range(len(points))]


def margin(best: float, questions: int) -> float:
    """Return what recall may differ by chance: its standard error, from 0.01 to 0.03."""
    return min(_CHANCE, max(_SURE, math.sqrt(max(best * (1 - best), 0.0) / max(1, questions))))


def comparable(points: Sequence[AdvicePoint]) -> list[AdvicePoint]:
    """Return those that were asked the most questions, among all photographs or nearly all of them.

    Only these are held against each other: what was searched in a sample, or asked less, may find more by chance.
    """
    most = max((one.photographs for one in points), default=0)
    same = [one for one in points if 2 * one.photographs > most]
    questions = max((one.questions for one in same), default=0)
    return [one for one in same if one.questions == questions]


def choose(points: Sequence[AdvicePoint], present: str = "") -> AdvicePoint:
    """Choose one of those that are comparable.

    The one that answers now stays where it finds as much and is felt as fast as the one that is chosen otherwise: of
    those on the frontier that find as much as the best, within chance, exact search if nothing else is felt faster;
    else the fastest class, then the fewest bytes, then the best recall, then the order in which they were measured.

    Parameters
    ----------
    points : sequence of AdvicePoint
    present : str
        Key of the one that answers now; empty where that is not known.
    """
    same = comparable(points)
    front = [one for one, best in zip(same, on_frontier(same), strict=True) if best]
    best = max(one.judged for one in front)
    good = [one for one in front if one.judged >= best - margin(best, front[0].questions) - _FORGIVEN]
    whole = [one for one in good if one.overlap >= _OVERLAP] or good
    fastest = min(_class(one.seconds) for one in whole)
    quick = [one for one in whole if _class(one.seconds) == fastest]
    exact = [one for one in quick if one.exact]
    chosen = max(exact, key=_judged) if exact else min(quick, key=_size)
    now = [one for one in same if one.key == present]
    return as_good(now, chosen) or chosen


def as_good(points: Sequence[AdvicePoint], chosen: AdvicePoint) -> AdvicePoint | None:
    """Return the first that finds as much as the chosen one, within chance, and is felt as fast."""
    least = chosen.judged - margin(chosen.judged, chosen.questions) - _FORGIVEN
    good = (one for one in points if one.judged >= least and _class(one.seconds) <= _class(chosen.seconds))
    return next(good, None)


def _size(one: AdvicePoint) -> tuple[float, float]:
    return one.bytes_per_photograph, -round(one.judged, 3)


def _judged(one: AdvicePoint) -> float:
    return one.judged


def reasons(points: Sequence[AdvicePoint], chosen: AdvicePoint, photographs: int, truth: str) -> list[str]:
    """Say why, a sentence each."""
    same = [one for one in points if (one.descriptor, one.metric) == (chosen.descriptor, chosen.metric)]
    exact = next((one for one in same if one.exact), None)
    said = []
    if truth in {"marks", "pairs"} and all(one.recall == 0 for one in points):
        said.append(
            "Nothing that was measured finds any of it among the first 10 answers: learn from marks, or make an index "
            "that compares something else."
        )
    if chosen.exact:
        said.append(
            f"Your library has {photographs:,} photographs: exact search takes {_ms(chosen.seconds)}"
            + (", hash nothing." if _class(chosen.seconds) == 0 else ", and no index is felt to be faster.")
        )
    else:
        against = "" if exact is None else f", {_times(exact.seconds, chosen.seconds)} ({_ms(chosen.seconds)})"
        kept = "" if exact is None else f" instead of {exact.bytes_per_photograph:,.0f} B"
        said.append(
            f"It finds {chosen.overlap:.0%} of what exact search finds{against}, in "
            f"{chosen.bytes_per_photograph:,.0f} B a photograph{kept}."
        )
    if truth != "neighbours":
        what = "the edited photographs" if truth == "edits" else "what should match"
        said.append(f"Of {what} {chosen.recall:.1%} are among the first 10 answers.")
    if chosen.wrong is not None:
        said.append(f"Of what should not match {chosen.wrong:.0%} is among them.")
    said += _lengths(same, chosen)
    others = [one for one in points if one.exact and (one.descriptor, one.metric) != (chosen.descriptor, chosen.metric)]
    if truth != "neighbours" and others:
        other = max(others, key=_judged)
        by = catalogue.descriptor(other.descriptor).plain_name
        said.append(f"By {by} exact search has {other.recall:.1%}, in {_ms(other.seconds)}.")
    if chosen.exact:
        said += _later(same, chosen)
    return said


def _lengths(same: Sequence[AdvicePoint], chosen: AdvicePoint) -> list[str]:
    """Say what more and fewer bits would change, by the same method and search structure."""
    if chosen.bits is None:
        return []
    name = chosen.method.partition(":")[0]
    alike = [
        one for one in same
        if one.bits and one.method.partition(":")[0] == name and one.search == chosen.search
        and one.photographs == chosen.photographs
    ]  # fmt: skip
    said = []
    more = min((one for one in alike if (one.bits or 0) > chosen.bits), key=lambda one: one.bits or 0, default=None)
    if more is not None:
        cost = more.bytes_per_photograph / chosen.bytes_per_photograph
        said.append(f"More bits ({more.bits:,}) would {_change(more.judged - chosen.judged)} and cost {cost:.1f}x.")
    fewer = max((one for one in alike if (one.bits or 0) < chosen.bits), key=lambda one: one.bits or 0, default=None)
    if fewer is not None:
        cost = fewer.bytes_per_photograph / chosen.bytes_per_photograph
        said.append(f"Fewer bits ({fewer.bits:,}) would {_change(fewer.judged - chosen.judged)} and cost {cost:.1f}x.")
    return said


def _later(same: Sequence[AdvicePoint], chosen: AdvicePoint) -> list[str]:
    """Say what comes when the library grows."""
    then = f"With ten times as many photographs it takes about {_ms(chosen.seconds_tenfold)}"
    best = max((one.judged for one in same), default=0.0)
    hashed = [one for one in same if not one.exact and one.judged >= best - _CHANCE and one.overlap >= _OVERLAP]
    quick = [one for one in hashed if _class(one.seconds_tenfold) < _class(chosen.seconds_tenfold)]
    if not quick:
        return [f"{then}."]
    one = min(quick, key=lambda one: (_class(one.seconds_tenfold), one.bytes_per_photograph))
    takes = f"about {_ms(one.seconds_tenfold)}, and what it finds is to be measured then"
    return [f"{then}; then choose {one.method} with {one.search}: {takes}."]


def near_a_limit(points: Sequence[AdvicePoint]) -> bool:
    """Return whether a time is so near to a limit between classes that another run may put it beyond."""
    return any(abs(one.seconds / limit - 1) < _NEAR for one in points for limit, _ in SPEEDS[:-1])


def _change(gain: float) -> str:
    if abs(gain) < 0.005:
        return "change nothing"
    return f"{'gain' if gain > 0 else 'lose'} {abs(gain):.0%}"


def _times(exact: float, seconds: float) -> str:
    ratio = exact / max(seconds, 1e-9)
    if ratio < 1:
        return f"{1 / ratio:.1f} times as slow"
    return f"{ratio:,.0f} times as fast" if ratio >= 10 else f"{ratio:.1f} times as fast"


def _ms(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    return f"{1000 * seconds:,.0f} ms" if seconds >= 0.01 else f"{1000 * seconds:,.1f} ms"
