"""The program among the applications of macOS: a small application folder that starts it, for the Dock, too.

It has never been run on macOS.
"""

from __future__ import annotations

import contextlib
import plistlib
import shlex
from pathlib import Path

from twinlens import resources
from twinlens.app.machine import app_folders
from twinlens.app.machine.desktop_entry import DesktopResult, icns, put, start_command, take_away
from twinlens.core.errors import TwinlensError
from twinlens.core.files.untrusted_input import expanded

_SCRIPT = "Contents/MacOS/twinlens-entry"  # by its name the application is known as this one
_FACTS = {
    "CFBundleName": "Twinlens",
    "CFBundleDisplayName": "Twinlens",
    "CFBundleIdentifier": "twinlens.entry",
    "CFBundleExecutable": Path(_SCRIPT).name,
    "CFBundleIconFile": "twinlens",
    "CFBundlePackageType": "APPL",
    "NSHighResolutionCapable": True,
}


def install(prefix: Path | None = None) -> DesktopResult:
    """Install the application; an earlier one is replaced.

    Parameters
    ----------
    prefix : Path, optional
        Installs under ``prefix/share`` instead of the user's own applications.

    Raises
    ------
    TwinlensError
        If another application has its name, or a file cannot be written.
    """
    place, command = _place(prefix), start_command()
    if place.exists() and not (place / _SCRIPT).exists():
        raise TwinlensError(
            "{place} is another application of this name.", "Start that one, or remove it first.", place=place
        )
    for name, content in contents(command).items():
        put(place / name, content)
    (place / _SCRIPT).chmod(0o755)
    return DesktopResult(files=[str(place / name) for name in contents(command)], command=shlex.join(command))


def _place(prefix: Path | None) -> Path:
    folder = app_folders.needed_home() / "Applications" if prefix is None else expanded(prefix).absolute() / "share"
    return folder / "Twinlens.app"


def remove(prefix: Path | None = None) -> DesktopResult:
    """Remove what :func:`install` installed.

    Raises
    ------
    TwinlensError
        If a file cannot be removed.
    """
    place = _place(prefix)
    files = [place / name for name in contents(start_command())] if (place / _SCRIPT).exists() else []
    removed = [str(file) for file in reversed(files) if take_away(file)]
    for folder in ("Contents/MacOS", "Contents/Resources", "Contents", ""):
        with contextlib.suppress(OSError):  # something else is in it
            (place / folder).rmdir()
    return DesktopResult(files=removed)


def contents(command: list[str]) -> dict[str, bytes]:
    """Return the files of the application by their paths in it, the identifying one first."""
    return {
        _SCRIPT: f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n'.encode(),
        "Contents/Info.plist": plistlib.dumps(_FACTS),
        "Contents/Resources/twinlens.icns": icns(resources.read_bytes("desktop/twinlens.png")),
    }
