"""Marks among the photographs that a window shows, and marks of one of them.

Each is a query or two over a few rows, so that it may be asked with every change of what is shown; the whole list with
its paths is :func:`app.marks.marks.list_marks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.arrays import Int64Ids
from storage.database.batches import plain
from storage.library.transaction import Transaction
from storage.marks import MarkRow

_MANY = 2_000  # ids from which on one pass over all photographs is cheaper than looking them up
_LARGEST = 2**63


@dataclass(frozen=True)
class JudgedPair:
    """The marks between two photographs.

    Attributes
    ----------
    first, second : int
        Photographs. Of :func:`marks_among` the smaller id is the first; of :func:`marks_of` it is the one asked for.
    similar : bool or None
        None: it is marked both ways, and neither mark is used.
    marks : tuple of int
        Ids of the marks, for :func:`app.marks.marks.remove_marks`; two where it is marked both ways.
    """

    first: int
    second: int
    similar: bool | None
    marks: tuple[int, ...]


def marks_among(r: Transaction, ids: Sequence[int] | Int64Ids) -> list[JudgedPair]:
    """Return the pairs of some photographs that are marked, in the order in which they were first.

    Photographs of one content are one picture: what is said of it holds for each of them that was asked for.

    Parameters
    ----------
    r : Transaction
    ids : sequence of int
        Photographs; those that there are not, or that were not read yet, have no marks.
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


def marks_of(r: Transaction, photograph: int) -> list[JudgedPair]:
    """Return the pairs of a photograph that are marked, in the order in which they were first.

    Of several photographs that have the other picture's content the one that :meth:`storage.marks.Marks.photographs`
    gives; pairs whose other picture the library has not are left out.
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
