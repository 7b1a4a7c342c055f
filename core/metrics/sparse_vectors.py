"""Sparse vectors at the border: one check, one form. Compressed rows, sorted, each dimension once, nothing stored zero.

In that form a row is the same numbers in the same order whatever made it, so what is computed of it is the same, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError
from core.message import Message
from core.vectors import as_vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Rows = csr_array[Any]
else:
    Rows = Any

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
            Message(
                "Sparse vectors must be a table of real numbers, but this has the shape {shape} and holds {dtype}.",
                shape=str(x.shape),
                dtype=x.dtype,
            ),
            Message("Give a scipy.sparse array of shape (items, dimensions), saved by scipy.sparse.save_npz."),
        )
    if dimensions is not None and x.shape[1] != dimensions:
        raise TwinlensError(
            Message(
                "The vectors have {shape} dimensions, but {dimensions} are expected.",
                shape=x.shape[1],
                dimensions=dimensions,
            ),
            Message("Give vectors of the same kind as those that were fitted."),
        )
    rows = _compressed(x)
    with np.errstate(over="ignore", invalid="ignore"):
        values = rows.data.astype(np.float32)
    finite = np.isfinite(values)
    if not finite.all():
        bad = int(np.searchsorted(rows.indptr, int(np.argmin(finite)), side="right")) - 1
        raise TwinlensError(
            Message("Row {bad} (counted from 0) holds a value that is not a finite float32 number.", bad=bad),
            Message("Leave such rows out or mend them."),
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
        raise TwinlensError(
            Message("The sparse vectors are damaged: {error}.", error=error), Message("Write them again.")
        ) from None
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
    """Keep what rows have in some columns, sorted, and number these: (n, d) -> (n, len(columns))."""
    from scipy.sparse import csr_array

    place = np.minimum(np.searchsorted(columns, rows.indices), len(columns) - 1)
    kept = columns[place] == rows.indices
    pointers = np.concatenate([[0], np.cumsum(kept)])[rows.indptr]
    return csr_array((rows.data[kept], place[kept], pointers), shape=(rows.shape[0], len(columns)))
