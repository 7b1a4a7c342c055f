"""The program in the Start menu of Windows: a shortcut and its icon.

It has never been run on Windows.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from twinlens import resources
from twinlens.app.machine import app_folders
from twinlens.app.machine.desktop_entry import DesktopResult, ico, put, start_command, take_away, unwritable
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded


@dataclass(frozen=True)
class Shortcut:
    """A file that starts a program.

    Attributes
    ----------
    place : Path
        The file.
    arguments : str
        Of the program, as a command line has them.
    """

    place: Path
    program: str
    arguments: str
    icon: Path


def save(shortcut: Shortcut) -> None:
    """Write a shortcut by Windows's own scripting object.

    Raises
    ------
    TwinlensError
        If it cannot be written.
    """
    import pywintypes
    from win32com.client import Dispatch

    try:
        file = Dispatch("WScript.Shell").CreateShortcut(str(shortcut.place))
        file.TargetPath, file.Arguments = shortcut.program, shortcut.arguments
        file.IconLocation, file.Description = str(shortcut.icon), "Twinlens"
        file.Save()
    except pywintypes.com_error as error:
        raise TwinlensError(
            "The shortcut {place} cannot be written: {reason}.",
            "Pin the window to the task bar instead.",
            place=shortcut.place,
            reason=error.strerror,
        ) from error


def install(prefix: Path | None = None, saved: Callable[[Shortcut], None] = save) -> DesktopResult:
    """Install the shortcut and its icon; existing ones are replaced.

    Parameters
    ----------
    prefix : Path, optional
        Installs under ``prefix/share`` instead of the user's own Start menu.
    saved : callable
        Writes the shortcut.

    Raises
    ------
    TwinlensError
        If a file cannot be written.
    """
    place, icon = _files(prefix)
    program, *arguments = start_command()
    put(icon, ico(resources.read_bytes("desktop/twinlens.png")))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(place, error) from error
    saved(Shortcut(place, program, subprocess.list2cmdline(arguments), icon))
    return DesktopResult(files=[str(place), str(icon)], command=subprocess.list2cmdline([program, *arguments]))


def _files(prefix: Path | None) -> tuple[Path, Path]:
    """Return the places of the shortcut and its icon."""
    if prefix is not None:
        share = expanded(prefix).absolute() / "share"
        return share / "Twinlens.lnk", share / "Twinlens.ico"
    roaming = Path(os.environ.get("APPDATA") or app_folders.needed_home() / "AppData" / "Roaming")
    programs = roaming / "Microsoft" / "Windows" / "Start Menu" / "Programs"
    return programs / "Twinlens.lnk", app_folders.data_folder() / "Twinlens.ico"


def remove(prefix: Path | None = None) -> DesktopResult:
    """Remove what :func:`install` installed.

    Raises
    ------
    TwinlensError
        If a file cannot be removed.
    """
    return DesktopResult(files=[str(file) for file in _files(prefix) if take_away(file)])
