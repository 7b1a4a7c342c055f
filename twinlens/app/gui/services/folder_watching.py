"""Watching: photographs that are new, changed, moved or gone appear by themselves while a library is open.

The kernel tells which folder has changed (inotify on Linux, elsewhere what `QFileSystemWatcher` uses), so nothing is
done while nothing happens. Folders on other machines, of which it tells nothing, and those beyond a limit are asked
for their time now and then. What changed is compared with the library when it rests; only a difference becomes work,
in the queue of all long work. The scan at the start stays the truth: what a watch misses, it finds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QSocketNotifier, QTimer, Signal

from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.services.work_queue import WorkQueue
from twinlens.app.language.texts import _
from twinlens.app.library import volumes
from twinlens.core.message import NOTHING
from twinlens.core.progress import Progress
from twinlens.core.systems import system

if TYPE_CHECKING:
    from twinlens.app.library.library_results import AddResult
    from twinlens.core.systems.folder_events import FolderEvents

MOST_WATCHED = 8_192  # folders; the kernel takes about a kilobyte for each
_MOST_ASKED = 20_000  # folders whose time is asked for
REST_MS = 2_000  # what changes is looked at when it has rested so long,
PATIENCE_S = 3.0  # or after so long, if it does not rest
ASKED_EVERY_MS = 7_000
_SHARE = 50  # asking takes this part of the time at most
_FEW = 8  # photographs that one process has read before others are there
_LATER_MS = 30_000  # after another program was adding photographs


class FolderWatching(QObject):
    """Watches the folders of a library, and looks again at what has changed."""

    added = Signal(object)
    """The `AddResult` of looking again."""

    def __init__(self, opened: OpenLibrary, work: WorkQueue, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened, self._work = opened, work
        self._listing, self._comparing, self._asking = jobs.latest(), jobs.latest(), jobs.latest()
        self._events: _FolderSignals | None = None
        self._watched: set[bytes] = set()
        self._asked: dict[bytes, int] = {}  # folders whose time is asked for, with their last time
        self._due: dict[bytes, bool] = {}  # changed folders, and whether what is below them is looked at, too
        self._last = self._first = 0.0  # times of the last and the first change that is due
        self._queued = False
        self._cut_short = False  # the last look left something to the next one
        self._rest = _once(self, self._look)
        self._ask = _once(self, self._on_ask)

    def begin(self) -> None:
        """Watch all folders of the library from now on; where that is done already, those that are there now."""
        if self._events is None:
            self._events = _KernelEvents.opened(self) or _QtEvents(self)
            self._events.told.connect(self.note)
        # A folder that is watched twice tells once, and one that is no longer in the library is of no consequence.
        self._watched, self._asked = set(), {}
        self._watch_more(None)

    def stop(self) -> None:
        """Watch no more."""
        for job in (self._listing, self._comparing, self._asking):
            job.drop()
        self._rest.stop()
        self._ask.stop()
        if self._events is not None:
            self._events.close()
            self._events.deleteLater()
        self._events = None
        self._watched, self._asked, self._due = set(), {}, {}

    def is_on(self) -> bool:
        """Return whether folders are watched."""
        return self._events is not None

    # --- what is watched ---------------------------------------------------------------------------------------------

    def _watch_more(self, below: list[bytes] | None) -> None:
        """List the folders of the library, or those in some of them, and watch the ones that are not watched yet."""
        opened, known = self._opened, self._watched | set(self._asked)

        def work(progress: Progress) -> list[tuple[bytes, bool, int]]:
            from twinlens.app.library.ingest.watched_folders import folders_to_watch

            found = []
            remote: dict[bytes, bool] = {}
            for one in folders_to_watch(opened.library, below or ()):
                progress(0, 0, NOTHING)
                if one.path in known:
                    continue
                if one.root not in remote:
                    remote[one.root] = system.is_remote(one.root)
                found.append((one.path, remote[one.root], _time_of(one.path)))
                if len(known) + len(found) >= MOST_WATCHED + _MOST_ASKED:
                    break
            return found

        self._listing.begin(work).then(lambda found: self._on_listed(found, below is not None)).failed(_ignore)

    def _on_listed(self, found: list[tuple[bytes, bool, int]], are_new: bool) -> None:
        for path, remote, changed_at in found:
            near = not remote and len(self._watched) < MOST_WATCHED and self._events is not None
            if near and self._events is not None and self._events.watch(path):
                self._watched.add(path)
            else:
                self._asked[path] = changed_at
        if self._asked and not self._ask.isActive():
            self._ask.start(ASKED_EVERY_MS)
        if are_new and found:  # between its coming and its watch, more may have come into a new folder
            self.note([path for path, *__ in found])

    def _on_ask(self) -> None:
        """Ask folders for their times."""
        before = dict(self._asked)

        def work(progress: Progress) -> tuple[dict[bytes, int], float]:
            began, times = time.perf_counter(), {}
            for path in before:
                progress(0, 0, NOTHING)
                times[path] = _time_of(path)
            return times, time.perf_counter() - began

        def then(asked: tuple[dict[bytes, int], float]) -> None:
            times, seconds = asked
            self.note([path for path, changed_at in times.items() if changed_at != before[path]])
            back = {path for path, changed_at in times.items() if before[path] == _GONE != changed_at}
            self._due |= dict.fromkeys(back, True)
            self._asked |= times
            for path in back:  # to be watched
                del self._asked[path]
            if self._asked:
                self._ask.start(max(ASKED_EVERY_MS, round(1000 * _SHARE * seconds)))

        self._asking.begin(work).then(then).failed(_ignore)

    # --- what has changed --------------------------------------------------------------------------------------------

    def note(self, folders: Iterable[bytes], everything: bool = False) -> None:
        """Note that folders have changed, or, where events were lost, that any may have."""
        now = time.monotonic()
        if everything:
            folders = [*folders, *self._watched]
        for folder in folders:
            if not self._due:
                self._first = now
            self._due.setdefault(folder, False)
        if self._due:
            self._last = now
            if not self._rest.isActive():
                self._rest.start(REST_MS)

    def _look(self) -> None:
        """Compare what has changed with the library, once it rests and no other work is under way."""
        now = time.monotonic()
        wait = min(self._last + REST_MS / 1000, self._first + PATIENCE_S) - now
        if wait > 0.05 or self._queued or self._work.busy() or self._comparing.running:
            self._rest.start(max(200, round(1000 * wait)))
            return
        opened, due = self._opened, self._due
        self._due = {}

        def work(__: Progress) -> tuple[dict[bytes, bool], set[bytes], int]:
            from twinlens.app.library.ingest.watched_folders import changed_folders

            return changed_folders(opened.library, due)

        self._comparing.begin(work).then(lambda found: self._on_compared(due, *found)).failed(_ignore)

    def _on_compared(self, due: dict[bytes, bool], other: dict[bytes, bool], restless: set[bytes], files: int) -> None:
        self.note(restless)
        self._watch_more(sorted(due))
        self._leave({path for path in other if other[path] and not os.path.isdir(path)})
        if not (other or self._cut_short):
            return
        opened, self._queued = self._opened, True

        def work(progress: Progress) -> AddResult:
            from twinlens.app.library.ingest.watched_folders import look_again

            return look_again(opened.library, other, progress, lambda: bool(self._due), 1 if files <= _FEW else None)

        def over(result: AddResult | None) -> None:
            self._queued = False
            self._cut_short = result is not None and result.to_prepare > 0 and bool(self._due)

        def failed(__: Failure) -> None:  # most likely another program adds photographs: later again
            QTimer.singleShot(_LATER_MS, self, lambda: self.note(other))

        self._work.run(_("Looking at new and changed photos…"), work).then(self.added.emit).over(over).failed(failed)

    def _leave(self, gone: set[bytes]) -> None:
        """Watch folders that are gone no more; one around which nobody watches is asked for until it is back."""
        if gone:
            self._watched = {one for one in self._watched if not any(volumes.is_in(one, each) for each in gone)}
            self._asked |= dict.fromkeys((one for one in gone if os.path.dirname(one) not in self._watched), _GONE)
            if self._asked and not self._ask.isActive():
                self._ask.start(ASKED_EVERY_MS)


def _once(parent: FolderWatching, act: Callable[[], object]) -> QTimer:
    made = QTimer(parent)
    made.setSingleShot(True)
    made.timeout.connect(act)
    return made


_GONE = -1
"""The time of a folder that is not there."""


def _time_of(folder: bytes) -> int:
    """Return the time of a folder's last change in nanoseconds."""
    try:
        return os.stat(folder).st_mtime_ns
    except OSError:
        return _GONE


def _ignore(__: Failure) -> None:
    """Leave a failure to the next look: a disk may be going away just now."""


class _FolderSignals(QObject):
    """Events of folders, as signals."""

    told = Signal(object, bool)
    """Changed folders, and whether events were lost."""

    def watch(self, folder: bytes) -> bool:
        """Watch a folder; return False if no more are watched."""
        raise NotImplementedError

    def close(self) -> None:
        """Watch no more."""
        raise NotImplementedError


class _KernelEvents(_FolderSignals):
    """The system's own events of folders."""

    def __init__(self, events: FolderEvents, parent: QObject) -> None:
        super().__init__(parent)
        self._events = events
        self._notifier = QSocketNotifier(events.descriptor, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(lambda: self.told.emit(*self._events.changed()))

    @classmethod
    def opened(cls, parent: QObject) -> _KernelEvents | None:
        """Return the events; None where the system has none of its own."""
        events = system.folder_events()
        return None if events is None else cls(events, parent)

    def watch(self, folder: bytes) -> bool:
        return self._events.watch(folder)

    def close(self) -> None:
        self._notifier.setEnabled(False)
        self._events.close()


class _QtEvents(_FolderSignals):
    """Qt's events of folders, on the other systems."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.directoryChanged.connect(lambda path: self.told.emit({os.fsencode(path)}, False))

    def watch(self, folder: bytes) -> bool:
        path = os.fsdecode(folder)
        return path in self._watcher.directories() or self._watcher.addPath(path)

    def close(self) -> None:
        self._watcher.removePaths(self._watcher.directories())
