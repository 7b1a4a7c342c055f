"""Time of each step of PCA + ITQ, by how its directions are found, and how much of the variance they hold.

Yun, Kim and Choi, ICDM 2012, Figure 2 (c) and (d), section IV and the error of section V. Times are of one thread's
processor, which others on the machine do not lengthen much.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from science.papers.size import Tables
from twinlens.core.arrays import Float64Matrix
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.core.projections.subspaces import (
    NystromSampling,
    centred,
    column_mean,
    gaussian,
    learn_rotation,
    nystrom,
    orthonormal,
    principal,
)
from twinlens.core.vectors import Vectors, one_thread, row_blocks

DATA = ("fashion-mnist", "groups-vlad")
CASES = ("fashion-mnist part", "groups-vlad base")
REPEATS = 3
BITS, TURNS = 64, 50
SAMPLES, FEATURES = 0.05, 0.3
BY_SAMPLES = (0.02, 0.05, 0.1, 0.2)
BY_FEATURES = (0.1, 0.2, 0.3, 0.4)

Made = TypeVar("Made")


@dataclass(frozen=True)
class Way:
    """How directions are found; without parts: all data, or none."""

    kind: str
    samples: float = 0.0
    features: float = 0.0

    @property
    def name(self) -> str:
        """Say it in a few words."""
        return f"{self.kind} {self.samples:g} {self.features:g}" if self.samples else self.kind


WAYS = tuple(
    dict.fromkeys(
        (
            Way("pca"),
            Way("random"),
            *(Way(kind, share, FEATURES) for kind in ("uniform", "weighted") for share in (SAMPLES, *BY_SAMPLES)),
            *(Way(kind, SAMPLES, share) for kind in ("uniform", "weighted") for share in BY_FEATURES),
        )
    )
)


def measure(case: str, tables: Tables, repeats: int, progress: Progress) -> dict[str, Any]:
    """Return of each way seconds of its steps, and of the variance that its directions hold as a share of PCA's."""
    name, array = case.split()
    x = np.ascontiguousarray(tables(name, array), np.float32)
    mean = column_mean(x, silent)
    found: dict[str, dict[str, list[float]]] = {}
    with one_thread():
        whole = 0.0
        for number, way in enumerate(WAYS):
            for seed in range(1 if way.kind == "pca" else repeats):
                progress(number, len(WAYS), Message("Steps of {name}, {name2}", name=way.name, name2=name))
                rng = np.random.default_rng(seed)
                directions, spent = timed(lambda: _directions(way, x, mean, rng))  # noqa: B023
                projected, projecting = timed(lambda: _project(x, mean, directions))  # noqa: B023
                _, turning = timed(lambda: learn_rotation(projected, TURNS, rng, silent))  # noqa: B023
                held = float(np.square(_project(x, mean, orthonormal(directions))).sum())
                whole = whole or held
                values = {"directions": spent, "projecting": projecting, "turning": turning, "held": held / whole}
                for key, value in values.items():
                    found.setdefault(way.name, {}).setdefault(key, []).append(value)
    return {
        way: {key: (statistics.fmean(own), statistics.stdev(own) if len(own) > 1 else 0.0, len(own))
              for key, own in values.items()}
        for way, values in found.items()
    }  # fmt: skip


def timed(make: Callable[[], Made]) -> tuple[Made, float]:
    """Make something, and say what processor time of this thread it took."""
    began = time.thread_time()
    made = make()
    return made, time.thread_time() - began


def _directions(way: Way, x: Vectors, mean: Float64Matrix, rng: np.random.Generator) -> Float64Matrix:
    if way.kind == "pca":
        return principal(x, mean, BITS, rng, silent)
    if way.kind == "random":
        return gaussian(x.shape[1], BITS, rng)
    sampling = NystromSampling(way.samples, way.features, way.kind == "weighted", 1e-12)
    return orthonormal(nystrom(x, mean, BITS, sampling, rng=rng, progress=silent))


def _project(x: Vectors, mean: Float64Matrix, directions: Float64Matrix) -> Float64Matrix:
    projected = np.empty((len(x), directions.shape[1]))
    for block in row_blocks(len(x), x.shape[1]):
        projected[block] = centred(x, mean, block) @ directions
    return projected
