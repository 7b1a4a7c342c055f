"""Sums over the dimensions that no matrix product gives, of all pairs: compiled where that is ready, else plain."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.arrays import AnyArray
from core.compilation import compilation
from core.kernels import plain_sums


def sums(kind: int, x: AnyArray, z: AnyArray) -> npt.NDArray[np.float64]:
    """Add the terms of all pairs, as :func:`core.kernels.plain_sums.sums` says.

    Parameters
    ----------
    kind : int
        Of :mod:`core.kernels.plain_sums`.
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
        compilation.loops("core.kernels.sum_loops").sums(kind, x, z, out)
    else:
        plain_sums.sums(kind, x, z, out)
    return out
