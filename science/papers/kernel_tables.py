"""The tables and settings of Bodó and Csató's experiments (2012, Tables I and II), and Algorithm 1 to the letter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Int64Rows
from twinlens.core.kernels.dot_product_kernels import Polynomial, Sigmoid
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian

LANDMARKS, ONES = 300, 50
"""The paper's p and t, in every experiment."""


@dataclass(frozen=True)
class Setting:
    """The search of one table.

    Attributes
    ----------
    data : str
        The data set.
    paper : str
        The paper's, in whose place it stands.
    votes : int
        The paper's k.
    bits : int
        The paper's L.
    base : str
        Array of what is searched.
    neighbouring : bool
        Whether the ten occupied keys next to the query's are searched, and not only its own bucket.
    """

    data: str
    paper: str
    votes: int
    bits: int
    kernel: Kernel
    base: str = "base"
    neighbouring: bool = False


_POLYNOMIAL = Polynomial(a=0.01, c=1, p=2)

SETTINGS: dict[str, Setting] = {
    one.data: one
    for one in (
        Setting("digits", "Optdigits", 1, 5, _POLYNOMIAL),
        Setting("dna", "DNA", 3, 5, _POLYNOMIAL),
        Setting("income", "Adult", 7, 5, Gaussian(gamma=0.001)),
        Setting("shuttle", "Forest Covertype", 1, 80, _POLYNOMIAL, neighbouring=True),
        Setting("letter", "Forest Covertype", 1, 80, _POLYNOMIAL, neighbouring=True),
        Setting("poker", "Poker Hand", 3, 15, Sigmoid(a=0.001, c=1), base="part", neighbouring=True),
    )
}


@dataclass(frozen=True, eq=False)
class Answer:
    """Results of Algorithm 1.

    Attributes
    ----------
    rows : ndarray of int64, (k,)
        By rising distance, then row.
    compared : int
        Items whose distance it computes.
    """

    rows: Int64Rows
    compared: int


def algorithm_1(squared: Float64Matrix, bound: Float64Matrix | None, k: int) -> Answer:
    """Find the k nearest as Algorithm 1 does: item by item, skipping those whose bound reaches the worst of the list.

    The list changes seldom, so what lies between two changes is counted at once.

    Parameters
    ----------
    squared : ndarray of float64, (n,)
        Squared distances of all items, in the order in which they are gone through.
    bound : ndarray of float64, (n,), optional
        What the bound says each is at least; without one nothing is skipped.

    Examples
    --------
    >>> algorithm_1(np.array([3.0, 1.0, 5.0, 2.0]), np.array([0.0, 0.0, 4.0, 0.0]), 1)
    Answer(rows=array([1]), compared=3)
    """
    n = len(squared)
    rows = np.arange(min(k, n))
    place = compared = len(rows)
    while place < n:
        worst = float(squared[rows].max())
        rest = slice(place, n)
        seen = np.ones(n - place, np.bool_) if bound is None else bound[rest] < worst
        nearer = seen & (squared[rest] < worst)
        first = int(nearer.argmax())
        if not nearer[first]:
            compared += int(np.count_nonzero(seen))
            break
        compared += int(np.count_nonzero(seen[: first + 1]))
        replaced = np.flatnonzero(squared[rows] == worst)
        rows[replaced[rows[replaced].argmax()]] = place + first  # of several as far, the one that came last
        place += first + 1
    return Answer(rows[np.lexsort((rows, squared[rows]))].astype(np.int64), compared)


def bounds_of(asked: Float64Matrix, own: Float64Matrix) -> dict[str, Float64Matrix]:
    """Return the bounds (1) and (2) of squared distances, from k(x, x), (q,), and k(z, z), (n,): each (q, n)."""
    x, z = asked[:, None], own[None, :]
    norms = np.square(np.sqrt(np.maximum(x, 0)) - np.sqrt(np.maximum(z, 0)))
    return {"1": np.asarray(norms), "2": np.asarray((x - z) / 2)}


def neighbourhood(occupied: npt.NDArray[np.uint8], key: npt.NDArray[np.uint8], count: int, absent: str) -> Int64Rows:
    """Choose the buckets that a query is compared with.

    Parameters
    ----------
    occupied : ndarray of uint8, (u, bytes)
        The keys that there are, sorted.
    key : ndarray of uint8, (bytes,)
        The query's.
    count : int
        How many; those whose keys are closest, in Hamming distance, to where it starts: that key itself where it is
        occupied.
    absent : {"lexicographic", "closest"}
        Where it starts otherwise: at the neighbour in the sorted keys that a binary search leads to, as in the paper;
        or at the query's own key all the same.
    """
    start = key
    if absent == "lexicographic":
        words, own = (np.ascontiguousarray(one).view(f"V{occupied.shape[1]}").ravel() for one in (occupied, key[None]))
        place = min(int(np.searchsorted(words, own[0])), len(words) - 1)
        start = occupied[place]
    far = np.bitwise_count(occupied ^ start).sum(axis=1, dtype=np.int64)
    return np.argsort(far, kind="stable")[:count].astype(np.int64)
