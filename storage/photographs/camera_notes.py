"""Notes of cameras about contents, beside date and model: the place, and the fraction of the second.

A row is of a content. A content that was last read before this was kept has none, so nothing is known of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, select

from storage.database.dialect import of
from storage.database.schema import camera_note, photograph
from storage.integrity.checksums import DamagedRowError, sound


class CameraNote(NamedTuple):
    """Place of a photograph, ``48.137430,11.575490``, and the digits after its second; empty where unknown."""

    content: bytes
    place: str
    subsecond: str


class CameraNotes:
    """Notes of cameras about contents."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._dialect = of(connection)

    def put(self, notes: Sequence[CameraNote]) -> None:
        """Keep notes; those of a content that is known are replaced."""
        if notes:
            statement = self._dialect.insert(camera_note)
            new = {"place": statement.excluded.place, "subsecond": statement.excluded.subsecond}
            self._connection.execute(
                statement.on_conflict_do_update(index_elements=["content"], set_=new),
                [note._asdict() for note in notes],
            )

    def all(self) -> dict[bytes, CameraNote]:
        """Return every note by its content; a damaged one says nothing."""
        found = {}
        for row in self._connection.execute(select(camera_note).order_by(camera_note.c.content)):
            try:
                note = CameraNote(**sound(camera_note, row))
            except DamagedRowError:
                continue
            found[note.content] = note
        return found

    def forget_absent(self) -> None:
        """Forget the notes of contents that no photograph has any more."""
        there = select(photograph.c.content_hash).where(photograph.c.content_hash.is_not(None))
        self._connection.execute(delete(camera_note).where(camera_note.c.content.not_in(there)))
