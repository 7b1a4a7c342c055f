"""What adding will cost: what is counted is what would be read, and the pace is the library's own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from app.library.ingest import cost_estimate
from app.library.ingest.adding import Adding, add
from app.library.ingest.cost_estimate import FileSample, estimate_cost, read_some, spread
from app.library.ingest.folder_scan import WalkedFile
from app.library.library import Library
from app.library.workers import capacity
from app.library.workers.capacity import usual_allowance
from app.library.workers.worker_pool import WorkerLimits
from app.machine import preferences
from core.errors import Cancelled, TwinlensError
from core.systems import system
from features.descriptor import Extractor
from features.keypoints.keypoints import KEPT, KEYPOINT_BYTES
from storage.photographs.descriptors import KindRow
from tests.app.folders import write_scene, write_scenes
from tests.app.in_this_process import Here


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs", 4)
    write_scene(tmp_path / "photographs" / "deeper" / "a.JPG", 7)
    (tmp_path / "photographs" / "notes.txt").write_text("no picture")
    return tmp_path / "photographs"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        yield made


def test_what_is_counted_is_what_will_be_read(library: Library, folder: Path) -> None:
    pictures = [path for path in folder.rglob("*") if path.suffix.lower() == ".jpg"]
    before = estimate_cost(library, [folder])
    assert (before.files, before.new_files) == (5, 5)
    assert before.bytes == sum(path.stat().st_size for path in pictures)
    assert before.seconds > 0
    assert before.space > 5 * (KEYPOINT_BYTES * KEPT + 2 * 512)
    assert add(library, [folder], Adding(workers=1)).added == before.new_files
    after = estimate_cost(library, [folder])
    assert (after.files, after.new_files, after.bytes, after.seconds, after.space) == (5, 0, 0, 0, 0)
    write_scene(folder / "0000.jpg", 70)
    write_scene(folder / "deeper" / "b.jpg", 71)
    assert estimate_cost(library, [folder]).new_files == 2
    assert estimate_cost(library, [folder / "deeper", folder, folder]).files == 6
    assert estimate_cost(library, [folder / "deeper"]).new_files == 1


def test_what_is_left_out_is_not_counted(library: Library, folder: Path) -> None:
    assert estimate_cost(library, [folder], excludes=["0000*"]).files == 4
    add(library, [folder], Adding(excludes=["deeper"], workers=1))
    assert estimate_cost(library, [folder]).files == 4


def test_twice_the_cores_take_half_the_time(library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "processors", lambda: 4)
    one, two, many = (estimate_cost(library, [folder], workers=count).seconds for count in (1, 2, 100))
    assert (two, many) == (one / 2, one / 4)


def test_the_pace_is_that_of_the_last_time(library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(capacity, "_MEASURED", 5)
    add(library, [folder], Adding(workers=1))
    with library.store.reading() as r:
        each = r.settings.get("reading pace")["core_seconds"]
    assert each > 0
    write_scene(folder / "new.jpg", 80)
    assert estimate_cost(library, [folder], workers=1).seconds == each


def test_of_many_photographs_a_few_are_read(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_scenes(tmp_path / "many", 30)
    monkeypatch.setattr(cost_estimate, "LEAST", 30)
    monkeypatch.setattr(capacity, "_CORE_SECONDS", 1e6)  # the usual pace is not asked
    told: list[str] = []
    made = estimate_cost(library, [tmp_path / "many"], lambda done, total, text: told.append(str(text)), workers=1)
    assert 0 < made.seconds < 1e6
    assert set(told) == {"Reading a few photos to estimate how long all of them take"}
    result = add(library, [tmp_path / "many"], Adding(workers=1))
    assert result.added == 30  # nothing was kept of the trial
    with library.store.reading() as r:
        rows = r.photographs.by_id(range(1, 31))
    vectors = {kind.dimensions for kind in _kinds(library)}
    thumbnails = sum(len(library.thumbnails.get(row.content_hash or b"") or b"") for row in rows)
    assert made.space >= thumbnails + 30 * 2 * sum(vectors)
    assert made.space < 2 * (thumbnails + 30 * 2 * sum(vectors)) + 30 * 8_000


def _kinds(library: Library) -> list[KindRow]:
    with library.store.reading() as r:
        return r.descriptors.kinds()


def test_a_trial_reads_what_adding_would(library: Library, tmp_path: Path) -> None:
    paths = write_scenes(tmp_path / "few", 4)
    files = [WalkedFile(os.fsencode(path), path.stat().st_size, path.stat().st_mtime_ns, 0, 0) for path in paths]
    assert read_some(library, files[:2], 1) is None  # the first files of a process tell nothing
    tried = read_some(library, files, 1)
    assert tried is not None
    assert tried.seconds > 0
    gone = [file._replace(path=file.path + b" gone") for file in files]
    unread = read_some(library, gone, 1)
    assert unread is not None
    assert unread.space == 0


def test_the_draw_is_fair_and_always_the_same() -> None:
    def drawn() -> list[int]:
        draw = FileSample(50)
        for size in range(5_000):
            draw.pass_by(WalkedFile(b"%d" % size, size, 0, 0, 0))
        return [file.size for file in draw.files]

    assert drawn() == drawn()
    assert len(set(drawn())) == 50
    assert 2_000 < sum(drawn()) / 50 < 3_000
    chosen = [file.size for file in spread([WalkedFile(b"", size, 0, 0, 0) for size in drawn()], 10)]
    assert sorted(chosen) != chosen  # a trial that ends early has seen small and large ones


def test_a_damaged_pace_counts_as_none(library: Library, folder: Path) -> None:
    usual = estimate_cost(library, [folder]).seconds
    with library.store.writing() as w:
        w.settings.put("reading pace", "fast")
    assert estimate_cost(library, [folder]).seconds == usual


def test_it_can_be_stopped_and_a_wrong_folder_is_a_sentence(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    monkeypatch.setattr("app.library.ingest.cost_estimate._TELL_EVERY", 1)
    with pytest.raises(Cancelled):
        estimate_cost(library, [folder], stop)
    with pytest.raises(TwinlensError, match="nowhere"):
        estimate_cost(library, [folder / "nowhere"])


def test_preferences_say_how_photographs_are_read(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    preferences.keep(preferences.Preferences(workers=3, worker_memory=700, excludes="deeper; *0.jpg"))
    seen = []

    class Told(Here):
        def __init__(self, count: int, extractors: Mapping[str, Extractor], limits: WorkerLimits) -> None:
            seen.append((count, limits.memory_bytes))
            super().__init__(1, extractors, limits)

    monkeypatch.setattr("app.library.workers.readers.Workers", Told)
    assert add(library, [folder]).added == 3
    assert seen[0] == (3, 700 * 2**20)
    assert capacity.usual_workers() == 3
    preferences.keep(preferences.Preferences())
    assert capacity.usual_workers() == system.processors()
    assert add(library, [folder], Adding(workers=2)).added == 2
    assert seen[-1] == (2, usual_allowance(2))
