"""The view of a library that cannot be opened: why, what to do, and ways to another library and to the settings."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.gui.look.page_parts import button, label, surface
from app.language.spoken import _

_WORDS_PX = 520


class FailureView(QWidget):
    """A sentence, its next step, and buttons; the settings hold the log that tells more."""

    again_wanted = Signal()
    other_wanted = Signal()
    server_wanted = Signal()
    settings_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        surface(self, "ground")
        self._sentence = label("", "empty", wrap=True)
        self._next_step = label("", "quiet", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addStretch(2)
        for words in (self._sentence, self._next_step):
            words.setAlignment(Qt.AlignmentFlag.AlignCenter)
            words.setFixedWidth(_WORDS_PX)
            column.addWidget(words, alignment=Qt.AlignmentFlag.AlignHCenter)
        again = button(_("Try again"), _("Try to open the library again"), "", "primary")
        again.clicked.connect(self.again_wanted)
        other = button(_("Open another library…"), _("Open another library, or begin a new one"))
        other.clicked.connect(self.other_wanted)
        server = button(_("On a server…"), _("Open a library on a server"))
        server.clicked.connect(self.server_wanted)
        settings = button(_("Settings"), _("Settings, and the log"))
        settings.clicked.connect(self.settings_wanted)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addStretch()
        row.addWidget(again)
        row.addWidget(other)
        row.addWidget(server)
        row.addWidget(settings)
        row.addStretch()
        column.addSpacing(8)
        column.addLayout(row)
        column.addStretch(3)
        self.setFocusProxy(again)

    def say(self, sentence: str, next_step: str) -> None:
        """Show what is wrong, and what can be done."""
        for words, text in ((self._sentence, sentence), (self._next_step, next_step)):
            # A path has no place to break a line at: one is offered behind each of its parts.
            words.setText(text.replace("/", "/\u200b"))
            words.setFixedHeight(words.heightForWidth(_WORDS_PX))
        self.setAccessibleName(f"{sentence} {next_step}")
