"""A line above the views that asks something and waits, without stopping anything."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from app.gui.look.page_parts import surface


class PromptBar(QWidget):
    """A sentence and two buttons; hidden unless something is asked."""

    agreed = Signal()
    declined = Signal()

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self._words = QLabel()
        self._words.setWordWrap(True)
        self._words.setTextFormat(Qt.TextFormat.PlainText)  # names of folders are in it
        self._yes = QPushButton()
        self._yes.setObjectName("main")
        self._yes.clicked.connect(self._on_yes)
        self._no = QPushButton()
        self._no.clicked.connect(self._on_no)
        row = QHBoxLayout(self)
        row.setContentsMargins(20, 8, 16, 8)
        row.setSpacing(12)
        row.addWidget(self._words, 1)
        row.addWidget(self._yes)
        row.addWidget(self._no)
        self.hide()

    def ask(self, sentence: str, yes: str, no: str, focus: bool = True) -> None:
        """Ask; without ``focus``, keys go on going where they went."""
        self._words.setText(sentence)
        self.setAccessibleName(sentence)
        for one, text in ((self._yes, yes), (self._no, no)):
            one.setText(text)
            one.setAccessibleName(text)
        self.show()
        if focus:
            self._yes.setFocus()

    def _on_yes(self) -> None:
        self.hide()
        self.agreed.emit()

    def _on_no(self) -> None:
        self.hide()
        self.declined.emit()
