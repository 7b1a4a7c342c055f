"""Disposal moves copies to the trash or to a folder, after a dialog that lists them, and brings them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QMenu, QWidget

from twinlens.app.disposal.disposal_results import LoggedFile
from twinlens.app.duplicates.groups import DuplicateKind
from twinlens.app.gui.duplicates.group_model import kind_words
from twinlens.app.gui.duplicates.plan_dialog import TAKE_ALONG, PlanDialog
from twinlens.app.gui.lists.table import TableView
from twinlens.app.gui.lists.table_model import TableColumn, TableSheet
from twinlens.app.gui.look.page_parts import button, column_of, dialog_keys, label
from twinlens.app.gui.pictures.photograph import moment_words
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, _n, text
from twinlens.app.machine.app_folders import home_relative
from twinlens.core.files.untrusted_input import plain, plain_name
from twinlens.core.message import Message, size
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.disposal.disposal_plan import DisposalChoice, DisposalPlan
    from twinlens.app.disposal.disposal_results import DisposalResult, RestoreResult
    from twinlens.app.duplicates.decisions import KeptFolder


class Disposal:
    """Plans a removal, asks for consent, moves the files, and offers to undo.

    Parameters
    ----------
    view : QWidget
        Parent of the dialogs.
    changed : callable
        Called after a move.
    """

    def __init__(self, window: Workspace, view: QWidget, changed: Callable[[], None]) -> None:
        self._window, self._view, self._changed = window, view, changed
        self._library = window.opened.library
        self._planning = window.jobs.latest()

    # --- removal -----------------------------------------------------------------------------------------------------

    def to_trash(self, choices: Sequence[DisposalChoice]) -> None:
        """Move photographs to the trash, if the person agrees to the list."""
        self._plan(choices, None)

    def remove(self, ids: Sequence[int]) -> None:
        """Move photographs to the trash that were chosen anywhere, if the person agrees to the list."""

        def work(progress: Progress) -> list[DisposalChoice]:
            from twinlens.app.duplicates.duplicates import choices_by_hand

            return choices_by_hand(self._library, ids, progress)

        self._planning.begin(work).then(self.to_trash)

    def to_folder(self, choices: Sequence[DisposalChoice]) -> None:
        """Move photographs to a folder that the person names."""
        folder = QFileDialog.getExistingDirectory(self._view, _("Move the copies to a folder"))
        if folder:
            self._plan(choices, Path(folder))

    def to_links(self, choices: Sequence[DisposalChoice]) -> None:
        """Replace identical photographs by links to those that stay, if the person agrees to the list."""
        self._plan([one for one in choices if one.kind == DuplicateKind.IDENTICAL], None, links=True)

    def _plan(
        self,
        choices: Sequence[DisposalChoice],
        destination: Path | None,
        *,
        take_along: bool = False,
        links: bool = False,
    ) -> None:
        def then(made: DisposalPlan) -> None:
            dialog = PlanDialog(made, self._window.opened, self._window.jobs, self._view)
            decision, unticked = dialog.exec(), dialog.unticked()
            dialog.deleteLater()
            left = [one for one in choices if one.photograph not in unticked]
            if decision == TAKE_ALONG:
                self._plan(left, destination, take_along=True)
            elif decision and unticked:
                self._planning.begin(partial(self._work, left, destination, take_along, links)).then(self._move)
            elif decision:
                self._move(made)

        def progressed(done: float, _total: float, doing: Message) -> None:
            if done:
                self._window.status.show_message(text(doing))

        work = partial(self._work, choices, destination, take_along, links)
        self._planning.begin(work).then(then).progressed(progressed)

    def _work(
        self,
        choices: Sequence[DisposalChoice],
        destination: Path | None,
        take_along: bool,
        links: bool,
        progress: Progress,
    ) -> DisposalPlan:
        from twinlens.app.disposal.disposal_plan import plan_disposal

        return plan_disposal(self._library, choices, destination, take_along, progress, links)

    def _move(self, plan: DisposalPlan) -> None:
        def work(progress: Progress) -> DisposalResult:
            from twinlens.app.disposal.disposal import dispose

            return dispose(self._library, plan, progress)

        self._window.work.run(_("Moving photos…"), work).then(self._on_moved)

    def _on_moved(self, result: DisposalResult) -> None:
        from twinlens.app.disposal.disposal_results import how_linked

        self._changed()
        words = (
            " ".join(map(text, how_linked(result)))
            if result.linked
            else _n(
                "{count} photo moved to the trash ({size}).",
                "{count} photos moved to the trash ({size}).",
                result.moved,
                size=text(size(result.bytes)),
            )
            if result.destination is None
            else _n(
                "{count} photo moved ({size}).",
                "{count} photos moved ({size}).",
                result.moved,
                size=text(size(result.bytes)),
            )
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

    # --- return ------------------------------------------------------------------------------------------------------

    def restore(self, which: int | Sequence[int]) -> None:
        """Move back a run, or rows of the log."""

        def work(progress: Progress) -> RestoreResult:
            from twinlens.app.disposal.disposal import restore_photographs

            return restore_photographs(self._library, which, progress)

        self._window.work.run(_("Bringing photos back…"), work).then(self._on_restored)

    def _on_restored(self, result: RestoreResult) -> None:
        self._changed()
        words = _n("{count} photo is back.", "{count} photos are back.", result.restored)
        if result.left:
            words += f" {plain(result.left[0].path)}: {text(result.left[0].reason)}"
        self._window.status.show_message(words)

    def show_log(self) -> None:
        """Show the log of all photographs ever moved away."""

        def work(__: Progress) -> list[LoggedFile]:
            from twinlens.app.disposal.disposal_results import LoggedFile, disposal_log

            return [LoggedFile.of(one) for one in disposal_log(self._library, limit=20_000)]

        def then(files: list[LoggedFile]) -> None:

            dialog = LogDialog(files, self._view)
            dialog.restore_wanted.connect(self.restore)
            dialog.exec()

        self._planning.begin(work).then(then)

    # --- protected folders -------------------------------------------------------------------------------------------

    def show_folders(self, below: QWidget) -> None:
        """Show the protected folders, to add others or release them."""

        def work(__: Progress) -> list[KeptFolder]:
            from twinlens.app.duplicates.decisions import kept_folders

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

        self._window.changes.do(self._protecting(folder, stays=stays), then)

    def _write(self, folder: Path, *, stays: bool) -> None:
        self._window.changes.do(self._protecting(folder, stays=stays), lambda __: self._changed())

    def _protecting(self, folder: Path, *, stays: bool) -> Callable[[Progress], None]:
        def work(__: Progress) -> None:
            from twinlens.app.duplicates.decisions import keep_folder, release_folder

            (keep_folder if stays else release_folder)(self._library, folder)

        return work


class LogDialog(QDialog):
    """The dialog of all photographs ever moved away.

    Signals
    -------
    restore_wanted(list of int)
        Rows of the log to move back.
    """

    restore_wanted = Signal(list)

    def __init__(self, files: Sequence[LoggedFile], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(_("Moved photos"))
        self._files = {str(one.id): one for one in files}
        said = _n("{count} photo, the latest first.", "{count} photos, the latest first.", len(files))
        self._table: TableView[_LogLine] = TableView(_("Moved photos"))
        lines = [_LogLine(one) for one in files]
        self._table.show_sheet(
            TableSheet(_columns(), lines, dot=lambda one: one.place, about=lambda one: plain(one.file.path))
        )
        others = []
        for words, act in (
            (_("Restore this photo"), self._on_one),
            (_("Restore all moved at that time"), self._on_run),
        ):
            made = button(words, words)
            made.setEnabled(any(each.undoable for each in files))
            made.clicked.connect(act)
            others.append(made)
        close = button(_("Close"), _("Close"), role="primary")
        close.clicked.connect(self.accept)
        told = label(said if files else _("No photo has been moved yet."), wrap=True)
        column_of(told, (self._table, 1), dialog_keys(close, None, *others), on=self, gap=10, margins=(20, 16, 20, 16))
        self.resize(920, 560)

    def _on_one(self) -> None:
        found = self._files.get(self._table.current_key())
        if found is not None and found.undoable:
            self._restore([found.id])

    def _on_run(self) -> None:
        found = self._files.get(self._table.current_key())
        if found is not None:
            self._restore([one.id for one in self._files.values() if one.run == found.run and one.undoable])

    def _restore(self, rows: list[int]) -> None:
        if rows:
            self.restore_wanted.emit(rows)
            self.accept()


_KINDS = [kind.value for kind in DuplicateKind]


@dataclass(frozen=True)
class _LogLine:
    """A line of the log."""

    file: LoggedFile

    @property
    def key(self) -> str:
        """Return its key in the table."""
        return str(self.file.id)

    @property
    def place(self) -> int:
        """Return the place of its kind."""
        return _KINDS.index(self.file.kind) if self.file.kind in _KINDS else 0

    @property
    def kind(self) -> str:
        """Return the name of its kind."""
        return kind_words(DuplicateKind(self.file.kind)) if self.file.kind in _KINDS else ""


def _columns() -> list[TableColumn[_LogLine]]:
    states = {"done": _("moved"), "left": _("stayed"), "undone": _("brought back"), "planned": _("interrupted")}
    return [
        TableColumn[_LogLine](_("Photo"), lambda one: plain_name(one.file.path)),
        TableColumn[_LogLine](_("Folder"), lambda one: home_relative(one.file.path.rpartition("/")[0])),
        TableColumn[_LogLine](_("Kind"), lambda one: one.kind),
        TableColumn[_LogLine](
            _("Size"), lambda one: text(size(one.file.bytes)), lambda one: one.file.bytes, number=True
        ),
        TableColumn[_LogLine](
            _("When"),
            lambda one: f"{moment_words(one.file.when)} · {states.get(one.file.state, one.file.state)}",
            lambda one: one.file.when,
        ),
    ]
