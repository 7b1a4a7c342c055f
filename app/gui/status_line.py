"""The line at the bottom: what runs, how fast, how long still, Pause and Cancel; otherwise the state of the library."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from app.durations import time_left

_UNDO_MS = 8000
_ETA_AFTER_S, _ETA_AFTER_SHARE = 3.0, 0.03  # before that nobody knows: readers start, and first steps are slow


class StatusLine(QWidget):
    """One line of a fixed height, so that nothing jumps when work begins or ends."""

    pause_wanted = Signal(bool)
    cancel_wanted = Signal()
    action_wanted = Signal()
    """The link behind a message, such as Undo."""
    action_expired = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(30)
        self._text = QLabel()
        self._text.setObjectName("quiet")
        self._text.setMinimumWidth(0)
        self._text.setAccessibleName(self.tr("State"))
        self._action = self._button("link", "", "")
        self._action.clicked.connect(self._on_action)
        self._left = QLabel()
        self._left.setObjectName("quiet")
        self._bar = QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(160)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._pause = self._button(
            "small", self.tr("Pause"), self.tr("Pause what runs; it goes on from there (Ctrl+P)")
        )
        self._pause.setCheckable(True)
        self._pause.toggled.connect(self._on_paused)
        self._cancel = self._button(
            "small", self.tr("Cancel"), self.tr("Stop what runs; what is done is kept (Ctrl+.)")
        )
        self._cancel.clicked.connect(self.cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 12, 0)
        row.setSpacing(12)
        row.addWidget(self._text, 1)
        for widget in (self._action, self._left, self._bar, self._pause, self._cancel):
            row.addWidget(widget)
        self._state = ""
        self._doing = ""
        self._since = 0.0
        self._paused_at = 0.0
        self._expiry = QTimer(self)
        self._expiry.setSingleShot(True)
        self._expiry.setInterval(_UNDO_MS)
        self._expiry.timeout.connect(self._on_expired)
        self._show_work(False)
        self._action.hide()

    def _button(self, name: str, text: str, help_text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setToolTip(help_text)
        return button

    def show_state(self, text: str) -> None:
        """Say how the library stands; shown whenever nothing runs and nothing else was said."""
        self._state = text
        if not self.busy() and not self._expiry.isActive():
            self._say(text)

    def show_message(self, text: str, action: str = "") -> None:
        """Say what has happened for some seconds, with a link such as Undo."""
        self._on_expired()
        self._say(text)
        self._action.setText(action)
        self._action.setAccessibleName(action)
        self._action.setVisible(bool(action))
        self._expiry.start()

    def busy(self) -> bool:
        """Tell whether work is shown."""
        return not self._cancel.isHidden()

    def begin(self, text: str) -> None:
        """Show that work begins."""
        self._pause.setChecked(False)
        self._since = time.monotonic()
        self._doing = text
        self._bar.setRange(0, 0)
        self._left.setText("")
        self._show_work(True)
        self._say_usual()

    def show_progress(self, done: float, total: float, text: str) -> None:
        """Show how far the work is, and how long it takes still."""
        if not self.busy():
            return
        if total > 0:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(1000 * done / total))
        if text:
            self._doing = text
            self._say_usual()
        took = time.monotonic() - self._since
        if not self._pause.isChecked() and total > 0 and done / total >= _ETA_AFTER_SHARE and took > _ETA_AFTER_S:
            self._left.setText(self.tr("{0} left").format(time_left(max(1.0, took * (total - done) / done))))

    def end(self) -> None:
        """Show that nothing runs any more."""
        self._show_work(False)
        self._say_usual()

    def toggle_pause(self) -> None:
        """Pause what runs, or let it go on."""
        if self.busy():
            self._pause.toggle()

    def cancel(self) -> None:
        """Stop what runs."""
        if self.busy():
            self.cancel_wanted.emit()

    def _show_work(self, shown: bool) -> None:
        for widget in (self._left, self._bar, self._pause, self._cancel):
            widget.setVisible(shown)

    def _say(self, text: str) -> None:
        self._text.setText(text)
        self._text.setToolTip(text)

    def _say_usual(self) -> None:
        """Say what runs or how the library stands, unless something that has happened is being said with its link."""
        if self._expiry.isActive() and not self._action.isHidden():
            return
        if not self.busy():
            self._say(self._state)
        elif self._pause.isChecked():
            self._say(self.tr("Paused · {0}").format(self._doing))
        else:
            self._say(self._doing)

    def _on_paused(self, paused: bool) -> None:
        self._pause.setText(self.tr("Go on") if paused else self.tr("Pause"))
        if paused:
            self._paused_at = time.monotonic()
            self._left.setText("")
        else:
            self._since += time.monotonic() - self._paused_at  # rest is no work: what is left is told as before
        if self.busy():
            self._say_usual()
            self.pause_wanted.emit(paused)

    def take_action_away(self) -> None:
        """Say no more what has happened: it has been undone by a key."""
        self._expiry.stop()
        self._action.hide()
        self._say_usual()

    def _on_action(self) -> None:
        self.take_action_away()
        self.action_wanted.emit()

    def _on_expired(self) -> None:
        self._expiry.stop()
        offered = not self._action.isHidden()
        self._action.hide()
        self._say_usual()
        if offered:
            self.action_expired.emit()
