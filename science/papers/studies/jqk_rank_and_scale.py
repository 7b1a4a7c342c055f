"""What a lower rank and the monotone transform bring (Jiang, Que and Kulis, CVPR 2015, sections 4.1 and 4.2).

The paper takes the best rank and scale of each data set. Here they are chosen on one half of the queries and judged on
the other, and the other way round, so that choosing among many gains nothing. Beside that, every scale is compared with
none at the rank that the paper takes (Figure 3). What is compared answers the same queries from the same landmarks and
the same draws of hyperplanes: a gain is measured pair by pair.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.size import Tables
from twinlens.core.arrays import Float32Matrix
from twinlens.core.evaluation.truth import KernelDistance, true_neighbours
from twinlens.core.hashing.packed_codes import pack_bits, planar
from twinlens.core.kernels.histogram_kernels import ChiSquare, Intersection
from twinlens.core.kernels.kernel import Kernel, MonotoneTransform
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.projections.kernel_components import Components, components_of, principal_components
from twinlens.core.search.hamming_scan import within_hamming
from twinlens.core.vectors import row_blocks

DATA = ("sift", "edge-crops", "gist-crops")
KERNELS: tuple[Kernel, ...] = (ChiSquare(), Intersection())
SCALES = (1.0, 3.0, 5.0, 7.0, 9.0)
RANKS = (16, 32, 64, 100, 128, 256, 512)
PAPER_RANKS = {"sift": 100, "edge-crops": 32, "gist-crops": 64}
"""The rank at which the paper varies the scale on the set that each stands in for."""

RECALLS = (1, 10, 100)
BITS, LANDMARKS, ONES = 256, 1000, 50
QUERIES, REPEATS = 2000, 20
FULL = "full"
CASES = tuple(f"{name} {kernel.key}" for name in DATA for kernel in KERNELS)
CONTESTS = (("low", "full"), ("transformed", "low"), ("transformed", "full"))

Bits = npt.NDArray[np.bool_]
Hits = npt.NDArray[np.float64]
"""(seeds, queries): the chance that the true nearest is among the first R."""


@dataclass(frozen=True)
class Setting:
    """A rank, None for all, and a scale, None for no transform."""

    rank: int | None
    scale: float | None

    @property
    def name(self) -> str:
        """Say it in a word or two."""
        if self.rank is None:
            return FULL
        return f"r={self.rank}" + ("" if self.scale is None else f" s={self.scale:g}")

    @property
    def arm(self) -> str:
        """Say what it is an instance of."""
        return FULL if self.rank is None else "low" if self.scale is None else "transformed"


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return the recall of every setting, and the gains of each contest and scale with their errors."""
    name, key = case.split()
    base, queries = np.array(tables(name, "part")), np.array(tables(name, "queries")[:QUERIES])
    kernel = next(one for one in KERNELS if one.key == key)
    return scanned(base, queries, kernel, range(repeats), progress, PAPER_RANKS[name])


def scanned(
    base: Float32Matrix, queries: Float32Matrix, kernel: Kernel, seeds: Sequence[int], progress: Progress, rank: int
) -> dict[str, Any]:
    """Hash with every setting and seed, and compare; scales with none at one rank."""
    progress(0, 1, Message("Finding the truth"))
    first = true_neighbours(KernelDistance(kernel), base, queries, 1).first(1)
    hits: dict[int, dict[Setting, list[npt.NDArray[np.float64]]]] = {count: {} for count in RECALLS}
    for number, seed in enumerate(seeds):
        for setting, items, asked in codes(base, queries, kernel, seed):
            progress(number, len(seeds), Message("{key}, {name}", key=kernel.key, name=setting.name))
            for count, own in recalled(items, asked, first).items():
                hits[count].setdefault(setting, []).append(own)
    stacked = {count: {one: np.stack(rows) for one, rows in own.items()} for count, own in hits.items()}
    return {
        "queries": len(queries),
        "seeds": len(seeds),
        "recall": {str(count): {one.name: float(rows.mean()) for one, rows in own.items()}
                   for count, own in stacked.items()},
        "contests": {f"{better} above {worse}": {str(count): contest(own, better, worse)
                                                 for count, own in stacked.items()}
                     for better, worse in CONTESTS},
        "scales": {f"{scale:g}": {str(count): gain_of(own[Setting(rank, scale)] - own[Setting(rank, None)])
                                  for count, own in stacked.items()}
                   for scale in SCALES},
    }  # fmt: skip


def recalled(items: Bits, asked: Bits, first: Sequence[npt.NDArray[np.integer]]) -> dict[int, npt.NDArray[np.float64]]:
    """Return the chance of each query that its true nearest is among the first R by codes, (q,), by R.

    With a items nearer than it and T as near, itself one of them, in any order: (R - a) / T, from 0 to 1.
    """
    planes, words = planar(pack_bits(items)), np.ascontiguousarray(planar(pack_bits(asked)).T)
    counts = np.zeros((len(words), 2))
    for number, (word, rows) in enumerate(zip(words, first, strict=True)):
        own = int(np.bitwise_count(planes[:, rows[0]] ^ word).sum())
        far = within_hamming(planes, word, own, threads=1).distances
        counts[number] = np.count_nonzero(far < own), np.count_nonzero(far == own)
    nearer, tied = counts.T
    return {count: np.clip((count - nearer) / tied, 0, 1) for count in RECALLS}


def codes(
    base: Float32Matrix, queries: Float32Matrix, kernel: Kernel, seed: int
) -> Iterator[tuple[Setting, Bits, Bits]]:
    """Hash items and queries with every setting, as :class:`twinlens.core.methods.klsh.Klsh` does with this seed.

    What they have in common is computed once: the kernel's values of a seed, and the coordinates of a scale.
    """
    rng = np.random.default_rng(seed)
    plain = principal_components(base, kernel, None, LANDMARKS, rng)
    ones = np.zeros((len(plain.landmarks), BITS))
    for column in range(BITS):
        ones[rng.permutation(len(ones))[:ONES], column] = 1.0
    gram = plain.kernel.matrix(plain.landmarks, plain.landmarks)
    against = plain.kernel.against(plain.landmarks)
    values = [against.values(table).astype(np.float32) for table in (base, queries)]
    whole = plain.axes @ (plain.vectors.T @ ones)
    items, asked = (bits_of(table, plain, whole) for table in values)
    yield Setting(None, None), items, asked
    for scale in (None, *SCALES):
        transform = None if scale is None else MonotoneTransform(scale)
        leading = components_of(plain.kernel, plain.landmarks, gram, transform=transform).first(max(RANKS))
        within = [coordinates(table, leading) for table in values]
        for rank in RANKS:
            turned = (leading.vectors[:, :rank].T @ ones).astype(np.float32)
            items, asked = (table[:, :rank] @ turned >= 0 for table in within)
            yield Setting(rank, scale), items, asked


def bits_of(values: npt.NDArray[Any], found: Components, weights: npt.NDArray[np.float64]) -> Bits:
    """Take signs of projections of the kernel's values, (n, m) -> (n, bits)."""
    mean, own = found.mean.astype(np.float32), weights.astype(np.float32)
    blocks = [(values[rows] - mean) @ own >= 0 for rows in row_blocks(len(values), values.shape[1])]
    return np.concatenate(blocks)


def coordinates(values: npt.NDArray[Any], found: Components) -> Float32Matrix:
    """Return the coordinates of items whose kernel's values are known, (n, m) -> (n, r)."""
    axes, mean = found.axes.astype(np.float32), found.mean.astype(np.float32)
    placed = np.empty((len(values), axes.shape[1]), np.float32)
    for rows in row_blocks(len(values), values.shape[1]):
        own = values[rows] if found.transform is None else found.transform.of(values[rows])
        placed[rows] = (own - mean) @ axes
    return placed


def contest(hits: Mapping[Setting, Hits], better: str, worse: str) -> dict[str, Any]:
    """Judge the best settings of two arms, chosen on the half of the queries that they are not judged on.

    Returns
    -------
    dict
        Recall of both, the ``gain``, its standard ``error``, and which settings were chosen.
    """
    queries = next(iter(hits.values())).shape[1]
    halves = np.arange(queries) % 2
    judged: dict[str, Hits] = {}
    chosen: dict[str, list[str]] = {}
    for arm in (better, worse):
        own = {setting: rows for setting, rows in hits.items() if setting.arm == arm}
        judged[arm] = np.empty((len(next(iter(own.values()))), queries))
        for half in (0, 1):
            best = max(own, key=lambda one: own[one][:, halves != half].mean())
            judged[arm][:, halves == half] = own[best][:, halves == half]
            chosen.setdefault(arm, []).append(best.name)
    gains = judged[better] - judged[worse]
    return {
        "better": float(judged[better].mean()),
        "worse": float(judged[worse].mean()),
        **gain_of(gains),
        "chosen": [" and ".join(dict.fromkeys(chosen[arm])) for arm in (better, worse)],
    }


def gain_of(gains: Hits) -> dict[str, float]:
    """Return the mean ``gain`` and its standard ``error``: that of another draw of seeds and of queries, both."""
    return {
        "gain": float(gains.mean()),
        "error": math.hypot(_error(gains.mean(axis=0)), _error(gains.mean(axis=1))),
    }


def _error(values: npt.NDArray[np.float64]) -> float:
    return float(values.std(ddof=1) / math.sqrt(len(values)))
