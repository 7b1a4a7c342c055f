"""Folders of made photographs, and libraries of them."""

from __future__ import annotations

from pathlib import Path

from app.library.ingest.adding import Adding, add
from app.library.library import Library
from app.library.library_results import AddResult
from app.search.search_query import SearchOptions
from app.search.search_results import SearchResult
from app.search.searcher import search
from tests.features.sample_pictures import encode, scene


def write_scene(path: Path, seed: int, width: int = 320, height: int = 240) -> Path:
    """Write a photograph that differs from that of every other seed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encode(scene(width, height, seed), "JPEG", quality=92))
    return path


def write_scenes(folder: Path, count: int, first: int = 0) -> list[Path]:
    """Write photographs 0000.jpg, 0001.jpg, ..."""
    return [write_scene(folder / f"{seed:04}.jpg", seed) for seed in range(first, first + count)]


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
        return search(library, [picture], [index], SearchOptions(k, exact=exact)).results[0]


def answers(path: Path, pictures: list[Path], index: str = "Automatic") -> list[list[tuple[int, float]]]:
    """Return ids and distances of the hits of some queries."""
    with Library.open(path) as library:
        return [
            [(hit.id, hit.distance) for hit in one.hits]
            for one in search(library, pictures, [index], SearchOptions(10)).results
        ]
