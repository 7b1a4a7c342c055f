"""What finds, behind an answer, up to where it is sure: under a learned metric that takes seconds the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.frame.opened import Opened
from app.gui.process.jobs import Jobs
from core.progress import Progress

if TYPE_CHECKING:
    from app.results import SearchResult, SureDistance

_TOPIC = "sure distance"

_Tried = tuple[str, str, int, int]
"""An index, and how many marks of each kind there were: while these stay, what could not be said cannot be."""


class SureControl(QObject):
    """Looks for the distance of an index where its answer came without; one at a time, and it is kept.

    Parameters
    ----------
    jobs : Jobs
    parent : QObject
    """

    found = Signal(str, object)
    """The name of an index, and its distance."""

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._opened: Opened | None = None
        self._tried: set[_Tried] = set()

    def take(self, opened: Opened) -> None:
        """Look in this library from now on."""
        self._opened = opened
        self._tried = set()

    def look(self, result: SearchResult) -> None:
        """Find up to where an answer is sure, unless that is known; one that is being looked for is not disturbed."""
        opened, index, text = self._opened, result.index, result.text
        if opened is None or result.threshold is not None or self._jobs.is_running(_TOPIC):
            return
        tried = self._tried

        def work(progress: Progress) -> SureDistance | None:
            from app.search.error_rate import sure_distance

            with opened.library.store.reading() as r:
                key = (index, text, *r.marks.counts())
            if key in tried or not opened.library.store.writable:
                return None
            sure = sure_distance(opened.library, index, progress=progress)
            if sure is None:
                tried.add(key)
            return sure

        self._jobs.start(_TOPIC, work, lambda sure: None if sure is None else self.found.emit(index, sure))
