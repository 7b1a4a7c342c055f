"""When Python looks for garbage in everything there is: not in the middle of something, for all threads wait for it."""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_USUAL = gc.get_threshold()
_NEVER = 1_000_000
_LOOK_MS = 2_000
_ENOUGH, _MOST = 20, 1_000
"""Collections of the younger objects after which all are looked through: when nothing runs, and in any case."""


class Collecting(QObject):
    """Looks through all objects on the window's own thread, when no job runs; the young ones Python sees to as ever.

    Left to itself, Python does that in whatever thread makes an object too many: 60 ms in which nothing is drawn.

    Parameters
    ----------
    busy : callable
        Whether any job runs.
    parent : QObject
    """

    def __init__(self, busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._busy = busy
        self._settled = False
        gc.set_threshold(*_USUAL[:2], _NEVER)
        self._clock = QTimer(self)
        self._clock.setInterval(_LOOK_MS)
        self._clock.timeout.connect(self.look)
        self._clock.start()

    def settle(self) -> None:
        """Take what there is now, modules and widgets, for what stays: it is not looked through again and again."""
        if not self._settled:
            self._settled = True
            gc.freeze()

    def look(self) -> None:
        """Collect, if there may be enough to collect and this is the time for it."""
        gc.set_threshold(*_USUAL[:2], _NEVER)  # a window that closed after this one was made has left it to Python
        waiting = gc.get_count()[2]
        quiet = self._settled and not self._busy()
        if waiting >= (_ENOUGH if quiet else _MOST):
            gc.collect()

    def finish(self) -> None:
        """Leave it to Python again."""
        self._clock.stop()
        gc.set_threshold(*_USUAL)
