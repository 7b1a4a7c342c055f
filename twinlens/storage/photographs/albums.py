"""Albums: selections of photographs under a name, which a person has chosen, or which a search finds anew each time.

The photographs of an album are contents, so that they stay in it when their files move, are forgotten and come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from twinlens.storage.database.dialect import of, pieces
from twinlens.storage.database.schema import album, album_photograph, now
from twinlens.storage.integrity.checksums import sound

_CHANGE = update(album).where(album.c.id == bindparam("one"))


@dataclass(frozen=True)
class AlbumRow:
    """One album.

    Attributes
    ----------
    search : str or None
        JSON of what it finds, in the words of the caller; None where a person chose its photographs.
    """

    id: int
    name: str
    search: str | None
    created: str


@dataclass(frozen=True)
class AlbumPhotograph:
    """A content in an album.

    Attributes
    ----------
    name : str
        Where a photograph of it lay then, for people.
    """

    album_id: int
    content: bytes
    name: str
    created: str


class Albums:
    """The albums of a library."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def all(self) -> list[AlbumRow]:
        """List the albums, in the order in which they were made."""
        rows = self._connection.execute(select(album).order_by(album.c.id))
        return [AlbumRow(**sound(album, row)) for row in rows]

    def make(self, name: str, search: str | None = None) -> AlbumRow:
        """Make an album; its name is free."""
        made = AlbumRow(self._dialect.give(album, 1), name, search, now())
        self._connection.execute(insert(album), [vars(made)])
        return made

    def change(self, album_id: int, name: str, search: str | None) -> None:
        """Change an album's name, to a free one, or its search."""
        self._connection.execute(_CHANGE, {"one": album_id, "name": name, "search": search})

    def remove(self, album_id: int) -> list[AlbumPhotograph]:
        """Remove an album, and return what was in it, for :meth:`restore`."""
        removed = self.photographs(album_id)
        self._connection.execute(delete(album).where(album.c.id == album_id))
        return removed

    def restore(self, row: AlbumRow, photographs: Sequence[AlbumPhotograph]) -> None:
        """Restore a removed album, whose name is free, with what was in it."""
        self._connection.execute(insert(album), [vars(row)])
        self.put_back(photographs)

    def photographs(self, album_id: int) -> list[AlbumPhotograph]:
        """List what is in an album, in the order of the contents."""
        rows = self._connection.execute(
            select(album_photograph).where(album_photograph.c.album_id == album_id).order_by(album_photograph.c.content)
        )
        return [AlbumPhotograph(**sound(album_photograph, row)) for row in rows]

    def counts(self) -> dict[int, int]:
        """Count the contents of each album that has any."""
        grouped = select(album_photograph.c.album_id, func.count()).group_by(album_photograph.c.album_id)
        return {row[0]: int(row[1]) for row in self._connection.execute(grouped)}

    def holding(self, contents: Iterable[bytes]) -> list[AlbumPhotograph]:
        """List where some contents are in albums."""
        found = self._dialect.among(select(album_photograph), album_photograph.c.content, set(contents))
        rows = [AlbumPhotograph(**sound(album_photograph, row)) for row in found]
        return sorted(rows, key=lambda row: (row.album_id, row.content))

    def add(self, album_id: int, names: Mapping[bytes, str]) -> list[AlbumPhotograph]:
        """Add contents with the names of their files.

        Returns
        -------
        list of AlbumPhotograph
            Those that are new in it.
        """
        there = {one.content for one in self.photographs(album_id)}
        moment = now()
        new = [
            AlbumPhotograph(album_id, content, name, moment) for content, name in names.items() if content not in there
        ]
        self.put_back(new)
        return new

    def take_out(self, album_id: int, contents: Iterable[bytes]) -> list[AlbumPhotograph]:
        """Take contents out of an album, and return what was in it, for :meth:`put_back`."""
        wanted = set(contents)
        removed = [one for one in self.photographs(album_id) if one.content in wanted]
        statement = delete(album_photograph).where(album_photograph.c.album_id == album_id)
        for some in pieces([one.content for one in removed]):
            self._connection.execute(statement.where(album_photograph.c.content.in_(some)))
        return removed

    def put_back(self, photographs: Sequence[AlbumPhotograph]) -> None:
        """Put contents into the albums in which they were; one that is there already stays."""
        if photographs:
            rows = [vars(one) for one in photographs]
            self._connection.execute(self._dialect.insert(album_photograph).on_conflict_do_nothing(), rows)
