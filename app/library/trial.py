"""A few photographs of a folder, read for time before all of them are: what they cost tells what the others will."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from app.indexes.descriptor_kinds import load_extractor
from app.indexes.usable import usable_indexes
from app.library.allowance import preferred_limits
from app.library.extraction import FileReadingTask, ReadPhotograph
from app.library.folder_walk import WalkedFile
from app.library.library import Library
from app.library.stored_keypoints import kept_cap
from app.library.workers import Workers
from app.methods import catalogue
from core.message import Message
from core.progress import Progress, silent
from features.descriptor import Extractor

LEAST = 100
"""Photographs for which a trial is worth its while: fewer are read nearly as soon."""

_WARM_UP = 2  # photographs for each worker, before time is taken
_MEASURED = 16  # at least; and some for each worker: at the end one of them is waited for, and the others rest
_FOR_EACH_WORKER = 6
_DRAWN = 512  # among which those that are read are spread by their sizes
_LIMIT_S = 5.0
_TEXT = Message("Reading a few photos to estimate how long all of them take")
_ROOM = 1.3  # of what is kept: pages of a database are never full
_ROW_BYTES = 700  # of the photograph's row, its places in the library's lists, and its codes


@dataclass
class FileSample:
    """A draw of files while they pass by, each as likely as any other, and the same each time."""

    count: int = _DRAWN
    files: list[WalkedFile] = field(default_factory=list)
    _seen: int = 0
    _random: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 (a draw, no secret)

    def pass_by(self, file: WalkedFile) -> None:
        """Let one more file pass."""
        self._seen += 1
        if len(self.files) < self.count:
            self.files.append(file)
        elif (place := self._random.randrange(self._seen)) < self.count:
            self.files[place] = file


@dataclass(frozen=True)
class CostSample:
    """The cost of reading a file on trial.

    Attributes
    ----------
    seconds : float
        A photograph, with all processes at work.
    start : float
        Seconds until these are.
    space : float
        Bytes that are kept of a photograph, with its thumbnail.
    """

    seconds: float
    start: float
    space: float


def spread(files: Sequence[WalkedFile], count: int) -> list[WalkedFile]:
    """Choose files as evenly spread by size as can be, in no order of size, so that some of them tell nearly as much.

    Examples
    --------
    >>> files = [Found(b"", size, 0, 0, 0) for size in range(100)]
    >>> sorted(file.size for file in spread(files, 4))
    [12, 37, 62, 87]
    """
    by_size = sorted(files, key=lambda file: (file.size, file.path))
    count = min(count, len(by_size))
    chosen = [by_size[int((i + 0.5) * len(by_size) / count)] for i in range(count)]
    random.Random(0).shuffle(chosen)  # noqa: S311
    return chosen


def read_some(
    library: Library, files: Sequence[WalkedFile], workers: int, progress: Progress = silent
) -> CostSample | None:
    """Read a few files just as adding does, and keep nothing of them.

    Parameters
    ----------
    library : Library
        Whose descriptors are made.
    files : sequence of Found
        A fair draw of what is to be read.
    workers : int
        Processes that read.
    progress : Progress

    Returns
    -------
    Trial or None
        None where the files are too few for all processes to get ready and measure.

    Raises
    ------
    TwinlensError
        If no process can read.
    Cancelled
        If progress says so.
    """
    warm_up = _WARM_UP * workers
    chosen = spread(files, warm_up + max(_MEASURED, _FOR_EACH_WORKER * workers))
    if len(chosen) < warm_up + workers:
        return None
    extractors = _extractors(library)
    with library.store.reading() as r:
        cap = kept_cap(r)
    tasks = [
        FileReadingTask(i, file.path, file.size, file.mtime_ns, (), tuple(extractors), cap=cap)
        for i, file in enumerate(chosen)
    ]
    began = time.perf_counter()
    sizes: list[int] = []
    done = 0

    def tell() -> None:
        progress(done, len(tasks), _TEXT)

    with Workers(workers, extractors, preferred_limits(workers)) as pool:
        for _ in pool.run(tasks[:warm_up], tell):  # while these are read, processes still load what they need
            done += 1
        ready = time.perf_counter()
        for outcome in pool.run(tasks[warm_up:], tell):
            done += 1
            tell()
            if isinstance(outcome, ReadPhotograph):
                sizes.append(_kept_bytes([outcome.thumbnail, outcome.keypoints or b"", *outcome.vectors.values()]))
            if done >= warm_up + workers and time.perf_counter() - ready > _LIMIT_S:
                break
        end = time.perf_counter()
    space = sum(sizes) / len(sizes) if sizes else 0.0
    return CostSample((end - ready) / (done - warm_up), ready - began, space)


def _kept_bytes(kept: Iterable[bytes]) -> int:
    return round(_ROW_BYTES + _ROOM * sum(map(len, kept)))


def _extractors(library: Library) -> dict[str, Extractor]:
    """Return what describes the photographs, by keys; of a new library what it will begin with."""
    made: dict[str, Extractor] = {}
    with library.store.reading() as r:
        kinds = {kind.id: kind for kind in r.descriptors.kinds()}
        for index in usable_indexes(r):
            if index.kind_id is not None:
                made[kinds[index.kind_id].key] = load_extractor(r, kinds[index.kind_id])
            elif not (descriptor := catalogue.descriptor(index.descriptor)).learns:
                made[descriptor.text()] = descriptor.fit(lambda: (), silent)
    return {key: extractor for key, extractor in made.items() if not extractor.unusable()}
