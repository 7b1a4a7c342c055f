"""Moving photographs away and bringing them back: all is known to the last byte, with companions and marks."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.app.disposal.moved_world import World, contents
from tests.app.folders import added
from tests.app.private_trash import LINUX, fill
from twinlens.app.disposal import disposal
from twinlens.app.disposal.disposal import dispose, restore_photographs
from twinlens.app.disposal.disposal_plan import DisposalChoice, plan_disposal
from twinlens.app.disposal.disposal_results import DisposalResult, RestoreResult, disposal_log, run_entries
from twinlens.app.disposal.move_log import MoveLog
from twinlens.app.duplicates.decisions import fates, keep_choices
from twinlens.app.duplicates.keeper_rules import Fate
from twinlens.app.library.ingest.adding import rescan
from twinlens.app.library.ingest.forgotten_folders import forget
from twinlens.app.library.library import Library
from twinlens.app.machine import trash
from twinlens.app.machine.disk import Disk
from twinlens.app.marks.marks import mark_pairs
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.message import Message
from twinlens.storage.database.values import PhotographState
from twinlens.storage.disposals import DisposalOutcome
from twinlens.storage.integrity.integrity_check import check
from twinlens.storage.marks import MarkRow

pytestmark = [LINUX, pytest.mark.usefixtures("private_trash")]
BESIDE = ["copy.AAE", "copy.MOV", "copy.jpg.xmp", "copy.xmp"]


def disposed(world: World, *choices: DisposalChoice, destination: Path | None = None) -> DisposalResult:
    with world.open() as library:
        return dispose(library, plan_disposal(library, choices or [world.choice()], destination))


def in_library(world: World) -> set[str]:
    return set(world.ids())


def left(result: DisposalResult) -> str:
    assert result.moved == 0
    (one,) = result.left
    return str(one.reason)


def test_to_the_trash(world: World, private_trash: Path) -> None:
    before = world.files()
    result = disposed(world)
    assert (result.moved, result.companions, result.left, result.cancelled) == (1, 4, [], False)
    assert result.undoable
    after = world.files()
    assert sorted(after) == ["kept.jpg", "live.jpg", "other.jpg"]
    assert sorted(contents(private_trash / "files")) == sorted([*BESIDE, "copy.jpg"])
    assert sorted([*after.values(), *contents(private_trash / "files").values()]) == sorted(before.values())
    assert in_library(world) == {"kept.jpg", "live.jpg", "other.jpg"}
    with world.open() as library:
        (entry,) = disposal_log(library)
        assert entry.state is DisposalOutcome.DONE
        assert (entry.path, entry.kept) == (str(world.photos / "sub" / "copy.jpg"), str(world.photos / "kept.jpg"))
        assert (entry.kind, entry.undoable, entry.destination) == ("identical", True, None)
        assert entry.bytes == result.bytes
        assert run_entries(library, result.run or 0) == [entry]
        assert check(library.store).findings == []


def test_to_a_folder(world: World, tmp_path: Path) -> None:
    before = world.files()
    times = (world.photos / "sub" / "copy.jpg").stat().st_mtime_ns
    away = tmp_path / "away" / "further"
    away.mkdir(parents=True)
    (away / "copy.XMP").write_bytes(b"of another")
    result = disposed(world, destination=away)
    assert (result.moved, result.companions, result.destination) == (1, 4, str(away))
    names = {"copy (2).jpg", "copy (2).AAE", "copy (2).MOV", "copy (2).jpg.xmp", "copy (2).xmp"}
    assert set(contents(away)) == {"copy.XMP", *names}
    assert (away / "copy.XMP").read_bytes() == b"of another"
    assert (away / "copy (2).jpg").stat().st_mtime_ns == times
    moved = [value for name, value in contents(away).items() if name in names]
    assert sorted([*world.files().values(), *moved]) == sorted(before.values())


def test_a_folder_inside_the_library_is_passed_over_from_then_on(world: World) -> None:
    away = world.photos / "away"
    assert disposed(world, destination=away).moved == 1
    with world.open() as library:
        assert rescan(library, workers=1).added == 0
    assert in_library(world) == {"kept.jpg", "live.jpg", "other.jpg"}


def test_a_name_that_is_taken_meanwhile(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    away = tmp_path / "away"
    away.mkdir()
    rename = Disk.rename

    def taken(disk: Disk, source: bytes, target: bytes) -> None:
        if target == os.fsencode(away / "copy.jpg"):
            Path(os.fsdecode(target)).write_bytes(b"of another")
        rename(disk, source, target)

    monkeypatch.setattr(Disk, "rename", taken)
    assert disposed(world, destination=away).moved == 1
    assert (away / "copy.jpg").read_bytes() == b"of another"
    assert len(contents(away)) == 6
    assert "copy (2).xmp" in contents(away)


def test_nothing_to_do(world: World) -> None:
    result = disposed(world, world.choice(kept="copy.jpg"))
    assert (result.run, result.moved, result.left) == (None, 0, [])


# --- what stays as it was --------------------------------------------------------------------------------------------
def _same_time(path: Path, content: bytes) -> None:
    """Change a file behind the back of whoever looks at its size and time alone."""
    status = path.stat()
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    _same_time(path, bytes(content))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda photos: (photos / "kept.jpg").unlink(), "kept.jpg, which is kept instead, is no longer there"),
        (lambda photos: _flip(photos / "kept.jpg"), "kept.jpg, which is kept instead, was changed"),
        (lambda photos: _flip(photos / "sub" / "copy.jpg"), "It was changed since it was read"),
        (lambda photos: (photos / "sub" / "copy.jpg").unlink(), "It is not there any more"),
        (lambda photos: (photos / "sub" / "copy.jpg").chmod(0o444), "write-protected"),
        (lambda photos: (photos / "sub" / "copy.xmp").write_bytes(b"edited"), "copy.xmp, which belongs to it"),
        (lambda photos: (photos / "kept.xmp").write_bytes(b"<z/>"), "kept.xmp, which lies beside the photo kept, was"),
        (lambda photos: (photos / "kept.MOV").unlink(), "kept.MOV, which lies beside the photo kept, was"),
    ],
)
@pytest.mark.parametrize("folder", [None, "away"])
def test_what_changed_since_the_plan(
    world: World, tmp_path: Path, spoil: Callable[[Path], object], words: str, folder: str | None
) -> None:
    with world.open() as library:
        planned = plan_disposal(library, [world.choice()], None if folder is None else tmp_path / folder)
        assert planned.refused == ()
        spoil(world.photos)
        before = world.files()
        assert words in left(dispose(library, planned))
        assert world.files() == before
        assert [(one.state, one.undoable) for one in disposal_log(library)] == [(DisposalOutcome.LEFT, False)]
    assert in_library(world) >= {"copy.jpg", "kept.jpg"}


def test_a_keeper_that_has_gone_to_the_same_place(world: World) -> None:
    with world.open() as library:
        first, second = world.choice(), world.choice("kept.jpg", "copy.jpg")
        plans = [plan_disposal(library, [choice]) for choice in (first, second)]
        assert dispose(library, plans[0]).moved == 1
        assert "was changed since this was planned" in left(dispose(library, plans[1]))
    assert (world.photos / "kept.jpg").exists()


def test_companions_come_back_where_the_photograph_stays(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    original, before = Disk.rename, world.files()

    def refuse(disk: Disk, source: bytes, target: bytes) -> None:
        if target.endswith(b"files/copy.jpg"):
            raise PermissionError(1, "no")
        original(disk, source, target)

    monkeypatch.setattr(Disk, "rename", refuse)
    assert "does not permit" in left(disposed(world))
    assert world.files() == before
    assert "copy.jpg" in in_library(world)


def test_a_file_that_may_not_change(world: World) -> None:
    if shutil.which("chattr") is None:
        pytest.skip("needs the program chattr")
    path = world.photos / "sub" / "copy.jpg"
    done = subprocess.run(["chattr", "+i", path], check=False, capture_output=True)
    if done.returncode:
        pytest.skip("needs a file system that protects files")
    try:
        before = world.files()
        with world.open() as library:
            planned = plan_disposal(library, [world.choice()])
            words = str(planned.refused[0].reason) if planned.refused else left(dispose(library, planned))
        assert "permit" in words or "protected" in words
        assert world.files() == before
    finally:
        subprocess.run(["chattr", "-i", path], check=True)


def test_a_full_disk_at_the_destination(world: World, small_disk: Path) -> None:
    fill(small_disk)
    before = world.files()
    assert "no space" in left(disposed(world, destination=small_disk))
    assert world.files() == before
    assert set(contents(small_disk)) == {"rest"}


def test_a_full_disk_goes_on_with_what_fits(world: World, small_disk: Path) -> None:
    big, small = world.photos / "big.jpg", world.photos / "small.jpg"
    big.write_bytes((world.photos / "live.jpg").read_bytes() + bytes(3 << 20))
    shutil.copy(world.photos / "live.jpg", small)
    added(world.path, world.photos)
    result = disposed(
        world,
        world.choice("big.jpg", "live.jpg", "same"),
        world.choice("small.jpg", "live.jpg"),
        destination=small_disk,
    )
    assert result.moved == 1
    assert [one.path for one in result.left] == [str(big)]
    assert set(contents(small_disk)) == {"small.jpg"}
    assert big.exists()


def test_across_file_systems(world: World, small_disk: Path) -> None:
    before, times = world.files(), (world.photos / "sub" / "copy.jpg").stat().st_mtime_ns
    result = disposed(world, destination=small_disk / "away")
    assert (result.moved, result.companions) == (1, 4)
    assert sorted([*world.files().values(), *contents(small_disk).values()]) == sorted(before.values())
    assert (small_disk / "away" / "copy.jpg").stat().st_mtime_ns == times
    assert len([*(small_disk / "away").iterdir()]) == 5


def test_a_copy_that_was_written_wrong_is_none(world: World, small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = shutil.copyfileobj

    def spoilt(source: object, target: object, length: int = 0) -> None:
        copy(source, target, length)  # type: ignore[arg-type]
        target.seek(0)  # type: ignore[attr-defined]
        target.write(b"?")  # type: ignore[attr-defined]

    monkeypatch.setattr(shutil, "copyfileobj", spoilt)
    before = world.files()
    assert "what was written is not what was read" in left(disposed(world, destination=small_disk))
    assert world.files() == before
    assert contents(small_disk) == {}


def test_the_trash_of_another_disk(tmp_path: Path, small_disk: Path) -> None:
    world = World(small_disk, tmp_path / "family.twinlens").make()
    assert disposed(world).moved == 1
    assert len(contents(small_disk / f".Trash-{os.getuid()}" / "files")) == 5
    assert "copy.jpg" not in in_library(world)


def test_a_disk_that_is_unplugged(tmp_path: Path, small_disk: Path) -> None:
    world = World(small_disk, tmp_path / "family.twinlens").make()
    with world.open() as library:
        planned = plan_disposal(library, [world.choice()])
        subprocess.run(["umount", small_disk], check=True)
        assert "disk is not connected" in str(plan_disposal(library, [world.choice()]).refused[0].reason)
        assert "disk is not connected" in left(dispose(library, planned))


def test_a_disk_that_can_only_be_read(tmp_path: Path, small_disk: Path) -> None:
    world = World(small_disk, tmp_path / "family.twinlens").make()
    with world.open() as library:
        planned = plan_disposal(library, [world.choice()])
        subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
        assert "can only be read" in str(plan_disposal(library, [world.choice()]).refused[0].reason)
        assert "can only be read" in left(dispose(library, planned))
    assert len(world.files()) == 8


def test_a_library_that_cannot_be_written_keeps_its_files(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise TwinlensError("The disk that holds the library is full.")

    before = world.files()
    monkeypatch.setattr(MoveLog, "done", full)
    with pytest.raises(TwinlensError, match="is full"):
        disposed(world)
    assert world.files() == before
    monkeypatch.undo()
    assert "copy.jpg" in in_library(world)


# --- many, and stopping ----------------------------------------------------------------------------------------------
def many(world: World, count: int) -> list[DisposalChoice]:
    folder = world.photos / "many"
    folder.mkdir()
    (world.photos / "live.xmp").write_bytes(b"<x/>")
    for number in range(count):
        shutil.copy(world.photos / "live.jpg", folder / f"{number:04}.jpg")
        (folder / f"{number:04}.xmp").write_bytes(b"<x/>")
    added(world.path, world.photos)
    ids = world.ids()
    return [DisposalChoice(ids[f"{number:04}.jpg"], ids["live.jpg"], "identical") for number in range(count)]


def test_a_hundred(world: World, private_trash: Path) -> None:
    choices = many(world, 100)
    before = world.files()
    said: list[float] = []
    with world.open() as library:
        result = dispose(library, plan_disposal(library, choices), lambda done, total, text: said.append(done / total))
        assert (result.moved, result.companions, result.left) == (100, 100, [])
        assert len(disposal_log(library)) == 100
        assert len(disposal_log(library, limit=10)) == 10
        assert check(library.store).findings == []
        with library.store.reading() as r:
            assert r.photographs.counts()[PhotographState.READY] == 4
    assert said == sorted(said)
    assert sorted([*world.files().values(), *contents(private_trash / "files").values()]) == sorted(before.values())


def test_stopping_between_files(world: World) -> None:
    choices = many(world, 5)

    def stop(done: float, total: float, text: Message) -> None:
        if done == 2:
            raise Cancelled

    with world.open() as library:
        result = dispose(library, plan_disposal(library, choices), stop)
        assert (result.moved, result.cancelled, result.left) == (2, True, [])
        assert [one.state for one in disposal_log(library)] == [DisposalOutcome.LEFT] * 3 + [DisposalOutcome.DONE] * 2
        assert dispose(library, plan_disposal(library, choices[2:])).moved == 3


def test_another_program_that_adds(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disposal, "WAIT_S", 0.1)
    before = world.files()
    with world.open() as library, Library.open(world.path) as other, other.store.adding():
        planned = plan_disposal(library, [world.choice()])
        with pytest.raises(TwinlensError, match=r"being worked on by .*adding photos"):
            dispose(library, planned)
    assert world.files() == before


def moved_away(world: World, *choices: DisposalChoice, destination: Path | None = None) -> DisposalResult:
    with world.open() as library:
        result = dispose(library, plan_disposal(library, choices or [world.choice()], destination))
    assert result.left == []
    return result


def restored(world: World, which: int | Sequence[int] | None) -> RestoreResult:
    assert which is not None
    with world.open() as library:
        return restore_photographs(library, which)


def test_what_was_decided_comes_back(world: World) -> None:
    with world.open() as library:
        keep_choices(library, {world.ids()["copy.jpg"]: Fate.GOES})
        run = dispose(library, plan_disposal(library, [world.choice()])).run
        assert run is not None
        with library.store.reading() as r:
            assert fates(r) == {}
        restore_photographs(library, run)
        with library.store.reading() as r:
            assert fates(r) == {world.ids()["copy.jpg"]: Fate.GOES}
        assert check(library.store).findings == []


def states(world: World) -> list[DisposalOutcome]:
    with world.open() as library:
        return [one.state for one in disposal_log(library)]


@pytest.mark.parametrize("folder", [None, "away"])
def test_there_and_back(world: World, tmp_path: Path, private_trash: Path, folder: str | None) -> None:
    before, names = world.files(), set(world.ids())
    times = {path: path.stat().st_mtime_ns for path in world.photos.rglob("*.*")}
    run = moved_away(world, destination=None if folder is None else tmp_path / folder).run
    shutil.rmtree(world.photos / "sub")
    result = restored(world, run)
    assert (result.restored, result.companions, result.left) == (1, 4, [])
    assert world.files() == before
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert set(world.ids()) == names
    assert states(world) == [DisposalOutcome.UNDONE]
    assert contents(private_trash, tmp_path / "away") == {}
    with world.open() as library:
        assert check(library.store).findings == []
        with library.store.reading() as r:
            copy, kept = (r.photographs.by_id([world.ids()[name]])[0] for name in ("copy.jpg", "kept.jpg"))
            assert copy.content_hash == kept.content_hash
        assert rescan(library, workers=1).changed == 0
    assert restored(world, run).restored == 0
    assert moved_away(world).moved == 1  # and away again


def test_by_row_of_the_log(world: World) -> None:
    moved_away(world, world.choice(), world.choice("other.jpg", "live.jpg", "same"))
    with world.open() as library:
        newest, _ = disposal_log(library)
    assert restored(world, [newest.id]).restored == 1
    assert states(world) == [DisposalOutcome.UNDONE, DisposalOutcome.DONE]
    assert "copy.jpg" not in world.ids()
    assert "other.jpg" in world.ids()


@pytest.mark.parametrize("name", ["copy.jpg", "copy.xmp"])
@pytest.mark.parametrize("folder", [None, "away"])
def test_a_place_that_is_taken(world: World, tmp_path: Path, name: str, folder: str | None) -> None:
    run = moved_away(world, destination=None if folder is None else tmp_path / folder).run
    (world.photos / "sub" / name).write_bytes(b"another")
    before = world.files()
    result = restored(world, run)
    assert result.restored == 0
    assert [str(world.photos / "sub" / name) in str(one.reason) for one in result.left] == [True]
    assert world.files() == before
    assert states(world) == [DisposalOutcome.DONE]
    (world.photos / "sub" / name).unlink()
    assert restored(world, run).restored == 1
    assert len(world.files()) == 8


def test_a_trash_that_was_emptied(world: World, private_trash: Path) -> None:
    run = moved_away(world).run
    shutil.rmtree(private_trash)
    result = restored(world, run)
    assert result.restored == 0
    assert "not in the trash any more" in str(result.left[0].reason)
    assert states(world) == [DisposalOutcome.DONE]


def test_a_companion_that_was_thrown_away_keeps_nothing_back(world: World, private_trash: Path) -> None:
    run = moved_away(world).run
    (private_trash / "files" / "copy.xmp").unlink()
    result = restored(world, run)
    assert (result.restored, result.companions) == (1, 3)
    assert [one.path for one in result.left] == [str(world.photos / "sub" / "copy.xmp")]


def test_another_file_in_the_trash_is_not_taken_for_it(world: World, private_trash: Path) -> None:
    run = moved_away(world).run
    (private_trash / "files" / "copy.jpg").write_bytes(b"another")
    assert restored(world, run).restored == 0
    assert not (world.photos / "sub" / "copy.jpg").exists()


def test_a_file_that_has_another_name_in_the_trash_by_now(world: World, private_trash: Path) -> None:
    before, run = world.files(), moved_away(world).run
    for name in ("files/copy.jpg", "info/copy.jpg.trashinfo"):
        place = private_trash / name
        place.rename(place.with_name(place.name.replace("copy", "copy.2")))
    assert restored(world, run).left == []
    assert world.files() == before
    assert not any((private_trash / "info").iterdir())


@pytest.mark.parametrize("by_the_trash", [True, False])  # or by moving the files, which leaves their notes
def test_what_the_person_brought_back_already(world: World, private_trash: Path, by_the_trash: bool) -> None:
    run = moved_away(world).run
    for note in (private_trash / "info").iterdir():
        place = private_trash / "files" / note.name.removesuffix(".trashinfo")
        place.rename(world.photos / "sub" / place.name)
        if by_the_trash:
            note.unlink()
    added(world.path, world.photos)
    result = restored(world, run)
    assert not any((private_trash / "info").iterdir())
    assert (result.restored, result.left) == (1, [])
    assert states(world) == [DisposalOutcome.UNDONE]
    assert len([name for name in world.ids() if name == "copy.jpg"]) == 1


def test_a_folder_that_was_forgotten(world: World) -> None:
    run = moved_away(world).run
    with world.open() as library:
        forget(library, world.photos)
    assert restored(world, run).restored == 1
    assert (world.photos / "sub" / "copy.jpg").exists()
    assert world.ids() == {}


def test_bringing_back_from_a_disk_that_is_unplugged(tmp_path: Path, small_disk: Path) -> None:
    world = World(small_disk, tmp_path / "family.twinlens").make()
    run = moved_away(world, destination=tmp_path / "away").run
    subprocess.run(["umount", small_disk], check=True)
    result = restored(world, run)
    assert "disk is not connected" in str(result.left[0].reason)
    assert [*small_disk.iterdir()] == []
    assert len(contents(tmp_path / "away")) == 5


def test_bringing_back_across_file_systems(world: World, small_disk: Path) -> None:
    before = world.files()
    run = moved_away(world, destination=small_disk).run
    assert restored(world, run).restored == 1
    assert world.files() == before
    assert contents(small_disk) == {}


def test_stopping(world: World) -> None:
    run = moved_away(world, world.choice(), world.choice("other.jpg", "live.jpg", "same")).run

    def stop(done: float, total: float, text: Message) -> None:
        if done > 0:
            raise Cancelled

    with world.open() as library:
        assert run is not None
        result = restore_photographs(library, run, stop)
        assert (result.restored, result.cancelled) == (1, True)
        assert restore_photographs(library, run).restored == 1
    assert {"copy.jpg", "other.jpg"} <= set(world.ids())


def test_systems_whose_trash_only_people_open(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trash, "can_restore", lambda: False)
    with world.open() as library:
        planned = plan_disposal(library, [world.choice()])
        assert not planned.undoable
        result = dispose(library, planned)
        assert (result.moved, result.undoable) == (1, False)
        assert [one.undoable for one in disposal_log(library)] == [False]
        back = restore_photographs(library, result.run or 0)
        assert "in the trash itself" in str(back.left[0].reason)


# --- marks -----------------------------------------------------------------------------------------------------------
def marks(world: World) -> list[MarkRow]:
    with world.open() as library, library.store.reading() as r:
        return r.marks.all()


def pairs(world: World) -> set[tuple[frozenset[bytes], bool]]:
    return {(frozenset(row.pair), row.similar) for row in marks(world)}


def marked(world: World, first: str, second: str, similar: bool) -> None:
    ids = world.ids()
    with world.open() as library:
        mark_pairs(library, [(ids[first], ids[second])], similar, "test")


def hashes(world: World) -> dict[str, bytes]:
    with world.open() as library, library.store.reading() as r:
        return {name: r.photographs.by_id([i])[0].content_hash or b"" for name, i in world.ids().items()}


def test_marks_pass_to_the_kept_one_and_back(world: World) -> None:
    marked(world, "other.jpg", "kept.jpg", similar=False)
    before, content = marks(world), hashes(world)
    run = moved_away(world, world.choice("other.jpg", "live.jpg", "edited")).run
    assert pairs(world) == {
        (frozenset({content["other.jpg"], content["kept.jpg"]}), False),
        (frozenset({content["live.jpg"], content["kept.jpg"]}), False),
    }
    restored(world, run)
    assert marks(world) == before


def test_marks_of_a_content_that_is_still_there_stay_with_it(world: World) -> None:
    marked(world, "copy.jpg", "other.jpg", similar=True)
    before = marks(world)
    moved_away(world)
    assert marks(world) == before


def test_what_was_said_of_the_kept_one_counts(world: World) -> None:
    marked(world, "other.jpg", "kept.jpg", similar=False)
    marked(world, "live.jpg", "kept.jpg", similar=True)
    marked(world, "live.jpg", "other.jpg", similar=True)
    before = marks(world)
    moved_away(world, world.choice("other.jpg", "live.jpg", "same"))
    assert marks(world) == before


def test_a_mark_that_another_would_have_passed_on_stays(world: World) -> None:
    shutil.copy(world.photos / "other.jpg", world.photos / "twin.jpg")
    with (world.photos / "twin.jpg").open("ab") as file:
        file.write(b"differs")
    added(world.path, world.photos)
    for name in ("other.jpg", "twin.jpg"):
        marked(world, name, "kept.jpg", similar=True)
    before, content = pairs(world), hashes(world)
    choices = [world.choice(name, "live.jpg", "same") for name in ("other.jpg", "twin.jpg")]
    first, second = (moved_away(world, choice).run for choice in choices)
    passed = (frozenset({content["live.jpg"], content["kept.jpg"]}), True)
    assert pairs(world) == {*before, passed}
    restored(world, first)
    assert pairs(world) == {*before, passed}
    restored(world, second)
    assert pairs(world) == before


@pytest.mark.parametrize("fate", Fate)
def test_what_a_person_chose_comes_back_and_can_be_undone(world: World, fate: Fate) -> None:
    was = world.ids()["copy.jpg"]
    with world.open() as library:
        before = keep_choices(library, {was: fate})
    restored(world, moved_away(world).run)
    restored(world, moved_away(world).run)
    now = world.ids()["copy.jpg"]
    assert now != was
    with world.open() as library:
        with library.store.reading() as r:
            assert fates(r) == {now: fate}
        assert keep_choices(library, before) == {was: fate}, "undone by the id that it had"
        assert keep_choices(library, {was: fate}) == {was: None}
        keep_choices(library, {now: None})
    moved_away(world)
    with world.open() as library:
        assert keep_choices(library, {now: fate}) == {now: None}, "it is away"
        with library.store.reading() as r:
            assert fates(r) == {}
