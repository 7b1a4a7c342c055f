"""Volumes and the folders that were added: where photographs lie.

A volume is a disk or a share, known by an identity that stays when it is mounted elsewhere; every path is relative to
its mount point.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, insert, or_, select, update

from twinlens.storage.database.schema import folder, now, volume
from twinlens.storage.integrity.checksums import facts, from_json


@dataclass(frozen=True)
class VolumeRow:
    """A disk or a share; ``mount_point`` is where it was last seen, on a server where it was seen first."""

    id: int
    identity: str
    label: str
    mount_point: bytes | None


@dataclass(frozen=True)
class FolderRow:
    """A folder that was added, with the patterns that it leaves out."""

    id: int
    volume_id: int
    path: bytes
    excludes: tuple[str, ...]
    added: str


def inside(table: Table, volume_id: int, under: bytes) -> ColumnElement[bool]:
    """Return the condition that the path of a row lies in a folder or is it; an empty path is the whole volume.

    The paths in a folder are one range of the index, up to ``0``, the byte after ``/``; only names that go on with a
    byte before ``/`` lie in between.
    """
    here: ColumnElement[bool] = table.c.volume_id == volume_id
    if not under:
        return here
    path = table.c.path
    return and_(here, path >= under, path < under + b"0", or_(path == under, path > under + b"/"))


class Volumes:
    """The volumes of a library."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._all: list[VolumeRow] | None = None

    def seen(self, identity: str, label: str, mount_point: bytes, anew: bool = True) -> int:
        """Record that a volume is mounted, and return its id; a new one if its identity is not known.

        Parameters
        ----------
        mount_point : bytes
        anew : bool
            Whether the label and mount point of a known volume are replaced; not where each of several machines has
            its own.
        """
        known = self._connection.execute(select(volume.c.id).where(volume.c.identity == identity)).scalar()
        values = {"label": label, "mount_point": mount_point}
        self._all = None
        if known is None:
            made = self._connection.execute(insert(volume).values(identity=identity, **values).returning(volume.c.id))
            return int(made.scalar_one())
        if anew:
            self._connection.execute(update(volume).where(volume.c.id == known).values(**values))
        return int(known)

    def all(self) -> list[VolumeRow]:
        """List every volume, in the order in which they were first seen."""
        if self._all is None:
            rows = self._connection.execute(select(*facts(volume)).order_by(volume.c.id))
            self._all = [VolumeRow(*row) for row in rows]
        return list(self._all)


class Folders:
    """The folders that were added to a library."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def add(self, volume_id: int, path: bytes, excludes: Sequence[str] = ()) -> int:
        """Add a folder and return its id; a known one gets the new patterns."""
        patterns = json.dumps(list(excludes))
        at = (folder.c.volume_id == volume_id) & (folder.c.path == path)
        known = self._connection.execute(select(folder.c.id).where(at)).scalar()
        if known is None:
            values = {"volume_id": volume_id, "path": path, "excludes": patterns, "added": now()}
            return int(self._connection.execute(insert(folder).values(**values).returning(folder.c.id)).scalar_one())
        self._connection.execute(update(folder).where(at).values(excludes=patterns))
        return int(known)

    def all(self) -> list[FolderRow]:
        """List every folder, in the order in which they were added."""
        rows = self._connection.execute(select(folder).order_by(folder.c.id))
        return [
            FolderRow(row.id, row.volume_id, row.path, tuple(from_json(row.excludes, folder, row)), row.added)
            for row in rows
        ]

    def remove(self, volume_id: int, under: bytes) -> None:
        """Remove a folder and those in it from the list; their photographs stay."""
        self._connection.execute(delete(folder).where(inside(folder, volume_id, under)))
