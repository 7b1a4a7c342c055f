"""Files that are no pictures: remembered, so that adding the folder again does not read them again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, bindparam, delete, func, select

from storage.database.dialect import of
from storage.database.schema import passed_over
from storage.photographs.photograph_rows import NewFile
from storage.photographs.volumes import inside

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
