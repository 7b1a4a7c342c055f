"""The loops over pairs of :mod:`twinlens.core.metrics.log_det` in numpy, bit for bit as the compiled ones."""

from __future__ import annotations

import numpy as np

from twinlens.core.arrays import Float64Matrix

_NOTHING = 1e-250  # a squared distance so small that its inverse is no number to go on with


def by_pairs(
    p: Float64Matrix,
    signs: Float64Matrix,
    share: float,
    slack: float,
    duals: Float64Matrix,
    relaxed: Float64Matrix,
    first: int,
    last: int,
) -> None:
    """Do what :func:`twinlens.core.metrics.log_det_loops.by_pairs` does; the lower half of P is of no use after it."""
    sign, dual, bound = signs.tolist(), duals.tolist(), relaxed.tolist()  # numbers that Python reckons with fast
    for i in range(first, last):
        beta = step(i, p.item(i, i), sign, share, slack, dual, bound)
        if beta != 0:
            along = np.concatenate((p[:i, i], p[i, i:]))
            p += (beta * along)[:, None] * along
    duals[:], relaxed[:] = dual, bound


def by_dimensions(
    a: Float64Matrix,
    v: Float64Matrix,
    signs: Float64Matrix,
    share: float,
    slack: float,
    duals: Float64Matrix,
    relaxed: Float64Matrix,
    first: int,
    last: int,
) -> None:
    """Do what :func:`twinlens.core.metrics.log_det_loops.by_dimensions` does."""
    sign, dual, bound = signs.tolist(), duals.tolist(), relaxed.tolist()
    for i in range(first, last):
        difference = v[i]
        image = np.add.reduce(difference[:, None] * a, axis=0)  # row after row, as the loop adds them
        squared = np.add.accumulate(image * difference).item(-1)  # likewise, while a sum would add in pairs
        beta = step(i, squared, sign, share, slack, dual, bound)
        if beta != 0:
            a += (beta * image)[:, None] * image
    duals[:], relaxed[:] = dual, bound


def step(
    i: int,
    squared: float,
    signs: Float64Matrix | list[float],
    share: float,
    slack: float,
    duals: Float64Matrix | list[float],
    relaxed: Float64Matrix | list[float],
) -> float:
    """Change λ and ξ of a pair; give β, 0 where nothing changes."""
    if squared <= _NOTHING:
        return 0.0  # equal items: near as they should be, or never to be told apart
    sign = signs[i]
    change = min(duals[i], sign * share * (1 / squared - 1 / relaxed[i]))
    if change == 0:
        return 0.0
    duals[i] -= change
    relaxed[i] = 1 / (1 / relaxed[i] + sign * change / slack)
    return float(sign * change / (1 - sign * change * squared))
