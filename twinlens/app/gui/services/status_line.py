"""The status line at the bottom: running work with its time left, Pause and Cancel; else the library's state.

At its end it offers the guide. What was done last can be undone there, and by the stack of undo steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QWidget

from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.look.page_parts import command_button, row_of
from twinlens.app.language.texts import _, _n, text
from twinlens.app.machine.remaining_time import RemainingTime, rounded, time_left
from twinlens.core.message import Message

MESSAGE_MS = 8000
_SHORT = 32  # characters shown of waiting work, to leave room for the running one
LEFT_EVERY_MS = 1000  # the time left is updated also without progress


class StatusLine(QWidget):
    """The status line, of a fixed height, so that nothing jumps when work begins or ends."""

    pause_wanted = Signal(bool)
    cancel_wanted = Signal()
    continue_wanted = Signal()
    """Stopped work is to continue."""
    action_wanted = Signal()
    """The link after a message, such as Undo, was pressed."""
    guide_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("status")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(30)
        self._text = QLabel()
        self._text.setObjectName("quiet")
        self._text.setMinimumWidth(0)
        self._text.setAccessibleName(_("State"))
        self._action = self._button("link", "", "")
        self._action.clicked.connect(self._on_action)
        self._continue = self._button(
            "link",
            _("Continue"),
            _("Read the photos that are still to be added; it goes on where it stopped"),
        )
        self._continue.clicked.connect(self.continue_wanted)
        self._queue = QLabel()
        self._queue.setObjectName("quiet")
        self._queue.setTextFormat(Qt.TextFormat.PlainText)
        self._left = QLabel()
        self._left.setObjectName("quiet")
        self._bar = QProgressBar()
        self._bar.setRange(0, 1000)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(160)
        self._bar.setAccessibleName(_("Progress"))
        actions = window_actions()
        self._pause = command_button(_("Pause"), actions["pause"])
        self._pause.setCheckable(True)
        self._pause.toggled.connect(self._on_paused)
        self._cancel = command_button(_("Cancel"), actions["cancel"])
        self._cancel.clicked.connect(self.cancel)
        self._guide = command_button(actions["guide"].words, actions["guide"])
        for name, one in (("small", self._pause), ("small", self._cancel), ("link", self._guide)):
            one.setObjectName(name)
        self._guide.clicked.connect(self.guide_wanted)
        row_of(
            (self._text, 1),
            self._continue,
            self._action,
            self._queue,
            self._left,
            self._bar,
            self._pause,
            self._cancel,
            self._guide,
            on=self,
            gap=12,
            margins=(16, 0, 12, 0),
        )
        self._state = ""
        self._can_go_on = self._holds = False
        self._doing = ""
        self._remaining = RemainingTime()
        self._ticks = QTimer(self)
        self._ticks.timeout.connect(self._show_left)
        self._expiry = QTimer(self)
        self._expiry.setSingleShot(True)
        self._expiry.timeout.connect(self.take_action_away)
        self._show_work(False)
        self._action.hide()
        self._guide.hide()

    def offer_guide(self) -> None:
        """Offer the guide until the line is cleared."""
        self._guide.show()

    def _button(self, name: str, text: str, help_text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setToolTip(help_text)
        return button

    def show_state(self, text: str, can_go_on: bool = False) -> None:
        """Set the state of the library, and whether stopped work can continue.

        The line shows it while no work runs and no message is shown.
        """
        self._state, self._can_go_on = text, can_go_on
        self._continue.setVisible(can_go_on and not self.busy())
        if not self.busy() and not self._expiry.isActive():
            self._say(text)

    def clear(self) -> None:
        """Clear the line when the library is closed."""
        self.take_action_away()
        self.end()
        self.show_state("")
        self._guide.hide()

    def show_message(self, text: str, action: str = "", holds: bool = False) -> None:
        """Show a message for some seconds, perhaps with a link such as Undo.

        Parameters
        ----------
        holds : bool
            Whether it stays that long while work runs, too; with a link it always does.
        """
        self.take_action_away()
        self._holds = holds or bool(action)
        self._say(text)
        self._action.setText(action)
        self._action.setAccessibleName(action)
        self._action.setVisible(bool(action))
        self._expiry.start(MESSAGE_MS)

    def busy(self) -> bool:
        """Return whether work is shown."""
        return not self._cancel.isHidden()

    def begin(self, text: str) -> None:
        """Show that work begins."""
        self._pause.setChecked(False)
        self._remaining.begin()
        self._doing = text
        self._bar.setRange(0, 0)
        self._left.setText("")
        self._show_work(True)
        self._say_usual()

    def show_progress(self, done: float, total: float, doing: Message) -> None:
        """Show the progress of the work, and the time left."""
        if not self.busy():
            return
        if total > 0:
            self._bar.setRange(0, 1000)
            self._bar.setValue(round(1000 * done / total))
            self._remaining.tell(done / total, doing.template)
        if doing:
            self._doing = text(doing)
            self._say_usual()
        self._show_left()

    def _show_left(self) -> None:
        seconds = None if self._pause.isChecked() else self._remaining.seconds()
        self._left.setText("" if seconds is None else _("{time_left} left", time_left=time_left(rounded(seconds))))

    def show_queue(self, waiting: Sequence[str]) -> None:
        """Show the waiting work in its order."""
        one = _("then: {short}", short=_short(waiting[0])) if waiting else ""
        self._queue.setText(
            _n("{count} more after this", "{count} more after this", len(waiting)) if len(waiting) > 1 else one
        )
        self._queue.setToolTip("<br>".join(escape(one) for one in waiting))
        self._queue.setVisible(bool(waiting) and self.busy())

    def end(self) -> None:
        """Show that no work runs any more."""
        self._show_work(False)
        self._say_usual()

    def toggle_pause(self) -> None:
        """Pause or continue the running work."""
        if self.busy():
            self._pause.toggle()

    def cancel(self) -> None:
        """Cancel the running work."""
        if self.busy():
            self.cancel_wanted.emit()

    def _show_work(self, shown: bool) -> None:
        for widget in (self._left, self._bar, self._pause, self._cancel):
            widget.setVisible(shown)
        self._queue.setVisible(shown and bool(self._queue.text()))
        self._continue.setVisible(self._can_go_on and not shown)
        if shown:
            self._ticks.start(LEFT_EVERY_MS)
        else:
            self._ticks.stop()

    def _say(self, text: str) -> None:
        self._text.setText(text)
        self._text.setToolTip(text)

    def _say_usual(self) -> None:
        """Show the running work or the state of the library, unless a message is still shown."""
        if self._expiry.isActive() and self._holds:
            return
        if not self.busy():
            self._say(self._state)
        elif self._pause.isChecked():
            self._say(_("Paused · {doing}", doing=self._doing))
        else:
            self._say(self._doing)

    def _on_paused(self, paused: bool) -> None:
        self._pause.setText(_("Go on") if paused else _("Pause"))
        if paused:
            self._remaining.pause()
        else:
            self._remaining.resume()
        self._show_left()
        if self.busy():
            self._say_usual()
            self.pause_wanted.emit(paused)

    def take_action_away(self) -> None:
        """Remove the message of an action that was undone by a key."""
        self._expiry.stop()
        self._action.hide()
        self._say_usual()

    def _on_action(self) -> None:
        self.take_action_away()
        self.action_wanted.emit()


def _short(words: str) -> str:
    return words if len(words) <= _SHORT else f"{words[: _SHORT - 1]}…"
