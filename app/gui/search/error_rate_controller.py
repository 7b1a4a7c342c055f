"""Finds, after a search, up to where results are certain: with a learned metric this takes seconds the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.frame.opened import OpenLibrary
from app.gui.process.jobs import Jobs
from core.progress import Progress

if TYPE_CHECKING:
    from app.search.results import ConfidenceThreshold, SearchResult


_AttemptKey = tuple[str, str, int, int]
"""An index and its numbers of marks: while these stay the same, so does the lack of a distance."""


class ConfidenceControl(QObject):
    """Finds the distance of an index where the result came without it, one at a time, and keeps it.

    Parameters
    ----------
    jobs : Jobs
    parent : QObject
    """

    found = Signal(str, object)
    """The name of an index, and its distance."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._jobs = jobs
        self._looking = self._jobs.latest()
        self._tried: set[_AttemptKey] = set()

    def look(self, result: SearchResult) -> None:
        """Find the distance unless it is known; one that is being found is not disturbed."""
        opened, index, text = self._opened, result.index, result.text
        if result.threshold is not None or self._looking.running:
            return
        tried = self._tried

        def work(progress: Progress) -> ConfidenceThreshold | None:
            from app.search.error_rate import confidence_threshold

            with opened.library.store.reading() as r:
                key = (index, text, *r.marks.counts())
            if key in tried or not opened.library.store.writable:
                return None
            sure = confidence_threshold(opened.library, index, progress=progress)
            if sure is None:
                tried.add(key)
            return sure

        self._looking.begin(work).then(lambda sure: None if sure is None else self.found.emit(index, sure))
