"""The pictures of marks: which content a named picture has, and which photographs have a content now."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from app.library.library import Library
from app.marks.results import MarkStatus
from app.results import shown
from core.message import Message
from storage.database.schema import PhotographState
from storage.library.transaction import Transaction
from storage.marks import MarkRow
from storage.photographs.photograph_rows import PhotographRow


@dataclass(frozen=True)
class NamedPicture:
    """A photograph of the library that can be marked."""

    id: int
    content: bytes
    name: str


class MarkedPictures:
    """Finds the photographs that somebody names, each once."""

    def __init__(self, library: Library, r: Transaction) -> None:
        self._library = library
        self._r = r
        self._known: dict[int | Path, NamedPicture | Message] = {}

    def find(self, picture: int | Path) -> NamedPicture | Message:
        """Find a photograph by its id or its path; where it cannot be marked, a message says why."""
        if picture not in self._known:
            self._known[picture] = self._find(picture)
        return self._known[picture]

    def expect(self, ids: Iterable[int]) -> None:
        """Read many photographs at once, before they are found one by one."""
        rows = self._r.photographs.by_id(list(ids))
        for row, path in zip(rows, self._library.paths(self._r, rows), strict=True):
            self._known[row.id] = self._named(row, path)

    def _find(self, picture: int | Path) -> NamedPicture | Message:
        row = self._library.find(self._r, picture)
        if row is None:
            return Message("The library has no photo {picture}.", picture=name_picture(picture))
        (path,) = self._library.paths(self._r, [row])
        return self._named(row, path)

    def _named(self, row: PhotographRow, path: bytes) -> NamedPicture | Message:
        name = shown(path)
        if row.state is PhotographState.UNREADABLE:
            return Message("{name} cannot be read.", name=name)
        if row.state is PhotographState.MISSING:
            return Message("The file of {name} has vanished.", name=name)
        if row.state is not PhotographState.READY or row.content_hash is None:
            return Message("{name} has changed or has not been read yet. Look for changes first.", name=name)
        return NamedPicture(row.id, row.content_hash, name)


def name_picture(picture: int | Path) -> str:
    """Name a picture as it was given."""
    return str(picture) if isinstance(picture, int) else shown(os.fsencode(picture))


def mark_statuses(library: Library, r: Transaction, rows: Iterable[MarkRow]) -> list[MarkStatus]:
    """Return of marks what there is to tell, in the same order."""
    marks = list(rows)
    photographs = r.marks.photographs_of({content for row in marks for content in row.pair})
    found = list(photographs.values())
    paths = {row.id: shown(path) for row, path in zip(found, library.paths(r, found), strict=True)}
    contradicted = r.marks.contradicted()

    def status(row: MarkRow) -> MarkStatus:
        both = [photographs.get(content) for content in row.pair]
        names = [
            name if one is None else paths[one.id]
            for one, name in zip(both, (row.first_name, row.second_name), strict=True)
        ]
        ids = [None if one is None else one.id for one in both]
        return MarkStatus(
            id=row.id,
            first=names[0],
            second=names[1],
            first_id=ids[0],
            second_id=ids[1],
            similar=row.similar,
            origin=row.origin,
            created=row.created,
            contradicted=row.pair in contradicted,
            missing=any(one is None or one.state is not PhotographState.READY for one in both),
            first_content=row.first.hex(),
            second_content=row.second.hex(),
        )

    return [status(row) for row in marks]


def mark_row(status: MarkStatus) -> MarkRow:
    """Make the row again of which a status tells."""
    return MarkRow(
        status.id,
        bytes.fromhex(status.first_content),
        bytes.fromhex(status.second_content),
        status.first,
        status.second,
        status.similar,
        status.origin,
        status.created,
    )
