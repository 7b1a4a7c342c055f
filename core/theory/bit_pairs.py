"""Measured shares of differing bits of shift-invariant codes beside their expectation, over the values of the kernel.

Kim and Choi: Bilinear Random Projections for Locality-Sensitive Binary Codes, CVPR 2015, section 3 and Theorem 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.arrays import Float64Values, Int64Rows
from core.hashing.shift_invariant_hashing import (
    ShiftInvariantEncoder,
    difference_spectrum,
    draw_waves,
    expected_share_bilinear,
)
from core.kernels.kernel import Kernel
from core.message import Message
from core.progress import Progress, silent
from core.vectors import Vectors

HOLDS_UP_TO = 0.56
"""Largest eigenvalue of ΔΔ' up to which the lower bound of bilinear codes holds."""

COLUMNS = 50
_ANCHORS = 400


@dataclass(frozen=True, eq=False)
class SpreadPairs:
    """Pairs of items over all values of the kernel.

    Attributes
    ----------
    rows : ndarray of int64, (p, 2)
    kernel : ndarray of float64, (p,)
    by_chance : ndarray of bool, (p,)
        Whether a pair is one of those drawn without regard to its kernel value.
    """

    rows: Int64Rows
    kernel: Float64Values
    by_chance: npt.NDArray[np.bool_]

    def of(self, by_chance: bool) -> SpreadPairs:
        """Return the pairs that were drawn by chance, or by stretches."""
        some = self.by_chance == by_chance
        return SpreadPairs(self.rows[some], self.kernel[some], self.by_chance[some])


def spread_pairs(x: Vectors, kernel: Kernel, each: int, seed: int, progress: Progress = silent) -> SpreadPairs:
    """Draw pairs so that near ones are among them: at most so many of each of `COLUMNS` stretches of the kernel.

    Parameters
    ----------
    x : ndarray, (n, d)
    kernel : Kernel
        With values in [0, 1]; nothing in it left ``auto``.
    each : int
        Pairs of a stretch at most, and as many as eight times that by chance.
    """
    rng = np.random.default_rng(seed)
    n = len(x)
    anchors = np.sort(rng.choice(n, min(_ANCHORS, n), replace=False))
    progress(0, 1, Message("Choosing pairs"))
    values = np.clip(kernel.matrix(x[anchors], x), 0.0, 1.0)
    values[np.arange(n)[None, :] <= anchors[:, None]] = np.nan  # each pair once, and no item with itself
    order = rng.permutation(np.flatnonzero(~np.isnan(values.ravel())))
    column = stretch_of(values.ravel()[order])
    chosen = [order[column == one][:each] for one in range(COLUMNS)]
    chance = order[: 8 * each]
    flat = np.concatenate([*chosen, chance])
    rows = np.column_stack([anchors[flat // n], flat % n]).astype(np.int64)
    exactly = np.clip(kernel.pairs(x[rows[:, 0]], x[rows[:, 1]]), 0.0, 1.0)
    return SpreadPairs(rows, exactly, np.arange(len(flat)) >= len(flat) - len(chance))


def stretch_of(kernel: Float64Values, columns: int = COLUMNS) -> Int64Rows:
    """Return in which of so many equal stretches of [0, 1] values lie; 1 is in the last."""
    return np.minimum((kernel * columns).astype(np.int64), columns - 1)


def shares(encoder: ShiftInvariantEncoder, x: Vectors, rows: Int64Rows) -> Float64Values:
    """Measure the share of bits in which the codes of pairs differ."""
    codes = encoder.encode(x)
    differing = np.bitwise_count(codes[rows[:, 0]] ^ codes[rows[:, 1]]).sum(axis=1, dtype=np.int64)
    return np.asarray(differing / encoder.bits)


def density(
    kernel: Float64Values, share: Float64Values, cells: int
) -> tuple[Float64Values, Float64Values, Float64Values]:
    """Count pairs in cells: borders over kernel and share, and counts, a row for each stretch of the share."""
    top = max(0.5, float(share.max(initial=0.0)))
    counts, x, y = np.histogram2d(kernel, share, bins=(COLUMNS, cells), range=((0, 1), (0, top)))
    return x, y, counts.T


def column_means(
    kernel: Float64Values, values: Float64Values, least: int = 5, columns: int = COLUMNS
) -> tuple[Float64Values, Float64Values, Float64Values]:
    """Return the mean kernel, mean and deviation of values in each stretch that has some pairs."""
    column = stretch_of(kernel, columns)
    count = np.bincount(column, minlength=columns)
    full = np.flatnonzero(count >= least)
    at = np.array([kernel[column == one].mean() for one in full])
    mean = np.array([values[column == one].mean() for one in full])
    return at, mean, np.array([values[column == one].std() for one in full])


def largest_eigenvalues(x: Vectors, rows: Int64Rows, shape: tuple[int, int], gamma: float) -> Float64Values:
    """Return the largest eigenvalue of ΔΔ' of each pair, of vectors laid out as matrices; Δ scaled by sqrt(2 gamma)."""
    return difference_spectrum(pair_differences(x, rows, shape), gamma)[:, 0]


def pair_differences(x: Vectors, rows: Int64Rows, shape: tuple[int, int]) -> Float64Values:
    """Return x - z of pairs as matrices, (p, *shape)."""
    far = x[rows[:, 0]].astype(np.float64) - x[rows[:, 1]]
    return far.reshape(-1, *shape)


def shared_covariance(
    x: Vectors,
    rows: Int64Rows,
    shape: tuple[int, int],
    gamma: float,
    seed: int,
    draws: int = 60,
    side: int = 24,
    progress: Progress = silent,
) -> tuple[Float64Values, Float64Values]:
    """Measure how two bits that share a projection vary together, over random draws of all projections.

    Whether bit (i, j) of cos(w_i'X v_j + b_ij) + t_ij >= 0 differs is 0 or 1, D_ij; of two that share v_j, or w_i,

        covariance = E[D_ij D_kj] - E[D]²

    with E[D] known exactly.

    Returns
    -------
    covariance : ndarray of float64, (p,)
        Of each pair of items, the mean over all pairs of bits that share.
    expected : ndarray of float64, (p,)
        E[D].
    """
    rng = np.random.default_rng(seed)
    expected = expected_share_bilinear(pair_differences(x, rows, shape), gamma)
    scale = np.sqrt(2 * gamma)
    used, place = np.unique(rows, return_inverse=True)
    items = scale * (x[used].astype(np.float64) - x.mean(axis=0, dtype=np.float64)).reshape(-1, *shape)
    place = place.reshape(-1, 2)
    together = np.zeros(len(rows))
    for turn in range(draws):
        progress(turn, draws, Message("Bits that share a projection"))
        left, right = rng.standard_normal((shape[0], side)), rng.standard_normal((shape[1], side))
        offsets, reaches = draw_waves(side * side, rng)
        angles = np.einsum("nrj,ri->nij", items @ right, left, optimize=True).reshape(len(items), -1) + offsets
        bits = np.cos(angles) >= np.cos(reaches.astype(np.float64))
        differ = (bits[place[:, 0]] != bits[place[:, 1]]).reshape(-1, side, side).astype(np.float64)
        for axis in (1, 2):
            sums = differ.sum(axis=axis)
            together += (np.square(sums) - sums).sum(axis=1) / (2 * side * side * (side - 1))
    return together / draws - np.square(expected), expected
