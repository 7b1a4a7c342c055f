"""Estimate of the kernel's value from the Hamming distance of shift-invariant codes.

Raginsky and Lazebnik: Locality-Sensitive Binary Codes from Shift-Invariant Kernels, NIPS 2009; Kim and Choi: Bilinear
Random Projections for Locality-Sensitive Binary Codes, CVPR 2015, section 3. A bit cos(w'x + b) + t >= 0 differs with
probability

    E = 8/π² Σ_{j>=1} (1 - κ(jΔ)) / (4j² - 1)

where κ(jΔ) is the kernel of the difference Δ, j times as large: κ^(j²) for the Gaussian, κ^j for the Laplacian, and for
a bilinear projection Π_i (1 + j² λ_i)^(-1/2) with λ_i the eigenvalues of ΔΔ', Δ scaled by sqrt(2 gamma).
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Values

Form = Literal["gaussian", "laplacian"]

LARGEST = 4 / np.pi**2
"""Expected share of differing bits of items of kernel 0; no pair is expected to differ in more."""

_TERMS = 4000  # the rest of the sum is below 1/(4 · 4000) · 8/π² = 5e-5 of what it would add, and is added below


def expected_share(kernel: npt.ArrayLike, form: Form = "gaussian") -> Float64Values:
    """Return the expected share of differing bits of pairs, from their kernel values.

    Parameters
    ----------
    kernel : array_like
        In [0, 1].
    form : str
        ``gaussian`` or ``laplacian``.

    Examples
    --------
    >>> expected_share([1.0, 0.5, 0.0]).round(3).tolist()
    [0.0, 0.267, 0.405]
    """
    kappa = np.asarray(kernel, np.float64)
    j = np.arange(1, _TERMS + 1, dtype=np.float64)
    powers = j**2 if form == "gaussian" else j
    # Where kappa is 0 its logarithm is not needed: every power of it is 0.
    logs = np.log(np.where(kappa > 0, kappa, 1.0))
    raised = np.where(kappa[..., None] > 0, np.exp(powers * logs[..., None]), 0.0)
    return _summed(raised, j)


def expected_share_bilinear(differences: npt.NDArray[np.floating], gamma: float) -> Float64Values:
    """Return the expected share of differing bits of bilinear codes, from the differences of pairs.

    Parameters
    ----------
    differences : ndarray, (n, rows, columns)
        x - z, as matrices.
    gamma : float
        Of the Gaussian kernel exp(-gamma |x - z|²).

    Returns
    -------
    ndarray of float64, (n,)
    """
    spectra = difference_spectrum(differences, gamma)
    j = np.arange(1, _TERMS + 1, dtype=np.float64)
    raised = np.stack([np.exp(-0.5 * np.log1p(j[:, None] ** 2 * row).sum(axis=1)) for row in spectra])
    return _summed(raised, j)


def difference_spectrum(differences: npt.NDArray[np.floating], gamma: float) -> Float64Values:
    """Return the eigenvalues of ΔΔ' of scaled differences, (n, r, c) -> (n, min(r, c)), largest first."""
    scaled = np.sqrt(2 * gamma) * differences.astype(np.float64)
    return np.asarray(np.linalg.svd(scaled, compute_uv=False) ** 2)


def _summed(raised: Float64Values, j: Float64Values) -> Float64Values:
    """Sum (1 - κ_j) / (4j² - 1) over j; the tail as if κ_j stayed at its last value (Σ_{j>J} 1/(4j²-1) = 1/(4J+2))."""
    weights = 1 / (4 * j**2 - 1)
    tail = (1 - raised[..., -1]) / (4 * len(j) + 2)
    return np.asarray(8 / np.pi**2 * (((1 - raised) * weights).sum(axis=-1) + tail))


def lower_bound(kernel: npt.ArrayLike) -> Float64Values:
    """Return 4/π² (1 - κ), below the expected share of single codes."""
    return np.asarray(LARGEST * (1 - np.asarray(kernel, np.float64)))


def upper_bound(kernel: npt.ArrayLike) -> Float64Values:
    """Return min(½ sqrt(1 - κ), 4/π² (1 - ⅔κ)), above the expected share of single and of bilinear codes."""
    kappa = np.asarray(kernel, np.float64)
    return np.minimum(0.5 * np.sqrt(1 - kappa), LARGEST * (1 - 2 / 3 * kappa))


def bilinear_lower_bound(kernel: npt.ArrayLike, largest_eigenvalue: npt.ArrayLike) -> Float64Values:
    """Return 4/π² (1 - κ^0.79), below the expected share of bilinear codes; NaN where it need not hold.

    It holds where the largest eigenvalue of ΔΔ' is at most 0.56; that of a small difference alone is not enough.
    """
    bound = LARGEST * (1 - np.asarray(kernel, np.float64) ** 0.79)
    return np.where(np.asarray(largest_eigenvalue) <= 0.56, bound, np.nan)


def estimated_kernel(share: npt.ArrayLike, form: Form = "gaussian") -> Float64Values:
    """Return the kernel value whose expected share of differing bits is the one that was seen.

    For bilinear codes it is approximate, since their expectation depends on the whole spectrum of the difference.

    Parameters
    ----------
    share : array_like
        Hamming distance over bits; above `LARGEST` it is taken as that, which means a kernel value of 0.

    Examples
    --------
    >>> estimated_kernel([0.0, 0.267, 0.5]).round(2).tolist()
    [1.0, 0.5, 0.0]
    """
    grid, expected = _inverse(form)
    return np.interp(np.asarray(share, np.float64), expected, grid)


@cache
def _inverse(form: Form) -> tuple[Float64Values, Float64Values]:
    grid = 1 - np.linspace(0, 1, 401) ** 2  # denser near 1, where the expectation is steep
    return grid, expected_share(grid, form)
