"""Undo and redo of what a person does to a library."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.language.texts import _


class UndoStep(QUndoCommand):
    """A step of the undo stack, done before it is pushed."""

    def __init__(self, words: str, undo: Callable[[], object], redo: Callable[[], object] | None) -> None:
        super().__init__(words)
        self._undo, self._redo = undo, redo
        self._pushed = False
        self.withdrawn = False

    def withdraw(self) -> None:
        """Withdraw the step, since it was not done after all: undo skips it."""
        self.withdrawn = True

    def undo(self) -> None:
        """Undo the step; one that cannot be redone leaves the stack."""
        if self._redo is None or self.withdrawn:
            self.setObsolete(True)
        if not self.withdrawn:
            self._undo()

    def redo(self) -> None:
        """Redo the step."""
        if self._pushed and self._redo is not None:
            self._redo()
        self._pushed = True


class UndoHistory(QObject):
    """The undo stack, and the link in the status line that undoes the newest step."""

    changed = Signal()
    """The newest step has changed."""

    def __init__(self, status: StatusLine, parent: QObject) -> None:
        super().__init__(parent)
        self._status = status
        self.stack = QUndoStack(self)
        self.stack.indexChanged.connect(self._on_index)
        self._act: Callable[[], object] = self.undo
        status.action_wanted.connect(self._on_action)

    def offer(
        self, words: str, undo: Callable[[], object], redo: Callable[[], object] | None = None, *, quietly: bool = False
    ) -> UndoStep:
        """Push a step onto the stack, and show a message with a link that undoes it.

        Parameters
        ----------
        words : str
            Name of the step in the list of steps.
        undo : callable
            Undoes the step.
        redo : callable, optional
            Redoes the step; without it, an undone step cannot be redone.
        quietly : bool
            Whether to show no message, since the view shows one itself.
        """
        step = UndoStep(words, undo, redo)
        self.stack.push(step)
        if not quietly:
            self._act = self.undo
            self._status.show_message(words, _("Undo"))
        return step

    def offer_action(self, words: str, label: str, act: Callable[[], object]) -> None:
        """Show a message with a link to another action than undo."""
        self._act = act
        self._status.show_message(words, label)

    def leave(self) -> None:
        """Listen to the status line no longer."""
        self._status.action_wanted.disconnect(self._on_action)

    def newest(self) -> UndoStep | None:
        """Return the step that undo would undo."""
        for place in range(self.stack.index() - 1, -1, -1):
            step = self.stack.command(place)
            if isinstance(step, UndoStep) and not step.withdrawn:
                return step
        return None

    def undo(self) -> None:
        """Undo the newest step."""
        self._status.take_action_away()
        step = self.newest()
        while step is not None and self.stack.canUndo() and self.stack.command(self.stack.index() - 1) is not step:
            self.stack.undo()  # a withdrawn step only leaves the stack
        if step is None:
            self._status.show_message(_("There is nothing to undo."))
        else:
            self.stack.undo()

    def redo(self) -> None:
        """Redo the step undone last."""
        if self.stack.canRedo():
            self.stack.redo()
        else:
            self._status.show_message(_("There is nothing to do again."))

    def _on_index(self, __: int) -> None:
        self.changed.emit()

    def _on_action(self) -> None:
        act, self._act = self._act, self.undo
        self._status.take_action_away()
        act()
