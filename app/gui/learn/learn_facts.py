"""Plain data for the Learn view, made by its controller from the results of the use cases."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Picture:
    """A photograph as the view knows it.

    Attributes
    ----------
    id : int
        -1 where the library has it no longer.
    content : bytes
        Hash under which its thumbnail lies.
    name : str
        For people.
    """

    id: int
    content: bytes
    name: str


@dataclass(frozen=True)
class PairToMark:
    """A pair that is offered, and why this one."""

    first: Picture
    second: Picture
    reason: str = ""

    @property
    def ids(self) -> tuple[int, int]:
        """Its photographs, the smaller first, so that both orders are one pair."""
        return min(self.first.id, self.second.id), max(self.first.id, self.second.id)


@dataclass(frozen=True)
class MarkedPair:
    """A mark.

    Attributes
    ----------
    id : int
    first, second : Picture
    similar : bool
    contradicted : bool
        The pair is marked the other way too.
    missing : bool
        Not both photographs are there.
    before, after : float or None
        Distances by the measure of the index, and by what was learned; None where it cannot be said.
    origin : str
        Where it was made, for people.
    """

    id: int
    first: Picture
    second: Picture
    similar: bool
    contradicted: bool = False
    missing: bool = False
    before: float | None = None
    after: float | None = None
    origin: str = ""


@dataclass(frozen=True)
class Ranked:
    """A photograph in a ranked list.

    Attributes
    ----------
    picture : Picture
    rank : int
        From 1, as search counts; 0 for the one that is asked with.
    was : int
        Its rank in the other list; 0 where that is not known.
    judged : bool or None
        Marked similar (True) or different (False) to the one that is asked with.
    """

    picture: Picture
    rank: int
    was: int = 0
    judged: bool | None = None


@dataclass(frozen=True)
class Rankings:
    """The ranked lists of one photograph, before and after; the first of each is the photograph itself.

    Attributes
    ----------
    asked : Picture
    before, after : tuple of Ranked
        Nothing in ``after`` where nothing is learned yet.
    before_name, after_name : str
        By what they are ranked, for people.
    """

    asked: Picture
    before: tuple[Ranked, ...]
    after: tuple[Ranked, ...] = ()
    before_name: str = ""
    after_name: str = ""


@dataclass(frozen=True)
class Change:
    """A measure on marks that were held out, before and after, and how far the second may be off."""

    name: str
    before: float
    after: float
    error: float = 0.0


@dataclass(frozen=True)
class Judgement:
    """The outcome of learning.

    Attributes
    ----------
    marks : int
        That were learned from.
    better, worse, of : int
        Held-out pairs.
    sure : bool
        Better by more than chance.
    earlier : float
        How many times as early as before what is similar comes; 1 where that is not known.
    more : int
        Further marks that would help; 0 where there are enough.
    changes : tuple of Change
        Shares from 0 to 1.
    seconds : float
    contradicted : int
        Pairs that are marked both ways.
    can_be_kept : bool
        Whether a metric was made at all.
    left_out : tuple of str
        Why some marks do not count, a sentence each.
    """

    marks: int
    better: int
    worse: int
    of: int
    sure: bool
    more: int = 0
    changes: tuple[Change, ...] = ()
    seconds: float = 0.0
    contradicted: int = 0
    can_be_kept: bool = True
    left_out: tuple[str, ...] = ()
    earlier: float = 1.0


@dataclass(frozen=True)
class MarksCount:
    """Numbers of marks."""

    total: int = 0
    similar: int = 0
    different: int = 0
    contradicted: int = 0
    missing: int = 0


@dataclass(frozen=True)
class Weight:
    """Something that the metric weighs more (factor above 1) or less.

    Attributes
    ----------
    name : str
        For people.
    factor : float
    colour : tuple of int or None
        To draw, where it is a colour.
    pictures : tuple of Picture
        Photographs that have much of it, where there is no colour to draw.
    others : tuple of Picture
        Photographs at the other end, where it is a direction.
    """

    name: str
    factor: float
    colour: tuple[int, int, int] | None = None
    pictures: tuple[Picture, ...] = ()
    others: tuple[Picture, ...] = ()


@dataclass(frozen=True)
class Meaning:
    """The meaning of a metric: a sentence, and things to draw, the strongest first."""

    sentence: str
    weights: tuple[Weight, ...] = ()


@dataclass(frozen=True)
class KeptMetric:
    """A metric that is kept.

    Attributes
    ----------
    name : str
    facts : str
        From how many marks, for which descriptor.
    judgement : str
        How it stands on the marks there are now.
    used : bool
        Search ranks by it.
    """

    name: str
    facts: str
    judgement: str = ""
    used: bool = False


@dataclass(frozen=True)
class MetricList:
    """The metrics, and what search would go back to.

    Attributes
    ----------
    metrics : tuple of KeptMetric
    plain_used : bool
        Search ranks by none of them.
    before : str or None
        Index that searched before; None where there is nothing to go back to.
    """

    metrics: tuple[KeptMetric, ...] = ()
    plain_used: bool = True
    before: str | None = field(default=None)
