"""Start of the window."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QLockFile
from PySide6.QtWidgets import QApplication

from app import places
from app.gui.theme import apply_theme
from app.gui.window import Window
from app.library import Library
from app.screen import has_screen
from core.errors import TwinlensError
from core.search import compiled


def main() -> None:
    """Open the window; the script ``twinlens-gui``."""
    if not has_screen():
        print("There is no screen for the window here. `twinlens --help` does without.", file=sys.stderr)
        raise SystemExit(2)
    try:
        code = show(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    except TwinlensError as error:
        print(error, file=sys.stderr)
        code = 2
    raise SystemExit(code)


def show(path: Path | None) -> int:
    """Show the window of a library until it is closed, and give the exit code.

    Raises
    ------
    TwinlensError
        If the library cannot be opened, or a window shows it already.
    """
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Twinlens")
    application.setDesktopFileName("twinlens")
    apply_theme(application)
    target = places.default_library() if path is None else path
    with Library.open(target, create=True) as library:
        only = QLockFile(f"{target}.window")
        only.setStaleLockTime(0)
        if not only.tryLock(100):
            raise TwinlensError(f"A window shows the library {target} already.", "Use that one.")
        window = Window(library)
        window.show()
        compiled.prepare()
        code = application.exec()
        window.finish()
        only.unlock()
    return code
