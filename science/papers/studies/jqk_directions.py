"""What makes Nyström + LSH worse than KLSH: that it does not centre, or how its directions are drawn.

Jiang, Que and Kulis, CVPR 2015, sections 3 and 5, hold centring to be essential: KLSH centres the kernel, Nyström's
form does not. But KLSH also draws a direction as a mean of t landmarks less the mean of all, whose weights have the sum
zero, and Nyström's are Gaussian. Both are told apart here, on the same landmarks and queries:

    KLSH                        K̄, query centred       e_t
    Gaussian, centred           K̄, query centred       Gaussian
    Gaussian, not centred       K, query as it is       Gaussian                           (Nyström + LSH)
    ones, not centred           K, query as it is       e_t
    sum zero, not centred       K, query as it is       e_t - (t/m) 1
"""

from __future__ import annotations

from typing import Any

import numpy as np

from science.papers.size import Tables
from science.papers.studies import jqk_rank_and_scale
from science.papers.studies.jqk_rank_and_scale import BITS, KERNELS, LANDMARKS, ONES, bits_of, recalled
from science.papers.studies.jqk_sweeps import ones
from twinlens.core.evaluation.truth import KernelDistance, true_neighbours
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.projections.kernel_components import components_of

CASES = jqk_rank_and_scale.CASES
DATA = jqk_rank_and_scale.DATA

REPEATS = 5
QUERIES = 1000
RANKS = (64, None)
KLSH, KPCA, NYSTROM, RAW, ZERO = (
    "KLSH", "Gaussian, centred", "Gaussian, not centred", "ones, not centred", "sum zero, not centred",
)  # fmt: skip
WAYS = {KLSH: (True, "ones"), KPCA: (True, "gaussian"), NYSTROM: (False, "gaussian"), RAW: (False, "ones"),
        ZERO: (False, "sum zero")}  # fmt: skip
"""Whether the kernel is centred, and how directions are drawn."""


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return recall@R of each draw, by R, under ``way, rank``; all ways of a draw have the same landmarks and ones."""
    name, key = case.split()
    kernel = next(one for one in KERNELS if one.key == key)
    base, queries = np.array(tables(name, "part")), np.array(tables(name, "queries")[:QUERIES])
    first = true_neighbours(KernelDistance(kernel), base, queries, 1).first(1)
    found: dict[str, dict[str, list[float]]] = {}
    for seed in range(repeats):
        progress(seed, repeats, Message("Directions of {case}", case=case))
        rng = np.random.default_rng(seed)
        rows = rng.permutation(len(base))[:LANDMARKS]
        landmarks = base[rows]
        values = [kernel.matrix(table, landmarks).astype(np.float32) for table in (base, queries)]
        gram = values[0][rows].astype(np.float64)
        chosen = ones(len(rows), ONES, BITS, rng)
        drawn = {"ones": chosen, "sum zero": chosen - chosen.mean(axis=0),
                 "gaussian": rng.standard_normal(chosen.shape)}  # fmt: skip
        both = {centred: components_of(kernel, landmarks, gram, centred) for centred in (True, False)}
        for way, (centred, how) in WAYS.items():
            for rank in RANKS:
                leading = both[centred].first(rank)
                weights = leading.axes @ (leading.vectors.T @ drawn[how])
                items, asked = (bits_of(table, leading, weights) for table in values)
                for count, own in recalled(items, asked, first).items():
                    recall = found.setdefault(f"{way}, {rank or 'full'}", {})
                    recall.setdefault(str(count), []).append(float(own.mean()))
    return {"queries": len(queries), "recall": found}
