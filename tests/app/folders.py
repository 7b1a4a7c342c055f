"""Folders of made photographs, and libraries of them, each made once in a process of tests and then copied."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.features.sample_pictures import encode, scene
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.library.library_results import AddResult
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_results import SearchResult
from twinlens.app.search.searcher import search


def write_scene(path: Path, seed: int, width: int = 320, height: int = 240) -> Path:
    """Write a photograph that differs from that of every other seed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(scene(width, height, seed), "JPEG", quality=92))
    return path


def write_scenes(folder: Path, count: int, first: int = 0) -> list[Path]:
    """Write photographs 0000.jpg, 0001.jpg, ..."""
    return [write_scene(folder / f"{seed:04}.jpg", seed) for seed in range(first, first + count)]


def empty_library(path: Path, descriptor: str) -> Path:
    """Make a library without photographs, with one index that is soon made."""
    with Library.open(path, create=True) as library, library.store.writing() as w:
        for index in w.indexes.all():
            if index.automatic:
                w.indexes.delete(index.id)
        w.indexes.add("Automatic", descriptor, "lsh:bits=64", "scan", automatic=True)
    return path


def added(path: Path, *folders: Path) -> AddResult:
    """Add folders to a library and close it."""
    with Library.open(path, create=True) as library:
        return add(library, folders, Adding(workers=1))


def ids_by_name(path: Path) -> dict[str, int]:
    """Return the id of every photograph that can be found, by its file's name."""
    with Library.open(path) as library, library.store.reading() as r:
        rows = r.photographs.by_id(range(1, 2000))
        return {name.decode(errors="surrogateescape").rsplit("/", 1)[-1]: row.id
                for row, name in zip(rows, library.paths(r, rows), strict=True)}  # fmt: skip


def found(path: Path, picture: Path | int, index: str = "Automatic", k: int = 20, exact: bool = False) -> SearchResult:
    """Search with one picture in one index."""
    with Library.open(path) as library:
        return search(library, [picture], [index], SearchOptions(k=k, exact=exact)).results[0]


def answers(path: Path, pictures: list[Path], index: str = "Automatic") -> list[list[tuple[int, float]]]:
    """Return ids and distances of the hits of some queries."""
    with Library.open(path) as library:
        return [
            [(hit.id, hit.distance) for hit in one.hits]
            for one in search(library, pictures, [index], SearchOptions(k=10)).results
        ]


class Libraries:
    """Libraries of the first photographs of :func:`write_scenes`, as they are when these are added.

    What is given is for all tests: they may read it, and copy it to change it.
    """

    def __init__(self, place: Path) -> None:
        self._place = place

    def photographs(self, count: int) -> Path:
        """Return a folder of so many photographs."""
        folder = self._place / str(count) / "photographs"
        if not folder.exists():
            write_scenes(folder, count)
        return folder

    def of(self, count: int) -> Path:
        """Return a library of so many photographs."""
        path = self._place / str(count) / "family.twinlens"
        if not path.exists():
            added(path, self.photographs(count))
        return path

    def copy(self, count: int, path: Path) -> Path:
        """Copy a library of so many photographs; these stay where they are, and are shared."""
        return Path(shutil.copy(self.of(count), path))

    def changeable(self, count: int, path: Path, within: str = "") -> Path:
        """Copy a library of so many photographs that may be changed; return its folder, as it was when it was added.

        It is one for all tests of a process, put back for each. The photographs may lie in a folder within it.
        """
        made = self._place / f"{count} to be changed {within}" / "family.twinlens"
        folder = made.with_name("photographs")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.photographs(count), folder / within)
        if not made.exists():
            added(made, folder)
        shutil.copy(made, path)
        return folder


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Libraries:
    """Return the libraries of this process of tests."""
    return Libraries(tmp_path_factory.mktemp("libraries"))
