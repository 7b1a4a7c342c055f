"""Photographs: the place, facts and state of each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    update,
)

from twinlens.core.arrays import Int64Ids
from twinlens.core.date_taken import DateTaken
from twinlens.core.message import counted
from twinlens.storage.database.dialect import of, pieces, plain
from twinlens.storage.database.schema import PhotographState, now, photograph, problem
from twinlens.storage.integrity.checksums import DamagedRowError, checksum, facts, named
from twinlens.storage.photographs.photograph_listing import Filter
from twinlens.storage.photographs.volumes import inside

_NO_ID = 2**63  # what the database cannot hold, no photograph has
c = photograph.c
_SELECT = select(*facts(photograph))
_PATHS = select(c.path).where(c.volume_id == bindparam(None))
_NOT_READ = (None,) * 6  # what is not known of a photograph before it is read, between its state and when it was added
_NEW = (c.id, c.volume_id, c.path, c.folder_id, c.size, c.mtime_ns, c.state, c.added, c.checksum)
_REGISTER = insert(photograph).values({column: bindparam(None) for column in _NEW})
_ONE = update(photograph).where(c.id == bindparam(None))
_CHANGED = _ONE.ordered_values(*((column, bindparam(None)) for column in (c.state, c.size, c.mtime_ns)))


class MovedFile(NamedTuple):
    """The new place of a registered file that has moved."""

    id: int
    volume_id: int
    folder_id: int | None
    path: bytes
    size: int
    mtime_ns: int


_MOVED = _ONE.ordered_values(*((c[name], bindparam(None)) for name in MovedFile._fields if name != "id"))
_FACTS = (c.state, c.content_hash, c.format, c.width, c.height, c.orientation, c.taken, c.camera)
_READ = _ONE.ordered_values(*((column, bindparam(None)) for column in _FACTS))
_DATED = _ONE.ordered_values((c.taken, bindparam(None)))
_UNDATED = select(c.id).where(c.taken.is_(None), c.content_hash.is_not(None))


class Photographs:
    """The photographs of a library."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

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
        first = self._dialect.give(photograph, len(new))
        state, added, checked = PhotographState.PENDING.value, now(), self._dialect.checksums
        places = ((i, volume_id, file.path, folder_id, *file[1:]) for i, file in enumerate(new, first))
        rows = [
            (*place, state, added, checksum(*place, None, state, *_NOT_READ, added) if checked else None)
            for place in places
        ]
        self._dialect.many(_REGISTER, rows)
        return np.arange(first, first + len(new), dtype=np.int64)

    def _known_paths(self, volume_id: int, paths: Sequence[bytes]) -> set[bytes]:
        here = c.volume_id == volume_id
        if self._connection.execute(select(c.id).where(here).order_by(c.path).limit(1)).first() is None:
            return set()
        return {path for (path,) in self._dialect.rows_among(_PATHS, c.path, paths, (volume_id,))}

    def mark_changed(self, files: Sequence[ChangedFile]) -> None:
        """Make photographs pending again, since their files have changed; their data stay until they are read."""
        rows = [(PhotographState.PENDING.value, file.size, file.mtime_ns, file.id) for file in files]
        self._dialect.many(_CHANGED, rows)

    def record(self, files: Sequence[ReadFile]) -> None:
        """Record the results of reading: the photographs are ready, and their problems are over."""
        self._dialect.many(_READ, [(PhotographState.READY.value, *file[1:], file.id) for file in files])
        self._over([file.id for file in files])

    def undated(self) -> Int64Ids:
        """Return the ids of photographs that were read and have no date."""
        return self._dialect.ids(_UNDATED)

    def date(self, dates: Mapping[int, str | None]) -> None:
        """Record the dates of photographs by their ids, as :attr:`twinlens.core.date_taken.DateTaken.stored`."""
        self._dialect.many(_DATED, [(taken, photograph_id) for photograph_id, taken in dates.items()])

    def _over(self, ids: list[int]) -> None:
        """Remove the problems of photographs."""
        self._dialect.among(delete(problem), problem.c.photograph_id, ids)

    def _set_state(self, ids: list[int], state: PhotographState) -> None:
        self._dialect.among(update(photograph).values(state=state.value), c.id, ids)

    def mark_pending(self, ids: Sequence[int] | Int64Ids) -> None:
        """Mark photographs to be read again."""
        self._set_state(plain(ids), PhotographState.PENDING)

    def mark_missing(self, ids: Sequence[int] | Int64Ids) -> None:
        """Mark photographs whose files have vanished; everything known of them is kept, but their problems are over."""
        self._set_state(plain(ids), PhotographState.MISSING)
        self._over(plain(ids))

    def mark_present(self, ids: Sequence[int] | Int64Ids) -> None:
        """Mark missing photographs whose files are there again, unchanged: ready if they were read, else pending."""
        state = case((c.content_hash.is_(None), PhotographState.PENDING.value), else_=PhotographState.READY.value)
        missing = update(photograph).where(c.state == PhotographState.MISSING.value).values(state=state)
        self._dialect.among(missing, c.id, plain(ids))

    def move(self, files: Sequence[MovedFile]) -> None:
        """Move photographs to other paths; each keeps its id and everything known of it, and is present again.

        The places must be free: rows that were registered there are removed first
        (:meth:`twinlens.storage.library.store.Transaction.remove`).
        """
        self._dialect.many(_MOVED, [(*file[1:], file.id) for file in files])
        self.mark_present([file.id for file in files])

    def by_id(self, ids: Sequence[int] | Int64Ids) -> list[PhotographRow]:
        """Return photographs in the order of the ids; unknown ids are left out."""
        wanted = [one for one in plain(ids) if -_NO_ID < one < _NO_ID]
        found = {row.id: row for row in map(PhotographRow.of, self._dialect.rows_among(_SELECT, c.id, wanted))}
        return [found[i] for i in wanted if i in found]

    def by_path(self, volume_id: int, path: bytes) -> PhotographRow | None:
        """Find the photograph at a path."""
        found = self._rows(_SELECT.where(c.volume_id == volume_id, c.path == path))
        return found[0] if found else None

    def by_hash(self, *contents: bytes) -> list[PhotographRow]:
        """Find the photographs of some contents, in id order."""
        rows = self._dialect.among(_SELECT, c.content_hash, contents)
        return sorted(map(PhotographRow.of, rows), key=lambda row: row.id)

    def contents_by_size(self, sizes: Collection[int], most: int) -> dict[int, dict[int, bytes]]:
        """Find the contents of read files of some sizes: by the size, contents by photograph.

        Parameters
        ----------
        most : int
            Photographs of one size: the last ones.
        """
        found: dict[int, dict[int, bytes]] = {}
        place = func.row_number().over(partition_by=c.size, order_by=c.id.desc()).label("place")
        for some in pieces(sizes):
            read = select(c.size, c.id, c.content_hash, place).where(c.size.in_(some), c.content_hash.is_not(None))
            last = read.subquery()
            statement = select(last.c.size, last.c.id, last.c.content_hash).where(last.c.place <= most)
            for size, i, content_hash in self._connection.execute(statement):
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
        here = (c.state == state.value) & (c.id > after)
        return self._rows(_SELECT.where(here).order_by(c.id).limit(limit))

    def _rows(self, statement: Select[Any]) -> list[PhotographRow]:
        return [PhotographRow.of(row) for row in self._connection.execute(statement)]

    def known(self, volume_id: int, under: bytes = b"") -> Iterator[KnownFile]:
        """Yield the registered files in a folder, in the order of the paths' bytes, for merging with a walk.

        The transaction must stay open meanwhile.
        """
        columns = (c.id, c.path, c.size, c.mtime_ns, c.state)
        statement = select(*columns).where(inside(photograph, volume_id, under)).order_by(c.path)
        states = {state.value: state for state in PhotographState}
        for i, path, size, mtime_ns, state in self._dialect.rows(statement):
            yield KnownFile(i, path, size, mtime_ns, states[state])

    def matching(self, choice: Filter) -> Int64Ids:
        """Return the ids of the photographs that pass a filter, (n,), ascending."""
        return self._dialect.ids(select(c.id).where(*choice.conditions()))

    def related(self, contents: Collection[bytes]) -> Int64Ids:
        """Return the photographs that have one of some contents, or the content of another photograph, ascending.

        The other one may have vanished: looking at the state of all would read the whole table.
        """
        several = select(c.content_hash).where(c.content_hash.is_not(None))
        several = several.group_by(c.content_hash).having(func.count() > 1)
        wanted = {*contents, *self._connection.execute(several).scalars()}
        # A condition on the state would have SQLite walk all ready photographs instead.
        rows = self._dialect.rows_among(select(c.id, c.state), c.content_hash, sorted(wanted))
        return np.unique(np.array([i for i, state in rows if state == PhotographState.READY.value], np.int64))

    def of_format(self, name: str) -> Int64Ids:
        """Return the photographs of one format, ascending."""
        return self._dialect.ids(select(c.id).where(c.state == PhotographState.READY.value, c.format == name))

    def places(self) -> Iterator[tuple[int, int, bytes]]:
        """Yield id, volume and path of each photograph that was read; the transaction must stay open meanwhile."""
        statement = select(c.id, c.volume_id, c.path).where(c.state == PhotographState.READY.value).order_by(c.id)
        return ((i, volume_id, path) for i, volume_id, path in self._dialect.rows(statement))

    def contents_count(self, most: int) -> int:
        """Count the contents of the photographs that were read, up to a number."""
        ready = (c.state == PhotographState.READY.value) & c.content_hash.is_not(None)
        some = select(c.content_hash).distinct().where(ready).limit(most).subquery()
        return int(self._connection.execute(select(func.count()).select_from(some)).scalar_one())

    def cameras(self) -> list[str]:
        """Return the names of the cameras that photographs were taken with, the most frequent first."""
        name = c.camera
        named = select(name).where(name.is_not(None), name != "").group_by(name).order_by(func.count().desc(), name)
        return list(self._connection.execute(named).scalars())

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
        columns = (c.id, c.content_hash)
        here = c.id.between(int(wanted[0]), int(wanted[-1])) & c.content_hash.is_not(None)
        rows = self._connection.execute(select(*columns).where(here).order_by(c.id)).all()
        found = np.fromiter((i for i, _ in rows), np.int64, len(rows))
        keep = np.isin(found, wanted, assume_unique=True)
        return found[keep], [content_hash for (_, content_hash), kept in zip(rows, keep, strict=True) if kept]

    def count_under(self, volume_id: int, under: bytes = b"", state: PhotographState | None = None) -> int:
        """Count the photographs in a folder, those of one state if it is given."""
        wanted = select(func.count()).where(inside(photograph, volume_id, under))
        if state is not None:
            wanted = wanted.where(c.state == state.value)
        return int(self._connection.execute(wanted).scalar_one())

    def counts(self) -> dict[PhotographState, int]:
        """Count the photographs in each state."""
        rows = self._connection.execute(select(c.state, func.count().label("photographs")).group_by(c.state))
        found: dict[str, int] = {row.state: row.photographs for row in rows}
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
        return self.date.written if self.date is not None and self.date.in_file else None

    @classmethod
    def of(cls, row: Iterable[Any]) -> PhotographRow:
        """Read a row of the table, without its checksum."""
        values: list[Any] = [*row]
        try:
            values[7] = PhotographState(values[7])
        except ValueError:
            raise DamagedRowError(named(photograph, {"id": values[0]})) from None
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
