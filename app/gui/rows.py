"""What the grids are given: a listing of the library, or the hits of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from app.gui.photo_grid.rows import Caption, Section

if TYPE_CHECKING:
    from app.browsing import Listing, Photograph
    from app.results import Hit, Missed

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ListingRows:
    """The library: no words under the photographs, headings above them."""

    listing: Listing

    @property
    def count(self) -> int:
        """How many photographs."""
        return len(self.listing.ids)

    @property
    def ids(self) -> Ids:
        """Their ids."""
        return self.listing.ids

    @property
    def hashes(self) -> npt.NDArray[np.uint8]:
        """Their content hashes."""
        return self.listing.hashes

    @property
    def away(self) -> npt.NDArray[np.bool_] | None:
        """Which cannot be reached now."""
        return self.listing.away

    @property
    def shelves(self) -> Sequence[Section]:
        """The headings."""
        return self.listing.shelves

    def caption(self, row: int) -> Caption | None:
        """Give none."""
        return None

    def spoken(self, row: int) -> str:
        """Say where it stands."""
        shelves = self.listing.shelves
        starts = [shelf.start for shelf in shelves]
        heading = shelves[int(np.searchsorted(starts, row, "right")) - 1].heading if shelves else ""
        words = QCoreApplication.translate("Rows", "Photograph {0} of {1}, {2}").format(row + 1, self.count, heading)
        away = self.listing.away[row]
        return f"{words}, {QCoreApplication.translate('Rows', 'not connected')}" if away else words


@dataclass(frozen=True)
class FoundPhotograph:
    """A hit, or what exact search found besides."""

    photograph: Photograph
    hit: Hit | Missed
    rank: int
    ghost: bool = False

    def spoken(self) -> str:
        """Say rank, name and similarity."""
        missed = QCoreApplication.translate("Rows", "missed; ") if self.ghost else ""
        words = QCoreApplication.translate("Rows", "{0}: {1}, similarity {2}")
        return missed + words.format(self.rank, self.photograph.name, f"{self.hit.similarity:.2f}")


@dataclass(frozen=True, eq=False)
class HitRows:
    """Hits in the order of their ranks, and behind them what was missed."""

    found: Sequence[FoundPhotograph]
    away: npt.NDArray[np.bool_] = field(init=False)
    ids: Ids = field(init=False)
    hashes: npt.NDArray[np.uint8] = field(init=False)
    shelves: Sequence[Section] = ()

    def __post_init__(self) -> None:
        hashes = b"".join(one.photograph.content_hash for one in self.found)
        object.__setattr__(self, "ids", np.array([one.photograph.id for one in self.found], np.int64))
        object.__setattr__(self, "hashes", np.frombuffer(hashes, np.uint8).reshape(-1, 32))
        object.__setattr__(self, "away", np.array([one.photograph.away for one in self.found], np.bool_))

    @property
    def count(self) -> int:
        """How many photographs."""
        return len(self.found)

    def caption(self, row: int) -> Caption | None:
        """Give rank, similarity and bar."""
        one = self.found[row]
        asked = getattr(one.hit, "query", False)
        left = QCoreApplication.translate("Rows", "asked") if asked else str(one.rank)
        return Caption(left, f"{one.hit.similarity:.2f}", max(0.0, min(1.0, one.hit.similarity)), asked, one.ghost)

    def spoken(self, row: int) -> str:
        """Say rank, name and similarity."""
        return self.found[row].spoken()
