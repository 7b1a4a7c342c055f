"""The contents of a library that are compared: facts, files, hashes of thumbnails, keypoints.

Of each content one photograph is compared. A library has many, and few new ones concern few of the others: facts are
read for those that are asked for.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from twinlens.app.duplicates.comparing.comparing_tasks import ThumbnailHashTask
from twinlens.app.indexes.fitted_models import stored_keypoints
from twinlens.app.library.library import Library
from twinlens.app.library.pictures import all_thumbnails
from twinlens.app.library.workers.decoders import run_each
from twinlens.app.library.workers.decoding import unchanged_file
from twinlens.app.library.workers.decoding_tasks import DecodingTask
from twinlens.core.arrays import Int64Ids
from twinlens.core.message import Message
from twinlens.core.progress import Progress
from twinlens.core.search.pairs.pose_votes import Points
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION, MOST_KEPT, coarse_keypoints
from twinlens.features.pictures.picture import WORKING_SIDE, Metadata
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.notes import CameraNote
from twinlens.storage.photographs.photographs import PhotographRow


class ComparedContents:
    """The contents of a library that can be compared, by their places: in the order of their photographs.

    Contents without keypoints yet are left out: the relation of a pair is kept, and would be kept incomplete.

    Attributes
    ----------
    places : dict of bytes to int, n
        The place of each content, ascending.
    contents : list of bytes, n
    ids : ndarray of int64, (n,)
        The photographs that stand for them, ascending.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        with library.store.reading() as r:
            described = r.keypoints.ids(KEYPOINTS_VERSION)
            ids, contents = r.photographs.with_pixels()
        first: dict[bytes, int] = {}
        for row in np.flatnonzero(np.isin(ids, described, assume_unique=True)).tolist():
            first.setdefault(contents[row], row)
        self.ids = ids[list(first.values())]
        self.contents = list(first)
        self.places = {content: place for place, content in enumerate(first)}
        self._read: dict[int, ComparedContent] = {}

    def __len__(self) -> int:
        """Count them."""
        return len(self.contents)

    def __getitem__(self, place: int) -> ComparedContent:
        """Return what is known of one."""
        if place not in self._read:
            self.read([place])
        return self._read[place]

    def read(self, places: Iterable[int]) -> None:
        """Read what is known of some, which are asked for next: much faster than one after the other."""
        wanted = sorted(set(places) - self._read.keys())
        if not wanted:
            return
        with self._library.store.reading() as r:
            rows = {row.id: row for row in r.photographs.by_id(self.ids[wanted])}
            notes = r.camera_notes.of([self.contents[place] for place in wanted])
        for place in wanted:
            content, row = self.contents[place], rows.get(int(self.ids[place]))
            self._read[place] = (
                compared_content(row, notes.get(content))
                if row is not None and row.content_hash == content
                else ComparedContent(content, int(self.ids[place]), (1, 1), 0, "", None)  # it has gone meanwhile
            )


@dataclass(frozen=True)
class ComparedContent:
    """One content of the library, by the first of its photographs.

    Attributes
    ----------
    content : bytes
    size : tuple of int
        Pixels across and down.
    bytes : int
        Of its file.
    taken : datetime or None
        None where no camera noted it.
    subsecond : str
        Digits of the fraction of its second; empty where no camera noted them.
    frames : int or None
        Of an animation, or pages; None where that is not known.
    """

    content: bytes
    id: int
    size: tuple[int, int]
    bytes: int
    format: str
    taken: datetime | None
    subsecond: str = ""
    frames: int | None = 1

    def seconds_from(self, other: ComparedContent) -> float | None:
        """Return the seconds between two pictures by their cameras; None where one has no time."""
        if self.taken is None or other.taken is None:
            return None
        apart = (self.taken - other.taken).total_seconds()
        if self.subsecond and other.subsecond:
            apart += float(f"0.{self.subsecond}") - float(f"0.{other.subsecond}")
        return abs(apart)

    def at_the_moment_of(self, other: ComparedContent) -> bool:
        """Return whether two pictures are one exposure, by the fractions of a second that cameras noted."""
        digits = self.subsecond.rstrip("0")  # some cameras write 00 always
        return len(digits) > 1 and digits == other.subsecond.rstrip("0") and self.seconds_from(other) == 0


def compared_content(row: PhotographRow, note: CameraNote | None = None) -> ComparedContent:
    """Return a photograph as it is compared; it must have been read."""
    frames = None if row.format in _OF_FRAMES else 1
    if note is not None and note.metadata is not None:
        frames = Metadata.of_text(note.metadata).frames
    return ComparedContent(
        row.content_hash or b"",
        row.id,
        (row.width or 1, row.height or 1),
        row.size,
        row.format or "",
        taken_by_camera(row),
        "" if note is None else note.subsecond,
        frames,
    )


_OF_FRAMES = frozenset({"GIF", "PNG", "TIFF", "WebP", "AVIF", "HEIC", "PSD", "DCX", "FLI"})


def taken_by_camera(row: PhotographRow) -> datetime | None:
    """Return when a camera took a photograph; None where no camera is named, so that the date may be of the file."""
    if row.noted is None or row.date is None or row.camera is None:
        return None
    return row.date.moment


_AT_ONCE = 256


def hashes(library: Library, contents: Sequence[bytes], progress: Progress) -> list[bytes | None]:
    """Hash the thumbnails of contents, which may have to be made again; None where one shows next to nothing."""
    made: list[bytes | None] = []
    for start in range(0, len(contents), _AT_ONCE):
        progress(start, len(contents), Message("Looking at the photos"))
        some = contents[start : start + _AT_ONCE]
        jpegs = all_thumbnails(library, some)
        made += run_each(ThumbnailHashTask, tuple(jpegs.get(one, b"") for one in some))
    return made


def points(r: Transaction, ids: Int64Ids) -> Points:
    """Read the keypoints of photographs for pose votes; a photograph may have none."""
    codes = np.empty((MOST_KEPT * len(ids), 2), np.uint64)  # as large as it can become: no second copy is made
    poses = np.empty((MOST_KEPT * len(ids), 2), np.uint8)
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


def file_of(library: Library, one: ComparedContent, side: int = WORKING_SIDE) -> DecodingTask:
    """Return the file of a content, to be decoded."""
    with library.store.reading() as r:
        path = reached(library, r, [one.content]).get(one.content)
        if path is None:
            (path,) = library.paths(r, r.photographs.by_id([one.id])) or [b""]
    return unchanged_file(Path(os.fsdecode(path)), one.content, side)


def reached(library: Library, r: Transaction, contents: Collection[bytes]) -> dict[bytes, bytes]:
    """Return a file of each content of which one can be reached now, as its size tells."""
    found: dict[bytes, bytes] = {}
    rows = r.photographs.by_id(r.photographs.with_contents(contents))
    for row, path in zip(rows, library.paths(r, rows), strict=True):
        with suppress(OSError):
            if row.content_hash is not None and os.stat(path).st_size == row.size:
                found.setdefault(row.content_hash, path)
    return found
