"""Undo: what was done is said in the status line, with a link that takes it back for some seconds."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.gui.frame.status_line import StatusLine
from app.language.spoken import _


def _nothing() -> None:
    """Let it stand: nothing is left to be done."""


class Undoing(QObject):
    """One thing at a time can be undone; the next one settles the one before.

    Parameters
    ----------
    status : StatusLine
    parent : QObject
    """

    def __init__(self, status: StatusLine, parent: QObject) -> None:
        super().__init__(parent)
        self._status = status
        self._undo: Callable[[], None] | None = None
        self._settle: Callable[[], None] = _nothing
        self._always: Callable[[], None] | None = None
        self._act: Callable[[], object] | None = None
        status.action_wanted.connect(self._on_action)
        status.action_expired.connect(self.settle)

    def offer(self, words: str, undo: Callable[[], None], settle: Callable[[], None] = _nothing) -> None:
        """Show what was done, and let it be undone.

        Parameters
        ----------
        words : str
        undo : callable
            Called at most once, if it is to be taken back.
        settle : callable
            Called at most once, when it is too late for that.
        """
        self.settle()
        self._act = None
        self._status.show_message(words, _("Undo"))
        self._undo, self._settle, self._always = undo, settle, None

    def offer_action(self, words: str, label: str, act: Callable[[], object]) -> None:
        """Say something with a link that does something else than undoing."""
        self.settle()
        self._status.show_message(words, label)
        self._act = act

    def _on_action(self) -> None:
        act, self._act = self._act, None
        if act is None:
            self.undo()
        else:
            self._status.take_action_away()
            act()

    def offer_always(self, undo: Callable[[], None] | None) -> None:
        """Let something be undone without a limit of time, as long as nothing newer can be; None for nothing."""
        self._always = undo

    def waits(self) -> bool:
        """Return whether something can be undone."""
        return self._undo is not None or self._always is not None

    def undo(self) -> None:
        """Take back what was done last, if it is not too late."""
        undo, self._undo, self._settle = self._undo, None, _nothing
        if undo is not None:
            self._status.take_action_away()
            undo()
        elif self._always is not None:
            self._always()

    def drop(self) -> None:
        """Offer nothing any more, and let nothing happen: the library is not the one it was done to."""
        if self._undo is not None:
            self._status.take_action_away()
        self._undo, self._settle, self._always = None, _nothing, None

    def settle(self) -> None:
        """Let what was done last stand."""
        settle, self._undo, self._settle = self._settle, None, _nothing
        settle()
