"""Results of ``advise``: the measured indexes and the proposed one, chosen from the Pareto frontier.

Indexes whose query times are within one class of speed count as equally quick, and figures that differ by no more than
chance allows as equally good.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from pydantic import Field

from twinlens.app.results import Result
from twinlens.core.message import NOTHING, Message


class IndexParts(Result):
    """The declarations of one index, whether the library has it or not."""

    key: str = Field(description="descriptor · metric · method · search, in text form")
    descriptor: str
    metric: str = Field("", description="name or text form; empty for none")
    method: str = Field("", description="hash method; empty for exact search")
    search: str


class AdvicePoint(IndexParts):
    """One measured index, reckoned for the whole library; rules choose among them, and a library keeps them."""

    bits: int | None = None
    index: str = Field("", description="name of the library's index with these declarations; empty for none")
    exact: bool = Field(False, description="searched without hash codes")
    photographs: int = Field(description="photographs searched: the whole library or a sample")
    questions: int = Field(description="queries asked")
    recall: float = Field(description="share of the right photographs among the first 10 results")
    precision: float | None = Field(
        None, description="share of right photographs among the first 10 results, or among as many as there can be"
    )
    wrong: float | None = Field(None, description="share of the wrong photographs among the first 10 results")
    overlap: float = Field(description="share of the exact first 10 found")
    seconds: float = Field(description="median time of a query: encoding, finding and exact ranking")
    speed: str = Field(description="class of that time, the only measure of speed in proposals")
    bytes_per_photograph: float = Field(description="bytes read per photograph: code and structure, or the vector")
    model_bytes: int = Field(0, description="size of the learned model")
    bytes: int = Field(description="size for the whole library, model included")
    seconds_tenfold: float = Field(description="most time of a query with ten times as many photographs")
    bytes_tenfold: int
    frontier: bool = Field(False, description="no other index is better in recall, speed and size at once")

    @property
    def values(self) -> dict[str, float | None]:
        """The values that tables show, by measure."""
        return {
            "found@10": self.recall, "precision@10": self.precision, "wrong": self.wrong, "overlap@10": self.overlap,
            "seconds query": self.seconds, "seconds tenfold": self.seconds_tenfold,
            "bytes each": self.bytes_per_photograph, "bytes whole": self.bytes,
        }  # fmt: skip

    @property
    def judged(self) -> float:
        """Recall less the share of wrong photographs."""
        return self.recall - (self.wrong or 0.0)


class AdviceResult(Result):
    """The result of ``advise``."""

    truth: str = Field(description="edits, marks, pairs, or neighbours")
    meaning: Message = Field(description="meaning of a right result")
    photographs: int = Field(description="of the library")
    questions: int = Field(description="most queries asked of one index")
    seed: int
    time_limit: float
    seconds: float = Field(description="time taken")
    points: list[AdvicePoint] = Field(description="all measured indexes, the best first")
    peers: list[AdvicePoint] = Field(
        default_factory=list, description="indexes of other programs, to compare with; none of them is proposed"
    )
    proposed: str = Field(description="key of the proposed index")
    present: str = Field("", description="key of the library's default index; empty if it was not measured")
    reasons: list[Message] = Field(description="reasons for the proposal, a sentence each")
    existing: Message = Field(NOTHING, description="an index of the library that is as good; empty for none")
    speeds: Message = Field(description="meaning of the classes of time")
    tried: int
    not_tried: list[IndexParts] = Field(default_factory=list, description="indexes there was no time for")
    refused: list[Message] = Field(default_factory=list, description="indexes that cannot be made, and why")
    notes: list[Message] = Field(default_factory=list)
    command: str = Field(description="command that creates the index; empty if the library has it")
    built: str = Field("", description="name of the index created by --build")
    cancelled: bool = False

    def point(self) -> AdvicePoint:
        """Return the measured point of the proposed index."""
        return next(one for one in self.points if one.key == self.proposed)


SPEEDS = ((0.05, "at once"), (0.2, "soon"), (1.0, "a moment"), (math.inf, "long"))
CHANCE = 0.03  # most recall given away for a smaller or faster index
_SURE = 0.01
OVERLAP = 0.95  # share of the exact results that an index should find
_NEAR = 0.25
_FORGIVEN = 1e-9


def speed(seconds: float) -> str:
    """Return the speed class of a query time.

    Examples
    --------
    >>> speed(0.004), speed(0.3)
    ('at once', 'a moment')
    """
    return SPEEDS[speed_class(seconds)][1]


def speed_class(seconds: float) -> int:
    """Return the position of a query time's class in `SPEEDS`."""
    return next(place for place, (limit, _) in enumerate(SPEEDS) if seconds < limit)


def on_frontier(points: Sequence[AdvicePoint]) -> list[bool]:
    """Return for each index whether it is on the Pareto frontier of recall, time and bytes."""
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


def _octave(seconds: float) -> int:
    return max(0, math.ceil(math.log2(max(1000 * seconds, 1.0))))


def margin(best: float, questions: int) -> float:
    """Return how much recall may differ by chance: its standard error, clipped to 0.01 to 0.03."""
    return min(CHANCE, max(_SURE, math.sqrt(max(best * (1 - best), 0.0) / max(1, questions))))


def comparable(points: Sequence[AdvicePoint]) -> list[AdvicePoint]:
    """Return the indexes measured with the most queries on all photographs, or nearly all.

    Indexes measured on a sample or with fewer questions may find more by chance, so they are not compared.
    """
    most = max((one.photographs for one in points), default=0)
    same = [one for one in points if 2 * one.photographs > most]
    queries = max((one.questions for one in same), default=0)
    return [one for one in same if one.questions == queries]


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
    """Return the first index with equal recall, within chance, in the same speed class as the chosen one."""
    least = chosen.judged - margin(chosen.judged, chosen.questions) - _FORGIVEN
    good = (one for one in points if one.judged >= least and speed_class(one.seconds) <= speed_class(chosen.seconds))
    return next(good, None)


def _size(one: AdvicePoint) -> tuple[float, float]:
    return one.bytes_per_photograph, -round(one.judged, 3)


def near_a_limit(points: Sequence[AdvicePoint]) -> bool:
    """Return whether a time is so close to the limit of its class that another run may cross it."""
    return any(abs(one.seconds / limit - 1) < _NEAR for one in points for limit, _ in SPEEDS[:-1])
