"""The listing of the library as rows of a grid; names and dates come as photographs come into sight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QDate, QDateTime, QLocale, Qt

from twinlens.app.gui.photo_grid.grid_layout import Caption, GridSection
from twinlens.app.gui.pictures.photograph import SeenPhotographs, written_date
from twinlens.app.language.texts import _
from twinlens.core.arrays import Int64Ids

if TYPE_CHECKING:
    from twinlens.app.library.browsing.listing import PhotoListing
    from twinlens.app.library.browsing.overview import ListingSection
    from twinlens.app.library.browsing.photographs import Photograph

_MONTH = re.compile(r"\d{4}-\d{2}")
_DATE = re.compile(r"(\d{4}(-\d{2})?)?")


def _caption(photograph: Photograph | None) -> Caption:
    """Return the line under a photograph, empty until the photograph is known."""
    if photograph is None:
        return Caption()
    day = QDateTime.fromString(photograph.taken or "", Qt.DateFormat.ISODate).date()
    short = QLocale().toString(day, QLocale.FormatType.ShortFormat) if day.isValid() else ""
    written = short or written_date(photograph.taken)
    return Caption(photograph.name, written)


@dataclass(frozen=True, eq=False)
class ListingRows:
    """The rows of the library's grid: photographs under headings, with optional names."""

    listing: PhotoListing
    seen: SeenPhotographs | None = None
    shelves: Sequence[GridSection] = ()
    _starts: Int64Ids = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        shelves = [_localised(shelf) for shelf in self.listing.shelves]
        object.__setattr__(self, "shelves", shelves)
        object.__setattr__(self, "_starts", np.array([shelf.start for shelf in shelves], np.int64))

    @property
    def count(self) -> int:
        """Return the number of photographs."""
        return len(self.listing.ids)

    @property
    def ids(self) -> Int64Ids:
        """Return their ids."""
        return self.listing.ids

    @property
    def dates(self) -> list[str]:
        """Return the date of each section, where sections are dates."""
        keys = [shelf.key for shelf in self.listing.shelves]
        return keys if all(map(_DATE.fullmatch, keys)) else []

    @property
    def hashes(self) -> npt.NDArray[np.uint8]:
        """Return their content hashes."""
        return self.listing.hashes

    @property
    def away(self) -> npt.NDArray[np.bool_] | None:
        """Return a mask of the photographs that cannot be reached now."""
        return self.listing.away

    def caption(self, row: int) -> Caption | None:
        """Return name and date of a photograph, if names are shown."""
        return None if self.seen is None else _caption(self.seen.of(int(self.listing.ids[row])))

    def spoken(self, row: int) -> str:
        """Return the description of a photograph and its place in the list."""
        place = int(np.searchsorted(self._starts, row, "right")) - 1
        heading = self.shelves[place].heading if self.shelves else ""
        words = _("Photo {row} of {value}, {heading}", row=row + 1, value=self.count, heading=heading)
        away = self.listing.away[row]
        return words + ", " + _("not connected") if away else words


def _localised(shelf: ListingSection) -> ListingSection:
    """Return a section with its heading (a month, or no date) in the language of the window."""
    if _MONTH.fullmatch(shelf.key):
        day = QDate(int(shelf.key[:4]), int(shelf.key[5:]), 1)
        return replace(shelf, heading=QLocale().toString(day, "MMMM yyyy"))
    return shelf if shelf.key else replace(shelf, heading=_("Without a date"))
