"""Work behind the window: the only place with threads. Results come home on the window's own thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from core.errors import Cancelled, TwinlensError
from core.progress import Progress

Work = Callable[[Progress], Any]


class Jobs(QObject):
    """A few threads, and the way back from them.

    A job has a topic: a newer one of the same topic takes the place of the older, whose result is dropped.
    """

    _ended = Signal(str, int, object, object)
    progressed = Signal(str, float, float, str)
    failed = Signal(str, str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads = ThreadPoolExecutor(max_workers=3, thread_name_prefix="window")
        self._finished = False
        self._newest: dict[str, int] = {}
        self._then: dict[tuple[str, int], Callable[[Any], None]] = {}
        self._stops: dict[str, threading.Event] = {}
        self._ended.connect(self._on_ended, Qt.ConnectionType.QueuedConnection)

    def start(self, topic: str, work: Work, then: Callable[[Any], None]) -> None:
        """Do some work elsewhere; ``then`` gets its result here, unless a newer job of the topic was started."""
        if self._finished:
            return  # the window is closing: nothing new is begun
        self.cancel(topic)
        number = self._newest.get(topic, 0) + 1
        stop = threading.Event()
        self._newest[topic] = number
        self._stops[topic] = stop
        self._then[topic, number] = then
        self._threads.submit(self._run, topic, number, work, stop)

    def cancel(self, topic: str) -> None:
        """Ask the job of a topic to stop; what it did is kept."""
        if topic in self._stops:
            self._stops[topic].set()

    def finish(self) -> None:
        """Stop everything and wait for it; before the library is closed."""
        self._finished = True
        for stop in self._stops.values():
            stop.set()
        self._threads.shutdown(wait=True, cancel_futures=True)
        self._then.clear()

    def _run(self, topic: str, number: int, work: Work, stop: threading.Event) -> None:
        def progress(done: float, total: float, text: str = "") -> None:
            if stop.is_set():
                raise Cancelled
            self.progressed.emit(topic, float(done), float(total), text)

        try:
            self._ended.emit(topic, number, work(progress), None)
        except Cancelled:
            self._ended.emit(topic, number, None, None)
        except Exception as error:  # noqa: BLE001 (the job runner's catch: a failed job is told, and the window goes on)
            self._ended.emit(topic, number, None, error)

    def _on_ended(self, topic: str, number: int, result: object, error: object) -> None:
        then = self._then.pop((topic, number), None)
        if then is None or number != self._newest.get(topic):
            return
        if isinstance(error, TwinlensError):
            self.failed.emit(topic, error.sentence, error.next_step)
        elif error is not None:
            self.failed.emit(topic, f"Twinlens made a mistake ({type(error).__name__}: {error}).", "Please report it.")
        elif result is not None:
            then(result)
