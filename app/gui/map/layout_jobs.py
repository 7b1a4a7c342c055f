"""Jobs that make maps: queued with other long work, one at a time, and dropped when not wanted any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.gui.frame.opened import OpenLibrary
from app.gui.map.map_jobs import LaidOutMap, LayoutChoice
from app.language.spoken import _
from core.errors import Cancelled
from core.message import NOTHING, Message
from core.progress import Progress, part

if TYPE_CHECKING:
    from app.gui.frame.window import WorkspaceServices


class MapMaking(QObject):
    """Makes maps.

    Parameters
    ----------
    window : Window
    wished : callable
        Tells whether a map of a library is still what is wished.

    Signals
    -------
    laid_out(Wish, ndarray, ndarray)
        Where photographs lie by now, while a map is made.
    made(Wish, object)
        Its :class:`~app.gui.map.map_jobs.LaidOutMap`; None where another one was wished by then.
    left()
        It was stopped, or failed.

    Attributes
    ----------
    wish : Wish or None
        Which map is being made.
    """

    laid_out = Signal(object, object, object)
    made = Signal(object, object)
    left = Signal()
    _told = Signal(object, object, object)  # by the job, from its own thread

    def __init__(self, window: WorkspaceServices, wished: Callable[[OpenLibrary, LayoutChoice], bool]) -> None:
        super().__init__(window.widget)
        self._adding, self._wished = window.adding, wished
        self.wish: LayoutChoice | None = None
        self._told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)
        window.adding.growing.connect(self._on_growing)

    def forget(self) -> None:
        """Wait for no map any more: another library is shown."""
        self.wish = None

    def make(self, opened: OpenLibrary, wish: LayoutChoice, anew: bool = False) -> bool:
        """Make a map, unless it is being made; tell whether it is begun."""
        if self.wish == wish:
            return False
        self.wish = wish

        def work(progress: Progress) -> LaidOutMap | None:
            from app.map.colourings import map_facts, moment
            from app.map.layout import MapSettings, library_map

            def told(done: float, total: float, text: Message = NOTHING) -> None:
                progress(done, total, text)
                if not self._wished(opened, wish):
                    raise Cancelled

            def watch(ids: object, xy: object) -> None:
                self._told.emit(wish, ids, xy)

            try:
                now = moment(opened.library)
                most = part(told, 0, 0.97)
                found = library_map(
                    opened.library, MapSettings(index=wish.index, kind=wish.kind, sample=wish.sample), anew, most, watch
                )
                return LaidOutMap(found, map_facts(opened.library, found.ids, part(told, 0.97, 1)), now)
            except Cancelled:
                if self._wished(opened, wish):
                    raise
                return None

        def then(laid: LaidOutMap | None) -> None:
            if self.wish == wish:
                self.wish = None
            self.made.emit(wish, laid if self._wished(opened, wish) else None)

        self._adding.run(self.words(wish), work, then)
        return True

    @staticmethod
    def words(wish: LayoutChoice) -> str:
        """Return what is being done."""
        return _("Laying out the library by {index}…", index=wish.index)

    def _on_told(self, wish: LayoutChoice, ids: Any, xy: Any) -> None:
        if wish == self.wish:
            self.laid_out.emit(wish, ids, xy)

    def _on_growing(self, growing: bool) -> None:
        if not growing:
            QTimer.singleShot(0, self, self._on_end_of_work)  # what was made is told first

    def _on_end_of_work(self) -> None:
        if self.wish is not None and not self._adding.busy():
            self.wish = None
            self.left.emit()
