"""Distances by their text form: ``l2``, ``cosine`` or a kernel's."""

from __future__ import annotations

import numpy as np

from core.declaration.declaration import read_declaration
from core.evaluation.truth import Cosine, Distance, Euclidean, KernelDistance
from core.kernels import KERNELS
from core.kernels.kernel import Kernel
from core.projections.subspaces import draw_places
from core.vectors import Vectors

SAMPLE = 20_000
"""Items from which an ``auto`` width is found, and metrics are learned where vectors are measured."""

SEED = 20_150_607
"""Seed of that sample and of queries that are drawn, the same for every seed of a method."""


def own_measure(method: object) -> str:
    """Return the text form of the kernel of a method; empty without one."""
    kernel = getattr(method, "kernel", None)
    return kernel.text() if isinstance(kernel, Kernel) else ""


def plain_distance(text: str) -> Distance:
    """Return the distance of dense vectors that ``l2``, ``cosine`` or the text form of a kernel names.

    Raises
    ------
    DeclarationError
        If it is none of these.
    """
    if text == "l2":
        return Euclidean()
    if text == "cosine":
        return Cosine()
    return KernelDistance(read_declaration(KERNELS, text))


def distance_with_width(distance: Distance, x: Vectors, items: int = SAMPLE, seed: int = SEED) -> Distance:
    """Return a kernel distance with its ``auto`` width found from a sample; other distances unchanged."""
    if not isinstance(distance, KernelDistance):
        return distance
    rng = np.random.default_rng(seed)
    return KernelDistance(distance.kernel.fitted_to(x[draw_places(len(x), items, rng)], rng))
