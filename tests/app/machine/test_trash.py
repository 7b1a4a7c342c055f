"""The trash and renaming: what goes there comes back, and nothing ever lies over another file."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.app.private_trash import LINUX, fill
from twinlens.app.disposal.free_places import FreeNames
from twinlens.app.machine import disk, trash
from twinlens.app.machine.disk import DISK
from twinlens.core.errors import TwinlensError
from twinlens.core.systems import system

pytestmark = LINUX


def put(path: bytes) -> bytes:
    """Move a file to the trash, and return where it lies."""
    lies_at, _ = FreeNames(DISK, trash.bin_for(path).files).take(path, [])
    try:
        trash.write_note(DISK, lies_at, path)
        disk.move(DISK, path, lies_at, disk.hidden_name(lies_at, "mark"))
    except OSError as error:
        trash.remove_note(DISK, lies_at, path)
        raise disk.why_not(error, b"") from error
    return lies_at


def restore(lies_at: bytes, path: bytes) -> None:
    """Bring a file back."""
    DISK.make_folder(os.fsencode(Path(os.fsdecode(path)).parent))
    disk.move(DISK, lies_at, path, disk.hidden_name(path, "mark"))
    trash.remove_note(DISK, lies_at)


def written(path: Path, content: bytes = b"picture") -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return os.fsencode(path)


@pytest.mark.parametrize(
    "name", [b"a.jpg", b"IMG 1 \xc3\xa9%41.jpg", b"no text \xff.jpg", b".hidden", b"a.b.c.jpg", b"line\nbreak.jpg"]
)
def test_there_and_back(private_trash: Path, tmp_path: Path, name: bytes) -> None:
    place = tmp_path / "photos" / os.fsdecode(name)
    path = written(place)
    os.utime(path, ns=(10**18, 10**18 + 7))
    lies_at = put(path)
    assert lies_at is not None
    assert not os.path.lexists(path)
    assert lies_at.startswith(os.fsencode(private_trash / "files"))
    shutil.rmtree(tmp_path / "photos")  # folders that are missing are made again
    restore(lies_at, path)
    assert place.read_bytes() == b"picture"
    assert place.stat().st_mtime_ns == 10**18 + 7
    assert [*private_trash.glob("*/*")] == []


def test_files_of_one_name_are_told_apart(private_trash: Path, tmp_path: Path) -> None:
    paths = [written(tmp_path / folder / "a.jpg", folder.encode()) for folder in ("one", "two", "three")]
    places = [put(path) for path in paths]
    assert len(set(places)) == 3
    for path, place in zip(paths, places, strict=True):
        assert [one.lies_at for one in trash.find_trashed(path)] == [place]
    again = written(tmp_path / "two" / "a.jpg", b"another")
    second = put(again)
    assert {one.lies_at for one in trash.find_trashed(again)} == {places[1], second}
    assert trash.find_trashed(again, datetime.now() + timedelta(minutes=1)) == []


def test_never_over_another_file(private_trash: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "a.jpg")
    lies_at = put(path)
    assert lies_at is not None
    written(tmp_path / "a.jpg", b"another")
    with pytest.raises(FileExistsError):
        restore(lies_at, path)
    assert (tmp_path / "a.jpg").read_bytes() == b"another"
    assert Path(os.fsdecode(lies_at)).read_bytes() == b"picture"
    assert len([*(private_trash / "info").iterdir()]) == 1


def test_notes_of_other_programs_do_no_harm(private_trash: Path, tmp_path: Path) -> None:
    info = private_trash / "info"
    (private_trash / "files").mkdir(parents=True)
    info.mkdir()
    for name, text in {
        "a.1.trashinfo": b"", "a.2.trashinfo": b"[Trash Info]\n", "a.3.trashinfo": b"\xff\x00" * 100,
        "a.4.trashinfo": b"[Trash Info]\nPath=%00%\nDeletionDate=never\n", "a.5.trashinfo": b"Path=/a\n",
    }.items():  # fmt: skip
        (info / name).write_bytes(text)
    (info / "a.6.trashinfo").symlink_to("/dev/zero")
    os.mkfifo(info / "a.7.trashinfo")
    path = written(tmp_path / "a.jpg")
    lies_at = put(path)
    assert [one.lies_at for one in trash.find_trashed(path)] == [lies_at]


def test_what_is_not_there(private_trash: Path, tmp_path: Path) -> None:
    with pytest.raises(TwinlensError, match="not there any more"):
        put(os.fsencode(tmp_path / "none.jpg"))
    assert not private_trash.exists()


def test_a_disk_has_a_trash_of_its_own(private_trash: Path, small_disk: Path) -> None:
    path = written(small_disk / "photos" / "a.jpg")
    lies_at = put(path)
    assert lies_at == os.fsencode(small_disk / f".Trash-{os.getuid()}" / "files" / "a.jpg")
    assert [one.original for one in trash.find_trashed(path)] == [path]
    restore(lies_at, path)
    assert (small_disk / "photos" / "a.jpg").read_bytes() == b"picture"
    assert not private_trash.exists()


def test_a_shared_trash_of_a_disk(private_trash: Path, small_disk: Path) -> None:
    shared = small_disk / ".Trash"
    shared.mkdir()
    shared.chmod(0o1777)
    path = written(small_disk / "a.jpg")
    lies_at = put(path)
    assert lies_at == os.fsencode(shared / str(os.getuid()) / "files" / "a.jpg")
    restore(lies_at, path)
    assert (small_disk / "a.jpg").exists()


def test_a_full_disk(private_trash: Path, small_disk: Path) -> None:
    path = written(small_disk / "a.jpg")
    fill(small_disk)
    with pytest.raises(TwinlensError, match="no space for it left in the trash"):
        put(path)
    assert (small_disk / "a.jpg").read_bytes() == b"picture"
    assert [*small_disk.rglob("*.trashinfo")] == []


def test_a_disk_that_can_only_be_read(private_trash: Path, small_disk: Path) -> None:
    path = written(small_disk / "a.jpg")
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(TwinlensError, match=r"no trash|only be read|not permit"):
        put(path)
    assert (small_disk / "a.jpg").exists()


_AS_NOBODY = """
import os, sys
from twinlens.app.machine import trash
from twinlens.core.errors import TwinlensError
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
try:
    trash.refuse_trash(os.fsencode(sys.argv[1]))
except TwinlensError as error:
    print(error)
"""


def test_a_disk_where_no_trash_can_be_made(small_disk: Path) -> None:
    folder = small_disk / "photos"
    path = written(folder / "a.jpg")
    folder.chmod(0o777)
    (folder / "a.jpg").chmod(0o666)
    small_disk.chmod(0o755)
    if os.geteuid() != 0:
        pytest.skip("needs another user")
    done = subprocess.run([sys.executable, "-c", _AS_NOBODY, path], check=True, capture_output=True, text=True)
    assert "has no trash" in done.stdout
    assert "Move it to a folder" in done.stdout
    assert (folder / "a.jpg").exists()


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_the_person_takes_it_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert not trash.can_restore()
    assert trash.find_trashed(os.fsencode(tmp_path / "a.jpg")) == []


def _cannot(source: bytes, target: bytes) -> None:
    raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), source)


def _lost_answer(path: bytes, unlink: Callable[[bytes], None] = os.unlink) -> None:
    unlink(path)
    raise OSError(errno.EIO, os.strerror(errno.EIO), path)


@pytest.fixture
def names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    monkeypatch.setattr(system, "rename_new", _cannot)
    (tmp_path / "a").write_bytes(b"photograph")
    return tmp_path / "a", tmp_path / "b"


def test_an_answer_that_gets_lost_loses_no_file(names: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = names
    monkeypatch.setattr(os, "unlink", _lost_answer)
    DISK.rename(os.fsencode(source), os.fsencode(target))
    assert not source.exists()
    assert target.read_bytes() == b"photograph"


def test_a_name_that_stays_is_the_only_one(names: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = names
    unlink = os.unlink

    def refuse(path: bytes) -> None:
        if path == os.fsencode(source):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        unlink(path)

    monkeypatch.setattr(os, "unlink", refuse)
    with pytest.raises(PermissionError):
        DISK.rename(os.fsencode(source), os.fsencode(target))
    assert source.read_bytes() == b"photograph"
    assert not target.exists()
