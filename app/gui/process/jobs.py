"""Work behind the window: the only place with threads. Results come home on the window's own thread."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from app.language.spoken import _, next_step, text
from app.machine.waiting import stopped_by
from core.errors import Cancelled, Remedy, TwinlensError
from core.message import NOTHING, Message
from core.progress import Progress

Work = Callable[[Progress], Any]

_THREADS = 4  # one for long work, the others for what a person waits for
_SWITCH_S = 0.0005
"""The window's thread asks for the interpreter at every call of Qt: it must not wait Python's usual 5 ms each time."""

_TOLD_EVERY_S = 0.05  # more progress than that nobody sees, and the window's thread would have to take it


class Jobs(QObject):
    """A few threads, and the way back from them.

    A job has a topic: a newer one of the same topic takes the place of the older, whose result is dropped.
    """

    _ended = Signal(str, int, object, object)
    progressed = Signal(str, float, float, object)  # a Message last
    failed = Signal(str, str, str)
    remedied = Signal(str, object)
    """After `failed`: what went wrong, and the `Remedy` that the program offers."""
    stopped = Signal(str)
    """A job was cancelled; its ``then`` is not called."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads = ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix="window")
        self._finished = False
        sys.setswitchinterval(_SWITCH_S)
        self._newest: dict[str, int] = {}
        self._then: dict[tuple[str, int], Callable[[Any], None]] = {}
        self._stops: dict[str, threading.Event] = {}
        self._goes_on: dict[str, threading.Event] = {}
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    def start(self, topic: str, work: Work, then: Callable[[Any], None]) -> None:
        """Do some work elsewhere; ``then`` gets its result here, unless a newer job of the topic was started."""
        if self._finished:
            return  # the window is closing: nothing new is begun
        self.cancel(topic)
        number = self._newest.get(topic, 0) + 1
        stop, goes_on = threading.Event(), threading.Event()
        goes_on.set()
        self._newest[topic] = number
        self._stops[topic], self._goes_on[topic] = stop, goes_on
        self._then[topic, number] = then
        self._threads.submit(self._run, topic, number, work, stop, goes_on)

    def is_running(self, topic: str) -> bool:
        """Return whether the newest job of a topic has not ended yet."""
        return (topic, self._newest.get(topic, 0)) in self._then

    def busy(self) -> bool:
        """Return whether anything runs."""
        return bool(self._then)

    def cancel(self, topic: str) -> None:
        """Ask the job of a topic to stop; what it did is kept."""
        if topic in self._stops:
            self._stops[topic].set()
            self._goes_on[topic].set()

    def pause(self, topic: str, paused: bool) -> None:
        """Have the job of a topic wait at its next step, or go on."""
        if topic in self._goes_on and not self._stops[topic].is_set():
            (self._goes_on[topic].clear if paused else self._goes_on[topic].set)()

    @property
    def finished(self) -> bool:
        """Whether nothing new is begun any more."""
        return self._finished

    def finish(self) -> None:
        """Stop everything and wait for it; before the library is closed."""
        self._finished = True
        for topic in self._stops:
            self.cancel(topic)
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._then.clear()

    def _run(self, topic: str, number: int, work: Work, stop: threading.Event, goes_on: threading.Event) -> None:
        told = 0.0

        def look() -> None:
            if stop.is_set():
                raise Cancelled

        def progress(done: float, total: float, text: Message = NOTHING) -> None:
            nonlocal told
            goes_on.wait()
            look()
            now = time.monotonic()
            if now - told >= _TOLD_EVERY_S:
                told = now
                self.progressed.emit(topic, float(done), float(total), text)

        try:
            with stopped_by(look):
                self._ended.emit(topic, number, work(progress), None)
        except Exception as error:  # noqa: BLE001 (the job runner's catch: a failed job is told, and the window goes on)
            self._ended.emit(topic, number, None, error)

    def _on_ended(self, topic: str, number: int, result: object, error: object) -> None:
        then = self._then.pop((topic, number), None)
        if then is None or number != self._newest.get(topic):
            return
        if isinstance(error, Cancelled):
            self.stopped.emit(topic)
        elif isinstance(error, TwinlensError):
            self.failed.emit(topic, text(error.message), next_step(error))
            if isinstance(error.next_step, Remedy):
                self.remedied.emit(text(error.message), error.next_step)
        elif isinstance(error, BaseException):
            self.failed.emit(topic, *_fault(error))
        else:
            then(result)


def _fault(error: BaseException) -> tuple[str, str]:
    """Log a fault of the program, and say so."""
    import logging

    logging.getLogger("twinlens").error("unexpected error", exc_info=error)
    words = _("Twinlens made a mistake ({fault}).", fault=f"{type(error).__name__}: {error}")
    return words, _("The log says more: see Settings.")
