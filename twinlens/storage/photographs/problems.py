"""Problems: files that could not be read, why, and what to do about it; never silently skipped.

Files that are no pictures are remembered, so that adding the folder again does not read them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Row, and_, bindparam, case, delete, func, select, update

from twinlens.core.arrays import Int64Ids
from twinlens.core.message import NOTHING, Message, from_json
from twinlens.storage.database.dialect import of, plain
from twinlens.storage.database.schema import PhotographState, now, passed_over, photograph, problem
from twinlens.storage.integrity.checksums import facts
from twinlens.storage.photographs.photographs import NewFile
from twinlens.storage.photographs.volumes import inside

_CLEAR = delete(problem).where(problem.c.volume_id == bindparam(None), problem.c.path == bindparam(None))
_CHANGING = ("reason", "next_step", "size", "mtime_ns", "photograph_id")


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
        self._dialect = of(connection)

    def add(self, problems: Sequence[NewProblem]) -> None:
        """Record problems, and mark their photographs as unreadable; one that is met again counts one attempt more.

        What the file was before is not taken for its content any more. A problem that is ignored stays so until its
        file changes.
        """
        if not problems:
            return
        statement, since = self._dialect.insert(problem), now()
        new = {name: statement.excluded[name] for name in _CHANGING}
        same = (problem.c[name].is_not_distinct_from(new[name]) for name in ("size", "mtime_ns"))
        still = case((and_(problem.c.ignored != 0, *same), 1), else_=0)
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=["volume_id", "path"],
                set_=new | {"ignored": still, "attempts": problem.c.attempts + 1},
            ),
            [_stored(one) | {"since": since, "attempts": 1, "ignored": 0} for one in problems],
        )
        unread = update(photograph).values(state=PhotographState.UNREADABLE.value, content_hash=None)
        marked = [one.photograph_id for one in problems if one.photograph_id is not None]
        self._dialect.among(unread, photograph.c.id, marked)

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

    def ignore(self, ids: Sequence[int] | Int64Ids, ignored: bool = True) -> None:
        """Leave problems out of the list and of the count, or take them back."""
        self._dialect.among(update(problem).values(ignored=int(ignored)), problem.c.id, plain(ids))

    def retry(self, ids: Sequence[int] | Int64Ids | None = None) -> Int64Ids:
        """Mark the photographs of problems to be read again.

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
            photographs = [row.photograph_id for row in self._dialect.among(statement, problem.c.id, plain(ids))]
        pending = update(photograph).values(state=PhotographState.PENDING.value)
        self._dialect.among(pending, photograph.c.id, photographs)
        return np.array(sorted(photographs), np.int64)

    def clear(self, volume_id: int, paths: Sequence[bytes]) -> None:
        """Remove the problems of paths, since they are over."""
        self._dialect.many(_CLEAR, [(volume_id, path) for path in paths])

    def under(self, volume_id: int, under: bytes = b"") -> dict[bytes, ProblemRow]:
        """Return the problems in a folder by path, ignored ones too."""
        rows = self._connection.execute(select(problem).where(inside(problem, volume_id, under)))
        return {row.path: self._row(row) for row in rows}

    def remove_in(self, volume_id: int, under: bytes) -> None:
        """Remove the problems in a folder."""
        self._connection.execute(delete(problem).where(inside(problem, volume_id, under)))


def _stored(one: NewProblem) -> dict[str, Any]:
    return one._asdict() | {"reason": one.reason.to_json(), "next_step": one.next_step.to_json()}


_REMOVE = delete(passed_over).where(passed_over.c.volume_id == bindparam(None), passed_over.c.path == bindparam(None))


class PassedOver:
    """The regular files that turned out to be no pictures."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def add(self, volume_id: int, files: Sequence[NewFile]) -> None:
        """Remember files with the size and time at which they were looked at."""
        self._dialect.replace(passed_over, [(volume_id, *file, None) for file in files])

    def remove(self, volume_id: int, paths: Sequence[bytes]) -> None:
        """Forget files, since they have vanished or have become pictures."""
        self._dialect.many(_REMOVE, [(volume_id, path) for path in paths])

    def known(self, volume_id: int, under: bytes = b"") -> Iterator[NewFile]:
        """Yield the files in a folder, in the order of the paths' bytes; the transaction must stay open meanwhile."""
        columns = (passed_over.c.path, passed_over.c.size, passed_over.c.mtime_ns)
        statement = select(*columns).where(inside(passed_over, volume_id, under)).order_by(passed_over.c.path)
        for row in self._dialect.rows(statement):
            yield NewFile(*row)

    def all(self) -> Iterator[tuple[int, bytes]]:
        """Yield volume and path of every file, in that order; the transaction must stay open meanwhile."""
        columns = (passed_over.c.volume_id, passed_over.c.path)
        yield from self._dialect.rows(select(*columns).order_by(*columns))

    def remove_in(self, volume_id: int, under: bytes) -> None:
        """Forget the files in a folder."""
        self._connection.execute(delete(passed_over).where(inside(passed_over, volume_id, under)))

    def clear(self) -> None:
        """Forget all files: they are looked at again."""
        self._connection.execute(delete(passed_over))

    def count(self) -> int:
        """Count the files."""
        return int(self._connection.execute(select(func.count()).select_from(passed_over)).scalar_one())
