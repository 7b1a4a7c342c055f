"""What stands where there is nothing yet: one sentence and one button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.pages.parts import bind, button, label

_WORDS_PX = 440


class EmptyState(QWidget):
    """One sentence, and the one thing to do about it.

    Parameters
    ----------
    sentence : str
    action : str
        What stands on the button; without it there is none.
    key : str
        Key of the button; bound here when ``bind_key`` says so, else only shown.

    Signals
    -------
    wanted
        The button was pressed.
    """

    wanted = Signal()

    def __init__(self, sentence: str, action: str = "", key: str = "", bind_key: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "ground")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._words = label(sentence, "empty", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        font = self._words.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        self._words.setFont(font)
        self._words.setFixedWidth(_WORDS_PX)
        self._words.setFixedHeight(self._words.heightForWidth(_WORDS_PX))
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(16)
        column.addStretch(2)
        column.addWidget(self._words, alignment=Qt.AlignmentFlag.AlignHCenter)
        if action:
            made = button(action, action, key, "primary")
            made.clicked.connect(self.wanted)
            column.addWidget(made, alignment=Qt.AlignmentFlag.AlignHCenter)
            self.setFocusProxy(made)
            if key and bind_key:
                bind(self, key, self.wanted.emit)
        column.addStretch(3)
        self.setAccessibleName(sentence)

    def set_sentence(self, sentence: str) -> None:
        """Say something else."""
        self._words.setText(sentence)
        self._words.setFixedHeight(self._words.heightForWidth(_WORDS_PX))
        self.setAccessibleName(sentence)
