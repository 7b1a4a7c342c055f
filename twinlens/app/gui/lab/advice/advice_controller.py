"""Controller of advice, the first experiment of the Lab.

The form settles what counts as right and how long it may take. An advice waits its turn in the queue of long work,
shows the indexes measured so far, and is kept when it ends.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from twinlens.app.gui.actions.action import offer
from twinlens.app.gui.actions.lab_actions import advice_actions
from twinlens.app.gui.lab.advice.advice_form import AdviceForm
from twinlens.app.gui.lab.advice.named_pairs import PairsControl, PairsPanel
from twinlens.app.gui.lab.sheet.sheet_head import ExperimentState
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.services.work_queue import QueuedJob, WorkQueue
from twinlens.app.lab.advice.advice import (
    AdviceJob,
    KeptAdvice,
    advise_in_process,
    command_of,
    last_advice,
    named_photographs,
)
from twinlens.app.lab.advice.advice_settings import EDITS, NEIGHBOURS, PAIRS, NamedPairs
from twinlens.app.lab.advice.advice_sheet import finding_of_advice, sheet_of_advice, sheet_of_nothing, sheet_so_far
from twinlens.app.lab.lab_sheet import LabSheet, LibraryIndexes
from twinlens.app.language.texts import _, _n, text
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.lab.advice.advice import KeptAdvice
    from twinlens.app.lab.advice.advice_results import AdvicePoint


LEAST_PHOTOGRAPHS = 20
"""Photographs: among fewer, the first ten results say nothing."""


class AdviceControl(QObject):
    """Controller of advice: its form, its run, and the kept result.

    Parameters
    ----------
    changed
        Another sheet is to be seen.
    renewed
        It begins to be measured, or has ended.
    """

    changed = Signal()
    renewed = Signal()

    def __init__(self, window: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self.form, self.panel = AdviceForm(), PairsPanel()
        self.form.hide()
        self.panel.hide()
        self._window, self._opened = window, window.opened
        self._looking = window.jobs.latest()
        self._count = -1
        self._kept: KeptAdvice | None = None
        self._why_not = ""  # there is no advice
        self.run = AdviceRun(window.opened, window.work, self)
        self.pairs = PairsControl(self.panel, window, self)
        self.form.truth_chosen.connect(self._on_truth)
        self.form.library.clicked.connect(lambda: window.show_view("library"))
        self.pairs.changed.connect(self._say_ready)
        self.run.found_some.connect(self.changed)
        self.run.ended.connect(self._on_ended)
        self.refresh()

    def restore(self, kept: object) -> None:
        """Restore the remembered choices."""
        state: dict[str, Any] = kept if isinstance(kept, dict) else {}
        self.form.set_truth(str(state.get("truth", EDITS)))
        seconds = state.get("seconds")
        self.form.set_seconds(seconds if isinstance(seconds, int) else 60)
        self.pairs.restore(state.get("pairs"))

    def state(self) -> dict[str, Any]:
        """Return the choices to remember."""
        return {"truth": self.form.truth, "seconds": self.form.seconds, "pairs": self.pairs.state()}

    def refresh(self) -> None:
        """Read the library's state again, and the kept advice at first."""
        opened, first = self._opened, self._count < 0

        def work(__: Progress) -> tuple[int, KeptAdvice | None]:
            return named_photographs(opened.library), last_advice(opened.library) if first else None

        self._looking.begin(work).then(lambda found: self._on_looked(*found)).failed(lambda __: None)

    def _on_looked(self, count: int, kept: KeptAdvice | None) -> None:
        self._count, self._kept = count, kept or self._kept
        self._say_ready()
        self.changed.emit()

    # --- what is shown -----------------------------------------------------------------------------------------------

    @property
    def kept(self) -> KeptAdvice | None:
        """The last advice."""
        return self._kept

    def show_form(self, shown: bool) -> None:
        """Show the form, or hide it."""
        self.form.setVisible(shown)
        self.panel.setVisible(shown and self.form.truth == PAIRS and not self._lacks())

    def sheet(self, indexes: LibraryIndexes, hidden: Collection[str]) -> LabSheet:
        """Return the current sheet: of the running advice, the last one, or the explanation of advice.

        Parameters
        ----------
        hidden : collection of str
            Keys of rows hidden from the figures.
        """
        if self.run.running:
            return sheet_so_far(self.run.points, self.run.truth, indexes, hidden)
        if self._kept is None:
            return sheet_of_nothing()
        count = self._kept.ready if self._count < 0 else self._count
        return sheet_of_advice(self._kept, indexes, count, command_of(self._kept, self._opened.address), hidden)

    def doing(self) -> ExperimentState:
        """Return whether an advice is running, and its progress."""
        if not self.run.running:
            return ExperimentState("advice")
        count = len(self.run.points)
        return ExperimentState("runs", _n("{count} index measured", "{count} indexes measured", count))

    def finding(self) -> str:
        """Return the proposal in one sentence; without one, the purpose of advice."""
        return text(sheet_of_nothing().finding if self._kept is None else finding_of_advice(self._kept.result))

    # --- asking ------------------------------------------------------------------------------------------------------

    def go(self) -> None:
        """Measure indexes for the chosen time."""
        truth = self.form.truth
        pairs = self.pairs.named() if truth == PAIRS else None
        if self.run.running or self._lacks() or (pairs is not None and not pairs.match):
            return
        self._why_not = ""
        self.run.start(truth, float(self.form.seconds), pairs)
        self.form.show_running()
        self.renewed.emit()

    def bind(self, parts: Collection[QWidget]) -> None:
        """Bind the buttons of the form and of the pairs, and their keys in parts of the page."""
        offer(self.form, advice_actions(), {"go": self.go}, parts)
        acts = {"marks": self.pairs.take_marks, "pairs": self.panel.show_chooser}
        offer(self.panel, advice_actions(), acts, parts)

    def cancel(self) -> None:
        """Stop, and use the measurements so far."""
        self.run.stop()

    def running(self) -> bool:
        """Return whether an advice is running or waits for its turn."""
        return self.run.running

    def query_photographs(self) -> int:
        """Return a photo that illustrates the advice; below 0 for any."""
        pair = next((one.first.id for one in self.pairs.pairs if one.match), -1)
        return pair if self.form.truth == PAIRS else -1

    def _on_ended(self, kept: KeptAdvice | None) -> None:
        if kept is None:
            self._why_not = _("Nothing was measured.")
        else:
            self._kept, self._count = kept, kept.ready
            if not self.form.isVisible():
                self._window.status.show_message(_("The advice is ready in the Lab."))
        self._say_ready()
        self.renewed.emit()

    def _on_truth(self, __: str) -> None:
        self._why_not = ""
        self.show_form(True)
        self._say_ready()

    def _lacks(self) -> bool:
        return 0 <= self._count < LEAST_PHOTOGRAPHS

    def _say_ready(self) -> None:
        if self.run.running:
            return
        if self._lacks():
            self.form.show_lacking(
                _(
                    "Advice needs at least {count} photos. With fewer, any index finds everything.",
                    count=LEAST_PHOTOGRAPHS,
                )
            )
            return
        can, why_not = self._count >= 0, self._why_not
        if not why_not and self.form.truth == PAIRS and not self.pairs.named().match:
            can, why_not = False, _("Choose at least one pair of photos that should match.")
        self.form.show_ready(can, why_not)


_TICK_MS = 250


class AdviceRun(QObject):
    """A run of an advice in the queue of long work; the status line shows its progress.

    Parameters
    ----------
    queue : WorkQueue
        Runs one long work after the other.
    found_some
        Other indexes are measured.
    ended : KeptAdvice or None
        The advice is found and kept; there is none where it was stopped before an index was measured, or failed.
    """

    found_some = Signal()
    ended = Signal(object)
    _found = Signal(object)  # a point, from the job

    def __init__(self, opened: OpenLibrary, queue: WorkQueue, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._queue = opened, queue
        self._work: QueuedJob | None = None
        self.truth: str = EDITS
        self._points: dict[str, AdvicePoint] = {}
        self._new = False
        self._calm = QTimer(self)  # several that come at once are shown together
        self._calm.setSingleShot(True)
        self._calm.setInterval(_TICK_MS)
        self._calm.timeout.connect(self._tell)
        self._found.connect(self._on_found, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """Whether an advice is running, or waits for its turn."""
        return self._work is not None

    @property
    def points(self) -> list[AdvicePoint]:
        """The indexes measured so far."""
        return list(self._points.values())

    def start(self, truth: str, seconds: float, pairs: NamedPairs | None) -> None:
        """Measure for a number of seconds when the queue is free."""
        self.truth, self._points, self._new = truth, {}, False
        address, found = self._opened.address, self._found.emit

        def work(progress: Progress) -> KeptAdvice:
            asked = AdviceJob(seconds, NEIGHBOURS if truth == NEIGHBOURS else EDITS, pairs)
            return advise_in_process(address, asked, progress, found)

        self._work = self._queue.run(_("Measuring indexes…"), work).over(self._on_ended)

    def stop(self) -> None:
        """Stop soon, and use the measurements so far."""
        if self._work is not None:
            self._work.cancel()

    def _on_found(self, point: AdvicePoint) -> None:
        if self.running:
            self._points[point.key] = point
            self._new = True
            if not self._calm.isActive():
                self._tell()

    def _tell(self) -> None:
        if self._new and self.running:
            self._new = False
            self._calm.start()
            self.found_some.emit()

    def _on_ended(self, kept: KeptAdvice | None) -> None:
        self._calm.stop()
        self._work, self._points = None, {}
        self.ended.emit(kept)
