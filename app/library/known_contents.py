"""Contents that the library has already: a file of the same bytes need not be decoded.

All photographs of a page or batch are looked up together, so that statements do not grow with photographs.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np

from app.library.extraction import ReadPhotograph
from app.library.intake_plan import IngestPlan
from app.library.stored_keypoints import stored_keypoints
from features.keypoints.kept_keypoints import KEYPOINTS_VERSION
from features.pictures.picture import PictureFacts
from storage.database.batches import pieces
from storage.database.schema import PhotographState
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import PhotographRow

_OF_ONE_SIZE = 1000


def complete_known(r: Transaction, plan: IngestPlan, ids: Iterable[int]) -> set[int]:
    """Return the photographs, among some, that have all that is wanted, descriptors and keypoints."""
    found: set[int] = set()
    for some in pieces(ids):
        whole = np.array([plan.leaves or one is not None for one in _keypoints(r, plan, some)])
        for kind in plan.kinds:
            whole &= r.descriptors.read(kind, some)[1]
        found.update(np.asarray(some)[whole].tolist())
    return found


def _keypoints(r: Transaction, plan: IngestPlan, ids: list[int]) -> list[bytes | None]:
    return [None] * len(ids) if plan.leaves else stored_keypoints(r, ids, KEYPOINTS_VERSION)


def contents_by_size(r: Transaction, plan: IngestPlan, sizes: Collection[int]) -> dict[int, tuple[bytes, ...]]:
    """Return, by file size, the contents of which everything is known: an equal file need not be decoded.

    Where very many have one size, as uncompressed pictures have, only the last of them are looked up for each page.
    """
    of_size = r.photographs.contents_by_size(sizes, _OF_ONE_SIZE)
    whole = complete_known(r, plan, sorted(i for contents in of_size.values() for i in contents))
    return {
        size: tuple({content for i, content in contents.items() if i in whole}) for size, contents in of_size.items()
    }


class KnownContents:
    """The photographs of some contents: as a library has them, and as a batch changes them while it is put together.

    Parameters
    ----------
    r : Transaction
    plan : Plan
    contents : collection of bytes
        Of all files of the batch.
    copies : mapping of int to bytes
        Photographs whose files were found to be of a content that the library has.
    """

    def __init__(self, r: Transaction, plan: IngestPlan, contents: Collection[bytes], copies: dict[int, bytes]) -> None:
        self._r = r
        self._plan = plan
        self._rows: dict[bytes, list[PhotographRow]] = {}
        self._looked_at: set[int] = set()
        self._complete: set[int] = set()
        self._readings: dict[bytes, ReadPhotograph] = {}
        for row in r.photographs.by_hash(*contents):
            self._rows.setdefault(row.content_hash or b"", []).append(row)
        of_copies = {content: self.of(content) for content in copies.values()}
        first = [rows[0].id for rows in of_copies.values() if rows]
        self._look_at([*first, *(row.id for rows in of_copies.values() for row in rows if row.id in copies)])
        self._read_back(of_copies)

    def of(self, content: bytes) -> list[PhotographRow]:
        """Return the photographs of a content, in id order."""
        return self._rows.get(content, [])

    def is_complete(self, row: PhotographRow) -> bool:
        """Return whether a photograph has all that is wanted."""
        self._look_at([row.id])
        return row.id in self._complete

    def reading(self, content: bytes) -> ReadPhotograph | None:
        """Return what was read of a content, from a photograph that has all of it; None where none has."""
        if self._donor(content) is None:
            self._look_at([row.id for row in self.of(content)])
        if self._donor(content) is None:
            return None
        if content not in self._readings:
            self._read_back([content])
        return self._readings[content]

    def take_missing(self, content: bytes) -> PhotographRow | None:
        """Return the first photograph of a content whose file has vanished; its file is there again."""
        rows = self.of(content)
        for place, row in enumerate(rows):
            if row.state is PhotographState.MISSING:
                rows[place] = replace(row, state=PhotographState.READY)
                return rows[place]
        return None

    def lose(self, row: PhotographRow) -> None:
        """Note that the file of a photograph has vanished."""
        rows = self.of(row.content_hash or b"")
        rows[:] = [replace(one, state=PhotographState.MISSING) if one.id == row.id else one for one in rows]

    def leave(self, row: PhotographRow) -> None:
        """Note that a photograph is not of its content any more."""
        rows = self.of(row.content_hash or b"")
        rows[:] = [one for one in rows if one.id != row.id]

    def join(self, row: PhotographRow, read: ReadPhotograph) -> None:
        """Note that a photograph is of a content, as it was read."""
        rows = self._rows.setdefault(read.content_hash, [])
        rows[:] = sorted([*(one for one in rows if one.id != row.id), row], key=lambda one: one.id)
        self._looked_at.add(row.id)
        self._complete.discard(row.id)
        described = all(kind.key in read.vectors for kind in self._plan.kinds)
        if described and (self._plan.leaves or read.keypoints is not None):
            self._complete.add(row.id)
            self._readings.setdefault(read.content_hash, read)

    def _donor(self, content: bytes) -> PhotographRow | None:
        """Return the first photograph of a content that has all that is wanted, as far as they were looked at."""
        return next((row for row in self.of(content) if row.id in self._complete), None)

    def _look_at(self, ids: Collection[int]) -> None:
        new = sorted(set(ids) - self._looked_at)
        if new:
            self._looked_at.update(new)
            self._complete |= complete_known(self._r, self._plan, new)

    def _read_back(self, contents: Iterable[bytes]) -> None:
        donors = [donor for donor in map(self._donor, contents) if donor is not None]
        ids = [row.id for row in donors]
        if not ids:
            return
        keypoints = stored_keypoints(self._r, ids, KEYPOINTS_VERSION)
        vectors = {kind.key: self._r.descriptors.read(kind, ids)[0] for kind in self._plan.kinds}
        for place, row in enumerate(donors):
            described = {key: some[place].tobytes() for key, some in vectors.items()}
            content = row.content_hash or b""
            self._readings[content] = ReadPhotograph(
                row.id, b"", content, _known_facts(row), b"", described, keypoints[place]
            )


def as_recorded(row: PhotographRow) -> ReadPhotograph:
    """Return the facts of a photograph as if they had just been read, without anything that describes it."""
    return ReadPhotograph(row.id, b"", row.content_hash or b"", _known_facts(row), b"", {}, None)


def _known_facts(row: PhotographRow) -> PictureFacts:
    assert row.width is not None
    assert row.height is not None
    return PictureFacts(row.format or "", row.width, row.height, row.orientation or 1, row.taken, row.camera)
