"""Batches of what workers return: rows, vectors, keypoints, codes and problems, written in the order of ids."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from app.library import volumes
from app.library.desktop_thumbnails import Use
from app.library.extraction import Completed, Known, Outcome, Read, Unreadable
from app.library.library import Library
from app.library.reduced_pictures import ReducedPictures
from app.library.stored_keypoints import stored_keypoints
from app.methods import catalogue
from app.results import shown
from core.hashing.hash_method import Encoder
from features.keypoints.kept_keypoints import VERSION
from features.keypoints.sift import Cap
from storage.database.schema import State
from storage.indexes.index_codes import StaleModelError
from storage.indexes.indexes import IndexRow
from storage.library.transaction import Transaction
from storage.photographs.camera_notes import CameraNote
from storage.photographs.descriptors import KindRow, Vectors
from storage.photographs.photograph_rows import NewFile, PhotographRow, ReadFile
from storage.problems.problems import NewProblem

_log = logging.getLogger(__name__)

BATCH_SECONDS = 2.0
BATCH_PHOTOGRAPHS = 256


@dataclass
class Intake:
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
class Plan:
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
    """

    kinds: list[KindRow]
    encoders: list[tuple[IndexRow, KindRow, Encoder]]
    cap: Cap
    reduced: ReducedPictures
    desktop: Use = "off"
    leaves: bool = False

    @cached_property
    def caps(self) -> tuple[Cap, ...]:
        """All local features that are described."""
        described = {cap for kind in self.kinds for cap in catalogue.descriptor(kind.text).caps}
        return tuple(sorted(described | {self.cap}))

    @cached_property
    def local(self) -> tuple[str, ...]:
        """Keys of the kinds that describe local features, among the others."""
        return tuple(kind.key for kind in self.kinds if catalogue.descriptor(kind.text).caps)


def has_all(r: Transaction, plan: Plan, row: PhotographRow) -> bool:
    """Return whether a photograph has all that is wanted, descriptors and keypoints: a copy of it need not be read."""
    return (plan.leaves or stored_keypoints(r, [row.id], VERSION) != [None]) and all(
        bool(r.descriptors.read(kind, [row.id])[1][0]) for kind in plan.kinds
    )


class Batch:
    """Outcomes in id order, kept together in one transaction now and then."""

    def __init__(self, library: Library, plan: Plan, intake: Intake) -> None:
        self._library = library
        self._plan = plan
        self._intake = intake
        self._outcomes: list[Outcome] = []
        self._began = time.perf_counter()

    def put(self, outcome: Outcome) -> None:
        """Add an outcome, and write the batch when it is full or old."""
        self._outcomes.append(outcome)
        if len(self._outcomes) >= BATCH_PHOTOGRAPHS or time.perf_counter() - self._began > BATCH_SECONDS:
            self.commit()

    def commit(self) -> None:
        """Keep what has come: all of it, or nothing."""
        outcomes, self._outcomes = self._outcomes, []
        self._began = time.perf_counter()
        if not outcomes:
            return
        # Thumbnails first: they are found by content, so one too many does no harm.
        self._library.thumbnails.put(
            [(one.content_hash, one.thumbnail) for one in outcomes if isinstance(one, Read) and one.thumbnail]
        )
        with self._library.store.writing("adding photos") as w:
            rows = {row.id: row for row in w.photographs.by_id([one.photograph_id for one in outcomes])}
            known = [one for one in outcomes if one.photograph_id in rows]  # the others were forgotten meanwhile
            self._keep_read(w, [one for one in known if isinstance(one, Read)], rows)
            completed = [one for one in known if isinstance(one, Completed)]
            # A file that has changed meanwhile is read with the next look.
            self._put(w, [one for one in completed if rows[one.photograph_id].content_hash == one.content_hash])
            for one in known:
                if isinstance(one, Known):
                    self._keep_known(w, one, rows[one.photograph_id])
                elif isinstance(one, Unreadable):
                    self._keep_unreadable(w, one, rows[one.photograph_id])
        for one in outcomes:
            if isinstance(one, Read):
                self._plan.reduced.count(one.reduced)
        if not self._plan.leaves:
            self._plan.reduced.remove(one.content_hash for one in outcomes if isinstance(one, (Read, Completed)))

    def _keep_read(self, w: Transaction, read: list[Read], rows: dict[int, PhotographRow]) -> None:
        if not read:
            return
        kept = []
        for one in read:
            row = rows[one.photograph_id]
            self._count(row, one.content_hash)
            kept.append(_at_missing(w, row, one) if row.content_hash is None else one)
            if kept[-1].photograph_id != row.id:
                self._intake.moved.add(kept[-1].photograph_id)
                self._intake.added -= 1
        w.photographs.record([_facts(one) for one in kept])
        w.camera_notes.put([CameraNote(one.content_hash, one.facts.place, one.facts.subsecond) for one in kept])
        for one in kept:
            if one.photograph_id in rows:
                _let_go(w, rows[one.photograph_id], one.content_hash, one.vectors.keys())
        self._put(w, kept)
        for row in (rows[one.photograph_id] for one in read):
            w.problems.clear(row.volume_id, [row.path])

    def _put(self, w: Transaction, kept: Sequence[Read | Completed]) -> None:
        """Keep keypoints, vectors and codes."""
        points = {one.photograph_id: one.keypoints for one in kept if one.keypoints is not None}
        w.keypoints.put(list(points), VERSION, list(points.values()))
        w.keypoints.remove([one.photograph_id for one in kept if one.keypoints is None])
        ids: dict[int, list[int]] = {}
        vectors: dict[int, Vectors] = {}
        for kind in self._plan.kinds:
            having = [one for one in kept if kind.key in one.vectors]
            blobs = [one.vectors[kind.key] for one in having]
            ids[kind.id] = [one.photograph_id for one in having]
            vectors[kind.id] = np.frombuffer(b"".join(blobs), "<f2").reshape(len(having), kind.dimensions)
            if having:
                w.descriptors.put(kind, ids[kind.id], vectors[kind.id])
        for index, kind, encoder in self._plan.encoders:
            if ids[kind.id]:
                self._put_codes(w, index, encoder, ids[kind.id], vectors[kind.id])

    def _put_codes(self, w: Transaction, index: IndexRow, encoder: Encoder, ids: list[int], vectors: Vectors) -> None:
        try:
            w.codes.put(index.id, index.model_id or 0, ids, encoder.encode(vectors.astype(np.float32)))
        except StaleModelError:
            return  # fitted anew by another program: it encodes these with its next look

    def _count(self, row: PhotographRow, content_hash: bytes) -> None:
        if row.content_hash is None:
            self._intake.added += 1
        elif row.content_hash != content_hash:
            self._intake.changed += 1

    def _keep_known(self, w: Transaction, one: Known, row: PhotographRow) -> None:
        """Keep a file whose content the library has: moved, copied, or only touched."""
        donors = w.photographs.by_hash(one.content_hash)
        w.problems.clear(row.volume_id, [row.path])
        if row.content_hash == one.content_hash and has_all(w, self._plan, row):
            w.photographs.record([_facts_of(row, row)])
            return
        if row.content_hash is None and (moved := _missing(donors)) is not None:
            _move(w, row, moved)
            self._intake.moved.add(moved.id)
            return
        donor = next((other for other in donors if has_all(w, self._plan, other)), None)
        if donor is None:
            return  # forgotten meanwhile: the file stays pending and is read with the next look
        self._count(row, one.content_hash)
        w.photographs.record([_facts_of(row, donor)])
        _let_go(w, row, one.content_hash, {kind.key for kind in self._plan.kinds})
        (keypoints,) = stored_keypoints(w, [donor.id], VERSION)
        if keypoints is None:
            w.keypoints.remove([row.id])
        else:
            w.keypoints.put([row.id], VERSION, [keypoints])
        for kind in self._plan.kinds:
            vectors, _ = w.descriptors.read(kind, [donor.id])
            w.descriptors.put(kind, [row.id], vectors)
            for index, own, encoder in self._plan.encoders:
                if own.id == kind.id:
                    self._put_codes(w, index, encoder, [row.id], vectors)

    def _keep_unreadable(self, w: Transaction, one: Unreadable, row: PhotographRow) -> None:
        if one.lost and self._is_away(w, row):
            return
        file = NewFile(row.path, row.size, row.mtime_ns)
        if one.not_a_picture and row.content_hash is None:
            w.remove([row.id])
            w.problems.clear(row.volume_id, [row.path])
            w.passed_over.add(row.volume_id, [file])
            self._intake.passed_over += 1
            return
        if one.fault:
            _log.error("%s: %s", shown(row.path), one.fault)
        w.problems.add([NewProblem(row.volume_id, row.path, one.reason, one.next_step, row.size, row.mtime_ns, row.id)])
        self._intake.problems += 1

    def _is_away(self, w: Transaction, row: PhotographRow) -> bool:
        """Get whether a file that could not be reached says nothing of itself: its disk is away, or it was removed."""
        volume = self._library.volumes(w)[row.volume_id]
        if not volumes.is_present(volume):
            return True  # it stays as it was; the next look goes on with it
        if os.path.lexists(volumes.locate(volume, row.path)):
            return False
        w.photographs.mark_missing([row.id])
        return True


def _let_go(w: Transaction, row: PhotographRow, content_hash: bytes, described: Collection[str]) -> None:
    """Remove what was known of a photograph's old content, where not all of it is about to be replaced."""
    if row.content_hash in (None, content_hash) or all(kind.key in described for kind in w.descriptors.kinds()):
        return
    w.codes.remove([row.id])
    w.descriptors.remove([row.id])


def _at_missing(w: Transaction, row: PhotographRow, one: Read) -> Read:
    """Return a new file's reading to the missing photograph of the same content, if there is one: it has moved."""
    moved = _missing(w.photographs.by_hash(one.content_hash))
    if moved is None:
        return one
    _move(w, row, moved)
    return replace(one, photograph_id=moved.id)


def _missing(rows: list[PhotographRow]) -> PhotographRow | None:
    return next((row for row in rows if row.state is State.MISSING), None)


def _move(w: Transaction, new: PhotographRow, old: PhotographRow) -> None:
    """Move a photograph to the place of a file that was just registered."""
    w.remove([new.id])
    w.photographs.move(old.id, new.volume_id, new.folder_id, NewFile(new.path, new.size, new.mtime_ns))


def _facts(one: Read) -> ReadFile:
    facts = one.facts
    return ReadFile(
        one.photograph_id,
        one.content_hash,
        facts.format,
        facts.width,
        facts.height,
        facts.orientation,
        facts.taken,
        facts.camera,
    )


def _facts_of(row: PhotographRow, donor: PhotographRow) -> ReadFile:
    """Return a photograph the facts of another one of the same content."""
    assert donor.content_hash is not None
    assert donor.width is not None
    assert donor.height is not None
    return ReadFile(
        row.id,
        donor.content_hash,
        donor.format or "",
        donor.width,
        donor.height,
        donor.orientation or 1,
        donor.taken,
        donor.camera,
    )
