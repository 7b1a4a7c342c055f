"""What may be said of a claim: the measured numbers, and whether they bear it out.

There is one rule. A claim says where a difference lies: above something, or within a tolerance. It is confirmed where
the 95 % interval of the difference lies wholly there, not confirmed where it lies wholly elsewhere; else it cannot be
told. That no difference is found confirms nothing. Of several differences all must lie there; to refute the claim, one
must lie elsewhere by an interval that is as much wider as there are chances to find one (Bonferroni).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from science.papers.busy import QUIET
from science.papers.differences import CHANCE, MeasuredDifference, mean_of
from science.papers.result import Result

FAR = 4.0
"""How many times more than a claim needs two processor times must be apart to be believed beside other programs."""


class ClaimVerdict(Enum):
    """In the order of gravity."""

    CONFIRMED = "confirmed"
    CANNOT_TELL = "cannot tell"
    NOT_CONFIRMED = "not confirmed"


class Nature(Enum):
    """What a claim is, and so what it weighs that it is borne out."""

    MEASURED = "measured"  # of a paper, and measuring can refute it
    CERTAIN = "theorem or arithmetic"  # true of itself: that it is borne out says that the program does what it should
    OWN = "of this program"  # of no paper


@dataclass(frozen=True)
class ClaimJudgement:
    """A verdict, and the numbers that it is of.

    Attributes
    ----------
    verdict : Verdict
    numbers : str
    effect : float, optional
        The number that tells most, in ``unit``; the page gives its range over the cases of a claim.
    unit : str
    ratio : float
        Where a clock decides: how many times apart two processor times of a thread are, by how many they must be.
    """

    verdict: ClaimVerdict
    numbers: str
    effect: float | None = None
    unit: str = ""
    ratio: float = 1.0


@dataclass(frozen=True)
class Claim:
    """What a paper says, in words that hold beyond its own data, and how a result is judged by it.

    Attributes
    ----------
    paper : str
        ``JQK``, ``KC``, ...
    text : str
    source : str
        Name of the experiment or study whose result is judged.
    judge : function
        Of the results of all sources.
    item : str
        The table or figure of the paper that it is of, as the page's section calls it.
    timed : bool
        Whether a clock decides.
    case : str
        Of what it is judged, where one text is judged of several data sets or settings.
    more : tuple of str
        Other sources, where it is judged of several.
    nature : Nature
    """

    paper: str
    text: str
    source: str
    judge: Callable[..., ClaimJudgement]
    item: str = ""
    timed: bool = False
    case: str = ""
    more: tuple[str, ...] = ()
    nature: Nature = Nature.MEASURED

    @property
    def sources(self) -> tuple[str, ...]:
        """All that must have been measured."""
        return (self.source, *self.more)

    def judged(self, *results: Result) -> ClaimJudgement | None:
        """Judge it; None where the experiment was changed and no longer measures what it is judged by.

        A clock is believed where other programs used at most `QUIET` cores meanwhile, or where a thread's processor
        times are `FAR` times farther apart than the claim needs: what others take of its caches does not explain that.
        """
        try:
            found = self.judge(*results)
        except KeyError:
            return None
        others = max(result.others for result in results)
        if not self.timed or others <= QUIET:
            return found
        if max(found.ratio, 1 / found.ratio) >= FAR:
            return replace(found, numbers=f"{found.numbers}, beside other programs on {others:.1f} cores")
        words = f"{found.numbers}; not believed: other programs used {others:.1f} cores meanwhile"
        return replace(found, verdict=ClaimVerdict.CANNOT_TELL, numbers=words, effect=None)


def lies(*parts: MeasuredDifference, low: float = -math.inf, high: float = math.inf, of: int = 1) -> ClaimVerdict:
    """Return whether all differences lie between two values: the rule that every other is made of.

    Parameters
    ----------
    *parts : Difference
    low, high : float
    of : int
        Among how many they were chosen by their values.

    Examples
    --------
    >>> lies(Difference(0.05, 0.01), low=0).value, lies(Difference(0.05, 0.04), low=0).value
    ('confirmed', 'cannot tell')
    """
    if parts and all(low < least and most < high for least, most in (one.interval(CHANCE / of) for one in parts)):
        return ClaimVerdict.CONFIRMED
    wider = [one.interval(CHANCE / (of * len(parts))) for one in parts]
    refuted = any(most < low or least > high for least, most in wider)
    return ClaimVerdict.NOT_CONFIRMED if refuted else ClaimVerdict.CANNOT_TELL


def above(*parts: MeasuredDifference, by: float = 0.0, of: int = 1) -> ClaimVerdict:
    """Return whether all differences are greater than so much."""
    return lies(*parts, low=by, of=of)


def level(*parts: MeasuredDifference, tolerance: float) -> ClaimVerdict:
    """Return whether all differences lie within a tolerance on both sides: equivalence by two one-sided tests.

    Examples
    --------
    >>> level(Difference(0.0, 0.004), tolerance=0.02).value, level(Difference(0.0, 0.04), tolerance=0.02).value
    ('confirmed', 'cannot tell')
    """
    return lies(*parts, low=-tolerance, high=tolerance)


def not_below(*parts: MeasuredDifference, tolerance: float) -> ClaimVerdict:
    """Return whether no difference is below zero by more than a tolerance: non-inferiority; better is as good, too.

    Examples
    --------
    >>> not_below(Difference(0.3, 0.04), tolerance=0.02).value, not_below(Difference(-0.1, 0.01), tolerance=0.02).value
    ('confirmed', 'not confirmed')
    """
    return lies(*parts, low=-tolerance)


def pooled(
    parts: Sequence[MeasuredDifference], low: float = -math.inf, high: float = math.inf, independent: bool = True
) -> ClaimVerdict:
    """Return whether the mean of differences lies between two values, and none of them surely elsewhere.

    Examples
    --------
    >>> parts = [Difference(0.01, 0.02), Difference(-0.01, 0.02), Difference(0.0, 0.02)]
    >>> pooled(parts, -0.03, 0.03).value, level(*parts, tolerance=0.03).value
    ('confirmed', 'cannot tell')
    """
    if not parts:
        return ClaimVerdict.CANNOT_TELL
    if lies(*parts, low=low, high=high) is ClaimVerdict.NOT_CONFIRMED:
        return ClaimVerdict.NOT_CONFIRMED
    return lies(mean_of(parts, independent), low=low, high=high)


def some_above(*parts: MeasuredDifference, by: float = 0.0) -> ClaimVerdict:
    """Return whether at least one difference is greater than so much, although chance had as many tries.

    Examples
    --------
    >>> some_above(Difference(0.05, 0.01), Difference(-0.1, 0.01)).value
    'confirmed'
    """
    if any(one.interval(CHANCE / len(parts))[0] > by for one in parts):
        return ClaimVerdict.CONFIRMED
    return ClaimVerdict.NOT_CONFIRMED if all(one.interval()[1] < by for one in parts) else ClaimVerdict.CANNOT_TELL


def holds(condition: bool) -> ClaimVerdict:
    """Turn what is plainly true or not into a verdict."""
    return ClaimVerdict.CONFIRMED if condition else ClaimVerdict.NOT_CONFIRMED


def gravest(verdicts: Iterable[ClaimVerdict]) -> ClaimVerdict:
    """Return the gravest: a claim of several parts holds where all of them do."""
    order = list(ClaimVerdict)
    return max(verdicts, key=order.index)


def marked(claims: Sequence[Claim], nature: Nature, *texts: str) -> list[Claim]:
    """Say what claims are that begin with some words.

    Raises
    ------
    ValueError
        If no claim begins with one of them.
    """
    for text in texts:
        if not any(claim.text.startswith(text) for claim in claims):
            raise ValueError(f"No claim begins with “{text}”.")
    return [replace(claim, nature=nature) if claim.text.startswith(texts) else claim for claim in claims]
