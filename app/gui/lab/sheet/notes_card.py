"""Notes of a sheet, and the command that gives the same."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.gui.look.page_parts import PageCard, button, label
from app.language.spoken import _


class NotesCard(PageCard):
    """Notes, small, below everything else.

    Signals
    -------
    copy_wanted : str
    """

    copy_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__(_("Notes"))
        self._notes, self._command = label("", "quiet", wrap=True), label("", "mono", wrap=True)
        for one in (self._notes, self._command):
            one.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            one.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        copy = button(_("Copy the command  Y"), _("Copy the command that gives the same advice"), "Y", "link")
        copy.clicked.connect(self.copy)
        self._same = QWidget()
        row = QHBoxLayout(self._same)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(label(_("In a terminal:"), "quiet"))
        row.addWidget(self._command, 1)
        row.addWidget(copy)
        self.column.addWidget(self._notes)
        self.column.addWidget(self._same)
        self.hide()

    def show_notes(self, notes: Sequence[str], command: str) -> None:
        """Show notes and the command."""
        self._notes.setText("\n".join(f"· {one}" for one in notes))
        self._notes.setVisible(bool(notes))
        self._command.setText(command)
        self._same.setVisible(bool(command))
        self.setVisible(bool(notes or command))

    def copy(self) -> None:
        """Copy the command, where there is one."""
        if self._command.text():
            self.copy_wanted.emit(self._command.text())

    def words(self) -> tuple[str, str]:
        """Return the notes and the command."""
        return self._notes.text(), self._command.text()
