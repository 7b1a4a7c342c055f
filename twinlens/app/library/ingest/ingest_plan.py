"""The plan of a pass over photographs: which descriptors, keypoints and codes it makes; and what it has counted."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from twinlens.app.library.desktop_thumbnails import Use
from twinlens.app.library.workers.reduced_pictures import ReducedPictures
from twinlens.app.methods import catalogue
from twinlens.core.hashing.hash_method import Encoder
from twinlens.features.keypoints.sift import Cap
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.photographs.descriptors import KindRow


@dataclass
class IngestCounts:
    """Counts of a reading of photographs."""

    added: int = 0
    changed: int = 0
    moved: set[int] = field(default_factory=set)
    problems: int = 0
    passed_over: int = 0
    seconds: float = 0.0

    def rate(self) -> float:
        """Return the photographs read in a second."""
        return (self.added + self.changed) / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class IngestPlan:
    """The descriptors and indexes that every photograph is read for.

    Attributes
    ----------
    encoders : list of (IndexRow, KindRow, Encoder)
    cap : Cap
        The cap among whose keypoints the strongest are kept.
    desktop : Use
        The use of the desktop's thumbnails.
    leaves : bool
        Whether local features are left for a second pass.
    here : bool
        Whether this machine reads, whose cache has the reduced pictures.
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

    @cached_property
    def from_thumbnail(self) -> tuple[str, ...]:
        """Keys of the kinds for which a thumbnail is picture enough."""
        return tuple(kind.key for kind in self.kinds if catalogue.descriptor(kind.text).from_thumbnail)
