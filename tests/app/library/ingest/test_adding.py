"""Adding photographs, forgetting folders and mending problems: what is new, changed, moved, gone or bad."""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.folders import Libraries, added, answers, found, ids_by_name, write_scene, write_scenes
from tests.features.by_hand import dng
from tests.features.rare_pictures import RARE
from tests.features.sample_pictures import BAD, GOOD, encode, scene
from twinlens.app.duplicates.decisions import keep_choices
from twinlens.app.duplicates.keeper_rules import Fate
from twinlens.app.library import volumes
from twinlens.app.library.ingest.adding import Adding, add, rescan
from twinlens.app.library.ingest.forgotten_folders import bring_back, forget, forget_for_now, forgotten, settle
from twinlens.app.library.ingest.ingest import count_waiting, read_photographs
from twinlens.app.library.ingest.problem_files import ignore_problem, retry, retry_problems
from twinlens.app.library.library import Library
from twinlens.app.library.library_status import library_status
from twinlens.app.library.maintenance import check_library
from twinlens.app.library.workers.file_contents import DENIED
from twinlens.app.library.workers.readers import ThisMachine
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.searcher import search
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.schema import metadata
from twinlens.storage.database.values import PhotographState
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.photographs.notes import SidecarNote
from twinlens.storage.photographs.photographs import NewFile
from twinlens.storage.photographs.problems import NewProblem
from twinlens.storage.sqlite import forgotten_folders

ROOT = Path(__file__).parents[4]


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs", 6)
    return tmp_path / "photographs"


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library.twinlens"


@pytest.fixture
def added_photographs(libraries: Libraries, library: Path) -> Path:
    """Return a folder of six photographs that are in the library."""
    return libraries.changeable(6, library)


def test_adding_again_reads_only_what_has_changed(photographs: Path, library: Path) -> None:
    first = added(library, photographs)
    assert (first.found, first.added, first.problems) == (6, 6, 0)
    again = added(library, photographs)
    assert (again.found, again.added, again.changed, again.photographs_per_second) == (6, 0, 0, 0)
    write_scene(photographs / "0002.jpg", 50)
    write_scene(photographs / "deeper" / "new.jpg", 51)
    third = added(library, photographs)
    assert (third.found, third.added, third.changed) == (7, 1, 1)
    assert found(library, photographs / "0002.jpg").hits[0].query


def test_ids_are_given_in_path_order(photographs: Path, library: Path) -> None:
    write_scene(photographs / "0001" / "a.jpg", 60)
    added(library, photographs)
    ids = ids_by_name(library)
    assert sorted(ids, key=ids.__getitem__) == ["0000.jpg", "0001.jpg", "a.jpg", *(f"{n:04}.jpg" for n in range(2, 6))]


def test_a_touched_file_keeps_everything(added_photographs: Path, library: Path) -> None:
    os.utime(added_photographs / "0003.jpg", (1, 1))
    again = added(library, added_photographs)
    assert (again.added, again.changed, again.problems) == (0, 0, 0)


def test_a_moved_file_is_recognised_by_its_content(added_photographs: Path, library: Path) -> None:
    before = ids_by_name(library)
    (added_photographs / "elsewhere").mkdir()
    (added_photographs / "0004.jpg").rename(added_photographs / "elsewhere" / "renamed.jpg")
    result = added(library, added_photographs)
    assert (result.added, result.moved, result.removed) == (0, 1, 0)
    after = ids_by_name(library)
    assert after["renamed.jpg"] == before["0004.jpg"]
    assert found(library, added_photographs / "elsewhere" / "renamed.jpg").hits[0].id == before["0004.jpg"]


def test_a_copy_is_a_photograph_of_its_own_and_is_found_first(added_photographs: Path, library: Path) -> None:
    shutil.copy(added_photographs / "0001.jpg", added_photographs / "copy.jpg")
    assert added(library, added_photographs).added == 1
    first, second, third, *_ = found(library, added_photographs / "copy.jpg").hits
    assert (first.distance, second.distance) == (0, 0)
    assert third.distance > 0


def test_a_vanished_file_is_marked_not_lost(added_photographs: Path, library: Path) -> None:
    kept = (added_photographs / "0005.jpg").read_bytes()
    before = ids_by_name(library)["0005.jpg"]
    (added_photographs / "0005.jpg").unlink()
    assert added(library, added_photographs).removed == 1
    with Library.open(library) as opened:
        assert library_status(opened).missing == 1
    assert before not in {hit.id for hit in found(library, added_photographs / "0000.jpg").hits}
    (added_photographs / "0005.jpg").write_bytes(kept)
    back = added(library, added_photographs)
    assert (back.added, back.removed) == (0, 0)
    assert found(library, added_photographs / "0005.jpg").hits[0].id == before


def test_what_lies_on_a_disk_that_is_away_waits_for_it(
    added_photographs: Path, library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = write_scene(added_photographs / "new.jpg", 50).stat()
    with Library.open(library) as opened:
        with opened.store.writing() as w:
            (row,) = w.photographs.by_id([1])
            path = row.path.rpartition(b"/")[0] + b"/new.jpg"
            w.photographs.register(row.volume_id, row.folder_id, [NewFile(path, new.st_size, new.st_mtime_ns)])
            w.keypoints.remove([1, 2])

        def waiting() -> int:
            with opened.store.reading() as r:
                return count_waiting(r)

        with monkeypatch.context() as away:
            away.setattr(volumes, "is_present", lambda _: False)
            read_photographs(opened, machines=ThisMachine.of(1))
            assert waiting() == 3
        read_photographs(opened, machines=ThisMachine.of(1))
        assert waiting() == 0


def test_forgetting_takes_everything_out_and_touches_no_file(photographs: Path, library: Path) -> None:
    write_scenes(photographs / "2019", 3, first=20)
    added(library, photographs)
    with Library.open(library) as opened:
        assert forget(opened, photographs / "2019").photographs == 3
        assert check_library(opened).findings == []
        with pytest.raises(TwinlensError, match="nothing of"):
            forget(opened, photographs / "2020")
    assert len(list((photographs / "2019").iterdir())) == 3
    assert added(library, photographs).added == 0, "a forgotten folder does not come back by itself"


def test_a_folder_around_another_takes_its_place(photographs: Path, library: Path) -> None:
    write_scenes(photographs / "2019", 2, first=20)
    added(library, photographs / "2019")
    added(library, photographs)
    with Library.open(library) as opened:
        assert [folder.photographs for folder in library_status(opened).folders] == [8]


def test_excluded_names_are_passed_over(photographs: Path, library: Path) -> None:
    write_scenes(photographs / "drafts", 2, first=20)
    with Library.open(library, create=True) as opened:
        assert add(opened, [photographs], Adding(excludes=["drafts"], workers=1)).added == 6
        assert rescan(opened, workers=1).added == 0


@pytest.mark.usefixtures("worker_processes")
def test_every_kind_of_file_ends_as_photograph_or_problem(tmp_path: Path, library: Path) -> None:
    folder = tmp_path / "mixed"
    (folder / "dir.jpg").mkdir(parents=True)
    for case in (*GOOD, *BAD):
        (folder / case.name).write_bytes(case.make())
    (folder / "notes.txt").write_text("no picture")
    (folder / "dangling.jpg").symlink_to(folder / "nowhere")
    (folder / "loop.jpg").symlink_to(folder / "loop.jpg")
    (folder / "round").symlink_to(folder)
    for name in (
        b"\xff\xfe undecodable.jpg",
        b"'quotes' \"both\".jpg",
        "日本語 ünï.jpg".encode(),
        b"x" * 196 + b".jpg",
    ):
        shutil.copy(os.fsencode(write_scene(tmp_path / "one.jpg", 99)), os.fsencode(folder) + b"/" + name)
    result = added(library, folder)
    assert result.added == len(GOOD) + 4
    assert result.problems == result.unreadable == len(BAD) + 3
    assert result.passed_over == 1
    with Library.open(library) as opened:
        problems = opened.problems().problems
        assert rescan(opened, workers=1).unreadable == len(problems)
        assert library_status(opened).pending == 0
        assert check_library(opened).findings == []
    assert {Path(one.path).name for one in problems} == {case.name for case in BAD} | {
        "dangling.jpg",
        "loop.jpg",
        "round",
    }
    assert all(str(one.reason).endswith(".") for one in problems)
    again = added(library, folder)
    assert (again.added, again.changed, again.passed_over) == (0, 0, 1)


def test_no_picture_is_passed_over_silently(tmp_path: Path, library: Path) -> None:
    folder = tmp_path / "mixed"
    folder.mkdir()
    read = [
        RARE[name] for name in ("plain.psd", "plain.tga", "plain.qoi", "with a bitmap.ico", "plain.pcx", "plain.pam")
    ]
    for number, rare in enumerate(read):
        (folder / f"picture {number}").write_bytes(rare.make())
    (folder / "drawing").write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n")
    (folder / "logo").write_bytes(b"<svg xmlns='http://www.w3.org/2000/svg'></svg>")
    for name in ("notes.txt", "film.mp4"):
        (folder / name).write_bytes(b"\0\0\0\x18ftypmp42")
    result = added(library, folder)
    assert (result.added, result.problems, result.passed_over) == (len(read), 2, 2)
    with Library.open(library) as opened:
        listed = opened.problems(passed_over=True)
        assert opened.problems().passed_over is None
    assert [Path(one.path).name for one in listed.problems] == ["drawing", "logo"]
    assert all("Export it as PNG" in str(one.next_step) for one in listed.problems)
    assert [Path(path).name for path in listed.passed_over or []] == ["film.mp4", "notes.txt"]


def test_what_was_passed_over_is_looked_at_again_by_a_program_that_knows_more_types(
    tmp_path: Path, library: Path
) -> None:
    document = RARE["plain.psd"].make()
    file = tmp_path / "photographs" / "document"
    file.parent.mkdir()
    file.write_bytes(b"x" * len(document))
    assert added(library, file.parent).passed_over == 1
    status = file.stat()
    file.write_bytes(document)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))  # the same file for who looks at size and time
    assert added(library, file.parent).passed_over == 1
    with Library.open(library) as opened:
        with opened.store.writing("a test") as w:
            w.settings.put("picture types", ["JPEG"])
        result = rescan(opened, workers=1)
        assert (result.added, result.passed_over) == (1, 0)
        assert library_status(opened).passed_over == 0


def test_a_raw_file_and_the_jpeg_of_its_name_are_two_photographs(tmp_path: Path, library: Path) -> None:
    picture = scene(800, 600)
    jpeg = encode(picture, "JPEG")
    folder = tmp_path / "photographs"
    folder.mkdir()
    (folder / "IMG_1.DNG").write_bytes(dng(picture, preview=jpeg, preview_size=picture.size))
    (folder / "IMG_1.JPG").write_bytes(jpeg)
    for again in range(2):
        result = added(library, folder)
        assert (result.added, result.problems, result.removed) == (0 if again else 2, 0, 0)
    with Library.open(library) as opened:
        assert library_status(opened).photographs == 2
    hits = found(library, folder / "IMG_1.DNG").hits
    assert sorted(Path(hit.path).name for hit in hits) == ["IMG_1.DNG", "IMG_1.JPG"]


def test_eight_orientations_have_one_descriptor(tmp_path: Path, library: Path) -> None:
    folder = tmp_path / "turned"
    folder.mkdir()
    for case in GOOD:
        if case.name.startswith("turned"):
            (folder / case.name).write_bytes(case.make())
    added(library, folder)
    for index in ("Automatic", "Colours"):
        assert {hit.distance for hit in found(library, folder / "turned 1.png", index).hits} == {0}


def test_a_mended_file_is_no_problem_any_more(photographs: Path, library: Path) -> None:
    whole = (photographs / "0001.jpg").read_bytes()
    (photographs / "0001.jpg").write_bytes(whole[:900])
    assert added(library, photographs).problems == 1
    with Library.open(library) as opened:
        assert retry_problems(opened, workers=1).mended == 0
        assert opened.problems().problems[0].attempts == 2
        (photographs / "0001.jpg").write_bytes(whole)
        assert rescan(opened, workers=1).problems == 0
        assert opened.problems().problems == []


def test_few_photographs_and_none(tmp_path: Path, library: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert added(library, tmp_path / "empty").found == 0
    with pytest.raises(TwinlensError, match="no photos"):
        found(library, write_scene(tmp_path / "query.jpg", 1))
    write_scene(tmp_path / "one" / "only.jpg", 1)
    added(library, tmp_path / "one")
    assert [hit.distance for hit in found(library, tmp_path / "query.jpg").hits] == [0]


@pytest.mark.parametrize("wrong", ["nowhere", "file.jpg"])
def test_a_wrong_folder_is_a_sentence(tmp_path: Path, library: Path, wrong: str) -> None:
    write_scene(tmp_path / "file.jpg", 0)
    with pytest.raises(TwinlensError, match=wrong):
        added(library, tmp_path / wrong)


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_add_ends_like_an_undisturbed_one(tmp_path: Path) -> None:
    folder = tmp_path / "photographs"
    pictures = write_scenes(folder, 40)
    (folder / "0007.jpg").write_bytes(b"no picture")
    (folder / "0013").write_text("a note")
    killed, undisturbed = tmp_path / "killed.twinlens", tmp_path / "undisturbed.twinlens"
    command = [sys.executable, "-c", "from twinlens.app.cli.main import main; main()", "--library", str(killed), "add"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    for _ in range(2):
        process = subprocess.Popen([*command, str(folder), "--workers", "1"], env=environment, cwd=tmp_path,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        _wait_for_a_batch(killed, process)
        process.send_signal(signal.SIGKILL)
        process.wait()
    added(killed, folder)
    added(undisturbed, folder)
    assert ids_by_name(killed) == ids_by_name(undisturbed)
    asked = [picture for picture in pictures if picture.name != "0007.jpg"][::9]
    for index in ("Automatic", "Colours"):
        assert answers(killed, asked, index) == answers(undisturbed, asked, index)


def _wait_for_a_batch(library: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until more photographs are read than before, so that the kill comes in the middle."""
    before = _read(library)
    while process.poll() is None and _read(library) <= before:
        time.sleep(0.05)


def _read(library: Path) -> int:
    if not library.exists():
        return 0
    try:
        with Library.open(library) as opened, opened.store.reading() as r:
            return r.photographs.counts()[PhotographState.READY]
    except TwinlensError:
        return 0  # it is being made


def test_what_is_read_and_learned_shares_the_progress_as_it_shares_the_time(photographs: Path, library: Path) -> None:
    told: list[tuple[float, float, str]] = []
    with Library.open(library, create=True) as opened:
        add(opened, [photographs], Adding(workers=1), lambda *now: told.append(now))
    read = [done / total for done, total, text in told if "photos ·" in str(text)]
    assert read[0] < 0.25  # nothing is done before the first of six is read
    assert 0.9 < read[-1] < 1  # reading is what takes the time
    shares = [done / total for done, total, _ in told if total]
    assert shares == sorted(shares)


@pytest.fixture
def two_photographs(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs" / "a", 4)
    write_scenes(tmp_path / "photographs" / "b", 3, first=10)
    (tmp_path / "photographs" / "b" / "bad.jpg").write_bytes(b"no picture")
    (tmp_path / "photographs" / "b" / "text.txt").write_bytes(b"no picture")
    return tmp_path / "photographs"


def everything(library: Library) -> dict[str, list[Any]]:
    """Return all rows of the photographs; what the codes are cut into does not matter."""
    found = {}
    with library.store.reading() as r:
        notes = ("camera_note", "file_metadata")
        go_along = [
            one.name
            for one in metadata.sorted_tables
            if any(key.column.table.name == "photograph" for key in one.foreign_keys)
        ]
        for table in ("folder", "photograph", "passed_over", "descriptor", *notes, *go_along):
            columns = [column.name for column in metadata.tables[table].columns]
            if table == "problem":  # its rows come back under other numbers
                columns = [name for name in columns if name not in ("id", "checksum")]
            rows = r.connection.exec_driver_sql(f"SELECT {', '.join(columns)} FROM {table}").all()
            found[table] = sorted(tuple(row) for row in rows)
    return found


def searched(library: Library) -> list[tuple[str, float]]:
    with library.store.reading() as r:
        first = r.photographs.in_state(next(iter(r.photographs.counts())).READY)[0].id
    (result,) = search(library, [first], ("Automatic",), SearchOptions(k=20)).results
    return [(hit.path, hit.distance) for hit in result.hits]


@pytest.mark.parametrize("below", ["", "b"])
def test_a_folder_comes_back_as_it_was(two_photographs: Path, tmp_path: Path, below: str) -> None:
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [two_photographs], Adding(workers=1))
        keep_choices(library, dict.fromkeys(range(1, 9), Fate.STAYS))
        before, found = everything(library), searched(library)
        gone = forget_for_now(library, two_photographs / below)
        assert gone.photographs == (8 if not below else 4)
        assert len(everything(library)["photograph"]) == 8 - gone.photographs
        if below:
            assert rescan(library, workers=1).added == 0  # a part that is forgotten stays so
        assert forgotten(library) == [gone]
        assert bring_back(library, gone.number) == gone.photographs
        assert everything(library) == before
        assert check(library.store).findings == []
        assert searched(library) == found
        assert forgotten(library) == []
        again = rescan(library, workers=1)
        assert (again.added, again.changed) == (0, 0)


def test_several_come_back_in_any_order(two_photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [two_photographs / "a", two_photographs / "b"], Adding(workers=1))
        before = everything(library)
        one, other = (forget_for_now(library, two_photographs / name) for name in "ab")
        bring_back(library, one.number)
        bring_back(library, other.number)
        assert [row[1:] for row in everything(library)["photograph"]] != []
        assert {row[:3] for row in everything(library)["photograph"]} == {row[:3] for row in before["photograph"]}
        with pytest.raises(TwinlensError, match="not kept any more"):
            bring_back(library, one.number)


def test_what_was_added_again_meanwhile_stays(two_photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [two_photographs], Adding(workers=1))
        gone = forget_for_now(library, two_photographs / "a")
        write_scene(two_photographs / "a" / "0001.jpg", 99)
        add(library, [two_photographs / "a"], Adding(workers=1))
        after = everything(library)
        assert bring_back(library, gone.number) == 0
        assert everything(library)["photograph"] == after["photograph"]
        assert everything(library)["descriptor"] == after["descriptor"]


def test_a_kill_loses_nothing(two_photographs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class KilledError(Exception):
        pass

    def killed(*_: object) -> None:
        raise KilledError

    path = tmp_path / "l.twinlens"
    with Library.open(path, create=True) as library:
        add(library, [two_photographs], Adding(workers=1))
        with library.store.writing() as w:
            w.sidecar_notes.put([SidecarNote(row.id, "stamp", "{}") for row in w.photographs.by_id([1, 2])])
        before = everything(library)
        assert all(before[table] for table in ("camera_note", "file_metadata", "sidecar_note"))
        with monkeypatch.context() as patch:
            patch.setattr("twinlens.app.library.ingest.forgotten_folders.remove_folder", killed)
            with pytest.raises(KilledError):
                forget_for_now(library, two_photographs / "a")
        assert everything(library) == before
        assert forgotten(library) == []
        gone = forget_for_now(library, two_photographs / "a")
    with Library.open(path) as library:  # as after a kill: nobody has settled it
        assert forgotten(library)[-1] == gone
        with monkeypatch.context() as patch:
            patch.setattr("twinlens.storage.sqlite.forgotten_folders.drop", killed)
            with pytest.raises(KilledError):
                bring_back(library, gone.number)
        assert everything(library) == before
        assert bring_back(library, gone.number) == 0
        assert everything(library) == before


def test_it_is_the_owners_alone_and_goes_when_it_is_settled(two_photographs: Path, tmp_path: Path) -> None:
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [two_photographs], Adding(workers=1))
        forget_for_now(library, two_photographs)
        kept = tmp_path / "l.twinlens-forgotten"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        settle(library)
        assert not kept.exists()
        kept.write_bytes(b"nonsense")
        assert forgotten_folders.waiting(kept) == []
        with pytest.raises(TwinlensError, match="nothing of"):
            forget_for_now(library, two_photographs)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs", 3)
    for name in ("cut.jpg", "bad.jpg"):
        whole = write_scene(tmp_path / "photographs" / name, 50).read_bytes()
        (tmp_path / "photographs" / name).write_bytes(whole[:900])
    (tmp_path / "photographs" / "dangling.jpg").symlink_to(tmp_path / "later.jpg")
    return tmp_path / "photographs"


@pytest.fixture
def library_with_problems(tmp_path: Path, folder: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        assert add(made, [folder], Adding(workers=1)).problems == 3
        yield made


def names(library: Library, ignored: bool = False) -> list[str]:
    return [Path(one.path).name for one in library.problems(ignored).problems]


def path(library: Library, name: str) -> str:
    return next(one.path for one in library.problems(True).problems if one.path.endswith(name))


def test_a_file_that_may_be_read_again_is_read_by_a_rescan(two_photographs: Path, tmp_path: Path) -> None:
    """Its size and time are as they were."""
    with Library.open(tmp_path / "l.twinlens", create=True) as library:
        add(library, [two_photographs], Adding(workers=1))
        before, problems = everything(library), library.problems().problems
        with library.store.writing() as w:
            row = w.photographs.by_id([3])[0]
            w.problems.add([NewProblem(row.volume_id, row.path, DENIED, DENIED, row.size, row.mtime_ns, row.id)])
        assert len(library.problems().problems) == len(problems) + 1
        rescan(library, workers=1)
        assert library.problems().problems == problems
        assert everything(library)["photograph"] == before["photograph"]


def test_set_aside_and_taken_back(library_with_problems: Library) -> None:
    left = ignore_problem(library_with_problems, path(library_with_problems, "cut.jpg"), True)
    assert [Path(one.path).name for one in left.problems] == names(library_with_problems) == ["bad.jpg", "dangling.jpg"]
    assert names(library_with_problems, ignored=True) == ["bad.jpg", "cut.jpg", "dangling.jpg"]
    ignore_problem(library_with_problems, path(library_with_problems, "cut.jpg"), False)
    assert names(library_with_problems) == ["bad.jpg", "cut.jpg", "dangling.jpg"]


def test_one_is_tried_again_and_the_others_are_not(library_with_problems: Library, folder: Path) -> None:
    result = retry(library_with_problems, [path(library_with_problems, "cut.jpg")])
    assert (result.retried, result.mended) == (1, 0)
    assert {Path(one.path).name: one.attempts for one in result.problems} == {
        "bad.jpg": 1,
        "cut.jpg": 2,
        "dangling.jpg": 1,
    }
    write_scene(folder / "cut.jpg", 50)
    write_scene(folder / "bad.jpg", 51)
    result = retry(library_with_problems, [path(library_with_problems, "cut.jpg")])
    assert (result.retried, result.mended) == (1, 1)
    assert names(library_with_problems) == ["bad.jpg", "dangling.jpg"]


def test_a_place_is_looked_at_again(library_with_problems: Library, folder: Path, tmp_path: Path) -> None:
    write_scene(tmp_path / "later.jpg", 60)
    result = retry(library_with_problems, [path(library_with_problems, "dangling.jpg")])
    assert (result.retried, result.mended) == (1, 1)
    assert library_status(library_with_problems).photographs == 4


def test_all_are_tried_again(library_with_problems: Library, folder: Path, tmp_path: Path) -> None:
    write_scene(tmp_path / "later.jpg", 60)
    write_scene(folder / "cut.jpg", 50)
    ignore_problem(library_with_problems, path(library_with_problems, "bad.jpg"))
    result = retry(library_with_problems)
    assert (result.retried, result.mended, result.problems) == (2, 2, [])


def test_a_problem_that_is_over_is_a_sentence(library_with_problems: Library, folder: Path) -> None:
    nowhere = os.fspath(folder / "0000.jpg")
    with pytest.raises(TwinlensError, match=r"no problem with .*0000\.jpg any more"):
        ignore_problem(library_with_problems, nowhere)
    with pytest.raises(TwinlensError, match=r"no problem with .*0000\.jpg any more"):
        retry(library_with_problems, [nowhere])
