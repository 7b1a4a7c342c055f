"""Queue of runs, shared with other long work."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.frame.status_line import StatusLine
from app.gui.lab.experiments.result_head import Doing
from app.gui.library.adding_controller import AddingControl
from app.language.spoken import _, text
from core.errors import Cancelled, TwinlensError
from core.progress import Progress

if TYPE_CHECKING:
    from app.lab.experiments.results import LabCheckResult
    from app.lab.experiments.separate_run import Wish

_NOT_KEPT = -1_000_000  # ids of runs that the library does not know yet lie below it


@dataclass
class Work:
    """A run in the queue.

    Attributes
    ----------
    number : int
    name : str
    run : int
        Id of the run; below 0 before the library keeps it.
    began : bool
    unwanted : bool
        Cancelled before it began.
    question : str
    """

    number: int
    name: str
    run: int
    began: bool = False
    unwanted: bool = False
    question: str = ""


class Going(QObject):
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
    ended : int, str
        A run has ended; its id, and the reason of a failure.
    """

    changed = Signal(int)
    kept = Signal(int, int)
    ended = Signal(int, str)
    _began = Signal(int)
    _kept = Signal(int, int)
    _over = Signal(int, str)

    def __init__(self, adding: AddingControl, status: StatusLine, parent: QObject) -> None:
        super().__init__(parent)
        self._adding, self._status = adding, status
        self._works: dict[int, Work] = {}
        self._numbers = itertools.count(1)
        self._paused = False
        status.pause_wanted.connect(self._on_paused)
        self._began.connect(self._on_began)
        self._kept.connect(self._on_kept)
        self._over.connect(self._on_over)

    def start(
        self, library: Path, wish: Wish, name: str, run: int, then: Callable[[int | LabCheckResult], None]
    ) -> Work:
        """Queue a wish; `run` is the id of a kept run, else 0."""
        number = next(self._numbers)
        one = self._works[number] = Work(number, name, run or _NOT_KEPT - number)

        def work(progress: Progress) -> int | LabCheckResult | None:
            from app.lab.experiments.separate_run import work_aside

            if one.unwanted:
                self._over.emit(number, "")
                return None
            self._began.emit(number)

            fault = ""
            try:
                return work_aside(library, wish, progress, lambda kept: self._kept.emit(number, kept))
            except Cancelled:
                raise
            except TwinlensError as error:
                fault = text(error)
                raise
            except Exception as error:
                fault = str(error)
                raise
            finally:
                self._over.emit(number, fault)

        def done(found: int | LabCheckResult | None) -> None:
            if found is not None:
                then(found)

        self._adding.run(_("Measuring “{name}”…", name=name), work, done, lambda: self._on_over(number, ""))
        return one

    def works(self) -> list[Work]:
        """Return the queue."""
        return [one for one in self._works.values() if not one.unwanted]

    def of(self, run: int) -> Work | None:
        """Return the work of a run; None if it is not in the queue."""
        return next((one for one in self.works() if one.run == run), None)

    def doing(self, one: Work) -> Doing:
        """Return the state of a run in the queue."""
        if not one.began:
            return Doing("waits", _("Waiting for other long work"))
        return Doing("paused", _("Paused")) if self._paused else Doing("runs", _("Measuring"))

    def pause(self) -> None:
        """Pause or resume the running work."""
        self._status.toggle_pause()

    def stop(self, run: int) -> None:
        """Stop a run; measured steps are kept."""
        one = self.of(run)
        if one is None:
            return
        if one.began:
            self._status.cancel()
        else:
            one.unwanted = True
            self.ended.emit(one.run, "")

    def _on_paused(self, paused: bool) -> None:
        self._paused = paused
        for one in self.works():
            if one.began:
                self.changed.emit(one.run)

    def _on_began(self, number: int) -> None:
        if number in self._works:
            self._paused = False
            self._works[number].began = True
            self.changed.emit(self._works[number].run)

    def _on_kept(self, number: int, run: int) -> None:
        one = self._works.get(number)
        if one is not None:
            before, one.run = one.run, run
            self.kept.emit(before, run)

    def _on_over(self, number: int, fault: str) -> None:
        one = self._works.pop(number, None)
        if one is not None and not one.unwanted:
            self.ended.emit(one.run, fault)
