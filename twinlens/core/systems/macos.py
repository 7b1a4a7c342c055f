"""macOS. Never tried there: types are checked, and what it calls is kept small."""

from __future__ import annotations

import ctypes
import fcntl
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

assert sys.platform == "darwin"

from twinlens.core.systems.machine_facts import *  # noqa: F403
from twinlens.core.systems.macos_mounts import MacosMounts
from twinlens.core.systems.plain import *  # noqa: F403
from twinlens.core.systems.posix import *  # noqa: F403
from twinlens.core.systems.volume import Mounts

if TYPE_CHECKING:
    from twinlens.core.systems.programs import Program

_DISK, _OF_PROCESS, _UTILITY = 0, 0, 4  # IOPOL_TYPE_DISK, IOPOL_SCOPE_PROCESS, IOPOL_UTILITY
_LONGEST_PATH = 1024
_APPLICATIONS = (Path("/Applications"), Path("/System/Applications"), Path.home() / "Applications")
_EXCLUSIVELY = 4  # RENAME_EXCL
_NO_FOLLOW = 1  # CLONE_NOFOLLOW


def counted_memory() -> int | None:
    """Return None: macOS has no limit of the memory that a process takes."""
    return None


def memory_limit() -> int | None:
    """Return None, as no limit."""
    return None


def rename_new(source: bytes, target: bytes) -> None:
    """Rename a file in one step, unless the name is taken; ENOTSUP or EINVAL where the file system cannot."""
    if ctypes.CDLL(None, use_errno=True).renamex_np(source, target, _EXCLUSIVELY):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), source, None, target)


def clone(source: bytes, target: bytes) -> None:
    """Make a file under a free name that shares the blocks of another; ENOTSUP where the file system cannot."""
    if ctypes.CDLL(None, use_errno=True).clonefile(source, target, _NO_FOLLOW):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), source, None, target)


def limit_memory(count: int) -> None:
    """Do nothing: there is no such limit."""


def yield_disk() -> None:
    """Let other processes have the disk first."""
    ctypes.CDLL(None).setiopolicy_np(_DISK, _OF_PROCESS, _UTILITY)


def true_path(path: bytes) -> bytes:
    """Return a full path without links, as its names are written on the disk; it need not be there."""
    try:
        return folder_path(path)
    except OSError:
        return os.path.realpath(path)


def folder_path(folder: bytes) -> bytes:
    """Return the path of a folder without links, as its names are written on the disk, whose case may be another.

    Raises
    ------
    OSError
        If there is no such folder.
    """
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        return fcntl.fcntl(opened, fcntl.F_GETPATH, bytes(_LONGEST_PATH)).rstrip(b"\0")
    finally:
        os.close(opened)


def programs_for(__: Sequence[str], ending: str) -> list[Program]:
    """Return the programs that open files of MIME types, or of an ending."""
    from twinlens.core.systems.programs import bundled_programs

    return bundled_programs(_APPLICATIONS, [ending])


def file_managers() -> list[Program]:
    """Return the programs that show a folder: the Finder."""
    from twinlens.core.systems.programs import Program

    return [Program("Finder", ("open", "%f"))]


def program_output(*command: str | bytes) -> bytes:
    """Return the output of a program of the system; empty where it cannot be run, fails or takes long."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=5, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return b""
    return done.stdout


def mounts() -> Mounts:
    """Return the mounts."""
    return MacosMounts(program_output, folder_path)
