"""A tab along the top of a view: the one that is seen has a line under it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

_HEIGHT, _AIR = 40, 20


class Tab(QPushButton):
    """The name of what is seen when it is pressed."""

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.setProperty("role", "tab")
        self.setProperty("along", "top")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedHeight(_HEIGHT)
        self.setText(words)

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show words, with the room that they need."""
        super().setText(text)
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(text) + _AIR)
