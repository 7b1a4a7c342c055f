"""Moving photographs away: what has moved is known to the last byte, what has not is as it was."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from app.duplicates import disposal
from app.duplicates.disposal import dispose
from app.duplicates.disposal_plan import DisposalChoice, plan_disposal
from app.duplicates.duplicate_results import DisposalResult, disposal_log, run_entries
from app.duplicates.move_log import MoveLog
from app.library.ingest.adding import rescan
from app.library.library import Library
from app.machine.disk import Disk
from core.errors import Cancelled, TwinlensError
from core.message import Message
from storage.database.schema import PhotographState
from storage.disposals import DisposalOutcome
from storage.integrity.integrity_check import check
from tests.app.duplicates.moved_world import World, contents
from tests.app.folders import added
from tests.app.private_trash import LINUX, fill

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
        with pytest.raises(TwinlensError, match="being added"):
            dispose(library, planned)
    assert world.files() == before
