"""Jobs of the map: first layout, colourings, the card of a photograph, and new layouts in the queue of long work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage

from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.language.texts import _
from twinlens.core.errors import Cancelled
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress, part

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.library.browsing.photographs import Photograph
    from twinlens.app.map.map_results import MapFacts, MapResult
    from twinlens.app.map.map_settings import LayoutKind


@dataclass(frozen=True)
class LayoutChoice:
    """A request for a map."""

    index: str
    kind: LayoutKind
    sample: int | None = None


@dataclass(frozen=True, eq=False)
class LaidOutMap:
    """A map, and the data for its colourings.

    Attributes
    ----------
    found : MapResult or None
        None where the library has no photographs.
    moment : str
        Of the library's photographs: another text, other photographs.
    """

    found: MapResult | None
    facts: MapFacts | None
    moment: str


def ready(opened: OpenLibrary, wish: LayoutChoice, progress: Progress) -> LaidOutMap:
    """Return the chosen map if it is kept, else principal components, which take no time."""
    from twinlens.app.map.colourings import map_facts, moment
    from twinlens.app.map.layout import library_map, ready_map
    from twinlens.app.map.map_settings import MapSettings

    library = opened.library
    now = moment(library)
    if is_empty(opened):
        return LaidOutMap(None, None, now)
    found = None
    if wish.kind == "neighbours":
        found = ready_map(
            library, MapSettings(index=wish.index, kind=wish.kind, sample=wish.sample), part(progress, 0, 0.4)
        )
    if found is None:
        found = library_map(
            library, MapSettings(index=wish.index, kind="pca", sample=wish.sample), progress=part(progress, 0.4, 0.9)
        )
    return LaidOutMap(found, map_facts(library, found.ids, part(progress, 0.9, 1)), now)


def is_empty(opened: OpenLibrary) -> bool:
    """Return whether the library has no photograph."""
    from twinlens.app.library.library_status import counts

    return counts(opened.library).listed == 0


def photograph_with_thumbnail(opened: OpenLibrary, photograph_id: int) -> tuple[Photograph, QImage] | None:
    """Return the facts of a photograph, and its thumbnail."""
    from twinlens.app.library.browsing.photographs import photographs
    from twinlens.app.library.pictures import thumbnails

    found = photographs(opened.library, [photograph_id])
    if not found:
        return None
    jpeg = thumbnails(opened.library, [found[0].content_hash]).get(found[0].content_hash, b"")
    return found[0], QImage.fromData(jpeg) if jpeg else QImage()


class MapMaking(QObject):
    """Creation of maps in the queue of long work.

    Parameters
    ----------
    wished : callable
        Tells whether a map of a library is still what is wished.
    laid_out(Wish, ndarray, ndarray)
        Where photographs lie by now, while a map is made.
    made(Wish, object)
        Its :class:`~twinlens.app.gui.map.map_jobs.LaidOutMap`; None where another one was wished by then.
    left()
        It was stopped, or failed.

    Attributes
    ----------
    wish : LayoutChoice or None
        Which map is being made.
    """

    laid_out = Signal(object, object, object)
    made = Signal(object, object)
    left = Signal()
    _told = Signal(object, object, object)  # by the job, from its own thread

    def __init__(self, window: Workspace, wished: Callable[[OpenLibrary, LayoutChoice], bool]) -> None:
        super().__init__(window)
        self._work, self._wished = window.work, wished
        self.wish: LayoutChoice | None = None
        self._told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)

    def forget(self) -> None:
        """Wait for no map any more, since another library is open."""
        self.wish = None

    def make(self, opened: OpenLibrary, wish: LayoutChoice, anew: bool = False) -> bool:
        """Make a map unless it is being made; return whether it was started."""
        if self.wish == wish:
            return False
        self.wish = wish

        def work(progress: Progress) -> LaidOutMap | None:
            from twinlens.app.map.colourings import map_facts, moment
            from twinlens.app.map.layout import library_map
            from twinlens.app.map.map_settings import MapSettings

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

        def over(laid: LaidOutMap | None) -> None:
            if laid is None and self.wish == wish and self._wished(opened, wish):
                self.wish = None
                self.left.emit()

        self._work.run(self.words(wish), work).then(then).over(over)
        return True

    @staticmethod
    def words(wish: LayoutChoice) -> str:
        """Return the text of the running work."""
        return _("Drawing the map…")

    def _on_told(self, wish: LayoutChoice, ids: Any, xy: Any) -> None:
        if wish == self.wish:
            self.laid_out.emit(wish, ids, xy)
