"""Windows. Never tried there: types are checked, and what it calls is kept small."""

from __future__ import annotations

import contextlib
import errno
import msvcrt
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pywintypes
import win32api
import win32con
import win32file
import win32job

from twinlens.core.systems.machine_facts import *  # noqa: F403
from twinlens.core.systems.memory_job import MemoryJob
from twinlens.core.systems.plain import *  # noqa: F403
from twinlens.core.systems.volume import Mounts
from twinlens.core.systems.windows_paths import WindowsMounts, is_too_long, root_of, slashed

if TYPE_CHECKING:
    from twinlens.core.systems.programs import Program

assert sys.platform == "win32"

__all__ = ["is_too_long", "slashed"]

OTHERS = 0
"""The bits of a file's mode that let other users in: none, since Windows keeps rights elsewhere."""

_LOCKED_AT = 1 << 20  # Windows forbids reading what is locked: a byte far behind the text


def lock(descriptor: int, shared: bool) -> None:
    """Lock a file for this program alone, or raise OSError where another one has locked it."""
    os.lseek(descriptor, _LOCKED_AT, os.SEEK_SET)
    msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)


def share_lock(descriptor: int) -> None:
    """Do nothing: such a lock cannot be shared."""


def drop_lock(descriptor: int, path: Path) -> None:
    """Close a file, which unlocks it, and remove it unless another program has it open."""
    os.close(descriptor)
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def rename_new(source: bytes, target: bytes) -> None:
    """Rename a file in one step, unless the name is taken."""
    os.rename(source, target)  # refuses a name that is taken


def clone(source: bytes, target: bytes) -> None:
    """Refuse: NTFS does not share blocks."""
    raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), source, None, target)


def user() -> str:
    """Return the identity of this user on this machine."""
    return os.environ.get("USERNAME", "")


def is_own(status: os.stat_result) -> bool:
    """Return True: a file does not say whose it is."""
    return True


def is_read_only(folder: bytes) -> bool:
    """Return whether the disk that a folder is on can only be read."""
    with _errors():
        flags = win32api.GetVolumeInformation(win32file.GetVolumePathName(os.fsdecode(folder)))[3]
    return bool(flags & win32con.FILE_READ_ONLY_VOLUME)


def has_trash(path: bytes) -> bool:
    """Return whether the system has a trash for a file; from other disks than fixed ones it removes files for good."""
    return bool(win32file.GetDriveType(root_of(os.fsdecode(path))) == win32con.DRIVE_FIXED)


@contextlib.contextmanager
def _errors() -> Iterator[None]:
    """Raise the errors of pywin32 as those that Python itself raises."""
    try:
        yield
    except pywintypes.error as error:
        raise OSError(None, error.strerror, None, error.winerror) from error


class _Volumes:
    """The calls of volumes; see :class:`twinlens.core.systems.windows_paths.VolumeCalls`."""

    def true_path(self, path: str) -> str:
        return os.path.realpath(path, strict=True)

    def volume_root(self, path: str) -> str:
        with _errors():
            return str(win32file.GetVolumePathName(path))

    def volume_label(self, root: str) -> tuple[str, int]:
        with _errors():
            label, serial, *_ = win32api.GetVolumeInformation(root)
        return label, serial & 0xFFFFFFFF

    def drives(self) -> list[str]:
        with _errors():
            return [root for root in win32api.GetLogicalDriveStrings().split("\0") if root]


def mounts() -> Mounts:
    """Return the mounts."""
    return WindowsMounts(_Volumes())


class _Calls:
    """The calls of a job; see :class:`twinlens.core.systems.memory_job.JobCalls`."""

    def make(self) -> Any:
        with _errors():
            return win32job.CreateJobObject(None, "")

    def set_limit(self, job: Any, count: int) -> None:
        kind = win32job.JobObjectExtendedLimitInformation
        with _errors():
            limits = win32job.QueryInformationJobObject(job, kind)
            limits["BasicLimitInformation"]["LimitFlags"] |= win32job.JOB_OBJECT_LIMIT_PROCESS_MEMORY
            limits["ProcessMemoryLimit"] = count
            win32job.SetInformationJobObject(job, kind, limits)

    def enter(self, job: Any) -> None:
        with _errors():
            win32job.AssignProcessToJobObject(job, win32api.GetCurrentProcess())


_job = MemoryJob(_Calls())


def counted_memory() -> int | None:
    """Return the bytes of this process that :func:`limit_memory` counts: what the system promised it."""
    return int(psutil.Process().memory_info().vms)


def memory_limit() -> int | None:
    """Return the bytes that this process may take by :func:`limit_memory`; None where it has no limit of its own."""
    return _job.limit


def limit_memory(count: int) -> None:
    """Limit the memory that the system promises this process, where its jobs allow that."""
    _job.limit_to(count)


def yield_processors() -> None:
    """Let other processes have the processors first."""
    psutil.Process().nice(psutil.BELOW_NORMAL_PRIORITY_CLASS)


def yield_disk() -> None:
    """Do nothing: the disk follows the priority of the processors."""


@contextlib.contextmanager
def unheard_interrupts() -> Iterator[None]:
    """Shield processes that are started in this block from Ctrl-C: they inherit that this one ignores it."""
    with contextlib.suppress(pywintypes.error):  # there is no console
        win32api.SetConsoleCtrlHandler(None, True)
    try:
        yield
    finally:
        with contextlib.suppress(pywintypes.error):
            win32api.SetConsoleCtrlHandler(None, False)


def token_of(descriptor: int) -> Any | None:
    """Return None: processes that are started are not handed open files."""
    return None


def true_path(path: bytes) -> bytes:
    """Return a full path without links, as its names are written on the disk; it need not be there."""
    return slashed(os.path.realpath(path))


def programs_for(__: Sequence[str], ___: str) -> list[Program]:
    """Return the system's own list of programs, from which a person chooses."""
    from twinlens.core.systems.programs import Program

    return [Program("", ("rundll32.exe", "shell32.dll,OpenAs_RunDLL", "%f"))]


def file_managers() -> list[Program]:
    """Return the programs that show a folder: the Explorer."""
    from twinlens.core.systems.programs import Program

    return [Program("Explorer", ("explorer.exe", "%f"))]


def watch_processor_time() -> bool:
    """Return False: only the clock on the wall limits what a picture takes."""
    return False


def allow_processor_time(seconds: float) -> None:
    """Do nothing: there is no such limit."""


def end_with_children(process: subprocess.Popen[bytes], grace_s: float) -> None:
    """End a process at once, and all that it started."""
    subprocess.run(["taskkill", "/T", "/F", "/PID", str(process.pid)], capture_output=True, check=False)  # noqa: S603, S607
    process.kill()
    process.wait()
