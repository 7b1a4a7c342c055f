"""Pairs of contents: a person's marks, what comparing found, and a person's decisions about duplicates.

A mark says that two pictures are similar or different. Like all that is kept here it is of contents, so it is the same
wherever their files lie, and stays when they are forgotten. Two marks of one pair that contradict each other are both
kept: which one is meant, the person alone can say.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Row, Select, Table, bindparam, delete, func, insert, select

from twinlens.storage.database.dialect import of
from twinlens.storage.database.schema import (
    PhotographState,
    compared,
    keep_choice,
    mark,
    not_duplicates,
    now,
    photograph,
    reach,
    related,
)
from twinlens.storage.integrity.checksums import DamagedRowError, facts, sound
from twinlens.storage.photographs.photographs import PhotographRow

_log = logging.getLogger(__name__)
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


AnyPair = TypeVar("AnyPair", "NewMark", "RefusedRow")


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
        said = select(mark.c.first, mark.c.second, mark.c.similar)
        known = {tuple(row) for row in self._dialect.among(said, mark.c.first, {new.first for new in ordered})}
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
    for values in _sound(rows, mark):
        yield MarkRow(**values | {"similar": bool(values["similar"])})


_CHOOSE = insert(keep_choice).values(photograph_id=bindparam(None), choice=bindparam(None))


class ComparedRow(NamedTuple):
    """A content that was compared with every other; its hash is None where it shows next to nothing."""

    content: bytes
    hash: bytes | None


class RelatedRow(NamedTuple):
    """Two contents that belong together: how, in the words of the caller, and facts as JSON."""

    first: bytes
    second: bytes
    kind: str
    facts: str


class ReachRow(NamedTuple):
    """The reach of the nearest of a content in a space, and whether more lie near than are compared."""

    content: bytes
    space: str
    distance: float
    crowded: bool


class RefusedRow(NamedTuple):
    """Two contents that a person has refused as duplicates."""

    first: bytes
    second: bytes
    first_name: str
    second_name: str
    created: str = ""


class Comparisons:
    """Compared and related contents, and a person's decisions."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    # --- compared ----------------------------------------------------------------------------------------------------

    def compared(self, version: int) -> dict[bytes, bytes | None]:
        """Return the contents that this version has compared with all others, and their hashes."""
        rows = self._rows(select(compared).where(compared.c.version == version).order_by(compared.c.content), compared)
        return {row["content"]: row["hash"] for row in rows}

    def anything_new(self) -> bool:
        """Return whether a photograph has a content that no version has compared."""
        new = photograph.c.content_hash.not_in(select(compared.c.content))
        found = select(photograph.c.id).where(photograph.c.state == PhotographState.READY, new).limit(1)
        return self._connection.execute(found).first() is not None

    def put(self, rows: Sequence[ComparedRow], version: int) -> None:
        """Record that contents were compared."""
        values = [{"content": row.content, "version": version, "hash": row.hash} for row in rows]
        if values:
            statement = self._dialect.insert(compared)
            new = {"version": statement.excluded.version, "hash": statement.excluded.hash}
            self._connection.execute(statement.on_conflict_do_update(index_elements=["content"], set_=new), values)

    def forget_absent(self) -> None:
        """Forget the compared contents that no photograph has any more."""
        there = select(photograph.c.content_hash).where(
            photograph.c.state == PhotographState.READY, photograph.c.content_hash.is_not(None)
        )
        for table in (compared, reach):
            self._connection.execute(delete(table).where(table.c.content.not_in(there)))

    def forget_version(self, version: int) -> None:
        """Forget the compared contents and relations of any other version."""
        other = select(compared.c.content).where(compared.c.version != version)
        found = related.c.first.in_(other) | related.c.second.in_(other)
        self._connection.execute(delete(related).where(found))
        self._connection.execute(delete(compared).where(compared.c.version != version))
        self._connection.execute(delete(reach))

    def versions(self) -> set[int]:
        """Return the versions that have compared contents."""
        return set(self._connection.execute(select(compared.c.version).distinct()).scalars())

    def reached(self, rows: Sequence[ReachRow]) -> None:
        """Record how far the nearest of contents lie; earlier records of them are replaced."""
        if rows:
            statement = self._dialect.insert(reach)
            new = {name: statement.excluded[name] for name in ("space", "distance", "crowded")}
            self._connection.execute(
                statement.on_conflict_do_update(index_elements=["content"], set_=new),
                [row._asdict() | {"crowded": int(row.crowded)} for row in rows],
            )

    def reaches(self) -> list[ReachRow]:
        """Return how far the nearest of each content lie."""
        rows = self._rows(select(reach).order_by(reach.c.content), reach)
        return [ReachRow(**row | {"crowded": bool(row["crowded"])}) for row in rows]

    def crowded(self) -> int:
        """Count the contents near which more lie than are compared with them."""
        return int(self._connection.execute(select(func.count()).where(reach.c.crowded == 1)).scalar_one())

    # --- related -----------------------------------------------------------------------------------------------------

    def relate(self, rows: Sequence[RelatedRow]) -> None:
        """Record how contents are related; an earlier relation of a pair is replaced.

        Raises
        ------
        ValueError
            If a pair is not in order.
        """
        if any(row.first >= row.second for row in rows):
            raise ValueError("the smaller content of a pair comes first")
        if rows:
            statement = self._dialect.insert(related)
            new = {"kind": statement.excluded.kind, "facts": statement.excluded.facts}
            self._connection.execute(
                statement.on_conflict_do_update(index_elements=["first", "second"], set_=new),
                [row._asdict() for row in rows],
            )

    def related(self) -> list[RelatedRow]:
        """Return every related pair, in the order of their contents."""
        rows = self._rows(select(related).order_by(related.c.first, related.c.second), related)
        return [RelatedRow(**row) for row in rows]

    def of(self, contents: Sequence[bytes]) -> list[RelatedRow]:
        """Return the related pairs of which both are among some contents, in the order of their contents."""
        wanted = set(contents)
        found = self._dialect.among(select(related), related.c.first, wanted)
        rows = [RelatedRow(**row) for row in _sound(found, related)]
        return sorted(row for row in rows if row.second in wanted)

    def count(self) -> int:
        """Count the related pairs."""
        return int(self._connection.execute(select(func.count()).select_from(related)).scalar_one())

    # --- a person's decisions ----------------------------------------------------------------------------------------

    def refuse(self, rows: Iterable[RefusedRow]) -> None:
        """Record that pairs are no duplicates."""
        moment = now()
        values = [smaller_first(row)._replace(created=row.created or moment)._asdict() for row in rows]
        if values:
            self._connection.execute(self._dialect.insert(not_duplicates).on_conflict_do_nothing(), values)

    def take_back(self, pairs: Iterable[tuple[bytes, bytes]]) -> list[RefusedRow]:
        """Let pairs be duplicates again, and return their refusals."""
        wanted = {(min(pair), max(pair)) for pair in pairs}
        taken = [row for row in self.refused() if (row.first, row.second) in wanted]
        for row in taken:
            here = (not_duplicates.c.first == row.first) & (not_duplicates.c.second == row.second)
            self._connection.execute(delete(not_duplicates).where(here))
        return taken

    def refused(self) -> list[RefusedRow]:
        """Return every pair that is no duplicate, the latest first."""
        ordered = select(not_duplicates).order_by(
            not_duplicates.c.created.desc(), not_duplicates.c.first, not_duplicates.c.second
        )
        return [RefusedRow(**row) for row in self._rows(ordered, not_duplicates)]

    def choose(self, photographs: Sequence[int], choice: str | None) -> None:
        """Record a person's choice for photographs: “goes”, “stays” or “best”; None leaves it to the rules again."""
        self._dialect.among(delete(keep_choice), keep_choice.c.photograph_id, photographs)
        if choice is not None:
            self._dialect.many(_CHOOSE, [(one, choice) for one in photographs])

    def choice(self, photograph_id: int) -> str | None:
        """Return a person's choice for a photograph; None where the rules decide."""
        rows = self._rows(select(keep_choice).where(keep_choice.c.photograph_id == photograph_id), keep_choice)
        return next((row["choice"] for row in rows), None)

    def choices(self) -> dict[int, str]:
        """Return the photographs for which a person chose, with the choices."""
        rows = self._rows(select(keep_choice).order_by(keep_choice.c.photograph_id), keep_choice)
        return {row["photograph_id"]: row["choice"] for row in rows}

    def _rows(self, statement: Select[*tuple[Any, ...]], table: Table) -> Iterator[dict[str, Any]]:
        return _sound(self._connection.execute(statement), table)


def _sound(rows: Iterable[Row[*tuple[Any, ...]]], table: Table) -> Iterator[dict[str, Any]]:
    """Yield the values of rows; damaged ones are left out, and the check of the library reports them."""
    names = {column.name for column in facts(table)}
    for row in rows:
        try:
            values = sound(table, row)
        except DamagedRowError as error:
            _log.warning("%s is damaged and is left out", error.what)
            continue
        yield {name: value for name, value in values.items() if name in names}
