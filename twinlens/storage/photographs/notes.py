"""Notes of photographs: what cameras and programs have written, what files beside them say, and what a person adds.

Notes of cameras and of a person belong to contents, those of files beside a photograph to this photograph. What a note
says (rating, keywords, frames, ...) is JSON of the caller; here are its keepers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, delete, or_, select

from twinlens.storage.database.dialect import of, pieces
from twinlens.storage.database.schema import camera_note, file_metadata, now, own_note, photograph, sidecar_note
from twinlens.storage.integrity.checksums import facts, sound_rows


class CameraNote(NamedTuple):
    """The metadata of a content beside its date and camera.

    Attributes
    ----------
    place : str
        ``48.137430,11.575490``; empty where not said.
    subsecond : str
        The digits after its second; empty where not said.
    metadata : str or None
        JSON of what else it says and holds; None where that is not known.
    """

    content: bytes
    place: str
    subsecond: str
    metadata: str | None = None


class CameraNotes:
    """Notes of cameras about contents."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, notes: Sequence[CameraNote]) -> None:
        """Keep notes; those of a content that is known are replaced."""
        _put(self._connection, camera_note, [note._asdict() for note in notes])
        stated = [{"content": note.content, "said": note.metadata} for note in notes if note.metadata is not None]
        _put(self._connection, file_metadata, stated)

    def all(self) -> dict[bytes, CameraNote]:
        """Return every note by its content; a damaged one says nothing."""
        return self._found(lambda _: ())

    def of(self, contents: Collection[bytes]) -> dict[bytes, CameraNote]:
        """Return the notes of some contents, as :meth:`all` does."""
        found: dict[bytes, CameraNote] = {}
        for some in pieces(contents):
            found |= self._found(lambda table, some=some: (table.c.content.in_(some),))  # type: ignore[misc]
        return found

    def _found(self, which: Callable[[Table], Iterable[ColumnElement[bool]]]) -> dict[bytes, CameraNote]:
        stated = {row["content"]: row["said"] for row in _sound(self._connection, file_metadata, *which(file_metadata))}
        return {
            row["content"]: CameraNote(**row, metadata=stated.get(row["content"]))
            for row in _sound(self._connection, camera_note, *which(camera_note))
        }

    def places(self) -> dict[bytes, str]:
        """Return the places of contents, those that say one."""
        rows = _sound(self._connection, camera_note, camera_note.c.place != "")
        return {row["content"]: row["place"] for row in rows}

    def having(self, names: Iterable[str]) -> Iterator[tuple[bytes, str]]:
        """Yield the contents whose files' JSON has one of some names, with that JSON."""
        wanted = or_(*(file_metadata.c.said.contains(f'"{name}": ') for name in names))
        for row in _sound(self._connection, file_metadata, wanted):
            yield row["content"], row["said"]

    def forget_absent(self) -> None:
        """Forget the notes of contents that no photograph has any more."""
        there = select(photograph.c.content_hash).where(photograph.c.content_hash.is_not(None))
        for table in (camera_note, file_metadata):
            self._connection.execute(delete(table).where(table.c.content.not_in(there)))


class OwnNotes:
    """The notes of a person about contents: JSON of the fields that the person has changed, and no others."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, fields: Mapping[bytes, str | None]) -> dict[bytes, str | None]:
        """Keep the notes of some contents, or with None have none.

        Returns
        -------
        dict
            Those that were there before, to be put back.
        """
        before = self.of(fields)
        moment = now()
        rows = [{"content": one, "fields": text, "changed": moment} for one, text in fields.items() if text is not None]
        _put(self._connection, own_note, rows)
        of(self._connection).among(
            delete(own_note), own_note.c.content, [one for one, text in fields.items() if text is None]
        )
        return {content: before.get(content) for content in fields}

    def all(self) -> dict[bytes, str]:
        """Return every note by its content; a damaged one is left out."""
        return {row["content"]: row["fields"] for row in _sound(self._connection, own_note)}

    def of(self, contents: Collection[bytes]) -> dict[bytes, str]:
        """Return the notes of some contents, as :meth:`all` does."""
        return {
            row["content"]: row["fields"]
            for some in pieces(contents)
            for row in _sound(self._connection, own_note, own_note.c.content.in_(some))
        }


class SidecarNote(NamedTuple):
    """The statements of the files beside a photograph.

    Attributes
    ----------
    stamp : str
        Of these files when they were read, in the words of the caller: another one means that they have changed.
    fields : str
        JSON.
    """

    photograph_id: int
    stamp: str
    fields: str


class SidecarNotes:
    """The notes from files beside photographs."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, notes: Sequence[SidecarNote]) -> None:
        """Keep notes; those of a photograph that is known are replaced."""
        _put(self._connection, sidecar_note, [note._asdict() for note in notes])

    def remove(self, ids: Collection[int]) -> None:
        """Remove the notes of some photographs: nothing lies beside them any more."""
        of(self._connection).among(delete(sidecar_note), sidecar_note.c.photograph_id, ids)

    def all(self) -> dict[int, SidecarNote]:
        """Return every note by its photograph; a damaged one is left out."""
        return {row["photograph_id"]: SidecarNote(**row) for row in _sound(self._connection, sidecar_note)}

    def of(self, ids: Collection[int]) -> dict[int, SidecarNote]:
        """Return the notes of some photographs, as :meth:`all` does."""
        return {
            row["photograph_id"]: SidecarNote(**row)
            for some in pieces(ids)
            for row in _sound(self._connection, sidecar_note, sidecar_note.c.photograph_id.in_(some))
        }


def _put(connection: Connection, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
    """Put rows in; one whose key is there takes its place."""
    if rows:
        names = [column.name for column in facts(table)]
        keys = [column.name for column in table.primary_key]
        statement = of(connection).insert(table)
        new = {name: statement.excluded[name] for name in names if name not in keys}
        connection.execute(
            statement.on_conflict_do_update(index_elements=keys, set_=new),
            [{name: row[name] for name in names} for row in rows],
        )


def _sound(connection: Connection, table: Table, *which: ColumnElement[bool]) -> Iterator[dict[str, Any]]:
    """Return the rows of a table in the order of its key, without damaged ones."""
    return sound_rows(connection.execute(select(table).where(*which).order_by(*table.primary_key)), table)
