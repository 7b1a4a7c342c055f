"""Adding photographs in the window: an offer with what it costs, the work in its turn, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.services.work_queue import QueuedJob, WorkQueue
from twinlens.app.language.texts import _, _n, text
from twinlens.core.message import Message
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.library.ingest.cost_estimate import CostEstimate, FileCount
    from twinlens.app.library.library_results import AddResult, ProblemsResult

LARGE_SECONDS = 120


@dataclass(frozen=True)
class AdditionOffer:
    """Folders that may be added, as far as is known.

    Attributes
    ----------
    count : FileCount or None
        None while they are counted.
    cost : CostEstimate or None
        None until a few photographs were read on trial.
    """

    folders: Sequence[Path]
    count: FileCount | None = None
    cost: CostEstimate | None = None

    @property
    def names(self) -> str:
        """Return the names of the folders."""
        return _names(self.folders)

    def sentence(self) -> str:
        """Return the question with its cost."""
        cost = "" if self.cost is None else text(self.cost.sentence())
        return _("Add “{names}”? {cost}", names=self.names, cost=cost)


class AddingPhotos(QObject):
    """Adds folders, looks through them again, and reads problem files again."""

    looked = Signal(object)
    """More is known of an `AdditionOffer`; None when there is none any more, since it is added or was cancelled."""
    counting = Signal(int)
    """So many photographs were counted so far."""
    asks = Signal(object)
    """A large `AdditionOffer` waits for :meth:`agree` or :meth:`decline`."""

    def __init__(self, queue: WorkQueue, status: StatusLine, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._queue, self._status, self._opened, self._jobs = queue, status, opened, jobs
        self._estimating = jobs.latest()
        self._adding: dict[QueuedJob, list[Path]] = {}
        self._unfinished: list[Path] = []  # folders whose addition was stopped
        self._looked: list[Path] = []  # folders whose cost is being estimated
        self._unconfirmed: list[Path] = []
        self._proposed = False  # by the program, not by the person
        status.pause_wanted.connect(self._estimating.pause)
        status.cancel_wanted.connect(self._on_cancel)
        status.continue_wanted.connect(self.go_on)

    def leave(self) -> None:
        """Disconnect from the status line."""
        self._status.pause_wanted.disconnect(self._estimating.pause)
        self._status.cancel_wanted.disconnect(self._on_cancel)
        self._status.continue_wanted.disconnect(self.go_on)

    def propose(self, folders: Sequence[Path]) -> None:
        """Offer folders that are not to be added without consent, unless others are looked at."""
        if not (self._looked or self._unconfirmed or self._queue.busy()):
            self._proposed, self._looked = True, list(folders)
            self._look(self._looked)

    def is_adding(self) -> bool:
        """Return whether folders are being added, or wait for that."""
        return bool(self._adding)

    def add(self, folders: list[Path]) -> None:
        """Add folders at once, or after consent if it takes long."""
        if not folders:
            return
        if self._proposed:
            self._proposed, self._looked, self._unconfirmed = False, [], []
        given = {folder for others in (self._looked, *self._adding.values()) for folder in others}
        new = [folder for folder in folders if folder not in given]
        if not new:
            self._status.show_message(_("“{names}” is being added already.", names=_names(folders)), holds=True)
            return
        if last := self._queue.last_waiting():
            self._status.show_message(_("“{names}” is added after “{last}”.", names=_names(new), last=last), holds=True)
        # Folders given during the estimate of others, or while these wait for consent, join them.
        folders = list(dict.fromkeys([*self._unconfirmed, *self._looked, *new]))
        self._looked, self._unconfirmed = folders, []
        if not self._queue.busy():
            self._status.begin(_("Looking through {names}…", names=_names(folders)))
        self._queue.announce(_names(folders))
        self._look(folders)

    def _look(self, folders: list[Path]) -> None:
        """Count the photographs of folders, then read some on trial."""
        opened = self._opened
        self.looked.emit(AdditionOffer(folders))

        def work(progress: Progress) -> FileCount:
            from twinlens.app.library.ingest.cost_estimate import count_files

            return count_files(opened.library, folders, progress)

        count = self._estimating.begin(work).then(lambda made: self._on_counted(made, folders))
        count.failed(self._on_estimate_failed).progressed(self._on_estimate_progressed)

    def _on_counted(self, count: FileCount, folders: list[Path]) -> None:
        opened = self._opened
        self.looked.emit(AdditionOffer(folders, count))

        def work(progress: Progress) -> CostEstimate:
            from twinlens.app.library.ingest.cost_estimate import price

            return price(opened.library, count, progress)

        cost = self._estimating.begin(work).then(lambda made: self._on_estimate(AdditionOffer(folders, count, made)))
        cost.failed(self._on_estimate_failed).progressed(self._on_estimate_progressed)

    def _on_estimate(self, offer: AdditionOffer) -> None:
        self._end_of_estimate()
        assert offer.cost is not None
        if self._proposed or offer.cost.seconds > LARGE_SECONDS:
            self._unconfirmed = list(offer.folders)
            self.looked.emit(offer)
            if not self._proposed:
                self.asks.emit(offer)
        else:
            self._add_now(list(offer.folders))

    def agree(self) -> None:
        """Add the folders that wait for consent, or whose cost is still being estimated."""
        folders = [*self._unconfirmed, *self._looked]
        self._estimating.drop()
        self._end_of_estimate()
        self._add_now(folders)

    def decline(self) -> None:
        """Drop the work that waits for consent."""
        self._unconfirmed = []
        self.looked.emit(None)

    def _add_now(self, folders: list[Path]) -> None:
        opened, self._unconfirmed, self._proposed = self._opened, [], False
        if not folders:
            return

        def work(progress: Progress) -> AddResult:
            from twinlens.app.library.ingest.adding import add

            return add(opened.library, folders, progress=progress)

        self._unfinished = [folder for folder in self._unfinished if folder not in folders]

        def keep_for_later() -> None:
            self._unfinished = list(dict.fromkeys([*self._unfinished, *folders]))

        def then(result: AddResult) -> None:
            if result.cancelled:
                keep_for_later()
            self.tell(result)

        job = self._queue.run(_("Adding photos…"), work, _names(folders)).then(then).stopped(keep_for_later)
        self._adding[job] = folders
        job.over(lambda __: self._adding.pop(job))
        self.looked.emit(None)

    def has_unfinished(self) -> bool:
        """Return whether there are folders whose addition was not finished."""
        return bool(self._unfinished)

    def go_on(self) -> None:
        """Continue work that was stopped, or left when the program ended."""
        folders, self._unfinished = self._unfinished, []
        if folders:
            self._add_now(folders)
        else:
            self.rescan()

    def rescan(self, quietly: bool = False) -> None:
        """Scan all folders again."""
        opened = self._opened
        if quietly and not opened.library.store.writable:
            return

        def work(progress: Progress) -> AddResult | None:
            from twinlens.app.library.ingest.adding import rescan
            from twinlens.app.library.library_status import has_folders

            return rescan(opened.library, progress, verify=not quietly) if has_folders(opened.library) else None

        job = self._queue.run(_("Looking for new and changed photos…"), work)
        job.then(lambda result: self.tell(result, quietly))

    def retry(self, paths: list[str] | None) -> None:
        """Read problem files again: some, or all."""
        opened = self._opened

        def work(progress: Progress) -> ProblemsResult:
            from twinlens.app.library.ingest.problem_files import retry

            return retry(opened.library, paths, progress)

        self._queue.run(_("Trying again what could not be read…"), work).then(self._on_retried)

    def _on_cancel(self) -> None:
        if self._queue.busy():
            self._unfinished = list(dict.fromkeys([*self._unfinished, *self._looked]))
        if self._estimating.running:
            self._estimating.drop()  # one that is made meanwhile would have the folders added after all
            self._end_of_estimate()
            self.looked.emit(None)

    def _end_of_estimate(self) -> None:
        self._looked = []
        self._queue.announce("")
        if not (self._queue.busy() or self._proposed):
            self._status.end()

    def _on_estimate_failed(self, failure: Failure) -> None:
        self._end_of_estimate()
        self.looked.emit(None)
        self._jobs.failed.emit(failure)

    def _on_estimate_progressed(self, done: float, total: float, doing: Message) -> None:
        if total == 0 and isinstance(photographs := dict(doing.values).get("files"), int):
            self.counting.emit(photographs)
        if not (self._queue.busy() or self._proposed):
            self._status.show_progress(done, total, doing)

    def tell(self, result: AddResult | None, quietly: bool = False) -> None:
        """Report what was added, changed, moved or missed; quietly, only where there was anything."""
        if result is None or (
            quietly and not (result.added or result.changed or result.moved or result.removed or result.problems)
        ):
            return
        parts = [_n("{count} new photo", "{count} new photos", result.added)]
        if result.changed:
            parts.append(_n("{count} changed", "{count} changed", result.changed))
        if result.moved:
            parts.append(_n("{count} moved", "{count} moved", result.moved))
        if result.removed:
            parts.append(_n("{count} missing", "{count} missing", result.removed))
        if result.problems:
            parts.append(_n("{count} file could not be read", "{count} files could not be read", result.problems))
        if result.pending:
            parts.append(_n("{count} still to be added", "{count} still to be added", result.pending))
        elif result.cancelled:
            parts.append(_("stopped, what is done is kept"))
        self._status.show_message(" · ".join(parts))

    def _on_retried(self, result: ProblemsResult) -> None:
        words = _("{mended} of {retried} can be read now.", mended=result.mended, retried=result.retried)
        self._status.show_message(words)


def _names(folders: Sequence[Path]) -> str:
    return ", ".join(one.name or str(one) for one in folders)
