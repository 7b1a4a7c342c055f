"""Cost estimates: the new files, time and space that adding folders will take.

Files are counted, and a few of the new ones are read on trial: their time and size stand for all.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from twinlens.app.indexes.fitted_models import kept_cap, load_extractor, usable_indexes
from twinlens.app.library import volumes
from twinlens.app.library.ingest.folder_walk import EXCLUDES, WalkedFile, resolved_folder, walk
from twinlens.app.library.library import Library
from twinlens.app.library.workers.capacity import preferred_limits, reading_cost, usual_workers
from twinlens.app.library.workers.extraction import ReadPhotograph
from twinlens.app.library.workers.file_contents import PICTURE_ENDINGS, FileReadingTask
from twinlens.app.library.workers.worker_pool import Workers
from twinlens.app.methods import catalogue
from twinlens.core.message import Message, counted, duration, size
from twinlens.core.progress import Progress, silent
from twinlens.features.descriptor import Extractor
from twinlens.storage.library.store import Transaction

_TELL_EVERY = 500


@dataclass(frozen=True)
class CostEstimate:
    """An estimate of what adding will cost.

    Attributes
    ----------
    files : int
        Files whose names have the ending of a picture.
    new_files : int
        Files that are new or changed.
    bytes : int
        Of the new files, which stay where they are.
    space : int
        Bytes that the library and its thumbnails will grow by.
    """

    files: int
    new_files: int
    bytes: int
    seconds: float
    space: int

    def sentence(self) -> Message:
        """Return the estimate as a message.

        Examples
        --------
        >>> print(CostEstimate(12_480, 12_480, 38_000_000_000, 840.0, 187_000_000).sentence())
        12,480 photos (38 GB): about 14 minutes and 187 MB of space.
        >>> print(CostEstimate(2_000, 1, 3_000_000, 1.0, 15_000_000).sentence())
        1 new photo (3.0 MB) among 2,000 files: about 1 second and 15 MB of space.
        >>> print(CostEstimate(2_000, 0, 0, 0.0, 0).sentence())
        All 2,000 photos are in the library already.
        """
        if not self.files:
            return Message("No photos were found.")
        if not self.new_files:
            return counted(
                "The photo is in the library already.", "All {count} photos are in the library already.", self.files
            )
        costs = {"size": size(self.bytes), "time": duration(self.seconds), "space": size(self.space)}
        if self.new_files == self.files:
            return counted(
                "{count} photo ({size}): about {time} and {space} of space.",
                "{count} photos ({size}): about {time} and {space} of space.",
                self.files,
                **costs,
            )
        return counted(
            "{count} new photo ({size}) among {files} files: about {time} and {space} of space.",
            "{count} new photos ({size}) among {files} files: about {time} and {space} of space.",
            self.new_files,
            files=self.files,
            **costs,
        )


def estimate_cost(
    library: Library,
    folders: Sequence[Path],
    progress: Progress = silent,
    workers: int | None = None,
    excludes: Sequence[str] = (),
) -> CostEstimate:
    """Estimate what adding folders will cost, from a count of the files and a few of the new ones. Nothing is kept.

    See :func:`count_files` and :func:`price`.
    """
    return price(library, count_files(library, folders, progress, excludes), progress, workers)


@dataclass(frozen=True)
class FileCount:
    """A count of files whose names have the ending of a picture.

    Attributes
    ----------
    files, new_files : int
        All of them, and those that are new or changed.
    bytes : int
        Of the new ones.
    sample : tuple of WalkedFile
        Some of the new ones, drawn by chance.
    """

    files: int
    new_files: int
    bytes: int
    sample: tuple[WalkedFile, ...]


def count_files(
    library: Library, folders: Sequence[Path], progress: Progress = silent, excludes: Sequence[str] = ()
) -> FileCount:
    """Count the files of folders that would be added.

    Parameters
    ----------
    progress : Progress
        May raise ``Cancelled``.
    excludes : sequence of str
        Patterns that will be passed over, besides those that were before.

    Raises
    ------
    TwinlensError
        If a folder is not there.
    """
    paths = sorted({resolved_folder(folder) for folder in folders})
    # A folder inside another is counted once.
    outermost = [path for path in paths if not any(path != other and volumes.is_in(path, other) for other in paths)]
    files = new_files = total = 0
    draw = FileSample()
    with library.store.reading() as r:
        known = library.volumes(r)
        before = {volumes.locate(known[row.volume_id], row.path): row.excludes for row in r.folders.all()}
        for folder in outermost:
            patterns = next((kept for place, kept in before.items() if volumes.is_in(folder, place)), EXCLUDES)
            for found, is_new in _files(r, folder, (*before.get(folder, patterns), *excludes)):
                files += 1
                new_files += is_new
                total += found.size * is_new
                if is_new:
                    draw.pass_by(found)
                if files % _TELL_EVERY == 0:
                    progress(0, 0, Message("looking through folders: {files} photos", files=files))
    return FileCount(files, new_files, total, tuple(draw.files))


def price(library: Library, files: FileCount, progress: Progress = silent, workers: int | None = None) -> CostEstimate:
    """Estimate what reading the counted new files will cost, from a few of them.

    Parameters
    ----------
    progress : Progress
        May raise ``Cancelled``.
    workers : int, optional
        Processes that will read; by default as many as the person prefers.

    Raises
    ------
    TwinlensError
        If no process can read.
    """
    new_files, count = files.new_files, workers or usual_workers()
    with library.store.reading() as r:
        seconds, space = reading_cost(r, new_files, count)
    tried = read_some(library, files.sample, count, progress) if new_files >= LEAST else None
    if tried is not None:
        seconds, space = tried.start + new_files * tried.seconds, new_files * tried.space or space
    return CostEstimate(files.files, new_files, files.bytes, seconds, round(space))


def _files(r: Transaction, folder: bytes, excludes: tuple[str, ...]) -> Iterator[tuple[WalkedFile, bool]]:
    """Yield the files that seem to be pictures, and whether each is new; both lists come in path order."""
    volume, under = volumes.split_folder(folder)
    volume_id = next((row.id for row in r.volumes.all() if row.identity == volume.identity), None)
    known = iter(()) if volume_id is None else r.photographs.known(volume_id, under)
    one = next(known, None)
    for found in walk(folder, excludes):
        if (
            not isinstance(found, WalkedFile)
            or os.path.splitext(os.fsdecode(found.path))[1].lower() not in PICTURE_ENDINGS
        ):
            continue
        path = volumes.relative_to(found.path, volume.mount)
        while one is not None and one.path < path:
            one = next(known, None)
        yield found, one is None or (one.path, one.size, one.mtime_ns) != (path, found.size, found.mtime_ns)


LEAST = 100
"""New photographs from which on a trial pays: fewer are read nearly as soon."""

_DRAWN = 512  # files from which the trial is chosen, spread by size


@dataclass
class FileSample:
    """A uniform sample of files of unknown number (reservoir sampling), the same each time."""

    count: int = _DRAWN
    files: list[WalkedFile] = field(default_factory=list)
    _seen: int = 0
    _random: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 (a draw, no secret)

    def pass_by(self, file: WalkedFile) -> None:
        """Offer one more file to the sample."""
        self._seen += 1
        if len(self.files) < self.count:
            self.files.append(file)
        elif (place := self._random.randrange(self._seen)) < self.count:
            self.files[place] = file


@dataclass(frozen=True)
class CostSample:
    """The measured cost of reading a photograph.

    Attributes
    ----------
    seconds : float
        Of a photograph, with all processes at work.
    start : float
        Seconds until all processes work.
    space : float
        Bytes that are kept of a photograph, with its thumbnail.
    """

    seconds: float
    start: float
    space: float


def spread(files: Sequence[WalkedFile], count: int) -> list[WalkedFile]:
    """Choose files spread evenly by size, in random order, so that the first few stand for all.

    Examples
    --------
    >>> files = [WalkedFile(b"", size, 0, 0, 0) for size in range(100)]
    >>> sorted(file.size for file in spread(files, 4))
    [12, 37, 62, 87]
    """
    by_size = sorted(files, key=lambda file: (file.size, file.path))
    count = min(count, len(by_size))
    chosen = [by_size[int((i + 0.5) * len(by_size) / count)] for i in range(count)]
    random.Random(0).shuffle(chosen)  # noqa: S311
    return chosen


_WARM_UP = 2  # photographs for each worker, before time is taken
_MEASURED = 16  # at least, and some for each worker: at the end one still works and the others rest
_FOR_EACH_WORKER = 6
_LIMIT_S = 5.0
_TEXT = Message("Reading a few photos to estimate how long all of them take")


def read_some(
    library: Library, files: Sequence[WalkedFile], workers: int, progress: Progress = silent
) -> CostSample | None:
    """Read a few files just as adding does, and keep nothing of them.

    Parameters
    ----------
    library : Library
        The library whose descriptors are extracted.
    files : sequence of WalkedFile
        A random sample of the files to read.
    workers : int
        Processes that read.

    Returns
    -------
    CostSample or None
        None where the files are too few for all processes to get ready and measure.

    Raises
    ------
    TwinlensError
        If no process can read.
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


def _extractors(library: Library) -> dict[str, Extractor]:
    """Return the extractors of a library by their keys; of a new library, those that it will begin with."""
    made: dict[str, Extractor] = {}
    with library.store.reading() as r:
        kinds = {kind.id: kind for kind in r.descriptors.kinds()}
        for index in usable_indexes(r):
            if index.kind_id is not None:
                made[kinds[index.kind_id].key] = load_extractor(r, kinds[index.kind_id])
            elif not (descriptor := catalogue.descriptor(index.descriptor)).learns:
                made[descriptor.text()] = descriptor.fit(lambda: (), silent)
    return {key: extractor for key, extractor in made.items() if not extractor.unusable()}


_ROOM = 1.3  # times the bytes kept: pages of a database are never full
_ROW_BYTES = 700  # a photograph's row, its index entries, and its codes


def _kept_bytes(kept: Iterable[bytes]) -> int:
    return round(_ROW_BYTES + _ROOM * sum(map(len, kept)))
