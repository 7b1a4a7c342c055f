"""The folders of the program: which they are, that they are made, and what is said where they cannot be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import platformdirs
import pytest

from twinlens.app.machine import app_folders
from twinlens.core.errors import TwinlensError

FOLDERS: dict[str, Callable[[], Path]] = {
    app_folders.DATA_VARIABLE: app_folders.data_folder,
    app_folders.CACHE_VARIABLE: app_folders.cache_folder,
}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the environment name no folder, and the platform name some of this test's."""
    for variable in FOLDERS:
        monkeypatch.delenv(variable, raising=False)
    for kind in ("config", "data", "cache", "log"):
        monkeypatch.setattr(
            platformdirs, f"user_{kind}_path", lambda name, appauthor, kind=kind: tmp_path / kind / name
        )
    return tmp_path


def test_platform_names_the_folders(home: Path) -> None:
    assert app_folders.data_folder() == home / "data" / "twinlens"
    assert app_folders.cache_folder() == home / "cache" / "twinlens"
    assert app_folders.log_folder() == home / "log" / "twinlens"
    assert app_folders.preferences_file() == home / "config" / "twinlens" / "preferences.json"
    assert app_folders.default_library() == home / "data" / "twinlens" / "library.twinlens"


@pytest.mark.parametrize("variable", FOLDERS)
def test_environment_overrides_and_nothing_is_made_before_it_is_needed(
    home: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, str(home / "a" / "b"))
    assert FOLDERS[variable]() == home / "a" / "b"
    assert not (home / "a").exists()
    assert app_folders.made(FOLDERS[variable]()).is_dir()


@pytest.mark.parametrize("value", ["postgresql://anna:secret@archive/photos", '{"host": "a", "password": "secret"}'])
@pytest.mark.parametrize("variable", FOLDERS)
def test_no_folder_has_the_password_of_a_server_in_its_name(
    home: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv(variable, value)
    assert app_folders.preferred_value("language") == "system"
    with pytest.raises(TwinlensError, match="a server is named in its place") as caught:
        app_folders.made(FOLDERS[variable]())
    assert variable in str(caught.value)
    assert "secret" not in str(caught.value)
    assert not [path for path in home.rglob("*") if "secret" in path.name]


def test_logs_follow_the_named_data_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(home / "elsewhere"))
    assert app_folders.log_folder() == home / "elsewhere" / "log"


def test_named_folder_is_made_absolute(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    monkeypatch.setenv(app_folders.CACHE_VARIABLE, "here")
    assert app_folders.cache_folder() == home / "here"


def test_folders_of_the_cache_lie_in_it(home: Path) -> None:
    for folder in (app_folders.compiled_cache_folder(), app_folders.demo_folder()):
        assert folder.parent == app_folders.cache_folder()


@pytest.mark.parametrize("below", ["", "below"])
@pytest.mark.parametrize("variable", FOLDERS)
def test_file_in_the_way_is_said(home: Path, monkeypatch: pytest.MonkeyPatch, variable: str, below: str) -> None:
    (home / "file").touch()
    monkeypatch.setenv(variable, str(home / "file" / below))
    with pytest.raises(
        TwinlensError, match=f"Cannot create folder {home / 'file'}: a file of that name exists"
    ) as caught:
        app_folders.made(FOLDERS[variable]())
    assert variable in str(caught.value.advice)


def test_folder_that_cannot_be_made_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(home / ("long" * 100)))
    with pytest.raises(TwinlensError, match="cannot be made"):
        app_folders.made(app_folders.data_folder())


def test_write_protected_folder_is_said(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(home))
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write into any folder
    with pytest.raises(TwinlensError, match="not writable"):
        app_folders.made(app_folders.data_folder())


@pytest.mark.skipif(os.name == "nt", reason="a home folder is known in other ways there")
def test_without_a_home_folder_nothing_is_there_and_nothing_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in (*FOLDERS, "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(os.path, "expanduser", os.fspath)  # as where no name is known for a user's number
    monkeypatch.chdir(tmp_path)
    assert app_folders.home() is None
    assert not app_folders.default_library().exists()
    with pytest.raises(TwinlensError, match="no home folder") as caught:
        app_folders.made(app_folders.data_folder())
    assert app_folders.DATA_VARIABLE in str(caught.value.advice)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.name == "nt", reason="paths there are written whole")
@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/home/ann/Pictures/Fog", "~/Pictures/Fog"),
        ("/home/ann", "~"),
        ("/home/anna/Pictures", "/home/anna/Pictures"),
        ("/media/disk", "/media/disk"),
    ],
)
def test_a_path_in_the_home_folder_is_told_from_there(monkeypatch: pytest.MonkeyPatch, path: str, words: str) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert app_folders.home_relative(path) == words
    monkeypatch.setenv("HOME", "/")
    assert app_folders.home_relative(path) == path
