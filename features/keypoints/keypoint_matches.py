"""Matches of the keypoints of two pictures, each with at most one of the other.

Lowe, IJCV 2004: a pair counts if it is clearly better than the second best (the ratio test), here in both directions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

RATIO = 0.9
"""Of the distances to the nearest and to the second nearest, at most."""

_BACKGROUND = 0.6  # about how alike two descriptions are that have nothing to do with each other

Similarities = npt.NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Matches:
    """Pairs of keypoints, the most certain first.

    Parameters
    ----------
    query, candidate : ndarray of int, (m,)
        Rows of the keypoints; none stands twice.
    ratios : ndarray of float32, (m,)
        Of the distances to the nearest and to the second nearest.
    """

    query: npt.NDArray[np.intp]
    candidate: npt.NDArray[np.intp]
    ratios: npt.NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.query)


def match(similarities: Similarities, ratio: float = RATIO) -> Matches:
    """Pair the rows and columns of the dot products of two tables of RootSIFT.

    Parameters
    ----------
    similarities : ndarray of float32, (n, m)
    ratio : float
    """
    if not similarities.size:
        nothing = np.zeros(0, np.intp)
        return Matches(nothing, nothing, np.zeros(0, np.float32))
    rows = np.arange(len(similarities))
    nearest = similarities.argmax(axis=1)
    back = similarities.argmax(axis=0)
    mutual = rows[back[nearest] == rows]
    columns = nearest[mutual]
    best = similarities[mutual, columns]
    chosen = similarities[mutual]
    chosen[np.arange(len(mutual)), columns] = _BACKGROUND
    second = np.maximum(chosen.max(axis=1), _BACKGROUND)
    ratios = np.sqrt(np.maximum(1 - best, 0) / np.maximum(1 - second, 1e-6)).astype(np.float32)
    order = np.lexsort((mutual, ratios))
    order = order[ratios[order] < ratio]
    return Matches(mutual[order], columns[order], ratios[order])
