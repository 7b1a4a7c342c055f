"""A loaded index: ready for queries, with its codes in memory, its encoder and its measure; the last few are cached.

The vectors and measure of an index can be loaded without its codes (:func:`index_measure`). Codes of a library on a
server are cached on this machine (:class:`CachedCodes`), in files under the token of the codes, which changes with
them, so that a second start fetches nothing.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tokenize import TokenError

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.encoders import encode_all
from twinlens.app.indexes.fitted_models import expect_usable, kind_of, load_encoder, load_metric
from twinlens.app.indexes.index_specification import metric_text
from twinlens.app.indexes.indexes import find_index, text_of
from twinlens.app.machine import app_folders
from twinlens.app.methods import catalogue
from twinlens.core.arrays import UInt64Words
from twinlens.core.containers import RecentValues
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.files import private_files
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.hashing.packed_codes import planar
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.message import Message, verbatim
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.search.search_structure import CodeSearch, Search, UpdatableStructure
from twinlens.core.search.server_lists import ServedCodes, ServerLists
from twinlens.features.descriptor import Descriptor
from twinlens.storage.indexes.index_codes import LoadedCodes
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.integrity.checksums import DamagedRowError, checksum
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow

_log = logging.getLogger(__name__)
_KEPT = 8

LISTED_FROM = 2_000_000
"""Codes from which on a program that stays searches the automatic index by an inverted file, which it builds aside; a
command, which searches once, compares them all sooner than it could build.
"""


@dataclass(frozen=True)
class LoadedIndex:
    """One index, ready to be searched.

    Attributes
    ----------
    measure : Measure or FittedMetric
        Ranks the candidates; exact search uses it throughout.
    encoder : Encoder or None
        None: searches are exact, because the index is not fitted yet or its search needs no codes.
    ids : ndarray of int64, (n,)
        Photographs that have a code, ascending: row i of the codes is photograph ids[i].
    structure : UpdatableStructure, ServedCodes or None
        The codes; it is updated as photographs come and go. Codes on a server are those of a moment: the index is good
        until its transaction ends.
    """

    row: IndexRow
    kind: KindRow
    descriptor: Descriptor
    measure: Measure | FittedMetric
    encoder: Encoder | None
    search: Search
    ids: npt.NDArray[np.int64]
    structure: UpdatableStructure | ServedCodes | None

    @cached_property
    def text(self) -> str:
        """Its declarations, as :func:`twinlens.app.indexes.indexes.text_of` writes them."""
        return text_of(self.row)

    @cached_property
    def measure_name(self) -> Message:
        """The name of the measure: the kernel's text form, or the metric."""
        if isinstance(self.measure, Measure):
            return verbatim(self.measure.kernel.text())
        return Message("metric {metric}", metric=metric_text(self.row))

    @property
    def measure_title(self) -> Message:
        """The short name of the measure: the kernel without its parameters, or the metric."""
        if isinstance(self.measure, Measure):
            return verbatim(self.measure.kernel.key)
        return self.measure_name


def load_index(
    r: Transaction,
    row: IndexRow,
    before: LoadedIndex | None = None,
    build_later: bool = False,
    cached: CachedCodes | None = None,
) -> LoadedIndex:
    """Load an index for queries.

    Parameters
    ----------
    before : LoadedIndex, optional
        As it was loaded last: its structure is reused if it still fits.
    build_later : bool
        Do not build a slow structure: until it is built, every code is compared.
    cached : CachedCodes, optional
        Cache of codes that are slow to fetch.

    Raises
    ------
    TwinlensError
        If it cannot be searched yet.
    """
    expect_usable(row)
    kind = built_kind(r, row)
    descriptor = catalogue.descriptor(row.descriptor)
    search = catalogue.search_structure(row.search)
    encoder = load_encoder(r, row) if search.uses_codes else None
    ids = np.empty(0, np.int64)
    structure: UpdatableStructure | ServedCodes | None = None
    if isinstance(search, ServerLists) and encoder is not None:
        ids = r.codes.ids(row.id)
        structure = served_codes(r, row, search, ids)
    elif encoder is not None:
        ids, codes = _codes(r, row, kind, encoder, cached)
        planes = planar(codes)
        search = _search_of_many(search, row, len(ids)) if build_later else search
        at_once = isinstance(search, CodeSearch) and search.built_at_once
        structure = None if at_once else _updated(before, row, search, ids, planes, build_later)
        if structure is None:
            make = UpdatableStructure.unbuilt if build_later and not at_once else UpdatableStructure.build
            structure = make(search, ids, planes, encoder.bits)
    else:
        ids = r.descriptors.ids(kind)
    return LoadedIndex(row, kind, descriptor, measure_of(r, row, descriptor, encoder), encoder, search, ids, structure)


def _search_of_many(search: Search, row: IndexRow, count: int) -> Search:
    """Return an inverted file in place of the automatic index's scan, where its codes are many."""
    if not row.automatic or count < LISTED_FROM or search.key != "scan":
        return search
    values = {name: getattr(search, name) for name in ("candidates", "asymmetric")}
    return catalogue.search_structure("ivf").changed(**values)


def _codes(
    r: Transaction, row: IndexRow, kind: KindRow, encoder: Encoder, cached: CachedCodes | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint8]]:
    """Return the photographs with a code, (n,), and their codes, (n, bytes); damaged ones are computed again."""
    try:
        loaded = r.codes.load(row.id) if cached is None else cached.load(r, row)
    except DamagedRowError as error:
        _log.warning("%s: %s is damaged; codes are computed again, as a repair of the library does", row.name, error)
        codes, ids = encode_all(r, kind, encoder, r.descriptors.count(kind))
        return ids, codes
    return loaded.ids, loaded.codes


def _updated(
    before: LoadedIndex | None,
    row: IndexRow,
    search: Search,
    ids: npt.NDArray[np.int64],
    planes: UInt64Words,
    build_later: bool,
) -> UpdatableStructure | None:
    """Return the structure of the last load with the present codes; None if it does not fit any more."""
    if before is None or not isinstance(before.structure, UpdatableStructure):
        return None
    if (before.row.model_id, before.search) != (row.model_id, search):
        return None
    updated = before.structure.changed(ids, planes)
    return updated if build_later or not updated.rebuild_pays else None


def served_codes(r: Transaction, row: IndexRow, search: ServerLists, ids: npt.NDArray[np.int64]) -> ServedCodes:
    """Return the codes of an index as the library's server has them at this moment.

    Raises
    ------
    TwinlensError
        If the library is on no server, or that has no lists of the index yet, as after a copy.
    """
    tables = r.codes.tables
    if tables.lists(row.id) is None:
        raise tables.refusal() or TwinlensError(
            "The server has no lists of the codes of “{name}” yet.", Remedy("rescan"), name=row.name
        )
    return ServedCodes(search, tables.server(row.id), ids)


def built_kind(r: Transaction, row: IndexRow) -> KindRow:
    """Return the kind of descriptor of an index.

    Raises
    ------
    TwinlensError
        If it has none yet.
    """
    kind = kind_of(r, row)
    if kind is None:
        raise TwinlensError("“{name}” has no photos yet.", Remedy("add folder"), name=row.name)
    return kind


def measure_of(
    r: Transaction, row: IndexRow, descriptor: Descriptor, encoder: Encoder | None
) -> Measure | FittedMetric:
    """Return the measure of an index: its metric, or that of a supervised method, if one is fitted, else a kernel."""
    if row.metric_model_id is None:
        learned = None if encoder is None else encoder.learned_metric
        return learned or Measure(kernel_of(row, descriptor, encoder))
    from twinlens.core.hashing.method_under_metric import UnderMetric  # here, since few indexes have a metric

    return encoder.metric if isinstance(encoder, UnderMetric) else load_metric(r, row.metric_model_id)


def kernel_of(row: IndexRow, descriptor: Descriptor, encoder: Encoder | None) -> Kernel:
    """Return the kernel of an index: that of the hash method if it has one, otherwise the descriptor's own.

    While a method is not fitted, a kernel with ``auto`` is not known, and the descriptor's own takes its place.
    """
    if encoder is not None:
        return encoder.measure or descriptor.measure
    kernel = getattr(catalogue.method(row.method), "kernel", None)
    if not isinstance(kernel, Kernel) or "auto" in kernel.to_json().values():
        return descriptor.measure
    return kernel


class LoadedIndexes:
    """Cache of the last loaded indexes; safe to use from several threads.

    Codes carry a token that changes with them. An index without codes has none and is loaded again whenever the library
    has changed; its searches take longer than that anyway.

    Parameters
    ----------
    build_aside : bool
        Build slow search structures in a thread; meanwhile every code is compared.
    cached : CachedCodes, optional
        Where codes are kept that are slow to fetch.
    """

    def __init__(self, build_aside: bool = False, cached: CachedCodes | None = None) -> None:
        self._cached = cached
        self._lock = threading.Lock()
        self._build_aside = build_aside
        self._building: set[int] = set()
        self._kept: RecentValues[int, tuple[int | None, LoadedIndex]] = RecentValues(_KEPT)

    def get(self, r: Transaction, version: int | None, row: IndexRow) -> LoadedIndex:
        """Return an index at this moment.

        Parameters
        ----------
        version : int or None
            The version of the library that ``r`` sees; None if unknown.
        row : IndexRow
            As ``r`` sees it.

        Raises
        ------
        TwinlensError
            If it cannot be searched yet.
        """
        with self._lock:
            then, index = self._kept.get(row.id) or (None, None)
            seen = version is not None and version == then
            current = seen or (index is not None and index.structure is not None)
            if index is None or not current or _as_loaded(index.row, row) != index.row:
                index = load_index(r, row, index, self._build_aside, self._cached)
            elif index.row != row:
                index = replace(index, row=row)
            if isinstance(index.search, ServerLists) and index.structure is not None:
                index = replace(index, structure=served_codes(r, row, index.search, index.ids))
            self._kept.keep(row.id, (version, index))
            self._build_where_it_pays(index)
            return index

    def _build_where_it_pays(self, index: LoadedIndex) -> None:
        """Start building a structure that is missing or has changed much, unless that is under way."""
        structure = index.structure
        if (
            not self._build_aside
            or not isinstance(structure, UpdatableStructure)
            or not structure.rebuild_pays
            or index.row.id in self._building
        ):
            return
        self._building.add(index.row.id)
        threading.Thread(target=self._build, args=(index.row.id, structure), name="structure", daemon=True).start()

    def _build(self, index_id: int, structure: UpdatableStructure) -> None:
        try:
            built = structure.rebuilt()
            with self._lock:
                version, now = self._kept.peek(index_id) or (None, None)
                # Photographs may have come meanwhile; but codes of another encoder are no changes of these.
                present = None if now is None else now.structure
                if now is not None and isinstance(present, UpdatableStructure) and present.built is structure.built:
                    everything = np.arange(len(now.ids))
                    updated = built.changed(now.ids, present.codes(everything))
                    self._kept.keep(index_id, (version, replace(now, structure=updated)))
        finally:
            with self._lock:
                self._building.discard(index_id)


def _as_loaded(before: IndexRow, now: IndexRow) -> IndexRow:
    """Return the present row of an index with the old names and place, which may change under a loaded one."""
    return replace(now, name=before.name, metric_name=before.metric_name, position=before.position)


@dataclass(frozen=True, eq=False)
class IndexMeasure:
    """Measure of one index. Made by :func:`index_measure`.

    Attributes
    ----------
    kind : KindRow
        Kind of its vectors.
    measure : Measure or FittedMetric
        As search ranks by it.
    """

    row: IndexRow
    kind: KindRow
    descriptor: Descriptor
    measure: Measure | FittedMetric


def index_measure(r: Transaction, name: str) -> IndexMeasure:
    """Return the measure of an index.

    Raises
    ------
    TwinlensError
        If there is no such index, or it has no vectors yet.
    """
    row = find_index(r, name)
    kind = built_kind(r, row)
    descriptor = catalogue.descriptor(row.descriptor)
    encoder = load_encoder(r, row) if catalogue.search_structure(row.search).uses_codes else None
    return IndexMeasure(row, kind, descriptor, measure_of(r, row, descriptor, encoder))


class CachedCodes:
    """The codes of the indexes of a library, from the cache where that is up to date."""

    def __init__(self, library_id: str) -> None:
        self._folder = app_folders.cache_folder() / "codes" / library_id

    def load(self, r: Transaction, row: IndexRow) -> LoadedCodes:
        """Return the codes of an index at the moment of a transaction, as :meth:`Codes.load` does.

        Raises
        ------
        DamagedRowError
            If they are damaged in the library.
        """
        found = _read(self._folder / index_file_name(row), row)
        if found is not None:
            return found
        loaded = r.codes.load(row.id)
        try:
            with making_index_file(r, self._folder, row, loaded.ids.nbytes + loaded.codes.nbytes) as there:
                np.save(there / "ids.npy", loaded.ids)
                np.save(there / "codes.npy", loaded.codes)
                (there / "checksum").write_text(str(_sum(loaded)))
        except OSError as error:
            _log.warning("Codes are not kept in %s: %s", self._folder, error)
        return loaded


def _read(folder: Path, row: IndexRow) -> LoadedCodes | None:
    """Read cached codes; None where there are none or they are damaged."""
    try:
        ids, codes = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in ("ids", "codes"))
        loaded = LoadedCodes(ids, codes, row.model_id, row.codes_token)
        return loaded if (folder / "checksum").read_text() == str(_sum(loaded)) else None
    except (OSError, ValueError, EOFError, TokenError):
        return None


def _sum(loaded: LoadedCodes) -> int:
    return checksum(str((loaded.ids.dtype, loaded.codes.shape)), loaded.ids.data, loaded.codes.data)


def index_file_name(row: IndexRow) -> str:
    """Return the name of the folder that holds the files of an index."""
    return f"{row.id}-{row.codes_token:x}"


_SHARE = 0.25  # of what is free on the disk
_PART = "part-"  # while it is made


@contextmanager
def making_index_file(r: Transaction, folder: Path, row: IndexRow, size: int) -> Iterator[Path]:
    """Yield an empty folder for the files of an index; at the end of the block it takes its place.

    Files of indexes that are gone or have other codes are removed then.

    Parameters
    ----------
    r : Transaction
        The transaction in which the index was read.
    folder : Path
        Of all such files of one library; made if it is missing.
    size : int
        Bytes of the files.

    Raises
    ------
    OSError
        If they would take too much of the disk, or cannot be written.
    """
    private_files.make_folder(folder)
    if size > _SHARE * shutil.disk_usage(folder).free:
        raise OSError("too little room is free")
    with tempfile.TemporaryDirectory(dir=folder, prefix=_PART, ignore_cleanup_errors=True) as made:
        there = Path(made) / "whole"
        there.mkdir()
        yield there
        _remove_others(
            folder, {index_file_name(one) for one in r.indexes.all()} - {index_file_name(row)}
        )  # a damaged one, too
        with contextlib.suppress(FileExistsError):
            there.rename(folder / index_file_name(row))


_FORGOTTEN_S = 86_400.0


def _remove_others(folder: Path, wanted: set[str]) -> None:
    """Remove files of indexes that are gone or have other codes, and unfinished ones of a killed program."""
    before = time.time() - _FORGOTTEN_S
    for old in folder.glob("*-*"):
        with contextlib.suppress(OSError):
            being_made = old.name.startswith(_PART) and old.stat().st_mtime > before
            if old.name not in wanted and not being_made:
                shutil.rmtree(old, ignore_errors=True)
