"""Estimates of what adding folders will cost: new files, time and space.

Many new photographs are estimated by reading a few of them, few by the pace of the last reading.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.library import volumes
from app.library.extraction import PICTURE_ENDINGS
from app.library.folder_survey import resolved_folder
from app.library.folder_walk import EXCLUDES, WalkedFile, walk
from app.library.library import Library
from app.library.pace import reading_cost, usual_workers
from app.library.trial import LEAST, FileSample, read_some
from core.amounts import duration, size
from core.message import Message, counted
from core.progress import Progress, silent
from storage.library.transaction import Transaction

_TELL_EVERY = 500


@dataclass(frozen=True)
class CostEstimate:
    """An estimate of what adding will cost.

    Attributes
    ----------
    files : int
        Whose names say that they are pictures.
    new_files : int
        Those of them that are new or changed.
    bytes : int
        Of the new ones; they stay where they are.
    seconds : float
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
        >>> print(Estimate(12_480, 12_480, 38_000_000_000, 840.0, 187_000_000).sentence())
        12,480 photos (38 GB): about 14 minutes and 187 MB of space.
        >>> print(Estimate(2_000, 1, 3_000_000, 1.0, 15_000_000).sentence())
        1 new photo (3.0 MB) among 2,000 files: about 1 second and 15 MB of space.
        >>> print(Estimate(2_000, 0, 0, 0.0, 0).sentence())
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

    Parameters
    ----------
    library : Library
    folders : sequence of Path
    progress : Progress
        May raise ``Cancelled``.
    workers : int, optional
        Processes that will read; by default as many as the person prefers.
    excludes : sequence of str
        Patterns that will be passed over, besides those that were before.

    Raises
    ------
    TwinlensError
        If a folder is not there, or no process can read.
    """
    paths = sorted({resolved_folder(folder) for folder in folders})
    # A folder inside another is counted once.
    outermost = [path for path in paths if not any(_is_below(path, other) for other in paths)]
    files = new_files = total = 0
    draw, count = FileSample(), workers or usual_workers()
    with library.store.reading() as r:
        known = library.volumes(r)
        before = {volumes.locate(known[row.volume_id], row.path): row.excludes for row in r.folders.all()}
        for folder in outermost:
            patterns = next((kept for place, kept in before.items() if _is_below(folder, place)), EXCLUDES)
            for found, is_new in _files(r, folder, (*before.get(folder, patterns), *excludes)):
                files += 1
                new_files += is_new
                total += found.size * is_new
                if is_new:
                    draw.pass_by(found)
                if files % _TELL_EVERY == 0:
                    progress(0, 0, Message("looking through folders: {files} photos", files=files))
        seconds, space = reading_cost(r, new_files, count)
    tried = read_some(library, draw.files, count, progress) if new_files >= LEAST else None
    if tried is not None:
        seconds, space = tried.start + new_files * tried.seconds, new_files * tried.space or space
    return CostEstimate(files, new_files, total, seconds, round(space))


def _is_below(path: bytes, folder: bytes) -> bool:
    return path != folder and path.startswith(folder.rstrip(b"/") + b"/")


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
