"""An open library as the window holds it: opened in a job, watched for changes by other programs, and closed.

Closing settles pending changes and saves the state of the window.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from twinlens.app.gui.process.jobs import Jobs
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from pathlib import Path

    from twinlens.app.library.library import Library, LibrarySnapshot
    from twinlens.app.search.searcher import Searcher
    from twinlens.storage.database.address import Address


@dataclass(frozen=True, eq=False)
class OpenLibrary:
    """A library with its searcher, and the saved state of its window."""

    library: Library
    state: dict[str, object]
    put_away: set[str] = field(default_factory=set)
    """Names of indexes deleted in the window: hidden at once, and deleted when the library is closed."""

    @cached_property
    def searcher(self) -> Searcher:
        """Return the searcher, made at the first search or while the window is idle."""
        from twinlens.app.library.workers import decoders
        from twinlens.app.search.searcher import Searcher

        decoders.warm()
        return Searcher(self.library, build_aside=True)

    @property
    def address(self) -> Address:
        """Return the address of its file, or of the database on a server."""
        return self.library.address


def open_library(address: Address | Path | None, create: bool = True) -> OpenLibrary:
    """Open a library, creating a missing one if ``create`` is set; called in a job.

    Raises
    ------
    TwinlensError
        If the library cannot be opened.
    """
    from twinlens.app.indexes.indexes import default_index
    from twinlens.app.library.library import AUTOMATIC, Library
    from twinlens.app.library.saved_state import window_state

    library = Library.open(address, create=create)
    try:
        state: dict[str, object] = dict(window_state(library))
        default = default_index(library)
        if state.get("default", AUTOMATIC) != default:  # chosen by another program since the window was closed
            kept = state.get("search")
            state["search"] = (kept if isinstance(kept, dict) else {}) | {"index": default}
        return OpenLibrary(library, state)
    except BaseException:
        library.close()
        raise


_EVERY_MS = 2000
_AFTER_CHANGE_MS = 5000  # another program may be adding photographs, and showing them must not take all the time


class LibraryWatch(QObject):
    """Watches the library for changes by other programs; the window shows its own changes anyway."""

    lost = Signal(object)
    """The library's file is gone: the `Failure`."""
    folders_changed = Signal()
    """A folder was added or forgotten, or a disk has come or gone; by whomever."""
    changed = Signal()
    """Photographs, indexes or disks have changed since the last look."""
    written = Signal()
    """Something was written since the last look, by whomever; decisions, perhaps, which no other signal tells."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._looking = jobs.latest()
        self._seen: LibrarySnapshot | None = None
        self._growing = False
        self._own = False
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        self.look()

    def stop(self) -> None:
        """Stop watching."""
        self._timer.stop()

    def rest(self, growing: bool) -> None:
        """Pause while the window itself adds photographs."""
        self._growing = growing
        self._own = True  # the first look afterwards ignores the window's own additions

    def look(self) -> None:
        """Look for changes now."""
        opened, before = self._opened, self._seen
        if self._looking.running:
            return

        def work(_: Progress) -> LibrarySnapshot:
            from twinlens.app.library.library import look_for_changes

            return look_for_changes(opened.library, before)

        self._looking.begin(work).then(self._on_seen).failed(self.lost.emit)

    def _on_seen(self, seen: LibrarySnapshot) -> None:
        before, self._seen = self._seen, seen
        if before is not None and before.places != seen.places:
            self.folders_changed.emit()
        if before is not None and before.version != seen.version:
            self.written.emit()
        quiet, self._own = self._growing or self._own, False
        other = before is not None and before.facts != seen.facts and not quiet
        self._timer.setInterval(_AFTER_CHANGE_MS if other else _EVERY_MS)
        if other:
            self.changed.emit()


def close_library(opened: OpenLibrary, state: dict[str, Any]) -> None:
    """Save the state of the window, settle changes that could be undone, and close the library.

    Parameters
    ----------
    state : dict
        State of the window.
    """
    from twinlens.app.indexes.indexes import default_index, delete_index
    from twinlens.app.library.ingest.forgotten_folders import settle
    from twinlens.app.library.saved_state import keep_window_state
    from twinlens.core.errors import TwinlensError

    try:
        settle(opened.library)
        for name in sorted(opened.put_away):
            delete_index(opened.library, name)
        if opened.library.store.writable:
            keep_window_state(opened.library, state | {"default": default_index(opened.library)})
    except TwinlensError:
        pass  # a disk that is full or gone: losing the state of the window is acceptable
    finally:
        opened.library.close()
