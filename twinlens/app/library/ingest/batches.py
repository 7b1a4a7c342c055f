"""Batches of ingest: rows, vectors, keypoints, codes and problems, written together in the order of ids.

The plan (:class:`IngestPlan`) has the descriptors and indexes for which photographs are read. The changes of a batch
are gathered photograph by photograph and written table by table. A file with the bytes of a known one need not be
decoded.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from twinlens.app.library import volumes
from twinlens.app.library.ingest.ingest_plan import IngestCounts, IngestPlan
from twinlens.app.library.ingest.known_contents import KnownContents, known_facts
from twinlens.app.library.library import Library
from twinlens.app.library.workers.extraction import (
    CompletedPhotograph,
    KnownContent,
    Outcome,
    ReadPhotograph,
    UnreadableFile,
)
from twinlens.app.notes.photo_notes import SidecarFields
from twinlens.core.arrays import AnyArray
from twinlens.core.date_taken import date_in_name, date_of_file
from twinlens.core.files.untrusted_input import shown
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.systems.volume import Volume
from twinlens.core.vectors import unpack_vectors
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.features.pictures.picture import PictureFacts
from twinlens.storage.indexes.index_codes import StaleModelError
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.notes import CameraNote, SidecarNote
from twinlens.storage.photographs.photographs import MovedFile, NewFile, PhotographRow, ReadFile
from twinlens.storage.photographs.problems import NewProblem

_log = logging.getLogger(__name__)
BATCH_SECONDS = 2.0
BATCH_PHOTOGRAPHS = 256


class IngestBatch:
    """Outcomes in id order, written in one transaction when there are enough or time has passed."""

    def __init__(self, library: Library, plan: IngestPlan, intake: IngestCounts) -> None:
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
        """Write all outcomes so far, or none of them."""
        outcomes, self._outcomes = self._outcomes, []
        self._began = time.perf_counter()
        if not outcomes:
            return
        # Thumbnails first: they are found by content, so one too many does no harm.
        self._library.thumbnails.put(
            [(one.content_hash, one.thumbnail) for one in outcomes if isinstance(one, ReadPhotograph) and one.thumbnail]
        )
        with self._library.store.writing("adding photos") as w:
            self._changes(w, outcomes).write(w, self._plan)
        for one in outcomes:
            if isinstance(one, ReadPhotograph):
                self._plan.reduced.count(one.reduced)
        if not self._plan.leaves:
            self._plan.reduced.remove(
                one.content_hash for one in outcomes if isinstance(one, (ReadPhotograph, CompletedPhotograph))
            )

    def _changes(self, w: Transaction, outcomes: list[Outcome]) -> BatchChanges:
        rows = {row.id: row for row in w.photographs.by_id([one.photograph_id for one in outcomes])}
        known = [one for one in outcomes if one.photograph_id in rows]  # others were forgotten meanwhile
        copies = {one.photograph_id: one.content_hash for one in known if isinstance(one, KnownContent)}
        read = {one.content_hash for one in known if isinstance(one, ReadPhotograph)}
        contents = KnownContents(w, self._plan, read.union(copies.values()), copies)
        kinds, present = {kind.key for kind in w.descriptors.kinds()}, self._present(w, known)
        changes = BatchChanges(w.sidecar_notes.of([*rows, *contents.missing()]))
        for one in known:
            row = rows[one.photograph_id]
            if isinstance(one, ReadPhotograph):
                self._keep_read(changes, contents, kinds, one, row)
            elif isinstance(one, KnownContent):
                self._keep_known(changes, contents, kinds, one, row)
            elif isinstance(one, UnreadableFile):
                self._keep_unreadable(changes, contents, present, one, row)
            elif row.content_hash == one.content_hash:  # a file that has changed meanwhile is read with the next scan
                changes.described.append(one)
        return changes

    def _keep_read(
        self, changes: BatchChanges, contents: KnownContents, kinds: Set[str], one: ReadPhotograph, row: PhotographRow
    ) -> None:
        self._count(row, one.content_hash)
        changes.over.append(row)
        moved = contents.take_missing(one.content_hash) if row.content_hash is None else None
        if moved is not None:
            changes.move(row, moved)
            self._intake.moved.add(moved.id)
            self._intake.added -= 1
            row, one = moved, replace(one, photograph_id=moved.id)
        self._keep(changes, contents, kinds, one, row)
        changes.decoded.append(one)

    def _keep(
        self, changes: BatchChanges, contents: KnownContents, kinds: Set[str], one: ReadPhotograph, row: PhotographRow
    ) -> None:
        """Keep the reading of a photograph, made now or earlier from a file of the same bytes."""
        if row.content_hash not in (None, one.content_hash):
            contents.leave(row)
            if not kinds <= one.vectors.keys():  # some descriptors of the old content are not replaced
                changes.replaced.append(row.id)
        contents.join(row, one)
        changes.record(row, one.content_hash, one.facts)
        changes.described.append(one)

    def _count(self, row: PhotographRow, content_hash: bytes) -> None:
        if row.content_hash is None:
            self._intake.added += 1
        elif row.content_hash != content_hash:
            self._intake.changed += 1

    def _keep_known(
        self, changes: BatchChanges, contents: KnownContents, kinds: Set[str], one: KnownContent, row: PhotographRow
    ) -> None:
        """Keep a file whose content the library has: moved, copied, or only touched."""
        changes.over.append(row)
        if row.content_hash == one.content_hash and contents.is_complete(row):
            changes.record(row, one.content_hash, known_facts(row, changes.beside.get(row.id)))
        elif row.content_hash is None and (moved := contents.take_missing(one.content_hash)) is not None:
            changes.move(row, moved)
            self._intake.moved.add(moved.id)
        elif (reading := contents.reading(one.content_hash)) is not None:
            self._count(row, one.content_hash)
            self._keep(changes, contents, kinds, replace(reading, photograph_id=row.id), row)
        # Else it was forgotten meanwhile: the file stays pending, and the next scan reads it.

    def _keep_unreadable(
        self,
        changes: BatchChanges,
        contents: KnownContents,
        present: Mapping[int, Volume],
        one: UnreadableFile,
        row: PhotographRow,
    ) -> None:
        if one.lost:
            volume = present.get(row.volume_id)
            if volume is None:
                return  # it stays as it was, and the next scan goes on with it
            if not os.path.lexists(volumes.locate(volume, row.path)):
                changes.vanished.append(row.id)
                contents.lose(row)
                return
        if one.not_a_picture and row.content_hash is None:
            changes.removed.append(row.id)
            changes.over.append(row)
            changes.passed_over.append(row)
            self._intake.passed_over += 1
            return
        if one.fault:
            _log.error("%s: %s", shown(row.path), one.fault)
        contents.leave(row)
        changes.problems.append(
            NewProblem(row.volume_id, row.path, one.reason, one.next_step, row.size, row.mtime_ns, row.id)
        )
        self._intake.problems += 1

    def _present(self, w: Transaction, outcomes: Sequence[Outcome]) -> dict[int, Volume]:
        """Return the volumes that are mounted now, where a file could not be reached."""
        if not any(isinstance(one, UnreadableFile) and one.lost for one in outcomes):
            return {}
        return {i: volume for i, volume in self._library.volumes(w).items() if volumes.is_present(volume)}


@dataclass
class BatchChanges:
    """The changes of a batch.

    Attributes
    ----------
    recorded : list of ReadFile
        Facts of photographs.
    described : list of ReadPhotograph or CompletedPhotograph
        Vectors and keypoints.
    decoded : list of ReadPhotograph
        Files that were decoded: cameras have left notes in them.
    replaced : list of int
        Photographs whose old content is not described any more.
    removed : list of int
        Files that are no photographs, or the new place of one that has moved.
    over : list of PhotographRow
        Photographs whose problems are solved.
    passed_over : list of PhotographRow
        Files that are no pictures.
    beside : dict of int to SidecarNote
        What lies beside photographs; `noted` has those that change.
    """

    beside: dict[int, SidecarNote]
    noted: dict[int, SidecarNote] = field(default_factory=dict)
    recorded: list[ReadFile] = field(default_factory=list)
    described: list[ReadPhotograph | CompletedPhotograph] = field(default_factory=list)
    decoded: list[ReadPhotograph] = field(default_factory=list)
    replaced: list[int] = field(default_factory=list)
    moved: list[MovedFile] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    vanished: list[int] = field(default_factory=list)
    over: list[PhotographRow] = field(default_factory=list)
    problems: list[NewProblem] = field(default_factory=list)
    passed_over: list[PhotographRow] = field(default_factory=list)

    def record(self, row: PhotographRow, content_hash: bytes, facts: PictureFacts) -> None:
        """Record what was read of a photograph, with the date that counts beside what lies beside it."""
        note = self.beside.get(row.id)
        fields = SidecarFields() if note is None else SidecarFields.of_text(note.fields)
        taken, fields = dated_by_file(row, facts.taken, fields)
        if note is not None and fields.text() != note.fields:
            self.noted[row.id] = note._replace(fields=fields.text())
        size = facts.width, facts.height, facts.orientation
        self.recorded.append(ReadFile(row.id, content_hash, facts.format, *size, taken, facts.camera))

    def move(self, new: PhotographRow, old: PhotographRow) -> None:
        """Move a photograph to the place of a file that was just registered, with what lies beside that."""
        self.removed.append(new.id)
        if (note := self.beside.get(new.id)) is not None:
            facts = known_facts(old, self.beside.get(old.id))
            self.beside[old.id] = self.noted[old.id] = note._replace(photograph_id=old.id)
            self.record(old, old.content_hash or b"", facts)
        self.moved.append(MovedFile(old.id, new.volume_id, new.folder_id, new.path, new.size, new.mtime_ns))

    def write(self, w: Transaction, plan: IngestPlan) -> None:
        """Write all changes."""
        w.photographs.mark_missing(self.vanished)
        w.remove(self.removed)
        w.photographs.move(self.moved)
        w.photographs.record(self.recorded)
        w.sidecar_notes.put(list(self.noted.values()))
        w.camera_notes.put([_note(one) for one in self.decoded])
        w.codes.remove(self.replaced)
        w.descriptors.remove(self.replaced)
        _put(w, plan, self.described)
        for volume_id, files in _by_volume(self.over).items():
            w.problems.clear(volume_id, [file.path for file in files])
        w.problems.add(self.problems)
        for volume_id, files in _by_volume(self.passed_over).items():
            w.passed_over.add(volume_id, files)


def _note(one: ReadPhotograph) -> CameraNote:
    file_metadata = one.facts.metadata
    return CameraNote(
        one.content_hash, one.facts.place, one.facts.subsecond, None if file_metadata is None else file_metadata.text()
    )


def date_undated(library: Library) -> None:
    """Date photographs by their names or files' times that were read before these counted."""
    with library.store.reading() as r:
        rows = r.photographs.by_id(r.photographs.undated())
    dates = {row.id: taken for row in rows if (taken := _date_elsewhere(row)) is not None}
    if dates:
        with library.store.writing("dating photographs") as w:
            w.photographs.date(dates)


def _date_elsewhere(row: PhotographRow) -> str | None:
    """Return the date that the file's name says, or else its time, as a library keeps it."""
    date = date_in_name(os.fsdecode(os.path.basename(row.path))) or date_of_file(row.mtime_ns)
    return None if date is None else date.stored


def dated_by_file(row: PhotographRow, file: str | None, beside: SidecarFields) -> tuple[str | None, SidecarFields]:
    """Return the date of a photograph as a library keeps it, and what lies beside it with the date that does not count.

    Parameters
    ----------
    file : str or None
        What the file itself says of its date.
    """
    taken, beside = beside.dated(file)
    return taken or _date_elsewhere(row), beside


def _put(w: Transaction, plan: IngestPlan, kept: Sequence[ReadPhotograph | CompletedPhotograph]) -> None:
    """Keep keypoints, vectors and codes."""
    points = {one.photograph_id: one.keypoints for one in kept if one.keypoints is not None}
    w.keypoints.put(list(points), KEYPOINTS_VERSION, list(points.values()))
    w.keypoints.remove([one.photograph_id for one in kept if isinstance(one, ReadPhotograph) and one.keypoints is None])
    ids: dict[int, list[int]] = {}
    vectors: dict[int, AnyArray] = {}
    for kind in plan.kinds:
        having = [one for one in kept if kind.key in one.vectors]
        blobs = [one.vectors[kind.key] for one in having]
        ids[kind.id] = [one.photograph_id for one in having]
        vectors[kind.id] = unpack_vectors(
            np.frombuffer(b"".join(blobs), kind.stored()).reshape(len(having), kind.dimensions)
        )
        if having:
            w.descriptors.put(kind, ids[kind.id], vectors[kind.id])
    for index, kind, encoder in plan.encoders:
        if ids[kind.id]:
            _put_codes(w, index, encoder, ids[kind.id], vectors[kind.id])


def _put_codes(w: Transaction, index: IndexRow, encoder: Encoder, ids: list[int], vectors: AnyArray) -> None:
    try:
        w.codes.put(index.id, index.model_id or 0, ids, encoder.encode(vectors.astype(np.float32)))
    except StaleModelError:
        return  # fitted anew by another program, which encodes these next


def _by_volume(rows: Sequence[PhotographRow]) -> dict[int, list[NewFile]]:
    files: dict[int, list[NewFile]] = {}
    for row in rows:
        files.setdefault(row.volume_id, []).append(NewFile(row.path, row.size, row.mtime_ns))
    return files
