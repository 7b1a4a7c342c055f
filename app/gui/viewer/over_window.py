"""A widget over the whole window, for photographs that nothing else is seen beside."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from app.gui.process.outlived import outlived


class OverWindow(QWidget):
    """Lies over the window of a widget, as large as it, and has the keys alone while it is seen.

    Parameters
    ----------
    over : QWidget, optional
        Whose window it covers.
    """

    def __init__(self, over: QWidget | None = None) -> None:
        super().__init__(over)
        self._over = over
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def cover(self) -> None:
        """Lie over the window."""
        assert self._over is not None
        window = self._over.window()
        self.setParent(window)
        self.setGeometry(window.rect())
        window.installEventFilter(self)
        self.show()
        self.raise_()
        self.setFocus()

    def uncover(self) -> None:
        """Show what lies below again."""
        assert self._over is not None
        self.hide()
        self._over.window().removeEventFilter(self)
        self.setParent(self._over)  # it goes with the library, and not with the window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay as large as the window."""
        if outlived(self):
            return False
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Keep single keys from the window's shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
            if plain and event.key() not in (Qt.Key.Key_F1, Qt.Key.Key_F11):
                event.accept()
                return True
        return super().event(event)

    def focusNextPrevChild(self, __: bool) -> bool:  # noqa: N802 (Qt's name)
        """Keep the focus: the views below cannot be used meanwhile."""
        return True
