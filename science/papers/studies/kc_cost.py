"""Time and memory of encoding 250 x 256 descriptors, over bits (Kim and Choi, CVPR 2015, Figure 7 and its footnote).

One vector at a time, as the paper has it, single projections are as slow as reading them from memory; in a batch they
are read once for all of its vectors.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from science.papers.size import Tables
from science.papers.straight import multiplications
from twinlens.core.arrays import Float32Matrix
from twinlens.core.hashing.hash_method import Encoder, HashMethod
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import Message
from twinlens.core.methods.sik import BilinearSik, Sik
from twinlens.core.progress import Progress
from twinlens.core.vectors import one_thread

DATA = ("vlad-crops",)
OVERSAMPLINGS = (1, 5, 10)
LENGTHS = (100, 400, 900, 1_600, 2_500, 4_900, 6_400)
LONGEST = 62_500
"""Of the paper's footnote, bilinear alone: single projections would take 16 GB."""

CASES = ("single", *(f"m={m}" for m in OVERSAMPLINGS))
REPEATS = 7
ITEMS, GAMMA, SHAPE = 64, 0.5, (250, 256)
BATCHES = 3
"""Of all items, each encoded at once."""


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return for each number of bits the thread times of a vector, alone and in a batch, and the bytes of the model."""
    x = np.asarray(tables("vlad-crops", "base")[:ITEMS], np.float32)
    m = None if case == "single" else int(case[2:])
    rows = []
    lengths = LENGTHS if m is None else (*LENGTHS, LONGEST)
    for place, bits in enumerate(lengths):
        progress(place, len(lengths), Message("Encoding by {bits} bits, {case}", bits=bits, case=case))
        encoder = _method(bits, m).fit(x)
        encoder.encode(x[:1])
        with one_thread():
            spent = [_seconds(encoder, x[[row % len(x)]]) for row in range(repeats)]
            batches = [_seconds(encoder, x) for _ in range(min(BATCHES, repeats))]
        held = sum(array.nbytes for array in encoder.pack().arrays.values())
        rows.append(
            {
                "bits": bits,
                "least s": min(spent),
                "median s": statistics.median(spent),
                "batch s": statistics.median(batches) / len(x),
                "bytes": held,
                "multiplications": multiplications(bits, SHAPE, m),
            }
        )
    return {"rows": rows}


def _seconds(encoder: Encoder, x: Float32Matrix) -> float:
    """Return the time of a thread that encodes some items at once."""
    began = time.thread_time()
    encoder.encode(x)
    return time.thread_time() - began


def _method(bits: int, m: int | None) -> HashMethod:
    """Return the method; the width of the kernel changes no time, so it is not looked for."""
    if m is None:
        return Sik(bits=bits, kernel=Gaussian(gamma=GAMMA))
    return BilinearSik(bits=bits, gamma=GAMMA, oversampling=m)
