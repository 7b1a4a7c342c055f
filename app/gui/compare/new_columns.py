"""Columns in the making, one after another, behind the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.frame.opened import OpenLibrary
from app.gui.process.job import Failure
from app.gui.process.jobs import Jobs
from app.language.spoken import text
from core.message import Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.compare.columns import ComparisonColumn
    from app.compare.temporary_index import TemporaryIndexes


class ColumnMaking(QObject):
    """Makes one column at a time.

    Attributes
    ----------
    progress : dict of Column to (float, str)
        How much of a column is done, from 0 to 1, and what is being done.
    faults : dict of Column to str
        Why a column cannot be made.
    """

    made = Signal()
    """A column is ready."""
    failed = Signal()
    """A column cannot be made; the next can follow."""
    progressed = Signal(object, float, str)
    """A column, its progress, and the present step."""
    stopped = Signal()

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._making = self._jobs.latest()
        self._now: ComparisonColumn | None = None
        self.progress: dict[ComparisonColumn, tuple[float, str]] = {}
        self.faults: dict[ComparisonColumn, str] = {}

    def go_on(self, opened: OpenLibrary, kept: TemporaryIndexes, waiting: Sequence[ComparisonColumn]) -> None:
        """Make the next waiting column, unless one is being made."""
        if self._making.running:
            return
        column = self._now = next((one for one in waiting if one not in self.faults), None)
        if column is None:
            return

        def work(progress: Progress) -> ComparisonColumn:
            with opened.searcher.moment() as moment:
                kept.build(opened.searcher, moment, column, progress)
            return column

        self._making.begin(work).then(self._on_made).failed(self._on_failed).stopped(self._on_stopped).progressed(
            self._on_progressed
        )

    def give_up(self, column: ComparisonColumn) -> None:
        """Stop making a column, if it is being made."""
        if column == self._now:
            self._making.cancel()

    def _on_made(self, column: ComparisonColumn) -> None:
        self.progress.pop(column, None)
        self._now = None
        self.made.emit()

    def _on_progressed(self, done: float, total: float, doing: Message) -> None:
        if self._now is not None:
            share = done / total if total > 0 else 0.0
            self.progress[self._now] = (share, text(doing))
            self.progressed.emit(self._now, share, text(doing))

    def _on_failed(self, failure: Failure) -> None:
        if self._now is not None:
            self.faults[self._now] = failure.words()
            self._now = None
            self.failed.emit()

    def _on_stopped(self) -> None:
        self._now = None
        self.stopped.emit()
