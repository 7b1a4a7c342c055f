"""Progress of long work, and its cancellation.

A job calls ``progress(done, total, text)`` now and then; the callee shows it, waits while paused, and raises
:class:`core.errors.Cancelled` to stop. A total of 0 means that the end is not known.
"""

from __future__ import annotations

from collections.abc import Callable

from core.message import NOTHING, Message

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
