"""Makes indexes of what the Lab has measured, in their turn among other long work; undone, they are deleted again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.gui.lab.queued_work import QueuedWork
from app.language.spoken import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.window import WorkspaceServices
    from app.indexes.results import IndexStatus
    from app.library.library import Library

Create = Callable[["Library", Progress], "IndexStatus"]


class IndexMaking(QObject):
    """Makes them.

    Parameters
    ----------
    window : Window
    parent : QObject
    """

    def __init__(self, window: WorkspaceServices, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window

    def make(self, what: str, create: Create, ended: Callable[[], object] = lambda: None) -> None:
        """Make an index.

        Parameters
        ----------
        what : str
            Said while it is made.
        create : callable
            Makes it in the library.
        ended : callable
            Called when it is made, has failed, or was stopped.
        """
        window = self._window

        def work(progress: Progress) -> str:
            return create(window.opened.library, progress).name

        def made(name: str) -> None:
            window.adding.index_made.emit(name)
            window.undoing.offer(_("Created the index “{name}”.", name=name), lambda: self._delete(name))

        one = QueuedWork(window.adding, self)
        one.ended.connect(lambda *__: ended())
        one.finished.connect(made)
        one.queue(_("Creating an index with {method}…", method=what), work)

    def _delete(self, name: str) -> None:
        window = self._window

        def work(__: Progress) -> None:
            from app.indexes.indexes import delete_index

            delete_index(window.opened.library, name)

        window.jobs.begin(work).then(lambda __: window.adding.changed.emit())
