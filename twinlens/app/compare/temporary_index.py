"""Temporary indexes of a comparison: fitted on the stored vectors, kept in memory and never written.

Each is what the library would make of the same declarations, from the same sample and with the same codes.
"""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import dataclass, replace

import numpy as np

from twinlens.app.compare.columns import ComparisonColumn, column_row, learns_alike
from twinlens.app.indexes.encoders import FittedIndex, encode_all, fit_index
from twinlens.app.indexes.loaded_index import LoadedIndex, kernel_of
from twinlens.app.methods import catalogue
from twinlens.app.search.search_space import Moment
from twinlens.app.search.searcher import Searcher
from twinlens.core.arrays import UInt64Words
from twinlens.core.containers import RecentValues
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.hashing.method_under_metric import UnderMetric
from twinlens.core.hashing.packed_codes import planar
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.core.search.search_structure import Search, UpdatableStructure
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow

_KEPT = 8
_Key = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class TemporaryIndex:
    """An index in memory.

    Attributes
    ----------
    loaded : LoadedIndex
        Ready for queries; its row has an id below 0.
    seconds : float
        Time to make it.
    version : int or None
        Version of the library at which it was last known to be up to date.
    content : bytes
        Digest of its photographs and their contents.
    """

    loaded: LoadedIndex
    seconds: float
    version: int | None
    content: bytes


class TemporaryIndexes:
    """Cache of the last temporary indexes; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: RecentValues[_Key, TemporaryIndex] = RecentValues(_KEPT)
        self._last = 0

    def get(self, searcher: Searcher, moment: Moment, column: ComparisonColumn) -> TemporaryIndex | None:
        """Return the index of a column if it is ready; an index of the library always is.

        Raises
        ------
        TwinlensError
            As :func:`twinlens.app.compare.columns.column_row`, and if the index cannot be searched yet.
        """
        row = column_row(moment.r, column)
        base = searcher.index(moment, column.index)
        if row.id == base.row.id:
            return TemporaryIndex(base, 0.0, moment.version, b"")
        key = _key(row, base)
        known = self._kept.get(key)
        if known is None or (moment.version is not None and known.version == moment.version):
            return known
        if known.content != _content(moment.r, base):
            return None
        return self._keep(key, replace(known, version=moment.version))

    def build(
        self, searcher: Searcher, moment: Moment, column: ComparisonColumn, progress: Progress = silent
    ) -> TemporaryIndex:
        """Make the index of a column, unless it is ready.

        Raises
        ------
        TwinlensError
            As :meth:`get`, and if metric or method cannot learn from these photographs.
        """
        ready = self.get(searcher, moment, column)
        if ready is not None:
            return ready
        started = time.perf_counter()
        row = column_row(moment.r, column)
        base = searcher.index(moment, column.index)
        key = _key(row, base)
        with self._lock:
            old = self._kept.get(key)
            self._last -= 1
            row = replace(row, id=self._last if old is None else old.loaded.row.id)
        loaded = _made(moment.r, row, base, old, progress)
        content = _content(moment.r, base)
        return self._keep(key, TemporaryIndex(loaded, time.perf_counter() - started, moment.version, content))

    def _keep(self, key: _Key, one: TemporaryIndex) -> TemporaryIndex:
        self._kept.keep(key, one)
        return one


def _key(row: IndexRow, base: LoadedIndex) -> _Key:
    """Return the key of a temporary index, with the codes that it takes from a kept index."""
    codes = (base.row.id, base.row.codes_token, base.row.model_id) if learns_alike(row, base.row) else ()
    return base.kind.id, row.method, row.search, row.metric, row.metric_id, codes


def _content(r: Transaction, base: LoadedIndex) -> bytes:
    ids, hashes = r.photographs.contents(r.descriptors.ids(base.kind))
    return hashlib.sha256(ids.tobytes() + b"".join(hashes)).digest()


def _made(
    r: Transaction, row: IndexRow, base: LoadedIndex, old: TemporaryIndex | None, progress: Progress
) -> LoadedIndex:
    search = catalogue.search_structure(row.search)
    if learns_alike(row, base.row):
        return _searched_otherwise(r, row, base, search)
    if not search.uses_codes and row.metric is None and row.metric_id is None:
        measure = Measure(kernel_of(row, base.descriptor, None))
        return replace(base, row=row, measure=measure, encoder=None, search=search, ids=_ids(r, base), structure=None)
    if old is not None and old.loaded.encoder is not None:
        encoder: Encoder = old.loaded.encoder
        codes, ids = encode_all(r, base.kind, encoder, len(base.ids), progress)
        return _loaded(replace(row, fitted_on=old.loaded.row.fitted_on), base, encoder, ids, planar(codes))
    made = _fitted(r, row, base.kind, part(progress, 0.0, 0.95))
    row = replace(row, fitted_on=made.fitted_on)
    if made.encoder is None:
        assert made.metric is not None
        metric = made.metric.fitted
        return replace(base, row=row, measure=metric, encoder=None, search=search, ids=_ids(r, base), structure=None)
    progress(0.95, 1.0, Message("{name}: preparing the codes", name=row.name))
    return _loaded(row, base, made.encoder, made.ids, planar(made.codes))


def _searched_otherwise(r: Transaction, row: IndexRow, base: LoadedIndex, search: Search) -> LoadedIndex:
    """Return the same codes under another structure, or the same measure without codes; nothing is learned."""
    row = replace(row, model_id=base.row.model_id, metric_model_id=base.row.metric_model_id)
    row = replace(row, fitted_on=base.row.fitted_on)
    if not search.uses_codes:
        return replace(base, row=row, encoder=None, search=search, ids=_ids(r, base), structure=None)
    if base.encoder is not None and base.structure is not None:
        return _loaded(row, base, base.encoder, base.ids, base.structure.codes(np.arange(len(base.ids))))
    if catalogue.search_structure(base.row.search).uses_codes:
        return replace(base, row=row, search=search)  # it is not fitted yet, so its search is exact
    made = _fitted(r, row, base.kind, silent)
    assert made.encoder is not None
    return _loaded(replace(row, fitted_on=made.fitted_on), base, made.encoder, made.ids, planar(made.codes))


def _ids(r: Transaction, base: LoadedIndex) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.asarray(r.descriptors.ids(base.kind), np.int64)


def _loaded(
    row: IndexRow,
    base: LoadedIndex,
    encoder: Encoder,
    ids: np.ndarray[tuple[int], np.dtype[np.int64]],
    planes: UInt64Words,
) -> LoadedIndex:
    search = catalogue.search_structure(row.search)
    learned = encoder.metric if isinstance(encoder, UnderMetric) else encoder.learned_metric
    measure = learned or Measure(kernel_of(row, base.descriptor, encoder))
    structure = UpdatableStructure.build(search, ids, planes, encoder.bits)
    return LoadedIndex(row, base.kind, base.descriptor, measure, encoder, search, ids, structure)


def _fitted(r: Transaction, row: IndexRow, kind: KindRow, progress: Progress) -> FittedIndex:
    made = fit_index(r, row, kind, progress)
    if made is None:
        raise TwinlensError(
            "No photo of the library shows enough to learn this index from.",
            "Add photos, or compare indexes of another descriptor.",
        )
    return made
