"""Tasks of worker processes that make, describe and hash edited copies; importing them brings no library."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies.perceptual_hash import Hash, hash_of_jpeg, perceptual_hash
from twinlens.features.pictures.channels import picture_of_pixels
from twinlens.features.pictures.edits import BY_NAME
from twinlens.features.pictures.picture import MID_GREY, Picture
from twinlens.features.reading import reading_limits
from twinlens.features.reading.reading_limits import Limits


@dataclass(frozen=True, eq=False)
class Editing:
    """A photograph to make an edited copy of.

    Attributes
    ----------
    edit : str
        Name of the edit.
    rgb : ndarray of uint8, (h, w, 3)
    host : ndarray of uint8, (h, w, 3), or None
        The photograph to paste it into; None for plain grey.
    """

    edit: str
    rgb: UInt8Pixels
    host: UInt8Pixels | None
    seed: int

    @property
    def size(self) -> int:
        """Bytes of both photographs."""
        return self.rgb.nbytes + (0 if self.host is None else self.host.nbytes)

    def __call__(self, limits: Limits) -> Picture:
        """Return the copy as descriptors take it."""
        return picture_of_pixels(self.pixels())

    def pixels(self) -> UInt8Pixels:
        """Return the copy in its full size."""
        reading_limits.end_processor_time()  # edits differ too much
        host = np.full_like(self.rgb, MID_GREY) if self.host is None else self.host
        return BY_NAME[self.edit].apply(self.rgb, host, self.seed)


class HashedCopy(NamedTuple):
    """An edited copy for descriptors, and its perceptual hash."""

    picture: Picture
    hash: Hash


@dataclass(frozen=True, eq=False)
class HashedEditing:
    """A photograph of which an edited copy is made and hashed."""

    of: Editing

    @property
    def size(self) -> int:
        """Bytes of both photographs."""
        return self.of.size

    def __call__(self, limits: Limits) -> HashedCopy:
        """Make the copy, and hash it in its full size."""
        rgb = self.of.pixels()
        grey = np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8)
        return HashedCopy(picture_of_pixels(rgb), perceptual_hash(grey))


@dataclass(frozen=True)
class PerceptualHashes:
    """Thumbnails to hash.

    Attributes
    ----------
    jpegs : tuple of bytes
        Empty where there is none.
    """

    jpegs: tuple[bytes, ...]

    @property
    def size(self) -> int:
        """Bytes of all thumbnails."""
        return sum(map(len, self.jpegs))

    def __call__(self, limits: Limits) -> list[Hash | None]:
        """Hash each thumbnail; None for a missing one."""
        return [hash_of_jpeg(jpeg) for jpeg in self.jpegs]
