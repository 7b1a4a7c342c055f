"""Choice of the proposed index among those measured: the Pareto frontier, classes of speed, and chance.

Proposal, frontier and charts use the same indexes (`comparable`) and the same numbers. The proposed index is on the
frontier, and the default index stays if it is there too, finds as much and feels as fast.

Measured times differ from run to run, so only classes of time count. The frontier uses powers of two of a millisecond.
The proposal uses classes that a person can feel: at once (under 50 ms), soon (under 200 ms), a moment (under a second)
and long. Equal recall therefore gives the same proposal unless a time crosses one of three limits. A note says when a
time is close to one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.lab.advice.results import AdvicePoint

SPEEDS = ((0.05, "at once"), (0.2, "soon"), (1.0, "a moment"), (math.inf, "long"))

CHANCE = 0.03  # most recall given away for a smaller or faster index
_SURE = 0.01
OVERLAP = 0.95  # share of the exact results that an index should find
_NEAR = 0.25
_FORGIVEN = 1e-9


def speed(seconds: float) -> str:
    """Return the class of a time.

    Examples
    --------
    >>> speed(0.004), speed(0.3)
    ('at once', 'a moment')
    """
    return SPEEDS[speed_class(seconds)][1]


def speed_class(seconds: float) -> int:
    """Return the place of a time's class among `SPEEDS`."""
    return next(place for place, (limit, _) in enumerate(SPEEDS) if seconds < limit)


def _octave(seconds: float) -> int:
    return max(0, math.ceil(math.log2(max(1000 * seconds, 1.0))))


def on_frontier(points: Sequence[AdvicePoint]) -> list[bool]:
    """Return for each index whether no other finds as much, as fast, in as few bytes, and is better in one of these."""
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
    """Return how much recall may differ by chance: its standard error, limited to 0.01 to 0.03."""
    return min(CHANCE, max(_SURE, math.sqrt(max(best * (1 - best), 0.0) / max(1, questions))))


def comparable(points: Sequence[AdvicePoint]) -> list[AdvicePoint]:
    """Return the indexes measured with the most questions on all photographs, or nearly all.

    Indexes measured on a sample or with fewer questions may find more by chance, so they are not compared.
    """
    most = max((one.photographs for one in points), default=0)
    same = [one for one in points if 2 * one.photographs > most]
    questions = max((one.questions for one in same), default=0)
    return [one for one in same if one.questions == questions]


def choose_proposal(points: Sequence[AdvicePoint], present: str = "") -> AdvicePoint:
    """Choose the proposed index among the comparable ones.

    Candidates are the indexes on the frontier that find as much as the best, within chance. Exact search is chosen if
    no other feels faster. Otherwise the order is: fastest class, fewest bytes, best recall, first measured. The default
    index, if its key is known, stays if it is on the frontier, finds as much, and feels as fast as the index chosen so.
    """
    same = comparable(points)
    front = [one for one, best in zip(same, on_frontier(same), strict=True) if best]
    best = max(one.judged for one in front)
    good = [one for one in front if one.judged >= best - margin(best, front[0].questions) - _FORGIVEN]
    whole = [one for one in good if one.overlap >= OVERLAP] or good
    fastest = min(speed_class(one.seconds) for one in whole)
    quick = [one for one in whole if speed_class(one.seconds) == fastest]
    exact = [one for one in quick if one.exact]
    chosen = max(exact, key=lambda one: one.judged) if exact else min(quick, key=_size)
    now = [one for one in front if one.key == present]
    return as_good(now, chosen) or chosen


def as_good(points: Sequence[AdvicePoint], chosen: AdvicePoint) -> AdvicePoint | None:
    """Return the first index that finds as much as the chosen one, within chance, and feels as fast."""
    least = chosen.judged - margin(chosen.judged, chosen.questions) - _FORGIVEN
    good = (one for one in points if one.judged >= least and speed_class(one.seconds) <= speed_class(chosen.seconds))
    return next(good, None)


def _size(one: AdvicePoint) -> tuple[float, float]:
    return one.bytes_per_photograph, -round(one.judged, 3)


def near_a_limit(points: Sequence[AdvicePoint]) -> bool:
    """Return whether a time is so close to a limit between classes that another run may cross it."""
    return any(abs(one.seconds / limit - 1) < _NEAR for one in points for limit, _ in SPEEDS[:-1])
