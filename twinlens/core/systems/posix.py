"""Functions that Linux and macOS share, and Windows has in another way."""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from subprocess import Popen

assert sys.platform != "win32"

__all__ = [
    "OTHERS",
    "allow_processor_time",
    "drop_lock",
    "end_with_children",
    "has_trash",
    "is_own",
    "is_read_only",
    "is_too_long",
    "lock",
    "share_lock",
    "slashed",
    "token_of",
    "unheard_interrupts",
    "user",
    "watch_processor_time",
    "yield_processors",
]

OTHERS = 0o077
"""The bits of a file's mode that let other users in."""

_NICE = 5


def lock(descriptor: int, shared: bool) -> None:
    """Lock a file, or raise OSError where another program has locked it; the system unlocks it when this one ends."""
    fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def share_lock(descriptor: int) -> None:
    """Let others share the lock of a file."""
    lock(descriptor, shared=True)


def drop_lock(descriptor: int, path: Path) -> None:
    """Unlock and close a file, and remove it unless others share its lock."""
    with contextlib.suppress(OSError):
        lock(descriptor, shared=False)
        path.unlink(missing_ok=True)
    os.close(descriptor)


def user() -> str:
    """Return the identity of this user on this machine."""
    return str(os.getuid())


def is_own(status: os.stat_result) -> bool:
    """Return whether a file is this user's."""
    return status.st_uid == os.getuid()


def is_read_only(folder: bytes) -> bool:
    """Return whether the disk that a folder is on can only be read."""
    return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)


def has_trash(path: bytes) -> bool:
    """Return whether the system may have a trash for a file, instead of removing it for good."""
    return True


def slashed(path: bytes) -> bytes:
    """Return a path with ``/`` between its folders."""
    return path


def is_too_long(path: bytes) -> bool:
    """Return whether a path is too long for this system, which says that it is not there."""
    return False


def yield_processors() -> None:
    """Let other processes have the processors first."""
    os.nice(_NICE)


@contextlib.contextmanager
def unheard_interrupts() -> Iterator[None]:
    """Shield processes that are started in this block from Ctrl-C, from their first moment on."""
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it, as the first process would, lets SIGINT through again
    # A new process keeps the mask of the thread that starts it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def token_of(descriptor: int) -> Any | None:
    """Return the token that hands an open file to a process that is being started; None where that cannot be."""
    from multiprocessing import reduction

    return reduction.DupFd(descriptor)


def watch_processor_time() -> bool:
    """Set the system to end this process when its allowed time is up, also in native code; return whether it does."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    return True


def allow_processor_time(seconds: float) -> None:
    """Allow this process so much more processor time; 0 is no limit."""
    signal.setitimer(signal.ITIMER_PROF, seconds)


def end_with_children(process: Popen[bytes], grace_s: float) -> None:
    """End a process that has a session of its own, and all that it started."""
    from subprocess import TimeoutExpired

    os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(grace_s)
    except TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
