"""Photographs: the place, facts and state of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from twinlens.core.arrays import Int64Ids
from twinlens.core.date_taken import DateTaken
from twinlens.core.message import counted
from twinlens.storage.database.dialect import Dialect, plain
from twinlens.storage.database.values import PhotographState, now
from twinlens.storage.integrity.checksums import DamagedRowError, checksum, named
from twinlens.storage.photographs.photograph_listing import Filter
from twinlens.storage.photographs.volumes import inside

_NO_ID = 2**63  # what the database cannot hold, no photograph has
_COLUMNS = (
    "id, volume_id, path, folder_id, size, mtime_ns, content_hash, state, format, width, height, orientation, taken, "
    "camera, added"
)
SELECT_PHOTOGRAPHS = f"SELECT {_COLUMNS} FROM photograph"
_NOT_READ = (None,) * 6  # what is not known of a photograph before it is read, between its state and when it was added
_READY = f"state = '{PhotographState.READY}'"
_REGISTER = """
    INSERT INTO photograph (id, volume_id, path, folder_id, size, mtime_ns, state, added, checksum)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_READ = """
    UPDATE photograph
    SET state = ?, content_hash = ?, format = ?, width = ?, height = ?, orientation = ?, taken = ?, camera = ?
    WHERE id = ?
"""


class MovedFile(NamedTuple):
    """The new place of a registered file that has moved."""

    id: int
    volume_id: int
    folder_id: int | None
    path: bytes
    size: int
    mtime_ns: int


class Photographs:
    """The photographs of a library."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def register(self, volume_id: int, folder_id: int | None, files: Sequence[NewFile]) -> Int64Ids:
        """Register files as pending, in the given order.

        Parameters
        ----------
        files : sequence of NewFile
            In path order; each path once.

        Returns
        -------
        Ids, (n,)
            The ids of the new ones, consecutive; a path that is known already is left as it is.
        """
        known = self._known_paths(volume_id, [file.path for file in files])
        new = [file for file in files if file.path not in known] if known else files
        if not new:
            return np.empty(0, np.int64)
        first = self._dialect.give("photograph", len(new))
        state, added, checked = PhotographState.PENDING.value, now(), self._dialect.checksums
        places = ((i, volume_id, file.path, folder_id, *file[1:]) for i, file in enumerate(new, first))
        rows = [
            (*place, state, added, checksum(*place, None, state, *_NOT_READ, added) if checked else None)
            for place in places
        ]
        self._dialect.many(_REGISTER, rows)
        return np.arange(first, first + len(new), dtype=np.int64)

    def _known_paths(self, volume_id: int, paths: Sequence[bytes]) -> set[bytes]:
        any_path = "SELECT id FROM photograph WHERE volume_id = ? ORDER BY path LIMIT 1"
        if self._dialect.value(any_path, (volume_id,)) is None:
            return set()
        known = "SELECT path FROM photograph WHERE volume_id = ? AND path {among}"
        return {path for (path,) in self._dialect.rows_among(known, paths, (volume_id,))}

    def mark_changed(self, files: Sequence[ChangedFile]) -> None:
        """Make photographs pending again, since their files have changed; their data stay until they are read."""
        rows = [(PhotographState.PENDING.value, file.size, file.mtime_ns, file.id) for file in files]
        self._dialect.many("UPDATE photograph SET state = ?, size = ?, mtime_ns = ? WHERE id = ?", rows)

    def record(self, files: Sequence[ReadFile]) -> None:
        """Record the results of reading: the photographs are ready, and their problems are over."""
        self._dialect.many(_READ, [(PhotographState.READY.value, *file[1:], file.id) for file in files])
        self._over([file.id for file in files])

    def undated(self) -> Int64Ids:
        """Return the ids of photographs that were read and have no date."""
        return self._dialect.ids("SELECT id FROM photograph WHERE taken IS NULL AND content_hash IS NOT NULL")

    def date(self, dates: Mapping[int, str | None]) -> None:
        """Record the dates of photographs by their ids, as :attr:`twinlens.core.date_taken.DateTaken.stored`."""
        rows = [(taken, photograph_id) for photograph_id, taken in dates.items()]
        self._dialect.many("UPDATE photograph SET taken = ? WHERE id = ?", rows)

    def _over(self, ids: list[int]) -> None:
        """Remove the problems of photographs."""
        self._dialect.among("DELETE FROM problem WHERE photograph_id {among}", ids)

    def _set_state(self, ids: list[int], state: PhotographState) -> None:
        self._dialect.among("UPDATE photograph SET state = ? WHERE id {among}", ids, (state.value,))

    def mark_pending(self, ids: Sequence[int] | Int64Ids) -> None:
        """Mark photographs to be read again."""
        self._set_state(plain(ids), PhotographState.PENDING)

    def mark_missing(self, ids: Sequence[int] | Int64Ids) -> None:
        """Mark photographs whose files have vanished; everything known of them is kept, but their problems are over."""
        self._set_state(plain(ids), PhotographState.MISSING)
        self._over(plain(ids))

    def mark_present(self, ids: Sequence[int] | Int64Ids) -> None:
        """Mark missing photographs whose files are there again, unchanged: ready if they were read, else pending."""
        present = """
            UPDATE photograph SET state = CASE WHEN content_hash IS NULL THEN ? ELSE ? END
            WHERE state = ? AND id {among}
        """
        states = PhotographState.PENDING.value, PhotographState.READY.value, PhotographState.MISSING.value
        self._dialect.among(present, plain(ids), states)

    def move(self, files: Sequence[MovedFile]) -> None:
        """Move photographs to other paths; each keeps its id and everything known of it, and is present again.

        The places must be free: rows that were registered there are removed first
        (:meth:`twinlens.storage.library.store.Transaction.remove`).
        """
        moved = "UPDATE photograph SET volume_id = ?, folder_id = ?, path = ?, size = ?, mtime_ns = ? WHERE id = ?"
        self._dialect.many(moved, [(*file[1:], file.id) for file in files])
        self.mark_present([file.id for file in files])

    def by_id(self, ids: Sequence[int] | Int64Ids) -> list[PhotographRow]:
        """Return photographs in the order of the ids; unknown ids are left out."""
        wanted = [one for one in plain(ids) if -_NO_ID < one < _NO_ID]
        rows = self._dialect.rows_among(f"{SELECT_PHOTOGRAPHS} WHERE id {{among}}", wanted)
        found = {row.id: row for row in map(PhotographRow.of, rows)}
        return [found[i] for i in wanted if i in found]

    def by_path(self, volume_id: int, path: bytes) -> PhotographRow | None:
        """Find the photograph at a path."""
        found = self._rows("WHERE volume_id = ? AND path = ?", volume_id, path)
        return found[0] if found else None

    def by_hash(self, *contents: bytes) -> list[PhotographRow]:
        """Find the photographs of some contents, in id order."""
        rows = self._dialect.rows_among(f"{SELECT_PHOTOGRAPHS} WHERE content_hash {{among}}", contents)
        return sorted(map(PhotographRow.of, rows), key=lambda row: row.id)

    def contents_by_size(self, sizes: Collection[int], most: int) -> dict[int, dict[int, bytes]]:
        """Find the contents of read files of some sizes: by the size, contents by photograph.

        Parameters
        ----------
        most : int
            Photographs of one size: the last ones.
        """
        found: dict[int, dict[int, bytes]] = {}
        last = f"""
            SELECT size, id, content_hash FROM (
                SELECT size, id, content_hash, row_number() OVER (PARTITION BY size ORDER BY id DESC) AS place
                FROM photograph WHERE content_hash IS NOT NULL AND size {{among}}
            ) AS read WHERE place <= {int(most)}
        """
        for size, i, content_hash in self._dialect.rows_among(last, sizes):
            found.setdefault(size, {})[i] = content_hash
        return found

    def in_state(self, state: PhotographState, after: int = 0, limit: int = 1000) -> list[PhotographRow]:
        """Return the next photographs in a state, in id order.

        Parameters
        ----------
        after : int
            The last id that was had.
        limit : int
            How many at most.
        """
        return self._rows("WHERE state = ? AND id > ? ORDER BY id LIMIT ?", state.value, after, limit)

    def _rows(self, which: str, *values: Any) -> list[PhotographRow]:
        return [PhotographRow.of(row) for row in self._dialect.rows(f"{SELECT_PHOTOGRAPHS} {which}", values)]

    def known(self, volume_id: int, under: bytes = b"") -> Iterator[KnownFile]:
        """Yield the registered files in a folder, in the order of the paths' bytes, for merging with a walk.

        The transaction must stay open meanwhile.
        """
        there, values = inside(volume_id, under)
        statement = f"SELECT id, path, size, mtime_ns, state FROM photograph WHERE {there} ORDER BY path"
        states = {state.value: state for state in PhotographState}
        for i, path, size, mtime_ns, state in self._dialect.rows(statement, values):
            yield KnownFile(i, path, size, mtime_ns, states[state])

    def matching(self, choice: Filter) -> Int64Ids:
        """Return the ids of the photographs that pass a filter, (n,), ascending."""
        conditions, values = choice.conditions()
        return self._dialect.ids(f"SELECT id FROM photograph WHERE {conditions}", values)

    def related(self, contents: Collection[bytes]) -> Int64Ids:
        """Return the photographs that have one of some contents, or the content of another photograph, ascending.

        The other one may have vanished: looking at the state of all would read the whole table.
        """
        several = """
            SELECT content_hash FROM photograph WHERE content_hash IS NOT NULL GROUP BY content_hash HAVING count(*) > 1
        """
        return self.with_contents({*contents, *self._dialect.column(several)})

    def with_contents(self, contents: Collection[bytes]) -> Int64Ids:
        """Return the photographs that have one of some contents, ascending."""
        # A condition on the state would have SQLite walk all ready photographs instead.
        rows = self._dialect.rows_among("SELECT id, state FROM photograph WHERE content_hash {among}", sorted(contents))
        return np.unique(np.array([i for i, state in rows if state == PhotographState.READY.value], np.int64))

    def of_format(self, name: str) -> Int64Ids:
        """Return the photographs of one format, ascending."""
        return self._dialect.ids(f"SELECT id FROM photograph WHERE {_READY} AND format = ?", (name,))

    def places(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield id, volume and path of each photograph that was read; the transaction must stay open meanwhile."""
        statement = f"SELECT id, volume_id, path FROM photograph WHERE {_READY} ORDER BY id"
        return ((i, volume_id, path) for i, volume_id, path in self._dialect.rows(statement))

    def with_pixels(self) -> tuple[Int64Ids, list[bytes]]:
        """Return the photographs that were read and have pixels, (n,), ascending, and their contents."""
        rows = list(
            self._dialect.rows(f"""
                SELECT id, content_hash FROM photograph
                WHERE {_READY} AND content_hash IS NOT NULL AND width > 0 AND height > 0 ORDER BY id
            """)
        )
        return np.fromiter((i for i, _ in rows), np.int64, len(rows)), [content for _, content in rows]

    def contents_count(self, most: int) -> int:
        """Count the contents of the photographs that were read, up to a number."""
        some = f"SELECT DISTINCT content_hash FROM photograph WHERE {_READY} AND content_hash IS NOT NULL"
        return int(self._dialect.value(f"SELECT count(*) FROM ({some} LIMIT ?) AS listed", (most,)))

    def cameras(self) -> list[str]:
        """Return the names of the cameras that photographs were taken with, the most frequent first."""
        return self._dialect.column("""
            SELECT camera FROM photograph WHERE camera IS NOT NULL AND camera <> ''
            GROUP BY camera ORDER BY count(*) DESC, camera
        """)

    def contents(self, ids: Sequence[int] | Int64Ids) -> tuple[Int64Ids, list[bytes]]:
        """Return the content hashes of photographs that were read.

        Returns
        -------
        ids : Ids, (n,)
            Those of them that have one, ascending.
        hashes : list of bytes
            32 bytes each.
        """
        wanted = np.asarray(ids, np.int64)
        if len(wanted) == 0:
            return wanted, []
        read = """
            SELECT id, content_hash FROM photograph WHERE id BETWEEN ? AND ? AND content_hash IS NOT NULL ORDER BY id
        """
        rows = list(self._dialect.rows(read, (int(wanted[0]), int(wanted[-1]))))
        found = np.fromiter((i for i, _ in rows), np.int64, len(rows))
        keep = np.isin(found, wanted, assume_unique=True)
        return found[keep], [content_hash for (_, content_hash), kept in zip(rows, keep, strict=True) if kept]

    def count_under(self, volume_id: int, under: bytes = b"", state: PhotographState | None = None) -> int:
        """Count the photographs in a folder, those of one state if it is given."""
        there, values = inside(volume_id, under)
        if state is not None:
            there += f" AND state = '{state}'"
        return int(self._dialect.value(f"SELECT count(*) FROM photograph WHERE {there}", values))

    def counts(self) -> dict[PhotographState, int]:
        """Count the photographs in each state."""
        found: dict[str, int] = dict(self._dialect.rows("SELECT state, count(*) FROM photograph GROUP BY state"))
        strange = found.keys() - set(PhotographState)
        if strange:
            count = sum(found[state] for state in strange)
            raise DamagedRowError(
                counted("{count} row of the table photograph", "{count} rows of the table photograph", count)
            )
        return {state: found.get(state, 0) for state in PhotographState}


@dataclass(frozen=True)
class PhotographRow:
    """One photograph.

    Attributes
    ----------
    path : bytes
        Relative to the mount point of the volume.
    size : int
        Bytes of the file.
    mtime_ns : int
        When the file was last changed, in nanoseconds since 1970.
    content_hash : bytes or None
        32 bytes; None until it is read.
    width, height : int or None
        As shown, in pixels.
    orientation : int or None
        1 to 8, as written in the file.
    taken : str or None
        When it was taken, as :attr:`twinlens.core.date_taken.DateTaken.stored`.
    added : str
        When it was registered, UTC.
    """

    id: int
    volume_id: int
    path: bytes
    folder_id: int | None
    size: int
    mtime_ns: int
    content_hash: bytes | None
    state: PhotographState
    format: str | None
    width: int | None
    height: int | None
    orientation: int | None
    taken: str | None
    camera: str | None
    added: str

    @property
    def date(self) -> DateTaken | None:
        """When it was taken, and where that is said."""
        return None if self.taken is None else DateTaken.of_stored(self.taken)

    @property
    def noted(self) -> str | None:
        """When it was taken as far as the file itself says it: ``2023-05-14T11:08:00``, ``1957``."""
        date = self.date
        return date.written if date is not None and date.in_file else None

    @classmethod
    def of(cls, row: Iterable[Any]) -> PhotographRow:
        """Read a row of the table, without its checksum."""
        values: list[Any] = [*row]
        try:
            values[7] = PhotographState(values[7])
        except ValueError:
            raise DamagedRowError(named("photograph", {"id": values[0]})) from None
        return cls(*values)


class NewFile(NamedTuple):
    """A file that is to be registered."""

    path: bytes
    size: int
    mtime_ns: int


class ChangedFile(NamedTuple):
    """A registered file whose size or time is another one now."""

    id: int
    size: int
    mtime_ns: int


class KnownFile(NamedTuple):
    """A registered file, with what shows whether it has changed."""

    id: int
    path: bytes
    size: int
    mtime_ns: int
    state: PhotographState


class ReadFile(NamedTuple):
    """The result of reading a photograph."""

    id: int
    content_hash: bytes
    format: str
    width: int
    height: int
    orientation: int
    taken: str | None
    camera: str | None
