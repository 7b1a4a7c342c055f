"""The implicit metric on sparse vectors of millions of dimensions: G = I + Φ S Φ', the items of Φ sparse, too.

G x would be as long as x and far denser, so nothing is applied: with k_x = Φ' x, (c,), and M = S + S' + S' K0 S

    s_A(x, z) = x'z + k_x' M k_z,        d_A(x, z)² = |x - z|² + (k_x - k_z)' M (k_x - k_z)

Without items it is the plain distance, or cosine, of sparse vectors.

Sparse vectors are checked at the border and have one form: compressed rows, sorted, each dimension once, nothing
stored zero. In that form a row is the same numbers in the same order wherever it came from, so everything computed of
it is the same, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.declaration.fitted import Fitted
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message
from twinlens.core.metrics.metric import FARTHEST
from twinlens.core.metrics.metric_forms import learned_weights
from twinlens.core.vectors import as_vectors, to_grid

_DECIMALS = 12  # of a squared distance: beyond this is rounding alone


@dataclass(frozen=True, eq=False)
class SparseMetric(Fitted):
    """Sparse items and S. Made by :meth:`of` or :meth:`plain`.

    Attributes
    ----------
    values, indices, pointers : ndarrays
        The items, (c, d), as compressed rows.
    s : ndarray of float64, (c, c)
    spread : float
        What distances are divided by, as of :class:`twinlens.core.metrics.metric.FittedMetric`.
    """

    dimensions: int
    values: npt.NDArray[np.float64]
    indices: npt.NDArray[np.int64]
    pointers: npt.NDArray[np.int64]
    s: npt.NDArray[np.float64]
    spread: float = 1.0
    ranking: str = "distance"
    note: Message = NOTHING

    @classmethod
    def of(cls, items: Any, s: npt.ArrayLike, ranking: str = "distance") -> Self:
        """Make the metric of items, sparse (c, d), and S, (c, c).

        Raises
        ------
        TwinlensError
            If the two do not fit each other, or hold a value that is not finite.
        """
        phi, weights = as_sparse(items), np.asarray(s, np.float64)
        if weights.shape != (phi.shape[0], phi.shape[0]):
            raise TwinlensError(
                "The metric's S has the shape {shape}, but there are {shape2} items.",
                "Give an S with a row and a column for each item.",
                shape=str(weights.shape),
                shape2=phi.shape[0],
            )
        finite = np.isfinite(weights).all(axis=1)
        if not finite.all():
            raise TwinlensError(
                "Row {argmin} (counted from 0) of the metric's S holds a value that is not finite.",
                "Mend that row.",
                argmin=int(np.argmin(finite)),
            )
        return cls(
            int(phi.shape[1]),
            phi.data,
            phi.indices.astype(np.int64),
            phi.indptr.astype(np.int64),
            weights,
            ranking=ranking,
        )

    @classmethod
    def plain(cls, dimensions: int, ranking: str = "distance") -> Self:
        """Make the metric that counts every dimension alike, G = I."""
        none = np.empty(0, np.int64)
        return cls(dimensions, np.empty(0), none, np.zeros(1, np.int64), np.empty((0, 0)), ranking=ranking)

    @cached_property
    def items(self) -> Rows:
        """The items, (c, d)."""
        from scipy.sparse import csr_array

        return csr_array((self.values, self.indices, self.pointers), shape=(len(self.s), self.dimensions))

    @cached_property
    def m(self) -> Float64Matrix:
        """M of the learned kernel, (c, c)."""
        return learned_weights(self.s, products(self.items, self.items))

    def coordinates(self, x: Rows) -> Float64Matrix:
        """Return k_x = Φ'x of checked rows, (n, d) -> (n, c); of a row always the same."""
        return products(x, self.items)

    def against(self, x: Any) -> SparseItems:
        """Make many items ready to be measured.

        Parameters
        ----------
        x : scipy.sparse array, (n, d)

        Raises
        ------
        TwinlensError
            As :func:`twinlens.core.metrics.sparse_metric.as_sparse`.
        """
        rows = as_sparse(x, self.dimensions)
        coordinates = np.empty((rows.shape[0], len(self.s)))
        for some in sparse_blocks(rows, len(self.s)):
            coordinates[some] = self.coordinates(block_of(rows, some))
        return SparseItems(self, rows, coordinates)

    def distances(self, query: Any, x: Any) -> Float64Matrix:
        """Measure one query, sparse (1, d), against items, sparse (n, d) -> (n,); see :class:`SparseItems`."""
        return self.against(x).distances(query)

    def similarities(self, distances: Float64Matrix) -> Float64Matrix:
        """Turn distances into similarities in [0, 1], the same order reversed (`FORMULA`, `KERNEL_FORMULA`)."""
        return np.clip(1 - np.square(distances) / 2, 0, 1)

    def fitted_to(self, x: Any) -> Self:
        """Return this metric with its spread found from sparse vectors, as `FittedMetric.fitted_to` finds it.

        Raises
        ------
        TwinlensError
            If every row is zero throughout, or as :meth:`against`.
        """
        items = self.against(x)
        telling = items.norms > 0
        count = int(telling.sum())
        if not count:
            raise TwinlensError(
                "There is nothing to learn from: all sparse vectors are zero throughout.",
                "Give at least one vector that is not zero throughout.",
            )
        # sum |x - mean|² = sum |x|² - n |mean|², and the same of G x
        length, plain = float(items.norms.sum()), float(items.learned_norms.sum())
        _, places = np.unique(items.x.indices, return_inverse=True)
        squared_total = float(np.square(np.bincount(places, items.x.data)).sum())
        middle = items.coordinates[telling].sum(axis=0)
        before = length - squared_total / count
        after = plain - (squared_total + float(middle @ self.m @ middle)) / count
        differ = before > 1e-12 * length and after > 0
        squared = length / count * after / before if differ else plain / count
        return replace(self, spread=float(np.sqrt(squared)) if squared > 0 else 1.0)


if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Rows = csr_array[Any]
else:
    Rows = Any


@dataclass(frozen=True, eq=False)
class SparseItems:
    """Items made ready to be measured under a sparse metric. Made by :meth:`SparseMetric.against`.

    Attributes
    ----------
    x : csr_array of float64, (n, d)
    coordinates : ndarray of float64, (n, c)
        k_x of each.
    """

    metric: SparseMetric
    x: Rows
    coordinates: Float64Matrix

    @cached_property
    def norms(self) -> Float64Matrix:
        """Squared lengths, (n,)."""
        return squared_norms(self.x)

    @cached_property
    def learned_norms(self) -> Float64Matrix:
        """s_A(x, x) of each, (n,)."""
        return np.maximum(self.norms + self._weighed(self.coordinates, self.coordinates), 0)

    @cached_property
    def _weights(self) -> Float64Matrix:
        m = self.metric.m
        return to_grid(m, axis=0) if len(m) else m

    def _weighed(self, left: Float64Matrix, right: Float64Matrix) -> Float64Matrix:
        """Return left' M right of each row."""
        if not left.shape[1]:
            return np.zeros(len(left))
        return np.asarray(((to_grid(left, axis=1) @ self._weights) * right).sum(axis=1))

    def kernel(self, query: Any) -> Float64Matrix:
        """Evaluate s_A of a query, sparse (1, d), with each item, (n,), not normalised."""
        other = self.metric.against(query)
        return products(self.x, other.x)[:, 0] + self._weighed(self.coordinates, other.coordinates)

    def distances(self, query: Any) -> Float64Matrix:
        """Measure a query against each item.

        Parameters
        ----------
        query : scipy.sparse array, (1, d)

        Returns
        -------
        ndarray of float64, (n,)
            An item that is zero throughout as far as can be. Of an item always the
            same, whatever is measured beside it.
        """
        other = self.metric.against(query)
        if self.metric.ranking == "kernel":
            scale = np.sqrt(other.learned_norms * self.learned_norms)
            learned = products(self.x, other.x)[:, 0] + self._weighed(self.coordinates, other.coordinates)
            cosines = np.divide(learned, scale, out=np.full(len(learned), -1.0), where=scale > 0)
            if not other.norms[0]:
                cosines[self.norms == 0] = 1.0
            return np.asarray(np.sqrt(np.round(2 - 2 * np.clip(cosines, -1, 1), _DECIMALS)))
        difference = self.coordinates - other.coordinates
        squared = self.norms + other.norms - 2 * products(self.x, other.x)[:, 0]
        squared += self._weighed(difference, difference)
        squared = np.round(np.maximum(squared, 0) / self.metric.spread**2, _DECIMALS)
        distances = np.minimum(np.sqrt(squared), FARTHEST)
        distances[(self.norms == 0) != (other.norms[0] == 0)] = FARTHEST
        return distances


_VALUES = 1 << 22  # stored values, and coordinates, that are worked on at once: 32 MB of float64


def is_sparse(x: object) -> bool:
    """Return whether something is a scipy.sparse array or matrix."""
    from scipy.sparse import issparse

    return bool(issparse(x))


def as_sparse(x: Any, dimensions: int | None = None) -> Rows:
    """Check sparse vectors that come from outside.

    Parameters
    ----------
    x : scipy.sparse array or matrix of any layout, or array_like, (n, d)
        Not changed.
    dimensions : int, optional
        The d that is expected.

    Returns
    -------
    csr_array of float64, (n, d)
        Values rounded to float32, as stored vectors are; each row sorted by dimension, nothing stored twice or zero.

    Raises
    ------
    TwinlensError
        If it is no table of real numbers, is damaged, has another number of columns, or holds a value that is not a
        finite float32 number (names the first such row).
    """
    from scipy.sparse import csr_array

    if not is_sparse(x):
        return _canonical(csr_array(as_vectors(x, np.float32, dimensions)))
    if x.ndim != 2 or x.dtype.kind not in "biuf":
        raise TwinlensError(
            "Sparse vectors must be a table of real numbers, but this has the shape {shape} and holds {dtype}.",
            "Give a scipy.sparse array of shape (items, dimensions), saved by scipy.sparse.save_npz.",
            shape=str(x.shape),
            dtype=x.dtype,
        )
    if dimensions is not None and x.shape[1] != dimensions:
        raise TwinlensError(
            "The vectors have {shape} dimensions, but {dimensions} are expected.",
            "Give vectors of the same kind as those that were fitted.",
            shape=x.shape[1],
            dimensions=dimensions,
        )
    rows = _compressed(x)
    with np.errstate(over="ignore", invalid="ignore"):
        values = rows.data.astype(np.float32)
    finite = np.isfinite(values)
    if not finite.all():
        bad = int(np.searchsorted(rows.indptr, int(np.argmin(finite)), side="right")) - 1
        raise TwinlensError(
            "Row {bad} (counted from 0) holds a value that is not a finite float32 number.",
            "Leave such rows out or mend them.",
            bad=bad,
        )
    return _canonical(csr_array((values, rows.indices, rows.indptr), shape=rows.shape))


def _compressed(x: Any) -> Rows:
    """Return compressed rows; indices from a damaged file, out of range, would let compiled code read anywhere."""
    from scipy.sparse import csr_array

    try:
        if x.format in {"csr", "csc", "bsr"}:
            x.check_format(full_check=True)
        rows = csr_array(x)
    except ValueError as error:
        raise TwinlensError("The sparse vectors are damaged: {error}.", "Write them again.", error=error) from None
    if rows.has_canonical_format:
        return rows
    rows = rows.copy()
    rows.sum_duplicates()
    return rows


def _canonical(rows: Rows) -> Rows:
    from scipy.sparse import csr_array

    data = rows.data.astype(np.float64)
    if not data.all():
        rows = csr_array((data, rows.indices.copy(), rows.indptr.copy()), shape=rows.shape)
        rows.eliminate_zeros()
        return rows
    return csr_array((data, rows.indices, rows.indptr), shape=rows.shape)


def sparse_blocks(x: Rows, columns: int) -> Iterator[slice]:
    """Cut rows into blocks of bounded size, by what they store and by ``columns`` numbers that are made of each."""
    start, n = 0, x.shape[0]
    most = max(1, _VALUES // max(columns, 1))
    while start < n:
        by_values = int(np.searchsorted(x.indptr, int(x.indptr[start]) + _VALUES, side="right")) - 1
        stop = min(max(by_values, start + 1), start + most, n)
        yield slice(start, stop)
        start = stop


def block_of(x: Rows, rows: slice) -> Rows:
    """Return consecutive rows, without copying them."""
    from scipy.sparse import csr_array

    first, last = int(x.indptr[rows.start]), int(x.indptr[rows.stop])
    pointers = x.indptr[rows.start : rows.stop + 1] - x.indptr[rows.start]
    shape = (rows.stop - rows.start, x.shape[1])
    return csr_array((x.data[first:last], x.indices[first:last], pointers), shape=shape)


def squared_norms(x: Rows) -> npt.NDArray[np.float64]:
    """Return x'x of each row, (n, d) -> (n,); of a row always the same."""
    sums = np.zeros(x.shape[0])
    filled = np.diff(x.indptr) > 0
    if filled.any():
        sums[filled] = np.add.reduceat(np.square(x.data), x.indptr[:-1][filled])
    return sums


def products(x: Rows, z: Rows) -> npt.NDArray[np.float64]:
    """Return the dot product of each row with each of a few others, (n, d), (m, d) -> (n, m).

    Of two rows always the same, whatever is beside them; nothing that is made is as long as d.
    """
    columns = np.unique(min(x, z, key=lambda rows: rows.nnz).indices)  # what the smaller lacks adds nothing
    if not len(columns):
        return np.zeros((x.shape[0], z.shape[0]))
    left, right = (_within(rows, columns) for rows in (x, z))
    return np.asarray((left @ right.T.tocsr()).toarray())


def _within(rows: Rows, columns: npt.NDArray[Any]) -> Rows:
    """Keep some columns of rows, sorted, and number these: (n, d) -> (n, len(columns))."""
    from scipy.sparse import csr_array

    place = np.minimum(np.searchsorted(columns, rows.indices), len(columns) - 1)
    kept = columns[place] == rows.indices
    pointers = np.concatenate([[0], np.cumsum(kept)])[rows.indptr]
    return csr_array((rows.data[kept], place[kept], pointers), shape=(rows.shape[0], len(columns)))
