"""Progress of long work, and its cancellation.

A job calls ``progress(done, total, text)`` now and then; the callee shows it, waits while paused, and raises
:class:`twinlens.core.errors.Cancelled` to stop. A total of 0 means that the end is not known. A thread that waits for
another process, and so has nothing to report, calls :func:`look_for_stop` at intervals instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from twinlens.core.message import NOTHING, Message

Progress = Callable[[float, float, Message], None]


def silent(done: float, total: float, text: Message = NOTHING) -> None:
    """Report to nobody and never cancel."""


def part(progress: Progress, start: float, stop: float) -> Progress:
    """Return a step of a job its share of the whole.

    Parameters
    ----------
    progress : Progress
        The whole job's.
    start, stop : float
        The share that the step takes, in [0, 1].

    Examples
    --------
    >>> seen = []
    >>> step = part(lambda done, total, text: seen.append((done, total)), 0.5, 1.0)
    >>> step(1, 4, "")
    >>> seen
    [(0.625, 1.0)]
    """

    def step(done: float, total: float, text: Message = NOTHING) -> None:
        share = min(done / total, 1.0) if total > 0 else 0.0
        progress(start + (stop - start) * share, 1.0, text)

    return step


LOOK_S = 0.1
"""Seconds between two checks for a stop."""

_stop: ContextVar[Callable[[], object]] = ContextVar("stop", default=lambda: None)


@contextmanager
def stopped_by(stop: Callable[[], object]) -> Iterator[None]:
    """Call ``stop`` every tenth of a second while this thread waits inside the block; it raises to stop the work.

    Parameters
    ----------
    stop : callable
        Raises :class:`twinlens.core.errors.Cancelled` when the result is not wanted any more.
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


def look_for_stop() -> None:
    """Raise ``Cancelled`` if the work is to stop."""
    _stop.get()()
