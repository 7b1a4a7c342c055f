"""The search space: the photographs of an index that pass the filters at one moment, and a sample of them."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.loaded_index import LoadedIndex
from twinlens.app.language.text_folding import NO_CAMERA
from twinlens.app.library.library import Library
from twinlens.app.search.query_distance import QueryDistance
from twinlens.app.search.search_options import Filters
from twinlens.app.search.search_results import Histogram
from twinlens.core.arrays import Int64Ids, OptionalMask
from twinlens.core.containers import RecentValues
from twinlens.core.date_taken import check_dates
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded
from twinlens.core.message import Message, counted
from twinlens.core.vectors import as_float32
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photograph_listing import Filter, MarkFilter, PictureShape

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
    version : int or None
        Equal at two moments if nothing changed in between; None while something is changing, or if it is unknown.
    """

    r: Transaction
    version: int | None = None


@dataclass(frozen=True, eq=False)
class SearchSpace:
    """The photographs of an index that may be found at one moment.

    Attributes
    ----------
    mask : ndarray of bool, (n,), or None
        The photographs of the index that may be found; None for all.
    sample : HistogramSample
        A fixed random sample of them; all if they are few.
    library_id : str
        The name under which rounded vectors are kept; empty to keep none.
    """

    r: Transaction
    index: LoadedIndex
    mask: OptionalMask = None
    sample: HistogramSample = field(default_factory=lambda: HistogramSample(np.empty(0, np.int64)))
    library_id: str = ""

    @cached_property
    def count(self) -> int:
        """The number of photographs that may be found."""
        return len(self.index.ids) if self.mask is None else int(np.count_nonzero(self.mask))

    def histogram(self, distance: QueryDistance) -> Histogram:
        """Return the histogram of the sample's similarities to a query."""
        vectors = self.sample.read(self.r, self.index.kind)
        return Histogram(counts=bin_counts(distance.similarities(vectors)), low=0.0, high=1.0, sample=len(vectors))


def bin_counts(similarities: npt.NDArray[np.float64]) -> list[int]:
    """Count similarities in [0, 1] in ``PARTS`` bins; a value on a border belongs to the upper bin, 1 to the last.

    Examples
    --------
    >>> counts = bin_counts(np.array([0.0, 0.01, 0.5, 1.0]))
    >>> counts[0], counts[25], counts[-1], sum(counts)
    (2, 1, 1, 4)
    """
    parts = np.minimum((similarities * PARTS).astype(np.intp), PARTS - 1)
    counts: list[int] = np.bincount(parts, minlength=PARTS).tolist()
    return counts


class HistogramSample:
    """A sample of photographs, drawn and read when a histogram is first wanted.

    Parameters
    ----------
    among : ndarray of int64, (n,)
        Ascending ids.
    """

    def __init__(self, among: Int64Ids) -> None:
        self._among = among
        self._vectors: npt.NDArray[np.float32] | None = None

    def ids(self, dimensions: int) -> Int64Ids:
        """Draw, in the order of the ids; fewer where their vectors are long."""
        size = min(SAMPLE, max(_LEAST_SAMPLE, _SAMPLE_NUMBERS // dimensions))
        if len(self._among) <= size:
            return self._among
        return self._among[np.sort(np.random.default_rng(0).choice(len(self._among), size, replace=False))]

    def read(self, r: Transaction, kind: KindRow) -> npt.NDArray[np.float32]:
        """Return the vectors of those that have one, (s, d)."""
        if self._vectors is None:
            vectors, present = r.descriptors.read(kind, self.ids(kind.dimensions))
            self._vectors = as_float32(vectors[present])
        return self._vectors


class _Passing(NamedTuple):
    """The photographs that pass some filters: a mask over the ids of an index, and a sample of them."""

    version: int | None
    ids: Int64Ids
    mask: OptionalMask
    sample: HistogramSample


class SearchSpaces:
    """Makes search spaces, and keeps those of the last filters until they change. Safe to use from several threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._kept: RecentValues[tuple[int, Filters], _Passing] = RecentValues(_KEPT)

    def get(self, moment: Moment, index: LoadedIndex, filters: Filters) -> SearchSpace:
        """Return the photographs of an index that pass filters at this moment.

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
            self._kept.keep(key, known)
        return SearchSpace(moment.r, index, known.mask, known.sample, self._library.store.id)

    def _look(self, moment: Moment, index: LoadedIndex, filters: Filters, known: _Passing | None) -> _Passing:
        """Find the photographs that pass; the sample stays if they are the same as before."""
        mask = passing(self._library, moment.r, filters, index.ids)
        if known is not None and _same(mask, known.mask):
            return known._replace(version=moment.version)
        allowed = index.ids if mask is None else index.ids[mask]
        return _Passing(moment.version, index.ids, mask, HistogramSample(allowed))


def _same(one: OptionalMask, other: OptionalMask) -> bool:
    return one is other if one is None or other is None else np.array_equal(one, other)


_NAMED = 5  # cameras named in a message
_NEVER = (PhotographState.MISSING, PhotographState.UNREADABLE)


def passing(library: Library, r: Transaction, filters: Filters, ids: Int64Ids) -> OptionalMask:
    """Return which of ascending ids may be found.

    Parameters
    ----------
    ids : Int64Ids, (n,)

    Returns
    -------
    ndarray of bool, (n,), or None
        None if all may. Photographs whose files are missing or unreadable never may.

    Raises
    ------
    TwinlensError
        If a date, folder or camera does not exist, or no word is known.
    """
    plain = filters.changed(**dict.fromkeys(("shows", "rating", "label", "pick", "near", "within", "album")))
    if plain == Filters():
        # Hidden photographs are few, and found without looking at the others.
        hidden = r.photographs.matching(Filter(states=_NEVER))
        places = np.searchsorted(ids, hidden)
        known = places < len(ids)
        known[known] = ids[places[known]] == hidden[known]
        mask = np.ones(len(ids), np.bool_)
        mask[places[known]] = False
    else:
        mask = np.isin(ids, r.photographs.matching(_choice(library, r, plain)), assume_unique=True)
    if filters.shows is not None:
        from twinlens.app.library.browsing.shown_concepts import (  # here, since few searches need them
            ShownConcepts,
            read_words,
        )

        mask &= ShownConcepts.of(r).surely(read_words(filters.shows, "en"), ids)
    if filters.album is not None:
        from twinlens.app.library.browsing.albums import album_photographs

        mask &= np.isin(ids, album_photographs(library, filters.album), assume_unique=True)
    if any(noted := (filters.rating, filters.label, filters.pick)):
        from twinlens.app.library.browsing.overview import overview

        seen = overview(library, needed=["notes"])
        assert seen.notes is not None
        mask &= np.isin(ids, seen.basics.ids[seen.notes.passing(*noted)], assume_unique=True)
    if filters.near is not None:
        from twinlens.app.library.browsing.overview import overview
        from twinlens.app.library.browsing.places import WITHIN, place_of

        seen = overview(library, needed=["spots"])
        assert seen.spots is not None
        near = seen.spots.near(place_of(library, r, filters.near), filters.within or WITHIN)
        mask &= np.isin(ids, seen.basics.ids[near], assume_unique=True)
    return None if mask.all() else mask


def _choice(library: Library, r: Transaction, filters: Filters) -> Filter:
    """Return the filter of the store; refuse filters that do not exist."""
    check_period(filters)
    if filters.camera not in (None, NO_CAMERA):
        _check_camera(r, filters.camera)
    folders = () if filters.folder is None else (folder_place(library, r, filters.folder),)
    shape = None if filters.orientation is None else PictureShape(filters.orientation)
    marked = None if filters.marked is None else MarkFilter(filters.marked)
    states = tuple(state for state in PhotographState if state not in _NEVER)
    camera = "" if filters.camera == NO_CAMERA else filters.camera
    return Filter(folders, filters.since, filters.until, camera, shape, states, marked)


def check_period(filters: Filters) -> None:
    """Refuse dates that are none, or of which the first is the later.

    Raises
    ------
    TwinlensError
    """
    check_dates(filters.since, filters.until)
    if filters.since and filters.until and filters.since[: len(filters.until)] > filters.until[: len(filters.since)]:
        raise TwinlensError(
            "The start {since} is later than the end {until}.",
            "Swap the two dates.",
            since=filters.since,
            until=filters.until,
        )


def folder_place(library: Library, r: Transaction, folder: Path) -> tuple[int, bytes]:
    """Return the volume of a folder and its path there.

    Raises
    ------
    TwinlensError
        If the library has no photograph in it.
    """
    place = library.place(r, str(expanded(folder).absolute()).encode("utf-8", "surrogateescape"))
    if place is None or r.photographs.count_under(*place) == 0:
        raise TwinlensError(
            "The library has no photos in {folder}.", "Choose another folder, or add this one.", folder=folder
        )
    return place


def _check_camera(r: Transaction, name: str) -> None:
    """Refuse a camera without photographs; the error names similar ones, or the most frequent."""
    cameras = r.photographs.cameras()
    if any(name.casefold() in camera.casefold() for camera in cameras):
        return
    if not cameras:
        raise TwinlensError(
            "No photo was taken with a camera “{name}”: none of your photos names its camera.",
            "Search without a camera.",
            name=name,
        )
    import difflib  # here, since only what was misspelt needs it

    known = {camera.casefold(): camera for camera in cameras}
    near = [known[one] for one in difflib.get_close_matches(name.casefold(), known, n=_NAMED, cutoff=0.4)]
    message = Message("No photo was taken with a camera “{name}”.", name=name)
    if near:
        raise TwinlensError(message, "Did you mean one of these: {cameras}?", cameras=near)
    more, named = len(cameras) - _NAMED, cameras[:_NAMED]
    there = Message("Your photos come from {cameras}.", cameras=named)
    if more > 0:
        there = counted(
            "Your photos come from {cameras} and {count} other camera.",
            "Your photos come from {cameras} and {count} other cameras.",
            more,
            cameras=named,
        )
    raise TwinlensError(message, there)
