"""The empty state of a view: one sentence and one button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.gui.look.page_parts import bind, button, label, surface

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
        surface(self, "ground")
        self._column = QVBoxLayout(self)
        self._words = label(sentence, "empty", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        font = self._words.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        self._words.setFont(font)
        self._words.setFixedWidth(_WORDS_PX)
        self._words.setFixedHeight(max(0, self._words.heightForWidth(_WORDS_PX)))
        column = self._column
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(16)
        column.addStretch(2)
        column.addWidget(self._words, alignment=Qt.AlignmentFlag.AlignHCenter)
        self._button: QPushButton | None = None
        if action:
            made = self._button = button(action, action, key, "primary")
            made.clicked.connect(self.wanted)
            column.addWidget(made, alignment=Qt.AlignmentFlag.AlignHCenter)
            self.setFocusProxy(made)
            if key and bind_key:
                bind(self, key, self.wanted.emit)
        column.addStretch(3)
        self.setAccessibleName(sentence)

    def also(self, action: str, name: str, key: str = "") -> QPushButton:
        """Offer another thing to do, less loud, under the first; its key is shown only."""
        made = button(action, name, key)
        self._column.insertWidget(self._column.count() - 1, made, alignment=Qt.AlignmentFlag.AlignHCenter)
        return made

    def show_action(self, shown: bool) -> None:
        """Offer the thing to do, or only say how it is."""
        if self._button is not None:
            self._button.setVisible(shown)

    def set_sentence(self, sentence: str) -> None:
        """Change the sentence."""
        self._words.setText(sentence)
        self._words.setFixedHeight(max(0, self._words.heightForWidth(_WORDS_PX)))
        self.setAccessibleName(sentence)
