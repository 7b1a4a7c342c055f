"""The program in the menu of a Linux desktop: its entry, icons, description and file type, in their standard places.

It follows the Desktop Entry, Icon Theme and Shared MIME-info Specifications and AppStream, under ``XDG_DATA_HOME``.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Mapping
from importlib.metadata import metadata
from pathlib import Path
from xml.sax.saxutils import escape

from pydantic import Field

from twinlens import resources
from twinlens.app.machine import app_folders
from twinlens.app.results import Result
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded

_PLACES = {
    "desktop/twinlens.desktop": "applications/twinlens.desktop",
    "desktop/twinlens.svg": "icons/hicolor/scalable/apps/twinlens.svg",
    "desktop/twinlens.png": "icons/hicolor/256x256/apps/twinlens.png",
    "desktop/twinlens.metainfo.xml": "metainfo/twinlens.metainfo.xml",
    "desktop/twinlens.mime.xml": "mime/packages/twinlens.xml",
}
_REFRESHING = (
    (["update-desktop-database", "-q"], "applications"),
    (["gtk-update-icon-cache", "-q", "-t", "-f"], "icons/hicolor"),
    (["update-mime-database"], "mime"),
)
_RESERVED = set(" \t\n\"'\\><~|&;$*?#()`%")


class DesktopResult(Result):
    """The result of ``desktop install`` and ``desktop remove``."""

    files: list[str] = Field(description="files that were written, or removed")
    command: str = Field(default="", description="what the entry starts")
    refreshed: bool = Field(default=False, description="whether the desktop was told to look again")


def install(prefix: Path | None = None) -> DesktopResult:
    """Install the menu entry, icons, description and type of files; existing ones are replaced.

    Parameters
    ----------
    prefix : Path, optional
        Installs under ``prefix/share`` instead of the user's own folder.

    Raises
    ------
    TwinlensError
        If a file cannot be written.
    """
    share = share_folder(prefix)
    command = start_command()
    return DesktopResult(files=write(share, command), command=" ".join(command), refreshed=_refresh(share))


def share_folder(prefix: Path | None) -> Path:
    """Return the folder ``share`` under a prefix, or the user's own."""
    if prefix is not None:
        return expanded(prefix).absolute() / "share"
    named = os.environ.get("XDG_DATA_HOME", "")
    # The specification ignores relative paths.
    return Path(named) if os.path.isabs(named) else app_folders.needed_home() / ".local" / "share"


def _refresh(share: Path) -> bool:
    """Notify the desktop, if it has a command for that; else it notices by itself sooner or later."""
    refreshed = False
    for (name, *options), folder in _REFRESHING:
        command = shutil.which(name)
        if command is not None:
            done = subprocess.run(  # noqa: S603 (a program of the desktop, and a folder of ours)
                [command, *options, str(share / folder)], check=False, capture_output=True
            )
            refreshed |= done.returncode == 0
    return refreshed


def write(share: Path, command: list[str]) -> list[str]:
    """Write the files below a folder ``share`` and return their names.

    Parameters
    ----------
    command : list of str
        What the entry starts, without the files that the desktop adds.

    Raises
    ------
    TwinlensError
        If a file cannot be written.
    """
    files = []
    for source, place in _PLACES.items():
        content = resources.read_bytes(source)
        if source.endswith(".desktop"):
            content = entry(content.decode("utf-8"), command).encode("utf-8")
        elif source.endswith(".metainfo.xml"):
            content = described(content.decode("utf-8"), addresses()).encode("utf-8")
        put(share / place, content)
        files.append(str(share / place))
    return files


def remove(prefix: Path | None = None) -> DesktopResult:
    """Remove what :func:`install` installed.

    Raises
    ------
    TwinlensError
        If a file cannot be removed.
    """
    share = share_folder(prefix)
    files = [str(share / place) for place in _PLACES.values() if take_away(share / place)]
    return DesktopResult(files=files, refreshed=bool(files) and _refresh(share))


def put(target: Path, content: bytes) -> None:
    """Write a file of a menu, and the folders above it; one that is there is replaced.

    Raises
    ------
    TwinlensError
        If it cannot be written.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        new = target.with_name(f"{target.name}.new")
        new.write_bytes(content)
        os.replace(new, target)
    except OSError as error:
        raise unwritable(target, error) from error


def unwritable(target: Path, error: OSError) -> TwinlensError:
    """Return the error for a file of a menu that cannot be written."""
    return TwinlensError(
        "{target} cannot be written: {strerror}.",
        "Name a folder that is yours with --prefix.",
        target=target,
        strerror=error.strerror,
    )


def take_away(target: Path) -> bool:
    """Remove a file of a menu; return whether it was there.

    Raises
    ------
    TwinlensError
        If it cannot be removed.
    """
    try:
        target.unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise TwinlensError(
            "{target} cannot be removed: {strerror}.", "Remove it by hand.", target=target, strerror=error.strerror
        ) from error
    return True


def start_command() -> list[str]:
    """Return the command that starts this very program: the script beside this Python, or that of a bundle.

    Raises
    ------
    TwinlensError
        If there is none.
    """
    program = Path(sys.executable).with_name("twinlens-gui.exe" if os.name == "nt" else "twinlens-gui")
    if not os.access(program, os.X_OK):
        raise TwinlensError(
            "There is no program {program}.", "Install Twinlens with pip or pipx, which put it there.", program=program
        )
    return [str(program)]


def entry(template: str, command: list[str]) -> str:
    """Write the entry with the exact command, which takes files and folders, and is hidden once it is gone."""
    lines = []
    for line in template.splitlines():
        if line.startswith("Exec="):
            lines += [f"TryExec={_escaped(command[0])}", f"Exec={' '.join(quoted(word) for word in command)} %F"]
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


_URLS = {"Homepage": "homepage", "Documentation": "help", "Issues": "bugtracker", "Source": "vcs-browser"}
_SHOWN = {"same.jpg": "A search", "library.jpg": "The library, by folder", "duplicates.jpg": "Duplicates"}


def addresses() -> dict[str, str]:
    """Return the addresses of the project by their names, of the installed metadata: empty until there are any."""
    lines = metadata("twinlens").get_all("Project-URL") or []
    return {name.strip(): address.strip() for name, _, address in (line.partition(",") for line in lines)}


def described(template: str, addresses: Mapping[str, str]) -> str:
    """Write the description for software centres, with the addresses and the pictures that lie there.

    Parameters
    ----------
    addresses : mapping of str to str
        As :func:`addresses` returns them; ``Screenshots`` is the folder of the guide's pictures.
    """
    lines = [
        f'  <url type="{kind}">{escape(addresses[name])}</url>' for name, kind in _URLS.items() if name in addresses
    ]
    if "Screenshots" in addresses:
        folder = escape(addresses["Screenshots"].rstrip("/"))
        lines.append("  <screenshots>")
        for place, (file, caption) in enumerate(_SHOWN.items()):
            lines.append("    <screenshot>" if place else '    <screenshot type="default">')
            lines += [
                f"      <caption>{caption}</caption>",
                f"      <image>{folder}/{file}</image>",
                "    </screenshot>",
            ]
        lines.append("  </screenshots>")
    last = "</component>"
    return template.replace(last, "".join(f"{line}\n" for line in lines) + last)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def quoted(word: str) -> str:
    """Quote a word of ``Exec`` as the Desktop Entry Specification demands: twice, since it is also a string there."""
    doubled = word.replace("%", "%%")
    if not _RESERVED & set(word):
        return doubled
    for letter in '\\"`$':
        doubled = doubled.replace(letter, f"\\{letter}")
    return _escaped(f'"{doubled}"')


def ico(png: bytes) -> bytes:
    """Return an icon file of Windows; a side of 256 pixels is written as 0."""
    directory = struct.pack("<HHH", 0, 1, 1)
    entry = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(png), len(directory) + 16)
    return directory + entry + png


def icns(png: bytes) -> bytes:
    """Return an icon file of macOS; ``ic08`` is the kind of 256 pixels."""
    entry = struct.pack(">4sI", b"ic08", 8 + len(png)) + png
    return struct.pack(">4sI", b"icns", 8 + len(entry)) + entry
