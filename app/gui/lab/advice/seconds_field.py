"""A time in seconds, typed or stepped with the arrow keys."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QIntValidator, QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.gui.look.text_size import grown

LEAST, MOST = 2, 3600
_STEP = 10


class SecondsField(QLineEdit):
    """Holds whole seconds; what is no time is set right when the keys leave it.

    Signals
    -------
    value_changed : int
    """

    value_changed = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._value = 0
        self.setValidator(QIntValidator(1, MOST, self))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFixedWidth(grown(60))
        self.textEdited.connect(self._on_edited)

    @property
    def value(self) -> int:
        """The seconds."""
        return self._value

    def set_value(self, seconds: int) -> None:
        """Take a time."""
        seconds = max(LEAST, min(MOST, seconds))
        if self.text() != str(seconds):
            self.setText(str(seconds))
        if seconds != self._value:
            self._value = seconds
            self.value_changed.emit(seconds)

    def _on_edited(self, text: str) -> None:
        if text.isdigit() and int(text) >= LEAST and int(text) != self._value:
            self._value = int(text)
            self.value_changed.emit(self._value)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Step up and down."""
        step = {Qt.Key.Key_Up: _STEP, Qt.Key.Key_Down: -_STEP}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.set_value(self._value + step)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Show what holds."""
        super().focusOutEvent(event)
        self.set_value(self._value)
