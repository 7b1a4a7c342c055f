"""Outputs are whole or as before, never in a picture's place, and readable by that person alone."""

from __future__ import annotations

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from tests.app.folders import added, write_scenes
from tests.features.sample_pictures import encode, scene
from twinlens.app.library.library import Library
from twinlens.app.machine import app_folders, faults, preferences
from twinlens.app.machine.output_file import (
    BACKUP,
    DOCUMENT,
    DRAWING,
    EXPERIMENT,
    ONLY_COPY,
    PAGE,
    PAGE_MARK,
    Kind,
    OutputFile,
    table,
)  # fmt: skip
from twinlens.app.map import layout
from twinlens.core.errors import TwinlensError
from twinlens.core.files import private_files, unfinished_copies
from twinlens.core.files.file_lock import FileLock
from twinlens.core.files.unfinished_copies import take_name
from twinlens.storage.library.backup import restore

TABLE = table(("id", "path"))
OWN = {
    PAGE: f'<!doctype html><html><head><meta charset="utf-8">{PAGE_MARK}'.encode(),
    TABLE: b"id,path\r\n1,a.jpg\r\n",
    DOCUMENT: b'{\n  "generator": "Twinlens",\n  "runs": []}',
    EXPERIMENT: b"PK\x03\x04" + bytes(26) + b"experiment.json",
}
ORIGINALS = {
    "jpeg": encode(scene(64, 48, 1), "JPEG"),
    "png": encode(scene(64, 48, 1), "PNG"),
    "tiff": encode(scene(64, 48, 1), "TIFF"),
    "heic": b"\0\0\0\x18ftypheic\0\0\0\0mif1heic",
    "raw": b"FUJIFILMCCD-RAW " + bytes(200),
    "film": b"\0\0\0\x14ftypqt  \0\0\0\0qt  ",
    "avi": b"RIFF\0\0\0\0AVI LIST",
    "exr": b"v/1\x01" + bytes(60),
}


def identity(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_mode


def names(folder: Path) -> set[str]:
    return {one.name for one in folder.iterdir()}


def message(output: OutputFile, kind: Kind) -> str:
    with pytest.raises(TwinlensError) as caught:
        output.write(b"new", kind)
    with pytest.raises(TwinlensError) as checked:
        output.check(kind)
    assert checked.value.message == caught.value.message
    return str(caught.value)


def write_while(path: Path, happening: Callable[[], object]) -> None:
    """Write a table while something else happens."""
    with OutputFile(path).opened_text(TABLE) as file:
        file.write("id,path\r\n")
        happening()


@pytest.mark.parametrize("kind", OWN, ids=["page", "table", "document", "experiment"])
def test_an_output_replaces_its_own_kind_alone(kind: Kind, tmp_path: Path) -> None:
    output = OutputFile(tmp_path / "x")
    output.check(kind)
    assert names(tmp_path) == set()
    for content in (OWN[kind], OWN[kind] + b"again"):
        output.write(content, kind)
        assert output.path.read_bytes() == content
    for other in {*OWN, DRAWING, ONLY_COPY} - {kind}:
        assert "exists" in message(output, other)
    assert output.path.read_bytes() == OWN[kind] + b"again"
    output.path.write_bytes(b"")
    output.write(OWN[kind], kind)
    output.path.write_bytes(b"x" + OWN[kind])
    assert message(output, kind).endswith("was not made by Twinlens. Name another file, or repeat with --overwrite.")
    OutputFile(output.path, overwrite=True).write(b"new", kind)
    assert output.path.read_bytes() == b"new"
    assert names(tmp_path) == {"x"}


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("reached", ["itself", "link", "link to a link", "other name"])
def test_a_picture_or_a_film_is_never_replaced(name: str, reached: str, tmp_path: Path) -> None:
    original = tmp_path / "original.csv"
    original.write_bytes(ORIGINALS[name])
    path = tmp_path / "list.csv"
    if reached == "itself":
        path = original
    elif reached == "other name":
        path.hardlink_to(original)
    else:
        (tmp_path / "between").symlink_to(original)
        path.symlink_to(original if reached == "link" else tmp_path / "between")
    before, there = identity(original), names(tmp_path)
    for kind in (TABLE, ONLY_COPY, DRAWING, BACKUP):
        assert "is a picture or a film" in message(OutputFile(path, overwrite=True), kind)
    assert (identity(original), original.read_bytes(), names(tmp_path)) == (before, ORIGINALS[name], there)


@given(data=st.binary(max_size=300))
def test_texts_and_numbers_are_no_films(data: bytes) -> None:
    from twinlens.features.formats.picture_or_film import is_picture_or_film

    assert not is_picture_or_film(b"id,path\r\n" + data)
    assert not is_picture_or_film(b"the free,world")


def test_a_drawing_is_known_by_what_stands_in_it(tmp_path: Path) -> None:
    from twinlens.app.lab.figures.drawing import draw_figure
    from twinlens.app.lab.figures.figure import Axis, Figure, Series

    figure = Figure("a", "A", "", Axis("x"), Axis("y"), [Series("s", [1, 2], [3, 4])])
    for form in ("png", "svg"):
        output = OutputFile(tmp_path / f"a.{form}")
        for _ in range(2):
            output.write(draw_figure(figure, "png" if form == "png" else "svg"), DRAWING)
        assert "exists" in message(output, PAGE)
    Image.new("RGB", (9, 9)).save(tmp_path / "a.jpg", comment="Twinlens")
    OutputFile(tmp_path / "a.jpg").check(DRAWING)
    mine = OutputFile(tmp_path / "a.png", is_protected=lambda path, picture: picture)
    assert "belongs to the photos" in message(mine, DRAWING)


def test_a_database_gives_way_to_a_backup_alone(tmp_path: Path) -> None:
    path = tmp_path / "library"
    path.write_bytes(b"SQLite format 3\0" + bytes(100))
    assert "is a library or another database" in message(OutputFile(path, overwrite=True), TABLE)
    assert "exists already" in message(OutputFile(path), BACKUP)
    OutputFile(path, overwrite=True).check(BACKUP)


def test_what_comes_there_during_the_work_stays(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    for content, said in ((b"mine", "exists"), (ORIGINALS["jpeg"], "is a picture")):
        for before in (None, OWN[TABLE]):
            path.unlink(missing_ok=True)
            if before is not None:
                path.write_bytes(before)
            with pytest.raises(TwinlensError, match=said):
                write_while(path, partial(path.write_bytes, content))
            assert path.read_bytes() == content
    path.unlink()
    path.symlink_to(tmp_path / "a.csv")

    def turn() -> None:
        path.unlink()
        path.symlink_to(tmp_path / "b.csv")

    with pytest.raises(TwinlensError, match="exists"):
        write_while(path, turn)
    assert names(tmp_path) == {"list.csv"}


@pytest.mark.parametrize("links", [True, False])
def test_a_new_name_is_taken_without_a_race(links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not links:

        def refused(*_: object) -> None:
            raise OSError(errno.EPERM, "no links here")

        monkeypatch.setattr(Path, "hardlink_to", refused)
    part, target = tmp_path / "part", tmp_path / "target"
    part.write_bytes(b"new")
    take_name(part, target)
    assert target.read_bytes() == b"new"
    part.write_bytes(b"newer")
    with pytest.raises(FileExistsError):
        take_name(part, target)
    assert target.read_bytes() == b"new"


def test_what_fails_leaves_what_was_there(tmp_path: Path) -> None:
    output = OutputFile(tmp_path / "x")
    output.write(OWN[TABLE], TABLE)

    def fail(error: Exception) -> None:
        raise error

    with pytest.raises(TwinlensError, match="cannot be written: No space left"):
        write_while(output.path, partial(fail, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))))
    with pytest.raises(KeyError):
        write_while(output.path, partial(fail, KeyError()))
    assert output.path.read_bytes() == OWN[TABLE]
    assert names(tmp_path) == {"x"}


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_the_next_output_clears_what_a_killed_one_has_left(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(OWN[TABLE])
    program = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from twinlens.app.machine.output_file import OutputFile, table\n"
        "with OutputFile(Path(sys.argv[1])).opened(table(('id', 'path'))) as file:\n"
        "    file.write(b'half'); file.flush(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", program, str(tmp_path / "x")], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert (tmp_path / "x").read_bytes() == OWN[TABLE]
    assert len(names(tmp_path)) > 1
    OutputFile(tmp_path / "other").write(b"new", TABLE)
    assert names(tmp_path) == {"x", "other"}


@pytest.mark.skipif(sys.platform == "win32", reason="links and modes")
def test_links_and_modes_stay(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(OWN[TABLE])
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "dangling").symlink_to("new")
    for name in ("link", "dangling"):
        OutputFile(tmp_path / name).write(b"id,path\n", TABLE)
        assert (tmp_path / name).is_symlink()
    assert (tmp_path / "real").read_bytes() == (tmp_path / "new").read_bytes() == b"id,path\n"
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o600
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no names there")
def test_pipes_and_devices_are_written_into(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    OutputFile(pipe).check(TABLE)  # waits for nobody
    reader.start()
    OutputFile(pipe).write(b"id,path", TABLE)
    reader.join()
    assert got == [b"id,path"]
    OutputFile(Path(os.devnull)).write(b"gone", TABLE)
    (tmp_path / "link").symlink_to("/dev/stdout")
    for path in (Path("/dev/stdout"), tmp_path / "link"):
        OutputFile(path).write("told\n", TABLE)
    assert capfd.readouterr().out == "told\ntold\n"
    assert names(tmp_path) == {"pipe", "link"}


@pytest.mark.parametrize(
    ("name", "said"), [(".", "is a folder"), ("nowhere/x", "cannot be written"), ("file/x", "cannot be written")]
)
def test_what_is_no_place_for_a_file_is_a_sentence(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert said in message(OutputFile(tmp_path / name, overwrite=True), TABLE)
    assert names(tmp_path) == {"file"}


MODE_BITS = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")


@pytest.fixture(autouse=True)
def _usual_rights() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_to_others(*folders: Path) -> list[Path]:
    return [path for folder in folders for path in (folder, *folder.rglob("*")) if mode(path) & 0o077]


@MODE_BITS
def test_all_that_is_made_is_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, cache, photographs = tmp_path / "new" / "data", tmp_path / "new" / "cache", tmp_path / "photographs"
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(data))
    monkeypatch.setenv(app_folders.CACHE_VARIABLE, str(cache))
    photographs.mkdir()
    write_scenes(photographs, 2)
    preferences.keep(preferences.Preferences())
    faults.log_fault(ValueError("a name"))
    path = app_folders.default_library()
    added(path, photographs)
    with Library.open(path) as library:
        with library.store.writing():
            names = {one.name.removeprefix(path.name) for one in data.iterdir() if one.name.startswith(path.name)}
            assert {"-wal", "-shm", "-writing", "-open"} <= names
            assert not open_to_others(data, cache)
        library.backup(OutputFile(tmp_path / "backup.twinlens"))
        layout._folder(library)
    Library.restore(path, tmp_path / "backup.twinlens")
    assert list((cache / "thumbnails").iterdir())
    assert not open_to_others(tmp_path / "new")
    assert mode(tmp_path / "backup.twinlens") == 0o600


@MODE_BITS
def test_what_was_open_is_closed_in_our_folders_and_stays_as_it_is_elsewhere(tmp_path: Path) -> None:
    inside, outside = app_folders.default_library(), tmp_path / "shared" / "x.twinlens"
    for path in (inside, outside):
        with Library.open(path, create=True):
            pass
        path.chmod(0o664)
    for path in (inside, outside):
        with Library.open(path) as library, library.store.writing():
            assert mode(path.with_name(f"{path.name}-wal")) == (0o600 if path == inside else 0o664)
    assert (mode(inside), mode(outside)) == (0o600, 0o664)
    with Library.open(outside) as library:
        library.backup(OutputFile(tmp_path / "b.twinlens"))
    restore(outside, tmp_path / "b.twinlens")
    assert mode(outside) == 0o664


@MODE_BITS
def test_a_folder_that_the_environment_names_keeps_its_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = tmp_path / "named"
    named.mkdir(mode=0o755)
    monkeypatch.setenv(app_folders.CACHE_VARIABLE, str(named))
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(named))
    app_folders.tighten()
    assert mode(app_folders.cache_folder()) == 0o755
    assert mode(app_folders.made(app_folders.compiled_cache_folder())) == 0o700


@MODE_BITS
def test_a_folder_of_the_platform_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(app_folders.CACHE_VARIABLE)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    (tmp_path / "cache").mkdir(mode=0o755)
    with Library.open(tmp_path / "x.twinlens", create=True):
        assert mode(tmp_path / "cache") == 0o700


@MODE_BITS
def test_a_link_is_not_followed_to_what_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "a").touch(0o644)
    (tmp_path / "link").symlink_to("a")
    private_files.tighten(tmp_path / "link")
    assert mode(tmp_path / "a") == 0o644


@MODE_BITS
def test_leftovers_of_the_killed_are_cleared_and_of_the_running_not(tmp_path: Path) -> None:
    library = tmp_path / "x.twinlens"
    with Library.open(library, create=True):
        pass
    left = [
        tmp_path / f".{name}{unfinished_copies.ENDING}{suffix}"
        for name in ("x.twinlens", "x (replaced 2026-01-01).twinlens", "backup.twinlens")
        for suffix in ("", "-journal", "-wal", "-shm")
    ]
    mine = tmp_path / f"mine{unfinished_copies.ENDING}"
    for path in (*left, mine):
        path.write_bytes(b"x")
    with unfinished_copies.unfinished_copy(tmp_path / "running", "copying") as running:
        running.write_bytes(b"x")
        with Library.open(library):
            assert running.exists()
        assert not [path for path in left if path.exists()]
    assert mine.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == [mine.name, library.name]


@MODE_BITS
def test_a_killed_restore_leaves_nothing(tmp_path: Path) -> None:
    library, backup = tmp_path / "x.twinlens", tmp_path / "b.twinlens"
    with Library.open(library, create=True) as opened:
        opened.backup(OutputFile(backup))
    child = os.fork()
    if child == 0:  # dies in the middle, as by a kill
        restore(library, backup, lambda _done, _of, what: os._exit(9) if str(what) == "Reading the backup" else None)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    assert [path for path in tmp_path.iterdir() if unfinished_copies.ENDING in path.name]
    with Library.open(library):
        pass
    assert not [path for path in tmp_path.iterdir() if unfinished_copies.ENDING in path.name]


@MODE_BITS
def test_where_nothing_can_be_locked_nothing_is_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / f".a{unfinished_copies.ENDING}"
    part.touch()
    monkeypatch.setattr(FileLock, "held", False)
    unfinished_copies.clear(tmp_path)
    assert part.exists()
