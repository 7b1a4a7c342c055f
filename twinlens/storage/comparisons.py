"""Comparisons: which contents were compared, which are related and how, and a person's decisions about duplicates.

All of it is of contents, so it is the same wherever their files lie, and stays when they are forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import PhotographState, now
from twinlens.storage.integrity.checksums import sound_rows, sound_values
from twinlens.storage.marks import RefusedRow, smaller_first

_READY = f"state = '{PhotographState.READY}'"
_NOT_READY = f"state IN {tuple(one.value for one in PhotographState if one is not PhotographState.READY)}"
# All of these ask with EXISTS: PostgreSQL looks through the whole of a large NOT IN again for every row.
_THERE = f"EXISTS (SELECT 1 FROM photograph WHERE content_hash = content AND {_READY})"


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

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    # --- compared ----------------------------------------------------------------------------------------------------

    def compared(self, version: int) -> Iterator[ComparedRow]:
        """Yield the contents that this version has compared with all others; the transaction must stay open."""
        for content, of, own in sound_values(self._dialect.rows("SELECT * FROM compared"), "compared"):
            if of == version:
                yield ComparedRow(content, own)

    def begun(self, version: int) -> bool:
        """Return whether this version has compared any content."""
        return self._dialect.value("SELECT 1 FROM compared WHERE version = ? LIMIT 1", (version,)) is not None

    def waiting(self, version: int, keypoints_version: int) -> int:
        """Count the contents with keypoints that this version has not compared with all others."""
        # Of what was not compared the index alone is read, in the order of the contents: 5 times as fast.
        statement = f"""
            SELECT count(DISTINCT content_hash) FROM photograph
            WHERE {_READY} AND width > 0 AND height > 0
                AND id IN (
                    SELECT id FROM photograph WHERE content_hash IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM compared WHERE content = content_hash AND version = ?)
                )
                AND EXISTS (SELECT 1 FROM keypoints WHERE photograph_id = photograph.id AND version = ?)
        """
        return int(self._dialect.value(statement, (version, keypoints_version)))

    def any_absent(self) -> bool:
        """Return whether a content was compared that no photograph has any more."""
        gone = f"""
            SELECT content FROM compared
            WHERE NOT EXISTS (SELECT 1 FROM photograph WHERE content_hash = content)
                OR content IN (SELECT content_hash FROM photograph WHERE {_NOT_READY}) AND NOT {_THERE}
            LIMIT 1
        """
        return self._dialect.value(gone) is not None

    def put(self, rows: Sequence[ComparedRow], version: int) -> None:
        """Record that contents were compared."""
        values = [{"content": row.content, "version": version, "hash": row.hash} for row in rows]
        self._dialect.put("compared", ["content"], values)

    def forget_absent(self) -> None:
        """Forget the compared contents that no photograph has any more."""
        for table in ("compared", "reach"):
            self._dialect.execute(f"DELETE FROM {table} WHERE NOT {_THERE}")

    def forget_version(self, version: int) -> None:
        """Forget the compared contents and relations of any other version."""
        other = "(SELECT content FROM compared WHERE version <> ?)"
        found = f"DELETE FROM related WHERE first IN {other} OR second IN {other}"
        self._dialect.execute(found, (version, version))
        self._dialect.execute("DELETE FROM compared WHERE version <> ?", (version,))
        self._dialect.execute("DELETE FROM reach")

    def versions(self) -> set[int]:
        """Return the versions that have compared contents."""
        return set(self._dialect.column("SELECT DISTINCT version FROM compared"))

    def reached(self, rows: Sequence[ReachRow]) -> None:
        """Record how far the nearest of contents lie; earlier records of them are replaced."""
        self._dialect.put("reach", ["content"], [row._asdict() | {"crowded": int(row.crowded)} for row in rows])

    def reaches(self) -> Iterator[ReachRow]:
        """Yield how far the nearest of each content lie; the transaction must stay open."""
        for content, space, distance, crowded in sound_values(self._dialect.rows("SELECT * FROM reach"), "reach"):
            yield ReachRow(content, space, distance, bool(crowded))

    def crowded(self) -> int:
        """Count the contents near which more lie than are compared with them."""
        return int(self._dialect.value("SELECT count(*) FROM reach WHERE crowded = 1"))

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
        self._dialect.put("related", ["first", "second"], [row._asdict() for row in rows])

    def related(self) -> list[RelatedRow]:
        """Return every related pair, in the order of their contents."""
        rows = self._rows("related", "ORDER BY first, second")
        return [RelatedRow(**row) for row in rows]

    def of_kind(self, kind: str) -> list[RelatedRow]:
        """Return the pairs that are related in one way, in the order of their contents."""
        return [RelatedRow(**row) for row in self._rows("related", "WHERE kind = ? ORDER BY first, second", kind)]

    def compare_again(self, pairs: Sequence[tuple[bytes, bytes]]) -> None:
        """Forget how pairs are related, and that their contents were compared."""
        self._dialect.many("DELETE FROM related WHERE first = ? AND second = ?", pairs)
        contents = {one for pair in pairs for one in pair}
        self._dialect.among("DELETE FROM compared WHERE content {among}", sorted(contents))

    def of(self, contents: Sequence[bytes]) -> list[RelatedRow]:
        """Return the related pairs of which both are among some contents, in the order of their contents."""
        wanted = set(contents)
        found = self._dialect.records_among("SELECT * FROM related WHERE first {among}", wanted)
        rows = [RelatedRow(**row) for row in sound_rows(found, "related")]
        return sorted(row for row in rows if row.second in wanted)

    def count(self) -> int:
        """Count the related pairs."""
        return int(self._dialect.value("SELECT count(*) FROM related"))

    # --- a person's decisions ----------------------------------------------------------------------------------------

    def refuse(self, rows: Iterable[RefusedRow]) -> None:
        """Record that pairs are no duplicates."""
        moment = now()
        values = [smaller_first(row)._replace(created=row.created or moment)._asdict() for row in rows]
        self._dialect.insert("not_duplicates", values, "ON CONFLICT DO NOTHING")

    def take_back(self, pairs: Iterable[tuple[bytes, bytes]]) -> list[RefusedRow]:
        """Let pairs be duplicates again, and return their refusals."""
        wanted = {(min(pair), max(pair)) for pair in pairs}
        taken = [row for row in self.refused() if (row.first, row.second) in wanted]
        gone = "DELETE FROM not_duplicates WHERE first = ? AND second = ?"
        self._dialect.many(gone, [(row.first, row.second) for row in taken])
        return taken

    def refused(self) -> list[RefusedRow]:
        """Return every pair that is no duplicate, the latest first."""
        rows = self._rows("not_duplicates", "ORDER BY created DESC, first, second")
        return [RefusedRow(**row) for row in rows]

    def choose(self, photographs: Sequence[int], choice: str | None) -> None:
        """Record a person's choice for photographs: “goes”, “stays” or “best”; None leaves it to the rules again."""
        self._dialect.among("DELETE FROM keep_choice WHERE photograph_id {among}", photographs)
        if choice is not None:
            self._dialect.insert("keep_choice", [{"photograph_id": one, "choice": choice} for one in photographs])

    def choice(self, photograph_id: int) -> str | None:
        """Return a person's choice for a photograph; None where the rules decide."""
        rows = self._rows("keep_choice", "WHERE photograph_id = ?", photograph_id)
        return next((row["choice"] for row in rows), None)

    def choices(self) -> dict[int, str]:
        """Return the photographs for which a person chose, with the choices."""
        rows = self._rows("keep_choice", "ORDER BY photograph_id")
        return {row["photograph_id"]: row["choice"] for row in rows}

    def _rows(self, table: str, which: str, *values: Any) -> Iterator[dict[str, Any]]:
        return sound_rows(self._dialect.records(f"SELECT * FROM {table} {which}", values), table)
