"""Vectors at the border: one check, then trust; and the blocks in which many of them are worked through."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError

Vectors = npt.NDArray[np.floating[Any]]
"""Real vectors, (n, d), a row an item."""

_BLOCK_VALUES = 1 << 17  # 1 MB of float64: a block and what is made of it stay in the cache
_LEAST_ROWS = 128  # fewer rows than this, and a product reads its other operand more often than it computes with it


def row_blocks(rows: int, columns: int) -> Iterator[slice]:
    """Cut the rows of a table of ``columns`` numbers a row into blocks that fit the cache.

    Examples
    --------
    >>> [block.stop - block.start for block in row_blocks(1000, 256)]
    [512, 488]
    """
    step = max(_LEAST_ROWS, _BLOCK_VALUES // max(columns, 1))
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


def unit_rows(x: Vectors) -> npt.NDArray[np.float64]:
    """L2-normalize each row, (n, d) -> (n, d); zero rows stay zero.

    The lengths are not taken from BLAS, whose last digit depends on the number of threads.

    Examples
    --------
    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    wide = np.ascontiguousarray(x, np.float64)
    lengths = np.sqrt(np.square(wide).sum(axis=1, keepdims=True))
    return np.asarray(wide / np.where(lengths > 0, lengths, 1.0))


def as_float32(x: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return a copy of numbers as float32; of float16 out of a table, since NumPy is slow with those next to 0.

    Examples
    --------
    >>> as_float32(np.array([0.5, -(2.0**-24)], np.float16)).tolist()
    [0.5, -5.960464477539063e-08]
    """
    return _of_float16().take(x.view(np.uint16)) if x.dtype == np.float16 else x.astype(np.float32)


@cache
def _of_float16() -> npt.NDArray[np.float32]:
    """Return the value of each of the 65,536 patterns of bits."""
    with np.errstate(invalid="ignore"):  # some are no numbers
        return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def as_vectors(
    x: npt.ArrayLike, dtype: npt.DTypeLike = np.float64, dimensions: int | None = None, first_row: int = 0
) -> Vectors:
    """Check vectors that come from outside.

    Parameters
    ----------
    x : array_like, (n, d)
    dtype : dtype
        Of the result; no copy where ``x`` has it already.
    dimensions : int, optional
        The d that is expected.
    first_row : int
        Number of the first row, for the message, where ``x`` is a block of something longer.

    Returns
    -------
    ndarray, (n, d), C-contiguous

    Raises
    ------
    TwinlensError
        If it is no table of numbers, has another number of columns, or holds NaN or infinity, or what ``dtype`` cannot
        hold (names the first such row).
    """
    table = _table(x)
    if dimensions is not None and table.shape[1] != dimensions:
        raise TwinlensError(
            "The vectors have {shape} dimensions, but {dimensions} are expected.",
            "Give vectors of the same descriptor as those that were fitted.",
            shape=table.shape[1],
            dimensions=dimensions,
        )
    # NaN and infinity are looked for below, in words; numpy's own warnings about them would only come first.
    with np.errstate(over="ignore", invalid="ignore"):
        vectors: Vectors = np.ascontiguousarray(table, dtype=dtype)
        total = vectors.sum(dtype=np.float64)
    # A sum is finite only if every entry is; the rows are looked at one by one only where it is not.
    if not np.isfinite(total):
        bad = ~np.isfinite(vectors).all(axis=1)
        if bad.any():
            raise TwinlensError(
                "Row {first_row} (counted from 0) holds a value that is not a finite {dtype} number; "
                "{sum} of the {vectors} rows looked at do.",
                "Leave these rows out or mend them.",
                first_row=first_row + int(np.argmax(bad)),
                dtype=vectors.dtype,
                sum=int(bad.sum()),
                vectors=len(vectors),
            )
    return vectors


def training_vectors(x: npt.ArrayLike) -> Vectors:
    """Check vectors to learn from, and leave out rows that are zero throughout: they say nothing.

    A photograph without a keypoint, say, has such a row; it is not learned from, and stays findable.

    Returns
    -------
    ndarray of float32 or float64, (m, d), m >= 1
        Whole numbers and float16 as the float that holds them.

    Raises
    ------
    TwinlensError
        As :func:`as_vectors`, and if no row is left.
    """
    vectors = as_vectors(x, np.result_type(_table(x).dtype, np.float32))
    telling = vectors.any(axis=1)
    if not telling.any():
        why = f"all {len(vectors):,} vectors are zero throughout" if len(vectors) else "no vector was given"
        raise TwinlensError(
            "There is nothing to learn from: {why}.", "Give at least one vector that is not zero throughout.", why=why
        )
    return vectors if telling.all() else vectors[telling]


def _table(x: npt.ArrayLike) -> npt.NDArray[Any]:
    """Take ``x`` as a table of real numbers, or say what it is instead."""
    try:
        table = np.asarray(x)
    except ValueError:
        raise TwinlensError("The vectors have rows of different lengths.", "Give all the same dimensions.") from None
    if table.dtype.kind not in "biuf":
        raise TwinlensError(
            "Vectors must be real numbers, but this array holds {dtype}.", "Give floats.", dtype=table.dtype
        )
    if table.ndim != 2 or table.shape[1] == 0:
        raise TwinlensError(
            "Vectors must be a table with a row for each item, but this array has the shape {shape}.",
            "Give an array of shape (items, dimensions).",
            shape=str(table.shape),
        )
    return table
