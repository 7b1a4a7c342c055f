r"""Paths, names and volumes of Windows as values, which can be worked with on any system.

Inside the program a path has ``/`` between its folders on every system, which Windows takes as well as ``\``: so paths
are compared, sorted and kept in one way, and a library on a stick is the same wherever the stick is.

A disk is known by its serial number whichever letter it has, a share by server and name.
"""

from __future__ import annotations

import ntpath
import os
import re
from typing import Protocol

from twinlens.core.systems.volume import Volume

LONGEST = 259
r"""UTF-16 units of a path for programs that have not asked for more (MAX_PATH without the zero at its end)."""

_RESERVED = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[1-9¹²³])\s*(\..*)?", re.IGNORECASE | re.DOTALL)
_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f]')


def slashed(path: bytes) -> bytes:
    r"""Return a path with ``/`` between its folders.

    Examples
    --------
    >>> slashed(rb"C:\Users\Anna\a.jpg"), slashed(rb"\\nas\photos\a.jpg")
    (b'C:/Users/Anna/a.jpg', b'//nas/photos/a.jpg')
    """
    return path.replace(b"\\", b"/")


def root_of(path: str) -> str:
    r"""Return the root of the drive or share that a full path is on.

    Examples
    --------
    >>> root_of("C:/Users/Anna"), root_of("//nas/photos/2024")
    ('C:\\', '\\\\nas\\photos\\')
    """
    return ntpath.normpath(ntpath.splitdrive(path)[0] + "/").rstrip("\\") + "\\"


def share_of(path: str) -> str:
    r"""Return the share that a full path is on, written in one way whatever its case; empty for drives.

    Examples
    --------
    >>> share_of("//NAS/Photos/2024"), share_of("C:/Users")
    ('//nas/photos', '')
    """
    root = root_of(path)
    return root.rstrip("\\").replace("\\", "/").lower() if root.startswith("\\\\") else ""


def is_too_long(path: bytes) -> bool:
    """Return whether a path is too long, of which Windows says that it is not there.

    Examples
    --------
    >>> is_too_long(b"C:/" + b"a" * 256), is_too_long(b"C:/" + b"a" * 257)
    (False, True)
    """
    return len(os.fsdecode(path).encode("utf-16-le", "surrogatepass")) // 2 > LONGEST


def allowed_name(name: str) -> str:
    """Return a name that a file can have on every system: signs, devices and ends that Windows forbids are replaced.

    Examples
    --------
    >>> allowed_name("itq:bits=64"), allowed_name("con.csv"), allowed_name("Summer. ")
    ('itq_bits=64', '_con.csv', 'Summer')
    """
    plain = _FORBIDDEN.sub("_", name).rstrip(". ")
    return f"_{plain}" if not plain or _RESERVED.fullmatch(plain) else plain


class VolumeCalls(Protocol):
    """The calls of Windows for volumes, which raise OSError."""

    def true_path(self, path: str) -> str:
        """Return the path of a folder without links and substituted drives, in the case in which the disk has it."""

    def volume_root(self, path: str) -> str:
        r"""Return where the volume of a folder is mounted, such as ``C:\``."""

    def volume_label(self, root: str) -> tuple[str, int]:
        """Return label and serial number of a mounted volume."""

    def drives(self) -> list[str]:
        """Return the roots of all drives."""


class WindowsMounts:
    """The mounts; see :class:`twinlens.core.systems.volume.Mounts`."""

    def __init__(self, calls: VolumeCalls) -> None:
        self._calls = calls

    def of(self, folder: bytes) -> tuple[Volume, bytes]:
        """Return the volume of a folder and the path on it; OSError if it is not there."""
        path = self._calls.true_path(os.fsdecode(folder))
        root = self._calls.volume_root(path)
        point = slashed(os.fsencode(root))
        identity, label = self._facts(root)
        return Volume(identity, label, point), slashed(os.fsencode(path))[len(point) :].strip(b"/")

    def points(self, identity: str) -> tuple[bytes, ...]:
        """Return where a volume is mounted now, in a fixed order."""
        share = identity.removeprefix("share:")
        candidates = self._calls.drives() if share == identity else [share.replace("/", "\\") + "\\"]
        return tuple(slashed(os.fsencode(root)) for root in candidates if self._is(root, identity))

    def _is(self, root: str, identity: str) -> bool:
        try:
            return self._facts(root)[0] == identity
        except OSError:  # a drive without a disk
            return False

    def _facts(self, root: str) -> tuple[str, str]:
        """Return identity and label of a mounted volume."""
        label, serial = self._calls.volume_label(root)
        share, name = share_of(root), root.rstrip("\\")
        return f"share:{share}" if share else f"serial:{serial:08x}", f"{label} ({name})" if label else name

    def is_virtual(self, folder: bytes) -> bool:
        """Return False: no file system of Windows shows the system itself."""
        return False

    def virtual_points(self) -> frozenset[bytes]:
        """Return none."""
        return frozenset()
