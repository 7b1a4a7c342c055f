"""Choice of the pairs to mark next: those that teach most, no photograph twice.

A pair near the threshold is one that the metric cannot tell; one on which two metrics disagree is one that marks have
not settled. Both are said in places among all pairs (:func:`core.learning.metric_judgement.background_places`), which metrics
share.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Matrix


def usefulness(now: Float64Matrix, before: Float64Matrix, threshold: float) -> Float64Matrix:
    """Return how much the mark of each pair would teach, (p,), (p,) -> (p,).

    Parameters
    ----------
    now, before : ndarray of float64, (p,)
        Places of the pairs under two metrics.
    threshold : float
        The place that parts similar pairs from different ones.
    """
    unsure = 1 / (1 + np.abs(_logit(now) - _logit(np.asarray([threshold]))))
    return np.asarray(unsure + np.abs(_logit(now) - _logit(before)) / 4)


def pick_pairs(rows: npt.NDArray[np.int64], useful: Float64Matrix, count: int) -> npt.NDArray[np.intp]:
    """Pick the most useful pairs, no item in two of them, (k,) of (p,); of equal ones the first."""
    taken: set[int] = set()
    chosen = []
    for place in np.argsort(-useful, kind="stable"):
        one, other = rows[place].tolist()
        if one not in taken and other not in taken:
            chosen.append(place)
            taken |= {one, other}
            if len(chosen) == count:
                break
    return np.array(chosen, np.intp)


def _logit(place: Float64Matrix) -> Float64Matrix:
    inside = np.clip(place, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(inside / (1 - inside)))
