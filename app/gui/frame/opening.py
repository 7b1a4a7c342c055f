"""The library of a window: opened behind it, exchanged for another, lost with its disk, and left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.gui.frame.leave import leave
from app.gui.frame.opened import Opened, open_library
from app.gui.frame.watch import TOPIC as WATCHING
from app.gui.process.jobs import Jobs
from app.language.spoken import _
from core.progress import Progress

_OPENING = "open"


class Opening(QObject):
    """Holds the library that the window shows, and closes every one that it has opened.

    Parameters
    ----------
    path : Path or None
        The library's file, made where there is none; None for the usual one.
    jobs : Jobs
    window : QWidget
        Over which another library is chosen.
    """

    opened = Signal(object)
    """A library is open: Opened."""
    let_go = Signal()
    """The library is used no longer; what still runs on it may come to its end."""
    failed = Signal(str, str)
    """It cannot be opened, or has gone: what is so, and what to do next."""
    other_chosen = Signal(object)
    """Another library, by its path, is to be opened in this window."""

    def __init__(self, path: Path | None, jobs: Jobs, window: QWidget) -> None:
        super().__init__(window)
        self._path, self._jobs, self._window = path, jobs, window
        self._now: Opened | None = None
        self._unused: list[Opened] = []  # opened libraries that the window does not show: not yet, or no longer
        self._lost = False
        jobs.failed.connect(self._on_failed)

    @property
    def now(self) -> Opened | None:
        """The library, once it is open."""
        return self._now

    def open(self, path: Path) -> None:
        """Show another library from now on."""
        self._path, self._lost = path, False
        self._let_go()
        self.begin()

    def begin(self) -> None:
        """Open the library, behind the window; also once more, after that has failed."""
        # One that was shown here and is gone is not replaced by an empty one.
        path, create = self._path, not self._lost

        def work(__: Progress) -> Opened:
            opened = open_library(path, create)
            self._unused.append(opened)  # closed at the end even if the window is closed before it can take it
            return opened

        self._jobs.start(_OPENING, work, self._on_opened)

    def choose_other(self) -> None:
        """Ask which library is to be shown instead."""
        name, __ = QFileDialog.getSaveFileName(
            self._window,
            _("Open a library, or name a new one"),
            "",
            _("Library (*.twinlens)"),
            options=QFileDialog.Option.DontConfirmOverwrite,
        )
        if name:
            chosen = Path(name)
            named = chosen.suffix or chosen.exists()
            self.other_chosen.emit(chosen if named else chosen.with_suffix(".twinlens"))

    def tells(self, topic: str) -> bool:
        """Return whether the failure of a job is one of the library itself, and told by `failed`."""
        return topic in (_OPENING, WATCHING)

    def take(self) -> Opened | None:
        """Return the library for the last time: the window closes."""
        opened, self._now = self._now, None
        return opened

    def close(self, opened: Opened | None, state: dict[str, Any], deleting: str) -> None:
        """Close every library that is open, `opened` as the window was left; after the last job has ended."""
        for one in self._unused:
            one.library.close()
        self._unused.clear()
        if opened is not None:
            leave(opened, state, deleting)

    def _let_go(self) -> None:
        self.let_go.emit()
        if self._now is not None:
            self._unused.append(self._now)
            self._now = None

    def _on_opened(self, opened: Opened) -> None:
        self._unused.remove(opened)
        self._now, self._lost = opened, False
        self.opened.emit(opened)

    def _on_failed(self, topic: str, sentence: str, next_step: str) -> None:
        if self.tells(topic):
            self._lost = self._lost or topic == WATCHING
            self._let_go()  # nothing of it is written to whatever lies in its place
            self.failed.emit(sentence, next_step)
