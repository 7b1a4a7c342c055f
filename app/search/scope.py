"""The library at one moment, the photographs of an index that may be found then, and a sample for the histogram."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library
from app.search.criterion import QueryDistance
from app.search.filters import Filters, passing
from app.search.results import Histogram
from core.arrays import Int64Ids, OptionalMask
from core.vectors import as_float32
from storage.library.transaction import Transaction

PARTS = 50
"""Number of bins of the histogram of similarities, which lie in [0, 1]."""

SAMPLE = 2_000
_LEAST_SAMPLE = 256
_SAMPLE_NUMBERS = 1 << 21  # of all vectors of a sample: measuring them must not be noticed beside the search itself
_KEPT = 16


@dataclass(frozen=True)
class Moment:
    """The library at one moment.

    Attributes
    ----------
    r : Transaction
    version : int or None
        Equal at two moments if nothing changed in between; None while something is changing, or if it is unknown.
    """

    r: Transaction
    version: int | None = None


@dataclass(frozen=True, eq=False)
class Scope:
    """The photographs of an index that pass some filters.

    Attributes
    ----------
    version : int or None
        Of the library; None if unknown.
    ids : Ids, (n,)
        Of the index.
    mask : ndarray of bool, (n,), or None
        Which of them pass; None if all do.
    sample : ndarray, (s, d)
        Vectors of a fixed random sample of those that pass; of all if they are few.
    """

    version: int | None
    ids: Int64Ids
    mask: OptionalMask
    sample: npt.NDArray[Any]

    def histogram(self, criterion: QueryDistance) -> Histogram:
        """Return the histogram of the sample's similarities to a query."""
        counts = bin_counts(criterion.similarities(as_float32(self.sample)))
        return Histogram(counts=counts, low=0.0, high=1.0, sample=len(self.sample))


def bin_counts(similarities: npt.NDArray[np.float64]) -> list[int]:
    """Count similarities in [0, 1] in ``PARTS`` bins; a value on a border belongs to the upper bin, 1 to the last.

    Examples
    --------
    >>> counts = counted(np.array([0.0, 0.01, 0.5, 1.0]))
    >>> counts[0], counts[25], counts[-1], sum(counts)
    (2, 1, 1, 4)
    """
    parts = np.minimum((similarities * PARTS).astype(np.intp), PARTS - 1)
    counts: list[int] = np.bincount(parts, minlength=PARTS).tolist()
    return counts


def histogram_sample(ids: Int64Ids, dimensions: int) -> Int64Ids:
    """Draw the sample of ids, (n,) -> (s,), ascending; fewer where their vectors are long."""
    size = min(SAMPLE, max(_LEAST_SAMPLE, _SAMPLE_NUMBERS // dimensions))
    if len(ids) <= size:
        return ids
    return ids[np.sort(np.random.default_rng(0).choice(len(ids), size, replace=False))]


class Scopes:
    """The scopes of the last searches, kept until they change; safe to use from several threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[int, Filters], Scope] = OrderedDict()

    def get(self, moment: Moment, index: LoadedIndex, filters: Filters) -> Scope:
        """Return the scope of filters at this moment.

        Parameters
        ----------
        moment : Moment
        index : LoadedIndex
        filters : Filters

        Raises
        ------
        TwinlensError
            If a filter is not valid.
        """
        key = index.row.id, filters
        with self._lock:
            known = self._kept.get(key)
            if known is not None and known.ids is not index.ids:
                known = None
            if known is None or moment.version is None or known.version != moment.version:
                known = self._look(moment, index, filters, known)
            self._kept[key] = known
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return known

    def _look(self, moment: Moment, index: LoadedIndex, filters: Filters, known: Scope | None) -> Scope:
        """Compute a scope; the sample stays if the same photographs pass as before."""
        mask = passing(self._library, moment.r, filters, index.ids)
        if known is not None and _same(mask, known.mask):
            return replace(known, version=moment.version)
        allowed = index.ids if mask is None else index.ids[mask]
        sample, present = moment.r.descriptors.read(index.kind, histogram_sample(allowed, index.kind.dimensions))
        return Scope(moment.version, index.ids, mask, sample[present])


def _same(one: OptionalMask, other: OptionalMask) -> bool:
    return one is other if one is None or other is None else np.array_equal(one, other)
