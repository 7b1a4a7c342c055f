"""What a person does about problems: each by itself, and nothing about the others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.library.ingest.adding import Adding, add, ignore_problem, retry
from app.library.library import Library
from app.library.maintenance import library_status
from core.errors import TwinlensError
from tests.app.folders import write_scene, write_scenes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs", 3)
    for name in ("cut.jpg", "bad.jpg"):
        whole = write_scene(tmp_path / "photographs" / name, 50).read_bytes()
        (tmp_path / "photographs" / name).write_bytes(whole[:900])
    (tmp_path / "photographs" / "dangling.jpg").symlink_to(tmp_path / "later.jpg")
    return tmp_path / "photographs"


@pytest.fixture
def library(tmp_path: Path, folder: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        assert add(made, [folder], Adding(workers=1)).problems == 3
        yield made


def names(library: Library, ignored: bool = False) -> list[str]:
    return [Path(one.path).name for one in library.problems(ignored).problems]


def path(library: Library, name: str) -> str:
    return next(one.path for one in library.problems(True).problems if one.path.endswith(name))


def test_set_aside_and_taken_back(library: Library) -> None:
    left = ignore_problem(library, path(library, "cut.jpg"), True)
    assert [Path(one.path).name for one in left.problems] == names(library) == ["bad.jpg", "dangling.jpg"]
    assert names(library, ignored=True) == ["bad.jpg", "cut.jpg", "dangling.jpg"]
    ignore_problem(library, path(library, "cut.jpg"), False)
    assert names(library) == ["bad.jpg", "cut.jpg", "dangling.jpg"]


def test_one_is_tried_again_and_the_others_are_not(library: Library, folder: Path) -> None:
    result = retry(library, [path(library, "cut.jpg")])
    assert (result.retried, result.mended) == (1, 0)
    assert {Path(one.path).name: one.attempts for one in result.problems} == {
        "bad.jpg": 1,
        "cut.jpg": 2,
        "dangling.jpg": 1,
    }
    write_scene(folder / "cut.jpg", 50)
    write_scene(folder / "bad.jpg", 51)
    result = retry(library, [path(library, "cut.jpg")])
    assert (result.retried, result.mended) == (1, 1)
    assert names(library) == ["bad.jpg", "dangling.jpg"]


def test_a_place_is_looked_at_again(library: Library, folder: Path, tmp_path: Path) -> None:
    write_scene(tmp_path / "later.jpg", 60)
    result = retry(library, [path(library, "dangling.jpg")])
    assert (result.retried, result.mended) == (1, 1)
    assert library_status(library).photographs == 4


def test_all_are_tried_again(library: Library, folder: Path, tmp_path: Path) -> None:
    write_scene(tmp_path / "later.jpg", 60)
    write_scene(folder / "cut.jpg", 50)
    ignore_problem(library, path(library, "bad.jpg"))
    result = retry(library)
    assert (result.retried, result.mended, result.problems) == (2, 2, [])


def test_a_problem_that_is_over_is_a_sentence(library: Library, folder: Path) -> None:
    nowhere = os.fspath(folder / "0000.jpg")
    with pytest.raises(TwinlensError, match=r"no problem with .*0000\.jpg any more"):
        ignore_problem(library, nowhere)
    with pytest.raises(TwinlensError, match=r"no problem with .*0000\.jpg any more"):
        retry(library, [nowhere])
