"""What Kim and Choi (CVPR 2015) say of bits of random waves where the program has no use for it: costs, Theorem 3."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Values

_TERMS = 200


def covariance_bound(kernel: npt.ArrayLike) -> Float64Values:
    """Return Theorem 3's upper bound on the covariance of two bits that share a projection.

        64/π⁴ [ (Σ_j κ^(0.79 j²) / (4j² - 1))² - (Σ_j κ^(j²) / (4j² - 1))² ]

    Examples
    --------
    >>> covariance_bound([0.0, 0.5, 1.0]).round(4).tolist()
    [0.0, 0.0072, 0.0]
    """
    kappa = np.asarray(kernel, np.float64)[..., None]
    j = np.arange(1, _TERMS + 1, dtype=np.float64)
    weights = 1 / (4 * j**2 - 1)
    wide, narrow = ((kappa ** (power * j**2) * weights).sum(axis=-1) for power in (0.79, 1.0))
    return np.asarray(64 / np.pi**4 * (wide**2 - narrow**2))


def multiplications(bits: int, shape: tuple[int, int], m: int | None) -> int:
    """Count the multiplications that projecting one matrix takes: single where ``m`` is None, else bilinear.

    Examples
    --------
    >>> multiplications(400, (250, 256), None), multiplications(400, (250, 256), 5)
    (25600000, 8960000)
    """
    if m is None:
        return bits * shape[0] * shape[1]
    side = m * math.isqrt(bits - 1) + m
    return shape[0] * shape[1] * side + shape[1] * side * side


def floats(bits: int, shape: tuple[int, int], m: int | None) -> int:
    """Count the numbers of the projections, and an offset and a threshold for each bit.

    Examples
    --------
    >>> floats(6400, (250, 256), None), floats(6400, (250, 256), 5)
    (409612800, 215200)
    """
    if m is None:
        return bits * (shape[0] * shape[1] + 2)
    side = m * math.isqrt(bits - 1) + m
    return sum(shape) * side + 2 * bits
