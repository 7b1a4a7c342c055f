"""Hashing for shift-invariant kernels: the signs of cosines of random waves, cut at random heights.

Raginsky and Lazebnik: Locality-Sensitive Binary Codes from Shift-Invariant Kernels, NIPS 2009; Kim and Choi: Bilinear
Random Projections for Locality-Sensitive Binary Codes, CVPR 2015 ("KC"), section 3:

    bit = sgn(cos(angle) + t),    angle = w'x + b  or  w'Xv + b,    b ~ U[0, 2π],  t ~ U[-1, 1]            (KC, eq. 4)

For exp(-gamma |x - z|²), w is normal of variance 2 gamma; for exp(-gamma |x - z|_1), its entries are Cauchy's of scale
gamma. No cosine is needed for the sign: it is that of arccos(-t) - |angle|, the angle wrapped to [-π, π].

The Hamming distance of two codes estimates the kernel's value: a bit differs with probability

    E = 8/π² Σ_{j>=1} (1 - κ(jΔ)) / (4j² - 1)

where κ(jΔ) is the kernel of the difference Δ, j times as large: κ^(j²) for the Gaussian, κ^j for the Laplacian, and for
a bilinear projection Π_i (1 + j² λ_i)^(-1/2) with λ_i the eigenvalues of ΔΔ', Δ scaled by sqrt(2 gamma). Both papers
bound E by the kernel's value.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float32Vectors, Float64Values
from twinlens.core.declaration.declaration import declaration_from_json
from twinlens.core.hashing.bilinear_hashing import BilinearEncoder
from twinlens.core.hashing.hash_method import Encoder, LinearEncoder
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian, Laplacian
from twinlens.core.message import NOTHING, Message
from twinlens.core.projections.subspaces import draw_places
from twinlens.core.vectors import Vectors, settled

ShiftInvariant = Gaussian | Laplacian
SHIFT_INVARIANT: tuple[type[Kernel], ...] = (Gaussian, Laplacian)
"""The kernels whose random waves are known here."""

WIDTH_ITEMS = 20_000
"""From how many items, at most, the width of a kernel is found."""

_WIDTH_VALUES = 1 << 26  # numbers in them, at most: 512 MB of float64
_LARGEST_SCALE = 1e200  # beyond it no two different float32 vectors are alike at all, and an angle might overflow


def form_of(kernel: ShiftInvariant) -> Form:
    """Return which form of expected Hamming distances belongs to a kernel."""
    return "gaussian" if isinstance(kernel, Gaussian) else "laplacian"


def estimate_of(kernel: ShiftInvariant) -> Message:
    """Return the name of the quantity that the bits of this kernel estimate."""
    return Message("{kernel} kernel", kernel=kernel.key)


def kernel_with_width(kernel: ShiftInvariant, x: Vectors, rng: np.random.Generator) -> ShiftInvariant:
    """Return the kernel with a number for gamma, found from a sample of the items where it is ``auto``."""
    if kernel.gamma != "auto":
        return kernel
    count = min(WIDTH_ITEMS, max(1_000, _WIDTH_VALUES // x.shape[1]))
    return kernel.fitted_to(x[draw_places(len(x), count, rng)], rng)


def width_note(declared: ShiftInvariant, resolved: ShiftInvariant) -> Message:
    """Return a note of the gamma that was found; empty where it was given."""
    if declared == resolved:
        return NOTHING
    return Message("gamma={gamma:g} was found from the data.", gamma=resolved.known_gamma)


def draw_waves(bits: int, rng: np.random.Generator) -> tuple[Float32Vectors, Float32Vectors]:
    """Draw where each bit's wave begins and how far from its top it is cut.

    Returns
    -------
    offsets : ndarray of float32, (bits,)
        b, uniform in [0, 2π].
    reaches : ndarray of float32, (bits,)
        arccos(-t), t uniform in [-1, 1].
    """
    offsets = rng.uniform(0, 2 * np.pi, bits)
    reaches = np.arccos(-rng.uniform(-1, 1, bits))
    return offsets.astype(np.float32), reaches.astype(np.float32)


@dataclass(frozen=True, eq=False, kw_only=True)
class ShiftInvariantEncoder(Encoder):
    """Base of both encoders: what becomes of a projection.

    Attributes
    ----------
    kernel : str
        JSON of the kernel, its gamma a number.
    offsets : ndarray of float32, (bits,)
        b: where a bit's wave begins.
    reaches : ndarray of float32, (bits,)
        arccos(-t): a bit is 1 where its angle is not farther than this from a top of the wave.
    note : Message
        The gamma that was found, where none was given.
    """

    kernel: str
    offsets: Float32Vectors
    reaches: Float32Vectors
    note: Message = NOTHING

    @property
    def bits(self) -> int:
        """Length of a code."""
        return len(self.offsets)

    @cached_property
    def resolved(self) -> ShiftInvariant:
        """The kernel whose values the bits tell."""
        kernel = declaration_from_json(SHIFT_INVARIANT, json.loads(self.kernel))
        assert isinstance(kernel, ShiftInvariant)
        return kernel

    @property
    def measure(self) -> Kernel:
        """The kernel whose values the bits tell."""
        return self.resolved

    @cached_property
    def _turns(self) -> tuple[float, Float64Values]:
        gamma = self.resolved.known_gamma
        scale = np.sqrt(2 * gamma) if isinstance(self.resolved, Gaussian) else gamma
        return min(float(scale), _LARGEST_SCALE) / (2 * np.pi), self.offsets.astype(np.float64) / (2 * np.pi)

    @abstractmethod
    def products(self, block: Float32Vectors) -> Float64Values:
        """Project a block of rows on directions that know nothing of gamma, (m, d) -> (m, bits); exact products."""

    def project_block(self, block: Float32Vectors) -> Float64Values:
        """Return arccos(-t) - |angle|, the angle wrapped to [-π, π], (m, d) -> (m, bits)."""
        return self._above_cut(self.products(block))

    def _above_cut(self, values: Float64Values, which: slice | npt.NDArray[np.intp] = slice(None)) -> Float64Values:
        """Turn products, (..., bits) or some of the bits, into those values, in place."""
        scale, offsets = self._turns
        values *= scale
        values += offsets[which]
        values -= np.rint(values)  # whole turns: exact, however large an angle is
        np.abs(values, out=values)
        values *= -2 * np.pi
        values += self.reaches[which]
        return values

    def estimate(self, share: npt.ArrayLike) -> Float64Values:
        """Estimate the kernel's value from the share of differing bits; see `estimated_kernel`.

        For bilinear codes it is approximate, as their expectation depends on more than the kernel.
        """
        return estimated_kernel(share, form_of(self.resolved))


@dataclass(frozen=True, eq=False, kw_only=True)
class SingleEncoder(ShiftInvariantEncoder):
    """Every bit has a direction of its own: angle = scale w'(x - mean) + b.

    Attributes
    ----------
    mean : ndarray of float32, (d,)
        Subtracted, so that less of the digits is lost; a shift-invariant kernel does not see it.
    projection : ndarray of float32, (d, bits)
        A w of scale 1 in each column, rounded so that products with it are exact.
    """

    mean: Float32Vectors
    projection: Float32Vectors

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return len(self.projection)

    @cached_property
    def _linear(self) -> LinearEncoder:
        return LinearEncoder(self.mean, self.projection)

    def products(self, block: Float32Vectors) -> Float64Values:
        """Return w'(x - mean)."""
        return self._linear.project_block(block)


@dataclass(frozen=True, eq=False, kw_only=True)
class BilinearShiftInvariantEncoder(ShiftInvariantEncoder):
    """Bits share the columns of two small matrices: angle = scale w'(X - mean)v + b.

    Attributes
    ----------
    mean, left, right, kept : ndarray
        As those of `twinlens.core.hashing.bilinear_hashing.BilinearEncoder`.
    """

    mean: Float32Vectors
    left: Float32Vectors
    right: Float32Vectors
    kept: npt.NDArray[np.int64]

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes, rows times columns."""
        return self._bilinear.dimensions

    @cached_property
    def _bilinear(self) -> BilinearEncoder:
        return BilinearEncoder(self.mean, self.left, self.right, self.kept)

    def products(self, block: Float32Vectors) -> Float64Values:
        """Return the kept entries of V'(X - mean)'W."""
        return self._bilinear.project_block(block)

    def bits_block(self, block: Float32Vectors) -> npt.NDArray[np.bool_]:
        """Return the signs of :meth:`project_block`, most of them from products of float32."""
        scale, _ = self._turns
        products, errors = self._bilinear.near(block)
        values = products.astype(np.float64)
        # Rounding, a part of an angle that was many turns before it was wrapped, comes to the error of the product.
        errors = 2 * np.pi * scale * (errors + 2.0**-48 * np.abs(values).max(axis=1, keepdims=True, initial=0))
        errors += 2.0**-48
        if (errors > np.pi / 4).mean() > 0.5:  # so narrow a kernel that float32 hardly settles a bit
            return self.project_block(block) >= 0
        values = self._above_cut(values)
        return settled(
            values, errors, lambda row, which: self._above_cut(self._bilinear.entries(block[row], which), which)
        )


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
    """Return the kernel value whose expected share of differing bits is the observed one.

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
