"""A bar that says what was done and lets it be undone for some seconds; only then it really happens."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.gui.look.page_parts import bind, button, label
from app.gui.look.theme import theme
from app.gui.process.outlived import outlived
from app.language.spoken import _

_SECONDS = 8
_TICK_MS = 100


class UndoBar(QFrame):
    """Lies at the bottom of the widget that it is made for.

    Signals
    -------
    expired : str
        The time is over, or :meth:`finish` was called: now it is to happen.
    undone : str
        It is not to happen.
    """

    expired = Signal(str)
    undone = Signal(str)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setProperty("role", "bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._over = over
        self._subject = ""
        self._left_ms = 0
        self._words = label()
        undo = button(_("Undo"), _("Undo"), "Ctrl+Z", "link")
        undo.clicked.connect(self._on_undo)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 8, 8, 10)
        row.setSpacing(16)
        row.addWidget(self._words, 1)
        row.addWidget(undo)
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._on_tick)
        bind(over, "Ctrl+Z", self._on_undo)
        over.installEventFilter(self)
        self.hide()

    def subject(self) -> str:
        """Return what waits; empty where nothing does."""
        return self._subject

    def offer(self, subject: str, sentence: str) -> None:
        """Show what was done to a thing, and let it be undone."""
        self.finish()
        self._subject, self._left_ms = subject, 1000 * _SECONDS
        self._words.setText(sentence)
        self.setAccessibleName(sentence)
        self._place()
        self.show()
        self.raise_()
        self._timer.start()

    def finish(self) -> None:
        """Let what waits happen now."""
        subject = self.take()
        if subject:
            self.expired.emit(subject)

    def take(self) -> str:
        """Return what waits, and leave it to the caller: nothing is told of it any more."""
        self._timer.stop()
        self.hide()
        subject, self._subject = self._subject, ""
        return subject

    def _on_undo(self) -> None:
        subject = self.take()
        if subject:
            self.undone.emit(subject)

    def _on_tick(self) -> None:
        self._left_ms -= _TICK_MS
        self.update()
        if self._left_ms <= 0:
            self.finish()

    def _place(self) -> None:
        over = self._over
        width = min(520, over.width() - 48)
        height = self.sizeHint().height()
        self.setGeometry((over.width() - width) // 2, over.height() - height - 24, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay at the bottom."""
        if outlived(self):
            return False
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the time that is left as a thin line."""
        super().paintEvent(event)
        painter = QPainter(self)
        share = self._left_ms / (1000 * _SECONDS)
        painter.fillRect(8, self.height() - 5, round((self.width() - 16) * share), 2, QColor(theme().accent))
        painter.end()
