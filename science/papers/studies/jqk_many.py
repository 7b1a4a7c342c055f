"""What the monotone transform brings among many items (Jiang, Que and Kulis, CVPR 2015, Figure 3): all SIFT there are.

The transform slows the decay of eigenvalues, which counts for more the more items there are to be told apart: a part of
40,000 may be too small to see it. The kernel's values are computed once a draw, in blocks, for every scale.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from science.papers.size import Tables
from science.papers.studies.jqk_rank_and_scale import BITS, KERNELS, LANDMARKS, ONES, SCALES, bits_of, recalled
from science.papers.studies.jqk_sweeps import ones
from twinlens.core.evaluation.truth import KernelDistance, true_neighbours
from twinlens.core.kernels.kernel import MonotoneTransform
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.projections.kernel_components import components_of

DATA = ("all-sift",)
CASES = tuple(kernel.key for kernel in KERNELS)
REPEATS = 8
QUERIES = 1000
RANK = 100
"""The paper's for SIFT1M."""

BLOCK = 20_000


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return recall@R of each draw, by R, of KLSH, low rank, and low rank with every scale, from the same landmarks."""
    kernel = next(one for one in KERNELS if one.key == case)
    base, queries = np.array(tables("all-sift", "base")), np.array(tables("all-sift", "queries")[:QUERIES])
    progress(0, 1, Message("Finding the truth"))
    first = true_neighbours(KernelDistance(kernel), base, queries, 1).first(1)
    every = np.concatenate([base, queries])
    found: dict[str, dict[str, list[float]]] = {}
    for seed in range(repeats):
        rng = np.random.default_rng(seed)
        landmarks = base[rng.permutation(len(base))[:LANDMARKS]]
        gram, chosen = kernel.matrix(landmarks, landmarks), ones(LANDMARKS, ONES, BITS, rng)
        ways = {}
        for name, rank, scale in (("full", None, None), ("none", RANK, None), *((f"{s:g}", RANK, s) for s in SCALES)):
            transform = None if scale is None else MonotoneTransform(scale)
            leading = components_of(kernel, landmarks, gram, transform=transform).first(rank)
            ways[name] = leading, leading.axes @ (leading.vectors.T @ chosen)
        bits: dict[str, list[Any]] = {name: [] for name in ways}
        for start in range(0, len(every), BLOCK):
            progress(seed + start / len(every), repeats, Message("Hashing all, {case}", case=case))
            values: Any = kernel.matrix(every[start : start + BLOCK], landmarks).astype(np.float32)
            for name, (leading, weights) in ways.items():
                seen = values if leading.transform is None else leading.transform.of(values)
                bits[name].append(bits_of(seen, leading, weights))
        for name, blocks in bits.items():
            whole = np.concatenate(blocks)
            for count, own in recalled(whole[: len(base)], whole[len(base) :], first).items():
                found.setdefault(name, {}).setdefault(str(count), []).append(float(own.mean()))
    return {"items": len(base), "queries": len(queries), "recall": found}
