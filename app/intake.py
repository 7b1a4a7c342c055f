"""Photographs that wait are read by worker processes, and what they tell is kept in batches, in id order."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from app import preferences, volumes
from app.descriptor_kinds import load_extractors
from app.encoding import load_encoder
from app.extraction import Known, Outcome, Read, Task, Unreadable
from app.library import Library
from app.results import shown
from app.workers import WorkerLimits, Workers
from core.hash_method import Encoder
from core.progress import Progress, silent
from storage.batches import Ids
from storage.codes import StaleModelError
from storage.descriptors import KindRow, Vectors
from storage.indexes import IndexRow
from storage.photograph_rows import NewFile, PhotographRow, ReadFile
from storage.problems import NewProblem
from storage.schema import State
from storage.transaction import Transaction

_log = logging.getLogger(__name__)

BATCH_SECONDS = 2.0
BATCH_PHOTOGRAPHS = 256
_PAGE = 1000
_PACE = "reading pace"  # the setting that remembers it
_MEASURED = 50  # photographs that tell a pace; the start of the processes weighs too much in fewer
_CORE_SECONDS = 0.13  # for a photograph of twelve megapixels, where none was measured
_THUMBNAIL_BYTES = 12_000
_DIMENSIONS = 1_500  # of a photograph's vectors in a new library, roughly


@dataclass
class Intake:
    """What reading photographs has come to."""

    added: int = 0
    changed: int = 0
    moved: set[int] = field(default_factory=set)
    problems: int = 0
    passed_over: int = 0
    seconds: float = 0.0

    def rate(self) -> float:
        """Give the photographs read in a second."""
        return (self.added + self.changed) / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class _Plan:
    """What every photograph is read for."""

    kinds: list[KindRow]
    encoders: list[tuple[IndexRow, KindRow, Encoder]]


def usual_workers() -> int:
    """Give how many processes read: as many as the person prefers, or one a core."""
    preferred = preferences.load().workers
    return cores() if isinstance(preferred, str) else preferred


def cores() -> int:
    """Count the processors that this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def read_photographs(
    library: Library, progress: Progress = silent, workers: int | None = None, intake: Intake | None = None
) -> Intake:
    """Read every photograph that is pending or lacks a descriptor that an index wants.

    Parameters
    ----------
    library : Library
    progress : Progress
    workers : int, optional
        Processes; by default as many as the person prefers.
    intake : Intake, optional
        Counted in, so that the counts are there after a cancel too.

    Raises
    ------
    Cancelled
        If progress says so; everything that was read is kept.
    """
    intake = Intake() if intake is None else intake
    with library.store.reading() as r:
        indexes = r.indexes.all()
        used = {index.kind_id for index in indexes}
        kinds = [kind for kind in r.descriptors.kinds() if kind.id in used]
        by_id = {kind.id: kind for kind in kinds}
        encoders = [
            (index, by_id[index.kind_id], encoder)
            for index in indexes
            if index.kind_id is not None and (encoder := load_encoder(r, index)) is not None
        ]
        extractors = load_extractors(r, kinds)
        lacking = _lacking(r, kinds)
        total = r.photographs.counts()[State.PENDING] + len(lacking)
        if total == 0:
            return intake
        count = workers or usual_workers()
        text = _estimate(total, *cost(r, total, count))
    plan = _Plan(kinds, encoders)
    started, done, paused = time.perf_counter(), 0, 0.0

    def waiting() -> None:
        nonlocal paused
        asked = time.perf_counter()
        progress(done, total, text)  # does not return while the person has paused the work
        paused += time.perf_counter() - asked

    limits = WorkerLimits(memory_bytes=preferences.load().worker_memory * 2**20)
    with Workers(count, extractors, limits) as pool:
        batch = _Batch(library, plan, intake)
        try:
            for outcome in pool.run(_tasks(library, plan, lacking), waiting):
                batch.put(outcome)
                done += 1
                rate = done / (time.perf_counter() - started - paused)
                text = f"{done:,} of {total:,} photographs · {rate:,.1f}/s · {shown(os.path.basename(outcome.path))}"
                waiting()
        finally:
            batch.commit()
            seconds = time.perf_counter() - started - paused
            intake.seconds += seconds
    library.prune_thumbnails()
    if done >= _MEASURED:
        with library.store.writing("remembering how fast photographs are read") as w:
            w.settings.put(_PACE, {"core_seconds": seconds * count / done})
    return intake


def cost(r: Transaction, photographs: int, workers: int) -> tuple[float, float]:
    """Say what reading photographs will cost.

    Parameters
    ----------
    r : Transaction
        Of the library: it remembers how long its photographs took the last time that many were read.
    photographs, workers : int

    Returns
    -------
    seconds, bytes : float
        Bytes in the library and in the cache of thumbnails.
    """
    dimensions = sum(kind.dimensions for kind in r.descriptors.kinds()) or _DIMENSIONS
    measured = r.settings.get(_PACE)
    each = measured.get("core_seconds") if isinstance(measured, dict) else None
    # More processes than cores read no faster.
    seconds = photographs * float(each or _CORE_SECONDS) / min(workers, cores())
    return seconds, photographs * (_THUMBNAIL_BYTES + 2.0 * dimensions)


def duration(seconds: float) -> str:
    """Write a span of time for people.

    Examples
    --------
    >>> duration(0.2), duration(100), duration(3600), duration(36_000)
    ('1 second', '100 seconds', '60 minutes', '10 hours')
    """
    if seconds >= 7200:
        return f"{seconds / 3600:,.0f} hours"
    if seconds >= 120:
        return f"{seconds / 60:,.0f} minutes"
    whole = max(1, round(seconds))
    return "1 second" if whole == 1 else f"{whole} seconds"


def _estimate(total: int, seconds: float, size: float) -> str:
    return f"{total:,} photographs to read: about {duration(seconds)} and {max(1.0, size / 1e6):,.0f} MB"


def _lacking(r: Transaction, kinds: list[KindRow]) -> Ids:
    """Give the photographs that were read but lack a descriptor, ascending."""
    return np.unique(np.concatenate([r.descriptors.lacking(kind) for kind in kinds] or [np.empty(0, np.int64)]))


def _tasks(library: Library, plan: _Plan, lacking: Ids) -> Iterator[Task]:
    """Give what is to be read: what is pending in id order, then what lacks a descriptor."""
    after = 0
    while True:
        with library.store.reading() as r:
            rows = r.photographs.in_state(State.PENDING, after, _PAGE)
            tasks = _page(library, r, plan, rows)
        if not rows:
            break
        yield from tasks
        after = rows[-1].id
    for start in range(0, len(lacking), _PAGE):
        with library.store.reading() as r:
            tasks = _page(library, r, plan, r.photographs.by_id(lacking[start : start + _PAGE]))
        yield from tasks


def _page(library: Library, r: Transaction, plan: _Plan, rows: list[PhotographRow]) -> list[Task]:
    known = library.volumes(r)
    tasks = []
    for row in rows:
        same_size = [other for other in r.photographs.by_size(row.size) if other.content_hash is not None]
        complete = [other for other in same_size if _has_all(r, plan, other)]
        tasks.append(
            Task(
                photograph_id=row.id,
                path=volumes.locate(known[row.volume_id], row.path),
                size=row.size,
                mtime_ns=row.mtime_ns,
                known=tuple({other.content_hash for other in complete if other.content_hash is not None}),
                wanted=tuple(kind.key for kind in plan.kinds),
            )
        )
    return tasks


def _has_all(r: Transaction, plan: _Plan, row: PhotographRow) -> bool:
    """Tell whether a photograph has every descriptor that is wanted, so that a copy of it need not be read."""
    return all(bool(r.descriptors.read(kind, [row.id])[1][0]) for kind in plan.kinds)


class _Batch:
    """Outcomes in id order, kept together in one transaction now and then."""

    def __init__(self, library: Library, plan: _Plan, intake: Intake) -> None:
        self._library = library
        self._plan = plan
        self._intake = intake
        self._outcomes: list[Outcome] = []
        self._began = time.perf_counter()

    def put(self, outcome: Outcome) -> None:
        """Take an outcome; keep the batch when it is full or old."""
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
        self._library.thumbnails.put([(one.content_hash, one.thumbnail) for one in outcomes if isinstance(one, Read)])
        with self._library.store.writing("adding photographs") as w:
            rows = {row.id: row for row in w.photographs.by_id([one.photograph_id for one in outcomes])}
            known = [one for one in outcomes if one.photograph_id in rows]  # the others were forgotten meanwhile
            self._keep_read(w, [one for one in known if isinstance(one, Read)], rows)
            for one in known:
                if isinstance(one, Known):
                    self._keep_known(w, one, rows[one.photograph_id])
                elif isinstance(one, Unreadable):
                    self._keep_unreadable(w, one, rows[one.photograph_id])

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
        ids = [one.photograph_id for one in kept]
        vectors: dict[int, Vectors] = {}
        for kind in self._plan.kinds:
            blobs = [one.vectors[kind.key] for one in kept]
            vectors[kind.id] = np.frombuffer(b"".join(blobs), "<f2").reshape(len(kept), kind.dimensions)
            w.descriptors.put(kind, ids, vectors[kind.id])
        for index, kind, encoder in self._plan.encoders:
            self._put_codes(w, index, encoder, ids, vectors[kind.id])
        for row in (rows[one.photograph_id] for one in read):
            w.problems.clear(row.volume_id, [row.path])

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
        if row.content_hash == one.content_hash:
            w.photographs.record([_facts_of(row, row)])
            return
        if row.content_hash is None and (moved := _missing(donors)) is not None:
            _move(w, row, moved)
            self._intake.moved.add(moved.id)
            return
        donor = next((other for other in donors if _has_all(w, self._plan, other)), None)
        if donor is None:
            return  # forgotten meanwhile: the file stays pending and is read with the next look
        self._count(row, one.content_hash)
        w.photographs.record([_facts_of(row, donor)])
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
        w.problems.add(
            [NewProblem(row.volume_id, row.path, one.sentence, one.next_step, row.size, row.mtime_ns, row.id)]
        )
        self._intake.problems += 1

    def _is_away(self, w: Transaction, row: PhotographRow) -> bool:
        """Tell whether a file that could not be reached says nothing of itself: its disk is away, or it was removed."""
        volume = self._library.volumes(w)[row.volume_id]
        if not volumes.is_present(volume):
            return True  # it stays as it was; the next look goes on with it
        if os.path.lexists(volumes.locate(volume, row.path)):
            return False
        w.photographs.mark_missing([row.id])
        return True


def _at_missing(w: Transaction, row: PhotographRow, one: Read) -> Read:
    """Give a new file's reading to the missing photograph of the same content, if there is one: it has moved."""
    moved = _missing(w.photographs.by_hash(one.content_hash))
    if moved is None:
        return one
    _move(w, row, moved)
    return replace(one, photograph_id=moved.id)


def _missing(rows: list[PhotographRow]) -> PhotographRow | None:
    return next((row for row in rows if row.state is State.MISSING), None)


def _move(w: Transaction, new: PhotographRow, old: PhotographRow) -> None:
    """Give a photograph the place of a file that was just registered."""
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
    """Give a photograph the facts of another one of the same content."""
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
