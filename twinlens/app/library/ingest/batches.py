"""Batches of ingest: rows, vectors, keypoints, codes and problems, written together in the order of ids.

The plan (:class:`IngestPlan`) has the descriptors and indexes for which photographs are read. The changes of a batch
are gathered photograph by photograph and written table by table. A file with the bytes of a known one need not be
decoded.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from twinlens.app.indexes.fitted_models import stored_keypoints
from twinlens.app.library import volumes
from twinlens.app.library.desktop_thumbnails import Use
from twinlens.app.library.library import Library
from twinlens.app.library.photo_notes import SidecarFields
from twinlens.app.library.workers.extraction import (
    CompletedPhotograph,
    KnownContent,
    Outcome,
    ReadPhotograph,
    ReducedPictures,
    UnreadableFile,
)
from twinlens.app.methods import catalogue
from twinlens.core.arrays import AnyArray
from twinlens.core.date_taken import date_in_name, date_of_file
from twinlens.core.files.untrusted_input import shown
from twinlens.core.hashing.hash_method import Encoder
from twinlens.core.systems.volume import Volume
from twinlens.core.vectors import pack_vectors, unpack_vectors
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.features.keypoints.sift import Cap
from twinlens.features.pictures.picture import PictureFacts
from twinlens.storage.database.dialect import pieces
from twinlens.storage.database.schema import PhotographState
from twinlens.storage.indexes.index_codes import StaleModelError
from twinlens.storage.indexes.indexes import IndexRow
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.notes import CameraNote, SidecarNote
from twinlens.storage.photographs.photographs import MovedFile, NewFile, PhotographRow, ReadFile
from twinlens.storage.photographs.problems import NewProblem

_log = logging.getLogger(__name__)
BATCH_SECONDS = 2.0
BATCH_PHOTOGRAPHS = 256


@dataclass
class IngestCounts:
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
class IngestPlan:
    """The descriptors and indexes that every photograph is read for.

    Attributes
    ----------
    encoders : list of (IndexRow, KindRow, Encoder)
    cap : Cap
        The cap among whose keypoints the strongest are kept.
    desktop : Use
        The use of the desktop's thumbnails.
    leaves : bool
        Whether local features are left for a second pass.
    here : bool
        Whether this machine reads, whose cache has the reduced pictures.
    """

    kinds: list[KindRow]
    encoders: list[tuple[IndexRow, KindRow, Encoder]]
    cap: Cap
    reduced: ReducedPictures
    desktop: Use = "off"
    leaves: bool = False
    here: bool = True

    @cached_property
    def caps(self) -> tuple[Cap, ...]:
        """All local features that are described."""
        described = {cap for kind in self.kinds for cap in catalogue.descriptor(kind.text).caps}
        return tuple(sorted(described | {self.cap}))

    @cached_property
    def local(self) -> tuple[str, ...]:
        """Keys of the kinds that describe local features, among the others."""
        return tuple(kind.key for kind in self.kinds if catalogue.descriptor(kind.text).caps)

    @cached_property
    def from_thumbnail(self) -> tuple[str, ...]:
        """Keys of the kinds for which a thumbnail is picture enough."""
        return tuple(kind.key for kind in self.kinds if catalogue.descriptor(kind.text).from_thumbnail)


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
            changes.record(row, one.content_hash, _known_facts(row, changes.beside.get(row.id)))
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
            facts = _known_facts(old, self.beside.get(old.id))
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
            content, facts = row.content_hash or b"", _known_facts(row, beside.get(row.id))
            self._readings[content] = ReadPhotograph(row.id, b"", content, facts, b"", described, keypoints[place])


def _known_facts(row: PhotographRow, beside: SidecarNote | None) -> PictureFacts:
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
