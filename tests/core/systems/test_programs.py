"""Programs that open files, as desktops declare them."""

from __future__ import annotations

import doctest
import plistlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.systems import programs
from twinlens.core.systems.programs import DesktopEntries, Program, bundled_programs, desktop_entries


def entry(folder: Path, name: str, *lines: str, command: str = "/bin/sh %f") -> None:
    file = folder / "applications" / f"{name}.desktop"
    file.parent.mkdir(parents=True, exist_ok=True)
    shown = "" if any(line.startswith("Name=") for line in lines) else f"Name={name.title()}\n"
    file.write_text(f"# made\n[Desktop Entry]\nType=Application\nExec={command}\n{shown}" + "\n".join(lines))


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


@pytest.fixture
def desktop(tmp_path: Path, own: Path) -> DesktopEntries:
    every = tmp_path / "every"
    entry(every, "zoomer", "MimeType=image/jpeg;image/png;")
    entry(every, "gimp", "MimeType=image/jpeg;", "Name=Painter", "Name[de]=Maler", command="/bin/sh --new-image %U")
    entry(every, "gone", "MimeType=image/jpeg;", command="/not/there %f")
    entry(every, "terminal", "MimeType=image/jpeg;", "Terminal=true")
    entry(every, "kde", "MimeType=image/jpeg;", "OnlyShowIn=KDE;")
    entry(every, "unneeded", "MimeType=image/jpeg;", "TryExec=/not/there")
    entry(every, "quiet", "MimeType=image/jpeg;", "NoDisplay=true")
    entry(every, "files", "MimeType=inode/directory;", "Categories=System;FileManager;")
    entry(every, "editor", "MimeType=inode/directory;text/plain;")
    (every / "applications" / "broken.desktop").write_bytes(b"\xff[Desktop")
    return DesktopEntries([own, every], [tmp_path / "config"], ["GNOME"], ["de_DE", "de"])


def names(found: list[Program]) -> list[str]:
    return [one.name for one in found]


def test_programs_of_a_type_stand_by_name_in_the_language_of_the_person(desktop: DesktopEntries) -> None:
    found = desktop.programs(["image/jpeg"])
    assert names(found) == ["Maler", "Zoomer"]
    assert found[0].words(Path("/a b.jpg")) == ["/bin/sh", "--new-image", "file:///a%20b.jpg"]


def test_those_of_a_narrower_type_come_first(desktop: DesktopEntries) -> None:
    assert names(desktop.programs(["image/png", "image/jpeg"])) == ["Zoomer", "Maler"]
    assert desktop.programs(["image/avif"]) == []


def test_defaults_come_first_and_what_was_removed_does_not_come(desktop: DesktopEntries, tmp_path: Path) -> None:
    settings = tmp_path / "config"
    settings.mkdir()
    (settings / "mimeapps.list").write_text(
        "[Default Applications]\nimage/jpeg=zoomer.desktop;\n[Added Associations]\nimage/jpeg=editor.desktop\n"
        "[Removed Associations]\nimage/jpeg=gimp.desktop;\n"
    )
    assert names(desktop.programs(["image/jpeg"])) == ["Zoomer", "Editor"]
    (settings / "gnome-mimeapps.list").write_text("[Default Applications]\nimage/jpeg=quiet.desktop;\n")
    assert names(desktop.programs(["image/jpeg"])) == ["Quiet", "Zoomer", "Editor"]


def test_a_persons_own_entry_hides_that_of_the_system(desktop: DesktopEntries, own: Path) -> None:
    entry(own, "zoomer", "Hidden=true")
    assert names(desktop.programs(["image/png"])) == []


def test_a_file_manager_is_no_other_program_that_takes_folders(desktop: DesktopEntries) -> None:
    assert names(desktop.programs(["inode/directory"], "FileManager")) == ["Files"]


def test_the_folders_are_those_of_the_environment(own: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(own))
    monkeypatch.setenv("XDG_DATA_DIRS", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_CONFIG_DIRS", "")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    entry(own, "viewer", "MimeType=image/jpeg;", command="/bin/sh")
    assert [one.command for one in desktop_entries().programs(["image/jpeg"])] == [("/bin/sh", "%f")]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n\r\0"), max_size=30))
def test_any_command_is_a_command_or_none(tmp_path_factory: pytest.TempPathFactory, command: str) -> None:
    folder = tmp_path_factory.mktemp("any")
    entry(folder, "any", "MimeType=image/jpeg;", command=f"/bin/sh {command}")
    for program in DesktopEntries([folder], []).programs(["image/jpeg"]):
        assert program.words(Path("/a.jpg"))[0] == "/bin/sh"


def test_bundles_say_what_they_open(tmp_path: Path) -> None:
    types = {
        "Preview": [{"LSItemContentTypes": ["public.image"]}],
        "Photo": [{"CFBundleTypeExtensions": ["JPG", "jpeg"]}],
        "Music": [{"CFBundleTypeExtensions": ["mp3"]}],
        "Odd": "no list",
    }
    for name, declared in types.items():
        contents = tmp_path / f"{name}.app" / "Contents"
        contents.mkdir(parents=True)
        (contents / "Info.plist").write_bytes(plistlib.dumps({"CFBundleDocumentTypes": declared}))
    (tmp_path / "Broken.app" / "Contents").mkdir(parents=True)
    (tmp_path / "Broken.app" / "Contents" / "Info.plist").write_text("<plist")
    found = bundled_programs([tmp_path, tmp_path / "none"], ["jpg"])
    assert names(found) == ["Photo", "Preview"]
    assert found[1].words(Path("/a.jpg")) == ["open", "-a", str(tmp_path / "Preview.app"), "/a.jpg"]


def test_the_examples_print_what_they_say() -> None:
    assert doctest.testmod(programs).failed == 0
