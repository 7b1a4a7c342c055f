"""The lifetime of objects between Python and Qt: garbage collection on the window's thread, and dead Qt objects.

A widget must not be destroyed on another thread, so Python's own collector is off. Young objects are collected every
quarter of a second at most, all objects only while no job runs.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_LOOK_MS = 250
_YOUNG, _MIDDLE = gc.get_threshold()[:2]
_ENOUGH, _MOST = 20, 1_000
"""Collections of the younger objects after which all are looked through: when nothing runs, and in any case."""


class GarbageCollector(QObject):
    """Looks for garbage in the place of Python, which does so in whatever thread makes an object too many.

    A widget that is found by another thread is destroyed there, and Qt does not survive that. A look through all
    objects takes 60 ms in which nothing is drawn: it waits until no job runs.

    Parameters
    ----------
    busy : callable
        Whether any job runs.
    """

    def __init__(self, busy: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._busy = busy
        self._settled = False
        self._before = gc.isenabled()
        gc.disable()
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
        gc.disable()  # a window that closed after this one was made has left it to Python
        young, middle, old = gc.get_count()
        quiet = self._settled and not self._busy()
        if old >= (_ENOUGH if quiet else _MOST):
            gc.collect()
        elif middle >= _MIDDLE:
            gc.collect(1)
        elif young >= _YOUNG:
            gc.collect(0)

    def finish(self) -> None:
        """Leave it to Python again."""
        self._clock.stop()
        if self._before:
            gc.enable()


def outlived(thing: QObject) -> bool:
    """Get whether Python's collector has emptied an object that Qt has not destroyed yet: its filters are still asked.

    That happens where a window is let go as a whole, with widgets that know one another. Of use to what keeps
    attributes of its own; without any, nothing can be missing.
    """
    return not vars(thing)
