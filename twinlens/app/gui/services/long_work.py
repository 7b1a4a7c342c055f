"""Long work on the library that several views begin: adding and reading again, making an index, comparing, forgetting.

A large addition is preceded by an estimate. The comparison for duplicates takes its turn in the queue, too: when
duplicates are first opened, and from then on whenever photographs were added. So does forgetting a folder, which one
click brings back until the program closes.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.services.undo_history import UndoHistory
from twinlens.app.gui.services.work_queue import WorkQueue
from twinlens.app.language.texts import _, _n, text
from twinlens.core.message import Message
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.indexes.index_results import IndexStatus
    from twinlens.app.library.ingest.forgotten_folders import ForgottenFolder
    from twinlens.app.library.library import Library


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
            from twinlens.app.duplicates.comparing.comparison import compare_in_process

            return compare_in_process(library, progress)

        def over(compared: int | None) -> None:
            self.running, self._stopped = False, compared is None
            self.found.emit()

        def then(compared: int) -> None:
            seconds = max(1, round(time.monotonic() - started))
            said = _n("{count} photo compared", "{count} photos compared", compared) + f" · {seconds} s"
            self._queue.tell(said if compared else _("No photo is new: all are compared."))

        self._queue.run(_("Comparing photos…"), work).then(then).over(over)

    def begin_unless_stopped(self) -> None:
        """Compare new photographs, unless the comparison was stopped."""
        if not self._stopped:
            self.begin()

    def _on_changed(self) -> None:
        """Compare added photographs, if the library was compared before."""
        library = self._opened.library

        def work(__: Progress) -> bool:
            from twinlens.app.duplicates.comparing.comparison import has_begun, waiting_pictures

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
