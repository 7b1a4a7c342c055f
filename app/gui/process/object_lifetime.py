"""The lifetime of objects between Python and Qt: garbage collection on the window's thread, and dead Qt objects.

A widget must not be destroyed on another thread, so Python's own collector is off. Young objects are collected every
quarter of a second at most, all objects preferably while no job runs.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

_LOOK_MS = 250
_YOUNG, _MIDDLE = gc.get_threshold()[:2]
_ENOUGH, _MOST = 20, 1_000
"""Collections of younger objects after which all are collected: while no job runs, and in any case."""


class GarbageCollector(QObject):
    """Collects garbage in place of Python, whose collector runs in whichever thread allocates.

    A widget that another thread collects is destroyed there, and Qt crashes. A collection of all objects takes 60 ms,
    in which nothing is drawn: it waits until no job runs.

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
        """Exempt the present objects, modules and widgets, from collection (:func:`gc.freeze`)."""
        if not self._settled:
            self._settled = True
            gc.freeze()

    def look(self) -> None:
        """Collect garbage if enough objects were allocated and this is a good time."""
        gc.disable()  # another window that closed meanwhile has enabled Python's collector again
        young, middle, old = gc.get_count()
        quiet = self._settled and not self._busy()
        if old >= (_ENOUGH if quiet else _MOST):
            gc.collect()
        elif middle >= _MIDDLE:
            gc.collect(1)
        elif young >= _YOUNG:
            gc.collect(0)

    def finish(self) -> None:
        """Enable Python's own collector again."""
        self._clock.stop()
        if self._before:
            gc.enable()


def outlived(thing: QObject) -> bool:
    """Return whether Python's collector has emptied an object that Qt still calls.

    That happens where a window is released as a whole, with widgets that refer to each other: Qt still calls their
    event filters. Only objects with attributes of their own can tell.
    """
    return not vars(thing)
