"""Time and memory of encoding one 250 x 256 descriptor, over bits (Kim and Choi, CVPR 2015, Figure 7)."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from science.papers.size import Tables
from science.papers.straight import multiplications
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import Message
from twinlens.core.methods.sik import BilinearSik, Sik
from twinlens.core.progress import Progress
from twinlens.core.vectors import one_thread

DATA = ("vlad-crops",)
OVERSAMPLINGS = (1, 5, 10)
LENGTHS = (100, 400, 900, 1_600, 2_500, 4_900, 6_400)
CASES = ("single", *(f"m={m}" for m in OVERSAMPLINGS))
REPEATS = 7
ITEMS, GAMMA, SHAPE = 40, 0.5, (250, 256)


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return for each number of bits the least and the median thread time of a vector, and the bytes of the model."""
    x = np.asarray(tables("vlad-crops", "base")[:ITEMS], np.float32)
    m = None if case == "single" else int(case[2:])
    rows = []
    for place, bits in enumerate(LENGTHS):
        progress(place, len(LENGTHS), Message("Encoding by {bits} bits, {case}", bits=bits, case=case))
        encoder = _method(bits, m).fit(x)
        encoder.encode(x[:1])
        spent = []
        with one_thread():
            for row in range(repeats):
                began = time.thread_time()
                encoder.encode(x[row % len(x)][None])
                spent.append(time.thread_time() - began)
        held = sum(array.nbytes for array in encoder.pack().arrays.values())
        rows.append(
            {
                "bits": bits,
                "least s": min(spent),
                "median s": statistics.median(spent),
                "bytes": held,
                "multiplications": multiplications(bits, SHAPE, m),
            }
        )
    return {"rows": rows}


def _method(bits: int, m: int | None) -> HashMethod:
    """Return the method; the width of the kernel changes no time, so it is not looked for."""
    if m is None:
        return Sik(bits=bits, kernel=Gaussian(gamma=GAMMA))
    return BilinearSik(bits=bits, gamma=GAMMA, oversampling=m)
