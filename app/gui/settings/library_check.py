"""Has the library checked and repaired in a job, and shows on its card how far that is and what was found."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.gui.frame.opened import Opened
from app.gui.process.jobs import Jobs
from app.gui.settings.check_card import CheckCard
from app.language.spoken import _
from app.results import CheckResult
from core.message import Message
from core.progress import Progress

TOPIC = "library check"


class LibraryCheck(QObject):
    """Controls the card of the check.

    Parameters
    ----------
    card : CheckCard
    jobs : Jobs
    opened : callable
        Gives the open library, or None.
    parent : QObject
    """

    def __init__(self, card: CheckCard, jobs: Jobs, opened: Callable[[], Opened | None], parent: QObject) -> None:
        super().__init__(parent)
        self._card = card
        self._jobs = jobs
        self._opened = opened
        card.check_wanted.connect(lambda: self._start(repair=False))
        card.repair_wanted.connect(lambda: self._start(repair=True))
        card.stop_wanted.connect(lambda: jobs.cancel(TOPIC))
        jobs.progressed.connect(self._on_progressed)
        jobs.failed.connect(self._on_failed)
        jobs.stopped.connect(self._on_stopped)

    def _start(self, repair: bool) -> None:
        opened = self._opened()
        if opened is None:
            return

        def work(progress: Progress) -> CheckResult:
            from app.library.repair import check_library, repair_library

            return (repair_library if repair else check_library)(opened.library, progress)

        self._card.show_running(_("Repairing the library…") if repair else _("Checking the library…"))
        self._jobs.start(TOPIC, work, self._card.show_result)

    def _on_progressed(self, topic: str, done: float, total: float, doing: Message) -> None:
        if topic == TOPIC and total > 0:
            self._card.show_running(_("{share:.0%} · {doing}", share=done / total, doing=doing))

    def _on_failed(self, topic: str, _sentence: str, _next_step: str) -> None:
        if topic == TOPIC:
            self._card.show_nothing()  # the window tells of it

    def _on_stopped(self, topic: str) -> None:
        if topic == TOPIC:
            self._card.show_nothing()
