"""Batches of what workers return: rows, vectors, keypoints, codes and problems, written in the order of ids."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from app.library import volumes
from app.library.extraction import CompletedPhotograph, KnownContent, Outcome, ReadPhotograph, UnreadableFile
from app.library.intake_changes import BatchChanges
from app.library.intake_plan import IngestPlan
from app.library.known_contents import KnownContents, as_recorded
from app.library.library import Library
from app.results import shown
from core.systems.volume import Volume
from storage.library.transaction import Transaction
from storage.photographs.photograph_rows import PhotographRow
from storage.problems.problems import NewProblem

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


class IngestBatch:
    """Outcomes in id order, kept together in one transaction now and then."""

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
        """Keep what has come: all of it, or nothing."""
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
        known = [one for one in outcomes if one.photograph_id in rows]  # the others were forgotten meanwhile
        copies = {one.photograph_id: one.content_hash for one in known if isinstance(one, KnownContent)}
        read = {one.content_hash for one in known if isinstance(one, ReadPhotograph)}
        contents = KnownContents(w, self._plan, read.union(copies.values()), copies)
        kinds, present = {kind.key for kind in w.descriptors.kinds()}, self._present(w, known)
        changes = BatchChanges()
        for one in known:
            row = rows[one.photograph_id]
            if isinstance(one, ReadPhotograph):
                self._keep_read(changes, contents, kinds, one, row)
            elif isinstance(one, KnownContent):
                self._keep_known(changes, contents, kinds, one, row)
            elif isinstance(one, UnreadableFile):
                self._keep_unreadable(changes, contents, present, one, row)
            elif row.content_hash == one.content_hash:  # a file that has changed meanwhile is read with the next look
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
        """Keep what was read of a photograph, now or before of a file of the same bytes."""
        if row.content_hash not in (None, one.content_hash):
            contents.leave(row)
            if not kinds <= one.vectors.keys():  # what was known of the old content is not replaced whole
                changes.replaced.append(row.id)
        contents.join(row, one)
        changes.recorded.append(one)
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
            changes.recorded.append(as_recorded(row))
        elif row.content_hash is None and (moved := contents.take_missing(one.content_hash)) is not None:
            changes.move(row, moved)
            self._intake.moved.add(moved.id)
        elif (reading := contents.reading(one.content_hash)) is not None:
            self._count(row, one.content_hash)
            self._keep(changes, contents, kinds, replace(reading, photograph_id=row.id), row)
        # Else it was forgotten meanwhile: the file stays pending and is read with the next look.

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
                return  # it stays as it was; the next look goes on with it
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
