"""Notes of photographs: what cameras and programs have written, what files beside them say, and what a person adds.

Notes of cameras and of a person belong to contents, those of files beside a photograph to this photograph. What a note
says (rating, keywords, frames, ...) is JSON of the caller; here are its keepers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import now
from twinlens.storage.integrity.checksums import sound_rows


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

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def put(self, notes: Sequence[CameraNote]) -> None:
        """Keep notes; those of a content that is known are replaced."""
        rows = [{"content": note.content, "place": note.place, "subsecond": note.subsecond} for note in notes]
        self._dialect.put("camera_note", ["content"], rows)
        stated = [{"content": note.content, "said": note.metadata} for note in notes if note.metadata is not None]
        self._dialect.put("file_metadata", ["content"], stated)

    def all(self) -> dict[bytes, CameraNote]:
        """Return every note by its content; a damaged one says nothing."""
        return _camera_notes(*(_sound(self._dialect, table, "content") for table in _CAMERA))

    def of(self, contents: Collection[bytes]) -> dict[bytes, CameraNote]:
        """Return the notes of some contents, as :meth:`all` does."""
        return _camera_notes(*(_sound_among(self._dialect, table, "content", contents) for table in _CAMERA))

    def places(self) -> dict[bytes, str]:
        """Return the places of contents, those that say one."""
        rows = _sound(self._dialect, "camera_note", "content", "WHERE place <> ''")
        return {row["content"]: row["place"] for row in rows}

    def having(self, names: Iterable[str]) -> Iterator[tuple[bytes, str]]:
        """Yield the contents whose files' JSON has one of some names, with that JSON."""
        parts = [f'%"{name}": %' for name in names]
        wanted = " OR ".join("said LIKE ?" for _ in parts)
        for row in _sound(self._dialect, "file_metadata", "content", f"WHERE {wanted}", parts):
            yield row["content"], row["said"]

    def forget_absent(self) -> None:
        """Forget the notes of contents that no photograph has any more."""
        there = "EXISTS (SELECT 1 FROM photograph WHERE content_hash = content)"
        for table in _CAMERA:
            self._dialect.execute(f"DELETE FROM {table} WHERE NOT {there}")


_CAMERA = ("camera_note", "file_metadata")


def _camera_notes(notes: Iterable[dict[str, Any]], stated: Iterable[dict[str, Any]]) -> dict[bytes, CameraNote]:
    said = {row["content"]: row["said"] for row in stated}
    return {row["content"]: CameraNote(**row, metadata=said.get(row["content"])) for row in notes}


class OwnNotes:
    """The notes of a person about contents: JSON of the fields that the person has changed, and no others."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

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
        self._dialect.put("own_note", ["content"], rows)
        gone = [one for one, text in fields.items() if text is None]
        self._dialect.among("DELETE FROM own_note WHERE content {among}", gone)
        return {content: before.get(content) for content in fields}

    def all(self) -> dict[bytes, str]:
        """Return every note by its content; a damaged one is left out."""
        return {row["content"]: row["fields"] for row in _sound(self._dialect, "own_note", "content")}

    def of(self, contents: Collection[bytes]) -> dict[bytes, str]:
        """Return the notes of some contents, as :meth:`all` does."""
        rows = _sound_among(self._dialect, "own_note", "content", contents)
        return {row["content"]: row["fields"] for row in rows}


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

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def put(self, notes: Sequence[SidecarNote]) -> None:
        """Keep notes; those of a photograph that is known are replaced."""
        self._dialect.put("sidecar_note", ["photograph_id"], [note._asdict() for note in notes])

    def remove(self, ids: Collection[int]) -> None:
        """Remove the notes of some photographs: nothing lies beside them any more."""
        self._dialect.among("DELETE FROM sidecar_note WHERE photograph_id {among}", ids)

    def all(self) -> dict[int, SidecarNote]:
        """Return every note by its photograph; a damaged one is left out."""
        rows = _sound(self._dialect, "sidecar_note", "photograph_id")
        return {row["photograph_id"]: SidecarNote(**row) for row in rows}

    def of(self, ids: Collection[int]) -> dict[int, SidecarNote]:
        """Return the notes of some photographs, as :meth:`all` does."""
        rows = _sound_among(self._dialect, "sidecar_note", "photograph_id", ids)
        return {row["photograph_id"]: SidecarNote(**row) for row in rows}


def _sound(
    dialect: Dialect, table: str, key: str, which: str = "", values: Sequence[Any] = ()
) -> Iterator[dict[str, Any]]:
    """Return the rows of a table in the order of its key, without damaged ones."""
    return sound_rows(dialect.records(f"SELECT * FROM {table} {which} ORDER BY {key}", values), table)


def _sound_among(dialect: Dialect, table: str, key: str, values: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Return the rows of some keys, as :func:`_sound`."""
    rows = dialect.records_among(f"SELECT * FROM {table} WHERE {key} {{among}}", values)
    return sound_rows(sorted(rows, key=lambda row: row[key]), table)
