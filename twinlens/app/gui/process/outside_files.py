"""Files outside the library: those to save to, and those shown in the desktop's file manager."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from twinlens.app.language.texts import _, text
from twinlens.app.machine.app_folders import home_relative
from twinlens.core.errors import TwinlensError

if TYPE_CHECKING:
    from twinlens.app.library.library import Library
    from twinlens.app.machine.output_file import OutputFile
    from twinlens.core.systems.programs import Program


def ask_for_output(
    parent: QWidget, heading: str, name: str, kinds: str, library: Library | None = None
) -> OutputFile | None:
    """Ask for a file to save to; return None if the person cancels.

    The dialog asks before it replaces a file; photographs, their sidecar files and databases are never replaced.

    Parameters
    ----------
    name : str
        The proposed name; its suffix is appended to a name without any of the suffixes.
    kinds : str
        Suffixes, as ``QFileDialog`` takes them: ``Picture (*.png *.jpg)``.
    library : Library, optional
        The library whose photographs are protected.
    """
    from twinlens.app.library.library import is_protected
    from twinlens.app.machine.output_file import ONLY_COPY, OutputFile, nobodys

    endings = set(re.findall(r"\*(\.[\w-]+)", kinds))
    while True:
        chosen, __ = QFileDialog.getSaveFileName(parent, heading, name, kinds)
        if not chosen:
            return None
        file = Path(chosen)
        if endings and file.suffix.lower() not in endings:
            file = file.with_name(f"{file.name}{Path(name).suffix}")
            if file.exists():
                name = str(file)  # for this name the dialog has not asked yet
                continue
        output = OutputFile(file, True, nobodys if library is None else partial(is_protected, library))
        try:
            output.check(ONLY_COPY)
        except TwinlensError as error:
            QMessageBox.warning(parent, heading, text(error))
            name = str(file)
        else:
            return output


def free_name(file: Path) -> Path:
    """Return a name that no file has: the wanted one, perhaps with a number."""
    found, number = file, 1
    while found.exists():
        number += 1
        found = file.with_stem(f"{file.stem} {number}")
    return found


_MANAGER = "org.freedesktop.FileManager1"


def reveal_path(path: str, tell: Callable[[str], object]) -> None:
    """Show a file or folder in the file manager, marked where the manager can do that.

    Parameters
    ----------
    tell : callable
        Is called with a sentence where there is no file manager.
    """
    from twinlens.core.systems import system

    place = Path(path)
    folder = place if place.is_dir() else place.parent
    asked = not place.is_dir() and _ask_file_manager(path)
    if not asked and not any(start(manager, folder) for manager in system.file_managers()):
        tell(_("There is no file manager here that shows {folder}.", folder=home_relative(str(folder))))


def programs_for(path: Path) -> list[Program]:
    """Return the programs that open a file."""
    from PySide6.QtCore import QMimeDatabase

    from twinlens.core.systems import system

    kind = QMimeDatabase().mimeTypeForFile(str(path))
    kinds = [kind.name(), *kind.aliases(), *kind.allAncestors()]
    return system.programs_for([one for one in kinds if one != "application/octet-stream"], path.suffix[1:].lower())


def start(program: Program, path: Path) -> bool:
    """Start a program with a file or folder, and leave it to itself; False if it cannot be started."""
    from PySide6.QtCore import QProcess

    command, *words = program.words(path)
    return bool(QProcess.startDetached(command, words)[0])


def _ask_file_manager(path: str) -> bool:
    """Ask the desktop's file manager to mark a file; False where there is none that can."""
    try:
        from PySide6.QtDBus import QDBusConnection, QDBusInterface
    except ImportError:
        return False
    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    manager = QDBusInterface(_MANAGER, "/org/freedesktop/FileManager1", _MANAGER, bus)
    if not manager.isValid():
        return False
    manager.asyncCallWithArgumentList("ShowItems", [[QUrl.fromLocalFile(path).toString()], ""])
    return True
