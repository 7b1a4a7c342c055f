"""Duplicates: identical files, and photographs that are nearly the same by an index.

Pairs of near codes come from :mod:`core.search.pairs.code_pairs`, which does not compare all with all; each pair is
then measured exactly. The distance of codes that misses few is learned from a sample of the library.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.duplicates.results import Duplicate, DuplicateGroup, DuplicatesResult
from app.indexes.default_index import DEFAULT, named_index
from app.indexes.loaded_index import LoadedIndex
from app.library.library import Library
from app.results import shown
from app.search.error_rate import NO_THRESHOLD, sure_distance
from app.search.searcher import Searcher
from core.errors import Remedy, TwinlensError
from core.hashing.packed_codes import Words
from core.message import Message, counted
from core.progress import Progress, part, silent
from core.search.hamming.hamming_scan import nearest
from core.search.pairs.code_pairs import pairs_within
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import PhotographRow

Rows = npt.NDArray[np.int64]
Values = npt.NDArray[np.float64]

WITHOUT_CODES = 10_000
"""Largest number of photographs that an index without codes compares all with all."""

_LEAST = 1e-6  # similarity; at 0, everything would be the same
_SAMPLE = 300
_NEAR = 50
_LARGEST_SHARE = 0.25  # of the bits; codes that differ more say nothing about similarity
_PAIRS_AT_ONCE = 50_000
_SEED = 0


@dataclass(frozen=True, eq=False)
class _Alike:
    """Pairs of rows of an index with their similarities."""

    first: Rows
    second: Rows
    similarities: Values


def find_duplicates(
    library: Library,
    index: str = DEFAULT,
    similarity: float = 0.9,
    progress: Progress = silent,
    wrong: float | None = None,
) -> DuplicatesResult:
    """Find groups of photographs that are the same, or nearly.

    Parameters
    ----------
    library : Library
    index : str
        Index by which they are compared; by default the default one.
    similarity : float
        Least similarity of two photographs of a group, in (0, 1]; identical files always count.
    progress : Progress
    wrong : float, optional
        In place of a similarity: the share of wrong pairs, judged by the marks.

    Raises
    ------
    TwinlensError
        If there is no such index, the library is large and the index has no codes, or there are too few marks.
    Cancelled
        If progress says so.
    """
    if not 0 < similarity <= 1:
        raise TwinlensError(
            Message("The similarity cannot be {similarity:g}.", similarity=similarity),
            Message("Choose one above 0 and up to 1."),
        )
    with library.store.reading() as r:
        index = named_index(r, index).name
    sure = None
    if wrong is not None:
        sure = sure_distance(library, index, wrong)
        if sure is None:
            raise TwinlensError(NO_THRESHOLD, Remedy("mark pairs"))
        similarity = max(sure.similarity, _LEAST)
    searcher = Searcher(library)
    with searcher.moment() as moment:
        loaded = searcher.index(moment, index)
        r, ids = moment.r, loaded.ids
        contents = _contents(r, ids)
        alike = [_copies(contents), *_near(r, loaded, similarity, progress)]
        pairs = _Alike(
            np.concatenate([one.first for one in alike]),
            np.concatenate([one.second for one in alike]),
            np.concatenate([one.similarities for one in alike]),
        )
        groups = [_group(library, r, loaded, rows, contents) for rows in _connected(pairs, len(ids))]
    groups.sort(key=lambda group: (-len(group.photographs), group.photographs[0].id))
    return DuplicatesResult(
        index=loaded.row.name,
        similarity=similarity,
        threshold=sure,
        of=len(ids),
        groups=groups,
        superfluous=sum(len(group.photographs) - 1 for group in groups),
        bytes=sum(one.bytes for group in groups for one in group.photographs[1:]),
    )


def _contents(r: Transaction, ids: Rows) -> Rows:
    """Return a number for the content of each photograph, (n,), equal for equal files; below 0 if unknown."""
    there, hashes = r.photographs.contents(ids)
    numbers: dict[bytes, int] = {}
    contents: Rows = np.full(len(ids), -1, np.int64)
    contents[np.searchsorted(ids, there)] = [numbers.setdefault(content, len(numbers)) for content in hashes]
    return contents


def _copies(contents: Rows) -> _Alike:
    """Pair every photograph with the first of the same content."""
    rows = np.flatnonzero(contents >= 0)
    _, first, which = np.unique(contents[rows], return_index=True, return_inverse=True)
    pairs = np.column_stack((rows[first[which]], rows))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return _Alike(pairs[:, 0], pairs[:, 1], np.ones(len(pairs)))


def _near(r: Transaction, index: LoadedIndex, similarity: float, progress: Progress) -> Iterator[_Alike]:
    """Yield the pairs of at least this similarity by the index's measure."""
    n = len(index.ids)
    if index.structure is None or index.encoder is None:
        if n > WITHOUT_CODES:
            raise TwinlensError(
                counted(
                    "“{name}” has no codes, so it cannot find duplicates among {count} photo.",
                    "“{name}” has no codes, so it cannot find duplicates among {count} photos.",
                    n,
                    name=index.row.name,
                ),
                Message("Choose an index with a hash method, such as “Automatic”."),
            )
        for row in range(n - 1):
            progress(row, n, Message("Comparing all photos with each other"))
            others = np.arange(row + 1, n)
            yield _measured(r, index, np.full(len(others), row), others, similarity)
        return
    codes = index.structure.codes(np.arange(n))
    radius = _radius(r, index, codes, similarity)
    for pairs in pairs_within(codes, radius, index.encoder.bits, part(progress, 0.05, 1.0)):
        for start in range(0, len(pairs.first), _PAIRS_AT_ONCE):
            some = slice(start, start + _PAIRS_AT_ONCE)
            yield _measured(r, index, pairs.first[some], pairs.second[some], similarity)


def _radius(r: Transaction, index: LoadedIndex, codes: Words, similarity: float) -> int:
    """Return the Hamming distance within which similar photographs lie, estimated from a sample."""
    assert index.encoder is not None
    bits, n = index.encoder.bits, codes.shape[1]
    expected = bits * math.acos(min(1.0, similarity)) / math.pi  # where bits are signs of random projections
    rng = np.random.default_rng(_SEED)
    chosen = np.sort(rng.choice(n, min(n, _SAMPLE), replace=False))
    found = nearest(codes, np.ascontiguousarray(codes[:, chosen].T), min(n, _NEAR))
    first, second = np.repeat(chosen, found.rows.shape[1]), found.rows.reshape(-1)
    alike = _measured(r, index, first, second, similarity)
    apart = np.bitwise_count(codes[:, alike.first] ^ codes[:, alike.second]).sum(axis=0, dtype=np.int64)
    seen = float(np.quantile(apart, 0.99)) * 1.1 + 1 if len(apart) else 0.0
    return int(min(max(expected, seen), _LARGEST_SHARE * bits))


def _measured(r: Transaction, index: LoadedIndex, first: Rows, second: Rows, similarity: float) -> _Alike:
    """Measure pairs exactly, and keep those that are similar enough; blank photographs are similar to nothing."""
    order = np.argsort(first, kind="stable")
    first, second = first[order], second[order]
    rows = np.unique(np.concatenate([first, second]))
    vectors, present = r.descriptors.read(index.kind, index.ids[rows])
    vectors = vectors.astype(np.float32)
    telling = present & vectors.any(axis=1)
    similarities = np.zeros(len(first))
    starts = np.flatnonzero(np.diff(first, prepend=-1))
    for start, stop in zip(starts, [*starts[1:], len(first)], strict=True):
        place = int(np.searchsorted(rows, first[start]))
        others = np.searchsorted(rows, second[start:stop])
        if telling[place]:
            distances = index.measure.distances(vectors[place], vectors[others])
            similarities[start:stop] = np.where(telling[others], index.measure.similarities(distances), 0.0)
    kept = (similarities >= similarity) & (first != second)
    return _Alike(first[kept], second[kept], similarities[kept])


def _connected(pairs: _Alike, n: int) -> list[Rows]:
    """Return the groups of rows that chains of pairs connect."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(pairs.first), np.int8), (pairs.first, pairs.second)), (n, n))
    _, label = connected_components(graph, directed=False)
    rows = np.unique(np.concatenate([pairs.first, pairs.second]))
    order = np.argsort(label[rows], kind="stable")
    cuts = np.flatnonzero(np.diff(label[rows][order])) + 1
    return [some for some in np.split(rows[order], cuts) if len(some) > 1]


def _group(library: Library, r: Transaction, index: LoadedIndex, rows: Rows, contents: Rows) -> DuplicateGroup:
    """Return a group: the photograph with the most pixels first, then the others by their similarity to it."""
    found = {row.id: row for row in r.photographs.by_id(index.ids[rows])}
    sizes = np.array([_pixels(found[photograph]) for photograph in index.ids[rows].tolist()])
    best = int(np.lexsort((rows, -sizes))[0])
    others = np.delete(rows, best)
    to_best = _measured(r, index, np.full(len(others), rows[best]), others, 0.0).similarities
    to_best[(contents[others] == contents[rows[best]]) & (contents[others] >= 0)] = 1.0
    order = np.lexsort((others, -to_best))
    photographs = index.ids[np.concatenate([[rows[best]], others[order]])].tolist()
    listed = [found[photograph] for photograph in photographs]
    values = [1.0, *to_best[order].tolist()]
    return DuplicateGroup(
        photographs=[
            Duplicate(
                path=shown(path),
                id=row.id,
                similarity=round(float(value), 6),
                width=row.width,
                height=row.height,
                bytes=row.size,
            )
            for row, path, value in zip(listed, library.paths(r, listed), values, strict=True)
        ]
    )


def _pixels(row: PhotographRow) -> int:
    return (row.width or 0) * (row.height or 0)
