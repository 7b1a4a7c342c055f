"""Long work on the library that several views begin: adding and reading again, making an index, comparing, forgetting.

A large addition is preceded by an estimate. The comparison for duplicates takes its turn in the queue, too: when
duplicates are first opened, and from then on whenever photographs were added. So does forgetting a folder, which one
click brings back until the program closes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.gui.services.undo_history import UndoHistory
from twinlens.app.gui.services.work_queue import QueuedJob, WorkQueue
from twinlens.app.language.texts import _, _n, text
from twinlens.core.message import Message
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.indexes.index_results import IndexStatus
    from twinlens.app.library.ingest.cost_estimate import CostEstimate, FileCount
    from twinlens.app.library.ingest.forgotten_folders import ForgottenFolder
    from twinlens.app.library.library import Library
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
            from twinlens.app.library.browsing import has_folders
            from twinlens.app.library.ingest.adding import rescan

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


class IndexMaking(QObject):
    """Creation of indexes, while searches stay possible."""

    progressed = Signal(str, float, str)
    """The name of an index, the share of it that is made, and the present step."""
    made = Signal(str)
    failed = Signal(str)
    """Why an index was not made; empty where it was stopped."""

    def __init__(
        self, queue: WorkQueue, opened: OpenLibrary, jobs: Jobs, undoing: UndoHistory, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._queue, self._opened, self._jobs, self._undoing = queue, opened, jobs, undoing

    def create(self, descriptor: str, metric: str, method: str, search: str, name: str) -> None:
        """Create an index of these texts."""
        opened = self._opened

        def work(progress: Progress) -> IndexStatus:
            from twinlens.app.indexes.indexes import create_index
            from twinlens.app.indexes.new_index import NewIndex

            return create_index(
                opened.library,
                NewIndex(descriptor=descriptor, method=method, search=search, name=name or None, metric=metric),
                progress,
            )

        def then(status: IndexStatus) -> None:
            self._queue.tell(_("The index {name} is ready.", name=status.name))
            self.made.emit(status.name)

        def failed(failure: Failure) -> None:
            self.failed.emit(failure.words())
            self._jobs.failed.emit(failure)

        def progressed(done: float, total: float, doing: Message) -> None:
            self.progressed.emit(name, done / total if total else 0.0, text(doing))

        job = self._queue.run(_("Making the index {name}…", name=name), work).then(then).failed(failed)
        job.stopped(lambda: self.failed.emit("")).progressed(progressed)

    def make(
        self,
        what: str,
        create: Callable[[Library, Progress], IndexStatus],
        ended: Callable[[], object] = lambda: None,
    ) -> None:
        """Make an index that can be taken back.

        Parameters
        ----------
        what : str
            The method, for the status line.
        create : callable
            Makes it in the library.
        ended : callable
            Called when it is made, has failed, or was stopped.
        """
        opened = self._opened

        def then(status: IndexStatus) -> None:
            self.made.emit(status.name)
            self._undoing.offer(_("Created the index “{name}”.", name=status.name), lambda: self._delete(status.name))

        words = _("Creating an index with {method}…", method=what)
        self._queue.run(words, lambda progress: create(opened.library, progress)).then(then).over(lambda __: ended())

    def _delete(self, name: str) -> None:
        opened = self._opened

        def work(__: Progress) -> None:
            from twinlens.app.indexes.indexes import delete_index

            delete_index(opened.library, name)

        self._jobs.begin(work).then(lambda __: self._queue.changed.emit())


_TOLD_EVERY_S = 2.0


class DuplicateComparison(QObject):
    """The comparison for duplicates, as long work in its turn."""

    found = Signal()
    """There are more results; emitted now and then during the comparison, and at its end."""

    def __init__(self, opened: OpenLibrary, queue: WorkQueue, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._queue = opened, queue
        self._looking = jobs.latest()
        self.running = False
        self._stopped = False  # by the person or by a failure; an explicit request begins again
        self._told_at = 0.0
        queue.changed.connect(self._on_changed)
        queue.progressed.connect(self._on_progressed)

    def begin(self) -> None:
        """Compare new photographs with all others."""
        if self.running:
            return
        library, self.running = self._opened.library, True
        started = time.monotonic()

        def work(progress: Progress) -> int:
            from twinlens.app.duplicates.comparison import compare_in_process

            return compare_in_process(library, progress)

        def over(compared: int | None) -> None:
            self.running, self._stopped = False, compared is None
            self.found.emit()

        def then(compared: int) -> None:
            seconds = max(1, round(time.monotonic() - started))
            self._queue.tell(_n("{count} photo compared", "{count} photos compared", compared) + f" · {seconds} s")

        self._queue.run(_("Comparing photos…"), work).then(then).over(over)

    def begin_unless_stopped(self) -> None:
        """Compare new photographs, unless the comparison was stopped."""
        if not self._stopped:
            self.begin()

    def _on_changed(self) -> None:
        """Compare added photographs, if the library was compared before."""
        library = self._opened.library

        def work(__: Progress) -> bool:
            from twinlens.app.duplicates.comparison import has_begun, waiting_pictures

            return has_begun(library) and waiting_pictures(library) > 0

        def then(more: bool) -> None:
            if more:
                self.begin_unless_stopped()

        if not self.running and not self._stopped:
            self._looking.begin(work).then(then)

    def _on_progressed(self, done: float, total: float, doing: Message) -> None:
        if self.running and time.monotonic() - self._told_at > _TOLD_EVERY_S:
            self._told_at = time.monotonic()
            self.found.emit()


class ForgottenFolders(QObject):
    """Forgets folders at once, reports the number of photographs, and brings folders back until the program closes."""

    def __init__(
        self, queue: WorkQueue, undoing: UndoHistory, opened: OpenLibrary, jobs: Jobs, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._queue, self._undoing, self._opened, self._jobs = queue, undoing, opened, jobs
        self._look_up()

    def _look_up(self) -> None:
        """Find folders that a killed window had forgotten, which can still come back."""
        opened = self._opened

        def work(__: Progress) -> list[ForgottenFolder]:
            from twinlens.app.library.ingest.forgotten_folders import forgotten

            return forgotten(opened.library)

        self._jobs.begin(work).then(self._on_found)

    def _on_found(self, gone: list[ForgottenFolder]) -> None:
        for one in gone:
            self._offer(one)

    def forget(self, folder: str) -> None:
        """Remove a folder from the library."""
        opened = self._opened

        def work(__: Progress) -> ForgottenFolder:
            from twinlens.app.library.ingest.forgotten_folders import forget_for_now

            return forget_for_now(opened.library, Path(folder))

        words = _("Removing {name} from the library…", name=Path(folder).name)
        self._queue.run(words, work).then(self._on_forgotten)

    def _on_forgotten(self, gone: ForgottenFolder) -> None:
        self._offer(gone)

    def _offer(self, gone: ForgottenFolder) -> None:
        words = _n(
            "“{folder}” and its {count} photo are no longer in the library. The file is untouched.",
            "“{folder}” and its {count} photos are no longer in the library. The files are untouched.",
            gone.photographs,
            folder=Path(gone.folder).name,
        )
        self._undoing.offer(words, lambda: self._bring_back(gone), lambda: self.forget(gone.folder))

    def _bring_back(self, gone: ForgottenFolder) -> None:
        opened = self._opened

        def work(progress: Progress) -> int:
            from twinlens.app.library.ingest.forgotten_folders import bring_back

            return bring_back(opened.library, gone.number, progress)

        def then(photographs: int) -> None:
            words = _n(
                "“{folder}” is back in the library, with {count} photo.",
                "“{folder}” is back in the library, with {count} photos.",
                photographs,
                folder=Path(gone.folder).name,
            )
            self._queue.tell(words)

        self._queue.run(_("Bringing back {name}…", name=Path(gone.folder).name), work).then(then)
