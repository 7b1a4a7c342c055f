"""Kernel principal components from a sample: the leading space of a kernel, and what is left outside of it.

Schölkopf, Smola and Müller 1998; Jiang, Que and Kulis: Revisiting Kernelized Locality-Sensitive Hashing, CVPR 2015,
section 3. Of a sample S of m items with K = k(S, S), centred K̄ = H K H, H = I - 11'/m, and K̄ = U Λ U', an item has
along component i the coordinate u_i'(k_x - mean of the rows of K) / sqrt(λ_i), up to a constant.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix
from twinlens.core.kernels.kernel import Kernel, MonotoneTransform
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.vectors import Vectors, row_blocks

CUT = 1e-9
"""Eigenvalues below this part of the largest are taken as none: they are rounding, or the kernel is not definite."""


@dataclass(frozen=True, eq=False)
class Components:
    """The leading components of a kernel.

    Attributes
    ----------
    kernel : Kernel
        With nothing left ``auto``.
    landmarks : ndarray of float32, (m, d)
        The sample.
    mean : ndarray of float64, (m,)
        Mean of the rows of K, subtracted from k_x; zero where nothing is centred.
    eigenvalues : ndarray of float64, (r,)
        Of K̄ (of K where nothing is centred), the largest first.
    vectors : ndarray of float64, (m, r)
        Theirs, in columns.
    """

    kernel: Kernel
    transform: MonotoneTransform | None
    landmarks: npt.NDArray[np.float32]
    mean: Float64Matrix
    eigenvalues: Float64Matrix
    vectors: Float64Matrix

    @property
    def axes(self) -> Float64Matrix:
        """U Λ^(-1/2), (m, r): what k_x - mean is multiplied by to give the coordinates of an item."""
        return np.asarray(self.vectors / np.sqrt(self.eigenvalues))

    def first(self, rank: int | None) -> Components:
        """Keep the leading components alone; all for None."""
        if rank is None or rank >= len(self.eigenvalues):
            return self
        return Components(
            self.kernel,
            self.transform,
            self.landmarks,
            self.mean,
            self.eigenvalues[:rank],
            self.vectors[:, :rank],
        )

    def coordinates(self, x: Vectors, progress: Progress = silent) -> Float64Matrix:
        """Return the coordinates of items, (n, d) -> (n, r), a block at a time."""
        against, axes = self.kernel.against(self.landmarks, self.transform), self.axes
        found = np.empty((len(x), axes.shape[1]))
        for rows in row_blocks(len(x), max(x.shape[1], len(self.landmarks))):
            progress(rows.start, len(x), Message("Projecting"))
            found[rows] = (against.values(x[rows]) - self.mean) @ axes
        return found


def principal_components(
    x: Vectors,
    kernel: Kernel,
    scale: float | None,
    landmarks: int,
    rng: np.random.Generator,
    centre: bool = True,
    progress: Progress = silent,
) -> Components:
    """Draw a sample and find its components.

    Parameters
    ----------
    x : ndarray, (n, d)
        Checked, without rows that are zero throughout.
    scale : float, optional
        Of the monotone transform; None for none.
    landmarks : int
        m; all items where there are fewer.
    rng : Generator
        Draws the sample without replacement, and what a kernel needs to find its ``auto``.
    centre : bool
        Whether K is centred; the Nyström variant does not.

    Raises
    ------
    TwinlensError
        If the kernel is not defined for these items, or its values leave what the transform is for.
    """
    progress(0, 4, Message("Choosing landmarks"))
    resolved = kernel.fitted_to(x, rng)
    resolved.check(x)
    chosen = np.sort(rng.choice(len(x), min(landmarks, len(x)), replace=False))
    sample = np.ascontiguousarray(x[chosen], np.float32)
    transform = None if scale is None else MonotoneTransform(scale)
    if transform is not None:
        resolved.check_unit_range(sample)
    progress(1, 4, Message("Evaluating the kernel"))
    matrix = resolved.matrix(sample, sample)
    progress(2, 4, Message("Eigenvectors"))
    return components_of(resolved, sample, matrix, centre, transform)


def components_of(
    kernel: Kernel,
    landmarks: npt.NDArray[np.float32],
    matrix: Float64Matrix,
    centre: bool = True,
    transform: MonotoneTransform | None = None,
) -> Components:
    """Find the components of a sample whose kernel's values are known.

    Parameters
    ----------
    kernel : Kernel
        With nothing left ``auto``.
    landmarks : ndarray of float32, (m, d)
    matrix : ndarray of float64, (m, m)
        K of the landmarks, not transformed.
    """
    if transform is not None:
        matrix = transform.of(matrix)
    matrix = (matrix + matrix.T) / 2
    mean = matrix.mean(axis=0) if centre else np.zeros(len(matrix))
    if centre:
        matrix = matrix - mean - mean[:, None] + mean.mean()
    values, vectors = np.linalg.eigh(matrix)
    order = np.argsort(values, kind="stable")[::-1]
    values, vectors = values[order], vectors[:, order]
    kept = values > max(CUT * values[0], 0.0) if len(values) else np.zeros(0, np.bool_)
    # Of a single item, or of equal ones, rounding is all that is left.
    if len(values) and values[0] <= 1e-12 * max(1.0, float(np.abs(matrix).max())):
        kept[:] = False
    vectors = vectors[:, kept]
    # Eigenvectors come with any sign: the largest entry is made positive, so that the same data give the same.
    largest = np.abs(vectors).argmax(axis=0) if vectors.size else np.zeros(0, np.intp)
    vectors = vectors * np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return Components(kernel, transform, landmarks, mean, values[kept], vectors)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The decay of the eigenvalues of K̄/m, and its consequences for a rank; for curves.

    Attributes
    ----------
    eigenvalues : ndarray of float64, (r,)
        Of K̄/m, the largest first: variances along the components.
    residual : ndarray of float64, (r,)
        Mean squared residual outside the first i + 1 components, the sum of the eigenvalues behind.
    estimation : ndarray of float64, (r,)
        1 / (δ sqrt(m)), δ half the gap behind the component: how unsure the sample leaves the space. Infinite where
        there is no gap.
    """

    eigenvalues: Float64Matrix
    residual: Float64Matrix
    estimation: Float64Matrix


def kernel_spectrum(components: Components) -> Spectrum:
    """Return the decay of eigenvalues, mean residual and estimation term by rank."""
    m = len(components.landmarks)
    values = components.eigenvalues / m
    behind = np.append(values[1:], 0.0)
    residual = np.maximum(values.sum() - np.cumsum(values), 0.0)
    with np.errstate(divide="ignore"):
        estimation = 2 / ((values - behind) * np.sqrt(m))
    return Spectrum(values, residual, estimation)
