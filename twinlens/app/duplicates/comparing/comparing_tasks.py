"""Tasks of worker processes that compare pictures: hash, align, compare closely, find damage.

A pair that ends its process, or takes too long or too much memory, costs one sentence, and all others are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, cast

import cv2
import numpy as np

from twinlens.app.library.workers.decoding_tasks import DecodingTask as File
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies import RelationKind
from twinlens.features.copies.close_comparison import LargePicture, is_drawing, relate_closely
from twinlens.features.copies.damage import Damage, damage, may_differ_from_a_row_on
from twinlens.features.copies.further_frames import further_frames
from twinlens.features.copies.perceptual_hash import Orientation, turnable_hash
from twinlens.features.copies.relation import ComparedPicture, Relation, relate
from twinlens.features.keypoints.keypoints import restored_keypoints
from twinlens.features.reading.reading_limits import Limits

SIDE = 160
"""Pixels of the longer side at which two pictures are laid over each other."""

_LOOKS = 256  # of 200 KB each


@dataclass(frozen=True)
class ThumbnailHashTask:
    """Thumbnails to hash.

    Attributes
    ----------
    jpegs : tuple of bytes
        Empty where there is none.
    """

    jpegs: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """Bytes of all."""
        return sum(map(len, self.jpegs))

    def __call__(self, limits: Limits) -> list[bytes | None]:
        """Hash each thumbnail; None where there is none, or it shows next to nothing."""
        return [_hash(jpeg) for jpeg in self.jpegs]


@dataclass(frozen=True)
class StoredLook:
    """The stored data of a picture that aligning needs.

    Attributes
    ----------
    thumbnail : bytes
    keypoints : bytes or None
    size : tuple of int
        Pixels across and down of the full picture.
    """

    thumbnail: bytes
    keypoints: bytes | None
    size: tuple[int, int]


class Alignment(NamedTuple):
    """The relation of two thumbnails.

    Attributes
    ----------
    parted : bool
        Whether they may differ only below some row, as damage does.
    drawn : bool
        Whether both may be ink on paper, of which only a close comparison tells what it says.
    """

    relation: Relation
    parted: bool
    drawn: bool


@dataclass(frozen=True)
class AlignmentTask:
    """Two pictures to lay one over the other.

    Attributes
    ----------
    way : Orientation
        How the whole of the first may be the whole of the second.
    """

    first: StoredLook
    second: StoredLook
    way: Orientation

    @property
    def size(self) -> int:
        """Bytes of both."""
        return len(self.first.thumbnail) + len(self.second.thumbnail)

    def __call__(self, limits: Limits) -> Alignment | None:
        """Return the relation of the second to the first; None where a thumbnail cannot be read."""
        first, second = _look(self.first), _look(self.second)
        if first is None or second is None:
            return None
        drawn = all(
            is_drawing(cast("UInt8Pixels", cv2.cvtColor(one.small, cv2.COLOR_RGB2GRAY))) for one in (first, second)
        )
        return Alignment(relate(first, second, self.way), may_differ_from_a_row_on(first.small, second.small), drawn)


@dataclass(frozen=True)
class GreyPicture:
    """A picture to decode in grey."""

    of: File

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self.of.size

    def __call__(self, limits: Limits) -> UInt8Pixels:
        """Decode the picture in grey, (h, w)."""
        return np.asarray(cv2.cvtColor(self.of(limits).rgb, cv2.COLOR_RGB2GRAY), np.uint8)


class CloseRelation(NamedTuple):
    """The relation of two pictures that were compared closely.

    Attributes
    ----------
    parted : bool
        Whether they may differ only below some row, as damage does.
    second_made : bool or None
        Of two of one size, whether the second was made from the first, or the first from the second.
    """

    kind: RelationKind
    parted: bool = False
    second_made: bool | None = None


@dataclass(frozen=True)
class CloseComparisonTask:
    """Two pictures to compare closely by :func:`twinlens.features.copies.close_comparison.relate_closely`."""

    first: LargePicture
    second: LargePicture
    made_smaller: bool | None
    small: Relation

    @property
    def size(self) -> int:
        """Bytes of both."""
        return self.first.grey.nbytes + self.second.grey.nbytes

    def __call__(self, limits: Limits) -> CloseRelation:
        """Compare the two."""
        kind = relate_closely(self.first, self.second, self.made_smaller, self.small)
        parted = kind is not RelationKind.SAME and may_differ_from_a_row_on(self.first.grey, self.second.grey)
        one, other = self.first.blocks, self.second.blocks
        return CloseRelation(kind, parted, None if one is None or other is None else other.is_made_from(one))


class ComparedFrames(NamedTuple):
    """The further frames of two files: how many frames each has, and whether the further ones are the same."""

    first: int
    second: int
    same: bool


@dataclass(frozen=True)
class FurtherFramesTask:
    """Two files whose first pictures are the same."""

    first: File
    second: File

    @property
    def size(self) -> int:
        """Bytes of both."""
        return self.first.size + self.second.size

    def __call__(self, limits: Limits) -> ComparedFrames:
        """Compare their further frames."""
        one, other = (further_frames(file.read(limits), file.name, limits) for file in (self.first, self.second))
        return ComparedFrames(one.count, other.count, one.are_those_of(other))


@dataclass(frozen=True)
class DamageTask:
    """Two files of which one may be damaged."""

    first: File
    second: File

    @property
    def size(self) -> int:
        """Bytes of both."""
        return self.first.size + self.second.size

    def __call__(self, limits: Limits) -> Damage | None:
        """Return which is damaged, and from where on; None where neither is."""
        return damage(self.first.read(limits), self.second.read(limits), self.first.name, limits)


def _hash(jpeg: bytes) -> bytes | None:
    grey = _decoded(jpeg, cv2.IMREAD_REDUCED_GRAYSCALE_2)
    number = None if grey is None else turnable_hash(grey)
    return None if number is None else number.to_bytes(8, "little")


@lru_cache(_LOOKS)
def _look(kept: StoredLook) -> ComparedPicture | None:
    bgr = _decoded(kept.thumbnail, cv2.IMREAD_COLOR)
    if bgr is None:
        return None
    height, width = bgr.shape[:2]
    scale = SIDE / max(height, width)
    if scale < 1:
        size = max(1, round(width * scale)), max(1, round(height * scale))
        bgr = cast("UInt8Pixels", cv2.resize(bgr, size, interpolation=cv2.INTER_AREA))
    small = np.asarray(cv2.cvtColor(bgr, cv2.COLOR_BGR2RGB), np.uint8)
    return ComparedPicture(small, None if kept.keypoints is None else restored_keypoints(kept.keypoints), kept.size)


def _decoded(jpeg: bytes, how: int) -> UInt8Pixels | None:
    found = cv2.imdecode(np.frombuffer(jpeg, np.uint8), how) if jpeg else None
    return None if found is None else np.asarray(found, np.uint8)
