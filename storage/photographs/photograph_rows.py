"""Rows of photographs, as written and as read."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from storage.database.schema import PhotographState, photograph
from storage.integrity.checksums import DamagedRowError, named


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
        When it was taken, as the camera's clock said: ``2023-05-14T11:08:00``.
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


class MovedFile(NamedTuple):
    """The new place of a registered file that has moved."""

    id: int
    volume_id: int
    folder_id: int | None
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
