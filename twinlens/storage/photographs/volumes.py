"""Volumes and the folders that were added: where photographs lie.

A volume is a disk or a share, known by an identity that stays when it is mounted elsewhere; every path is relative to
its mount point.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from twinlens.storage.database.dialect import Dialect
from twinlens.storage.database.values import now
from twinlens.storage.integrity.checksums import from_json


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


def inside(volume_id: int, under: bytes) -> tuple[str, tuple[int | bytes, ...]]:
    """Return the condition that the path of a row lies in a folder or is it, and its values.

    An empty path is the whole volume.

    The paths in a folder are one range of the index, up to ``0``, the byte after ``/``; only names that go on with a
    byte before ``/`` lie in between.
    """
    if not under:
        return "volume_id = ?", (volume_id,)
    there = "volume_id = ? AND path >= ? AND path < ? AND (path = ? OR path > ?)"
    return there, (volume_id, under, under + b"0", under, under + b"/")


class Volumes:
    """The volumes of a library."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
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
        known = self._dialect.value("SELECT id FROM volume WHERE identity = ?", (identity,))
        values = {"label": label, "mount_point": mount_point}
        self._all = None
        if known is None:
            return self._dialect.number("volume", {"identity": identity, **values})
        if anew:
            self._dialect.change("volume", known, values)
        return int(known)

    def all(self) -> list[VolumeRow]:
        """List every volume, in the order in which they were first seen."""
        if self._all is None:
            rows = self._dialect.rows("SELECT id, identity, label, mount_point FROM volume ORDER BY id")
            self._all = [VolumeRow(*row) for row in rows]
        return list(self._all)


class Folders:
    """The folders that were added to a library."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    def add(self, volume_id: int, path: bytes, excludes: Sequence[str] = ()) -> int:
        """Add a folder and return its id; a known one gets the new patterns."""
        patterns = json.dumps(list(excludes))
        known = self._dialect.value("SELECT id FROM folder WHERE volume_id = ? AND path = ?", (volume_id, path))
        if known is None:
            values = {"volume_id": volume_id, "path": path, "excludes": patterns, "added": now()}
            return self._dialect.number("folder", values)
        self._dialect.change("folder", known, {"excludes": patterns})
        return int(known)

    def all(self) -> list[FolderRow]:
        """List every folder, in the order in which they were added."""
        return [
            FolderRow(
                row["id"],
                row["volume_id"],
                row["path"],
                tuple(from_json(row["excludes"], "folder", row)),
                row["added"],
            )
            for row in self._dialect.records("SELECT * FROM folder ORDER BY id")
        ]

    def remove(self, volume_id: int, under: bytes) -> None:
        """Remove a folder and those in it from the list; their photographs stay."""
        there, values = inside(volume_id, under)
        self._dialect.execute(f"DELETE FROM folder WHERE {there}", values)
