r"""Paths and names of Windows as values, which can be worked with on any system.

Inside the program a path has ``/`` between its folders on every system, which Windows takes as well as ``\``: so paths
are compared, sorted and kept in one way, and a library on a stick is the same wherever the stick is.
"""

from __future__ import annotations

import ntpath
import os
import re

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
