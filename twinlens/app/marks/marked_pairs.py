"""Marked pairs by photograph: those of a library or a file, to learn from, and those among or of some photographs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from twinlens.app.library.library import Library
from twinlens.app.marks.pair_file import NamedPair
from twinlens.core.arrays import Int64Ids
from twinlens.core.message import NOTHING, Message, counted
from twinlens.storage.database.dialect import plain
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.marks import MarkRow
from twinlens.storage.photographs.descriptors import KindRow


@dataclass(frozen=True, eq=False)
class MarkedPairs:
    """Pairs of photographs with their judgements.

    Attributes
    ----------
    ids : ndarray of int64, (c,)
        The photographs in pairs, ascending.
    rows : ndarray of int64, (p, 2)
        Pairs of places in `ids`.
    similar : ndarray of bool, (p,)
    left_out : list of Message
        A sentence for each kind of marks that are left out.
    contradicted : int
        Pairs that are marked both ways.
    """

    ids: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    similar: npt.NDArray[np.bool_]
    left_out: list[Message]
    contradicted: int = 0

    @classmethod
    def of(cls, pairs: list[tuple[int, int, bool]], left_out: list[Message], contradicted: int = 0) -> MarkedPairs:
        """Make them of (photograph, photograph, whether they are similar)."""
        photographs = np.array([some[:2] for some in pairs], np.int64).reshape(-1, 2)
        ids, rows = np.unique(photographs, return_inverse=True)
        similar = np.array([one for *_, one in pairs], bool)
        return cls(ids, rows.reshape(-1, 2).astype(np.int64), similar, left_out, contradicted)


def pairs_for(r: Transaction, kind: KindRow) -> MarkedPairs:
    """Return the marks that a metric for a kind of descriptor can be learned from.

    Contradicted marks are left out, and marks of photographs that are away or have no vector yet. Several photographs
    of one content count as the first of them.
    """
    photographs = {key: row.id for key, row in r.marks.photographs().items() if row.state is PhotographState.READY}
    described = set(r.descriptors.ids(kind).tolist())
    contradicted = r.marks.contradicted()
    against, away, waiting = set(), 0, 0
    found: list[tuple[int, int, bool]] = []
    for row in r.marks.all():
        first, second = (photographs.get(content) for content in row.pair)
        if row.pair in contradicted:
            against.add(row.pair)
        elif first is None or second is None:
            away += 1
        elif first not in described or second not in described:
            waiting += 1
        else:
            found.append((first, second, row.similar))
    left_out = (both_ways(len(against)), _away(away), _waiting(waiting))
    return MarkedPairs.of(found, [one for one in left_out if one], len(against))


def _away(pairs: int) -> Message:
    return (
        NOTHING
        if not pairs
        else counted(
            "Left out: {count} pair is of photos that are not there.",
            "Left out: {count} pairs are of photos that are not there.",
            pairs,
        )
    )


def _waiting(pairs: int) -> Message:
    return (
        NOTHING
        if not pairs
        else counted(
            "Left out: {count} pair is of photos that this index has not described yet. Look for changes first.",
            "Left out: {count} pairs are of photos that this index has not described yet. Look for changes first.",
            pairs,
        )
    )


def both_ways(pairs: int) -> Message:
    """Describe how many pairs are left out since they are marked both ways; empty for none."""
    return (
        NOTHING
        if not pairs
        else counted(
            "Left out: {count} pair is marked both similar and different.",
            "Left out: {count} pairs are marked both similar and different.",
            pairs,
        )
    )


def named_pairs(library: Library, r: Transaction, named: Iterable[NamedPair]) -> MarkedPairs:
    """Return the pairs of a file, by the photographs of the library that they name."""
    left_out: list[Message] = []
    known: dict[tuple[str, str], int | None] = {}
    found: list[tuple[int, int, bool]] = []
    for one in named:
        both = (one.first, one.first_content), (one.second, one.second_content)
        for picture in both:
            if picture not in known:
                known[picture] = _photograph(library, r, *picture)
            if known[picture] is None:
                left_out.append(
                    Message("Pair {line}: the library has no photo {name}.", line=one.line, name=picture[0])
                )
        first, second = (known[picture] for picture in both)
        if first is not None and second is not None:
            found.append((first, second, one.similar))
    return MarkedPairs.of(found, left_out)


def _photograph(library: Library, r: Transaction, word: str, content: str) -> int | None:
    """Find a photograph by its content, if that is given, else by its id or path; None where there is none."""
    if content:
        try:
            digest = bytes.fromhex(content)
        except ValueError:
            return None
        return next((row.id for row in r.photographs.by_hash(digest) if row.state is PhotographState.READY), None)
    row = library.find(r, int(word) if word.isdecimal() else Path(word))
    return row.id if row is not None and row.state is PhotographState.READY else None


@dataclass(frozen=True)
class JudgedPair:
    """The marks between two photographs.

    Attributes
    ----------
    first, second : int
        Photographs. Of :func:`marks_among` the smaller id is the first; of :func:`marks_of` it is the given one.
    similar : bool or None
        None: it is marked both ways, and neither mark is used.
    marks : tuple of int
        Ids of the marks, for :func:`twinlens.app.marks.marks.remove_marks`; two where it is marked both ways.
    """

    first: int
    second: int
    similar: bool | None
    marks: tuple[int, ...]


def marks_among(r: Transaction, ids: Sequence[int] | Int64Ids) -> list[JudgedPair]:
    """Return the marked pairs among some photographs, in the order of their first marks.

    Photographs of one content are one picture: its marks hold for each of the given photographs.

    Parameters
    ----------
    ids : sequence of int
        Photographs; unknown and unread ones have no marks.
    """
    if not r.marks.count():
        return []
    having = _photographs(r, ids)
    pairs = [
        (first, second, rows)
        for (one, other), rows in _by_pair(r.marks.among(having)).items()
        for first in having[one]
        for second in having[other]
    ]
    return [_judged(min(first, second), max(first, second), rows) for first, second, rows in pairs]


_MANY = 2_000  # ids from which on one pass over all photographs is cheaper than looking them up
_LARGEST = 2**63


def _photographs(r: Transaction, ids: Sequence[int] | Int64Ids) -> dict[bytes, list[int]]:
    """Return the photographs that have each content."""
    wanted = [one for one in plain(ids) if 0 <= one < _LARGEST]
    having: dict[bytes, list[int]] = {}
    if len(wanted) > _MANY:
        found, hashes = r.photographs.contents(np.unique(np.array(wanted, np.int64)))
        for photograph, content in zip(found.tolist(), hashes, strict=True):
            having.setdefault(content, []).append(photograph)
        return having
    for row in r.photographs.by_id(sorted(set(wanted))):
        if row.content_hash is not None:
            having.setdefault(row.content_hash, []).append(row.id)
    return having


def _by_pair(rows: Iterable[MarkRow]) -> dict[tuple[bytes, bytes], list[MarkRow]]:
    found: dict[tuple[bytes, bytes], list[MarkRow]] = {}
    for row in rows:
        found.setdefault(row.pair, []).append(row)
    return found


def _judged(first: int, second: int, rows: Sequence[MarkRow]) -> JudgedPair:
    similar = rows[0].similar if len(rows) == 1 else None
    return JudgedPair(first, second, similar, tuple(row.id for row in rows))


def marks_of(r: Transaction, photograph: int) -> list[JudgedPair]:
    """Return the marked pairs of a photograph, in the order of their first marks.

    Of several photographs with the other picture's content, the pair has the one that
    :meth:`twinlens.storage.marks.Marks.photographs` returns; pairs without a photograph of the other picture are left
    out.
    """
    known = _photographs(r, [photograph])
    if not known:
        return []
    (content,) = known
    pairs = _by_pair(r.marks.of(content))
    others = r.marks.photographs_of(one if other == content else other for one, other in pairs)
    return [
        _judged(photograph, others[it].id, rows)
        for (one, other), rows in pairs.items()
        if (it := one if other == content else other) in others
    ]
