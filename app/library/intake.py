"""Photographs that wait are given to worker processes, and what these tell to what keeps it, in id order."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import numpy as np

from app.indexes.descriptor_kinds import load_extractors
from app.indexes.encoders import load_encoder
from app.indexes.usable import usable_indexes
from app.library import volumes
from app.library.allowance import preferred_limits
from app.library.extraction import Task
from app.library.intake_batch import Batch, Intake, Plan, has_all
from app.library.library import Library
from app.library.pace import cost, remember_pace, usual_workers
from app.library.stored_keypoints import kept_cap
from app.library.workers import Workers
from app.machine import preferences
from app.results import shown
from core.amounts import duration
from core.amounts import size as size_of
from core.message import Message
from core.progress import Progress, silent
from features.keypoints.kept_keypoints import VERSION
from storage.database.batches import Ids
from storage.database.schema import State
from storage.library.transaction import Transaction
from storage.photographs.descriptors import KindRow
from storage.photographs.photograph_rows import PhotographRow

_PAGE = 1000
_OF_ONE_SIZE = 1000


def read_photographs(
    library: Library, progress: Progress = silent, workers: int | None = None, intake: Intake | None = None
) -> Intake:
    """Read every photograph that is pending, or lacks keypoints or a descriptor that an index wants.

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
        indexes = usable_indexes(r)
        used = {index.kind_id for index in indexes}
        every = [kind for kind in r.descriptors.kinds() if kind.id in used]
        extractors = load_extractors(r, every)
        # Photographs wait for what cannot be used now, and are read for the rest.
        kinds = [kind for kind in every if not extractors[kind.key].unusable()]
        by_id = {kind.id: kind for kind in kinds}
        encoders = [
            (index, by_id[index.kind_id], encoder)
            for index in indexes
            if index.kind_id in by_id and (encoder := load_encoder(r, index)) is not None
        ]
        cap, lacking = kept_cap(r), _lacking(r, kinds)
        total = r.photographs.counts()[State.PENDING] + len(lacking)
        if total == 0:
            return intake
        count = workers or usual_workers()
        text = _estimate(total, *cost(r, total, count))
    preferred = preferences.load()
    plan = Plan(kinds, encoders, cap, preferred.desktop_thumbnails)
    started, done, paused = time.perf_counter(), 0, 0.0

    def waiting() -> None:
        nonlocal paused
        asked = time.perf_counter()
        progress(done, total, text)  # does not return while the person has paused the work
        paused += time.perf_counter() - asked

    with Workers(count, {kind.key: extractors[kind.key] for kind in kinds}, preferred_limits(count)) as pool:
        batch = Batch(library, plan, intake)
        try:
            for outcome in pool.run(_tasks(library, plan, lacking), waiting):
                batch.put(outcome)
                done += 1
                rate = done / (time.perf_counter() - started - paused)
                text = Message(
                    "{done} of {total} photographs · {rate:,.1f}/s · {name}",
                    done=done,
                    total=total,
                    rate=rate,
                    name=shown(os.path.basename(outcome.path)),
                )
                waiting()
        finally:
            batch.commit()
            seconds = time.perf_counter() - started - paused
            intake.seconds += seconds
    library.prune_thumbnails()
    with library.store.writing("remembering how fast photographs are read") as w:
        remember_pace(w, done, seconds, count)
    return intake


def count_waiting(r: Transaction) -> int:
    """Count the photographs that are pending, or lack keypoints or a descriptor that an index wants."""
    used = {index.kind_id for index in usable_indexes(r)}
    kinds = [kind for kind in r.descriptors.kinds() if kind.id in used]
    return r.photographs.counts()[State.PENDING] + len(_lacking(r, kinds))


def _estimate(total: int, seconds: float, size: float) -> Message:
    return Message(
        "{total} photos to read: about {time} and {size} of space",
        total=total,
        time=duration(seconds),
        size=size_of(size),
    )


def _lacking(r: Transaction, kinds: list[KindRow]) -> Ids:
    """Return the photographs that were read but lack keypoints or a descriptor, ascending."""
    return np.unique(np.concatenate([r.keypoints.lacking(VERSION), *(r.descriptors.lacking(kind) for kind in kinds)]))


def _tasks(library: Library, plan: Plan, lacking: Ids) -> Iterator[Task]:
    """Yield what is to be read: what is pending in id order, then what lacks something."""
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


def _contents(r: Transaction, plan: Plan, size: int) -> tuple[bytes, ...]:
    """Return the contents of files of a size of which everything is known: an equal file need not be looked into.

    Where very many have one size, as uncompressed pictures have, only the last of them are looked up for each page.
    """
    same = [other for other in r.photographs.by_size(size) if other.content_hash is not None]
    complete = [other for other in same[-_OF_ONE_SIZE:] if has_all(r, plan, other)]
    return tuple({other.content_hash for other in complete if other.content_hash is not None})


def _page(library: Library, r: Transaction, plan: Plan, rows: list[PhotographRow]) -> list[Task]:
    known = library.volumes(r)
    tasks = []
    contents: dict[int, tuple[bytes, ...]] = {}
    for row in rows:
        if row.size not in contents:
            contents[row.size] = _contents(r, plan, row.size)
        tasks.append(
            Task(
                photograph_id=row.id,
                path=volumes.locate(known[row.volume_id], row.path),
                size=row.size,
                mtime_ns=row.mtime_ns,
                known=contents[row.size],
                wanted=tuple(kind.key for kind in plan.kinds),
                desktop=plan.desktop,
                cap=plan.cap,
            )
        )
    return tasks
