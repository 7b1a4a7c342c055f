"""Queue of runs, shared with other long work."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.frame.status_line import StatusLine
from app.gui.lab.queued_work import QueuedWork
from app.gui.lab.sheet.head import ExperimentState
from app.gui.library.adding_controller import LongWork
from app.language.spoken import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.experiments.results import LabCheckResult
    from app.lab.experiments.separate_run import RunJob
    from storage.database.address import Address

_NOT_KEPT = -1_000_000  # ids of runs that the library does not know yet lie below it


class RunWork(QueuedWork):
    """A run in the queue.

    Attributes
    ----------
    name : str
    run : int
        Id of the run; below 0 before the library keeps it.
    question : str
    """

    kept = Signal(int)

    def __init__(self, name: str, run: int, adding: LongWork, parent: QObject) -> None:
        super().__init__(adding, parent)
        self.name, self.run, self.question = name, run, ""


class RunQueue(QObject):
    """Measures runs in a process of their own.

    Parameters
    ----------
    adding : AddingControl
        Runs one long work after the other, with its progress in the status line.
    status : StatusLine
        Has the buttons Pause and Cancel.
    parent : QObject

    Signals
    -------
    changed : int
        The state of a run has changed; its id.
    kept : int, int
        A step of a run was kept; the former id and the current one.
    ended : int
        A run has ended; its id.
    """

    changed = Signal(int)
    kept = Signal(int, int)
    ended = Signal(int)

    def __init__(self, adding: LongWork, status: StatusLine, parent: QObject) -> None:
        super().__init__(parent)
        self._adding, self._status = adding, status
        self._works: list[RunWork] = []
        self._numbers = itertools.count(1)
        self._paused = False
        status.pause_wanted.connect(self._on_paused)

    def start(
        self, library: Address, wish: RunJob, name: str, run: int, then: Callable[[int | LabCheckResult], None]
    ) -> RunWork:
        """Queue a wish; `run` is the id of a kept run, else 0."""
        one = RunWork(name, run or _NOT_KEPT - next(self._numbers), self._adding, self)
        self._works.append(one)
        one.began.connect(partial(self._on_began, one))
        one.kept.connect(partial(self._on_kept, one))
        one.ended.connect(partial(self._on_ended, one))
        one.finished.connect(then)

        def work(progress: Progress) -> int | LabCheckResult:
            from app.lab.experiments.separate_run import run_in_own_process

            return run_in_own_process(library, wish, progress, one.kept.emit)

        one.queue(_("Measuring “{name}”…", name=name), work)
        return one

    def works(self) -> list[RunWork]:
        """Return the queue."""
        return list(self._works)

    def of(self, run: int) -> RunWork | None:
        """Return the work of a run; None if it is not in the queue."""
        return next((one for one in self._works if one.run == run), None)

    def doing(self, one: RunWork) -> ExperimentState:
        """Return the state of a run in the queue."""
        if not one.has_begun:
            return ExperimentState("waits", _("Waiting for other long work"))
        return ExperimentState("paused", _("Paused")) if self._paused else ExperimentState("runs", _("Measuring"))

    def pause(self) -> None:
        """Pause or resume the running work."""
        self._status.toggle_pause()

    def stop(self, run: int) -> None:
        """Stop a run; measured steps are kept."""
        one = self.of(run)
        if one is not None:
            one.stop()

    def _on_paused(self, paused: bool) -> None:
        self._paused = paused
        for one in self._works:
            if one.has_begun:
                self.changed.emit(one.run)

    def _on_began(self, one: RunWork) -> None:
        self._paused = False
        self.changed.emit(one.run)

    def _on_kept(self, one: RunWork, run: int) -> None:
        before, one.run = one.run, run
        self.kept.emit(before, run)

    def _on_ended(self, one: RunWork, __: object) -> None:
        self._works.remove(one)
        self.ended.emit(one.run)
