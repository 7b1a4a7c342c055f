"""Differences of what was measured, each with what chance makes of it: intervals of Student's t."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import stdtrit

from science.papers.result import MeanFigure

CHANCE = 0.05
"""So often the interval of a difference misses the true one: it is the 95 % interval."""

_MANY = 1e9
"""Degrees of freedom from which on Student's t is the normal distribution."""


@dataclass(frozen=True)
class MeasuredDifference:
    """A difference of two means, its standard error, and the degrees of freedom of that.

    Examples
    --------
    >>> print(Difference(0.05, 0.01))
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
    >>> found = between(Figure(0.6, 0.01, 3), Figure(0.5, 0.01, 3))
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
    >>> parts = [Difference(0.1, 0.02), Difference(0.3, 0.02)]
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
