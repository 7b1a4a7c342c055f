"""Preferences: what is kept comes back, and a damaged file costs nothing but itself."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.folders import write_scenes
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.machine import app_folders
from twinlens.app.machine.app_folders import preferences_file
from twinlens.app.machine.preferences import Preferences, keep, load, move_former, use_cache_folder
from twinlens.core.errors import DeclarationError, TwinlensError


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(app_folders.DATA_VARIABLE, str(tmp_path / "data"))
    return app_folders.made(tmp_path / "data")


@pytest.fixture
def former(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file of preferences as 1.0 wrote it, among the data, with a folder of settings elsewhere."""
    monkeypatch.delenv(app_folders.DATA_VARIABLE)
    for kind in ("data", "config"):
        monkeypatch.setattr(
            platformdirs, f"user_{kind}_path", lambda name, appauthor, kind=kind: tmp_path / kind / name
        )
    file = app_folders.made(app_folders.data_folder()) / "preferences.json"
    file.write_text('{"key": "preferences", "workers": 7, "language": "de"}')
    return file


def test_preferences_move_from_the_data_to_the_settings_once(former: Path) -> None:
    assert app_folders.preferred_value("language") == "de"
    assert former.is_file()  # a command that only looks at the language moves nothing
    move_former()
    assert not former.exists()
    assert preferences_file().parent.name == "twinlens"
    assert preferences_file().parents[1].name == "config"
    assert load() == Preferences(workers=7, language="de")
    assert app_folders.preferred_value("language") == "de"


def test_a_former_file_that_cannot_be_moved_is_read_where_it_is(former: Path) -> None:
    preferences_file().parent.parent.mkdir(exist_ok=True)
    preferences_file().parent.write_text("a file where the folder would be")
    move_former()
    assert former.is_file()
    assert load() == Preferences(workers=7, language="de")


def test_a_former_file_that_cannot_be_removed_no_longer_counts(former: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: Path) -> None:
        raise PermissionError(file)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", refuse)
        move_former()
    assert former.is_file()
    keep(Preferences(workers=9))
    assert load().workers == 9


def test_a_kill_between_writing_and_removing_loses_nothing(former: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def kill(*_: object) -> None:
        raise Killed

    for step in ("os.replace", "pathlib.Path.unlink"):
        with monkeypatch.context() as patch:
            patch.setattr(step, kill)
            with pytest.raises(Killed):
                move_former()
        assert load() == Preferences(workers=7, language="de")
    keep(Preferences(workers=3))
    assert load() == Preferences(workers=3)
    assert not former.exists()


def test_a_former_file_that_cannot_be_read_stays(former: Path) -> None:
    former.write_bytes(b" " * (app_folders.MOST + 1))
    move_former()
    assert not preferences_file().exists()
    keep(Preferences(workers=3))
    assert load() == Preferences(workers=3)
    assert former.stat().st_size > app_folders.MOST


def test_where_both_are_the_damaged_one_is_put_aside_and_not_the_other(former: Path) -> None:
    app_folders.made(preferences_file().parent)
    preferences_file().write_text("{")
    assert load() == Preferences()
    assert [one.name for one in preferences_file().parent.iterdir()] == ["preferences.damaged.json"]
    assert load() == Preferences(workers=7, language="de")


@pytest.mark.skipif(os.name == "nt", reason="Windows says of such a folder that it is not there")
def test_folders_that_cannot_be_looked_into_hold_no_preferences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(app_folders.DATA_VARIABLE)
    for kind in ("data", "config"):
        monkeypatch.setattr(platformdirs, f"user_{kind}_path", lambda name, appauthor: tmp_path / ("x" * 300) / name)
    with pytest.raises(OSError, match="too long"):
        preferences_file().stat()
    move_former()
    assert load() == Preferences()
    assert app_folders.preferred_value("language") == "system"


def test_a_damaged_former_file_is_kept_aside(former: Path) -> None:
    former.write_text("{")
    move_former()
    assert load() == Preferences()
    assert [one.name for one in former.parent.iterdir()] == ["preferences.damaged.json"]


_preferences = st.builds(
    Preferences,
    workers=st.sampled_from(["auto", 1, 7, 256]),
    worker_memory=st.integers(256, 65_536),
    thumbnail_cache=st.integers(50, 1_000_000),
    cache_folder=st.text(st.characters(codec="utf-8"), max_size=20),
    excludes=st.text(st.characters(codec="utf-8"), max_size=20),
    language=st.sampled_from(["system", "en", "de"]),
    rescan_on_start=st.booleans(),
    pause_on_battery=st.booleans(),
    desktop_thumbnails=st.sampled_from(["use", "share", "off"]),
)


@given(_preferences)
def test_what_is_kept_comes_back(preferences: Preferences) -> None:
    keep(preferences)
    assert load() == preferences


def test_without_a_file_all_is_usual() -> None:
    assert load() == Preferences()
    assert load().patterns() == ()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff\xfe", b'{"workers": ', b"null"])
def test_a_damaged_file_gives_the_usual_and_is_kept_aside(data: Path, content: bytes) -> None:
    preferences_file().write_bytes(content)
    assert load() == Preferences()
    assert [path.name for path in data.iterdir()] == ["preferences.damaged.json"]
    assert (data / "preferences.damaged.json").read_bytes() == content
    keep(Preferences(workers=3))
    assert load().workers == 3


@pytest.mark.parametrize("wrong", [{"workers": 0}, {"worker_memory": "much"}, {"language": "fr"}, {"future": 1}])
def test_what_cannot_be_is_left_out_and_the_rest_stays(data: Path, wrong: dict[str, Any]) -> None:
    preferences_file().write_text(json.dumps({"excludes": "drafts", **wrong}))
    assert load() == Preferences(excludes="drafts")
    assert (data / "preferences.damaged.json").exists()


def test_a_wrong_value_is_a_sentence() -> None:
    with pytest.raises(DeclarationError, match="workers must be a whole number from 1 to 256 or “auto”, not 0"):
        Preferences(workers=0)


def test_patterns_stand_between_spaces_and_semicolons() -> None:
    assert Preferences(excludes=" *.png;drafts  a/b;; *.png\n").patterns() == ("*.png", "drafts", "a/b")


def test_a_place_that_cannot_be_written_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(Preferences(workers=2))

    def refuse(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(TwinlensError, match="cannot be kept"):
        keep(Preferences(workers=3))
    assert load().workers == 2
    assert [path.name for path in preferences_file().parent.iterdir()] == ["preferences.json"]


def test_the_cache_folder_is_used_where_the_environment_names_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(Preferences(cache_folder=str(tmp_path / "mine")))
    monkeypatch.setenv(app_folders.CACHE_VARIABLE, str(tmp_path / "named"))
    use_cache_folder()
    assert app_folders.cache_folder() == tmp_path / "named"
    monkeypatch.delenv(app_folders.CACHE_VARIABLE)
    monkeypatch.setenv(app_folders.CACHE_VARIABLE, "")  # so that it is as it was after the test
    use_cache_folder()
    assert app_folders.cache_folder() == tmp_path / "mine"


def test_a_cache_folder_that_cannot_be_is_the_usual_one(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    keep(Preferences())
    preferences_file().write_text(json.dumps({"cache_folder": "a\0b"}), "utf-8")
    monkeypatch.setenv(app_folders.CACHE_VARIABLE, "")
    use_cache_folder()
    assert not os.environ[app_folders.CACHE_VARIABLE]
    assert "No folder can have the name" in caplog.text


def test_thumbnails_keep_within_the_preferred_space(tmp_path: Path) -> None:
    with Library.open(tmp_path / "library.twinlens", create=True) as library:
        library.thumbnails.put([(bytes([i]) * 32, bytes(1_000_000)) for i in range(100)])
        assert library.prune_thumbnails() == 0
        keep(Preferences(thumbnail_cache=50))
        assert 50 < library.prune_thumbnails() < 60
        write_scenes(tmp_path / "photographs", 1)
        library.thumbnails.put([(bytes([i]) * 32, bytes(1_000_000)) for i in range(100)])
        add(library, [tmp_path / "photographs"], Adding(workers=1))
        assert len(library.thumbnails.lacking([bytes([i]) * 32 for i in range(100)])) > 50
