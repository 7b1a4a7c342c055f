"""Disposal moves copies to the trash or to a folder, after a dialog that lists them, and brings them back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QHBoxLayout, QMenu, QPushButton, QVBoxLayout, QWidget

from app.duplicates.disposal_plan import DisposalPlan
from app.duplicates.duplicate_results import CleaningPlan, LoggedFile
from app.duplicates.groups import DuplicateKind
from app.gui.duplicates.group_model import kind_words
from app.gui.lists.table import TableView
from app.gui.lists.table_model import TableColumn, TableSheet
from app.gui.look.page_parts import button, label
from app.gui.services.services import WorkspaceServices
from app.language.texts import _, _n, text
from core.files.untrusted_input import plain, plain_name
from core.message import Message, size
from core.progress import Progress

if TYPE_CHECKING:
    from app.duplicates.decisions import KeptFolder
    from app.duplicates.disposal_plan import DisposalChoice, DisposalPlan
    from app.duplicates.duplicate_results import DisposalResult, LoggedFile, RestoreResult

TAKE_ALONG = 2
"""Result of the dialog when sidecar files are to be taken along, by a new plan."""


class Disposal:
    """Plans a removal, asks for consent, moves the files, and offers to undo.

    Parameters
    ----------
    view : QWidget
        Parent of the dialogs.
    changed : callable
        Called after a move.
    """

    def __init__(self, window: WorkspaceServices, view: QWidget, changed: Callable[[], None]) -> None:
        self._window, self._view, self._changed = window, view, changed
        self._library = window.opened.library
        self._planning = window.jobs.latest()

    # --- removal -----------------------------------------------------------------------------------------------------

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
            from app.duplicates.disposal import dispose

            return dispose(self._library, plan, progress)

        self._window.adding.run(_("Moving photos…"), work, self._on_moved)

    def _on_moved(self, result: DisposalResult) -> None:
        self._changed()
        words = _n(
            "{count} photo moved ({size}).",
            "{count} photos moved ({size}).",
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

    # --- return ------------------------------------------------------------------------------------------------------

    def restore(self, which: int | Sequence[int]) -> None:
        """Move back a run, or rows of the log."""

        def work(progress: Progress) -> RestoreResult:
            from app.duplicates.disposal import restore_photographs

            return restore_photographs(self._library, which, progress)

        self._window.adding.run(_("Bringing photos back…"), work, self._on_restored)

    def _on_restored(self, result: RestoreResult) -> None:
        self._changed()
        words = _n("{count} photo is back.", "{count} photos are back.", result.restored)
        if result.left:
            words += f" {plain(result.left[0].path)}: {text(result.left[0].reason)}"
        self._window.status.show_message(words)

    def show_log(self) -> None:
        """Show the log of all photographs ever moved away."""

        def work(__: Progress) -> list[LoggedFile]:
            from app.duplicates.duplicate_results import LoggedFile, disposal_log

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
            from app.duplicates.decisions import kept_folders

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
            from app.duplicates.decisions import keep_folder, release_folder

            (keep_folder if stays else release_folder)(self._library, folder)

        return work


_KINDS = list(DuplicateKind)


class _ListDialog(QDialog):
    """A dialog with a sentence, a table, and buttons."""

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._said = label("", wrap=True)
        self._table: TableView[_Line] = TableView(title)
        self._notes = label("", "quiet", wrap=True)
        self._buttons = QHBoxLayout()
        self._buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(10)
        column.addWidget(self._said)
        column.addWidget(self._table, 1)
        column.addWidget(self._notes)
        column.addLayout(self._buttons)
        self.resize(920, 560)

    def _show(self, lines: Sequence[_Line], more: str) -> None:
        columns = [
            TableColumn[_Line](_("Photo"), lambda one: plain_name(one.path)),
            TableColumn[_Line](_("Folder"), lambda one: plain(one.path.rpartition("/")[0])),
            TableColumn[_Line](
                _("Kind"), lambda one: kind_words(DuplicateKind(one.kind)) if one.kind in _KINDS else ""
            ),
            TableColumn[_Line](_("Size"), lambda one: text(size(one.bytes)), lambda one: one.bytes, number=True),
            TableColumn[_Line](more, lambda one: plain(one.more)),
        ]
        self._table.show_sheet(TableSheet(columns, lines, dot=lambda one: one.place, about=lambda one: plain(one.path)))

    def _button(self, words: str, role: str = "") -> QPushButton:
        made = button(words, words, role=role)
        self._buttons.addWidget(made)
        return made


@dataclass(frozen=True)
class _Line:
    """A line of a list: a photograph that is or was moved away."""

    key: str
    path: str
    kind: str
    bytes: int
    more: str

    @property
    def place(self) -> int:
        """Return the place of its kind."""
        return _KINDS.index(DuplicateKind(self.kind)) if self.kind in _KINDS else 0


class PlanDialog(_ListDialog):
    """The dialog of the photographs to be moved away and those that stay; its result may be `TAKE_ALONG`."""

    def __init__(self, plan: DisposalPlan, parent: QWidget) -> None:
        super().__init__(_("Photos to move"), parent)
        listed = CleaningPlan.of(plan)
        count = len(listed.files)
        where = _("to the trash") if listed.destination is None else _("to {folder}", folder=plain(listed.destination))
        said = _n(
            "{count} photo moves {where} ({size}).",
            "{count} photos move {where} ({size}).",
            count,
            where=where,
            size=text(size(listed.bytes)),
        )
        undone = (
            _("You can undo this later: the files come back, with their marks.")
            if listed.undoable
            else _("Twinlens cannot undo this. To get a photo back, restore it in the trash.")
        )
        self._said.setText(f"{said} {undone}")
        self._show(
            [_Line(str(one.id), one.path, one.kind, one.bytes, plain_name(one.kept)) for one in listed.files],
            _("Kept instead"),
        )
        notes = _beside(listed)
        notes += [f"{plain_name(one.path)}: {text(one.reason)}" for one in listed.refused[:6]]
        if len(listed.refused) > 6:
            more = len(listed.refused) - 6
            notes.append(_n("{count} more stays.", "{count} more stay.", more))
        self._notes.setText("\n".join(notes))
        self._notes.setVisible(bool(notes))
        if listed.held:
            words = _n(
                "Also move {count} photo and its files…", "Also move {count} photos and their files…", listed.held
            )
            also = self._button(words)
            also.setToolTip(_("The files beside it move to the photo that is kept. You see the list again first."))
            also.clicked.connect(lambda: self.done(TAKE_ALONG))
        cancel = self._button(_("Cancel"))
        cancel.clicked.connect(self.reject)
        move = self._button(_("Move to the trash") if listed.destination is None else _("Move"), "primary")
        move.clicked.connect(self.accept)
        move.setEnabled(bool(count))
        move.setDefault(True)
        move.setFocus()


def _beside(plan: CleaningPlan) -> list[str]:
    """Describe the files that move with the photographs, and those that move to the kept ones."""
    away = sum(len(one.companions) for one in plan.files)
    along = [place for one in plan.files for place in one.taken_along]
    said = []
    if away:
        said.append(
            _n("{count} sidecar file or film moves with them.", "{count} sidecar files or films move with them.", away)
        )
    if along:
        said.append(
            _n(
                "{count} file beside them moves to the photo that is kept: {name}",
                "{count} files beside them move to the photos that are kept: {name}, …",
                len(along),
                name=plain_name(along[0]),
            )
        )
    return said


class LogDialog(_ListDialog):
    """The dialog of all photographs ever moved away.

    Signals
    -------
    restore_wanted(list of int)
        Rows of the log to move back.
    """

    restore_wanted = Signal(list)

    def __init__(self, files: Sequence[LoggedFile], parent: QWidget) -> None:
        super().__init__(_("Moved photos"), parent)
        self._files = {str(one.id): one for one in files}
        self._said.setText(
            _n("{count} photo, the latest first.", "{count} photos, the latest first.", len(files))
            if files
            else _("No photo has been moved yet.")
        )
        states = {"done": _("moved"), "left": _("stayed"), "undone": _("brought back"), "planned": _("interrupted")}
        self._show(
            [
                _Line(
                    str(one.id), one.path, one.kind, one.bytes, f"{one.when[:10]} · {states.get(one.state, one.state)}"
                )
                for one in files
            ],
            _("When"),
        )
        self._notes.hide()
        one = self._button(_("Restore this photo"))
        one.clicked.connect(self._on_one)
        every = self._button(_("Restore all moved at that time"))
        every.clicked.connect(self._on_run)
        close = self._button(_("Close"), "primary")
        close.clicked.connect(self.accept)
        for made in (one, every):
            made.setEnabled(any(each.undoable for each in files))

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
