"""The yardstick of evaluations: the perceptual hash of every photograph's thumbnail."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from app.library import Library
from app.viewing import present_thumbnails
from core.codes import hamming
from core.progress import Progress
from features.perceptual_hash import BYTES, hash_of_jpeg, perceptual_hash
from features.picture import Pixels
from storage.filters import Filter
from storage.schema import State

_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class HashedThumbnails:
    """Photographs by their perceptual hashes.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    hashes : ndarray of uint8, (n, 8)
    lacking : int
        Photographs without a thumbnail.
    """

    ids: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint8]
    lacking: int

    @classmethod
    def of(cls, library: Library, progress: Progress) -> HashedThumbnails:
        """Hash the thumbnails that there are."""
        with library.store.reading() as r:
            ids, contents = r.photographs.contents(r.photographs.matching(Filter(states=(State.READY,))))
        hashes = np.zeros((len(ids), BYTES), np.uint8)
        there = np.zeros(len(ids), np.bool_)
        for start in range(0, len(ids), _AT_ONCE):
            progress(start, len(ids), "Hashing thumbnails")
            some = contents[start : start + _AT_ONCE]
            jpegs = present_thumbnails(library, some)
            for row, content in enumerate(some, start):
                made = hash_of_jpeg(jpegs.get(content, b""))
                if made is not None:
                    hashes[row], there[row] = made, True
        return cls(ids[there], hashes[there], int((~there).sum()))

    def rank(self, rgb: Pixels, right: AbstractSet[int], beside: AbstractSet[int]) -> int | None:
        """Count what stands before a right photograph, by (differing bits, id); None where there is none.

        Parameters
        ----------
        rgb : ndarray of uint8, (h, w, 3)
        right, beside : set of int
            Ids that are right, and that do not count.
        """
        asked = perceptual_hash(np.asarray(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY), np.uint8))
        differing = hamming(self.hashes, asked)
        ours = np.isin(self.ids, list(right))
        if not ours.any():
            return None
        first = int(np.flatnonzero(ours)[np.argmin(differing[ours])])
        before = (differing < differing[first]) | ((differing == differing[first]) & (self.ids < self.ids[first]))
        return int((before & ~np.isin(self.ids, list(beside))).sum())
