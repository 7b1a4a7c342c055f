"""The plan of what is moved away: why a photograph stays, what goes with it, and that a last copy never goes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.disposal.moved_world import World, contents, name_of
from tests.app.folders import added
from tests.app.private_trash import LINUX
from twinlens.app.disposal.disposal import dispose, restore_photographs
from twinlens.app.disposal.disposal_plan import DisposalChoice, plan_disposal
from twinlens.app.disposal.disposal_results import DisposalResult
from twinlens.app.duplicates.decisions import keep_choices, keep_folder, kept_folders, release_folder, stays
from twinlens.app.duplicates.keeper_rules import Fate
from twinlens.app.duplicates.sidecar_files import sidecar_files
from twinlens.app.library.library import Library
from twinlens.app.machine.disk import Disk, FileStatus
from twinlens.core.errors import TwinlensError
from twinlens.storage.database.values import PhotographState
from twinlens.storage.marks import RefusedRow

pytestmark = [LINUX, pytest.mark.usefixtures("private_trash")]


def reasons(world: World, *choices: DisposalChoice) -> list[str]:
    planned = world.planned(*choices)
    assert len(planned.files) + len(planned.refused) == len(choices or [1])
    return [str(one.reason) for one in planned.refused]


def test_what_can_go(world: World) -> None:
    before = world.files()
    planned = world.planned()
    (file,) = planned.files
    assert planned.refused == ()
    assert planned.undoable
    assert planned.destination is None
    assert file.path == os.fsencode(world.photos / "sub" / "copy.jpg")
    assert [name_of(one.path) for one in file.companions] == [
        "copy.AAE", "copy.MOV", "copy.jpg.xmp", "copy.xmp",
    ]  # fmt: skip
    assert planned.bytes == sum(one.stat().st_size for one in (world.photos / "sub").iterdir())
    assert world.files() == before


def _change(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def _link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent.parent / "other.jpg")


def _same_file(path: Path) -> None:
    status = path.stat()
    path.unlink()
    os.link(path.parent.parent / "kept.jpg", path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.unlink(), "not there any more"),
        (_change, "changed since it was read"),
        (lambda path: os.utime(path, ns=(1, 1)), "changed since it was read"),
        (_link, "link to a file elsewhere"),
        (lambda path: path.chmod(0o444), "write-protected"),
        (lambda path: path.with_suffix(".xmp").chmod(0o444), "copy.xmp, which belongs to it, .*write-protected"),
        (lambda path: shutil.rmtree(path.parent), "not there any more"),
    ],
)  # fmt: skip
def test_a_file_that_stays(world: World, spoil: Callable[[Path], object], words: str) -> None:
    choice = world.choice()
    spoil(world.photos / "sub" / "copy.jpg")
    (reason,) = reasons(world, choice)
    assert re.search(words, reason)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.unlink(), "kept.jpg, which is kept instead, is no longer there"),
        (_change, "kept.jpg, which is kept instead, was changed"),
    ],
)
def test_a_keeper_that_is_not_there(world: World, spoil: Callable[[Path], object], words: str) -> None:
    choice = world.choice()
    spoil(world.photos / "kept.jpg")
    (reason,) = reasons(world, choice)
    assert words in reason


def test_one_file_under_two_names(world: World) -> None:
    choice = world.choice()
    _same_file(world.photos / "sub" / "copy.jpg")
    added(world.path, world.photos)
    (reason,) = reasons(world, choice)
    assert "is the same file as one to be removed" in reason


def test_a_keeper_that_is_a_link_to_what_goes(world: World) -> None:
    (world.photos / "link.jpg").symlink_to(world.photos / "sub" / "copy.jpg")
    added(world.path, world.photos)
    (reason,) = reasons(world, world.choice(kept="link.jpg"))
    assert "is a link to a file elsewhere" in reason
    (reason,) = reasons(world, world.choice("other.jpg", "link.jpg", "same"))  # whatever it leads to
    assert "is a link to a file elsewhere" in reason


def test_the_last_one_never_goes(world: World) -> None:
    there, back = world.choice("copy.jpg", "kept.jpg"), world.choice("kept.jpg", "copy.jpg")
    assert all("It is the last one" in one for one in reasons(world, there, back))
    alone = world.choice("kept.jpg", "kept.jpg")
    assert "It is the last one" in reasons(world, alone)[0]
    chain = world.choice("other.jpg", "live.jpg", "same"), world.choice("live.jpg", "kept.jpg", "same")
    (reason,) = reasons(world, *chain)
    assert "It is the last one" in reason


def test_what_the_library_does_not_know(world: World) -> None:
    known = world.choice()
    for choice in (known._replace(photograph=9999), known._replace(kept=9999)):
        assert "no longer in the library" in reasons(world, choice)[0]


@pytest.mark.parametrize("state", [PhotographState.PENDING, PhotographState.UNREADABLE, PhotographState.MISSING])
@pytest.mark.parametrize("which", ["photograph", "kept"])
def test_what_was_not_read(world: World, state: PhotographState, which: str) -> None:
    choice = world.choice()
    with world.open() as library, library.store.writing() as w:
        number = getattr(choice, which)
        w.connection.exec_driver_sql("UPDATE photograph SET state = ? WHERE id = ?", (state.value, number))
    (reason,) = reasons(world, choice)
    assert "read" in reason


def test_what_is_not_identical(world: World) -> None:
    assert "is not the same file" in reasons(world, world.choice("other.jpg"))[0]
    assert reasons(world, world.choice("other.jpg", kind="edited")) == []


def test_one_named_twice_counts_once(world: World) -> None:
    choice = world.choice()
    assert len(world.planned(choice, choice._replace(kind="same")).files) == 1


# --- decisions -------------------------------------------------------------------------------------------------------
def test_what_was_decided_since_the_duplicates_were_listed(world: World) -> None:
    choice = world.choice("other.jpg", kind="edited")._replace(listed=True)
    assert choice.kept is not None
    for fate in (Fate.STAYS, Fate.BEST):
        with world.open() as library:
            keep_choices(library, {choice.photograph: fate})
        assert reasons(world, choice) == ["You decided meanwhile that it stays. List the duplicates again."]
        assert reasons(world, choice._replace(listed=False)) == []  # a person removes this very photograph
    with world.open() as library, library.store.writing() as w:
        first, second = (row.content_hash or b"" for row in w.photographs.by_id([choice.photograph, choice.kept]))
        w.comparisons.choose([choice.photograph], None)
        w.comparisons.refuse([RefusedRow(first, second, "one", "other")])
    assert "the two are no duplicates" in reasons(world, choice)[0]
    with world.open() as library:
        keep_choices(library, {choice.photograph: Fate.GOES})
    assert reasons(world, choice) == []


# --- folders that stay -----------------------------------------------------------------------------------------------
def test_folders_that_stay(world: World, tmp_path: Path) -> None:
    folder = world.photos / "sub"
    with world.open() as library:
        assert kept_folders(library) == []
        keep_folder(library, folder)
        keep_folder(library, folder)
        assert [one.folder for one in kept_folders(library)] == [str(folder)]
        with library.store.reading() as r:
            ids = r.photographs.contents(range(1, 20))[0][::-1]
            names = [name_of(row.path) for row in r.photographs.by_id(ids)]
            assert [name for name, stay in zip(names, stays(r, ids), strict=True) if stay] == ["copy.jpg"]
    assert "is in a protected folder" in reasons(world, world.choice())[0]
    assert reasons(world, world.choice("other.jpg", kind="same")) == []
    with world.open() as library:
        release_folder(library, folder)
        assert kept_folders(library) == []
        for change, words in ((release_folder, "none of the folders"), (keep_folder, "There is no folder")):
            with pytest.raises(TwinlensError, match=words):
                change(library, tmp_path / "none")
    assert reasons(world, world.choice()) == []


def test_a_folder_that_stays_by_a_name_that_is_no_text(world: World) -> None:
    folder = Path(os.fsdecode(os.fsencode(world.photos) + b"/\xff"))
    folder.mkdir()
    shutil.copy(world.photos / "kept.jpg", folder / "twin.jpg")
    added(world.path, world.photos)
    with world.open() as library:
        keep_folder(library, folder)
    assert "is in a protected folder" in reasons(world, world.choice("twin.jpg"))[0]


# --- where to --------------------------------------------------------------------------------------------------------
def test_destinations_that_cannot_be(world: World, tmp_path: Path) -> None:
    with world.open() as library:
        for folder, words in (
            (world.photos, "holds photos of the library"),
            (world.photos / "sub", "holds photos of the library"),
            (world.photos.parent, "holds photos of the library"),
            (world.path, "is a file"),
        ):
            with pytest.raises(TwinlensError, match=words):
                plan_disposal(library, [], folder)
        for folder in (world.photos / "away", tmp_path / "away" / "further"):
            assert plan_disposal(library, [], folder).destination == os.fsencode(folder)
    assert not (tmp_path / "away").exists()


# --- companions ------------------------------------------------------------------------------------------------------
def beside(folder: Path, photograph: str, *names: str, going: tuple[str, ...] = ()) -> list[str]:
    folder.mkdir()
    for name in (photograph, *names):
        (folder / name).write_bytes(b"")
    found = sidecar_files(os.fsencode(folder / photograph), {os.fsencode(folder / name) for name in going})
    return [name_of(one) for one in found]


@pytest.mark.parametrize(
    ("photograph", "names", "going", "expected"),
    [
        ("a.jpg", ("a.xmp", "a.jpg.xmp", "a.aae", "ab.xmp", "b.xmp", "a.txt.xmp"), (), {"a.xmp", "a.jpg.xmp", "a.aae"}),
        ("a.JPG", ("a.XMP", "a.jpg.XMP", "a.AAE"), (), {"a.XMP", "a.jpg.XMP", "a.AAE"}),
        ("a.heic", ("a.mov", "a.mp4"), (), {"a.mov", "a.mp4"}),
        ("a.cr2", ("a.mov", "a.xmp"), (), {"a.xmp"}),
        ("a.jpg", ("a.cr2", "a.xmp", "a.jpg.xmp", "a.mov"), (), {"a.jpg.xmp"}),
        ("a.jpg", ("a.cr2", "a.xmp", "a.cr2.xmp"), ("a.cr2",), {"a.xmp"}),
        ("a", ("a.xmp",), (), {"a.xmp"}),
        ("a.b.jpg", ("a.xmp", "a.b.xmp"), (), {"a.b.xmp"}),
    ],
)
def test_companions(
    tmp_path: Path, photograph: str, names: tuple[str, ...], going: tuple[str, ...], expected: set[str]
) -> None:
    assert set(beside(tmp_path / "x", photograph, *names, going=going)) == expected


def test_links_and_folders_are_no_companions(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "a.xmp").mkdir()
    (tmp_path / "a.mov").symlink_to("a.jpg")
    assert sidecar_files(os.fsencode(tmp_path / "a.jpg")) == []
    assert sidecar_files(os.fsencode(tmp_path / "none" / "a.jpg")) == []


def test_companions_of_several_go_with_the_last(world: World) -> None:
    shutil.copy(world.photos / "other.jpg", world.photos / "sub" / "copy.jpeg")
    for ending in (".AAE", ".MOV", ".xmp"):
        shutil.copy(world.photos / f"kept{ending}", world.photos / f"other{ending}")
    added(world.path, world.photos)
    choices = world.choice(), world.choice("copy.jpeg", "other.jpg")
    first, last = world.planned(*choices).files
    assert [name_of(one.path) for one in first.companions] == ["copy.jpg.xmp"]
    assert [name_of(one.path) for one in last.companions] == ["copy.AAE", "copy.MOV", "copy.xmp"]
    (alone,) = world.planned(choices[1]).files
    assert alone.companions == ()


DESTINATIONS = pytest.mark.parametrize("folder", [None, "away"])


@pytest.fixture
def mounted_twice(world: World, tmp_path: Path) -> Iterator[Path]:
    """Yield where the photographs are to be seen once more, under other device numbers."""
    program = shutil.which("bindfs")
    if program is None or not Path("/dev/fuse").exists():
        pytest.skip("needs the program bindfs, and FUSE")
    with _mounted(tmp_path / "second", program, world.photos) as point:
        yield point


@contextlib.contextmanager
def _mounted(point: Path, *command: str | Path) -> Iterator[Path]:
    point.mkdir()
    done = subprocess.run([*command, point], check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"needs the right to mount: {done.stderr.strip()}")
    try:
        yield point
    finally:  # one that stayed would be in the way of whoever empties the temporary folder
        subprocess.run(["umount", "--lazy", point], check=True)


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


def test_what_an_overlay_still_shows_is_no_copy(world: World, tmp_path: Path) -> None:
    """A file that is set aside in the lower folder of an overlay seems to be in the overlay all the same."""
    for name in ("upper", "work"):
        (tmp_path / name).mkdir()
    folders = f"lowerdir={world.photos},upperdir={tmp_path / 'upper'},workdir={tmp_path / 'work'}"
    before = world.files()
    with _mounted(tmp_path / "overlaid", "mount", "-t", "overlay", "overlay", "-o", folders) as point:
        added(world.path, world.photos, point)
        with world.open() as library:
            ids = _ids(library)
            lower, seen = (ids[os.fsencode(place / "other.jpg")] for place in (world.photos, point))
            result = dispose(library, plan_disposal(library, [DisposalChoice(lower, seen, "identical")]))
    assert "is the same file as one to be removed" in str(result.left[0].reason)
    assert world.files() == before


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
