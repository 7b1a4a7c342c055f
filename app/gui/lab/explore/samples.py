"""The sample of photographs that is measured: drawn for an index, and anew where the library has changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.lab.explore.explore_jobs import ExplorerSample, open_sample
from app.gui.process.job import Failure
from app.language.spoken import text
from core.message import Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.opened import OpenLibrary
    from app.gui.process.jobs import Jobs


class SampleDrawing(QObject):
    """Draws samples in jobs.

    Parameters
    ----------
    opened : Opened
    jobs : Jobs
    parent : QObject

    Signals
    -------
    drawn : Sample
    progressed : str
        What is done meanwhile.
    failed : Failure
    outdated
        The library has other photographs than when the sample was drawn, or no longer the index.
    listed : list of str
        The library's indexes now.
    """

    drawn = Signal(object)
    progressed = Signal(str)
    failed = Signal(object)
    outdated = Signal()
    listed = Signal(list)

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._drawing, self._looking = jobs.latest(), jobs.latest()
        self.now: ExplorerSample | None = None
        """The one that is drawn; None meanwhile."""

    @property
    def running(self) -> bool:
        """Whether one is being drawn."""
        return self._drawing.running

    def draw(self, index: str, photographs: int, included: Sequence[int]) -> None:
        """Draw a sample of an index, with some photographs in it."""
        opened, self.now = self._opened, None

        def work(progress: Progress) -> ExplorerSample:
            return open_sample(opened, index, photographs, list(included), progress)

        self._drawing.begin(work).then(self._on_drawn).failed(self._on_failed).progressed(self._on_progressed)

    def refresh(self) -> None:
        """See whether the library has other photographs or indexes now."""
        opened, sample = self._opened, self.now
        if sample is None:
            return

        def work(__: Progress) -> tuple[int, list[str]]:
            from app.lab.explore.sample import count_vectors, index_names

            names, own = index_names(opened.library, opened.put_away), sample.explorer.material.index
            return count_vectors(opened.library, own) if own in names else -1, names

        def then(found: tuple[int, list[str]]) -> None:
            if self.now is sample and found[0] != sample.explorer.material.library:
                self.outdated.emit()
            elif self.now is sample:
                self.listed.emit(found[1])

        self._looking.begin(work).then(then)

    def _on_drawn(self, sample: ExplorerSample) -> None:
        self.now = sample
        self.drawn.emit(sample)

    def _on_failed(self, failure: Failure) -> None:
        self.failed.emit(failure)

    def _on_progressed(self, __: float, ___: float, doing: Message) -> None:
        if self.now is None and doing:
            self.progressed.emit(f"{text(doing)}…")
