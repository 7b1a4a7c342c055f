"""Progress of long work on standard error, whose steps are where Ctrl-C stops it (:mod:`app.cli.interruption`)."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from app.cli.interruption import INTERRUPTION
from app.cli.plain_text import plain, tell
from app.cli.session import Session, console
from app.language.spoken import text
from app.machine.durations import rounded, time_left
from app.machine.remaining_time import RemainingTime
from app.machine.waiting import stopped_by
from core.message import NOTHING, Message
from core.progress import Progress

_LINE_EVERY_S = 10.0
_SHOW_EVERY_S = 0.1


@contextmanager
def long_work(session: Session) -> Iterator[Progress]:
    """Show the progress of what happens inside the block."""
    with INTERRUPTION.patient(), stopped_by(INTERRUPTION.look):
        if session.quiet:
            yield _unseen
        elif sys.stderr.isatty():
            with _bar() as progress:
                yield progress
        else:
            yield _Lines()


@contextmanager
def starting(session: Session) -> Iterator[None]:
    """Show a bar at once, while the block imports what the work needs, which takes a second."""
    with long_work(session) as progress:
        progress(0, 0, Message("Starting"))
        yield


def _unseen(done: float, total: float, text: Message = NOTHING) -> None:
    INTERRUPTION.look()


@contextmanager
def _bar() -> Iterator[Progress]:
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as RichProgress

    columns = (
        BarColumn(24),
        TaskProgressColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[left]}{task.description}", markup=False),
    )
    with RichProgress(*columns, console=console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, left="")
        remaining, shown = RemainingTime(), 0.0

        def progress(done: float, total: float, doing: Message = NOTHING) -> None:
            nonlocal shown
            INTERRUPTION.look()
            if total > 0:
                remaining.tell(done / total)
            if time.monotonic() - shown >= _SHOW_EVERY_S:
                shown = time.monotonic()
                bar.update(
                    task, completed=done, total=total or None, description=plain(text(doing)), left=_left(remaining)
                )

        yield progress


class _Lines:
    """Progress where standard error is a file or a pipe: a line now and then."""

    def __init__(self) -> None:
        self._remaining, self._last = RemainingTime(), time.monotonic()

    def __call__(self, done: float, total: float, text: Message = NOTHING) -> None:
        INTERRUPTION.look()
        if total > 0:
            self._remaining.tell(done / total)
        now = time.monotonic()
        if now - self._last < _LINE_EVERY_S:
            return
        self._last = now
        share = f"{done / total:.0%}, " if total > 0 else ""
        tell(f"{share}{_left(self._remaining)}{text}")


def _left(remaining: RemainingTime) -> str:
    seconds = remaining.seconds()
    return "" if seconds is None else f"{time_left(rounded(seconds))} left: "
