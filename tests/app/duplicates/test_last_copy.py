"""The last copy is never moved: one folder mounted twice, links, and other programs at the same files, for real."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.duplicates.disposal import dispose, restore_photographs
from app.duplicates.disposal_plan import DisposalChoice, plan_disposal
from app.duplicates.duplicate_results import DisposalResult
from app.library.library import Library
from app.machine.disk import Disk, FileStatus
from tests.app.duplicates.moved_world import World, contents
from tests.app.folders import added
from tests.app.private_trash import LINUX

pytestmark = [LINUX, pytest.mark.usefixtures("private_trash")]

DESTINATIONS = pytest.mark.parametrize("folder", [None, "away"])


@pytest.fixture
def mounted_twice(world: World, tmp_path: Path) -> Iterator[Path]:
    """Yield where the photographs are to be seen once more, under other device numbers."""
    program = shutil.which("bindfs")
    if program is None or not Path("/dev/fuse").exists():
        pytest.skip("needs the program bindfs, and FUSE")
    point = tmp_path / "second"
    point.mkdir()
    done = subprocess.run([program, world.photos, point], check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"needs the right to mount: {done.stderr.strip()}")
    try:
        yield point
    finally:
        subprocess.run(["umount", "--lazy", point], check=False)


def _ids(library: Library) -> dict[bytes, int]:
    with library.store.reading() as r:
        rows = r.photographs.by_id(range(1, 100))
        return dict(zip(library.paths(r, rows), [row.id for row in rows], strict=True))


@DESTINATIONS
@pytest.mark.parametrize("goes", ["first", "second"])
def test_one_folder_mounted_twice(
    world: World, mounted_twice: Path, tmp_path: Path, goes: str, folder: str | None
) -> None:
    added(world.path, world.photos, mounted_twice)
    before = world.files()
    with world.open() as library:
        ids = _ids(library)
        one, other = (ids[os.fsencode(place / "other.jpg")] for place in (world.photos, mounted_twice))
        choice = DisposalChoice(one, other, "identical") if goes == "first" else DisposalChoice(other, one, "identical")
        planned = plan_disposal(library, [choice], None if folder is None else tmp_path / folder)
        assert planned.refused == ()  # nothing tells that they are one file
        result = dispose(library, planned)
    assert "is the same file as one to be removed" in str(result.left[0].reason)
    assert world.files() == before


def test_a_real_copy_below_the_second_mount_goes_and_comes(world: World, mounted_twice: Path) -> None:
    added(world.path, world.photos, mounted_twice)
    before = world.files()
    with world.open() as library:
        ids = _ids(library)
        copy = ids[os.fsencode(mounted_twice / "sub" / "copy.jpg")]
        result = dispose(
            library,
            plan_disposal(library, [DisposalChoice(copy, ids[os.fsencode(world.photos / "kept.jpg")], "identical")]),
        )
        assert (result.moved, result.left) == (1, [])
        assert "sub/copy.jpg" not in world.files()
        assert restore_photographs(library, result.run or 0, workers=1).restored == 1
    assert world.files() == {name: content for name, content in before.items() if ".Trash" not in name}


def test_a_destination_that_is_the_same_folder(world: World, mounted_twice: Path) -> None:
    before = world.files()
    with world.open() as library:
        result = dispose(library, plan_disposal(library, [world.choice()], mounted_twice / "sub"))
        if result.run is not None:
            restore_photographs(library, result.run, workers=1)
    assert sorted(world.files().values()) == sorted(before.values())


# --- what other programs do meanwhile --------------------------------------------------------------------------------

Act = Callable[[World], object]


def _kept(world: World) -> Path:
    return world.photos / "kept.jpg"


def _copy(world: World) -> Path:
    return world.photos / "sub" / "copy.jpg"


def _replaced(path: Path) -> None:
    new = path.with_name("new")
    new.write_bytes(b"another version")
    new.rename(path)


def _linked(world: World) -> None:
    _kept(world).unlink()
    _kept(world).symlink_to(_copy(world))


RACES: dict[str, Act] = {
    "the kept one is deleted": lambda world: _kept(world).unlink(),
    "the kept one is replaced": lambda world: _replaced(_kept(world)),
    "the kept one is cut short": lambda world: os.truncate(_kept(world), 100),
    "the kept one is written into": lambda world: _kept(world).write_bytes(b"another version"),
    "the kept one becomes a link to the copy": _linked,
    "the kept one is renamed": lambda world: _kept(world).rename(_kept(world).with_name("renamed.jpg")),
}


def _meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object], read: int) -> None:
    """Have something happen while a file is read: after so many have been."""
    look, times = Disk.look, [0]

    def looked(disk: Disk, path: bytes) -> tuple[FileStatus, bytes]:
        found = look(disk, path)
        times[0] += 1
        if times[0] == read:
            act()
        return found

    monkeypatch.setattr(Disk, "look", looked)


def _disposed(world: World, destination: Path | None) -> DisposalResult:
    with world.open() as library:
        return dispose(library, plan_disposal(library, [world.choice()], destination))


@DESTINATIONS
@pytest.mark.parametrize("race", RACES)
def test_the_kept_one_while_the_copy_is_read(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, race: str, folder: str | None
) -> None:
    content = _copy(world).read_bytes()
    _meanwhile(monkeypatch, lambda: RACES[race](world), read=5)  # after four companions, the copy
    result = _disposed(world, None if folder is None else tmp_path / folder)
    assert result.moved == 0
    assert "which is kept instead" in str(result.left[0].reason)
    assert _copy(world).read_bytes() == content
    assert not [*world.photos.rglob("*.twinlens-aside")]


@DESTINATIONS
def test_a_new_version_at_the_place_of_the_copy(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str | None
) -> None:
    content = _copy(world).read_bytes()

    def saved() -> None:
        _copy(world).write_bytes(b"a new version")
        _kept(world).unlink()

    _meanwhile(monkeypatch, saved, read=5)
    result = _disposed(world, None if folder is None else tmp_path / folder)
    assert result.moved == 0
    assert "copy (2).jpg" in str(result.left[0].reason)
    assert _copy(world).read_bytes() == b"a new version"
    assert _copy(world).with_name("copy (2).jpg").read_bytes() == content


@DESTINATIONS
@pytest.mark.parametrize("read", [5, 6])
def test_a_program_that_has_the_copy_open(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: int, folder: str | None
) -> None:
    times = _copy(world).stat().st_mtime_ns
    with _copy(world).open("r+b") as held:

        def save() -> None:
            held.seek(0)
            held.write(b"a new version")
            held.flush()
            with contextlib.suppress(OSError):
                os.utime(held.fileno(), ns=(times, times))  # whatever its time says

        _meanwhile(monkeypatch, save, read)
        result = _disposed(world, None if folder is None else tmp_path / folder)
    assert result.moved == 0
    assert "It was changed since it was read" in str(result.left[0].reason)
    assert _copy(world).read_bytes().startswith(b"a new version")
    assert len(contents(world.photos)) == 12


def test_a_disk_that_goes_while_the_copy_is_read(
    world: World, small_disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rest in (".jpg", ".xmp", ".jpg.xmp", ".AAE", ".MOV"):
        shutil.copy(world.photos / f"kept{rest}", small_disk / f"there{rest}")
    added(world.path, small_disk)
    with world.open() as library:
        planned = plan_disposal(library, [world.choice(kept="there.jpg")])
        _meanwhile(monkeypatch, lambda: subprocess.run(["umount", "--lazy", small_disk], check=True), read=5)
        result = dispose(library, planned)
    assert "The disk of there.jpg, which is kept instead, is not connected" in str(result.left[0].reason)
    assert _copy(world).exists()


def test_a_companion_taken_along_comes_back(world: World) -> None:
    before = world.files()
    (world.photos / "kept.MOV").unlink()
    with world.open() as library:
        result = dispose(library, plan_disposal(library, [world.choice()], take_along=True))
        assert (result.moved, result.companions) == (1, 4)
        assert (world.photos / "kept.MOV").read_bytes() == b"film"
        back = restore_photographs(library, result.run or 0, workers=1)
        assert (back.restored, back.companions, back.left) == (1, 4, [])
    assert world.files() == before


def test_a_place_beside_the_kept_one_that_is_taken(world: World) -> None:
    before = world.files()
    beside = world.photos / "kept.MOV"
    beside.unlink()
    with world.open() as library:
        planned = plan_disposal(library, [world.choice()], take_along=True)
        beside.write_bytes(b"another film")
        result = dispose(library, planned)
    assert "Another file has its name" in str(result.left[0].reason)
    beside.unlink()
    assert world.files() == before
