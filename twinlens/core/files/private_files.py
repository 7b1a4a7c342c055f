"""Files and folders that only their owner may read: a library tells what a person photographs, and where."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from twinlens.core.systems import system


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing; one that is there stays as it is.

    Raises
    ------
    OSError
        If it cannot be made, or is a file.
    """
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    if not folder.is_dir():
        raise FileExistsError(errno.EEXIST, "it is a file, not a folder", os.fspath(folder))
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)


def opener(path: str, flags: int) -> int:
    """Open a file for Python's ``open``, which gives a new one the mode 0600."""
    return os.open(path, flags, 0o600)


def create(file: Path) -> bool:
    """Make an empty file, so that whatever writes it later finds its mode; say whether it was made.

    Raises
    ------
    OSError
        If it cannot be made; one that is there stays as it is.
    """
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return False
    return True


def tighten(path: Path) -> None:
    """Remove the access of others to a file or folder of this user; links and missing files stay as they are."""
    with contextlib.suppress(OSError):
        status = path.lstat()
        if system.is_own(status) and not stat.S_ISLNK(status.st_mode) and status.st_mode & system.OTHERS:
            path.chmod(stat.S_IMODE(status.st_mode) & ~system.OTHERS)
