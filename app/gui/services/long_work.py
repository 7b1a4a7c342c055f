"""Long work runs one job after another, with progress, pause and cancel: adding, reading again, making an index.

A large job is preceded by an estimate. The comparison for duplicates takes its turn, too: when duplicates are first
opened, and from then on whenever photographs were added. So does forgetting a folder, which one click brings back
until the program closes.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.gui.process.jobs import Failure, Jobs
from app.gui.process.open_library import OpenLibrary
from app.gui.services.status_line import StatusLine, UndoHistory
from app.language.texts import _, _n, text
from core.message import Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.indexes.index_results import IndexStatus
    from app.library.ingest.adding import ForgottenFolder
    from app.library.ingest.cost_estimate import CostEstimate
    from app.library.library_results import AddResult, ProblemsResult


LARGE_SECONDS = 120


class LongWork(QObject):
    """The queue of long work on the library, one job at a time, shown in the status line."""

    growing = Signal(bool)
    """Whether photographs are being added."""
    changed = Signal()
    """The library has changed."""
    asks = Signal(str)
    """A large job waits for :meth:`agree` or :meth:`decline`; the sentence tells its cost."""
    index_progressed = Signal(str, float, str)
    index_made = Signal(str)
    index_failed = Signal(str)
    progressed = Signal(float, float, object)
    """The done part of the work, the total, and the `Message` of the present step."""
    failed = Signal(object)
    """The `Failure` of long work."""

    def __init__(self, status: StatusLine, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._status = status
        self._jobs = jobs
        self._estimating = self._jobs.latest()
        self._doing = self._jobs.latest()
        self._now: _Wish | None = None
        self._wishes: deque[_Wish] = deque()
        self._unfinished: list[Path] = []  # folders whose addition was stopped
        self._looked: list[Path] = []  # folders whose cost is being estimated
        self._unconfirmed: list[Path] = []
        self._index = ""
        status.pause_wanted.connect(self._on_pause)
        status.cancel_wanted.connect(self.stop)
        status.continue_wanted.connect(self.go_on)

    def leave(self) -> None:
        """Disconnect from the status line."""
        self._status.pause_wanted.disconnect(self._on_pause)
        self._status.cancel_wanted.disconnect(self.stop)
        self._status.continue_wanted.disconnect(self.go_on)

    def busy(self) -> bool:
        """Return whether any work runs."""
        return self._doing.running

    # --- kinds of work -----------------------------------------------------------------------------------------------

    def add(self, folders: list[Path]) -> None:
        """Add folders at once, or after consent if it takes long."""
        opened = self._opened
        if not folders:
            return
        new = [folder for folder in folders if not any(folder in wish.folders for wish in self._waiting())]
        if not new:
            self._status.show_message(_("“{names}” is being added already.", names=_names(folders)), holds=True)
            return
        if last := self.last_waiting():
            self._status.show_message(_("“{names}” is added after “{last}”.", names=_names(new), last=last), holds=True)
        # Folders given during the estimate of others, or while these wait for consent, join them.
        folders = list(dict.fromkeys([*self._unconfirmed, *self._looked, *new]))
        self._looked, self._unconfirmed = folders, []
        if not self.busy():
            self._status.begin(_("Looking through {names}…", names=_names(folders)))
        self._show_queue()

        def work(progress: Progress) -> CostEstimate:
            from app.library.ingest.cost_estimate import estimate_cost

            return estimate_cost(opened.library, folders, progress)

        self._estimating.begin(work).then(lambda made: self._on_estimate(made, folders)).failed(
            self._on_estimate_failed
        ).stopped(self._end_of_estimate).progressed(self._on_estimate_progressed)

    def _on_estimate(self, made: CostEstimate, folders: list[Path]) -> None:
        self._end_of_estimate()
        if made.seconds > LARGE_SECONDS:
            self._unconfirmed = folders
            self.asks.emit(text(made.sentence()))
        else:
            self._add_now(folders)

    def agree(self) -> None:
        """Do the work that waits for consent."""
        folders, self._unconfirmed = self._unconfirmed, []
        self._add_now(folders)

    def decline(self) -> None:
        """Drop the work that waits for consent."""
        self._unconfirmed = []

    def _add_now(self, folders: list[Path]) -> None:
        opened = self._opened
        if not folders:
            return

        def work(progress: Progress) -> AddResult:
            from app.library.ingest.adding import add

            return add(opened.library, folders, progress=progress)

        def then(result: AddResult) -> None:
            if not result.cancelled:
                self._unfinished = [folder for folder in self._unfinished if folder not in folders]
            self._on_added(result)

        self._wish(_Wish(_("Adding photos…"), work, then, tuple(folders)))

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
            from app.library.browsing import has_folders
            from app.library.ingest.adding import rescan

            return rescan(opened.library, progress, verify=not quietly) if has_folders(opened.library) else None

        words = _("Looking for new and changed photos…")
        self._wish(_Wish(words, work, lambda result: self._on_added(result, quietly)))

    def retry(self, paths: list[str] | None) -> None:
        """Read problem files again: some, or all."""
        opened = self._opened

        def work(progress: Progress) -> ProblemsResult:
            from app.library.ingest.adding import retry

            return retry(opened.library, paths, progress)

        self._wish(_Wish(_("Trying again what could not be read…"), work, self._on_retried))

    def create_index(self, descriptor: str, metric: str, method: str, search: str, name: str) -> None:
        """Create an index, while searches stay possible."""
        opened = self._opened

        def work(progress: Progress) -> IndexStatus:
            from app.indexes.indexes import create_index
            from app.indexes.new_index import NewIndex

            self._index = name
            return create_index(
                opened.library,
                NewIndex(descriptor=descriptor, method=method, search=search, name=name or None, metric=metric),
                progress,
            )

        self._wish(_Wish(_("Making the index {name}…", name=name), work, self._on_index))

    def run(
        self,
        words: str,
        work: Callable[[Progress], object],
        then: Callable[..., None],
        dropped: Callable[[], object] = lambda: None,
    ) -> None:
        """Do other long work, named by ``words``, in its turn; `dropped` is called if it is dropped before."""
        self._wish(_Wish(words, work, then, dropped=dropped))

    def tell(self, sentence: str) -> None:
        """Show the result of the work."""
        self._status.show_message(sentence)

    # --- the queue ---------------------------------------------------------------------------------------------------

    def _wish(self, wish: _Wish) -> None:
        self._wishes.append(wish)
        self._unfinished = [folder for folder in self._unfinished if folder not in wish.folders]
        if not self.busy():
            self._next()
        self._show_queue()

    def is_estimating(self) -> bool:
        """Return whether the cost of adding some folders is still being estimated."""
        return bool(self._looked)

    def last_waiting(self) -> str:
        """Return the name of the last running or waiting work; empty if none."""
        waiting = self._waiting()
        return _names(self._looked) if waiting and self._looked else waiting[-1].name() if waiting else ""

    def _waiting(self) -> list[_Wish]:
        return [*([] if self._now is None else [self._now]), *self._wishes]

    def _show_queue(self) -> None:
        waiting = [wish.name() for wish in self._wishes]
        self._status.show_queue([*waiting, _names(self._looked)] if self._looked and self.busy() else waiting)

    def _next(self) -> None:
        self._now = None
        if not self._wishes:
            self._status.end()
            self.growing.emit(False)
            self.changed.emit()
            return
        wish = self._now = self._wishes.popleft()
        self._index = ""
        self._status.begin(wish.words)
        self._show_queue()
        self.growing.emit(True)

        def done(result: object) -> None:
            self._next()
            wish.then(result)

        self._doing.begin(wish.work).then(done).failed(self._on_failed).stopped(self._on_stopped).progressed(
            self._on_progressed
        )

    def stop(self) -> None:
        """Stop running and waiting work; finished parts are kept, and adding can continue later."""
        stopped = [folder for wish in self._waiting() for folder in wish.folders]
        self._unfinished = list(dict.fromkeys([*stopped, *self._looked])) if stopped else []
        dropped, self._wishes = list(self._wishes), deque()
        self._show_queue()
        self._estimating.cancel()
        self._doing.cancel()
        for wish in dropped:
            wish.dropped()

    def _on_pause(self, paused: bool) -> None:
        self._estimating.pause(paused)
        self._doing.pause(paused)

    def _end_of_estimate(self) -> None:
        self._looked = []
        self._show_queue()
        if not self.busy():
            self._status.end()

    def _on_stopped(self) -> None:
        if self._index:
            self.index_failed.emit(self._index)
        self._next()
        self._status.show_message(_("Stopped; what is done is kept."))

    def _on_failed(self, failure: Failure) -> None:
        if self._index:
            self.index_failed.emit(failure.words())
        self._next()
        self.failed.emit(failure)

    def _on_estimate_failed(self, failure: Failure) -> None:
        self._end_of_estimate()
        self.failed.emit(failure)

    def _on_progressed(self, done: float, total: float, doing: Message) -> None:
        self._status.show_progress(done, total, doing)
        self.progressed.emit(done, total, doing)
        if self._index:
            self.index_progressed.emit(self._index, done / total if total else 0.0, text(doing))

    def _on_estimate_progressed(self, done: float, total: float, doing: Message) -> None:
        if not self.busy():
            self._status.show_progress(done, total, doing)

    # --- results -----------------------------------------------------------------------------------------------------

    def _on_added(self, result: AddResult | None, quietly: bool = False) -> None:
        if result is None or (quietly and not (result.added or result.changed or result.removed or result.problems)):
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

    def _on_index(self, status: IndexStatus) -> None:
        self._status.show_message(_("The index {name} is ready.", name=status.name))
        self.index_made.emit(status.name)


@dataclass(frozen=True)
class _Wish:
    """Long work that waits for its turn."""

    words: str
    work: Callable[[Progress], object]
    then: Callable[..., None]
    folders: tuple[Path, ...] = ()
    """Folders that it adds."""
    dropped: Callable[[], object] = lambda: None
    """Called if the work is dropped before its turn."""

    def name(self) -> str:
        """Return the name of the work, in few words."""
        return _names(self.folders) if self.folders else self.words.rstrip("…")


def _names(folders: Sequence[Path]) -> str:
    return ", ".join(one.name or str(one) for one in folders)


_TOLD_EVERY_S = 2.0


class DuplicateComparison(QObject):
    """The comparison for duplicates, as long work in its turn."""

    found = Signal()
    """There are more results; emitted now and then during the comparison, and at its end."""

    def __init__(self, opened: OpenLibrary, adding: LongWork, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._adding = opened, adding
        self._looking = jobs.latest()
        self.running = False
        self._stopped = False  # by the person or by a failure; an explicit request begins again
        self._told_at = 0.0
        adding.changed.connect(self._on_changed)
        adding.progressed.connect(self._on_progressed)

    def begin(self) -> None:
        """Compare new photographs with all others."""
        if self.running:
            return
        library, self.running, self._stopped = self._opened.library, True, True
        started = time.monotonic()

        def work(progress: Progress) -> int:
            from app.duplicates.comparison import compare_in_process

            return compare_in_process(library, progress)

        def then(compared: int) -> None:
            self.running = self._stopped = False
            seconds = max(1, round(time.monotonic() - started))
            self._adding.tell(_n("{count} photo compared", "{count} photos compared", compared) + f" · {seconds} s")
            self.found.emit()

        self._adding.run(_("Comparing photos…"), work, then)

    def begin_unless_stopped(self) -> None:
        """Compare new photographs, unless the comparison was stopped."""
        if not self._stopped:
            self.begin()

    def _on_changed(self) -> None:
        """Compare added photographs, if the library was compared before."""
        if self.running and not self._adding.busy():  # the comparison was stopped, or failed
            self.running = False
            self.found.emit()
        library = self._opened.library

        def work(__: Progress) -> bool:
            from app.duplicates.comparison import has_begun, waiting_pictures

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
        self, adding: LongWork, undoing: UndoHistory, opened: OpenLibrary, jobs: Jobs, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._adding, self._undoing, self._opened, self._jobs = adding, undoing, opened, jobs
        self._look_up()

    def _look_up(self) -> None:
        """Find folders that a killed window had forgotten, which can still come back."""
        opened = self._opened

        def work(__: Progress) -> list[ForgottenFolder]:
            from app.library.ingest.adding import forgotten

            return forgotten(opened.library)

        self._jobs.begin(work).then(self._on_found)

    def _on_found(self, gone: list[ForgottenFolder]) -> None:
        for one in gone:
            self._offer(one)

    def forget(self, folder: str) -> None:
        """Remove a folder from the library."""
        opened = self._opened

        def work(__: Progress) -> ForgottenFolder:
            from app.library.ingest.adding import forget_for_now

            return forget_for_now(opened.library, Path(folder))

        self._adding.run(_("Removing {name} from the library…", name=Path(folder).name), work, self._on_forgotten)

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
            from app.library.ingest.adding import bring_back

            return bring_back(opened.library, gone.number, progress)

        def then(photographs: int) -> None:
            words = _n(
                "“{folder}” is back in the library, with {count} photo.",
                "“{folder}” is back in the library, with {count} photos.",
                photographs,
                folder=Path(gone.folder).name,
            )
            self._adding.tell(words)

        self._adding.run(_("Bringing back {name}…", name=Path(gone.folder).name), work, then)
