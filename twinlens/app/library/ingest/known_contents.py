"""Known contents: files whose content the library has already, which are not decoded again."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np

from twinlens.app.indexes.fitted_models import stored_keypoints
from twinlens.app.library.ingest.ingest_plan import IngestPlan
from twinlens.app.library.workers.extraction import (
    ReadPhotograph,
)
from twinlens.app.notes.photo_notes import SidecarFields
from twinlens.core.vectors import pack_vectors
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.features.pictures.picture import PictureFacts
from twinlens.storage.database.dialect import pieces
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.notes import SidecarNote
from twinlens.storage.photographs.photographs import PhotographRow


class KnownContents:
    """The photographs of some contents, as the library has them and as the batch being made changes them.

    Parameters
    ----------
    contents : collection of bytes
        Of all files of the batch.
    copies : mapping of int to bytes
        Photographs whose files have a content of the library.
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

    def missing(self) -> list[int]:
        """Return the photographs whose files have vanished."""
        return [row.id for rows in self._rows.values() for row in rows if row.state is PhotographState.MISSING]

    def is_complete(self, row: PhotographRow) -> bool:
        """Return whether a photograph has all that the plan wants."""
        self._look_at([row.id])
        return row.id in self._complete

    def reading(self, content: bytes) -> ReadPhotograph | None:
        """Return the reading of a content from a complete photograph; None where there is none."""
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
        """Note that a photograph no longer has its content."""
        rows = self.of(row.content_hash or b"")
        rows[:] = [one for one in rows if one.id != row.id]

    def join(self, row: PhotographRow, read: ReadPhotograph) -> None:
        """Note that a photograph has the content that was read."""
        rows = self._rows.setdefault(read.content_hash, [])
        rows[:] = sorted([*(one for one in rows if one.id != row.id), row], key=lambda one: one.id)
        self._looked_at.add(row.id)
        self._complete.discard(row.id)
        described = all(kind.key in read.vectors for kind in self._plan.kinds)
        if described and (self._plan.leaves or read.keypoints is not None):
            self._complete.add(row.id)
            self._readings.setdefault(read.content_hash, read)

    def _donor(self, content: bytes) -> PhotographRow | None:
        """Return the first photograph of a content that is known to be complete."""
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
        keypoints, beside = stored_keypoints(self._r, ids, KEYPOINTS_VERSION), self._r.sidecar_notes.of(ids)
        vectors = {
            kind.key: pack_vectors(self._r.descriptors.read(kind, ids)[0], kind.stored()) for kind in self._plan.kinds
        }
        for place, row in enumerate(donors):
            described = {key: some[place].tobytes() for key, some in vectors.items()}
            content, facts = row.content_hash or b"", known_facts(row, beside.get(row.id))
            self._readings[content] = ReadPhotograph(row.id, b"", content, facts, b"", described, keypoints[place])


def known_facts(row: PhotographRow, beside: SidecarNote | None) -> PictureFacts:
    """Return the facts of a photograph as its library has them."""
    assert row.width is not None
    assert row.height is not None
    taken = row.taken if row.date is not None and row.date.in_file else None
    if beside is not None:
        taken = SidecarFields.of_text(beside.fields).file_date or taken
    return PictureFacts(row.format or "", row.width, row.height, row.orientation or 1, taken, row.camera)


_OF_ONE_SIZE = 1000


def contents_by_size(r: Transaction, plan: IngestPlan, sizes: Collection[int]) -> dict[int, tuple[bytes, ...]]:
    """Return the complete contents by file size: an equal file need not be decoded.

    Where very many have one size, as uncompressed pictures have, only the last of them are looked up for each page.
    """
    of_size = r.photographs.contents_by_size(sizes, _OF_ONE_SIZE)
    whole = complete_known(r, plan, sorted(i for contents in of_size.values() for i in contents))
    return {
        size: tuple({content for i, content in contents.items() if i in whole}) for size, contents in of_size.items()
    }


def complete_known(r: Transaction, plan: IngestPlan, ids: Iterable[int]) -> set[int]:
    """Return the photographs among some that have all descriptors of the plan and keypoints."""
    found: set[int] = set()
    for some in pieces(ids):
        whole = np.array([plan.leaves or one is not None for one in _keypoints(r, plan, some)])
        for kind in plan.kinds:
            whole &= r.descriptors.read(kind, some)[1]
        found.update(np.asarray(some)[whole].tolist())
    return found


def _keypoints(r: Transaction, plan: IngestPlan, ids: list[int]) -> list[bytes | None]:
    return [None] * len(ids) if plan.leaves else stored_keypoints(r, ids, KEYPOINTS_VERSION)
