"""Verdict of a claim: whether the measured differences confirm it, by intervals of Student's t.

The clock is believed less when other programs kept the machine busy during the measurement.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from scipy.special import stdtrit

from science.papers.result import MeanFigure, Result

FAR = 4.0
"""How many times more than a claim needs two processor times must be apart to be believed beside other programs."""


class ClaimVerdict(Enum):
    """In the order of gravity; last, that these data are no case of the claim, however often they are measured."""

    CONFIRMED = "confirmed"
    CANNOT_TELL = "cannot tell"
    NOT_CONFIRMED = "not confirmed"
    NO_CASE = "no case"


COUNTED = (ClaimVerdict.CONFIRMED, ClaimVerdict.CANNOT_TELL, ClaimVerdict.NOT_CONFIRMED)


class Nature(Enum):
    """Nature of a claim, which decides how much its confirmation means."""

    MEASURED = "measured"  # of a paper, and measuring can refute it
    CERTAIN = "theorem or arithmetic"  # true or false of itself, whatever is measured
    OWN = "of this program"  # of no paper


@dataclass(frozen=True)
class ClaimJudgement:
    """A verdict, and the numbers that it is of.

    Attributes
    ----------
    effect : float, optional
        The number that tells most, in ``unit``; the page gives its range over the cases of a claim.
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
    """A claim of a paper, in words that hold beyond its own data, with the judgement of a result.

    Attributes
    ----------
    paper : str
        ``JQK``, ``KC``, ...
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
        """All results that the claim needs."""
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
    of : int
        Among how many they were chosen by their values.

    Examples
    --------
    >>> lies(MeasuredDifference(0.05, 0.01), low=0).value, lies(MeasuredDifference(0.05, 0.04), low=0).value
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
    >>> sure, vague = MeasuredDifference(0.0, 0.004), MeasuredDifference(0.0, 0.04)
    >>> level(sure, tolerance=0.02).value, level(vague, tolerance=0.02).value
    ('confirmed', 'cannot tell')
    """
    return lies(*parts, low=-tolerance, high=tolerance)


def not_below(*parts: MeasuredDifference, tolerance: float) -> ClaimVerdict:
    """Return whether no difference is below zero by more than a tolerance: non-inferiority; better is as good, too.

    Examples
    --------
    >>> better, worse = MeasuredDifference(0.3, 0.04), MeasuredDifference(-0.1, 0.01)
    >>> not_below(better, tolerance=0.02).value, not_below(worse, tolerance=0.02).value
    ('confirmed', 'not confirmed')
    """
    return lies(*parts, low=-tolerance)


def pooled(
    parts: Sequence[MeasuredDifference], low: float = -math.inf, high: float = math.inf, independent: bool = True
) -> ClaimVerdict:
    """Return whether the mean of differences lies between two values, and none of them surely elsewhere.

    Examples
    --------
    >>> parts = [MeasuredDifference(0.01, 0.02), MeasuredDifference(-0.01, 0.02), MeasuredDifference(0.0, 0.02)]
    >>> pooled(parts, -0.03, 0.03).value, level(*parts, tolerance=0.03).value
    ('confirmed', 'cannot tell')
    """
    if not parts:
        return ClaimVerdict.CANNOT_TELL
    if lies(*parts, low=low, high=high) is ClaimVerdict.NOT_CONFIRMED:
        return ClaimVerdict.NOT_CONFIRMED
    return lies(mean_of(parts, independent), low=low, high=high)


COMPARABLE, SAME = 0.1, 0.05
"""The one rule of all papers, as shares of what the other is above chance: what may be lost where two are comparable or
one is as good as the other, and what is no difference where they are level."""


def above_chance(apart: MeasuredDifference, other: float, chance: float = 0.0) -> MeasuredDifference:
    """Return a difference as a share of what the other is above chance: a point is much where all is near to chance.

    Where the other is no better than chance, nothing is known of it.

    Examples
    --------
    >>> print(above_chance(MeasuredDifference(-0.02, 0.005), 0.45, chance=0.05))
    -5.0 [-7.5, -2.5]
    """
    room = other - chance
    if room <= 0:
        return MeasuredDifference(0.0, math.inf)
    return replace(apart, mean=apart.mean / room, error=apart.error / room)


def better(*shares: MeasuredDifference) -> ClaimVerdict:
    """Return whether one is better than another in every part, of shares of what the other is above chance.

    It is not where in one of them they are at most level: no more is gained than `SAME`, and perhaps nothing.

    Examples
    --------
    >>> gained, same = MeasuredDifference(0.02, 0.005), MeasuredDifference(0.005, 0.01)
    >>> better(gained).value, better(same).value, better(MeasuredDifference(0.05, 0.04)).value
    ('confirmed', 'not confirmed', 'cannot tell')
    """
    found = above(*shares)
    if found is not ClaimVerdict.CANNOT_TELL:
        return found
    at_most_level = (one for one in shares if one.interval()[0] <= 0 and one.interval(CHANCE / len(shares))[1] < SAME)
    return ClaimVerdict.NOT_CONFIRMED if any(at_most_level) else ClaimVerdict.CANNOT_TELL


def some_better(*shares: MeasuredDifference) -> ClaimVerdict:
    """Return whether one of several is better than another, although chance had as many tries; not if all are level.

    Examples
    --------
    >>> some_better(MeasuredDifference(0.05, 0.01), MeasuredDifference(-0.1, 0.01)).value
    'confirmed'
    """
    if any(one.interval(CHANCE / len(shares))[0] > 0 for one in shares):
        return ClaimVerdict.CONFIRMED
    return ClaimVerdict.NOT_CONFIRMED if all(one.interval()[1] < SAME for one in shares) else ClaimVerdict.CANNOT_TELL


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


CHANCE = 0.05
"""So often the interval of a difference misses the true one: it is the 95 % interval."""

_MANY = 1e9
"""Degrees of freedom from which on Student's t is the normal distribution."""


@dataclass(frozen=True)
class MeasuredDifference:
    """A difference of two means, its standard error, and the degrees of freedom of that.

    Examples
    --------
    >>> print(MeasuredDifference(0.05, 0.01))
    +5.0 [+3.0, +7.0]
    """

    mean: float
    error: float = 0.0
    freedom: float = math.inf

    def interval(self, chance: float = CHANCE) -> tuple[float, float]:
        """Return the interval that misses the true difference so often, half of that on either side."""
        off = float(stdtrit(min(max(self.freedom, 1), _MANY), 1 - chance / 2)) * self.error if self.error else 0.0
        return self.mean - off, self.mean + off

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{100 * self.mean:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"


def between(one: MeanFigure, other: MeanFigure) -> MeasuredDifference:
    """Return by how much one mean is above another (Welch); a single run is taken as it is.

    Examples
    --------
    >>> found = between(MeanFigure(0.6, 0.01, 3), MeanFigure(0.5, 0.01, 3))
    >>> round(found.mean, 3), round(found.error, 4), round(found.freedom, 3)
    (0.1, 0.0082, 4.0)
    """
    parts = [
        MeasuredDifference(0.0, figure.deviation / math.sqrt(figure.runs), figure.runs - 1) for figure in (one, other)
    ]
    error, freedom = _together([part for part in parts if part.error])
    return MeasuredDifference(one.mean - other.mean, error, freedom)


def of_runs(values: Sequence[float]) -> MeasuredDifference:
    """Return the mean of differences that were measured run by run.

    Examples
    --------
    >>> print(of_runs([0.01, 0.02, 0.03]))
    +2.0 [-0.5, +4.5]
    """
    count = len(values)
    mean = sum(values) / count
    if count == 1:
        return MeasuredDifference(mean)
    deviation = math.sqrt(sum((one - mean) ** 2 for one in values) / (count - 1))
    return MeasuredDifference(mean, deviation / math.sqrt(count), count - 1)


def mean_of(parts: Sequence[MeasuredDifference], independent: bool = True) -> MeasuredDifference:
    """Return the mean of differences; of such as hang together its error is the mean of theirs, the most it can be.

    Examples
    --------
    >>> parts = [MeasuredDifference(0.1, 0.02), MeasuredDifference(0.3, 0.02)]
    >>> round(mean_of(parts).error, 3), round(mean_of(parts, independent=False).error, 3)
    (0.014, 0.02)
    """
    count = len(parts)
    mean = sum(part.mean for part in parts) / count
    if independent:
        error, freedom = _together([part for part in parts if part.error])
        return MeasuredDifference(mean, error / count, freedom)
    return MeasuredDifference(mean, sum(part.error for part in parts) / count, min(part.freedom for part in parts))


def _together(parts: Sequence[MeasuredDifference]) -> tuple[float, float]:
    """Return the error of a sum, and its degrees of freedom (Welch and Satterthwaite)."""
    variance = sum(part.error**2 for part in parts)
    if not variance:
        return 0.0, math.inf
    rest = sum(part.error**4 / max(part.freedom, 1) for part in parts)
    return math.sqrt(variance), variance**2 / rest if rest else math.inf


QUIET = 0.25
"""Cores that other programs may use on average, and a clock is believed all the same."""


class Busy:
    """Number of cores that other programs have used since it was made; 0 if unknown."""

    def __init__(self) -> None:
        self._began, self._used = time.monotonic(), _others_s()

    def cores(self) -> float:
        """Return the mean until now."""
        now = _others_s()
        passed = time.monotonic() - self._began
        if now is None or self._used is None or passed <= 0:
            return 0.0
        return max(0.0, (now - self._used) / passed)


def _others_s() -> float | None:
    """Return the processor time that others have used, in seconds; None where psutil is missing."""
    try:
        import psutil
    except ImportError:
        return None
    times = psutil.cpu_times()
    idle = times.idle + getattr(times, "iowait", 0.0)
    # Time in a guest is counted twice.
    used = sum(times) - idle - getattr(times, "guest", 0.0) - getattr(times, "guest_nice", 0.0)
    own = os.times()
    return float(used - own.user - own.system - own.children_user - own.children_system)
