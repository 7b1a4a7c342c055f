"""Marks: pairs of contents that a person calls similar or different, or refuses as duplicates.

A mark is of contents, so it is the same wherever their files lie, and stays when they are forgotten. Two marks of one
pair that contradict each other are both kept: which one is meant, the person alone can say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, Select, delete, func, insert, select

from twinlens.storage.database.dialect import of
from twinlens.storage.database.schema import (
    PhotographState,
    mark,
    now,
    photograph,
)
from twinlens.storage.integrity.checksums import facts, sound_rows
from twinlens.storage.photographs.photographs import PhotographRow

_PHOTOGRAPHS = select(*facts(photograph))


class NewMark(NamedTuple):
    """A mark to be stored; the order of both pictures does not matter.

    Attributes
    ----------
    first, second : bytes
        Content hashes, 32 bytes each, not equal.
    first_name, second_name : str
        Where they lie now, for people.
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


class RefusedRow(NamedTuple):
    """Two contents that a person has refused as duplicates."""

    first: bytes
    second: bytes
    first_name: str
    second_name: str
    created: str = ""


AnyPair = TypeVar("AnyPair", NewMark, RefusedRow)


def smaller_first(pair: AnyPair) -> AnyPair:
    """Return a pair of contents with the smaller hash first."""
    if pair.first < pair.second:
        return pair
    return pair._replace(first=pair.second, second=pair.first, first_name=pair.second_name, second_name=pair.first_name)


@dataclass(frozen=True)
class MarkRow:
    """One mark, as :class:`NewMark`; the smaller hash is the first."""

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


class Marks:
    """The marks of a library, in the order in which they came."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def put(self, marks: Iterable[NewMark]) -> list[MarkRow]:
        """Store marks; one that is stored already stays as it is.

        Returns
        -------
        list of MarkRow
            Those that are new.
        """
        ordered = [smaller_first(new) for new in marks]
        marked = select(mark.c.first, mark.c.second, mark.c.similar)
        known = {tuple(row) for row in self._dialect.among(marked, mark.c.first, {new.first for new in ordered})}
        new = {key: one for one in reversed(ordered) if (key := (one.first, one.second, int(one.similar))) not in known}
        if not new:
            return []
        moment, first = now(), self._dialect.give(mark, len(new))
        rows = [
            one._asdict() | {"id": i, "similar": int(one.similar), "created": one.created or moment}
            for i, one in enumerate(reversed(new.values()), first)
        ]
        self._connection.execute(insert(mark), rows)
        return self._rows(select(mark).where(mark.c.id >= first).order_by(mark.c.id))

    def restore(self, marks: Sequence[MarkRow]) -> list[MarkRow]:
        """Restore removed marks; one that was made anew meanwhile stays as it is.

        Returns
        -------
        list of MarkRow
            Those that are back.
        """
        lacking = {row.id for row in marks} - {row.id for row in self.by_id([row.id for row in marks])}
        rows = [{**vars(one), "similar": int(one.similar)} for one in marks if one.id in lacking]
        if rows:
            self._connection.execute(self._dialect.insert(mark).on_conflict_do_nothing(), rows)
        return self.by_id(sorted(lacking))

    def all(self) -> list[MarkRow]:
        """List every mark."""
        return self._rows(select(mark).order_by(mark.c.id))

    def count(self) -> int:
        """Count the marks."""
        return int(self._connection.execute(select(func.count()).select_from(mark)).scalar_one())

    def by_id(self, ids: Sequence[int]) -> list[MarkRow]:
        """Return marks by id, in the order in which they were made; ids without a mark are left out."""
        return sorted(_marks(self._dialect.among(select(mark), mark.c.id, ids)), key=lambda row: row.id)

    def among(self, contents: Iterable[bytes]) -> list[MarkRow]:
        """Return the marks of which both pictures are among some contents, in the order in which they came."""
        wanted = set(contents)
        found = _marks(self._dialect.among(select(mark), mark.c.first, wanted))
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
        """Remove marks, and return the removed ones, for :meth:`restore`."""
        removed = self.by_id(ids)
        self._dialect.among(delete(mark), mark.c.id, [row.id for row in removed])
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
        return _first_of(self._connection.execute(_PHOTOGRAPHS.where(photograph.c.content_hash.in_(marked))))

    def photographs_of(self, contents: Iterable[bytes]) -> dict[bytes, PhotographRow]:
        """Return the photographs of some contents, as :meth:`photographs` does."""
        return _first_of(self._dialect.among(_PHOTOGRAPHS, photograph.c.content_hash, set(contents)))

    def _rows(self, statement: Select[*tuple[Any, ...]]) -> list[MarkRow]:
        return list(_marks(self._connection.execute(statement)))


def _first_of(rows: Iterable[Row[*tuple[Any, ...]]]) -> dict[bytes, PhotographRow]:
    found: dict[bytes, PhotographRow] = {}
    for row in sorted(map(PhotographRow.of, rows), key=lambda row: (row.state is not PhotographState.READY, row.id)):
        assert row.content_hash is not None
        found.setdefault(row.content_hash, row)
    return found


def _marks(rows: Iterable[Row[*tuple[Any, ...]]]) -> Iterator[MarkRow]:
    for values in sound_rows(rows, mark):
        yield MarkRow(**values | {"similar": bool(values["similar"])})
