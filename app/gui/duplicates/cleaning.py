"""Moving away what goes, after its list was seen; and bringing it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from app.gui.frame.window import WorkspaceServices
from app.language.spoken import _, _n, text
from core.amounts import size
from core.files.untrusted_input import plain
from core.message import Message
from core.progress import Progress

if TYPE_CHECKING:
    from app.duplicates.disposal_plan import DisposalChoice, DisposalPlan
    from app.duplicates.disposal_results import DisposalResult, RestoreResult
    from app.duplicates.kept_folders import KeptFolder
    from app.duplicates.results import LoggedFile


class Disposal:
    """Plans, asks, moves, and offers to undo.

    Parameters
    ----------
    window : Window
    view : QWidget
        Over which it asks.
    changed : callable
        Called when something was moved.
    """

    def __init__(self, window: WorkspaceServices, view: QWidget, changed: Callable[[], None]) -> None:
        self._window, self._view, self._changed = window, view, changed
        self._library = window.opened.library
        self._planning = window.jobs.latest()

    # --- away --------------------------------------------------------------------------------------------------------

    def to_trash(self, choices: Sequence[DisposalChoice]) -> None:
        """Move photographs to the trash, if the person agrees to the list."""
        self._plan(choices, None)

    def to_folder(self, choices: Sequence[DisposalChoice]) -> None:
        """Move photographs to a folder that the person names."""
        folder = QFileDialog.getExistingDirectory(self._view, _("Move the copies to a folder"))
        if folder:
            self._plan(choices, Path(folder))

    def _plan(self, choices: Sequence[DisposalChoice], destination: Path | None, *, take_along: bool = False) -> None:
        def work(progress: Progress) -> DisposalPlan:
            from app.duplicates.disposal_plan import plan_disposal

            return plan_disposal(self._library, choices, destination, take_along, progress)

        def then(made: DisposalPlan) -> None:
            from app.gui.duplicates.plan_dialog import TAKE_ALONG, PlanDialog

            answer = PlanDialog(made, self._view).exec()
            if answer == TAKE_ALONG:
                self._plan(choices, destination, take_along=True)
            elif answer:
                self._move(made)

        def progressed(done: float, _total: float, doing: Message) -> None:
            if done:
                self._window.status.show_message(text(doing))

        self._planning.begin(work).then(then).progressed(progressed)

    def _move(self, plan: DisposalPlan) -> None:
        def work(progress: Progress) -> DisposalResult:
            from app.duplicates.disposing import dispose

            return dispose(self._library, plan, progress)

        self._window.adding.run(_("Moving photos…"), work, self._on_moved)

    def _on_moved(self, result: DisposalResult) -> None:
        self._changed()
        words = _n(
            "{count} photo moved, {size} freed.",
            "{count} photos moved, {size} freed.",
            result.moved,
            size=text(size(result.bytes)),
        )
        if result.left:
            first = result.left[0]
            stayed = _n("{count} stayed", "{count} stayed", len(result.left))
            words += f" {stayed}: {plain(first.path)}: {text(first.reason)}"
        run = result.run
        if result.moved and result.undoable and run is not None:
            self._window.undoing.offer(words, lambda: self.restore(run))
        else:
            self._window.status.show_message(words)

    # --- and back ----------------------------------------------------------------------------------------------------

    def restore(self, which: int | Sequence[int]) -> None:
        """Bring back a run, or rows of the log."""

        def work(progress: Progress) -> RestoreResult:
            from app.duplicates.restoring import restore_photographs

            return restore_photographs(self._library, which, progress)

        self._window.adding.run(_("Bringing photos back…"), work, self._on_restored)

    def _on_restored(self, result: RestoreResult) -> None:
        self._changed()
        words = _n("{count} photo is back.", "{count} photos are back.", result.restored)
        if result.left:
            words += f" {plain(result.left[0].path)}: {text(result.left[0].reason)}"
        self._window.status.show_message(words)

    def show_log(self) -> None:
        """Show everything that was ever moved away."""

        def work(__: Progress) -> list[LoggedFile]:
            from app.duplicates.disposal_log import disposal_log
            from app.duplicates.results import LoggedFile

            return [LoggedFile.of(one) for one in disposal_log(self._library, limit=20_000)]

        def then(files: list[LoggedFile]) -> None:
            from app.gui.duplicates.plan_dialog import LogDialog

            dialog = LogDialog(files, self._view)
            dialog.restore_wanted.connect(self.restore)
            dialog.exec()

        self._planning.begin(work).then(then)

    # --- folders that stay -------------------------------------------------------------------------------------------

    def show_folders(self, below: QWidget) -> None:
        """Show which folders stay, to add others or release them."""

        def work(__: Progress) -> list[KeptFolder]:
            from app.duplicates.kept_folders import kept_folders

            return kept_folders(self._library)

        def then(folders: list[KeptFolder]) -> None:
            menu = QMenu(self._view)
            for one in folders:
                act = menu.addAction(plain(one.folder))
                act.setCheckable(True)
                act.setChecked(True)
                act.triggered.connect(lambda __=False, folder=one.folder: self._stay(Path(folder), stays=False))
            if folders:
                menu.addSeparator()
            menu.addAction(_("Protect a folder…")).triggered.connect(self._choose_folder)
            menu.exec(below.mapToGlobal(below.rect().bottomLeft()))
            menu.deleteLater()

        self._planning.begin(work).then(then)

    def _choose_folder(self) -> None:
        folder = QFileDialog.getExistingDirectory(self._view, _("Folder to protect"))
        if folder:
            self._stay(Path(folder), stays=True)

    def _stay(self, folder: Path, *, stays: bool) -> None:
        words = (
            _("“{folder}” is protected: its photos are always kept.", folder=folder.name)
            if stays
            else _("“{folder}” is no longer protected.", folder=folder.name)
        )

        def then(__: object) -> None:
            self._changed()
            self._window.undoing.offer(
                words, lambda: self._write(folder, stays=not stays), lambda: self._write(folder, stays=stays)
            )

        self._window.changes.do(self._work(folder, stays=stays), then)

    def _write(self, folder: Path, *, stays: bool) -> None:
        self._window.changes.do(self._work(folder, stays=stays), lambda __: self._changed())

    def _work(self, folder: Path, *, stays: bool) -> Callable[[Progress], None]:
        def work(__: Progress) -> None:
            from app.duplicates.kept_folders import keep_folder, release_folder

            (keep_folder if stays else release_folder)(self._library, folder)

        return work
