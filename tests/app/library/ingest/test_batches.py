"""Batches and two passes end as one photograph at a time would, and what adding will cost is what is read."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from tests.app.folders import empty_library, write_scene, write_scenes
from tests.app.in_this_process import Here
from tests.statements import counted
from twinlens.app.duplicates.comparing.compared_contents import ComparedContents
from twinlens.app.library.ingest import batches as intake_batch
from twinlens.app.library.ingest import cost_estimate, ingest
from twinlens.app.library.ingest.adding import Adding, add, rescan
from twinlens.app.library.ingest.cost_estimate import FileSample, estimate_cost, read_some, spread
from twinlens.app.library.ingest.folder_walk import WalkedFile
from twinlens.app.library.ingest.ingest import reduced_pictures
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.library.library_status import library_status
from twinlens.app.library.workers import capacity, readers
from twinlens.app.library.workers.capacity import usual_allowance
from twinlens.app.library.workers.decoding_tasks import WorkerLimits
from twinlens.app.library.workers.extraction import (
    CompletedPhotograph,
    KnownContent,
    Outcome,
    ReadPhotograph,
    UnreadableFile,
)
from twinlens.app.library.workers.file_contents import FileReadingTask
from twinlens.app.library.workers.reduced_pictures import ReducedPictures
from twinlens.app.machine import preferences
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import search
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import Message
from twinlens.core.systems import system
from twinlens.features.descriptor import Extractor
from twinlens.features.keypoints.keypoints import KEPT, KEYPOINT_BYTES, KEYPOINTS_VERSION, keypoint_bytes
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.storage.photographs.descriptors import KindRow
from twinlens.storage.photographs.photograph_listing import Filter

MOST = 50
"""Statements of a batch of 256 photographs."""
_FLAT = Picture(np.zeros((48, 64, 3), np.uint8), None, PictureFacts("JPEG", 640, 480))
_NOTHING_SEEN = keypoint_bytes(_FLAT)


class Pretended(Here):
    """Workers that decode nothing: what a file's bytes say decides what becomes of it, its hash gives the vectors."""

    def __init__(self, count: int, extractors: Mapping[str, Extractor], limits: object) -> None:
        self._lengths = {key: len(one.extract(_FLAT)) for key, one in extractors.items()}

    def _outcome(self, task: FileReadingTask) -> Outcome:
        path = Path(os.fsdecode(task.path))
        data = path.read_bytes()
        if data.startswith(b"vanishes"):
            path.unlink()
            return UnreadableFile(task.photograph_id, task.path, Message("It is gone."), Message("Look."), lost=True)
        if data.startswith((b"broken", b"note")):
            wrong = data.startswith(b"note")
            return UnreadableFile(task.photograph_id, task.path, Message("Cut off."), Message("Mend it."), wrong)
        digest = hashlib.sha256(data).digest()
        if digest in task.known:
            return KnownContent(task.photograph_id, task.path, digest)
        rng = np.random.default_rng(list(digest))
        vectors = {key: rng.random(self._lengths[key]).astype("<f2").tobytes() for key in task.wanted}
        facts = PictureFacts("JPEG", 640, 480, camera=f"Camera {digest[0] % 3}")
        return ReadPhotograph(task.photograph_id, task.path, digest, facts, b"", vectors, _NOTHING_SEEN)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library without photographs, with one index that is soon made."""
    return empty_library(tmp_path_factory.mktemp("empty") / "family.twinlens", "colour:levels=1")


@pytest.fixture
def _pretended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readers, "Workers", Pretended)
    monkeypatch.setattr(ingest, "TWICE", 10**9)
    monkeypatch.setattr(intake_batch, "BATCH_SECONDS", 10**9)


def taken_in(library: Library, folder: Path) -> int:
    """Add a folder, and count the statements of it."""
    with counted() as sent:
        add(library, [folder], Adding(workers=1))
    return len(sent)


def write(path: Path, content: str, moment: int = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    os.utime(path, ns=(moment, moment))


@pytest.mark.usefixtures("_pretended")
def test_the_statements_of_adding_grow_by_batches_not_by_photographs(tmp_path: Path, empty: Path) -> None:
    folder, size = tmp_path / "photographs", intake_batch.BATCH_PHOTOGRAPHS
    with Library.open(Path(shutil.copy(empty, tmp_path))) as library:
        write(folder / "first", "one")
        taken_in(library, folder)  # vocabularies are made once
        sent = []
        for batches in (1, 3):
            for i in range(batches * size):
                write(folder / f"{batches}" / f"{i:04}", f"{batches} {i}")
            sent.append(taken_in(library, folder))
        assert sent[1] - sent[0] <= 2 * MOST
        with library.store.reading() as r:
            assert len(r.photographs.matching(Filter())) == 1 + 4 * size


@pytest.mark.usefixtures("_pretended")
def test_a_batch_of_everything_that_can_become_of_a_file_is_few_statements(
    tmp_path: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, count = tmp_path / "photographs", intake_batch.BATCH_PHOTOGRAPHS // 8
    batches: list[int] = []

    def commit(batch: intake_batch.IngestBatch) -> None:
        with counted() as sent:
            _commit(batch)
        batches.append(len(sent))

    _commit = intake_batch.IngestBatch.commit
    monkeypatch.setattr(intake_batch.IngestBatch, "commit", commit)
    with Library.open(Path(shutil.copy(empty, tmp_path))) as library:
        for i in range(8 * count):
            write(folder / f"{i:04}", f"photograph {i}")
        taken_in(library, folder)
        names = iter(sorted(folder.iterdir()))
        for i in range(count):
            next(names).rename(folder / f"moved {i:04}")
            write(next(names), f"another one {i}", 2)
            write(next(names), f"photograph {5 * count + i}", 3)
            os.utime(next(names), ns=(4, 4))
            write(next(names), "broken", 5)
            write(next(names), "vanishes", 6)
            write(folder / f"copy {i:04}", f"photograph {7 * count + i}", 7)
            write(folder / f"note {i:04}", "note", 8)
        taken_in(library, folder)
    assert max(batches) <= MOST


def everything(library: Library) -> list[object]:
    """Return all that a library knows of its photographs."""
    with library.store.reading() as r:
        ids = r.photographs.matching(Filter())
        indexes = [r.codes.load(index.id) for index in r.indexes.all()]
        problems = [(one.path, one.photograph_id, one.reason, one.attempts) for one in r.problems.all()]
        return [
            [(row.id, row.path, row.state, row.content_hash, row.camera) for row in r.photographs.by_id(ids)],
            [[block.tobytes() for block in r.descriptors.read(kind, ids)] for kind in r.descriptors.kinds()],
            r.keypoints.read(ids, KEYPOINTS_VERSION),
            [(one.ids.tolist(), one.codes.tobytes()) for one in indexes],
            problems,
            list(r.passed_over.all()),
        ]


CONTENTS = st.sampled_from(["one", "two", "three", "four", "broken", "note", "vanishes"])
FOLDERS = st.lists(st.dictionaries(st.integers(0, 9), CONTENTS, max_size=10), min_size=2, max_size=4)


@pytest.mark.usefixtures("_pretended")
@settings(max_examples=10)
@given(states=FOLDERS)
def test_a_batch_keeps_what_its_photographs_one_by_one_would(
    tmp_path_factory: pytest.TempPathFactory, empty: Path, states: list[dict[int, str]]
) -> None:
    found = []
    for size in (1, 256):
        here = tmp_path_factory.mktemp("batches")
        folder = here / "photographs"
        folder.mkdir()
        with pytest.MonkeyPatch.context() as patch, Library.open(Path(shutil.copy(empty, here))) as library:
            patch.setattr(intake_batch, "BATCH_PHOTOGRAPHS", size)
            seen = []
            for moment, state in enumerate(states, 1):
                for path in folder.iterdir():
                    if int(path.name) not in state:
                        path.unlink()
                for name, content in state.items():
                    path = folder / str(name)
                    if not path.exists() or path.read_text() != content:
                        write(path, content, moment)
                add(library, [folder], Adding(workers=1))
                seen.append(everything(library))
        found.append([_below(str(here), one) for one in seen])
    assert found[0] == found[1]


def _below(here: str, found: list[object]) -> str:
    """Write what was found without the place where it was."""
    return repr(found).replace(here.rsplit("/", 1)[-1], "")


PHOTOGRAPHS = 5


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("twinlens.app.library.workers.readers.Workers", Here)
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
        patch.setattr("twinlens.app.library.workers.readers.Workers", Here)
        with Library.open(tmp_path_factory.mktemp("once") / "once.twinlens", create=True) as library:
            add(library, [folder])
            return all_rows(library)


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


def all_rows(library: Library) -> dict[str, object]:
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
    assert all_rows(library) == once
    assert left(library) == []
    assert library_status(library).to_prepare == 0


def test_real_workers_come_to_the_same_end(
    tmp_path: Path, folder: Path, once: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(ingest, "TWICE", 1)
    with Library.open(tmp_path / "real.twinlens", create=True) as library:
        add(library, [folder], Adding(workers=2))
        assert all_rows(library) == once


def test_after_the_first_pass_everything_is_there_but_keypoints(library: Library, folder: Path) -> None:
    assert add(library, [folder], progress=stop_in_second_pass).cancelled
    now = library_status(library)
    assert (now.photographs, now.pending) == (PHOTOGRAPHS, 0)
    assert now.to_prepare == PHOTOGRAPHS - 1  # what is transparent is done at once
    found = search(library, [2], [AUTOMATIC], SearchOptions(k=3)).results[0]
    assert [hit.id for hit in found.hits[:2]] == [2, 4]
    assert found.hits[1].similarity == pytest.approx(1, abs=1e-3)
    assert found.unprepared == 4
    assert len(left(library)) == 3  # a copy shares that of the other
    rescan(library)
    assert search(library, [2], [AUTOMATIC], SearchOptions(k=3)).results[0].unprepared == 0


def test_the_second_pass_reads_no_file_again(library: Library, folder: Path, outcomes: list[Outcome]) -> None:
    add(library, [folder], progress=stop_in_second_pass)
    outcomes.clear()
    rescan(library)
    assert [type(one) for one in outcomes] == [CompletedPhotograph] * 4


def test_pictures_of_pairs_are_compared_once_both_are_whole(library: Library, folder: Path) -> None:
    add(library, [folder], progress=stop_in_second_pass)
    assert ComparedContents(library).ids.tolist() == [5]
    rescan(library)
    assert ComparedContents(library).ids.tolist() == [1, 2, 3, 5]


@pytest.mark.parametrize("call", [2, 4, 6, 7, 8, 9, 11])
def test_stopped_anywhere_it_goes_on_to_the_same_end(
    call: int, library: Library, folder: Path, once: dict[str, object]
) -> None:
    assert add(library, [folder], progress=StopAt(call)).cancelled
    rescan(library)
    assert all_rows(library) == once


def test_without_reduced_pictures_files_are_read_again(library: Library, folder: Path, once: dict[str, object]) -> None:
    add(library, [folder], progress=stop_in_second_pass)
    reduced_pictures(library).clear()
    rescan(library)
    assert all_rows(library) == once


def test_damaged_reduced_pictures_are_not_believed(library: Library, folder: Path, once: dict[str, object]) -> None:
    add(library, [folder], progress=stop_in_second_pass)
    cut, changed, *_ = left(library)
    cut.write_bytes(cut.read_bytes()[:1000])
    data = bytearray(changed.read_bytes())
    data[500] ^= 1
    changed.write_bytes(data)
    rescan(library)
    assert all_rows(library) == once


def test_where_they_have_no_room_the_first_pass_does_everything(
    library: Library,
    folder: Path,
    once: dict[str, object],
    outcomes: list[Outcome],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = ReducedPictures(Path(reduced_pictures(library).folder.decode()), most=1)
    monkeypatch.setattr(ingest, "reduced_pictures", lambda _library: few)
    monkeypatch.setattr("twinlens.app.library.ingest.batches.BATCH_PHOTOGRAPHS", 1)
    add(library, [folder])
    assert [type(one) for one in outcomes[PHOTOGRAPHS:]] == [CompletedPhotograph]  # the one that had room
    assert all_rows(library) == once


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


@pytest.fixture
def folder_to_add(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs", 4)
    write_scene(tmp_path / "photographs" / "deeper" / "a.JPG", 7)
    (tmp_path / "photographs" / "notes.txt").write_text("no picture")
    return tmp_path / "photographs"


@pytest.fixture
def library_to_grow(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        yield made


def test_what_is_counted_is_what_will_be_read(library_to_grow: Library, folder_to_add: Path) -> None:
    pictures = [path for path in folder_to_add.rglob("*") if path.suffix.lower() == ".jpg"]
    before = estimate_cost(library_to_grow, [folder_to_add])
    assert (before.files, before.new_files) == (5, 5)
    assert before.bytes == sum(path.stat().st_size for path in pictures)
    assert before.seconds > 0
    assert before.space > 5 * (KEYPOINT_BYTES * KEPT + 2 * 512)
    assert add(library_to_grow, [folder_to_add], Adding(workers=1)).added == before.new_files
    after = estimate_cost(library_to_grow, [folder_to_add])
    assert (after.files, after.new_files, after.bytes, after.seconds, after.space) == (5, 0, 0, 0, 0)
    write_scene(folder_to_add / "0000.jpg", 70)
    write_scene(folder_to_add / "deeper" / "b.jpg", 71)
    assert estimate_cost(library_to_grow, [folder_to_add]).new_files == 2
    assert estimate_cost(library_to_grow, [folder_to_add / "deeper", folder_to_add, folder_to_add]).files == 6
    assert estimate_cost(library_to_grow, [folder_to_add / "deeper"]).new_files == 1


def test_what_is_left_out_is_not_counted(library_to_grow: Library, folder_to_add: Path) -> None:
    assert estimate_cost(library_to_grow, [folder_to_add], excludes=["0000*"]).files == 4
    add(library_to_grow, [folder_to_add], Adding(excludes=["deeper"], workers=1))
    assert estimate_cost(library_to_grow, [folder_to_add]).files == 4


def test_twice_the_cores_take_half_the_time(
    library_to_grow: Library, folder_to_add: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "processors", lambda: 4)
    one, two, many = (estimate_cost(library_to_grow, [folder_to_add], workers=count).seconds for count in (1, 2, 100))
    assert (two, many) == (one / 2, one / 4)


def test_the_pace_is_that_of_the_last_time(
    library_to_grow: Library, folder_to_add: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(capacity, "_MEASURED", 5)
    add(library_to_grow, [folder_to_add], Adding(workers=1))
    with library_to_grow.store.reading() as r:
        each = r.settings.get("reading pace")["core_seconds"]
    assert each > 0
    write_scene(folder_to_add / "new.jpg", 80)
    assert estimate_cost(library_to_grow, [folder_to_add], workers=1).seconds == each


def test_of_many_photographs_a_few_are_read(
    library_to_grow: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_scenes(tmp_path / "many", 30)
    monkeypatch.setattr(cost_estimate, "LEAST", 30)
    monkeypatch.setattr(capacity, "_CORE_SECONDS", 1e6)  # the usual pace is not asked
    told: list[str] = []
    made = estimate_cost(
        library_to_grow, [tmp_path / "many"], lambda done, total, text: told.append(str(text)), workers=1
    )
    assert 0 < made.seconds < 1e6
    assert set(told) == {"Reading a few photos to estimate how long all of them take"}
    result = add(library_to_grow, [tmp_path / "many"], Adding(workers=1))
    assert result.added == 30  # nothing was kept of the trial
    with library_to_grow.store.reading() as r:
        rows = r.photographs.by_id(range(1, 31))
    vectors = {kind.dimensions for kind in _kinds(library_to_grow)}
    thumbnails = sum(len(library_to_grow.thumbnails.get(row.content_hash or b"") or b"") for row in rows)
    assert made.space >= thumbnails + 30 * 2 * sum(vectors)
    assert made.space < 2 * (thumbnails + 30 * 2 * sum(vectors)) + 30 * 8_000


def _kinds(library: Library) -> list[KindRow]:
    with library.store.reading() as r:
        return r.descriptors.kinds()


def test_a_trial_reads_what_adding_would(library_to_grow: Library, tmp_path: Path) -> None:
    paths = write_scenes(tmp_path / "few", 4)
    files = [WalkedFile(os.fsencode(path), path.stat().st_size, path.stat().st_mtime_ns, 0, 0) for path in paths]
    assert read_some(library_to_grow, files[:2], 1) is None  # the first files of a process tell nothing
    tried = read_some(library_to_grow, files, 1)
    assert tried is not None
    assert tried.seconds > 0
    gone = [file._replace(path=file.path + b" gone") for file in files]
    unread = read_some(library_to_grow, gone, 1)
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


def test_a_damaged_pace_counts_as_none(library_to_grow: Library, folder_to_add: Path) -> None:
    usual = estimate_cost(library_to_grow, [folder_to_add]).seconds
    with library_to_grow.store.writing() as w:
        w.settings.put("reading pace", "fast")
    assert estimate_cost(library_to_grow, [folder_to_add]).seconds == usual


def test_it_can_be_stopped_and_a_wrong_folder_is_a_sentence(
    library_to_grow: Library, folder_to_add: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(done: float, total: float, text: object = "") -> None:
        raise Cancelled

    monkeypatch.setattr("twinlens.app.library.ingest.cost_estimate._TELL_EVERY", 1)
    with pytest.raises(Cancelled):
        estimate_cost(library_to_grow, [folder_to_add], stop)
    with pytest.raises(TwinlensError, match="nowhere"):
        estimate_cost(library_to_grow, [folder_to_add / "nowhere"])


def test_preferences_say_how_photographs_are_read(
    library_to_grow: Library, folder_to_add: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    preferences.keep(preferences.Preferences(workers=3, worker_memory=700, excludes="deeper; *0.jpg"))
    seen = []

    class Told(Here):
        def __init__(self, count: int, extractors: Mapping[str, Extractor], limits: WorkerLimits) -> None:
            seen.append((count, limits.memory_bytes))
            super().__init__(1, extractors, limits)

    monkeypatch.setattr("twinlens.app.library.workers.readers.Workers", Told)
    assert add(library_to_grow, [folder_to_add]).added == 3
    assert seen[0] == (3, 700 * 2**20)
    assert capacity.usual_workers() == 3
    preferences.keep(preferences.Preferences())
    assert capacity.usual_workers() == system.processors()
    assert add(library_to_grow, [folder_to_add], Adding(workers=2)).added == 2
    assert seen[-1] == (2, usual_allowance(2))


def dates(library: Library) -> dict[str, str | None]:
    with library.store.reading() as r:
        rows = r.photographs.by_id(r.photographs.matching(Filter()))
        return {Path(os.fsdecode(row.path)).name: row.taken for row in rows}


def test_a_photograph_without_a_date_has_that_of_its_name_or_of_its_file(tmp_path: Path) -> None:
    """A copy has its own; a file that is touched without change keeps what its name says; older libraries are dated."""
    folder = tmp_path / "photographs"
    first = write_scene(folder / "IMG-20220514-WA0001.jpg", 1)
    shutil.copy(first, folder / "a copy.jpg")
    moment = datetime(2015, 6, 7, 8, 9, 10)
    os.utime(folder / "a copy.jpg", (moment.timestamp(), moment.timestamp()))
    expected = {first.name: "2022-05-14T00:00:00 name 10", "a copy.jpg": "2015-06-07T08:09:10 file 19"}
    with Library.open(empty_library(tmp_path / "library.twinlens", "colour")) as library:
        add(library, [folder], Adding(workers=1))
        assert dates(library) == expected
        with library.store.reading() as r:
            rows = r.photographs.by_id(r.photographs.matching(Filter()))
        assert [row.noted for row in rows] == [None, None]
        os.utime(first)
        with library.store.writing("a test") as w:
            w.photographs.date(dict.fromkeys((row.id for row in rows), None))
        rescan(library)
        assert dates(library) == expected
