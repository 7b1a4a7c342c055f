"""Marks: pairs of contents that a person calls similar or different, or refuses as duplicates.

A mark is of contents, so it is the same wherever their files lie, and stays when they are forgotten. Two marks of one
pair that contradict each other are both kept: which one is meant, the person alone can say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import PhotographState, now
from twinlens.storage.integrity.checksums import sound_rows
from twinlens.storage.photographs.photographs import SELECT_PHOTOGRAPHS, PhotographRow


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

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def put(self, marks: Iterable[NewMark]) -> list[MarkRow]:
        """Store marks; one that is stored already stays as it is.

        Returns
        -------
        list of MarkRow
            Those that are new.
        """
        ordered = [smaller_first(new) for new in marks]
        marked = 'SELECT first, second, "similar" FROM mark WHERE first {among}'
        known = set(self._dialect.rows_among(marked, {new.first for new in ordered}))
        new = {key: one for one in reversed(ordered) if (key := (one.first, one.second, int(one.similar))) not in known}
        if not new:
            return []
        moment, first = now(), self._dialect.give("mark", len(new))
        rows = [
            one._asdict() | {"id": i, "similar": int(one.similar), "created": one.created or moment}
            for i, one in enumerate(reversed(new.values()), first)
        ]
        self._dialect.insert("mark", rows)
        return self._rows("WHERE id >= ? ORDER BY id", first)

    def restore(self, marks: Sequence[MarkRow]) -> list[MarkRow]:
        """Restore removed marks; one that was made anew meanwhile stays as it is.

        Returns
        -------
        list of MarkRow
            Those that are back.
        """
        lacking = {row.id for row in marks} - {row.id for row in self.by_id([row.id for row in marks])}
        rows = [{**vars(one), "similar": int(one.similar)} for one in marks if one.id in lacking]
        self._dialect.insert("mark", rows, "ON CONFLICT DO NOTHING")
        return self.by_id(sorted(lacking))

    def all(self) -> list[MarkRow]:
        """List every mark."""
        return self._rows("ORDER BY id")

    def count(self) -> int:
        """Count the marks."""
        return int(self._dialect.value("SELECT count(*) FROM mark"))

    def by_id(self, ids: Sequence[int]) -> list[MarkRow]:
        """Return marks by id, in the order in which they were made; ids without a mark are left out."""
        rows = self._dialect.records_among("SELECT * FROM mark WHERE id {among}", ids)
        return sorted(_marks(rows), key=lambda row: row.id)

    def among(self, contents: Iterable[bytes]) -> list[MarkRow]:
        """Return the marks of which both pictures are among some contents, in the order in which they came."""
        wanted = set(contents)
        found = _marks(self._dialect.records_among("SELECT * FROM mark WHERE first {among}", wanted))
        return sorted((row for row in found if row.second in wanted), key=lambda row: row.id)

    def of(self, content: bytes) -> list[MarkRow]:
        """Return the marks of one picture, in the order in which they came."""
        return self._rows("WHERE first = ? OR second = ? ORDER BY id", content, content)

    def counts(self) -> tuple[int, int]:
        """Count the marks, and those of them that say similar."""
        ((count, similar),) = self._dialect.rows('SELECT count(*), coalesce(sum("similar"), 0) FROM mark')
        return int(count), int(similar)

    def remove(self, ids: Sequence[int]) -> list[MarkRow]:
        """Remove marks, and return the removed ones, for :meth:`restore`."""
        removed = self.by_id(ids)
        self._dialect.among("DELETE FROM mark WHERE id {among}", [row.id for row in removed])
        return removed

    def contradicted(self) -> set[tuple[bytes, bytes]]:
        """Return the pairs that are marked similar and different."""
        return set(self._dialect.rows("SELECT first, second FROM mark GROUP BY first, second HAVING count(*) > 1"))

    def photographs(self) -> dict[bytes, PhotographRow]:
        """Return for each content that is marked the photograph that has it.

        Of several the one that was read, whose file is there, and that came first; none where the library has none.
        """
        marked = "content_hash IN (SELECT first FROM mark UNION SELECT second FROM mark)"
        return _first_of(map(PhotographRow.of, self._dialect.rows(f"{SELECT_PHOTOGRAPHS} WHERE {marked}")))

    def photographs_of(self, contents: Iterable[bytes]) -> dict[bytes, PhotographRow]:
        """Return the photographs of some contents, as :meth:`photographs` does."""
        there = f"{SELECT_PHOTOGRAPHS} WHERE content_hash {{among}}"
        return _first_of(map(PhotographRow.of, self._dialect.rows_among(there, set(contents))))

    def _rows(self, which: str, *values: Any) -> list[MarkRow]:
        return list(_marks(self._dialect.records(f"SELECT * FROM mark {which}", values)))


def _first_of(rows: Iterable[PhotographRow]) -> dict[bytes, PhotographRow]:
    found: dict[bytes, PhotographRow] = {}
    for row in sorted(rows, key=lambda row: (row.state is not PhotographState.READY, row.id)):
        assert row.content_hash is not None
        found.setdefault(row.content_hash, row)
    return found


def _marks(rows: Iterable[dict[str, Any]]) -> Iterator[MarkRow]:
    for values in sound_rows(rows, "mark"):
        yield MarkRow(**values | {"similar": bool(values["similar"])})
