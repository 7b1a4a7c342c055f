"""A threshold of distance: below it, of pairs like the marked ones, about a given share is wrong.

The chance that a pair is different is fitted to its distance by logistic regression on log distance, kept rising; the
share of wrong pairs below a threshold is its mean over them. The interval covers both unknowns: how the chance rises
(drawn from the fit's normal approximation), and which pairs there are (each counts for as much as an exponential draw
says: Rubin's Bayesian bootstrap, 1981).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.arrays import BoolMask, Float64Matrix
from core.errors import TwinlensError

LEAST_OF_EACH = 5
"""Marks of each kind that a threshold needs."""

_DRAWS = 200
_STEPS = 50
_RIDGE = 0.02
_SMALLEST = 1e-9


@dataclass(frozen=True)
class Threshold:
    """A threshold and how sure it is. Made by :func:`threshold`.

    Attributes
    ----------
    distance : float
        Up to it, about ``wrong`` of the pairs are different.
    low, high : float
        About 90 % of the time the right distance lies between.
    wrong : float
        The share that was asked for.
    kept : float
        The share of the similar pairs that are below it.
    wrong_low, wrong_high : float
        About 90 % of the time the share of pairs up to it that are wrong lies between.
    likely, even : float
        Pairs at the first are similar four times of five, at the second every other time; 0 where all marked pairs
        are less often.
    """

    distance: float
    low: float
    high: float
    wrong: float
    kept: float
    wrong_low: float = 0.0
    wrong_high: float = 1.0
    likely: float = 0.0
    even: float = 0.0


def threshold(distances: Float64Matrix, similar: BoolMask, wrong: float = 0.02, seed: int = 0) -> Threshold:
    """Find the distance below which about a share of pairs is wrong.

    Parameters
    ----------
    distances : ndarray of float64, (p,)
        Of marked pairs.
    similar : ndarray of bool, (p,)
    wrong : float
        In (0, 0.5].
    seed : int
        Of the draws for the interval.

    Raises
    ------
    TwinlensError
        If there are fewer than five marks of a kind, or the share is none.
    """
    if not 0 < wrong <= 0.5:
        raise TwinlensError(
            "A share of {wrong:g} wrong pairs means nothing here.", "Give one above 0, at most 0.5.", wrong=wrong
        )
    least = int(min(similar.sum(), (~similar).sum()))
    if least < LEAST_OF_EACH:
        raise TwinlensError(
            "A threshold needs {least_of_each} marks of each kind, and of one there are {least}.",
            "Mark some more pairs, similar and different.",
            least_of_each=LEAST_OF_EACH,
            least=least,
        )
    logs = np.log(np.maximum(distances, _SMALLEST))
    order = np.argsort(logs, kind="stable")
    logs, similar = logs[order], similar[order]
    x = (logs - logs.mean()) / (logs.std() or 1.0)
    fitted, spread = _logistic(x, similar)
    rising = _Rising.of(logs, x, fitted, np.ones(len(x)))
    found = rising.reaching(wrong)
    rng = np.random.default_rng(seed)
    drawn, shares = np.empty(_DRAWS), np.empty(_DRAWS)
    for number in range(_DRAWS):
        line = fitted + spread @ rng.standard_normal(2)
        one = _Rising.of(logs, x, line, rng.exponential(size=len(x)))
        drawn[number], shares[number] = one.reaching(wrong), one.up_to(found)
    low, high = np.quantile(drawn, (0.05, 0.95))
    wrong_low, wrong_high = np.quantile(shares, (0.05, 0.95))
    return Threshold(
        found,
        float(min(low, found)),
        float(max(high, found)),
        wrong,
        float((logs[similar] <= _log(found)).mean()),
        float(min(wrong_low, wrong)),
        float(max(wrong_high, wrong)),
        *(_where(logs, fitted, chance) for chance in (0.2, 0.5)),
    )


@dataclass(frozen=True, eq=False)
class _Rising:
    """The share of pairs up to each distance that are different, as a fit says.

    Attributes
    ----------
    logs : ndarray of float64, (p,)
        Of the distances, ascending.
    shares : ndarray of float64, (p,)
    """

    logs: Float64Matrix
    shares: Float64Matrix

    @classmethod
    def of(cls, logs: Float64Matrix, x: Float64Matrix, line: Float64Matrix, counts: Float64Matrix) -> _Rising:
        chance = 1 / (1 + np.exp(-np.clip(max(line[0], 0.0) * x + line[1], -500, 500)))
        return cls(logs, np.cumsum(counts * chance) / np.cumsum(counts))

    def up_to(self, distance: float) -> float:
        place = int(np.searchsorted(self.logs, _log(distance), side="right"))
        return float(self.shares[max(place - 1, 0)])

    def reaching(self, wrong: float) -> float:
        below = np.flatnonzero(self.shares <= wrong)
        return float(np.exp(self.logs[below[-1]])) if len(below) else 0.0


def _where(logs: Float64Matrix, line: Float64Matrix, chance: float) -> float:
    """Return the distance at which a fit's chance to be different is so much, or the last; 0 where all have more."""
    if line[0] <= 0:
        return 0.0
    found = logs.mean() + (np.log(chance / (1 - chance)) - line[1]) / line[0] * (logs.std() or 1.0)
    return float(np.exp(min(found, logs[-1]))) if found >= logs[0] else 0.0


def _log(distance: float) -> float:
    return float(np.log(max(distance, _SMALLEST))) + 1e-12  # what was a logarithm is found again


def _logistic(x: Float64Matrix, similar: BoolMask) -> tuple[Float64Matrix, Float64Matrix]:
    """Fit P(different) = 1 / (1 + exp(-(a x + b))) by Newton's method: (a, b), and a root of their covariance."""
    table = np.column_stack([x, np.ones(len(x))])
    ridge = np.diag([_RIDGE, _RIDGE / 100])  # so that kinds that do not overlap are not told without a doubt
    weights = np.zeros(2)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        gradient = table.T @ (chance - ~similar) + ridge @ weights
        hessian = (table.T * np.maximum(chance * (1 - chance), _SMALLEST)) @ table + ridge
        step = np.linalg.solve(hessian, gradient)
        weights = weights - step / max(1.0, float(np.abs(step).max()) / 2)
        if float(np.abs(step).max()) < 1e-10:
            break
    return weights, np.linalg.cholesky(np.linalg.inv(hessian))
