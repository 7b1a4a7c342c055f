"""The dialog for a file to save to, shown again until the chosen file is one that may be written."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.language.texts import text
from app.library.library import Library, is_protected
from app.machine.output_file import ONLY_COPY, OutputFile, nobodys
from core.errors import TwinlensError


def ask_for_output(
    parent: QWidget, heading: str, name: str, kinds: str, library: Library | None = None
) -> OutputFile | None:
    """Ask for a file; None if the person cancels.

    That the person wants to replace what is there, the dialog has asked; of pictures, of what belongs to photographs
    and of databases it is refused all the same.

    Parameters
    ----------
    name : str
        Is proposed; its ending is put behind a name that has none of the endings.
    kinds : str
        Endings, as ``QFileDialog`` takes them: ``Picture (*.png *.jpg)``.
    library : Library, optional
        Whose photographs are protected.
    """
    endings = set(re.findall(r"\*(\.[\w-]+)", kinds))
    while True:
        chosen, __ = QFileDialog.getSaveFileName(parent, heading, name, kinds)
        if not chosen:
            return None
        file = Path(chosen)
        if endings and file.suffix.lower() not in endings:
            file = file.with_name(f"{file.name}{Path(name).suffix}")
            if file.exists():
                name = str(file)  # of this one the dialog has not asked yet
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
    """Return a name that no file has yet: the wanted one, or that with a number."""
    found, number = file, 1
    while found.exists():
        number += 1
        found = file.with_stem(f"{file.stem} {number}")
    return found
