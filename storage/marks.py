"""Marks: what a person said of two pictures, that they are similar or different.

A mark is of contents, so it is the same wherever their files lie, and stays when they are forgotten. Two marks of one
pair that contradict each other are both kept: which one is meant, the person alone can say.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, delete, func, select, text

from storage.database.batches import pieces
from storage.database.schema import mark, photograph
from storage.database.timestamps import now
from storage.integrity.checksums import DamagedRowError, facts, sound
from storage.photographs.photograph_rows import PhotographRow

_log = logging.getLogger(__name__)


class NewMark(NamedTuple):
    """A mark that is to be kept; the order of both pictures says nothing.

    Attributes
    ----------
    first, second : bytes
        Content hashes, 32 bytes each, not equal.
    first_name, second_name : str
        Where they lie now, for people.
    similar : bool
    origin : str
        Where it was made, in the words of the caller.
    created : str
        UTC; empty for now.
    """

    first: bytes
    second: bytes
    first_name: str
    second_name: str
    similar: bool
    origin: str
    created: str = ""

    def ordered(self) -> NewMark:
        """Return two hashes with the smaller one first."""
        if self.first < self.second:
            return self
        return self._replace(
            first=self.second, second=self.first, first_name=self.second_name, second_name=self.first_name
        )


@dataclass(frozen=True)
class MarkRow:
    """One mark, as :class:`NewMark` tells; the smaller hash is the first."""

    id: int
    first: bytes
    second: bytes
    first_name: str
    second_name: str
    similar: bool
    origin: str
    created: str

    @property
    def pair(self) -> tuple[bytes, bytes]:
        """Both hashes."""
        return self.first, self.second


_INSERT = (
    "INSERT INTO mark (first, second, first_name, second_name, similar, origin, created) "
    "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (first, second, similar) DO NOTHING"
)
_RESTORE = (
    "INSERT INTO mark (id, first, second, first_name, second_name, similar, origin, created) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
)


class Marks:
    """The marks of a library, in the order in which they came."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, marks: Iterable[NewMark]) -> list[MarkRow]:
        """Keep marks; one that is there already stays as it is.

        Returns
        -------
        list of MarkRow
            Those that are new.
        """
        last = self._connection.execute(text("SELECT seq FROM sqlite_sequence WHERE name = 'mark'")).scalar() or 0
        moment = now()
        rows = [(*new[:4], int(new.similar), new.origin, new.created or moment) for new in map(NewMark.ordered, marks)]
        if rows:
            self._connection.exec_driver_sql(_INSERT, rows)
        return self._rows(select(mark).where(mark.c.id > last).order_by(mark.c.id))

    def restore(self, marks: Sequence[MarkRow]) -> list[MarkRow]:
        """Bring removed marks back as they were; one that was made anew meanwhile stays as it is.

        Returns
        -------
        list of MarkRow
            Those that are back.
        """
        lacking = {row.id for row in marks} - {row.id for row in self.by_id([row.id for row in marks])}
        rows = [
            (one.id, one.first, one.second, one.first_name, one.second_name, int(one.similar), one.origin, one.created)
            for one in marks
            if one.id in lacking
        ]
        if rows:
            self._connection.exec_driver_sql(_RESTORE, rows)
        return self.by_id(sorted(lacking))

    def all(self) -> list[MarkRow]:
        """List every mark."""
        return self._rows(select(mark).order_by(mark.c.id))

    def count(self) -> int:
        """Count the marks."""
        return int(self._connection.execute(select(func.count()).select_from(mark)).scalar_one())

    def by_id(self, ids: Sequence[int]) -> list[MarkRow]:
        """Return marks by id, in the order in which they were made; ids without a mark are left out."""
        found = [row for some in pieces(ids) for row in self._rows(select(mark).where(mark.c.id.in_(some)))]
        return sorted(found, key=lambda row: row.id)

    def among(self, contents: Iterable[bytes]) -> list[MarkRow]:
        """Return the marks of which both pictures are among some contents, in the order in which they came."""
        wanted = set(contents)
        found = [row for some in pieces(wanted) for row in self._rows(select(mark).where(mark.c.first.in_(some)))]
        return sorted((row for row in found if row.second in wanted), key=lambda row: row.id)

    def of(self, content: bytes) -> list[MarkRow]:
        """Return the marks of one picture, in the order in which they came."""
        either = (mark.c.first == content) | (mark.c.second == content)
        return self._rows(select(mark).where(either).order_by(mark.c.id))

    def counts(self) -> tuple[int, int]:
        """Count the marks, and those of them that say similar."""
        row = self._connection.execute(select(func.count(), func.coalesce(func.sum(mark.c.similar), 0))).one()
        return int(row[0]), int(row[1])

    def remove(self, ids: Sequence[int]) -> list[MarkRow]:
        """Remove marks, and give those that were there, for :meth:`restore`."""
        removed = self.by_id(ids)
        for some in pieces([row.id for row in removed]):
            self._connection.execute(delete(mark).where(mark.c.id.in_(some)))
        return removed

    def contradicted(self) -> set[tuple[bytes, bytes]]:
        """Return the pairs that are marked similar and different."""
        grouped = select(mark.c.first, mark.c.second).group_by(mark.c.first, mark.c.second).having(func.count() > 1)
        return {(row.first, row.second) for row in self._connection.execute(grouped)}

    def photographs(self) -> dict[bytes, PhotographRow]:
        """Return for each content that is marked the photograph that has it.

        Of several the one that was read, whose file is there, and that came first; none where the library has none.
        """
        marked = select(mark.c.first).union(select(mark.c.second))
        return self._first_of(photograph.c.content_hash.in_(marked))

    def photographs_of(self, contents: Iterable[bytes]) -> dict[bytes, PhotographRow]:
        """Return the photographs of some contents, as :meth:`photographs` does."""
        found: dict[bytes, PhotographRow] = {}
        for some in pieces(set(contents)):
            found |= self._first_of(photograph.c.content_hash.in_(some))
        return found

    def _first_of(self, condition: ColumnElement[bool]) -> dict[bytes, PhotographRow]:
        wanted = select(*facts(photograph)).where(condition).order_by(photograph.c.state != "ready", photograph.c.id)
        found: dict[bytes, PhotographRow] = {}
        for row in map(PhotographRow.of, self._connection.execute(wanted)):
            assert row.content_hash is not None
            found.setdefault(row.content_hash, row)
        return found

    def _rows(self, statement: Select[Any]) -> list[MarkRow]:
        """Return the marks of a statement; a damaged one says nothing, and the check of the library tells of it."""
        found: list[MarkRow] = []
        for row in self._connection.execute(statement):
            try:
                values = sound(mark, row)
            except DamagedRowError as error:
                _log.warning("%s is damaged and is left out", error.what)
                continue
            found.append(MarkRow(**values | {"similar": bool(values["similar"])}))
        return found
