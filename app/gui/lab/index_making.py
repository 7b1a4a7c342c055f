"""Makes indexes of what the Lab has measured, in their turn among other long work; undone, they are deleted again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.language.spoken import _
from core.progress import Progress

if TYPE_CHECKING:
    from app.gui.frame.window import Window
    from app.library.library import Library
    from app.results import IndexStatus

Create = Callable[["Library", Progress], "IndexStatus"]


class IndexMaking(QObject):
    """Makes them.

    Parameters
    ----------
    window : Window
    parent : QObject
    """

    _over = Signal(object)  # from the job: what is called at its end

    def __init__(self, window: Window, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._over.connect(self._on_over)

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
            try:
                return create(window.opened.library, progress).name
            finally:
                self._over.emit(ended)

        def made(name: str) -> None:
            window.adding.index_made.emit(name)
            window.undoing.offer(_("Created the index “{name}”.", name=name), lambda: self._delete(name))

        window.adding.run(_("Creating an index with {method}…", method=what), work, made, ended)

    def _on_over(self, ended: Callable[[], object]) -> None:
        ended()

    def _delete(self, name: str) -> None:
        window = self._window

        def work(__: Progress) -> None:
            from app.indexes.indexes import delete_index

            delete_index(window.opened.library, name)

        window.jobs.begin(work).then(lambda __: window.adding.changed.emit())
