"""A folder that is being forgotten: gone from the library unless that is undone within some seconds."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject

from app.gui.adding_control import AddingControl
from app.gui.undoing import Undoing


class Forgetting(QObject):
    """One folder at a time waits for its undo.

    Parameters
    ----------
    adding : AddingControl
        What forgets it in the end.
    undoing : Undoing
    parent : QObject
    """

    def __init__(self, adding: AddingControl, undoing: Undoing, parent: QObject) -> None:
        super().__init__(parent)
        self._adding, self._undoing = adding, undoing
        self._folder = ""

    def forget(self, folder: str) -> None:
        """Take a folder out of the library, unless that is undone."""
        self._undoing.settle()
        self._folder = folder
        words = self.tr("{0} is being forgotten; its files are untouched.").format(Path(folder).name)
        self._undoing.offer(words, self._keep, self._forget)

    def take_waiting(self) -> str:
        """Give the folder that waits, and wait no longer: the window closes."""
        folder, self._folder = self._folder, ""
        return folder

    def _keep(self) -> None:
        self._folder = ""

    def _forget(self) -> None:
        folder = self.take_waiting()
        if folder:
            self._adding.forget(folder)
