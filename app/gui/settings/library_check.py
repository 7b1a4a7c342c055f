"""Has the library checked and repaired in a job, and shows on its card how far that is and what was found."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.gui.frame.opened import OpenLibrary
from app.gui.process.job import Failure
from app.gui.process.jobs import Jobs
from app.gui.settings.check_card import CheckCard
from app.language.spoken import _
from app.library.results import CheckResult
from core.message import Message
from core.progress import Progress


class LibraryCheck(QObject):
    """Controls the card of the check.

    Parameters
    ----------
    card : CheckCard
    jobs : Jobs
    opened : Opened
    parent : QObject
    """

    def __init__(self, card: CheckCard, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._card = card
        self._jobs = jobs
        self._checking = self._jobs.latest()
        self._opened = opened
        card.check_wanted.connect(lambda: self._start(repair=False))
        card.repair_wanted.connect(lambda: self._start(repair=True))
        card.stop_wanted.connect(self._checking.cancel)

    def _start(self, repair: bool) -> None:
        opened = self._opened

        def work(progress: Progress) -> CheckResult:
            from app.library.repair import check_library, repair_library

            return (repair_library if repair else check_library)(opened.library, progress)

        self._card.show_running(_("Repairing the library…") if repair else _("Checking the library…"))
        self._checking.begin(work).then(self._card.show_result).failed(self._on_failed).stopped(
            self._card.show_nothing
        ).progressed(self._on_progressed)

    def _on_progressed(self, done: float, total: float, doing: Message) -> None:
        if total > 0:
            self._card.show_running(_("{share:.0%} · {doing}", share=done / total, doing=doing))

    def _on_failed(self, failure: Failure) -> None:
        self._card.show_nothing()
        self._jobs.failed.emit(failure)
