"""What may be said of a claim: the measured numbers, and whether they bear it out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from scipy.special import stdtrit

from tests.papers.result import Figure, Result

_SURE = 2.0
"""Standard errors from which on a gain that was measured pair by pair, over many pairs, is one."""

_CHANCE = 0.05
"""At most so often chance alone gives a difference of means that is taken for one (Welch's t, both sides)."""

_RARE = 0.01
"""The same where two things are said to be the same: there chance would be taken for a fault."""


class Verdict(Enum):
    """In the order of gravity."""

    CONFIRMED = "confirmed"
    CANNOT_TELL = "data too different to tell"
    NOT_CONFIRMED = "not confirmed"


@dataclass(frozen=True)
class Judgement:
    """A verdict, and the numbers that it is of."""

    verdict: Verdict
    numbers: str


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
    item : str
        The table or figure of the paper that it is of, as the page's section calls it.
    timed : bool
        Whether a clock decides.
    """

    paper: str
    text: str
    source: str
    judge: Callable[[Result], Judgement]
    item: str = ""
    timed: bool = False

    def judged(self, result: Result) -> Judgement | None:
        """Judge it; None where the experiment was changed and no longer measures what it is judged by."""
        try:
            return self.judge(result)
        except KeyError:
            return None


def above(better: Figure, worse: Figure, by: float = 0.0, most: float = 1.0) -> Verdict:
    """Say whether one mean is above another, by so much.

    Where the difference is from ``by`` no more than chance (Welch's t over the runs) there is nothing to be said; nor
    where both are next to the most there can be.

    Examples
    --------
    >>> above(Figure(0.6, 0.01, 3), Figure(0.5, 0.01, 3)).value
    'confirmed'
    >>> above(Figure(0.5, 0.1, 3), Figure(0.5, 0.1, 3)).value
    'data too different to tell'
    """
    difference = better.mean - worse.mean - by
    error = _by_chance(better, worse)
    if abs(difference) <= error or min(better.mean, worse.mean) > 0.99 * most:
        return Verdict.CANNOT_TELL
    return Verdict.CONFIRMED if difference > 0 else Verdict.NOT_CONFIRMED


def _by_chance(one: Figure, other: Figure, chance: float = _CHANCE) -> float:
    """Say how far two means may be apart by chance; a single run is taken as it is."""
    parts = [(figure.deviation**2 / figure.runs, figure.runs - 1) for figure in (one, other)]
    total = sum(variance for variance, _ in parts)
    if total == 0:
        return 0.0
    freedom = total**2 / sum(variance**2 / max(runs, 1) for variance, runs in parts)
    return float(stdtrit(freedom, 1 - chance / 2)) * math.sqrt(total)


def level(one: Figure, other: Figure, tolerance: float = 0.02) -> Verdict:
    """Say whether two means are the same, to so much; where they are farther apart, but by chance, it cannot be told.

    Examples
    --------
    >>> level(Figure(0.6, 0.03, 3), Figure(0.61, 0.03, 3)).value, level(Figure(0.6, 0.001, 3), Figure(0.7)).value
    ('confirmed', 'not confirmed')
    """
    apart = abs(one.mean - other.mean)
    if apart <= tolerance:
        return Verdict.CONFIRMED
    return Verdict.NOT_CONFIRMED if apart - tolerance > _by_chance(one, other) else Verdict.CANNOT_TELL


def alike(pairs: Iterable[tuple[Figure, Figure]]) -> Verdict:
    """Say whether nothing but chance sets the two of any pair apart: once in a hundred times over all of them.

    Examples
    --------
    >>> alike([(Figure(0.6, 0.03, 3), Figure(0.62, 0.03, 3)), (Figure(0.6, 0.001, 3), Figure(0.7, 0.001, 3))]).value
    'not confirmed'
    """
    every = list(pairs)
    chance = _RARE / max(1, len(every))
    return holds(all(abs(one.mean - other.mean) <= _by_chance(one, other, chance) for one, other in every))


def gained(gain: float, error: float) -> Verdict:
    """Say whether a gain that was measured pair by pair is one, by its standard error.

    Examples
    --------
    >>> gained(0.02, 0.004).value, gained(0.005, 0.004).value
    ('confirmed', 'data too different to tell')
    """
    if abs(gain) <= _SURE * error:
        return Verdict.CANNOT_TELL
    return Verdict.CONFIRMED if gain > 0 else Verdict.NOT_CONFIRMED


def within(low: float, value: float, high: float, slack: float = 0.0) -> Verdict:
    """Say whether a value lies between two; by so much outside of them nothing can be said."""
    if low <= value <= high:
        return Verdict.CONFIRMED
    return Verdict.CANNOT_TELL if low - slack <= value <= high + slack else Verdict.NOT_CONFIRMED


def holds(condition: bool) -> Verdict:
    """Turn what is plainly true or not into a verdict."""
    return Verdict.CONFIRMED if condition else Verdict.NOT_CONFIRMED


def gravest(verdicts: Iterable[Verdict]) -> Verdict:
    """Give the gravest: a claim of several parts holds where all of them do."""
    order = list(Verdict)
    return max(verdicts, key=order.index)
