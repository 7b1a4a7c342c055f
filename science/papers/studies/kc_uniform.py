"""The expected product of two bilinear features on uniform random data (Kim and Choi, CVPR 2015, Figure 2).

The one experiment of the paper whose data anybody can draw: matrices with uniform entries, scaled to |X| = 0.8, and the
mean over 10,000 triples w, v, b of the product of two features, √2 cos(w'Xv + b). How large the matrices were the text
does not say, nor between what its entries lie, nor how pairs were chosen; here they lie between -1 and 1, and Y is a
mixture of X, or of -X, with another, so that pairs are from alike to opposite. The sample mean stands beside the exact
expectation, Π (1 + λ)^(-1/2) of Lemma 1, of the same pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from science.papers.size import Tables
from twinlens.core.hashing.shift_invariant_hashing import difference_spectrum
from twinlens.core.message import Message
from twinlens.core.progress import Progress

DATA: tuple[str, ...] = ()
SIDES = (2, 5, 20, 100)
CASES = tuple(f"{side} x {side}" for side in SIDES)
REPEATS = 1
PAIRS, TRIPLES, NORM = 120, 10_000, 0.8
GAMMA = 0.5
"""The kernel is exp(-|X - Y|² / 2)."""

Matrices = npt.NDArray[np.float64]


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return of each pair the kernel, the largest λ, the exact expectation, the sample mean, and its error."""
    side = int(case.split(maxsplit=1)[0])
    rng = np.random.default_rng(side)
    found: dict[str, list[float]] = {}
    for pair in range(PAIRS):
        progress(pair, PAIRS, Message("Pairs of {case}", case=case))
        x, y = drawn(side, 2 * pair / (PAIRS - 1) - 1, rng)
        values = difference_spectrum((x - y)[None], GAMMA)[0]
        products = features(x, y, rng)
        row = {
            "kernel": float(np.exp(-GAMMA * np.square(x - y).sum())),
            "largest": float(values[0]),
            "exact": float(np.exp(-0.5 * np.log1p(values).sum())),
            "mean": float(products.mean()),
            "error": float(products.std(ddof=1) / np.sqrt(TRIPLES)),
        }
        for name, value in row.items():
            found.setdefault(name, []).append(value)
    return found


def drawn(side: int, share: float, rng: np.random.Generator) -> tuple[Matrices, Matrices]:
    """Draw a matrix, and one that has a share of it, from all of it (1) to all of its opposite (-1)."""
    x, other = (scaled(rng.uniform(-1, 1, (side, side))) for _ in range(2))
    return x, scaled(share * x + np.sqrt(1 - share**2) * other)


def scaled(x: Matrices) -> Matrices:
    """Bring a matrix to the length of the paper's."""
    return np.asarray(NORM * x / np.linalg.norm(x))


def features(x: Matrices, y: Matrices, rng: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return the products of bilinear features of both, of so many triples, (triples,)."""
    w, v = (rng.standard_normal((TRIPLES, side)) for side in x.shape)
    b = rng.uniform(0, 2 * np.pi, TRIPLES)
    one, other = (np.cos(((w @ matrix) * v).sum(axis=1) + b) for matrix in (x, y))
    return np.asarray(2 * one * other)
