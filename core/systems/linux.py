"""Linux: its calls for memory, processors, files, power, screens and mounts."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import mmap
import os
import platform
import re
import resource
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

assert sys.platform == "linux"

import psutil

from core.systems.everywhere import *  # noqa: F403
from core.systems.everywhere import installed_memory
from core.systems.linux_mounts import LinuxMounts
from core.systems.posix import *  # noqa: F403
from core.systems.volume import Mounts

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


CONTROL_GROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Files with the memory limit of a container, in the newer and the older way."""

_HERE, _NO_REPLACE = -100, 1  # AT_FDCWD, RENAME_NOREPLACE


def processors() -> int:
    """Count the processors that this program may use."""
    return len(os.sched_getaffinity(0))


def processor_name() -> str:
    """Return the name of the processor; nothing that tells one machine from another of its kind."""
    with contextlib.suppress(OSError), Path("/proc/cpuinfo").open(encoding="utf-8", errors="replace") as lines:
        named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
        return next(named, "") or platform.processor()
    return platform.processor()


def memory_bytes() -> int:
    """Return the bytes of memory that this machine has, or that a container lets the program have."""
    found = installed_memory()
    for path in CONTROL_GROUPS:
        with contextlib.suppress(OSError, ValueError):  # “max” is no number
            found = min(found, int(path.read_text(encoding="ascii")))
    return found


def counted_memory() -> int | None:
    """Return the bytes of this process that :func:`limit_memory` counts; None where there is no such limit."""
    return int(psutil.Process().memory_info().data)


def memory_limit() -> int | None:
    """Return the bytes that this process may take by :func:`limit_memory`; None where it has no limit of its own."""
    soft, _ = resource.getrlimit(resource.RLIMIT_DATA)
    return None if soft == resource.RLIM_INFINITY else soft


def limit_memory(count: int) -> None:
    """Limit the memory that this process can write to, within the limit that it was started with.

    Address space is not limited: libraries reserve much of it that they never use.
    """
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (count if most == resource.RLIM_INFINITY else min(count, most), most))


def give_back_memory() -> None:
    """Return freed memory to the system, where the C library keeps it."""
    if (trim := _trimming()) is not None:
        trim(0)


@functools.cache
def _trimming() -> Callable[[int], int] | None:
    """Return the function of the GNU C library; None where another one is used."""
    trim: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim


def yield_disk() -> None:
    """Have the disk only when nobody else asks for it."""
    with contextlib.suppress(psutil.Error):
        psutil.Process().ionice(psutil.IOPRIO_CLASS_IDLE)


def rename_new(source: bytes, target: bytes) -> None:
    """Rename a file in one step, unless the name is taken; ENOSYS or EINVAL where the file system cannot."""
    call = _renaming()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), source, None, target)
    if call(_HERE, source, _HERE, target, _NO_REPLACE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), source, None, target)


@functools.cache
def _renaming() -> Callable[..., int] | None:
    """Return the function of the C library; None where it has none."""
    call: Callable[..., int] | None = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    return call


def mounts() -> Mounts:
    """Return the mounts."""
    return LinuxMounts()


def true_path(path: bytes) -> bytes:
    """Return a full path without links, as its names are written on the disk; it need not be there."""
    return os.path.realpath(path)


def nameless_file() -> int:
    """Open a new file without a name; in memory, since a full disk is no reason not to start a process."""
    return os.memfd_create("twinlens")


def send_memory(pipe: Connection[Any, Any], data: memoryview) -> None:
    """Send bytes to another process, in memory that both can see."""
    from multiprocessing import reduction

    descriptor = nameless_file()
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        reduction.send_handle(pipe, descriptor, None)


def receive_memory(pipe: Connection[Any, Any]) -> mmap.mmap:
    """Receive the bytes; each time they cost an open file for as long as they are used."""
    from multiprocessing import reduction

    descriptor = reduction.recv_handle(pipe)
    try:
        return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
    finally:
        os.close(descriptor)


assert sys.platform == "linux"


_WAIT_S = 3.0
_X_PORT = 6000


def has_screen() -> bool:
    """Return whether there is a screen that answers, or Qt was told what to do without one."""
    if os.environ.get("QT_QPA_PLATFORM"):
        return True
    return _wayland(os.environ.get("WAYLAND_DISPLAY", "")) or _x(os.environ.get("DISPLAY", ""))


def _wayland(display: str) -> bool:
    folder = os.environ.get("XDG_RUNTIME_DIR", "")
    return bool(display) and _answers(socket.AF_UNIX, os.path.join(folder, display))


def _x(display: str) -> bool:
    """Return whether an X server answers at ``host:number.screen``; without a host, or with ``unix``, here."""
    parts = re.fullmatch(r"(.*):(\d+)(\.\d+)?", display)
    if parts is None:
        return bool(display) and _answers(socket.AF_UNIX, display)
    host, number = parts[1], int(parts[2])
    if host in ("", "unix"):
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 (where X servers listen)
        return _answers(socket.AF_UNIX, f"\0{path}") or _answers(socket.AF_UNIX, path)
    return _answers(socket.AF_INET, (host, _X_PORT + number))


def _answers(family: socket.AddressFamily, address: str | tuple[str, int]) -> bool:
    try:
        if family is not socket.AF_UNIX:
            socket.create_connection(address, _WAIT_S).close()  # type: ignore[arg-type]
            return True
        with socket.socket(family) as one:
            one.settimeout(_WAIT_S)
            one.connect(address)
    except OSError:
        return False
    return True
