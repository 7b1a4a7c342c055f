"""The compiled sums of min(x, z), x z / (x + z) and |x - z|; only `twinlens.core.compilation.compilation` imports this.

What makes them fast, each found by measuring:

- landmark-minor: the innermost loop runs over the landmarks, whose entries of one dimension lie side by side, so it is
  vectorised and no sum is ever split;
- four dimensions a pass, so that a sum is read and written once for four terms;
- a dimension in which x is 0 is skipped where its terms are 0: histograms are full of them.

:mod:`twinlens.core.kernels.sums` is the twin, with the same bits: see there for the order of the additions.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled
from twinlens.core.kernels.sums import CHI_SQUARE, INTERSECTION, PART

_PART, _INTERSECTION, _CHI_SQUARE = PART, INTERSECTION, CHI_SQUARE


@compiled
def _add_minima(x: AnyArray, z: AnyArray, some: AnyArray, sums: AnyArray) -> None:
    g = 0
    while g + 4 <= some.size:
        x0, x1, x2, x3 = x[some[g]], x[some[g + 1]], x[some[g + 2]], x[some[g + 3]]
        z0, z1, z2, z3 = z[some[g]], z[some[g + 1]], z[some[g + 2]], z[some[g + 3]]
        for i in range(sums.size):
            s = sums[i]
            s += z0[i] if z0[i] < x0 else x0
            s += z1[i] if z1[i] < x1 else x1
            s += z2[i] if z2[i] < x2 else x2
            s += z3[i] if z3[i] < x3 else x3
            sums[i] = s
        g += 4
    while g < some.size:
        x0, z0 = x[some[g]], z[some[g]]
        for i in range(sums.size):
            sums[i] += z0[i] if z0[i] < x0 else x0
        g += 1


@compiled
def _add_harmonic(x: AnyArray, z: AnyArray, some: AnyArray, sums: AnyArray) -> None:
    g = 0
    while g + 4 <= some.size:
        x0, x1, x2, x3 = x[some[g]], x[some[g + 1]], x[some[g + 2]], x[some[g + 3]]
        z0, z1, z2, z3 = z[some[g]], z[some[g + 1]], z[some[g + 2]], z[some[g + 3]]
        for i in range(sums.size):
            s = sums[i]
            s += x0 * (z0[i] / (x0 + z0[i]))
            s += x1 * (z1[i] / (x1 + z1[i]))
            s += x2 * (z2[i] / (x2 + z2[i]))
            s += x3 * (z3[i] / (x3 + z3[i]))
            sums[i] = s
        g += 4
    while g < some.size:
        x0, z0 = x[some[g]], z[some[g]]
        for i in range(sums.size):
            sums[i] += x0 * (z0[i] / (x0 + z0[i]))
        g += 1


@compiled
def _add_distances(x: AnyArray, z: AnyArray, some: AnyArray, sums: AnyArray) -> None:
    g = 0
    while g + 4 <= some.size:
        x0, x1, x2, x3 = x[some[g]], x[some[g + 1]], x[some[g + 2]], x[some[g + 3]]
        z0, z1, z2, z3 = z[some[g]], z[some[g + 1]], z[some[g + 2]], z[some[g + 3]]
        for i in range(sums.size):
            s = sums[i]
            s += abs(x0 - z0[i])
            s += abs(x1 - z1[i])
            s += abs(x2 - z2[i])
            s += abs(x3 - z3[i])
            sums[i] = s
        g += 4
    while g < some.size:
        x0, z0 = x[some[g]], z[some[g]]
        for i in range(sums.size):
            sums[i] += abs(x0 - z0[i])
        g += 1


@compiled
def sums(kind: int, x: AnyArray, z: AnyArray, out: AnyArray) -> None:
    """Do what :func:`twinlens.core.kernels.sums.plain_sums` does.

    Parameters
    ----------
    kind : int
        ``INTERSECTION``, ``CHI_SQUARE`` or ``DISTANCE``.
    x : float32 or float64 array, (n, d)
    z : array of the same type, (d, m)
    out : float64 array, (n, m)
        Filled.
    """
    parts = np.empty(z.shape[1], x.dtype)
    some = np.empty(_PART, np.int64)
    for row in range(x.shape[0]):
        xs, totals = x[row], out[row]
        totals[:] = 0
        for start in range(0, xs.size, _PART):
            count = 0
            for j in range(start, min(start + _PART, xs.size)):
                if xs[j] != 0 or kind > _CHI_SQUARE:
                    some[count] = j
                    count += 1
            if count == 0:
                continue
            parts[:] = 0
            if kind == _INTERSECTION:
                _add_minima(xs, z, some[:count], parts)
            elif kind == _CHI_SQUARE:
                _add_harmonic(xs, z, some[:count], parts)
            else:
                _add_distances(xs, z, some[:count], parts)
            for i in range(totals.size):
                totals[i] += parts[i]


def _types(real: Any) -> tuple[Any, ...]:
    table = types.Array(real, 2, "C", readonly=True)
    return types.int64, table, table, types.Array(types.float64, 2, "C")


SIGNATURES: Signatures = ((sums, (_types(types.float32), _types(types.float64))),)
"""Each loop and the types it is compiled for; read-only arrays, so that arrays of both kinds can be given."""
