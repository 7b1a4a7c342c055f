"""Waiting of a thread for another process, with a look at whether it shall stop and whether a person waits.

A job says so once, at its beginning; what it calls need not pass it on. Nothing large is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LOOK_S = 0.1
"""Seconds between two looks."""

_stop: ContextVar[Callable[[], object]] = ContextVar("stop", default=lambda: None)
_in_background: ContextVar[bool] = ContextVar("in background", default=False)


@contextmanager
def stopped_by(stop: Callable[[], object]) -> Iterator[None]:
    """Call ``stop`` too, every tenth of a second, while this thread waits inside the block; it raises to stop.

    Parameters
    ----------
    stop : callable
        Raises :class:`core.errors.Cancelled` when the result is not wanted any more.
    """
    outer = _stop.get()

    def both() -> None:
        outer()
        stop()

    token = _stop.set(both)
    try:
        yield
    finally:
        _stop.reset(token)


@contextmanager
def in_background() -> Iterator[None]:
    """Do the work inside the block behind everything that a person waits for."""
    token = _in_background.set(True)
    try:
        yield
    finally:
        _in_background.reset(token)


def look_for_stop() -> None:
    """Raise if the work shall stop."""
    _stop.get()()


def is_background() -> bool:
    """Return whether nobody waits for this work just now."""
    return _in_background.get()
