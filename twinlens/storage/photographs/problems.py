"""Problems: files that could not be read, why, and what to do about it; never silently skipped.

Files that are no pictures are remembered, so that adding the folder again does not read them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from twinlens.core.arrays import Int64Ids
from twinlens.core.message import NOTHING, Message, from_json
from twinlens.storage.database.dialect import Dialect, plain
from twinlens.storage.database.values import PhotographState, now
from twinlens.storage.photographs.photographs import NewFile
from twinlens.storage.photographs.volumes import inside

_MET_AGAIN = """
    ON CONFLICT (volume_id, path) DO UPDATE SET
        reason = excluded.reason, next_step = excluded.next_step, size = excluded.size, mtime_ns = excluded.mtime_ns,
        photograph_id = excluded.photograph_id, attempts = problem.attempts + 1,
        ignored = CASE WHEN problem.ignored <> 0
            AND (problem.size = excluded.size OR problem.size IS NULL AND excluded.size IS NULL)
            AND (problem.mtime_ns = excluded.mtime_ns OR problem.mtime_ns IS NULL AND excluded.mtime_ns IS NULL)
            THEN 1 ELSE 0 END
"""
_COLUMNS = "id, volume_id, path, size, mtime_ns, photograph_id, reason, next_step, since, attempts, ignored"
_SELECT = f"SELECT {_COLUMNS} FROM problem"


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

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def add(self, problems: Sequence[NewProblem]) -> None:
        """Record problems, and mark their photographs as unreadable; one that is met again counts one attempt more.

        What the file was before is not taken for its content any more. A problem that is ignored stays so until its
        file changes.
        """
        if not problems:
            return
        self._dialect.insert("problem", [_stored(one) for one in problems], _MET_AGAIN, numbered=True)
        unread = "UPDATE photograph SET state = ?, content_hash = NULL WHERE id {among}"
        marked = [one.photograph_id for one in problems if one.photograph_id is not None]
        self._dialect.among(unread, marked, (PhotographState.UNREADABLE.value,))

    def all(self, ignored: bool | None = False) -> list[ProblemRow]:
        """List the problems in path order: those that count, those that are ignored, or (None) both."""
        which = "" if ignored is None else f"WHERE ignored = {int(ignored)}"
        return self._rows(f"{which} ORDER BY volume_id, path")

    def _rows(self, which: str, values: Sequence[Any] = ()) -> list[ProblemRow]:
        return [
            ProblemRow(
                **row
                | {name: from_json(row[name]) for name in ("reason", "next_step")}
                | {"ignored": bool(row["ignored"])}
            )
            for row in self._dialect.records(f"{_SELECT} {which}", values)
        ]

    def count(self) -> int:
        """Count the problems that are not ignored."""
        return int(self._dialect.value("SELECT count(*) FROM problem WHERE ignored = 0"))

    def ignore(self, ids: Sequence[int] | Int64Ids, ignored: bool = True) -> None:
        """Leave problems out of the list and of the count, or take them back."""
        self._dialect.among("UPDATE problem SET ignored = ? WHERE id {among}", plain(ids), (int(ignored),))

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
        statement = "SELECT photograph_id FROM problem WHERE photograph_id IS NOT NULL AND"
        if ids is None:
            photographs = self._dialect.column(f"{statement} ignored = 0")
        else:
            photographs = [one for (one,) in self._dialect.rows_among(f"{statement} id {{among}}", plain(ids))]
        pending = "UPDATE photograph SET state = ? WHERE id {among}"
        self._dialect.among(pending, photographs, (PhotographState.PENDING.value,))
        return np.array(sorted(photographs), np.int64)

    def clear(self, volume_id: int, paths: Sequence[bytes]) -> None:
        """Remove the problems of paths, since they are over."""
        rows = [(volume_id, path) for path in paths]
        self._dialect.many("DELETE FROM problem WHERE volume_id = ? AND path = ?", rows)

    def under(self, volume_id: int, under: bytes = b"") -> dict[bytes, ProblemRow]:
        """Return the problems in a folder by path, ignored ones too."""
        there, values = inside(volume_id, under)
        return {row.path: row for row in self._rows(f"WHERE {there}", values)}

    def remove_in(self, volume_id: int, under: bytes) -> None:
        """Remove the problems in a folder."""
        there, values = inside(volume_id, under)
        self._dialect.execute(f"DELETE FROM problem WHERE {there}", values)


def _stored(one: NewProblem) -> dict[str, Any]:
    words = {"reason": one.reason.to_json(), "next_step": one.next_step.to_json()}
    return one._asdict() | words | {"since": now(), "attempts": 1, "ignored": 0}


class PassedOver:
    """The regular files that turned out to be no pictures."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def add(self, volume_id: int, files: Sequence[NewFile]) -> None:
        """Remember files with the size and time at which they were looked at."""
        self._dialect.replace("passed_over", [(volume_id, *file, None) for file in files])

    def remove(self, volume_id: int, paths: Sequence[bytes]) -> None:
        """Forget files, since they have vanished or have become pictures."""
        rows = [(volume_id, path) for path in paths]
        self._dialect.many("DELETE FROM passed_over WHERE volume_id = ? AND path = ?", rows)

    def known(self, volume_id: int, under: bytes = b"") -> Iterator[NewFile]:
        """Yield the files in a folder, in the order of the paths' bytes; the transaction must stay open meanwhile."""
        there, values = inside(volume_id, under)
        statement = f"SELECT path, size, mtime_ns FROM passed_over WHERE {there} ORDER BY path"
        for row in self._dialect.rows(statement, values):
            yield NewFile(*row)

    def all(self) -> Iterator[tuple[int, bytes]]:
        """Yield volume and path of every file, in that order; the transaction must stay open meanwhile."""
        yield from self._dialect.rows("SELECT volume_id, path FROM passed_over ORDER BY volume_id, path")

    def remove_in(self, volume_id: int, under: bytes) -> None:
        """Forget the files in a folder."""
        there, values = inside(volume_id, under)
        self._dialect.execute(f"DELETE FROM passed_over WHERE {there}", values)

    def clear(self) -> None:
        """Forget all files: they are looked at again."""
        self._dialect.execute("DELETE FROM passed_over")

    def count(self) -> int:
        """Count the files."""
        return int(self._dialect.value("SELECT count(*) FROM passed_over"))
