"""A distance with a meaning: below it, of pairs like those that were marked, about so many are wrong.

The chance that a pair is different is fitted to its distance by logistic regression on log distance (Platt, 1999, with
his smoothed targets), kept rising; what is wrong below a threshold is its mean over the pairs below. The interval comes
from drawing the marks anew with replacement.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.errors import TwinlensError
from core.learning.judging import Mask, Matrix

LEAST_OF_EACH = 5
"""Marks of each kind that a threshold needs."""

_DRAWS = 200
_STEPS = 50
_RIDGE = 1e-3
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
    """

    distance: float
    low: float
    high: float
    wrong: float
    kept: float
    wrong_low: float = 0.0
    wrong_high: float = 1.0


def threshold(distances: Matrix, similar: Mask, wrong: float = 0.02, seed: int = 0) -> Threshold:
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
        raise TwinlensError(f"A share of {wrong:g} wrong pairs means nothing here.", "Give one above 0, at most 0.5.")
    least = int(min(similar.sum(), (~similar).sum()))
    if least < LEAST_OF_EACH:
        raise TwinlensError(
            f"A threshold needs {LEAST_OF_EACH} marks of each kind, and of one there are {least}.",
            "Mark some more pairs, similar and different.",
        )
    found = _find(_Rising.of(distances, similar), wrong)
    rng = np.random.default_rng(seed)
    near, far = np.flatnonzero(similar), np.flatnonzero(~similar)
    drawn, shares = np.empty(_DRAWS), np.empty(_DRAWS)
    for number in range(_DRAWS):
        rows = np.concatenate([rng.choice(near, len(near)), rng.choice(far, len(far))])
        one = _Rising.of(distances[rows], similar[rows])
        drawn[number], shares[number] = _find(one, wrong), one.up_to(found)
    low, high = np.quantile(drawn, (0.05, 0.95))
    wrong_low, wrong_high = np.quantile(shares, (0.05, 0.95))
    return Threshold(
        found,
        float(min(low, found)),
        float(max(high, found)),
        wrong,
        float((distances[similar] <= found).mean()),
        float(min(wrong_low, wrong)),
        float(max(wrong_high, wrong)),
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

    logs: Matrix
    shares: Matrix

    @classmethod
    def of(cls, distances: Matrix, similar: Mask) -> _Rising:
        x = np.log(np.maximum(distances, _SMALLEST))
        middle, width = x.mean(), x.std() or 1.0
        slope, offset = _logistic((x - middle) / width, similar)
        logs = np.sort(x)
        chance = 1 / (1 + np.exp(-np.clip(slope * (logs - middle) / width + offset, -500, 500)))
        return cls(logs, np.cumsum(chance) / np.arange(1, len(logs) + 1))

    def up_to(self, distance: float) -> float:
        place = int(np.searchsorted(self.logs, np.log(max(distance, _SMALLEST)), side="right"))
        return float(self.shares[max(place - 1, 0)])


def _find(rising: _Rising, wrong: float) -> float:
    below = np.flatnonzero(rising.shares <= wrong)
    return float(np.exp(rising.logs[below[-1]])) if len(below) else 0.0


def _logistic(x: Matrix, similar: Mask) -> tuple[float, float]:
    """Fit P(different) = 1 / (1 + exp(-(a x + b))) by Newton's method, a at least 0."""
    count = int((~similar).sum())
    target = np.where(similar, 1 / (len(x) - count + 2), (count + 1) / (count + 2))
    table = np.column_stack([x, np.ones(len(x))])
    weights = np.zeros(2)
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -500, 500)))
        gradient = table.T @ (chance - target) + _RIDGE * weights
        hessian = (table.T * (chance * (1 - chance))) @ table + _RIDGE * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        weights = weights - step
        if float(np.abs(step).max()) < 1e-10:
            break
    return float(max(weights[0], 0.0)), float(weights[1])
