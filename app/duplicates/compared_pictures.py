"""The pictures of a library as they are compared: one of each content, with what tells candidates."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np

from app.duplicates.comparing_tasks import StoredLook, ThumbnailHashTask
from app.library.decoders import each_asked
from app.library.library import Library
from app.library.pictures import present_thumbnails
from app.library.stored_keypoints import stored_keypoints
from core.arrays import Int64Ids
from core.message import Message
from core.progress import Progress
from core.search.pairs.pose_votes import Points
from features.keypoints.kept_keypoints import KEPT, KEYPOINTS_VERSION, coarse_keypoints
from storage.database.schema import PhotographState
from storage.library.transaction import Transaction
from storage.photographs.filters import Filter
from storage.photographs.photograph_rows import PhotographRow

_AT_ONCE = 256
_LOOKS = 1_500  # of 20 KB each


@dataclass(frozen=True)
class ComparedContent:
    """One content of the library: the first of its photographs stands for all.

    Attributes
    ----------
    content : bytes
    id : int
    size : tuple of int
        Pixels across and down.
    bytes : int
        Of its file.
    format : str
    taken : datetime or None
        None where no camera says it.
    subsecond : str
        Digits after its second; empty where no camera says them.
    """

    content: bytes
    id: int
    size: tuple[int, int]
    bytes: int
    format: str
    taken: datetime | None
    subsecond: str = ""

    def seconds_from(self, other: ComparedContent) -> float | None:
        """Return how far apart in time cameras took two pictures; None where one of them does not say when."""
        if self.taken is None or other.taken is None:
            return None
        apart = (self.taken - other.taken).total_seconds()
        if self.subsecond and other.subsecond:
            apart += float(f"0.{self.subsecond}") - float(f"0.{other.subsecond}")
        return abs(apart)

    def at_the_moment_of(self, other: ComparedContent) -> bool:
        """Return whether cameras say that two pictures are one exposure, to a fraction of the second."""
        said = self.subsecond.rstrip("0")  # some cameras write 00 always
        return len(said) > 1 and said == other.subsecond.rstrip("0") and self.seconds_from(other) == 0


def compared_contents(row: PhotographRow, subsecond: str = "") -> ComparedContent:
    """Return a photograph as it is compared; it must have been read."""
    size = row.width or 1, row.height or 1
    return ComparedContent(
        row.content_hash or b"", row.id, size, row.size, row.format or "", taken_by_camera(row), subsecond
    )


def content_rows(r: Transaction) -> list[ComparedContent]:
    """List the contents of a library that can be compared, in the order of their photographs.

    Those whose keypoints are not there yet are left out: what is found of a pair is kept, and would be found by half.
    """
    found: dict[bytes, ComparedContent] = {}
    notes = r.camera_notes.all()
    whole = np.intersect1d(
        r.photographs.matching(Filter(states=(PhotographState.READY,))), r.keypoints.ids(KEYPOINTS_VERSION)
    )
    for row in r.photographs.by_id(whole):
        if row.content_hash is not None and row.width and row.height:
            note = notes.get(row.content_hash)
            found.setdefault(row.content_hash, compared_contents(row, "" if note is None else note.subsecond))
    return list(found.values())


def taken_by_camera(row: PhotographRow) -> datetime | None:
    """Return when a camera took a photograph; None where no camera is named, so that the date may be of the file."""
    if row.taken is None or row.camera is None:
        return None
    try:
        return datetime.fromisoformat(row.taken).replace(tzinfo=None)  # as the camera's clock said
    except ValueError:
        return None


def hashes(library: Library, pictures: Sequence[ComparedContent], progress: Progress) -> list[bytes | None]:
    """Hash the thumbnails of pictures; None where there is no thumbnail, or it shows next to nothing."""
    made: list[bytes | None] = []
    for start in range(0, len(pictures), _AT_ONCE):
        progress(start, len(pictures), Message("Looking at the photos"))
        some = [one.content for one in pictures[start : start + _AT_ONCE]]
        jpegs = present_thumbnails(library, some)
        made += each_asked(ThumbnailHashTask, tuple(jpegs.get(one, b"") for one in some))
    return made


def points(r: Transaction, ids: Int64Ids) -> Points:
    """Read the keypoints of photographs as votes compare them; a photograph without any has none."""
    codes = np.empty((KEPT * len(ids), 2), np.uint64)  # as large as it can become: no second copy is made
    poses = np.empty((KEPT * len(ids), 2), np.uint8)
    starts = np.zeros(len(ids) + 1, np.int64)
    for start in range(0, len(ids), _AT_ONCE):
        for place, data in enumerate(stored_keypoints(r, ids[start : start + _AT_ONCE]), start):
            stop = first = int(starts[place])
            if data is not None:
                code, pose = coarse_keypoints(data)
                stop += len(code)
                codes[first:stop], poses[first:stop] = code, pose
            starts[place + 1] = stop
    return Points(codes[: starts[-1]], poses[: starts[-1]], starts)


class AlignmentCache:
    """What is kept of pictures that are laid over each other; of the last ones again. Several threads may ask."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, StoredLook | None] = OrderedDict()

    def of(self, r: Transaction, pictures: Sequence[ComparedContent]) -> dict[bytes, StoredLook]:
        """Return what is kept of pictures; those without a thumbnail are left out."""
        with self._lock:
            found = {one.content: self._kept[one.content] for one in pictures if one.content in self._kept}
        found |= self._made(r, [one for one in pictures if one.content not in found])
        with self._lock:
            for content, look in found.items():
                self._kept[content] = look
                self._kept.move_to_end(content)
            while len(self._kept) > _LOOKS:
                self._kept.popitem(last=False)
        return {content: look for content, look in found.items() if look is not None}

    def _made(self, r: Transaction, pictures: Sequence[ComparedContent]) -> dict[bytes, StoredLook | None]:
        jpegs = present_thumbnails(self._library, [one.content for one in pictures])
        kept = stored_keypoints(r, [one.id for one in pictures])
        return {
            one.content: StoredLook(jpeg, data, one.size) if (jpeg := jpegs.get(one.content)) else None
            for one, data in zip(pictures, kept, strict=True)
        }
