"""The rotation of iterative quantisation (ITQ).

Gong and Lazebnik: Iterative Quantization, CVPR 2011, section 3. For projected data V (n, b) it looks for the rotation R
that makes V R close to its signs B, by turns:

    B = sign(V R)            the best B for this R
    B'V = M Ω N',  R = N M'  the best R for this B (orthogonal Procrustes)

so |B - V R| never grows. (R = M N', as it is sometimes printed, is not the minimum.) Where a turn changes no sign, no
later one changes anything: few items, next to the bits, come to rest after a few turns.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import numpy as np

from core.arithmetic import one_thread
from core.arrays import Float64Matrix
from core.message import Message
from core.progress import Progress, silent
from core.projections.subspaces import gaussian, orthonormal
from core.vectors import row_blocks

_SMALL = 2e8  # multiplications of a product


Watch = Callable[[Float64Matrix, Float64Matrix], None]
"""Is shown V and R before the first turn and after each."""


def learn_rotation(
    v: Float64Matrix, iterations: int, rng: np.random.Generator, progress: Progress = silent, watch: Watch | None = None
) -> Float64Matrix:
    """Learn the rotation, from a random start.

    Parameters
    ----------
    v : ndarray of float64, (n, b)
        Centred data, projected.
    iterations : int
        Turns at most; 50 in the paper, with 0 the rotation is random.
    rng : Generator
        Draws the start, a uniformly random orthogonal matrix.
    watch : function, optional
        Looks on; changes nothing.

    Returns
    -------
    ndarray of float64, (b, b)
        Orthogonal; the bits are sign(v R).
    """
    b = v.shape[1]
    rotation = orthonormal(gaussian(b, b, rng))
    before: Float64Matrix | None = None
    with one_thread() if len(v) * b * b < _SMALL else nullcontext():
        for turn in range(iterations):
            progress(turn, iterations, Message("Learning the rotation"))
            if watch is not None:
                watch(v, rotation)
            correlation = np.zeros((b, b))
            for rows in row_blocks(len(v), b):
                correlation += signs(v[rows] @ rotation).T @ v[rows]
            if before is not None and np.array_equal(correlation, before):
                break
            before = correlation
            with one_thread():
                m, _, n_transposed = np.linalg.svd(correlation)
            rotation = n_transposed.T @ m.T
        else:
            if watch is not None:
                watch(v, rotation)
    return np.asarray(rotation)


def signs(projected: Float64Matrix) -> Float64Matrix:
    """Return 1 where a bit is 1 (>= 0), else -1."""
    return np.where(projected >= 0, 1.0, -1.0)
