"""Jobs of the Map: the first layout, the possible colourings, and one photograph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from app.gui.frame.opened import OpenLibrary
from core.progress import Progress, part

if TYPE_CHECKING:
    from app.library.browsing import Photograph
    from app.map.results import LayoutKind, MapFacts, MapResult


@dataclass(frozen=True)
class LayoutChoice:
    """A request for a map.

    Attributes
    ----------
    index : str
    kind : {"neighbours", "pca"}
    sample : int or None
    """

    index: str
    kind: LayoutKind
    sample: int | None = None


@dataclass(frozen=True, eq=False)
class LaidOutMap:
    """A map, and what its photographs may be coloured by.

    Attributes
    ----------
    found : MapResult or None
        None where the library has no photographs.
    facts : MapFacts or None
    moment : str
        Of the library's photographs: another text, other photographs.
    """

    found: MapResult | None
    facts: MapFacts | None
    moment: str


def ready(opened: OpenLibrary, wish: LayoutChoice, progress: Progress) -> LaidOutMap:
    """Return the map that is wished if it is kept, else principal components, which are there at once."""
    from app.map.colourings import map_facts, moment
    from app.map.layout import MapSettings, library_map, ready_map

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
    from app.library.browsing import counts

    return counts(opened.library).listed == 0


def photograph_with_thumbnail(opened: OpenLibrary, photograph_id: int) -> tuple[Photograph, QImage] | None:
    """Return what is known of a photograph, and its thumbnail."""
    from app.library.browsing import photographs
    from app.library.pictures import thumbnails

    found = photographs(opened.library, [photograph_id])
    if not found:
        return None
    jpeg = thumbnails(opened.library, [found[0].content_hash]).get(found[0].content_hash, b"")
    return found[0], QImage.fromData(jpeg) if jpeg else QImage()
