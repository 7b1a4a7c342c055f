"""The entry in the menu of the desktop: where it is put, what it starts, and that it goes again."""

from __future__ import annotations

import configparser
import shlex
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import resources
from app.machine import desktop_entry
from core.errors import TwinlensError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


def read_entry(path: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None, delimiters="=")
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(path, encoding="utf-8")
    return parser["Desktop Entry"]


def test_everything_stands_where_the_desktop_looks(home: Path) -> None:
    result = desktop_entry.install()
    assert {str(Path(file).relative_to(home)) for file in result.files} == {
        "applications/twinlens.desktop",
        "icons/hicolor/scalable/apps/twinlens.svg",
        "icons/hicolor/256x256/apps/twinlens.png",
        "metainfo/twinlens.metainfo.xml",
        "mime/packages/twinlens.xml",
    }
    assert all(Path(file).is_file() for file in result.files)
    assert {str(path) for path in home.rglob("twinlens*") if path.is_file()} == set(result.files)
    types = ET.parse(home / "mime" / "packages" / "twinlens.xml").iter()
    (library,) = (one.get("type") for one in types if one.tag.endswith("mime-type"))
    assert library in read_entry(home / "applications" / "twinlens.desktop")["MimeType"].split(";")


def test_the_entry_starts_this_very_program(home: Path) -> None:
    desktop_entry.install()
    entry = read_entry(home / "applications" / "twinlens.desktop")
    program, *rest = shlex.split(entry["Exec"])
    assert program == entry["TryExec"] == desktop_entry.start_command()[0]
    assert Path(program).is_file()
    assert rest[-1] == "%F"
    assert entry["Icon"] == "twinlens"
    assert entry["Comment[de]"]


def test_again_replaces_and_remove_takes_everything_away(home: Path) -> None:
    desktop_entry.install()
    (home / "applications" / "other.desktop").touch()
    desktop_entry.install()
    removed = desktop_entry.remove()
    assert len(removed.files) == 5
    assert list(home.rglob("twinlens*")) == []
    assert (home / "applications" / "other.desktop").exists()
    assert desktop_entry.remove().files == []


def test_a_prefix_goes_before(home: Path, tmp_path: Path) -> None:
    desktop_entry.install(tmp_path / "usr")
    assert (tmp_path / "usr" / "share" / "applications" / "twinlens.desktop").is_file()
    assert not home.exists()


def test_a_relative_folder_of_the_environment_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    desktop_entry.install()
    assert (tmp_path / ".local" / "share" / "applications" / "twinlens.desktop").is_file()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "share").touch()
    with pytest.raises(TwinlensError, match="cannot be written"):
        desktop_entry.install(tmp_path)


def test_without_a_program_of_the_window_it_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(home / "python"))
    with pytest.raises(TwinlensError, match=r"There is no program .*twinlens-gui"):
        desktop_entry.install()


def unquoted(text: str) -> str:
    """Read a word of Exec as a desktop does: the string first, then the quotes, then the field codes."""
    string = text.replace("\\\\", "\\")
    if string.startswith('"'):
        inner, letters = string[1:-1], []
        place = 0
        while place < len(inner):
            if inner[place] == "\\":
                place += 1
            letters.append(inner[place])
            place += 1
        string = "".join(letters)
    return string.replace("%%", "%")


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1))
def test_any_path_survives_the_quotes(word: str) -> None:
    assert unquoted(desktop_entry.quoted(word)) == word


def test_the_description_names_entry_and_licence() -> None:
    description = ET.fromstring(resources.read_bytes("desktop/twinlens.metainfo.xml"))
    assert description.findtext("launchable") == "twinlens.desktop"
    assert description.findtext("project_license") == "MIT"
    assert ET.fromstring(resources.read_bytes("desktop/twinlens.svg")).get("viewBox") == "0 0 128 128"
