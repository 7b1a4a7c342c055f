"""Drawing done in turns, so that the window stays responsive between two of them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_BETWEEN_MS = 10


class DrawingTurns(QObject):
    """Calls functions one after the other, each in a turn of its own."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left: list[Callable[[], object]] = []
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_BETWEEN_MS)
        self._soon.timeout.connect(self._take_one)

    def begin(self, *turns: Callable[[], object]) -> None:
        """Take these turns in place of those that are left."""
        self._left = list(turns)
        self._soon.start()

    def are_over(self) -> bool:
        """Return whether none is left."""
        return not self._left

    def _take_one(self) -> None:
        if self._left:
            self._left.pop(0)()
        if self._left:
            self._soon.start()
