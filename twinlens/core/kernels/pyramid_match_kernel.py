"""The pyramid match kernel of sets of points, as a dot product of sparse vectors.

Grauman and Darrell: The Pyramid Match Kernel: Discriminative Classification with Sets of Image Features, ICCV 2005, and
JMLR 8, 2007. A set's points are counted at levels l = 0 ... L in bins whose sides double from one level to the next.
With I_l the sum over the bins of the smaller of both counts, I_l - I_(l-1) points find their partner at level l first,
where they count w_l, which is 2^-l:

    k(X, Z) = Σ_l w_l (I_l - I_(l-1)) = Σ_l (w_l - w_(l+1)) I_l,        I_(-1) = 0, w_(L+1) = 0

It is normalised by sqrt(k(X, X) k(Z, Z)), where k(X, X) is the number of points, as all of them match at level 0.

The smaller of two counts is the dot product of both in unary, c ones and then zeros. So k is the dot product of sparse
vectors with a dimension for each level, each bin, and each place in its unary number, and with sqrt(w_l - w_(l+1)) in
it: the root of 2^-(l+1) below the top, of 2^-L there (Kulis, Jain and Grauman, PAMI 31(12), 2009). The dimensions are
numbered by level, bin and place, so that sets that were never together have theirs in common.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from twinlens.core.errors import TwinlensError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Points = npt.NDArray[np.floating]
Cells = npt.NDArray[np.int64]
Sparse = tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]

LARGEST = 1 << 51
"""Dimensions at most: random directions tell no more of them apart (`twinlens.core.hashing.sparse_encoder`)."""


@dataclass(frozen=True)
class Pyramid:
    """Bins of a space, from fine to one bin that holds it all.

    Parameters
    ----------
    components : int
        Dimensions of the points.
    levels : int
        L + 1; a side of the space is cut into 2^L bins at level 0.
    most : int
        Points of a set, at most.
    decay : float
        w_(l+1) / w_l, in (0, 1); 1/2 in the papers.

    Raises
    ------
    TwinlensError
        If the vectors would have more than `LARGEST` dimensions.

    Examples
    --------
    >>> pyramid = Pyramid(components=1, levels=3, most=4)
    >>> rows = pyramid.rows([np.array([[0], [2]]), np.array([[0], [3]])])
    >>> round(float((rows @ rows.T)[0, 1]), 6)  # of 2 points one at level 0, one at level 1: (1 + 1/2) / 2
    0.75
    """

    components: int
    levels: int
    most: int
    decay: float = 0.5

    def __post_init__(self) -> None:
        if self.dimensions > LARGEST:
            raise TwinlensError(
                "A pyramid of {levels} levels over {components} components, of up to {most} points, has "
                "more dimensions than the {largest:.1e} that can be distinguished.",
                "Choose fewer levels, components or keypoints.",
                levels=self.levels,
                components=self.components,
                most=self.most,
                largest=LARGEST,
            )

    @property
    def side(self) -> int:
        """Bins along a side at level 0."""
        return 1 << (self.levels - 1)

    @property
    def dimensions(self) -> int:
        """Dimensions of a vector."""
        return self.most * sum(self._bins(level) for level in range(self.levels))

    def _bins(self, level: int) -> int:
        return 1 << (self.levels - 1 - level) * self.components

    def cells(self, points: Points, origin: npt.ArrayLike, size: float) -> Cells:
        """Return each point its bin at level 0.

        Parameters
        ----------
        points : ndarray, (n, components)
        origin : array_like, (components,)
            The corner of the space whose coordinates are smallest.
        size : float
            Of a bin at level 0, along each side. Points beyond the space are in its outermost bins.

        Returns
        -------
        ndarray of int, (n, components)
            From 0 to `side` - 1.
        """
        places = np.floor((points - np.asarray(origin)) / size)
        return np.asarray(np.clip(places, 0, self.side - 1), dtype=np.int64)

    def row(self, cells: Cells) -> Sparse:
        """Return the vector of one set.

        Parameters
        ----------
        cells : ndarray of int, (n, components)
            As :meth:`cells` gives them; any order.

        Returns
        -------
        dimensions : ndarray of int64, (m,)
            Ascending.
        values : ndarray of float32, (m,)
            Of length 1 together; none where there is no point.

        Raises
        ------
        TwinlensError
            If there are more than `most` points.
        """
        if len(cells) > self.most:
            raise TwinlensError(
                "A set has {cells} points, but {most} are the most that were declared.",
                "Declare more, or leave some out.",
                cells=len(cells),
                most=self.most,
            )
        if not len(cells):
            return np.zeros(0, np.int64), np.zeros(0, np.float32)
        found, weights, start = [], [], 0
        for level in range(self.levels):
            below = np.left_shift(np.int64(1), (self.levels - 1 - level) * np.arange(self.components))
            bins, counts = np.unique((cells >> level) @ below, return_counts=True)
            unary = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            found.append((start + np.repeat(bins, counts)) * self.most + unary)
            top = level == self.levels - 1
            weights.append(np.full(len(unary), self.decay**level * (1 if top else 1 - self.decay)))
            start += self._bins(level)
        values = np.sqrt(np.concatenate(weights) / len(cells))
        return np.concatenate(found), values.astype(np.float32)

    def rows(self, sets: Iterable[Cells]) -> csr_array[Any]:
        """Return the vectors of sets.

        Parameters
        ----------
        sets : iterable of ndarray of int, (n, components)
            As :meth:`cells` gives them.

        Returns
        -------
        csr_array of float32, (sets, dimensions)
            Rows sorted by dimension, of length 1, or empty where there is no point.

        Raises
        ------
        TwinlensError
            If a set has more than `most` points.
        """
        from scipy.sparse import csr_array

        made = [self.row(cells) for cells in sets]
        pointers = np.cumsum([0, *(len(places) for places, _ in made)], dtype=np.int64)
        indices = np.concatenate([np.zeros(0, np.int64), *(places for places, _ in made)])
        values = np.concatenate([np.zeros(0, np.float32), *(values for _, values in made)])
        return csr_array((values, indices, pointers), shape=(len(made), self.dimensions))
