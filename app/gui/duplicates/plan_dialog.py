"""Dialog of the photographs to be moved away, before anything happens, and of those moved earlier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.duplicates.disposal_plan import DisposalPlan
from app.duplicates.kinds import DuplicateKind
from app.duplicates.results import CleaningPlan, LoggedFile
from app.gui.duplicates.group_words import kind_words
from app.gui.look.page_parts import button, label
from app.gui.tables.sheet import TableColumn, TableSheet
from app.gui.tables.table import TableView
from app.language.spoken import _, _n, text
from core.amounts import size
from core.files.untrusted_input import plain, plain_name

_KINDS = list(DuplicateKind)


@dataclass(frozen=True)
class _Line:
    """A line of a list: a photograph that goes, or went."""

    key: str
    path: str
    kind: str
    bytes: int
    more: str

    @property
    def place(self) -> int:
        """The place of its kind."""
        return _KINDS.index(DuplicateKind(self.kind)) if self.kind in _KINDS else 0


class _ListDialog(QDialog):
    """A sentence, a table, and buttons."""

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


TAKE_ALONG = 2
"""The answer of a person who wants a new plan, by which companions are taken along."""


class PlanDialog(_ListDialog):
    """Shows what will be moved away, and what stays; its answer may be `TAKE_ALONG`.

    Parameters
    ----------
    plan : DisposalPlan
    parent : QWidget
    """

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
    """Describe what moves with the photographs, and what moves to those that are kept."""
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
    """Shows everything that was ever moved away.

    Signals
    -------
    restore_wanted(list of int)
        Rows of the log that are to come back.
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
