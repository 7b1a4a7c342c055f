"""Changes of marks and metrics, made one after another, with undo."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.gui.process.jobs import Jobs, Work

TOPIC = "learn marks"


def _nothing() -> None:
    """There is nothing to put right."""


@dataclass(eq=False)
class Done:
    """Something that can be undone.

    Attributes
    ----------
    words : str
        What undoing it is called ("Undo similar").
    undo : callable
        Takes it back; called at most once.
    is_mark : bool
        It is an answer about the pair that was offered.
    """

    words: str
    undo: Callable[[], None]
    is_mark: bool = False


class Steps(QObject):
    """Changes of the library in their order: who marks faster than the disk writes loses nothing.

    Parameters
    ----------
    jobs : Jobs
    parent : QObject
    """

    changed = Signal()
    """What can be undone is another thing now."""
    written = Signal()
    """Everything that was said is in the library."""
    failed = Signal(str)

    def __init__(self, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._waiting: deque[tuple[Work, Callable[[Any], None], Callable[[], None]]] = deque()
        self._otherwise: Callable[[], None] = _nothing
        self._runs = False
        self._done: list[Done] = []
        jobs.failed.connect(self._on_failed)

    def clear(self) -> None:
        """Forget what could be undone: it is another library."""
        self._waiting.clear()
        self._done.clear()
        self.changed.emit()

    def do(self, work: Work, then: Callable[[Any], None], otherwise: Callable[[], None] | None = None) -> None:
        """Do something when all before it is done; ``then`` gets its result, ``otherwise`` is called if it fails."""
        self._waiting.append((work, then, otherwise or _nothing))
        if not self._runs:
            self._next()

    def remember(self, done: Done) -> None:
        """Let something be undone."""
        self._done.append(done)
        self.changed.emit()

    def forget(self, done: Done) -> None:
        """Let it stand: it can be undone no more."""
        if done in self._done:
            self._done.remove(done)
            self.changed.emit()

    def last(self) -> Done | None:
        """Return what would be undone."""
        return self._done[-1] if self._done else None

    def undo(self) -> bool:
        """Undo what was done last; False where there is nothing."""
        if not self._done:
            return False
        self.undo_this(self._done[-1])
        return True

    def undo_this(self, done: Done) -> None:
        """Undo something, unless it was undone already."""
        if done in self._done:
            self._done.remove(done)
            done.undo()
            self.changed.emit()

    def _next(self) -> None:
        if not self._waiting:
            self._runs = False
            self.written.emit()
            return
        self._runs = True
        work, then, self._otherwise = self._waiting.popleft()

        def ended(result: object) -> None:
            then(result)
            self._next()

        self._jobs.start(TOPIC, work, ended)

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if topic == TOPIC:
            self._otherwise()
            self.failed.emit(f"{sentence} {next_step}".strip())
            self._next()
