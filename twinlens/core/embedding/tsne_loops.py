"""The compiled loops of a step of t-SNE; imported by `twinlens.core.compilation` alone.

:mod:`twinlens.core.embedding.tsne` has their twins in numpy, with the same bits: every sum is made in the same order.
"""

from __future__ import annotations

from numba import types

from twinlens.core.arrays import AnyArray
from twinlens.core.compilation.compiled_loop import Signatures, compiled


@compiled
def pull(
    layout: AnyArray, first: AnyArray, second: AnyArray, weights: AnyArray, of_first: AnyArray, of_second: AnyArray
) -> None:
    """Add the pull of each edge to the sums of its ends, (n, 2) each."""
    for edge in range(first.size):
        i, j = first[edge], second[edge]
        across, down = layout[i, 0] - layout[j, 0], layout[i, 1] - layout[j, 1]
        force = weights[edge] / (1 + across * across + down * down)
        of_first[i, 0] += force * across
        of_first[i, 1] += force * down
        of_second[j, 0] += force * across
        of_second[j, 1] += force * down


@compiled
def spread(base: AnyArray, across: AnyArray, down: AnyArray, rows: int, part: AnyArray, grid: AnyArray) -> None:
    """Spread every item over its 16 nodes of the grid: node by node, as the sums of numpy are made."""
    for i in range(4):
        for j in range(4):
            part[:] = 0.0
            for item in range(len(base)):
                node = (base[item, 0] + i - 1) * rows + base[item, 1] + j - 1
                part[node] += across[i, item] * down[j, item]
            for node in range(grid.size):
                grid[node] += part[node]


@compiled
def read(base: AnyArray, across: AnyArray, down: AnyArray, rows: int, fields: AnyArray, found: AnyArray) -> None:
    """Read three fields at every item, (3, n), from its 16 nodes."""
    for item in range(len(base)):
        for i in range(4):
            for j in range(4):
                node = (base[item, 0] + i - 1) * rows + base[item, 1] + j - 1
                weight = across[i, item] * down[j, item]
                for place in range(3):
                    found[place, item] += weight * fields[place, node]


_VALUES, _TABLE = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")
_ROWS, _PAIRS = types.Array(types.int64, 1, "C"), types.Array(types.int64, 2, "C")

SIGNATURES: Signatures = (
    (pull, ((_TABLE, _ROWS, _ROWS, _VALUES, _TABLE, _TABLE),)),
    (spread, ((_PAIRS, _TABLE, _TABLE, types.int64, _VALUES, _VALUES),)),
    (read, ((_PAIRS, _TABLE, _TABLE, types.int64, _TABLE, _TABLE),)),
)
