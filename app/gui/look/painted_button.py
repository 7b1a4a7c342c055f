"""A button that its subclass paints."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QWidget


class PaintedButton(QAbstractButton):
    """Takes the focus by Tab only, so that a click leaves it where it was; Enter presses it like the space bar.

    Its text may be anything, names of files for instance: an ampersand in it makes no shortcut, and another text does
    not take the shortcut away, as Qt's own buttons have it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show a text; the shortcut stays."""
        if text != self.text():
            key = self.shortcut()
            super().setText(text)
            self.setShortcut(key)
            self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Press with Enter too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)
