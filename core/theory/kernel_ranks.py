"""Costs and gains of fewer components of a kernel: eigenvalues, residuals, and held-out recall by rank.

Jiang, Que and Kulis: Revisiting Kernelized Locality-Sensitive Hashing, CVPR 2015, section 3. Of a sample of m items the
mean squared length outside the first k components is the sum of the eigenvalues of K̄/m behind; other items have more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.arithmetic import one_thread
from core.arrays import Float64Matrix
from core.evaluation.evaluation_task import EvaluationTask, Figures
from core.evaluation.hamming_ranking import judge_ranking
from core.evaluation.plan import HeldOutSplits
from core.hashing.kernel_hashing import KernelEncoder
from core.hashing.packed_codes import pack_bits, planar, unpack_bits
from core.kernels.kernel import Kernel
from core.message import Message
from core.methods.klsh import Klsh
from core.progress import Progress, part, silent
from core.projections.kernel_components import Components, Spectrum, kernel_spectrum, principal_components
from core.vectors import Vectors, training_vectors

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
    base, asked = (unpack_bits(encoder.encode(some), encoder.bits) for some in (task.base, task.queries))
    recalls = []
    for place in range(len(ranks)):
        progress(0.7 + 0.3 * place / len(ranks), 1, Message("Recall at rank {ranks}", ranks=ranks[place]))
        some, figures = slice(place * method.bits, (place + 1) * method.bits), Figures()
        words = np.ascontiguousarray(planar(pack_bits(asked[:, some])).T)
        judge_ranking(figures, planar(pack_bits(base[:, some])), words, method.bits, task, silent)
        recalls.append(figures.recall[R])
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
