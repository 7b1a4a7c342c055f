"""The processor time that decoding a picture may take, by its size.

A process that reads for others is ended by the system when the time is up (SIGPROF), also in the middle of native code
that no exception can leave; whoever waits for the result tells it by the signal. The clock on the wall would also
count the time that other programs and slow disks take. Systems without such a timer have only that clock.
"""

from __future__ import annotations

import time

from core.systems import system

BASE_S = 6.0
"""For any file, also of one pixel."""
_PER_MEGAPIXEL_S = 0.04
_PER_MEGABYTE_S = 0.005  # to read a file and to hash it

_enforced = False
_began = 0.0
_of_file = 0.0


def enforce_processor_time() -> None:
    """Have this process end when the time that a file is allowed is up. Without this nothing is ever ended."""
    global _enforced  # noqa: PLW0603 (a process is one)
    _enforced = system.watch_processor_time()


def begin_file(file_bytes: int) -> None:
    """Allow a file the time that is needed until its header is known.

    Parameters
    ----------
    file_bytes : int
    """
    global _began, _of_file
    _began, _of_file = time.process_time(), BASE_S + _PER_MEGABYTE_S * file_bytes / 1e6
    _set(_of_file)


def allow_picture(width: int, height: int) -> None:
    """Allow the file that was begun the time of a picture of this size, what it took already included."""
    _set(_of_file + decoding_seconds(width, height) - (time.process_time() - _began))


def end_processor_time() -> None:
    """Limit nothing any more: the picture is decoded."""
    if _enforced:
        system.allow_processor_time(0)


def decoding_seconds(width: int, height: int) -> float:
    """Return the seconds of processor time for decoding so many pixels, besides `BASE_S`.

    Examples
    --------
    >>> of_size(10_000, 10_000)
    4.0
    """
    return _PER_MEGAPIXEL_S * width * height / 1e6


def _set(seconds: float) -> None:
    if _enforced:
        system.allow_processor_time(max(seconds, 1e-3))
