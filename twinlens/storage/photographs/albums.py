"""Albums: selections of photographs under a name, which a person has chosen, or which a search finds anew each time.

The photographs of an album are contents, so that they stay in it when their files move, are forgotten and come back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import now
from twinlens.storage.integrity.checksums import sound


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

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def all(self) -> list[AlbumRow]:
        """List the albums, in the order in which they were made."""
        return [AlbumRow(**sound("album", row)) for row in self._dialect.records("SELECT * FROM album ORDER BY id")]

    def make(self, name: str, search: str | None = None) -> AlbumRow:
        """Make an album; its name is free."""
        made = AlbumRow(self._dialect.give("album", 1), name, search, now())
        self._dialect.insert("album", [vars(made)])
        return made

    def change(self, album_id: int, name: str, search: str | None) -> None:
        """Change an album's name, to a free one, or its search."""
        self._dialect.change("album", album_id, {"name": name, "search": search})

    def remove(self, album_id: int) -> list[AlbumPhotograph]:
        """Remove an album, and return what was in it, for :meth:`restore`."""
        removed = self.photographs(album_id)
        self._dialect.execute("DELETE FROM album WHERE id = ?", (album_id,))
        return removed

    def restore(self, row: AlbumRow, photographs: Sequence[AlbumPhotograph]) -> None:
        """Restore a removed album, whose name is free, with what was in it."""
        self._dialect.insert("album", [vars(row)])
        self.put_back(photographs)

    def photographs(self, album_id: int) -> list[AlbumPhotograph]:
        """List what is in an album, in the order of the contents."""
        rows = self._dialect.records("SELECT * FROM album_photograph WHERE album_id = ? ORDER BY content", (album_id,))
        return [AlbumPhotograph(**sound("album_photograph", row)) for row in rows]

    def counts(self) -> dict[int, int]:
        """Count the contents of each album that has any."""
        return dict(self._dialect.rows("SELECT album_id, count(*) FROM album_photograph GROUP BY album_id"))

    def holding(self, contents: Iterable[bytes]) -> list[AlbumPhotograph]:
        """List where some contents are in albums."""
        found = self._dialect.records_among("SELECT * FROM album_photograph WHERE content {among}", set(contents))
        rows = [AlbumPhotograph(**sound("album_photograph", row)) for row in found]
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
        gone = "DELETE FROM album_photograph WHERE album_id = ? AND content {among}"
        self._dialect.among(gone, [one.content for one in removed], (album_id,))
        return removed

    def put_back(self, photographs: Sequence[AlbumPhotograph]) -> None:
        """Put contents into the albums in which they were; one that is there already stays."""
        self._dialect.insert("album_photograph", [vars(one) for one in photographs], "ON CONFLICT DO NOTHING")
