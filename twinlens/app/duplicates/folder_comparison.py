"""Folders compared with each other: which hold the same pictures, and which pictures are in one of them alone.

Pictures are the same where one is a copy of the other (:data:`twinlens.app.duplicates.groups.COPIES`). Folders are
compared without those below them, so that a backup shows folder by folder what it lacks.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from pathlib import Path

from pydantic import Field

from twinlens.app.duplicates.comparing.comparison import compare_pictures
from twinlens.app.duplicates.duplicates import known_duplicates, none_in
from twinlens.app.duplicates.groups import PhotoGroup
from twinlens.app.duplicates.keeper_rules import KeeperCandidate
from twinlens.app.library import volumes
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.results import PhotographPath, Result
from twinlens.core.files.untrusted_input import shown
from twinlens.core.progress import Progress, part, silent
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.photograph_listing import Filter

_MOST_FOLDERS = 50  # of one picture that are compared with each other: of an icon that is everywhere


class FolderPair(Result):
    """Two folders that hold the same pictures."""

    first: str
    second: str
    in_both: int = Field(description="pictures that both hold")
    only_first: int = Field(description="photos of the first without a copy in the second")
    only_second: int = Field(description="photos of the second without a copy in the first")
    bytes: int = Field(description="of the files in the folder that has nothing of its own, else of the smaller copies")

    @property
    def is_copy(self) -> bool:
        """Whether all that one of both holds is in the other, too."""
        return not (self.only_first and self.only_second)


class FolderPairs(Result):
    """Result of ``duplicates folders``: whole copies first, then those with most in common."""

    pairs: list[FolderPair]


class PhotographsOnlyThere(Result):
    """Result of ``duplicates only-in``."""

    folder: str
    elsewhere: str | None = Field(description="the folder with which it was compared; none for all others")
    photographs: int = Field(description="of the folder and those below it")
    only_there: list[PhotographPath] = Field(description="paths of those without a copy elsewhere")


def folder_pairs(library: Library, progress: Progress = silent) -> FolderPairs:
    """Compare what is new, and list the pairs of folders that hold the same pictures."""
    compare_pictures(library, AUTOMATIC, part(progress, 0.0, 0.9))
    return known_folder_pairs(library, part(progress, 0.9, 1.0))


def known_folder_pairs(library: Library, progress: Progress = silent) -> FolderPairs:
    """List the pairs of folders that hold the same pictures, as far as these were compared."""
    groups = known_duplicates(library, progress=progress).groups
    total = Counter(os.path.dirname(path) for path in _paths(library).values())
    common: Counter[tuple[bytes, bytes]] = Counter()
    within: Counter[tuple[bytes, bytes, bytes]] = Counter()
    size: Counter[tuple[bytes, bytes]] = Counter()
    for picture in _pictures(groups):
        by_folder: dict[bytes, list[KeeperCandidate]] = {}
        for one in picture:
            by_folder.setdefault(os.path.dirname(one.path), []).append(one)
        for first, second in combinations(sorted(by_folder)[:_MOST_FOLDERS], 2):
            common[first, second] += 1
            size[first, second] += min(sum(one.bytes for one in by_folder[each]) for each in (first, second))
            for each in (first, second):
                within[first, second, each] += len(by_folder[each])
    pairs = [
        FolderPair(
            first=shown(first),
            second=shown(second),
            in_both=count,
            only_first=total[first] - within[first, second, first],
            only_second=total[second] - within[first, second, second],
            bytes=size[first, second],
        )
        for (first, second), count in common.items()
    ]
    pairs.sort(key=lambda one: (not one.is_copy, -one.in_both, one.first, one.second))
    return FolderPairs(pairs=pairs)


def only_in_folder(
    library: Library, folder: Path, elsewhere: Path | None = None, progress: Progress = silent
) -> PhotographsOnlyThere:
    """Compare what is new, and list the photographs of a folder, and below it, that have no copy elsewhere.

    Parameters
    ----------
    elsewhere : Path, optional
        The only folder in which copies count; by default all others.

    Raises
    ------
    TwinlensError
        If no photograph of the library lies in one of the folders.
    """
    compare_pictures(library, AUTOMATIC, part(progress, 0.0, 0.9))
    groups = known_duplicates(library, progress=part(progress, 0.9, 1.0)).groups
    every = _paths(library)
    within = _photographs_in(every, folder)
    other = set(every) - within if elsewhere is None else _photographs_in(every, elsewhere) - within
    only = sorted(every[one] for one in _without_copies(groups, within, other))
    return PhotographsOnlyThere(
        folder=shown(volumes.full_path(folder)),
        elsewhere=None if elsewhere is None else shown(volumes.full_path(elsewhere)),
        photographs=len(within),
        only_there=[shown(path) for path in only],
    )


def known_only_in(library: Library, folder: bytes, elsewhere: bytes, progress: Progress = silent) -> list[int]:
    """List the photographs of a folder, without those below it, that have no copy in another one, as far as is known.

    Parameters
    ----------
    folder, elsewhere : bytes
        Full paths.
    """
    every = _paths(library)
    within, other = (
        {one for one, path in every.items() if os.path.dirname(path) == each} for each in (folder, elsewhere)
    )
    only = _without_copies(known_duplicates(library, progress=progress).groups, within, other)
    return sorted(only, key=every.__getitem__)


def _without_copies(groups: Iterable[PhotoGroup], within: set[int], other: set[int]) -> set[int]:
    """Return the photographs of some that have no copy among others."""
    copied = {one.id for picture in _pictures(groups) if any(each.id in other for each in picture) for one in picture}
    return within - copied


def _pictures(groups: Iterable[PhotoGroup]) -> Iterable[tuple[KeeperCandidate, ...]]:
    return (picture for group in groups for picture in group.pictures if len(picture) > 1)


def _paths(library: Library) -> dict[int, bytes]:
    """Return the full paths of all photographs that were read, by their ids."""
    with library.store.reading() as r:
        rows = r.photographs.by_id(r.photographs.matching(Filter(states=(PhotographState.READY,))))
        return {row.id: path for row, path in zip(rows, library.paths(r, rows), strict=True)}


def _photographs_in(every: dict[int, bytes], folder: Path) -> set[int]:
    path = volumes.full_path(folder)
    found = {one for one, each in every.items() if volumes.is_in(each, path)}
    if not found:
        raise none_in(path)
    return found
