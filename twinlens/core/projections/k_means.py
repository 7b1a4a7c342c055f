"""Centres of items by k-means (Lloyd: Least Squares Quantization in PCM, 1982), from a drawn start."""

from __future__ import annotations

import numpy as np

from twinlens.core.arrays import Float32Vectors, Int64Rows
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent

ROUNDS = 6
LEARNED_FROM = 32
"""Items for each centre that it is learned from."""

_AT_ONCE = 1 << 22  # distances held at a time: 16 MB


def k_means(
    x: Float32Vectors,
    count: int,
    seed: int,
    progress: Progress = silent,
    rounds: int = ROUNDS,
    each: int = LEARNED_FROM,
) -> Float32Vectors:
    """Find centres of items by some rounds of Lloyd's, from a sample of so many items for each."""
    rng = np.random.default_rng(seed)
    sample = x[np.sort(rng.choice(len(x), min(len(x), each * count), replace=False))]
    centres = sample[np.sort(rng.choice(len(sample), min(count, len(sample)), replace=False))].copy()
    for turn in range(rounds):
        progress(turn, rounds, Message("Finding centres"))
        cell = nearest_centre(sample, centres)
        sizes = np.bincount(cell, minlength=len(centres))
        sums = np.stack([np.bincount(cell, column, len(centres)) for column in sample.T], axis=1)
        centres[sizes > 0] = (sums[sizes > 0] / sizes[sizes > 0, None]).astype(np.float32)
    return centres


def nearest_centre(x: Float32Vectors, centres: Float32Vectors) -> Int64Rows:
    """Return the nearest centre of each item, (n,)."""
    step = max(1, _AT_ONCE // len(centres))
    blocks = (x[start : start + step] for start in range(0, len(x), step))
    return np.concatenate([np.empty(0, np.int64), *(squared(block, centres).argmin(axis=1) for block in blocks)])


def squared(x: Float32Vectors, z: Float32Vectors) -> Float32Vectors:
    """Return squared distances, less the squares of x."""
    return np.asarray(np.square(z).sum(axis=1) - 2 * (x @ z.T), np.float32)
