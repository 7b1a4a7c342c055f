"""The compiled loops over pairs of :mod:`twinlens.core.metrics.log_det`; imported by `twinlens.core.compilation` alone.

Every sum is taken in the order in which it is written, as :mod:`twinlens.core.metrics.log_det_plain` takes it: the twin
gives the same bits, so that what is learned does not depend on whether compiled code was ready.
"""

from __future__ import annotations

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled

_NOTHING = 1e-250  # as of the twin


@compiled
def by_pairs(
    p: AnyArray, signs: AnyArray, share: float, slack: float, duals: AnyArray, relaxed: AnyArray, first: int, last: int
) -> None:
    """Project on some pairs, in their order, with P = V' A V.

    Parameters
    ----------
    p : float64 array, (p, p)
        Its upper half is used, and changed.
    signs : float64 array, (p,)
    share, slack : float
        γ / (γ + 1) and γ.
    duals, relaxed : float64 array, (p,)
        λ and ξ; changed.
    first, last : int
        The pairs from the first to before the last are gone through.
    """
    count = p.shape[0]
    along = np.empty(count)
    for i in range(first, last):
        squared, sign = p[i, i], signs[i]
        if squared <= _NOTHING:
            continue
        step = min(duals[i], sign * share * (1 / squared - 1 / relaxed[i]))
        if step == 0:
            continue
        duals[i] -= step
        relaxed[i] = 1 / (1 / relaxed[i] + sign * step / slack)
        beta = sign * step / (1 - sign * step * squared)
        for r in range(i):
            along[r] = p[r, i]
        for c in range(i, count):
            along[c] = p[i, c]
        for r in range(count):
            scaled = beta * along[r]
            for c in range(r, count):
                p[r, c] += scaled * along[c]


@compiled
def by_dimensions(
    a: AnyArray,
    v: AnyArray,
    signs: AnyArray,
    share: float,
    slack: float,
    duals: AnyArray,
    relaxed: AnyArray,
    first: int,
    last: int,
) -> None:
    """Project on some pairs, in their order, with A, (d, d), which is changed, and their differences V, (p, d).

    The other parameters are those of :func:`by_pairs`.
    """
    count = a.shape[0]
    image = np.empty(count)
    for i in range(first, last):
        for c in range(count):
            image[c] = v[i, 0] * a[0, c]
        for r in range(1, count):
            value = v[i, r]
            for c in range(count):
                image[c] += value * a[r, c]
        squared, sign = image[0] * v[i, 0], signs[i]
        for c in range(1, count):
            squared += image[c] * v[i, c]
        if squared <= _NOTHING:
            continue
        step = min(duals[i], sign * share * (1 / squared - 1 / relaxed[i]))
        if step == 0:
            continue
        duals[i] -= step
        relaxed[i] = 1 / (1 / relaxed[i] + sign * step / slack)
        beta = sign * step / (1 - sign * step * squared)
        for r in range(count):
            scaled = beta * image[r]
            for c in range(count):
                a[r, c] += scaled * image[c]


_table = types.Array(types.float64, 2, "C")
_given = types.Array(types.float64, 2, "C", readonly=True)
_signs = types.Array(types.float64, 1, "C", readonly=True)
_changed = types.Array(types.float64, 1, "C")
_shared = (_signs, types.float64, types.float64, _changed, _changed, types.int64, types.int64)

SIGNATURES: Signatures = ((by_pairs, ((_table, *_shared),)), (by_dimensions, ((_table, _given, *_shared),)))
