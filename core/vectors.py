"""Vectors at the border: one check, then trust."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from core.errors import TwinlensError

Vectors = npt.NDArray[np.floating[Any]]
"""Real vectors, (n, d), a row an item."""


def as_vectors(x: npt.ArrayLike, dtype: npt.DTypeLike = np.float64, dimensions: int | None = None) -> Vectors:
    """Check vectors that come from outside.

    Parameters
    ----------
    x : array_like, (n, d)
    dtype : dtype
        Of the answer; no copy where it is that already.
    dimensions : int, optional
        The d that is expected.

    Returns
    -------
    ndarray, (n, d), C-contiguous

    Raises
    ------
    TwinlensError
        If it is no table, has another number of columns, or holds NaN or infinity (names the first such row).
    """
    vectors: Vectors = np.ascontiguousarray(x, dtype=dtype)
    if vectors.ndim != 2:
        raise TwinlensError(
            f"Vectors must be a table with a row for each item, but this array has {vectors.ndim} dimensions.",
            "Give an array of shape (items, dimensions).",
        )
    if dimensions is not None and vectors.shape[1] != dimensions:
        raise TwinlensError(
            f"The vectors have {vectors.shape[1]:,} dimensions, but {dimensions:,} are expected.",
            "Give vectors of the same descriptor as those that were fitted.",
        )
    # A sum is finite only if every entry is; the rows are looked at one by one only where it is not.
    if not np.isfinite(vectors.sum(dtype=np.float64)):
        bad = ~np.isfinite(vectors).all(axis=1)
        if bad.any():
            raise TwinlensError(
                f"Row {int(np.argmax(bad)):,} (counted from 0) holds a value that is not a finite number; "
                f"so do {int(bad.sum()):,} of {len(vectors):,} rows.",
                "Leave these rows out or mend them.",
            )
    return vectors
