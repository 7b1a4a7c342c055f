"""Many photographs are passed over twice, and the end is what one pass makes, however often the work was stopped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.duplicates.pair_confirmation import content_rows
from app.library.ingest import ingest
from app.library.ingest.adding import Adding, add, rescan
from app.library.ingest.ingest import reduced_pictures
from app.library.library import AUTOMATIC, Library
from app.library.maintenance import library_status
from app.library.workers.extraction import (
    CompletedPhotograph,
    FileReadingTask,
    Outcome,
    ReadPhotograph,
    ReducedPictures,
)
from app.search.search_query import SearchOptions
from app.search.searcher import search
from core.errors import Cancelled
from core.message import Message
from tests.app.folders import write_scene, write_scenes
from tests.app.in_this_process import Here

PHOTOGRAPHS = 5


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.library.workers.readers.Workers", Here)
    Here.decoded.clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write photographs: one of them transparent, one a copy of another."""
    made = tmp_path_factory.mktemp("two-passes") / "photographs"
    write_scenes(made, PHOTOGRAPHS - 2)
    shutil.copy(made / "0001.jpg", made / "copy.jpg")
    rgba = np.zeros((90, 120, 4), np.uint8)
    rgba[20:70, 20:100] = np.random.default_rng(0).integers(0, 256, (50, 80, 4))
    Image.fromarray(rgba).save(made / "transparent.png")
    return made


@pytest.fixture(scope="module")
def once(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """Return all that one pass keeps."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.library.workers.readers.Workers", Here)
        with Library.open(tmp_path_factory.mktemp("once") / "once.twinlens", create=True) as library:
            add(library, [folder])
            return everything(library)


@pytest.fixture
def outcomes(monkeypatch: pytest.MonkeyPatch) -> list[Outcome]:
    """Return a list in which everything that workers return is noted."""
    noted: list[Outcome] = []
    run = Here.run

    def noting(self: Here, tasks: Iterable[FileReadingTask], waiting: Callable[[], None]) -> Iterator[Outcome]:
        for outcome in run(self, tasks, waiting):
            noted.append(outcome)
            yield outcome

    monkeypatch.setattr(Here, "run", noting)
    return noted


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Library]:
    monkeypatch.setattr(ingest, "TWICE", 1)
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        yield made


def everything(library: Library) -> dict[str, object]:
    """Return what is kept of all photographs, as bytes."""
    with library.store.reading() as r:
        rows = r.photographs.by_id(range(1, 100))
        ids = [row.id for row in rows]
        codes = {index.name: r.codes.load(index.id) for index in r.indexes.all()}
        return {
            "rows": [(row.id, row.path, row.state, row.content_hash, row.width, row.taken) for row in rows],
            "vectors": {kind.text: r.descriptors.read(kind, ids)[0].tobytes() for kind in r.descriptors.kinds()},
            "keypoints": r.keypoints.read(ids, 1),
            "codes": {name: (one.ids.tolist(), one.codes.tobytes()) for name, one in codes.items()},
            "thumbnails": sorted(library.thumbnails.get_many([row.content_hash or b"" for row in rows]).items()),
        }


class StopAt:
    """Progress that cancels when it is told something for the given time."""

    def __init__(self, call: int) -> None:
        self.left = call

    def __call__(self, _done: float, _total: float, _text: Message) -> None:
        self.left -= 1
        if self.left == 0:
            raise Cancelled


def stop_in_second_pass(_done: float, _total: float, text: Message) -> None:
    if text == ingest.SEARCHABLE:
        raise Cancelled


def left(library: Library) -> list[Path]:
    here = Path(reduced_pictures(library).folder.decode())
    return sorted(here.iterdir()) if here.is_dir() else []


def test_the_end_is_that_of_one_pass(library: Library, folder: Path, once: dict[str, object]) -> None:
    result = add(library, [folder])
    assert (result.added, result.problems, result.pending) == (PHOTOGRAPHS, 0, 0)
    assert everything(library) == once
    assert left(library) == []
    assert library_status(library).to_prepare == 0


def test_real_workers_come_to_the_same_end(
    tmp_path: Path, folder: Path, once: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(ingest, "TWICE", 1)
    with Library.open(tmp_path / "real.twinlens", create=True) as library:
        add(library, [folder], Adding(workers=2))
        assert everything(library) == once


def test_after_the_first_pass_everything_is_there_but_keypoints(library: Library, folder: Path) -> None:
    assert add(library, [folder], progress=stop_in_second_pass).cancelled
    now = library_status(library)
    assert (now.photographs, now.pending) == (PHOTOGRAPHS, 0)
    assert now.to_prepare == PHOTOGRAPHS - 1  # what is transparent is done at once
    found = search(library, [2], [AUTOMATIC], SearchOptions(3)).results[0]
    assert [hit.id for hit in found.hits[:2]] == [2, 4]
    assert found.hits[1].similarity == pytest.approx(1, abs=1e-3)
    assert found.unprepared == 4
    assert len(left(library)) == 3  # a copy shares that of the other
    rescan(library)
    assert search(library, [2], [AUTOMATIC], SearchOptions(3)).results[0].unprepared == 0


def test_the_second_pass_reads_no_file_again(library: Library, folder: Path, outcomes: list[Outcome]) -> None:
    add(library, [folder], progress=stop_in_second_pass)
    outcomes.clear()
    rescan(library)
    assert [type(one) for one in outcomes] == [CompletedPhotograph] * 4


def test_pictures_of_pairs_are_compared_once_both_are_whole(library: Library, folder: Path) -> None:
    add(library, [folder], progress=stop_in_second_pass)
    with library.store.reading() as r:
        assert [one.id for one in content_rows(r)] == [5]
    rescan(library)
    with library.store.reading() as r:
        assert [one.id for one in content_rows(r)] == [1, 2, 3, 5]


@pytest.mark.parametrize("call", [2, 4, 6, 7, 8, 9, 11])
def test_stopped_anywhere_it_goes_on_to_the_same_end(
    call: int, library: Library, folder: Path, once: dict[str, object]
) -> None:
    assert add(library, [folder], progress=StopAt(call)).cancelled
    rescan(library)
    assert everything(library) == once


def test_without_reduced_pictures_files_are_read_again(library: Library, folder: Path, once: dict[str, object]) -> None:
    add(library, [folder], progress=stop_in_second_pass)
    reduced_pictures(library).clear()
    rescan(library)
    assert everything(library) == once


def test_damaged_reduced_pictures_are_not_believed(library: Library, folder: Path, once: dict[str, object]) -> None:
    add(library, [folder], progress=stop_in_second_pass)
    cut, changed, *_ = left(library)
    cut.write_bytes(cut.read_bytes()[:1000])
    data = bytearray(changed.read_bytes())
    data[500] ^= 1
    changed.write_bytes(data)
    rescan(library)
    assert everything(library) == once


def test_they_are_bounded(
    library: Library,
    folder: Path,
    once: dict[str, object],
    outcomes: list[Outcome],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = ReducedPictures(Path(reduced_pictures(library).folder.decode()), most=1)
    monkeypatch.setattr(ingest, "reduced_pictures", lambda _library: few)
    monkeypatch.setattr("app.library.ingest.batches.BATCH_PHOTOGRAPHS", 1)
    add(library, [folder])
    assert [type(one) for one in outcomes[PHOTOGRAPHS:]] == [
        CompletedPhotograph,
        ReadPhotograph,
        ReadPhotograph,
        ReadPhotograph,
    ]
    assert everything(library) == once


def test_what_changes_between_the_passes_is_read_anew(library: Library, folder: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(folder, own)
    add(library, [own], progress=stop_in_second_pass)
    write_scene(own / "0000.jpg", 77)
    (own / "0002.jpg").unlink()
    rescan(library)
    with Library.open(tmp_path / "fresh.twinlens", create=True) as fresh:
        add(fresh, [own])
        with fresh.store.reading() as f, library.store.reading() as r:
            for row in f.photographs.by_id(range(1, 100)):
                (mine,) = [one for one in r.photographs.by_hash(row.content_hash or b"") if one.path == row.path]
                assert r.keypoints.read([mine.id], 1) == f.keypoints.read([row.id], 1)
