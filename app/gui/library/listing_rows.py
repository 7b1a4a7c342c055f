"""Rows for the grid: a listing of the library."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QDate, QLocale

from app.gui.library.captions import Captions
from app.gui.photo_grid.grid_rows import Caption, GridSection
from app.language.spoken import _
from core.arrays import Int64Ids

if TYPE_CHECKING:
    from app.library.browsing import PhotoListing
    from app.library.headings import ListingSection


_MONTH = re.compile(r"\d{4}-\d{2}")


@dataclass(frozen=True, eq=False)
class ListingRows:
    """The library: headings above the photographs, and names under them where they are wanted."""

    listing: PhotoListing
    captions: Captions | None = None
    shelves: Sequence[GridSection] = ()
    _starts: Int64Ids = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        shelves = [_localised(shelf) for shelf in self.listing.shelves]
        object.__setattr__(self, "shelves", shelves)
        object.__setattr__(self, "_starts", np.array([shelf.start for shelf in shelves], np.int64))

    @property
    def count(self) -> int:
        """How many photographs."""
        return len(self.listing.ids)

    @property
    def ids(self) -> Int64Ids:
        """Their ids."""
        return self.listing.ids

    @property
    def hashes(self) -> npt.NDArray[np.uint8]:
        """Their content hashes."""
        return self.listing.hashes

    @property
    def away(self) -> npt.NDArray[np.bool_] | None:
        """The photographs that cannot be reached now."""
        return self.listing.away

    def caption(self, row: int) -> Caption | None:
        """Return name and date, or none."""
        return None if self.captions is None else self.captions.of(int(self.listing.ids[row]))

    def spoken(self, row: int) -> str:
        """Describe a photograph and its place in the list."""
        place = int(np.searchsorted(self._starts, row, "right")) - 1
        heading = self.shelves[place].heading if self.shelves else ""
        words = _("Photo {row} of {value}, {heading}", row=row + 1, value=self.count, heading=heading)
        away = self.listing.away[row]
        return words + ", " + _("not connected") if away else words


def _localised(shelf: ListingSection) -> ListingSection:
    """Write the heading of a month, or of what has no date, in the language of the window."""
    if _MONTH.fullmatch(shelf.key):
        day = QDate(int(shelf.key[:4]), int(shelf.key[5:]), 1)
        return replace(shelf, heading=QLocale().toString(day, "MMMM yyyy"))
    return shelf if shelf.key else replace(shelf, heading=_("Without a date"))
