"""Ingest: worker processes read the photographs that wait, and batches keep their results in id order.

The person chooses the machines that read: processes of this one, or a cluster.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from twinlens.app.indexes.fitted_models import concept_kind, kept_cap, load_encoder, load_extractors, usable_indexes
from twinlens.app.library import volumes
from twinlens.app.library.ingest.batches import IngestBatch
from twinlens.app.library.ingest.ingest_plan import IngestCounts, IngestPlan
from twinlens.app.library.ingest.known_contents import contents_by_size
from twinlens.app.library.library import Library, announced_cluster
from twinlens.app.library.pictures import present_thumbnails
from twinlens.app.library.workers.capacity import remember_pace
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.readers import Machines, Readers, ThisMachine
from twinlens.app.library.workers.reduced_pictures import ReducedPictures
from twinlens.app.machine import app_folders, preferences
from twinlens.app.machine.remaining_time import RemainingTime
from twinlens.core.arrays import Int64Ids
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress, part, silent
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION
from twinlens.storage.database.values import PhotographState
from twinlens.storage.library.store import Transaction
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photographs import PhotographRow

if TYPE_CHECKING:
    from twinlens.app.library.cluster.cluster import Cluster


TWICE = 300
"""Photographs from which on two passes are made: fewer are read soon enough."""

_PAGE = 1000
_FIRST_SHARE = 0.42  # of the time of a photograph, roughly, where its local features are left for the second pass
SEARCHABLE = Message("All photos can be searched now. Preparing the search for copies")
"""The text of progress when the second pass begins."""


def read_photographs(
    library: Library, progress: Progress = silent, machines: Machines | None = None, intake: IngestCounts | None = None
) -> IngestCounts:
    """Read every photograph that is pending, or lacks keypoints or a descriptor that an index wants.

    Many photographs are read in two passes. The first decodes each file and describes all but its local features,
    which take longest; then photographs can be browsed, filtered and searched. The second describes the local
    features, from the reduced pictures that the first has left. Where these have no room, the first describes all: no
    file is read twice. A photograph waits as long as it has no keypoints, so
    a stopped pass goes on later, and the end is the same. Other machines make one pass: they do not have the reduced
    pictures.

    Parameters
    ----------
    machines : Machines, optional
        Machines that read; by default this one, with as many processes as the person prefers.
    intake : IngestCounts, optional
        Counts to add to, which are there after a cancel, too.
    """
    intake = IngestCounts() if intake is None else intake
    machines = ThisMachine.of(None) if machines is None else machines
    with library.store.reading() as r:
        indexes, every = usable_indexes(r), used_kinds(r)
        extractors = load_extractors(r, every)
        # Photographs wait for what cannot be used now, and are read for the rest.
        kinds = [kind for kind in every if not extractors[kind.key].unusable()]
        by_id = {kind.id: kind for kind in kinds}
        encoders = [
            (index, by_id[index.kind_id], encoder)
            for index in indexes
            if index.kind_id in by_id and (encoder := load_encoder(r, index)) is not None
        ]
        cap, lacking, pending = kept_cap(r), _lacking(r, kinds), r.photographs.counts()[PhotographState.PENDING]
        total = pending + len(lacking)
        if total == 0:
            reduced_pictures(library).clear()
            return intake
    preferred = preferences.load()
    desktop = preferred.desktop_thumbnails if machines.here else "off"
    plan = IngestPlan(kinds, encoders, cap, reduced_pictures(library), desktop, here=machines.here)
    with machines.readers({kind.key: extractors[kind.key] for kind in kinds}) as readers:
        clock = _PassClock()
        try:
            if pending >= TWICE and plan.local and plan.here:
                first = _Pass(library, replace(plan, leaves=True), machines, clock, intake, pending, _to_read(pending))
                left = min(1.0, plan.reduced.room() / pending)
                share = 1 - (1 - _FIRST_SHARE) * left
                read = first.run(readers, _pending_tasks(library, first.plan), part(progress, 0.0, share))
                with library.store.reading() as r:
                    lacking = _lacking(r, kinds)
                second = _Pass(library, plan, machines, clock, intake, len(lacking), SEARCHABLE, _prepared_so_far)
                rest = second.run(readers, _lacking_tasks(library, plan, lacking), part(progress, share, 1.0))
                read = max(read, rest)
            else:
                once = _Pass(library, plan, machines, clock, intake, total, _to_read(total))
                tasks = (_pending_tasks(library, plan), _lacking_tasks(library, plan, lacking))
                read = once.run(readers, chain.from_iterable(tasks), progress)
        finally:
            intake.seconds += clock.seconds()
    plan.reduced.clear()
    library.prune_thumbnails()
    if machines.here:
        with library.store.writing("remembering how fast photographs are read") as w:
            remember_pace(w, read, clock.seconds(), machines.count)
    return intake


def _lacking(r: Transaction, kinds: list[KindRow]) -> Int64Ids:
    """Return the photographs that were read but lack keypoints or a descriptor, ascending."""
    return np.unique(
        np.concatenate([r.keypoints.lacking(KEYPOINTS_VERSION), *(r.descriptors.lacking(kind) for kind in kinds)])
    )


def _to_read(count: int) -> Message:
    return counted("{count} photo to read", "{count} photos to read", count)


class _PassClock:
    """The time of reading, without pauses of the person."""

    def __init__(self) -> None:
        self._started, self._paused = time.perf_counter(), 0.0

    def seconds(self) -> float:
        return time.perf_counter() - self._started - self._paused

    def tell(self, progress: Progress, done: int, total: int, text: Message) -> None:
        """Report progress; the call does not return while the work is paused."""
        began = time.perf_counter()
        progress(done, total, text)
        self._paused += time.perf_counter() - began


def _read_so_far(done: int, total: int, rate: float, name: str) -> Message:
    return Message("{done} of {total} photos · {rate:,.1f}/s · {name}", done=done, total=total, rate=rate, name=name)


@dataclass
class _Pass:
    """One pass over photographs, all of them or those that lack something.

    Attributes
    ----------
    total : int
        Photographs to go through.
    text : Message
        The text of progress until the first photograph is done.
    told : callable
        The text after that, from the photographs done, their total, the rate per second and a name.
    """

    library: Library
    plan: IngestPlan
    machines: Machines
    clock: _PassClock
    intake: IngestCounts
    total: int
    text: Message
    progress_message: Callable[[int, int, float, str], Message] = _read_so_far

    def run(self, readers: Readers, tasks: Iterator[FileReadingTask], progress: Progress) -> int:
        """Read the tasks, keep the results, and return how many there were."""
        text, done, began = self.text, 0, 0.0
        pace = RemainingTime(self.clock.seconds)

        def waiting() -> None:
            self.clock.tell(progress, done, self.total, text)

        waiting()
        batch = IngestBatch(self.library, self.plan, self.intake)
        try:
            for outcome in readers.run(tasks, waiting):
                batch.put(outcome)
                began = began if done else self.clock.seconds()  # what was before is the start of processes
                done += 1
                pace.tell(done / self.total)
                rate = (pace.rate() or 0.0) * self.total or done / max(self.clock.seconds() - began, 1.0)
                text = self.progress_message(done, self.total, rate, shown(os.path.basename(outcome.path)))
                if machines := self.machines.machines_in_words():
                    text = Message("{text} · {machines}", text=text, machines=machines)
                waiting()
        finally:
            batch.commit()
        return done


def _pending_tasks(library: Library, plan: IngestPlan) -> Iterator[FileReadingTask]:
    """Yield tasks of the pending photographs, in id order."""
    after = 0
    while True:
        with library.store.reading() as r:
            rows = r.photographs.in_state(PhotographState.PENDING, after, _PAGE)
            connected = _connected(library, r, plan)
            tasks = _page(library, r, plan, [row for row in rows if row.volume_id in connected], connected)
        if not rows:
            break
        for task in tasks:
            room = plan.leaves and plan.reduced.has_room()
            yield replace(task, later=plan.caps, reduced=plan.reduced.folder) if room else task
        after = rows[-1].id


def _connected(library: Library, r: Transaction, plan: IngestPlan) -> set[int]:
    """Return the volumes whose photographs can be read; those of others wait. Other machines may have any disk."""
    return {one for one, volume in library.volumes(r).items() if not plan.here or volumes.is_present(volume)}


def _page(
    library: Library, r: Transaction, plan: IngestPlan, rows: list[PhotographRow], connected: Collection[int]
) -> list[FileReadingTask]:
    known = library.volumes(r)
    contents = contents_by_size(r, plan, {row.size for row in rows if row.volume_id in connected})
    return [
        FileReadingTask(
            photograph_id=row.id,
            path=volumes.locate(known[row.volume_id], row.path),
            size=row.size,
            mtime_ns=row.mtime_ns,
            known=contents.get(row.size, ()),
            wanted=tuple(kind.key for kind in plan.kinds),
            desktop=plan.desktop,
            cap=plan.cap,
            local=plan.local,
            volume=known[row.volume_id],
            relative=row.path,
        )
        for row in rows
    ]


def _prepared_so_far(done: int, total: int, rate: float, _name: str) -> Message:
    return Message(
        "All photos can be searched now. Preparing the search for copies: {done} of {total} · {rate:,.1f}/s",
        done=done,
        total=total,
        rate=rate,
    )


LATER = frozenset({SEARCHABLE.template, _prepared_so_far(0, 0, 0.0, "").template})
"""The templates of the texts of progress while what comes after the first pass is done."""


def _lacking_tasks(library: Library, plan: IngestPlan, lacking: Int64Ids) -> Iterator[FileReadingTask]:
    """Yield tasks of incomplete photographs: from the thumbnail or the reduced picture where that is enough."""
    others = [kind for kind in plan.kinds if kind.key not in plan.local and kind.key not in plan.from_thumbnail]
    with library.store.reading() as r:
        read_again = {int(one) for kind in others for one in r.descriptors.lacking(kind)}
        local = [kind for kind in plan.kinds if kind.key in plan.local]
        incomplete = read_again.union(_lacking(r, local).tolist())
    for start in range(0, len(lacking), _PAGE):
        with library.store.reading() as r:
            rows, connected = r.photographs.by_id(lacking[start : start + _PAGE]), _connected(library, r, plan)
            tasks = _page(library, r, plan, rows, connected)
        complete = [row.content_hash for row in rows if row.id not in incomplete and row.content_hash is not None]
        thumbnails = present_thumbnails(library, complete)
        for task, row in zip(tasks, rows, strict=True):
            content_hash = row.content_hash or b""
            if row.id not in incomplete and (thumbnail := thumbnails.get(content_hash)):
                yield replace(task, wanted=plan.from_thumbnail, content_hash=content_hash, thumbnail=thumbnail)
            elif row.id not in read_again and plan.here and plan.reduced.has(content_hash):
                yield replace(task, later=plan.caps, reduced=plan.reduced.folder, content_hash=content_hash)
            elif row.volume_id in connected:
                yield task


@contextmanager
def chosen_machines(library: Library, workers: int | None = None, cluster: Cluster | None = None) -> Iterator[Machines]:
    """Yield the machines that read: processes of this one, or a cluster, which is in use until the block ends.

    Parameters
    ----------
    workers : int, optional
        Processes of this machine; by default as many as the person prefers.
    cluster : Cluster, optional
        Cluster that reads instead; not connected yet.

    Raises
    ------
    TwinlensError
        If the cluster cannot be used, or another program adds photographs to the library.
    """
    if cluster is None:
        yield ThisMachine.of(workers)
        return
    with library.store.adding("reading photos by a cluster"), cluster, announced_cluster(library, cluster.address.text):
        yield cluster


def count_waiting(r: Transaction) -> int:
    """Count the photographs that are pending, or lack keypoints or a descriptor that an index wants."""
    return r.photographs.counts()[PhotographState.PENDING] + len(_lacking(r, used_kinds(r)))


def used_kinds(r: Transaction) -> list[KindRow]:
    """Return the kinds of descriptor that an index searches by, and the concepts, by which words do."""
    used = {index.kind_id for index in usable_indexes(r)}
    concepts = concept_kind(r)
    return [kind for kind in r.descriptors.kinds() if kind.id in used or kind == concepts]


def reduced_pictures(library: Library) -> ReducedPictures:
    """Return the reduced pictures of a library's photographs."""
    return ReducedPictures(app_folders.cache_folder() / "reduced" / library.store.id)
