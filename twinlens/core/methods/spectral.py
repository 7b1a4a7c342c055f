"""Waves along the principal components: the bits that vary least among near items, if all lie evenly in a box.

Weiss, Torralba and Fergus: Spectral Hashing, NIPS 2008. Of items that lie evenly in a box with the principal components
as its sides, [a_i, b_i] along component i, the eigenfunctions of the Laplacian and their eigenvalues are

    f_ik(x) = sin(π/2 + kπ (x_i - a_i) / (b_i - a_i)),     λ_ik = 1 - exp(-ε²/2 (kπ / (b_i - a_i))²),    k = 1, 2, ...

The bits are the signs of the eigenfunctions with the smallest eigenvalues: long sides are cut several times before
short ones once. λ grows with k / (b_i - a_i), so that ε decides nothing. No sine is needed for the sign: counted in
turns, t = k (x_i - a_i) / 2 (b_i - a_i), it is that of 1/4 - |t - round(t)|.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from twinlens.core.hashing.hash_method import Encoder, HashMethod, LinearEncoder
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.subspaces import centred, column_mean, padded, principal
from twinlens.core.vectors import Vectors, row_blocks, training_vectors


@dataclass(frozen=True, eq=False)
class SpectralEncoder(Encoder):
    """Waves along directions, one a bit.

    Attributes
    ----------
    mean : ndarray of float32, (d,)
    projection : ndarray of float32, (d, k)
        Directions in columns, as in `LinearEncoder`.
    axes : ndarray of int64, (bits,)
        The direction of each bit's wave.
    starts : ndarray of float64, (bits,)
        a_i: where the wave is at its top.
    waves : ndarray of float64, (bits,)
        Waves a unit of length, k / 2 (b_i - a_i).
    """

    mean: npt.NDArray[np.float32]
    projection: npt.NDArray[np.float32]
    axes: npt.NDArray[np.int64]
    starts: npt.NDArray[np.float64]
    waves: npt.NDArray[np.float64]

    @property
    def bits(self) -> int:
        """Length of a code."""
        return len(self.axes)

    @property
    def dimensions(self) -> int:
        """Length of the vectors that it takes."""
        return int(self.projection.shape[0])

    @cached_property
    def _linear(self) -> LinearEncoder:
        return LinearEncoder(self.mean, self.projection)

    def project_block(self, block: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Return 1/4 - |t - round(t)|, t in turns of each bit's wave, (m, d) -> (m, bits)."""
        turns = self._linear.project_block(block)[:, self.axes]
        turns -= self.starts
        turns *= self.waves
        turns -= np.rint(turns)
        return np.asarray(0.25 - np.abs(turns, out=turns))


class Spectral(HashMethod):
    """Turns vectors into bits by waves along the directions in which the library varies most.

    Long directions are cut several times before short ones are cut once, so that codes may be longer than the vectors.
    It learns in a moment. Choose it to compare with: it assumes that items lie evenly in a box, which few data do.
    """

    key = "spectral"
    title = "Spectral hashing"
    paper = "Weiss, Torralba and Fergus, NIPS 2008, section 3"
    encoder: ClassVar[type[Encoder]] = SpectralEncoder
    draws: ClassVar[bool] = False

    def fit(self, x: Vectors, progress: Progress = silent) -> SpectralEncoder:
        """Find the principal components, the box around the items, and its first waves.

        Parameters
        ----------
        x : ndarray, (n, d)
            Rows that are zero throughout are left out.

        Raises
        ------
        TwinlensError
            If no row is left, or one is not finite.
        """
        x = training_vectors(x)
        n, d = x.shape
        rng = np.random.default_rng(self.seed)
        mean = column_mean(x, part(progress, 0.0, 0.1))
        found = principal(x, mean, min(self.bits, d), rng, part(progress, 0.1, 0.7))
        linear = LinearEncoder.of(mean, padded(found, max(1, found.shape[1]), rng))
        low, high = np.full(linear.bits, np.inf), np.full(linear.bits, -np.inf)
        for rows in row_blocks(n, d):
            progress(0.7 + 0.3 * rows.start / n, 1, Message("Projecting"))
            projected = centred(x, mean, rows) @ linear.projection.astype(np.float64)
            low, high = np.minimum(low, projected.min(axis=0)), np.maximum(high, projected.max(axis=0))
        axes, counts = first_waves(high - low, self.bits)
        sides = np.where(high > low, high - low, 1.0)
        return SpectralEncoder(
            linear.mean, linear.projection, axes, low[axes].astype(np.float64), counts / (2 * sides[axes])
        )


def first_waves(sides: npt.NDArray[np.float64], count: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the waves of a box with the smallest eigenvalues.

    Parameters
    ----------
    sides : ndarray of float64, (k,)
        Lengths; one of no length comes after all others.

    Returns
    -------
    axes, counts : ndarray of int64, (count,)
        The side of each wave, and its number of half waves along it; by growing eigenvalue, equal ones by the side.

    Examples
    --------
    >>> axes, counts = first_waves(np.array([3.5, 1.0]), 5)
    >>> axes.tolist(), counts.tolist()
    ([0, 0, 0, 1, 0], [1, 2, 3, 1, 4])
    """
    ways = np.arange(1, count + 1)
    with np.errstate(divide="ignore"):
        frequencies = ways / sides[:, None]
    order = np.argsort(frequencies, axis=None, kind="stable")[:count]
    axes, places = np.unravel_index(order, frequencies.shape)
    return axes.astype(np.int64), ways[places].astype(np.int64)
