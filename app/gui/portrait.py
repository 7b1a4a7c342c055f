"""A picture of the window, made from the running program: ``python -m app.gui.portrait FOLDER``.

Shows only demo photographs that are CC0 or in the public domain, and writes their credits beside the picture.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from app.demo import closest
from app.indexing import add
from app.library import Library
from app.photographs import fetch_photographs

WAIT_MS = 4000


def main() -> None:
    """Draw ``window.png`` and ``window.txt``, its credits."""
    target = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    found = fetch_photographs()
    free = [one for one in found.photographs if one.free]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "Pictures"
        for one in free:
            (folder / one.path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(found.folder / one.path, folder / one.path)
        with Library.open(Path(place) / "Pictures.twinlens", create=True) as library:
            add(library, [folder])
            draw(library, closest(library, 1)[0], target / "window.png")
    lines = [f"{one.path}: {one.licence}{f', {one.author}' if one.author else ''} ({one.package})" for one in free]
    heading = f"Photographs that {target.name}/window.png may show, with licence, author and package:"
    (target / "window.txt").write_text("\n".join([heading, "", *sorted(lines), ""]), "utf-8")


def draw(library: Library, asked: int, target: Path) -> None:
    """Draw the window with the look-alikes of a photograph."""
    from PySide6.QtWidgets import QApplication

    from app.gui.theme import apply_theme
    from app.gui.window import Window

    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    apply_theme(application)
    window = Window(library)
    window.show()
    _wait()
    window.ask(asked)
    _wait()
    window.grab().save(str(target))
    window.close()


def _wait() -> None:
    """Let the window do what it has to."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(WAIT_MS, loop.quit)
    loop.exec()


if __name__ == "__main__":
    main()
