"""What every photograph is read for: descriptors, indexes and keypoints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from app.library.desktop_thumbnails import Use
from app.library.reduced_pictures import ReducedPictures
from app.methods import catalogue
from core.hashing.hash_method import Encoder
from features.keypoints.sift import Cap
from storage.indexes.indexes import IndexRow
from storage.photographs.descriptors import KindRow


@dataclass(frozen=True)
class IngestPlan:
    """The descriptors and indexes that every photograph is read for.

    Attributes
    ----------
    kinds : list of KindRow
    encoders : list of (IndexRow, KindRow, Encoder)
    cap : Cap
        Among which keypoints those that are kept are the strongest.
    reduced : ReducedPictures
    desktop : Use
        What is done with the thumbnails that the desktop's programs share.
    leaves : bool
        Whether local features are left for later.
    here : bool
        Whether this machine reads, which has reduced pictures in its cache.
    """

    kinds: list[KindRow]
    encoders: list[tuple[IndexRow, KindRow, Encoder]]
    cap: Cap
    reduced: ReducedPictures
    desktop: Use = "off"
    leaves: bool = False
    here: bool = True

    @cached_property
    def caps(self) -> tuple[Cap, ...]:
        """All local features that are described."""
        described = {cap for kind in self.kinds for cap in catalogue.descriptor(kind.text).caps}
        return tuple(sorted(described | {self.cap}))

    @cached_property
    def local(self) -> tuple[str, ...]:
        """Keys of the kinds that describe local features, among the others."""
        return tuple(kind.key for kind in self.kinds if catalogue.descriptor(kind.text).caps)
