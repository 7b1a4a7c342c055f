"""Entries in the menus of Linux, Windows and macOS: where they are put, what they start, and that they go again."""

from __future__ import annotations

import configparser
import io
import os
import plistlib
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from twinlens import resources
from twinlens.app.machine import desktop_entry, mac_application, start_menu
from twinlens.app.machine.desktop_entry import icns, ico
from twinlens.app.machine.menu import menu
from twinlens.app.machine.start_menu import Shortcut
from twinlens.core.errors import TwinlensError


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
    opened = read_entry(home / "applications" / "twinlens.desktop")["MimeType"].split(";")
    assert library in opened
    assert "image/x-adobe-dng" in opened
    assert "inode/directory" not in opened, "it is no file manager"


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
    assert re.fullmatch(r"([a-z]+\.){2}[a-z]+", description.findtext("id") or ""), "as validators want it"
    changes = (Path(__file__).resolve().parents[3] / "CHANGELOG.md").read_text("utf-8")
    released = re.findall(r"^## \[([\d.]+)\] - (\S+)", changes, re.MULTILINE)
    assert [(one.get("version"), one.get("date")) for one in description.iter("release")] == released
    assert ET.fromstring(resources.read_bytes("desktop/twinlens.svg")).get("viewBox") == "0 0 128 128"


ADDRESSES = {
    "Homepage": "https://photos.invalid/?a=1&b=2",
    "Issues": "https://photos.invalid/issues",
    "Screenshots": "https://photos.invalid/pictures/",
}


def test_the_description_has_the_addresses_of_the_project() -> None:
    template = resources.read_bytes("desktop/twinlens.metainfo.xml").decode()
    assert desktop_entry.described(template, {}) == template
    made = ET.fromstring(desktop_entry.described(template, ADDRESSES))
    assert {one.get("type"): one.text for one in made.iter("url")} == {
        "homepage": ADDRESSES["Homepage"],
        "bugtracker": ADDRESSES["Issues"],
    }
    shown = [(one.text or "").rpartition("/")[2] for one in made.iter("image")]
    assert shown
    for name in shown:
        assert resources.read_bytes(f"guide/pictures/{name}")


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="AppStream's validator is not installed")
@pytest.mark.parametrize("named", [{}, ADDRESSES])
def test_the_validator_has_nothing_against_the_description(tmp_path: Path, named: dict[str, str]) -> None:
    file = tmp_path / "twinlens.metainfo.xml"
    template = resources.read_bytes("desktop/twinlens.metainfo.xml").decode()
    file.write_text(desktop_entry.described(template, named), "utf-8")
    subprocess.run(["appstreamcli", "validate", "--no-net", str(file)], check=True)


@pytest.mark.skipif(shutil.which("desktop-file-validate") is None, reason="the validator is not installed")
def test_the_validator_has_nothing_against_the_entry(home: Path) -> None:
    desktop_entry.install()
    file = home / "applications" / "twinlens.desktop"
    done = subprocess.run(["desktop-file-validate", str(file)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_each_system_has_its_menu() -> None:
    found = [menu(system) for system in ("linux", "freebsd14", "darwin", "win32")]
    assert found == [desktop_entry, desktop_entry, mac_application, start_menu]


@pytest.mark.parametrize(("made", "kind"), [(ico, "ICO"), (icns, "ICNS")])
def test_an_icon_is_the_picture_that_was_put_in(made: Callable[[bytes], bytes], kind: str) -> None:
    png = resources.read_bytes("desktop/twinlens.png")
    icon = Image.open(io.BytesIO(made(png)))
    assert (icon.format, icon.size) == (kind, (256, 256))
    with Image.open(io.BytesIO(png)) as picture:
        assert icon.convert("RGBA").tobytes() == picture.convert("RGBA").tobytes()


def test_a_shortcut_starts_this_very_program_and_goes_again(tmp_path: Path) -> None:
    saved: list[Shortcut] = []

    def save(shortcut: Shortcut) -> None:
        saved.append(shortcut)
        shortcut.place.write_bytes(b"")

    result = start_menu.install(tmp_path, save)
    (shortcut,) = saved
    program, *arguments = desktop_entry.start_command()
    assert (shortcut.program, shortcut.arguments) == (program, subprocess.list2cmdline(arguments))
    assert shortcut.place.suffix == ".lnk"
    assert shortcut.icon.is_file()
    assert sorted(result.files) == sorted([str(shortcut.place), str(shortcut.icon)])
    assert sorted(start_menu.remove(tmp_path).files) == sorted(result.files)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert start_menu.remove(tmp_path).files == []


def test_the_start_menu_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPDATA", str(tmp_path / "Roaming"))
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    saved: list[Shortcut] = []
    start_menu.install(saved=saved.append)
    programs = tmp_path / "Roaming" / "Microsoft" / "Windows" / "Start Menu" / "Programs"
    assert saved[0].place == programs / "Twinlens.lnk"
    assert programs.is_dir()


def test_a_start_menu_that_is_no_folder_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APPDATA", str(tmp_path / "Roaming"))
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    (tmp_path / "Roaming").write_bytes(b"")
    saved: list[Shortcut] = []
    with pytest.raises(TwinlensError, match=r"Twinlens\.lnk cannot be written"):
        start_menu.install(saved=saved.append)
    assert saved == []


def test_an_application_starts_what_it_is_told_with_all_it_is_given(tmp_path: Path) -> None:
    told = tmp_path / "it's told"
    files = mac_application.contents(["/bin/sh", "-c", 'printf "%s|" "$0" "$@" > "$TOLD"', "a b"])
    script = tmp_path / "script"
    script.write_bytes(files["Contents/MacOS/twinlens-entry"])
    subprocess.run(["/bin/sh", script, "c d", "é"], check=True, env={**os.environ, "TOLD": str(told)})
    assert told.read_text("utf-8") == "a b|c d|é|"
    facts = plistlib.loads(files["Contents/Info.plist"])
    assert f"Contents/MacOS/{facts['CFBundleExecutable']}" in files
    assert f"Contents/Resources/{facts['CFBundleIconFile']}.icns" in files


def test_an_application_is_replaced_and_goes_again(tmp_path: Path) -> None:
    result = mac_application.install(tmp_path)
    assert mac_application.install(tmp_path) == result
    assert all(Path(file).is_file() for file in result.files)
    assert os.access(tmp_path / "share" / "Twinlens.app" / "Contents" / "MacOS" / "twinlens-entry", os.X_OK)
    assert sorted(mac_application.remove(tmp_path).files) == sorted(result.files)
    assert list((tmp_path / "share").iterdir()) == []
    assert mac_application.remove(tmp_path).files == []


def test_another_application_of_this_name_stays_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "share" / "Twinlens.app" / "Contents" / "Info.plist"
    other.parent.mkdir(parents=True)
    other.write_bytes(b"another")
    with pytest.raises(TwinlensError, match="another application"):
        mac_application.install(tmp_path)
    assert mac_application.remove(tmp_path).files == []
    assert other.read_bytes() == b"another"
