"""Late fusion: the ranked lists of several searches made one (Snoek, Worring, Smeulders, ACM Multimedia 2005).

An item's score is the weighted sum of what each list gives it; the highest comes first, and of equals the lower id. The
sums are exact before they are rounded, so that the order of the lists makes no difference.

- Reciprocal rank fusion: 1 / (60 + r) for rank r, counted from 1, and 0 from a list without the item (Cormack, Clarke,
  Büttcher: Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods, SIGIR 2009).
- Borda count: of c items in all lists together, c for the first, c - 1 for the second, and so on; those that a list
  lacks share evenly what is left of its points (Aslam and Montague: Models for Metasearch, SIGIR 2001).
- Sum of similarities, CombSUM: the item's similarity, and 0 from a list without it (Fox and Shaw: Combination of
  Multiple Searches, TREC-2, 1994).

Examples
--------
>>> shapes = RankedList(np.array([7, 3, 9]), np.array([0.9, 0.5, 0.4]))
>>> colours = RankedList(np.array([3, 8]), np.array([0.8, 0.7]))
>>> reciprocal_rank([shapes, colours]).ids.tolist()
[3, 7, 8, 9]
>>> borda([shapes, colours]).scores.tolist()
[7.0, 5.5, 4.0, 3.5]
>>> similarity_sum([shapes, colours]).ids.tolist()
[3, 7, 8, 9]
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Ids

RANK_CONSTANT = 60
"""Of reciprocal rank fusion: how little the first ranks stand out."""

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RankedList:
    """The results of one search.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Best first, each once.
    similarities : ndarray of float64, (n,)
        Theirs, in [0, 1].

    Raises
    ------
    ValueError
        If an id stands twice, or both are not of one length.
    """

    ids: Int64Ids
    similarities: Scores

    def __post_init__(self) -> None:
        if self.ids.ndim != 1 or self.ids.shape != self.similarities.shape:
            raise ValueError(f"{self.ids.shape} ids have {self.similarities.shape} similarities")
        if len(np.unique(self.ids)) != len(self.ids):
            raise ValueError("an id stands twice in a ranked list")


@dataclass(frozen=True, eq=False)
class Fused:
    """The fused results of all lists.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Every id of every list, by (score, highest first; id).
    scores : ndarray of float64, (n,)
    best : float
        The score of an item that is first in every list, and as similar as can be.
    """

    ids: Int64Ids
    scores: Scores
    best: float


def reciprocal_rank(
    lists: Sequence[RankedList], weights: Sequence[float] | None = None, constant: float = RANK_CONSTANT
) -> Fused:
    """Fuse by reciprocal ranks.

    Parameters
    ----------
    lists : sequence of RankedList
        At least one.
    weights : sequence of float, optional
        Of each list, finite, none below 0, one above; 1 by default.
    constant : float
        At least 0.

    Raises
    ------
    ValueError
        If the weights do not fit, or there is no list.
    """
    shares = _weights(lists, weights)
    given = [dict(zip(one.ids.tolist(), _reciprocals(len(one.ids), constant), strict=True)) for one in lists]
    return _fused(lists, shares, lambda place, key: given[place].get(key, 0.0), [1 / (constant + 1)] * len(lists))


def borda(lists: Sequence[RankedList], weights: Sequence[float] | None = None) -> Fused:
    """Fuse by Borda's count; parameters as of :func:`reciprocal_rank`."""
    shares = _weights(lists, weights)
    count = len(_every(lists))
    given = [{key: float(count - rank) for rank, key in enumerate(one.ids.tolist())} for one in lists]
    rest = [(count - len(one.ids) + 1) / 2 for one in lists]  # the mean of the points 1, 2, ... that are left
    return _fused(lists, shares, lambda place, key: given[place].get(key, rest[place]), [float(count)] * len(lists))


def similarity_sum(lists: Sequence[RankedList], weights: Sequence[float] | None = None) -> Fused:
    """Fuse by the sum of similarities; parameters as of :func:`reciprocal_rank`."""
    shares = _weights(lists, weights)
    given = [dict(zip(one.ids.tolist(), one.similarities.tolist(), strict=True)) for one in lists]
    return _fused(lists, shares, lambda place, key: given[place].get(key, 0.0), [1.0] * len(lists))


FUSIONS: Mapping[str, Callable[[Sequence[RankedList], Sequence[float] | None], Fused]] = {
    "rrf": reciprocal_rank,
    "borda": borda,
    "similarity": similarity_sum,
}
"""Every way to fuse, by what one types."""


def _reciprocals(count: int, constant: float) -> list[float]:
    return [1 / (constant + rank) for rank in range(1, count + 1)]


def _weights(lists: Sequence[RankedList], weights: Sequence[float] | None) -> list[float]:
    shares = [1.0] * len(lists) if weights is None else [float(weight) for weight in weights]
    if not lists or len(shares) != len(lists):
        raise ValueError(f"{len(lists)} ranked lists have {len(shares)} weights")
    if not all(math.isfinite(share) and share >= 0 for share in shares) or not any(shares):
        raise ValueError(f"weights must be finite, none below 0 and one above, not {shares}")
    return shares


def _every(lists: Sequence[RankedList]) -> list[int]:
    every: list[int] = np.unique(np.concatenate([one.ids for one in lists])).tolist()
    return every


def _fused(
    lists: Sequence[RankedList], shares: Sequence[float], given: Callable[[int, int], float], most: Sequence[float]
) -> Fused:
    """Add up and sort; ``given`` tells what a list gives an id, ``most`` what each could give at the most."""
    ids = _every(lists)
    sums = (math.fsum(share * given(place, key) for place, share in enumerate(shares)) for key in ids)
    scores = np.fromiter(sums, np.float64, len(ids))
    order = np.argsort(-scores, kind="stable")  # the ids ascend
    best = math.fsum(share * one for share, one in zip(shares, most, strict=True))
    return Fused(np.array(ids, np.int64)[order], scores[order], best)
