"""Volumes of Linux: the mount table, and the names that udev links to devices."""

from __future__ import annotations

import os
import sys

from core.systems import linux_mount_table as table
from core.systems.volume import Volume

assert sys.platform == "linux"


class LinuxMounts:
    """The mounts; see :class:`core.systems.volume.Mounts`."""

    def __init__(self) -> None:
        self._table = table.MountTable()
        self._names = table.Names()
        self._points: dict[str, tuple[bytes, ...]] = {}
        self._last: tuple[bytes, tuple[Volume, bytes]] | None = None  # a walk asks for one folder many times

    def _current(self) -> tuple[table.Mount, ...]:
        mounts, changed = self._table.refresh()
        if changed:
            names = table.Names()
            visible = {mount.point: names.identity(mount) for mount in mounts}  # the last one hides the others
            points: dict[str, tuple[bytes, ...]] = {}
            for point, identity in sorted(visible.items()):
                points[identity] = (*points.get(identity, ()), point)
            self._names, self._points, self._last = names, points, None
        return mounts

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        """Return the volume of a folder and the path on it; OSError if it is not there."""
        mounts = self._current()
        last = self._last
        if last is not None and last[0] == folder:
            return last[1]
        found = table.find_mount(mounts, folder)
        if found is None:
            return Volume("root", "/", b"/"), os.path.relpath(folder, b"/")
        mount, true_folder = found
        volume = Volume(self._names.identity(mount), self._names.label(mount), mount.point)
        answer = volume, true_folder[len(mount.point) :].lstrip(b"/")
        self._last = folder, answer
        return answer

    def points(self, identity: str) -> tuple[bytes, ...]:
        """Return where a volume is mounted now, in a fixed order."""
        self._current()
        return self._points.get(identity, (b"/",) if identity == "root" else ())

    def is_virtual(self, folder: bytes) -> bool:
        """Return whether a folder is on a file system in which the system shows itself."""
        try:
            found = table.find_mount(self._current(), folder)
        except OSError:
            return False
        return found is not None and table.is_virtual(found[0])

    def virtual_points(self) -> frozenset[bytes]:
        """Return where such file systems are mounted."""
        points = (mount.point for mount in self._current() if table.is_virtual(mount))
        return table.OF_THE_SYSTEM.union(points)
