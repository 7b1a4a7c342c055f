"""The yardstick of evaluations: the perceptual hash of every photograph's thumbnail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.evaluate.editing_tasks import PerceptualHashes
from app.library.decoders import each_asked
from app.library.library import Library
from app.library.pictures import all_thumbnails
from core.hashing.packed_codes import hamming
from core.message import Message
from core.progress import Progress
from features.brightness.perceptual_hash import BYTES, Hash
from storage.database.schema import PhotographState
from storage.photographs.filters import Filter

_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class HashedThumbnails:
    """Photographs by their perceptual hashes.

    Attributes
    ----------
    ids : ndarray of int64, (n,)
        Ascending.
    hashes : ndarray of uint8, (n, 8)
    lacking : ndarray of int64, (m,)
        Photographs that have no thumbnail and of which none can be made now, or whose cannot be hashed, ascending.
    """

    ids: npt.NDArray[np.int64]
    hashes: npt.NDArray[np.uint8]
    lacking: npt.NDArray[np.int64]

    @classmethod
    def of(cls, library: Library, progress: Progress) -> HashedThumbnails:
        """Hash the thumbnails of all photographs; those that the cache has lost are made again."""
        with library.store.reading() as r:
            ids, contents = r.photographs.contents(r.photographs.matching(Filter(states=(PhotographState.READY,))))
        hashes = np.zeros((len(ids), BYTES), np.uint8)
        there = np.zeros(len(ids), np.bool_)
        for start in range(0, len(ids), _AT_ONCE):
            some = contents[start : start + _AT_ONCE]

            def step(done: int, start: int = start) -> None:
                progress(start + done, len(ids), Message("Hashing thumbnails"))

            jpegs = all_thumbnails(library, some, step)
            for row, made in enumerate(each_asked(PerceptualHashes, tuple(jpegs[one] for one in some)), start):
                if made is not None:
                    hashes[row], there[row] = made, True
        return cls(ids[there], hashes[there], ids[~there])

    def ranked(self, asked: Hash) -> npt.NDArray[np.int64]:
        """Return the ids of all photographs by (differing bits, id) from the hash of a picture."""
        return self.ids[np.argsort(hamming(self.hashes, asked), kind="stable")]
