"""The entries in the menus of Windows and macOS, as far as they are files and values."""

from __future__ import annotations

import io
import os
import plistlib
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import resources
from app.machine import desktop_entry, mac_application, start_menu
from app.machine.desktop_entry import icns, ico
from app.machine.menu import menu
from app.machine.start_menu import Shortcut
from core.errors import TwinlensError


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
