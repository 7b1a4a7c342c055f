"""Theory of codes beside what is measured: differing bits by similarity, ITQ turn by turn, and components of a kernel.

Differing bits of shift-invariant codes: Kim and Choi: Bilinear Random Projections for Locality-Sensitive Binary Codes,
CVPR 2015, section 3 and Theorem 3.

ITQ, its loss and the variance of each bit: Gong and Lazebnik: Iterative Quantization, CVPR 2011, section 3; Yun, Kim
and Choi: Hashing with Generalized Nyström Approximation, ICDM 2012.

Costs and gains of fewer components: Jiang, Que and Kulis: Revisiting Kernelized Locality-Sensitive Hashing, CVPR 2015,
section 3. Of a sample of m items the mean squared length outside the first k components is the sum of the eigenvalues
of K̄/m behind; other items have more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Float64Matrix, Float64Values, Int64Rows
from twinlens.core.evaluation.evaluation_task import EvaluationTask, Figures
from twinlens.core.evaluation.hamming_ranking import judge_ranking
from twinlens.core.evaluation.plan import HeldOutSplits
from twinlens.core.hashing.kernel_hashing import KernelEncoder
from twinlens.core.hashing.packed_codes import pack_bits, planar, unpack_bits
from twinlens.core.hashing.shift_invariant_hashing import (
    ShiftInvariantEncoder,
    difference_spectrum,
    draw_waves,
    expected_share_bilinear,
)
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.methods.itq import Itq
from twinlens.core.methods.klsh import Klsh
from twinlens.core.progress import Progress, part, silent
from twinlens.core.projections.kernel_components import Components, Spectrum, kernel_spectrum, principal_components
from twinlens.core.projections.subspaces import signs
from twinlens.core.vectors import Vectors, one_thread, training_vectors

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


@dataclass(frozen=True, eq=False)
class RotationSteps:
    """The turns of one fit.

    Attributes
    ----------
    captured : float
        Share of the items' variance that lies in the subspace; no rotation changes it.
    errors : ndarray of float64, (t + 1,)
        |B - V R|² / n before the first turn, of the random start, and after each.
    lost : ndarray of float64, (t + 1,)
        Share of V's squares that the signs miss at the scale that suits them best, likewise.
    plain_error, plain_lost : float
        The same of V alone, without a rotation.
    before, after : ndarray of float64, (b,)
        Share of all variance along each bit, without and with the rotation.
    projected, rotated : ndarray of float64, (n, b)
        V, and V R at the end.
    note : Message
        Of the encoder.
    """

    captured: float
    errors: Float64Matrix
    lost: Float64Matrix
    plain_error: float
    plain_lost: float
    before: Float64Matrix
    after: Float64Matrix
    projected: Float64Matrix
    rotated: Float64Matrix
    note: Message


def rotation_steps(x: Vectors, method: Itq, progress: Progress = silent) -> RotationSteps:
    """Learn as the method does, and record each turn.

    Parameters
    ----------
    x : ndarray, (n, d)

    Raises
    ------
    TwinlensError
        As the method's fit.
    """
    x = training_vectors(x)
    seen: list[tuple[float, float]] = []
    last: list[Float64Matrix] = []

    def watch(v: Float64Matrix, rotation: Float64Matrix) -> None:
        projected = v @ rotation
        seen.append((error(projected), lost(projected)))
        last[:] = [v, projected]

    encoder = method.learn(x, part(progress, 0, 0.9), watch)
    progress(0.9, 1, Message("Variances"))
    v, rotated = last
    total = float(np.square(x - x.mean(axis=0, dtype=np.float64), dtype=np.float64).sum()) / len(x)
    before, after = (np.square(one).mean(axis=0) / total for one in (v, rotated))
    return RotationSteps(
        float(before.sum()),
        np.array([one[0] for one in seen]),
        np.array([one[1] for one in seen]),
        error(v),
        lost(v),
        before,
        after,
        v,
        rotated,
        encoder.note,
    )


def error(projected: Float64Matrix) -> float:
    """Return |B - P|² / n, B the signs of P."""
    return float(np.square(signs(projected) - projected).sum()) / len(projected)


def lost(projected: Float64Matrix) -> float:
    """Get min over α of |α B - P|² / |P|² = 1 - (Σ|P|)² / (n b |P|²): it falls as |B - P| does, whatever the scale."""
    squares = float(np.square(projected).sum())
    return 1 - float(np.abs(projected).sum()) ** 2 / (projected.size * squares) if squares > 0 else 0.0


def near_border(projected: Float64Matrix, within: float = 0.25) -> float:
    """Return share of coordinates nearer to 0 than so many of the root mean square: bits that little would change."""
    root = float(np.sqrt(np.square(projected).mean()))
    return float((np.abs(projected) < within * root).mean())


R = 10
"""Recall is that of the nearest item among so many."""


@dataclass(frozen=True, eq=False)
class RankTheory:
    """Figures of a sample for every rank.

    Attributes
    ----------
    scale : float or None
        Of the monotone transform.
    m : int
        Landmarks.
    total : float
        Mean squared length of the centred landmarks: the sum of all eigenvalues of K̄/m.
    spectrum : Spectrum
        Of the landmarks.
    outside : ndarray of float64, (r,)
        Mean squared length of other items outside the first i + 1 components, which were not learned from them.
    length : float
        Mean squared length of these items.
    satisfied : float
        The largest share, over the ranks, of these items whose length outside the first k components is at most the
        square root of the k-th eigenvalue, as the paper's lemma says of all.
    best_bound : float
        The greatest value of the paper's Theorem 3 over the ranks.
    """

    scale: float | None
    m: int
    total: float
    spectrum: Spectrum
    outside: Float64Matrix
    length: float
    satisfied: float
    best_bound: float


@dataclass(frozen=True)
class RankRecall:
    """Held-out recall at one rank: the mean over splits, and the least and the greatest."""

    rank: int
    mean: float
    low: float
    high: float


def rank_theory(
    x: Vectors, others: Vectors, kernel: Kernel, scale: float | None, landmarks: int, seed: int
) -> RankTheory:
    """Learn components from some items and measure others.

    Parameters
    ----------
    x : ndarray, (n, d)
        Of which landmarks are drawn.
    others : ndarray, (q, d)
        Held out.
    kernel : Kernel
        Nothing in it left ``auto``.
    """
    with one_thread():  # of so few landmarks: no later, and much sooner where other work goes on
        found = principal_components(x, kernel, scale, landmarks, np.random.default_rng(seed))
    spectrum, lengths = kernel_spectrum(found), centred_lengths(found, others)
    kept = np.cumsum(np.square(found.coordinates(others)), axis=1)
    outside = np.maximum(lengths[:, None] - kept, 0.0)
    satisfied = (outside <= spectrum.eigenvalues).mean(axis=0)[:-1]
    return RankTheory(
        scale,
        len(found.landmarks),
        float(spectrum.eigenvalues.sum()),
        spectrum,
        outside.mean(axis=0),
        float(lengths.mean()),
        float(satisfied.max(initial=0.0)),
        float(theorem_3(spectrum, len(found.landmarks)).max(initial=-np.inf)),
    )


def centred_lengths(components: Components, x: Vectors) -> Float64Matrix:
    """Return |φ(x) - mean|² in the space of the kernel, (n, d) -> (n,); the mean is that of the landmarks."""
    against = components.kernel.against(components.landmarks, components.transform)
    own = components.kernel.diagonal(x)
    if components.transform is not None:
        own = components.transform.of(own)
    values = against.values(np.ascontiguousarray(x, np.float32))
    return np.asarray(np.maximum(own - 2 * values.mean(axis=1) + float(components.mean.mean()), 0.0))


def theorem_3(spectrum: Spectrum, m: int, best: float = 1.0, epsilon: float = 0.5, xi: float = 1.0) -> Float64Matrix:
    """Return the lower bound of Theorem 3 on the kernel value of results, for each rank with a gap behind it.

        (1+ε)(1 - sqrt(λ_k) - η) k* - ε - (2+ε)(sqrt(λ_k) + η)²,   η = 2/(δ_k sqrt(m)) (1 + sqrt(ξ/2))

    It rests on a lemma that is not true as stated: sqrt(λ_k) does not bound the length outside of every item. Values
    below 0 say nothing.

    Parameters
    ----------
    m : int
        Landmarks.
    best : float
        k*, the kernel value of the true nearest.
    epsilon, xi : float
        The paper's.
    """
    root = np.sqrt(spectrum.eigenvalues)
    eta = 2 * spectrum.estimation * (1 + np.sqrt(xi / 2))
    gap = np.isfinite(eta)
    root, eta = root[gap], eta[gap]
    return np.asarray((1 + epsilon) * (1 - root - eta) * best - epsilon - (2 + epsilon) * np.square(root + eta))


def rank_recall(
    held: HeldOutSplits, declared: Klsh, ranks: Sequence[int], splits: int, progress: Progress = silent
) -> list[RankRecall]:
    """Measure the recall of held-out queries at some ranks, each as klsh of that rank is fitted to the same splits.

    Parameters
    ----------
    held : HeldOutSplits
        The truth it finds is kept: transforms change no neighbours, so it serves for all of them.
    declared : Klsh
        Its kernel with nothing left ``auto``; its rank is not looked at.
    splits : int
        Ways to hold queries out; split i is hashed with the seed declared.seed + i.
    """
    values: list[list[float]] = []
    for split in range(splits):
        step = part(progress, split / splits, (split + 1) / splits)
        task = held.task(split, held.most, part(step, 0, 0.3))
        method = declared.changed(seed=declared.seed + split)
        values.append(_recalls(method, task, ranks, part(step, 0.3, 1)))
    return [
        RankRecall(rank, float(np.mean(of_rank)), min(of_rank), max(of_rank))
        for rank, of_rank in zip(ranks, zip(*values, strict=True), strict=True)
    ]


def _recalls(method: Klsh, task: EvaluationTask, ranks: Sequence[int], progress: Progress) -> list[float]:
    """Judge codes of each rank; their hyperplanes are those of the method's fit, their components found once."""
    x = training_vectors(task.base)
    rng = np.random.default_rng(method.seed)
    step = part(progress, 0, 0.4)
    with one_thread():
        found = principal_components(x, method.kernel, method.scale, method.landmarks, rng, progress=step)
    ones = method.chosen(len(found.landmarks), rng)
    each = [found.first(rank) for rank in ranks]
    weights = np.concatenate([kept.axes @ (kept.vectors.T @ ones) for kept in each], axis=1)
    progress(0.4, 1, Message("Hashing at every rank"))
    encoder = KernelEncoder.of(found, weights, method.centre_query)
    base, query_bits = (unpack_bits(encoder.encode(some), encoder.bits) for some in (task.base, task.queries))
    recalls = []
    for place in range(len(ranks)):
        progress(0.7 + 0.3 * place / len(ranks), 1, Message("Recall at rank {ranks}", ranks=ranks[place]))
        some, figures = slice(place * method.bits, (place + 1) * method.bits), Figures()
        words = np.ascontiguousarray(planar(pack_bits(query_bits[:, some])).T)
        judge_ranking(figures, planar(pack_bits(base[:, some])), words, method.bits, task, silent)
        recalls.append(figures.values[f"recall@{R}"])
    return recalls


def rank_grid(largest: int) -> list[int]:
    """Return ranks to measure recall at: powers of two and what lies between, up to the largest.

    Examples
    --------
    >>> rank_grid(40)
    [2, 4, 8, 12, 16, 24, 32, 40]
    """
    wanted = [2, 4, *(step * 2**power for power in range(2, 15) for step in (2, 3))]
    return [*(rank for rank in wanted if rank < largest), largest]
