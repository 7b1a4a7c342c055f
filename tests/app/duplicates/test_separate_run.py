"""Comparing in a process of its own finds what it finds in this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.duplicates.comparison import WORTH_IT, compare_in_process, compare_pictures, waiting_pictures
from app.library.library import Library
from core.errors import Cancelled
from core.message import Message
from storage.comparisons import RelatedRow
from tests.app.duplicates.test_duplicates import save
from tests.app.folders import added
from tests.features.copies.test_relation import rich


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("aside")
    for seed in range(3):
        save(rich(seed), folder / "photographs" / f"{seed}.jpg")
    save(rich(1), folder / "photographs" / "copy.jpg", 60)
    added(folder / "made.twinlens", folder / "photographs")
    return folder / "made.twinlens"


def found(path: Path, worth_it: int) -> tuple[int, list[RelatedRow]]:
    with Library.open(path) as library:
        count = compare_in_process(library, worth_it=worth_it)
        assert waiting_pictures(library) == 0
        with library.store.reading() as r:
            return count, list(r.comparisons.related())


def test_both_ways_find_the_same(made: Path, tmp_path: Path) -> None:
    told = []
    for number, worth_it in enumerate((1, WORTH_IT)):
        path = tmp_path / f"{number}.twinlens"
        path.write_bytes(made.read_bytes())
        told.append(found(path, worth_it))
    assert told[0] == told[1]
    count, related = told[0]
    assert count == 4
    assert len(related) == 1


def test_it_stops_when_that_is_wanted(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "stopped.twinlens"
    path.write_bytes(made.read_bytes())

    def stop(done: float, total: float, doing: Message) -> None:
        raise Cancelled

    with Library.open(path) as library:
        with pytest.raises(Cancelled):
            compare_in_process(library, stop, worth_it=1)
        assert waiting_pictures(library) == 4
        assert compare_pictures(library) == 4  # no lock is left behind
