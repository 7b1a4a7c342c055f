"""Indexes, kernels and metrics of a library that theory can be drawn over."""

from __future__ import annotations

from dataclasses import dataclass

from app.indexes.index_measure import index_measure
from app.indexes.indexes import index_statuses
from app.lab.theory.vectors import LEAST
from app.library.library import Library
from app.methods import catalogue
from core.errors import TwinlensError
from core.exact_search.measure import Measure
from core.hashing.shift_invariant_encoder import SHIFT_INVARIANT
from core.kernels import KERNELS
from storage.library.transaction import Transaction


@dataclass(frozen=True)
class TheoryIndex:
    """An index that theory can be drawn over.

    Attributes
    ----------
    name : str
    descriptor : str
        Title of what it compares.
    kernel : str
        Key of the kernel that it ranks by; empty where it ranks by none.
    photographs : int
    """

    name: str
    descriptor: str
    kernel: str
    photographs: int


@dataclass(frozen=True)
class TheoryChoices:
    """The choices that a library offers.

    Attributes
    ----------
    indexes : tuple of OfIndex
        The one that search asks first.
    metrics : tuple of str
        Names of those that are kept, the latest first.
    photographs : int
        Of the library.
    """

    indexes: tuple[TheoryIndex, ...]
    metrics: tuple[str, ...]
    photographs: int


KERNEL_TITLES = {one.key: one.title for one in KERNELS}
"""Of every kernel, by its key."""

KERNELS_OF = {
    "rank": tuple(KERNEL_TITLES),
    "bounds": tuple(KERNEL_TITLES),
    "hamming": tuple(one.key for one in SHIFT_INVARIANT),
}
"""Kernels that a kind can be asked of."""


def theory_choices(library: Library) -> TheoryChoices:
    """Return the choices that a library offers."""
    with library.store.reading() as r:
        statuses = sorted(index_statuses(r), key=lambda one: not one.default)
        found = [_of_index(r, one.name, one.photographs) for one in statuses if one.photographs >= LEAST]
        metrics = tuple(row.name for row in reversed(r.metrics.all()))
        count = sum(r.photographs.counts().values())
    return TheoryChoices(tuple(one for one in found if one is not None), metrics, count)


def _of_index(r: Transaction, name: str, photographs: int) -> TheoryIndex | None:
    try:
        index = index_measure(r, name)
    except TwinlensError:
        return None  # it has nothing to measure yet
    kernel = index.measure.kernel if isinstance(index.measure, Measure) else index.descriptor.measure
    return TheoryIndex(name, catalogue.descriptor(index.row.descriptor).title, kernel.key, photographs)
