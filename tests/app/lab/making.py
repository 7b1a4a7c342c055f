"""A library of made-up colours, and plans of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.app.made_library import LEARNED, histograms, make
from twinlens.app.bench.experiment import Experiment
from twinlens.app.library.library import Library

VECTORS = histograms(160, seed=5)
STORED = VECTORS.astype(np.float16).astype(np.float32)
"""As the library keeps them."""

PLAN = Experiment(
    index="Learned", methods=("lsh:bits={16,48}",), search=("scan:candidates=20", "buckets"), seeds=(0, 3), name="bits",
    question="How many bits are enough?", query_count=40,
)  # fmt: skip


def new_library(folder: Path) -> Library:
    """Make a library with one index, of Hellinger's kernel, in two folders."""
    return make(folder / "made.twinlens", VECTORS, [LEARNED])
