"""Time to encode an item over the number of landmarks: KLSH needs the kernel with each, pre-images once a bit."""

from __future__ import annotations

import statistics
import time
from typing import Any

import numpy as np

from science.papers.kernel_tables import ONES, SETTINGS
from science.papers.size import Tables
from science.papers.studies.bc_buckets import evaluations_an_item
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.message import Message
from twinlens.core.methods.klsh import Klsh
from twinlens.core.methods.preimage_klsh import PreimageKlsh
from twinlens.core.progress import Progress
from twinlens.core.vectors import one_thread

CASES = ("digits", "dna", "shuttle")
DATA = CASES
REPEATS = 5
LENGTHS = (50, 100, 200, 300, 500, 1_000)
ITEMS, ALONE = 2_000, 60


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Get of each method and number of landmarks the thread time of an item in a batch and alone, in microseconds."""
    setting = SETTINGS[case]
    x = np.asarray(tables(case, "base"), np.float32)
    lengths = [m for m in LENGTHS if m <= len(x)]
    rows: dict[str, list[dict[str, float]]] = {"klsh": [], "preimage-klsh": []}
    for place, m in enumerate(lengths):
        progress(place, len(lengths), Message("Encoding {case} by {m} landmarks", case=case, m=m))
        for declared in (Klsh, PreimageKlsh):
            method = declared(bits=setting.bits, kernel=setting.kernel, landmarks=m, samples=min(ONES, m))
            encoder = method.fit(x)
            batch = [_spent(encoder, [x[:ITEMS]]) / min(ITEMS, len(x)) for _ in range(repeats)]
            alone = [_spent(encoder, x[:ALONE, None]) / ALONE for _ in range(repeats)]
            rows[method.key].append(
                {
                    "landmarks": m,
                    "evaluations": evaluations_an_item(encoder),
                    "batch us": 1e6 * min(batch),
                    "alone us": 1e6 * statistics.median(alone),
                }
            )
    return {"bits": setting.bits, "methods": rows}


def _spent(encoder: Encoder, parts: Any) -> float:
    """Return the thread time in seconds that encoding some tables, one after the other, takes."""
    with one_thread():
        began = time.thread_time()
        for one in parts:
            encoder.encode(one)
        return time.thread_time() - began
