"""What tells of a person's photographs is readable by that person alone, and what a killed program left is cleared."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from app.library.library import Library
from app.machine import app_folders, faults, preferences
from app.machine.output_file import OutputFile
from app.map import layout
from core.files import private_files, unfinished_copies
from core.files.file_lock import FileLock
from storage.library.backup import restore
from tests.app.folders import added, write_scenes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other rights")


@pytest.fixture(autouse=True)
def _usual_rights() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def open_to_others(*folders: Path) -> list[Path]:
    return [path for folder in folders for path in (folder, *folder.rglob("*")) if mode(path) & 0o077]


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


def test_a_folder_that_the_environment_names_keeps_its_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = tmp_path / "named"
    named.mkdir(mode=0o755)
    monkeypatch.setenv(app_folders.CACHE_VARIABLE, str(named))
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(named))
    app_folders.tighten()
    assert mode(app_folders.cache_folder()) == 0o755
    assert mode(app_folders.made(app_folders.compiled_cache_folder())) == 0o700


def test_a_folder_of_the_platform_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(app_folders.CACHE_VARIABLE)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "cache")
    (tmp_path / "cache").mkdir(mode=0o755)
    with Library.open(tmp_path / "x.twinlens", create=True):
        assert mode(tmp_path / "cache") == 0o700


def test_a_link_is_not_followed_to_what_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "a").touch(0o644)
    (tmp_path / "link").symlink_to("a")
    private_files.tighten(tmp_path / "link")
    assert mode(tmp_path / "a") == 0o644


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


def test_where_nothing_can_be_locked_nothing_is_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    part = tmp_path / f".a{unfinished_copies.ENDING}"
    part.touch()
    monkeypatch.setattr(FileLock, "held", False)
    unfinished_copies.clear(tmp_path)
    assert part.exists()
