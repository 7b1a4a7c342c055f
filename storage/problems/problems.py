"""Problems: what could not be read, why, and what to do about it; never silently skipped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Row, delete, func, select

from core.message import NOTHING, Message, from_json
from storage.database.batches import Ids, pieces, plain
from storage.database.schema import problem
from storage.database.timestamps import now
from storage.integrity.checksums import facts
from storage.photographs.volumes import inside


class NewProblem(NamedTuple):
    """A file or folder that could not be read; size and time tell later whether it has changed since."""

    volume_id: int
    path: bytes
    reason: Message
    next_step: Message = NOTHING
    size: int | None = None
    mtime_ns: int | None = None
    photograph_id: int | None = None


@dataclass(frozen=True)
class ProblemRow:
    """One problem; ``since`` is when it was first met, ``attempts`` how often it was."""

    id: int
    volume_id: int
    path: bytes
    size: int | None
    mtime_ns: int | None
    photograph_id: int | None
    reason: Message
    next_step: Message
    since: str
    attempts: int
    ignored: bool


class Problems:
    """The problems of a library, one a path."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, problems: Sequence[NewProblem]) -> None:
        """Record problems, and mark their photographs as unreadable; one that is met again counts one attempt more.

        What the file was before is not taken for its content any more. A problem that is ignored stays so until its
        file changes.
        """
        if not problems:
            return
        since = now()
        self._connection.exec_driver_sql(
            "INSERT INTO problem (volume_id, path, reason, next_step, size, mtime_ns, photograph_id, since, attempts, "
            "ignored) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 0) ON CONFLICT (volume_id, path) DO UPDATE SET "
            "ignored = ignored AND size IS excluded.size AND mtime_ns IS excluded.mtime_ns, "
            "reason = excluded.reason, next_step = excluded.next_step, size = excluded.size, "
            "mtime_ns = excluded.mtime_ns, photograph_id = excluded.photograph_id, attempts = attempts + 1",
            [(*_stored(one), since) for one in problems],
        )
        marked = [(one.photograph_id,) for one in problems if one.photograph_id is not None]
        if marked:
            unread = "UPDATE photograph SET state = 'unreadable', content_hash = NULL WHERE id = ?"
            self._connection.exec_driver_sql(unread, marked)

    def all(self, ignored: bool | None = False) -> list[ProblemRow]:
        """List the problems in path order: those that count, those that are ignored, or (None) both."""
        statement = select(problem).order_by(problem.c.volume_id, problem.c.path)
        if ignored is not None:
            statement = statement.where(problem.c.ignored == int(ignored))
        return [self._row(row) for row in self._connection.execute(statement)]

    @staticmethod
    def _row(row: Row[Any, Any]) -> ProblemRow:
        values = {column.name: row._mapping[column] for column in facts(problem)}
        words = {name: from_json(values[name]) for name in ("reason", "next_step")}
        return ProblemRow(**values | words | {"ignored": bool(values["ignored"])})

    def count(self) -> int:
        """Count the problems that are not ignored."""
        return int(self._connection.execute(select(func.count()).where(problem.c.ignored == 0)).scalar_one())

    def ignore(self, ids: Sequence[int] | Ids, ignored: bool = True) -> None:
        """Leave problems out of the list and of the count, or take them back."""
        if len(ids):
            rows = [(int(ignored), i) for i in plain(ids)]
            self._connection.exec_driver_sql("UPDATE problem SET ignored = ? WHERE id = ?", rows)

    def retry(self, ids: Sequence[int] | Ids | None = None) -> Ids:
        """Have the photographs of problems read again.

        Parameters
        ----------
        ids : sequence of int or None
            Problems; None for all that are not ignored.

        Returns
        -------
        Ids, (n,)
            The photographs that are pending now. Their problems go when they have been read.
        """
        statement = select(problem.c.photograph_id).where(problem.c.photograph_id.is_not(None))
        if ids is None:
            photographs = [*self._connection.execute(statement.where(problem.c.ignored == 0)).scalars()]
        else:
            some = (self._connection.execute(statement.where(problem.c.id.in_(piece))) for piece in pieces(plain(ids)))
            photographs = [i for found in some for i in found.scalars()]
        if photographs:
            rows = [(i,) for i in photographs]
            self._connection.exec_driver_sql("UPDATE photograph SET state = 'pending' WHERE id = ?", rows)
        return np.array(sorted(photographs), np.int64)

    def clear(self, volume_id: int, paths: Sequence[bytes]) -> None:
        """Strike the problems of paths off, since they are over."""
        if paths:
            rows = [(volume_id, path) for path in paths]
            self._connection.exec_driver_sql("DELETE FROM problem WHERE volume_id = ? AND path = ?", rows)

    def under(self, volume_id: int, under: bytes = b"") -> dict[bytes, ProblemRow]:
        """Return the problems in a folder by path, ignored ones too."""
        rows = self._connection.execute(select(problem).where(inside(problem, volume_id, under)))
        return {row.path: self._row(row) for row in rows}

    def remove_in(self, volume_id: int, under: bytes) -> None:
        """Strike the problems in a folder off."""
        self._connection.execute(delete(problem).where(inside(problem, volume_id, under)))


def _stored(one: NewProblem) -> tuple[Any, ...]:
    return tuple(value.to_json() if isinstance(value, Message) else value for value in one)
