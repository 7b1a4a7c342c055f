"""The number of landmarks, and of landmarks in a hyperplane (Jiang, Que and Kulis, CVPR 2015, sections 3 and 4.2).

Section 3 has hyperplanes of t landmarks be as good as Gaussian ones from t = 30 on, by the central limit theorem;
section 4.2 has more landmarks m improve a fixed rank always, and be of no more use from some thousands on. The kernel's
values with the most landmarks are computed once a draw: fewer landmarks are the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.size import Tables
from science.papers.studies.jqk_rank_and_scale import BITS, KERNELS, Bits, bits_of, recalled
from twinlens.core.arrays import Float32Matrix
from twinlens.core.evaluation.truth import KernelDistance, true_neighbours
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.projections.kernel_components import Components, components_of

DATA = ("sift",)
CASES = tuple(f"{swept} {kernel.key}" for swept in ("landmarks", "samples") for kernel in KERNELS)
REPEATS = 20
QUERIES = 1000
LANDMARKS, LANDMARK = (100, 300, 1000, 3000), 1000
SAMPLES, SAMPLE = (1, 5, 10, 30, 50, 100, 300), 50
RANKS = (64, None)
"""None is all."""

GAUSSIAN = "gaussian"
"""In place of a number of landmarks: hyperplanes of the normal distribution."""


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return recall@R of each draw, by R, under ``m, rank`` or ``t, rank``; all settings of a draw ask the same."""
    swept, key = case.split()
    kernel = next(one for one in KERNELS if one.key == key)
    base, queries = np.array(tables("sift", "part")), np.array(tables("sift", "queries")[:QUERIES])
    first = true_neighbours(KernelDistance(kernel), base, queries, 1).first(1)
    found: dict[str, dict[str, list[float]]] = {}
    counts = LANDMARKS if swept == "landmarks" else (LANDMARK,)
    for seed in range(repeats):
        progress(seed, repeats, Message("Sweeping {case}", case=case))
        rng = np.random.default_rng(seed)
        rows = rng.permutation(len(base))[: max(counts)]
        landmarks = base[rows]
        values = [kernel.matrix(table, landmarks).astype(np.float32) for table in (base, queries)]
        for m in counts:
            some = components_of(kernel, landmarks[:m], values[0][rows[:m], :m].astype(np.float64))
            for name, items, asked in _codes(swept, some, [table[:, :m] for table in values], rng):
                for count, own in recalled(items, asked, first).items():
                    found.setdefault(name, {}).setdefault(str(count), []).append(float(own.mean()))
    return {"queries": len(queries), "recall": found}


def _codes(
    swept: str, found: Components, values: list[Float32Matrix], rng: np.random.Generator
) -> Iterator[tuple[str, Bits, Bits]]:
    """Hash with every setting of the sweep."""
    m = len(found.landmarks)
    for t in (SAMPLE,) if swept == "landmarks" else (*SAMPLES, GAUSSIAN):
        drawn = rng.standard_normal((m, BITS)) if t == GAUSSIAN else ones(m, int(t), BITS, rng)
        for rank in RANKS:
            leading = found.first(rank)
            weights = leading.axes @ (leading.vectors.T @ drawn)
            items, asked = (bits_of(table, leading, weights) for table in values)
            yield f"{m if swept == 'landmarks' else t}, {rank or 'full'}", items, asked


def ones(m: int, t: int, bits: int, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Draw of m landmarks t for each bit, (m, bits)."""
    drawn = np.zeros((m, bits))
    for column in range(bits):
        drawn[rng.permutation(m)[:t], column] = 1.0
    return drawn
