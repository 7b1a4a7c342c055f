"""Searching: query, descriptor, code, candidates, exact re-rank, ranked hits; with a stopwatch for each step."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from app.indexes import find_index, text_of
from app.library import AUTOMATIC, Library
from app.loaded_index import LoadedIndex, load_index
from app.queries import Query, find_query
from app.results import Hit, SearchResult, SearchResults, Seconds, shown
from core.codes import planar
from core.errors import TwinlensError
from core.progress import Progress, silent
from core.search.exact_scan import nearest_by
from storage.filters import Filter, Shape
from storage.schema import State
from storage.transaction import Transaction

Ids = npt.NDArray[np.int64]
Distances = npt.NDArray[np.float64]


_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)


@dataclass(frozen=True)
class Filters:
    """What a search may answer with; a filter never costs a correct result.

    Attributes
    ----------
    since, until : str or None
        Dates of taking, both included: ``2023``, ``2023-05``, ``2023-05-14``.
    folder : Path or None
    camera : str or None
        Part of the camera's name.
    orientation : str or None
        ``landscape``, ``portrait`` or ``square``.
    """

    since: str | None = None
    until: str | None = None
    folder: Path | None = None
    camera: str | None = None
    orientation: str | None = None


@dataclass(frozen=True)
class _Asked:
    """A query, described for one index; the seconds that describing it took."""

    query: Query
    vector: npt.NDArray[np.float32]
    extracting: float


@dataclass(frozen=True)
class _Ranked:
    """Photographs in the order of (distance, id), and what it took to find them."""

    ids: Ids
    distances: Distances
    encode: float
    scan: float
    rerank: float
    looked_at: int
    scanned: int


def search(
    library: Library,
    pictures: Sequence[Path | int],
    indexes: Sequence[str] = (AUTOMATIC,),
    k: int = 20,
    exact: bool = False,
    compare_exact: bool = False,
    filters: Filters = Filters(),
    progress: Progress = silent,
) -> SearchResults:
    """Find the look-alikes of pictures.

    Parameters
    ----------
    library : Library
    pictures : sequence of Path or int
        Files anywhere, or ids of photographs.
    indexes : sequence of str
        Names of indexes; each answers each picture.
    k : int
        How many hits.
    exact : bool
        Measure every photograph exactly instead of only the candidates.
    compare_exact : bool
        Say too which share of the exact first k is among the hits.
    filters : Filters
    progress : Progress

    Raises
    ------
    TwinlensError
        If the library is empty, there is no such index or picture, or a picture cannot be read.
    """
    results = []
    with library.store.reading() as r:
        loaded = [load_index(r, find_index(r, name)) for name in indexes]
        if all(len(index.ids) == 0 for index in loaded):
            raise TwinlensError("The library has no photographs yet.", "Add some with `twinlens add FOLDER`.")
        allowed = _allowed(library, r, filters)
        masks = [_mask(index.ids, allowed) for index in loaded]
        kinds = list({index.kind.id: index.kind for index in loaded}.values())
        for number, picture in enumerate(pictures):
            progress(number, len(pictures), shown(str(picture).encode("utf-8", "surrogateescape")))
            query = find_query(library, r, picture)
            vectors, extracting = query.vectors(r, kinds)
            for index, mask in zip(loaded, masks, strict=True):
                asked = _Asked(query, vectors[index.kind.id], extracting)
                results.append(_answer(library, r, index, mask, asked, k, exact, compare_exact))
    return SearchResults(results=results)


def _allowed(library: Library, r: Transaction, filters: Filters) -> Ids | None:
    """Give the ids that may be found, ascending; None for all that have a code."""
    for date in (filters.since, filters.until):
        if date is not None and not _DATE.fullmatch(date):
            raise TwinlensError(f"“{date}” is no date.", "Write a year, a month or a day: 2023, 2023-05 or 2023-05-14.")
    counts = r.photographs.counts()
    if filters == Filters() and counts[State.MISSING] == counts[State.UNREADABLE] == 0:
        return None
    folders: tuple[tuple[int, bytes], ...] = ()
    if filters.folder is not None:
        place = library.place(r, str(filters.folder.expanduser().absolute()).encode("utf-8", "surrogateescape"))
        if place is None or r.photographs.count_under(*place) == 0:
            raise TwinlensError(
                f"The library has no photographs in {filters.folder}.", "See `twinlens status` for its folders."
            )
        folders = (place,)
    try:
        shape = None if filters.orientation is None else Shape(filters.orientation)
    except ValueError:
        raise TwinlensError(
            f"There is no orientation “{filters.orientation}”.", f"There are {', '.join(Shape)}."
        ) from None
    states = (State.READY, State.PENDING)
    return r.photographs.matching(Filter(folders, filters.since, filters.until, filters.camera, shape, states))


def _mask(ids: Ids, allowed: Ids | None) -> npt.NDArray[np.bool_] | None:
    return None if allowed is None else np.isin(ids, allowed, assume_unique=True)


def _answer(
    library: Library,
    r: Transaction,
    index: LoadedIndex,
    mask: npt.NDArray[np.bool_] | None,
    query: _Asked,
    k: int,
    exact: bool,
    compare_exact: bool,
) -> SearchResult:
    started = time.perf_counter()
    vector = query.vector
    exactly = exact or index.structure is None
    ranked = _rank_exactly(r, index, mask, vector, k) if exactly else _rank(r, index, mask, vector, k)
    total = query.extracting + time.perf_counter() - started
    overlap = None
    if compare_exact:
        truth = ranked if exactly else _rank_exactly(r, index, mask, vector, k)
        overlap = float(np.isin(truth.ids, ranked.ids).mean()) if len(truth.ids) else 1.0
    rows = r.photographs.by_id(ranked.ids)
    similarities = index.measure.similarities(ranked.distances)
    asked = None if query.query.photograph is None else query.query.photograph.id
    hits = [
        Hit(
            path=shown(path),
            id=row.id,
            distance=round(float(distance), 6),
            similarity=round(float(similarity), 6),
            query=row.id == asked,
        )
        for row, path, distance, similarity in zip(
            rows, library.paths(r, rows), ranked.distances, similarities, strict=True
        )
    ]
    return SearchResult(
        query=query.query.name,
        index=index.row.name,
        text=text_of(index.row),
        measure=index.measure_name,
        exact=exactly,
        hits=hits,
        seconds=Seconds(
            extract=query.extracting, encode=ranked.encode, scan=ranked.scan, rerank=ranked.rerank, total=total
        ),
        looked_at=ranked.looked_at,
        scanned=ranked.scanned,
        of=len(index.ids),
        overlap=overlap,
        note=_note(index, vector, exact),
    )


def _note(index: LoadedIndex, vector: npt.NDArray[np.float32], exact: bool) -> str:
    """Say what a person should know of this answer."""
    if not vector.any():
        return (
            f"This picture has nothing that {index.descriptor.plain_name} could be told by; "
            "ask an index of another descriptor, such as “Colours”."
        )
    if index.structure is None and not exact and index.search.uses_codes:
        return "The index is not fitted yet, so every photograph was measured."
    return ""


def _rank(
    r: Transaction, index: LoadedIndex, mask: npt.NDArray[np.bool_] | None, vector: npt.NDArray[np.float32], k: int
) -> _Ranked:
    """Find candidates by their codes and rank them by the exact measure."""
    assert index.encoder is not None
    assert index.structure is not None
    start = time.perf_counter()
    code = planar(index.encoder.encode(vector[None, :]))[:, 0]
    encoded = time.perf_counter()
    found = index.structure.candidates(np.ascontiguousarray(code), index.search.depth(k), mask)
    scanned = time.perf_counter()
    ids = index.ids[found.rows]
    vectors, present = r.descriptors.read(index.kind, ids)
    distances = index.measure.distances(vector, vectors.astype(np.float32))
    ids, distances = _first(ids[present], distances[present], k)
    done = time.perf_counter()
    return _Ranked(
        ids, distances, encoded - start, scanned - encoded, done - scanned, int(present.sum()), found.scanned
    )


def _rank_exactly(
    r: Transaction, index: LoadedIndex, mask: npt.NDArray[np.bool_] | None, vector: npt.NDArray[np.float32], k: int
) -> _Ranked:
    """Measure every photograph that may be found."""
    start = time.perf_counter()

    def measured(rows: slice) -> Distances:
        vectors, _ = r.descriptors.read(index.kind, index.ids[rows])
        return index.measure.distances(vector, vectors.astype(np.float32))

    found = nearest_by(measured, len(index.ids), k, mask)
    looked_at = len(index.ids) if mask is None else int(np.count_nonzero(mask))
    return _Ranked(index.ids[found.rows], found.distances, 0.0, 0.0, time.perf_counter() - start, looked_at, 0)


def _first(ids: Ids, distances: Distances, k: int) -> tuple[Ids, Distances]:
    """Give the first k by (distance, id)."""
    order = np.lexsort((ids, distances))[:k]
    return ids[order], distances[order]
