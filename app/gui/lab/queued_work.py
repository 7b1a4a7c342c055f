"""Long work of the Lab, one piece in its turn among others; the status line shows how far it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.gui.library.adding_controller import LongWork
from core.progress import Progress


class QueuedWork(QObject):
    """One piece of work.

    Parameters
    ----------
    adding : AddingControl
        Runs one long work after the other.
    parent : QObject

    Signals
    -------
    began
    ended : object
        What came of it, None for nothing; of a failure the queue itself tells.
    finished : object
        What came of it, once the next one has its turn.
    """

    began = Signal()
    ended = Signal(object)
    finished = Signal(object)
    _begins = Signal()  # from the job
    _over = Signal(object)

    def __init__(self, adding: LongWork, parent: QObject) -> None:
        super().__init__(parent)
        self._adding = adding
        self.has_begun = False
        self._unwanted = self._is_over = False
        self._begins.connect(self._on_begins)
        self._over.connect(self._on_over)

    def queue(self, words: str, work: Callable[[Progress], Any]) -> None:
        """Do some work once nothing else runs; the words tell what."""

        def in_turn(progress: Progress) -> Any:
            found = None
            try:
                if not self._unwanted:
                    self._begins.emit()
                    found = work(progress)
                return found
            finally:
                self._over.emit(found)

        self._adding.run(words, in_turn, self._on_finished, lambda: self._on_over(None))

    def stop(self) -> None:
        """Stop it; what is done is kept, and what waits for its turn does not begin."""
        if self.has_begun:
            self._adding.stop()
        else:
            self._unwanted = True
            self._on_over(None)

    def _on_begins(self) -> None:
        self.has_begun = True
        self.began.emit()

    def _on_over(self, found: object) -> None:
        if not self._is_over:
            self._is_over = True
            self.ended.emit(found)
            if found is None:
                self.deleteLater()

    def _on_finished(self, found: object) -> None:
        if found is not None:
            self.finished.emit(found)
            self.deleteLater()
