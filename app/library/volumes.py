"""The volume that a photograph is on, and its path there.

A disk that is mounted elsewhere tomorrow is the same volume, known by the UUID of its file system, so paths are kept
relative to it.
"""

from __future__ import annotations

import os
import string
import sys
import threading
from dataclasses import dataclass
from typing import Protocol

from app.machine import linux_mounts


@dataclass(frozen=True)
class Volume:
    """A file system, or the part of one that is mounted.

    Attributes
    ----------
    identity : str
        The same from run to run, and where there is a UUID the same wherever it is mounted.
    label : str
        Its name for a person.
    mount : bytes
        Where it is mounted, or was when it was last seen.
    """

    identity: str
    label: str
    mount: bytes


def split(path: bytes) -> tuple[Volume, bytes]:
    """Return the volume of a file, and the file's path on it.

    Parameters
    ----------
    path : bytes
        Of a file. Links among its folders are resolved; the file's own name stays, though it be a link.

    Returns
    -------
    Volume
    bytes
        Path relative to the volume's mount point.

    Examples
    --------
    >>> volume, relative = split(os.path.realpath(os.fsencode(os.__file__)))
    >>> locate(volume, relative) == os.path.realpath(os.fsencode(os.__file__))
    True
    """
    folder, name = os.path.split(os.path.abspath(path))
    volume, relative = split_folder(folder)
    return volume, os.path.join(relative, name)


def split_folder(folder: bytes) -> tuple[Volume, bytes]:
    """Return the volume of a folder's contents, and the folder's path on it, empty for the whole volume.

    A folder that is not there is thought of as being in the nearest one above it that is.
    """
    below: list[bytes] = []
    there = os.path.abspath(folder)
    while True:
        try:
            volume, relative = _mounts().of(there)
        except OSError:
            there, name = os.path.split(there)
            if not name:
                raise
            below.insert(0, name)
        else:
            return volume, os.path.join(relative, *below) if below else relative


def locate(volume: Volume, relative: bytes) -> bytes:
    """Return the path of a file or folder now; where its volume is not there, the path it had when last seen.

    Parameters
    ----------
    volume : Volume
    relative : bytes
        As :func:`split` or :func:`split_folder` gave it.
    """
    points = _mounts().points(volume.identity)
    mount = volume.mount if volume.mount in points or not points else points[0]
    return os.path.join(mount, relative) if relative else mount


def is_present(volume: Volume) -> bool:
    """Return whether a volume is mounted now: what is missing on one that is not, is only away."""
    return bool(_mounts().points(volume.identity))


def is_virtual(folder: bytes) -> bool:
    """Return whether a folder is on a file system in which the system shows itself, such as /proc."""
    return _mounts().is_virtual(folder)


def virtual_points() -> frozenset[bytes]:
    """Return where virtual file systems are mounted now."""
    return _mounts().virtual_points()


class _Mounts(Protocol):
    """The mounts of a system."""

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        """Return the volume of a folder and the path on it; OSError if it is not there."""

    def points(self, identity: str) -> tuple[bytes, ...]:
        """Return where a volume is mounted now, in a fixed order."""

    def is_virtual(self, folder: bytes) -> bool:
        """Return whether a folder is on a virtual file system."""

    def virtual_points(self) -> frozenset[bytes]:
        """Return where virtual file systems are mounted."""


class _LinuxMounts:
    """Linux: the mount table and udev's links."""

    def __init__(self) -> None:
        self._table = linux_mounts.MountTable()
        self._names = linux_mounts.Names()
        self._points: dict[str, tuple[bytes, ...]] = {}
        self._last: tuple[bytes, tuple[Volume, bytes]] | None = None  # a walk asks for one folder many times

    def _current(self) -> tuple[linux_mounts.Mount, ...]:
        mounts, changed = self._table.refresh()
        if changed:
            names = linux_mounts.Names()
            visible = {mount.point: names.identity(mount) for mount in mounts}  # the last one hides the others
            points: dict[str, tuple[bytes, ...]] = {}
            for point, identity in sorted(visible.items()):
                points[identity] = (*points.get(identity, ()), point)
            self._names, self._points, self._last = names, points, None
        return mounts

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        mounts = self._current()
        last = self._last
        if last is not None and last[0] == folder:
            return last[1]
        found = linux_mounts.find(mounts, folder)
        if found is None:
            return Volume("root", "/", b"/"), os.path.relpath(folder, b"/")
        mount, true_folder = found
        volume = Volume(self._names.identity(mount), self._names.label(mount), mount.point)
        answer = volume, true_folder[len(mount.point) :].lstrip(b"/")
        self._last = folder, answer
        return answer

    def points(self, identity: str) -> tuple[bytes, ...]:
        self._current()
        return self._points.get(identity, (b"/",) if identity == "root" else ())

    def is_virtual(self, folder: bytes) -> bool:
        try:
            found = linux_mounts.find(self._current(), folder)
        except OSError:
            return False
        return found is not None and linux_mounts.is_virtual(found[0])

    def virtual_points(self) -> frozenset[bytes]:
        points = (mount.point for mount in self._current() if linux_mounts.is_virtual(mount))
        return linux_mounts.OF_THE_SYSTEM.union(points)


class _PlainMounts:
    """macOS, Windows and others: the mount point; on Windows the serial number of the volume."""

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        true_folder = os.path.realpath(folder)
        os.stat(true_folder)
        point = true_folder
        while not os.path.ismount(point) and os.path.dirname(point) != point:
            point = os.path.dirname(point)
        relative = true_folder[len(point) :].lstrip(os.fsencode(os.sep))
        label = linux_mounts.text(os.path.basename(point)) or linux_mounts.text(point)
        return Volume(_plain_identity(point), label, point), relative

    def points(self, identity: str) -> tuple[bytes, ...]:
        candidates = [identity.removeprefix("mount:").encode()]
        if sys.platform == "win32":
            candidates = [f"{letter}:\\".encode() for letter in string.ascii_uppercase]
        return tuple(point for point in candidates if os.path.ismount(point) and _plain_identity(point) == identity)

    def is_virtual(self, folder: bytes) -> bool:
        return not self.virtual_points().isdisjoint({folder, os.path.dirname(folder)})

    def virtual_points(self) -> frozenset[bytes]:
        return frozenset() if sys.platform == "win32" else frozenset({b"/dev"})


def _plain_identity(point: bytes) -> str:
    if sys.platform == "win32":
        return f"serial:{os.stat(point).st_dev & 0xFFFFFFFF:08x}"
    return f"mount:{linux_mounts.text(point)}"


_known: _Mounts | None = None
_lock = threading.Lock()


def _mounts() -> _Mounts:
    global _known  # noqa: PLW0603 (one table for the program, opened when it is first needed)
    with _lock:
        if _known is None:
            _known = _LinuxMounts() if sys.platform.startswith("linux") else _PlainMounts()
    return _known
