"""Notes of an advice, and the command that gives the same."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from app.gui.look.page_parts import Card, button, label
from app.language.spoken import _


class LeftOut(Card):
    """Notes of an advice, small, below everything else.

    Signals
    -------
    copy_wanted : str
    """

    copy_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__(_("Notes"))
        self._notes = label("", "quiet", wrap=True)
        self._notes.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._command = label("", "mono", wrap=True)
        self._command.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._copy = button(_("Copy the command  Y"), _("Copy the command that gives the same advice"), "Y", "link")
        self._copy.clicked.connect(lambda: self.copy_wanted.emit(self._command.text()))
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(label(_("In a terminal:"), "quiet"))
        row.addWidget(self._command, 1)
        row.addWidget(self._copy)
        self.column.addWidget(self._notes)
        self.column.addLayout(row)

    def show_notes(self, notes: Sequence[str], command: str) -> None:
        """Show notes and the command."""
        self._notes.setText("\n".join(f"· {one}" for one in notes))
        self._notes.setVisible(bool(notes))
        self._command.setText(command)
        self.setVisible(bool(notes or command))

    def copy(self) -> None:
        """Copy the command."""
        if self._command.text():
            self._copy.click()

    def words(self) -> tuple[str, str]:
        """Return the notes and the command."""
        return self._notes.text(), self._command.text()
