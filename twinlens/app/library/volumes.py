"""Volumes: the file system that a photograph is on, and the photograph's path on it.

A disk that is mounted elsewhere tomorrow is the same volume, known by the UUID of its file system (on Windows by its
serial number), so paths are kept relative to it. Full and relative paths are bytes, with ``/`` between folders on every
system.
"""

from __future__ import annotations

import os
import threading
from typing import AnyStr

from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.systems import system
from twinlens.core.systems.volume import Mounts, Volume


def split(path: bytes) -> tuple[Volume, bytes]:
    """Return the volume of a file, and the file's path on it.

    Parameters
    ----------
    path : bytes
        Of a file. Links among its folders are resolved; the file's own name stays, though it be a link.

    Returns
    -------
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
    return volume, joined(relative, name)


def split_folder(folder: bytes) -> tuple[Volume, bytes]:
    """Return the volume of a folder's contents, and the folder's path on it, empty for the whole volume.

    A folder that is not there counts as below the nearest one above it that is.
    """
    missing: list[bytes] = []
    there = os.path.abspath(folder)
    while True:
        try:
            volume, relative = _mounts().of(there)
        except OSError:
            there, name = os.path.split(there)
            if not name:
                raise
            missing.insert(0, name)
        else:
            return volume, joined(relative, *missing)


_known: Mounts | None = None
_lock = threading.Lock()


def _mounts() -> Mounts:
    global _known  # noqa: PLW0603 (one table for the program, opened when it is first needed)
    with _lock:
        if _known is None:
            _known = system.mounts()
    return _known


def locate(volume: Volume, relative: bytes) -> bytes:
    """Return the path of a file or folder now; where its volume is not there, the path it had when last seen.

    Parameters
    ----------
    relative : bytes
        As :func:`split` or :func:`split_folder` gave it.
    """
    points = _mounts().points(volume.identity)
    mount = volume.mount if volume.mount in points or not points else points[0]
    return joined(mount, relative)


def joined(folder: bytes, *names: bytes) -> bytes:
    """Return the path of what lies below a folder; the folder itself where no name is given.

    Examples
    --------
    >>> joined(b"/mnt", b"DCIM/1.jpg"), joined(b"E:/", b"DCIM", b"1.jpg"), joined(b"", b"1.jpg"), joined(b"/mnt", b"")
    (b'/mnt/DCIM/1.jpg', b'E:/DCIM/1.jpg', b'1.jpg', b'/mnt')
    """
    rest = b"/".join(filter(None, names))
    return folder.rstrip(b"/") + b"/" + rest if folder and rest else folder or rest


def relative_to(path: bytes, folder: bytes) -> bytes:
    """Return a path relative to a folder around it; empty for the folder itself.

    Examples
    --------
    >>> relative_to(b"/mnt/DCIM/1.jpg", b"/mnt"), relative_to(b"/a", b"/"), relative_to(b"/mnt", b"/mnt")
    (b'DCIM/1.jpg', b'a', b'')
    """
    return system.slashed(path[len(folder) :]).lstrip(b"/")


def is_in(path: AnyStr, folder: AnyStr) -> bool:
    """Return whether a path is a folder or lies below it; in the empty folder, of a whole volume, lies everything.

    Examples
    --------
    >>> is_in(b"a/b", b"a"), is_in(b"ab", b"a"), is_in(b"a", b""), is_in("/a", "/"), is_in("/a", "/a/")
    (True, False, True, True, True)
    """
    slash = "/" if isinstance(path, str) else b"/"
    start = folder.rstrip(slash)
    return not folder or path == start or path.startswith(start + slash)


def full_path(named: bytes | str | os.PathLike[str]) -> bytes:
    """Return the full path of what a person named, with links resolved; it need not be there."""
    return system.true_path(os.fsencode(os.path.expanduser(named)))


def is_present(volume: Volume) -> bool:
    """Return whether a volume is mounted now; files of one that is not are away, not gone."""
    return bool(_mounts().points(volume.identity))


def is_virtual(folder: bytes) -> bool:
    """Return whether a folder is on a virtual file system such as /proc."""
    return _mounts().is_virtual(folder)


def virtual_points() -> frozenset[bytes]:
    """Return where virtual file systems are mounted now."""
    return _mounts().virtual_points()


def mounted(known: dict[int, Volume]) -> dict[int, tuple[bytes, bool]]:
    """Return for each volume where it is mounted, and whether it is connected."""
    return {i: (locate(volume, b""), is_present(volume)) for i, volume in known.items()}


def nothing_readable() -> TwinlensError:
    """Return the error for a library of which no photograph can be read now."""
    return TwinlensError("None of the photos can be read now.", Remedy("connect disk"))
