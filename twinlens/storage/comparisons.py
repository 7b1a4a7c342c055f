"""Comparisons: which contents were compared, which are related and how, and a person's decisions about duplicates.

All of it is of contents, so it is the same wherever their files lie, and stays when they are forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, Table, bindparam, delete, func, insert, select

from twinlens.storage.database.dialect import of
from twinlens.storage.database.schema import (
    PhotographState,
    compared,
    keep_choice,
    keypoints,
    not_duplicates,
    now,
    photograph,
    reach,
    related,
)
from twinlens.storage.integrity.checksums import sound_rows
from twinlens.storage.marks import RefusedRow, smaller_first

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

    def waiting(self, version: int, keypoints_version: int) -> int:
        """Count the contents with keypoints that this version has not compared with all others."""
        done = select(compared.c.content).where(compared.c.version == version)
        whole = select(keypoints.c.photograph_id).where(keypoints.c.version == keypoints_version)
        statement = select(func.count(photograph.c.content_hash.distinct())).where(
            photograph.c.state == PhotographState.READY,
            photograph.c.width > 0,
            photograph.c.height > 0,
            photograph.c.id.in_(whole),
            photograph.c.content_hash.not_in(done),
        )
        return int(self._connection.execute(statement).scalar_one())

    def any_absent(self) -> bool:
        """Return whether a content was compared that no photograph has any more."""
        gone = select(compared.c.content).where(compared.c.content.not_in(self._there())).limit(1)
        return self._connection.execute(gone).first() is not None

    def _there(self) -> Select[tuple[bytes]]:
        return select(photograph.c.content_hash).where(
            photograph.c.state == PhotographState.READY, photograph.c.content_hash.is_not(None)
        )

    def put(self, rows: Sequence[ComparedRow], version: int) -> None:
        """Record that contents were compared."""
        values = [{"content": row.content, "version": version, "hash": row.hash} for row in rows]
        if values:
            statement = self._dialect.insert(compared)
            new = {"version": statement.excluded.version, "hash": statement.excluded.hash}
            self._connection.execute(statement.on_conflict_do_update(index_elements=["content"], set_=new), values)

    def forget_absent(self) -> None:
        """Forget the compared contents that no photograph has any more."""
        for table in (compared, reach):
            self._connection.execute(delete(table).where(table.c.content.not_in(self._there())))

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
        rows = [RelatedRow(**row) for row in sound_rows(found, related)]
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
        return sound_rows(self._connection.execute(statement), table)
