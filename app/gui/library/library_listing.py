"""The listing of the library as rows of a grid; names and dates are fetched as they come into sight."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QDate, QDateTime, QLocale, QObject, Qt, QTimer, Signal

from app.gui.photo_grid.grid_layout import Caption, GridSection
from app.gui.pictures.photograph import film_length, written_date
from app.gui.process.jobs import Jobs
from app.gui.process.open_library import OpenLibrary
from app.language.texts import _
from core.arrays import Int64Ids
from core.containers import RecentValues
from core.progress import Progress

if TYPE_CHECKING:
    from app.library.browsing import Photograph, PhotoListing
    from app.library.overview import ListingSection

_MONTH = re.compile(r"\d{4}-\d{2}")
_DATE = re.compile(r"(\d{4}(-\d{2})?)?")

_MOST = 5_000
"""Captions kept at most: more than any screen shows."""

_AT_ONCE = 500
_UNKNOWN = Caption()


class Captions(QObject):
    """A cache of the captions painted last; a missing one is empty, and is fetched."""

    came = Signal()
    """More captions are known."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._asking = jobs.latest()
        self._known: RecentValues[int, Caption] = RecentValues(_MOST)
        self._lacking: dict[int, None] = {}
        self._soon = QTimer(self)  # the missing captions of one repaint are fetched together
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._ask)

    def of(self, photograph_id: int) -> Caption:
        """Return the caption of a photograph, empty until known."""
        known = self._known.get(photograph_id)
        if known is None:
            self._lacking[photograph_id] = None
            self._soon.start()
            return _UNKNOWN
        return known

    def forget(self) -> None:
        """Forget all captions, since files were renamed or read again."""
        self._known.clear()

    def _ask(self) -> None:
        opened = self._opened
        if self._asking.running or not self._lacking:
            return
        wanted = list(reversed(self._lacking))[
            :_AT_ONCE
        ]  # captions scrolled past are fetched when they are visible again
        self._lacking = {}

        def work(_: Progress) -> list[Photograph]:
            from app.library.browsing import photographs

            return photographs(opened.library, wanted)

        def then(found: list[Photograph]) -> None:
            # A photograph that is gone has no caption until the library is listed again.
            captions = dict.fromkeys(wanted, _UNKNOWN) | {one.id: _caption(one) for one in found}
            for photograph_id, caption in captions.items():
                self._known.keep(photograph_id, caption)
            self.came.emit()  # visible photographs that still lack one request it again
            self._soon.start()

        self._asking.begin(work).then(then)


def _caption(photograph: Photograph) -> Caption:
    day = QDateTime.fromString(photograph.taken or "", Qt.DateFormat.ISODate).date()
    short = QLocale().toString(day, QLocale.FormatType.ShortFormat) if day.isValid() else ""
    written = short or written_date(photograph.taken)
    return Caption(photograph.name, written, film=film_length(photograph))


@dataclass(frozen=True, eq=False)
class ListingRows:
    """The rows of the library's grid: photographs under headings, with optional names, and the signs of films."""

    listing: PhotoListing
    captions: Captions | None = None
    named: bool = True
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
        return None if self.captions is None or not self.named else self.captions.of(int(self.listing.ids[row]))

    def film(self, row: int) -> str:
        """Return the length of a film once it is known."""
        return "" if self.captions is None else self.captions.of(int(self.listing.ids[row])).film

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
