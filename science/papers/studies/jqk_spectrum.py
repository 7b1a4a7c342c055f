"""How fast eigenvalues fall, what is left outside of the leading space, and what Theorem 3 makes of it.

Jiang, Que and Kulis, CVPR 2015, Figure 2 (c), Lemma 2 and Theorem 3. The landmarks are of the base, what is looked at
outside of the space they span is of the queries, from other photographs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from science.papers.size import Tables
from twinlens.core.kernels.histogram_kernels import ChiSquare, Intersection
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.theory.code_theory import rank_theory, theorem_3

KERNELS: dict[str, Kernel] = {"chi-square": ChiSquare(), "intersection": Intersection()}
DATA = ("sift", "edge-crops", "gist-crops")
CASES = tuple(f"{name} {kernel}" for name in DATA for kernel in KERNELS)
REPEATS = 1
SCALES = (None, 1.0, 5.0, 10.0)
RANKS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900)
LANDMARKS, OTHERS = 1000, 500
EPSILON, XI = 0.5, 1.0


def measure(case: str, tables: Tables, _repeats: int, progress: Progress) -> dict[str, Any]:
    """Return by rank of each scale: eigenvalue, residual of the sample and of others, terms and value of the bound."""
    name, key = case.split()
    kernel = KERNELS[key]
    base, others = np.array(tables(name, "part")), np.array(tables(name, "queries")[:OTHERS])
    found = {}
    for number, scale in enumerate(SCALES):
        progress(number, len(SCALES), Message("Eigenvalues, {case}, scale {scale}", case=case, scale=scale))
        told = rank_theory(base, others, kernel, scale, LANDMARKS, seed=0)
        values, outside = told.spectrum.eigenvalues, told.outside
        ranks = [rank for rank in RANKS if rank < len(values)]
        rows = np.array(ranks) - 1
        bound = np.full(len(values), -np.inf)
        bound[np.isfinite(told.spectrum.estimation)] = theorem_3(told.spectrum, told.m, 1.0, EPSILON, XI)
        found["none" if scale is None else f"{scale:g}"] = {
            "ranks": ranks,
            "eigenvalue": (values[rows]).tolist(),
            "total": told.total,
            "residual": told.spectrum.residual[rows].tolist(),
            "outside": outside[rows].tolist(),
            "length": told.length,
            "satisfied": told.satisfied,
            "estimation": told.spectrum.estimation[rows].tolist(),
            "bound": bound[rows].tolist(),
            "best_bound": told.best_bound,
            "m": told.m,
        }
    return found
