"""Sums of min(x, z), of x z / (x + z) and of |x - z| over the dimensions, which no matrix product gives, of all pairs.

**The order of the additions**, the same compiled and in plain numpy, so that both give the same bits: the dimensions
are taken in order, in parts of ``PART``; the terms of a part are added one after the other in the type of the vectors,
beginning at 0, and the parts, in order, in float64. So a sum depends on its row and its landmark alone, and of float32
it is as good as its terms however many there are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation import compilation


def sums(kind: int, x: AnyArray, z: AnyArray) -> npt.NDArray[np.float64]:
    """Add the terms of all pairs, as :func:`twinlens.core.kernels.sums.plain_sums` says.

    Parameters
    ----------
    kind : int
        Of :mod:`twinlens.core.kernels.sums`.
    x : float32 or float64 array, (n, d)
    z : array of the same type, (d, m)
        Landmark-minor: a column a landmark.

    Returns
    -------
    float64 array, (n, m)
        Of a row and a landmark always the same, bit for bit, compiled or not.
    """
    out = np.empty((len(x), z.shape[1]))
    if compilation.worth(x.size * z.shape[1]):
        x, z = np.ascontiguousarray(x), np.ascontiguousarray(z)
        compilation.loops("twinlens.core.kernels.sum_loops").sums(kind, x, z, out)
    else:
        plain_sums(kind, x, z, out)
    return out


INTERSECTION, CHI_SQUARE, DISTANCE = 0, 1, 2
PART = 32
"""Dimensions whose terms are added in the type of the vectors."""

_VALUES = 1 << 15
"""Sums computed at once: they and their terms stay in the cache."""


def plain_sums(kind: int, x: AnyArray, z: AnyArray, out: npt.NDArray[np.float64]) -> None:
    """Fill ``out`` with the sums of the terms of all pairs of a row of ``x`` and a column of ``z``.

    Parameters
    ----------
    kind : int
        ``INTERSECTION``: min(x, z); ``CHI_SQUARE``: x (z / (x + z)), 0 where x = 0; ``DISTANCE``: |x - z|.
    x : float32 or float64 array, (n, d)
    z : array of the same type, (d, m)
    out : float64 array, (n, m)
    """
    step = max(1, _VALUES // max(1, z.shape[1]))
    # What is too large for the type becomes infinite, and what is too small 0, here as in the compiled loop.
    with np.errstate(over="ignore", under="ignore"):
        for start in range(0, len(x), step):
            _fill(kind, np.ascontiguousarray(x[start : start + step].T), z, out[start : start + step])


def _fill(kind: int, x: AnyArray, z: AnyArray, out: npt.NDArray[np.float64]) -> None:
    """Fill the sums of a block of rows, here as columns, (d, rows)."""
    out[:] = 0
    parts, terms = np.empty(out.shape, x.dtype), np.empty(out.shape, x.dtype)
    for start in range(0, len(x), PART):
        parts.fill(0)
        for entries, landmarks in zip(x[start : start + PART], z[start : start + PART], strict=True):
            column = entries[:, None]
            if kind == INTERSECTION:
                np.minimum(column, landmarks, out=terms)
            elif kind == CHI_SQUARE:
                np.add(column, landmarks, out=terms)
                terms[entries == 0] = 1  # 0 (z / 1) is 0, as the term is to be
                np.divide(landmarks, terms, out=terms)
                terms *= column
            else:
                np.subtract(column, landmarks, out=terms)
                np.abs(terms, out=terms)
            parts += terms
        out += parts
