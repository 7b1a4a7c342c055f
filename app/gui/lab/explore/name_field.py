"""The name of an index that is to be made: suggested, written over, taken with Enter."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.language.spoken import _


class NameField(QLineEdit):
    """Stands hidden until a name is asked for, and goes again with Enter, Esc, or when the keys go elsewhere.

    Signals
    -------
    named(str)
        The name that was written; empty for one that is made from the setting.
    left(bool)
        It has gone; whether the keys were still there.
    """

    named = Signal(str)
    left = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Name of the new index"))
        self.setPlaceholderText(_("Name of the new index"))
        self.setToolTip(_("Enter makes the index, Esc makes none"))
        self.returnPressed.connect(self.take)
        self.hide()

    def ask(self, suggested: str) -> None:
        """Ask for a name."""
        self.setText(suggested)
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()

    def take(self) -> None:
        """Take what is written."""
        words = self.text().strip()
        self.leave()
        self.named.emit(words)

    def leave(self) -> None:
        """Ask no more."""
        if not self.isHidden():
            held = self.hasFocus()
            self.hide()
            self.left.emit(held)

    def event(self, event: QEvent) -> bool:
        """Keep Esc from what listens to it in the whole window."""
        typed = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if typed and event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Make nothing at Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Go when the keys go elsewhere in the window."""
        super().focusOutEvent(event)
        elsewhere = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if event.reason() in elsewhere:
            self.leave()
