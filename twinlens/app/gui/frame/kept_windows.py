"""Kept windows: size and place of each library's window, and the libraries that had one, in a file of this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from twinlens.app.machine import app_folders
from twinlens.core.files import private_files
from twinlens.storage.database.address import Address

USUAL_SIZE = (1280, 860)
_FRAME = QMargins(4, 36, 4, 4)  # frame of the system around a window
_MOST = 50  # libraries whose window geometry is saved


def restore_geometry(window: QWidget, library: Address | None) -> None:
    """Restore the size and place of a library's window; call this before the window shows.

    Parameters
    ----------
    library : Address or None
        None for the usual one.
    """
    value = kept_windows().get(_name(library), {})
    rect = _rect(value)
    screens = [screen.availableGeometry() for screen in QGuiApplication.screens()]  # the first is the main one
    if rect is None:
        real = screens and QGuiApplication.platformName() != "offscreen"
        room = screens[0].marginsRemoved(_FRAME).size() if real else QSize(*USUAL_SIZE)
        window.resize(QSize(*USUAL_SIZE).boundedTo(room))  # the system chooses the place
        return
    window.setGeometry(fitted_to_screens(rect, screens))
    if value.get("maximised") is True:
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)


def keep_geometry(window: QWidget, library: Address | None, photographs: int | None = None) -> None:
    """Save size and place of a library's window, and how many photographs it has; a failure to write is ignored."""
    rect = window.normalGeometry()
    if not rect.isValid():
        return
    value = {
        "rect": [rect.x(), rect.y(), rect.width(), rect.height()],
        "maximised": bool(window.windowState() & Qt.WindowState.WindowMaximized),
        "photographs": photographs,
    }
    kept = kept_windows()
    kept.pop(_name(library), None)
    kept[_name(library)] = value  # the last one is the newest
    with suppress(OSError):
        path = _file()
        private_files.make_folder(path.parent)
        new = path.with_name(f"{path.name}.{os.getpid()}.tmp")
        new.write_text(json.dumps(dict(list(kept.items())[-_MOST:])), encoding="utf-8")
        os.replace(new, path)


def known_servers() -> list[str]:
    """Return the addresses of the servers whose libraries had a window, the newest first; none holds a password."""
    return [name for name in reversed(kept_windows()) if not Address(name).is_file]


def fitted_to_screens(rect: QRect, screens: Sequence[QRect]) -> QRect:
    """Return a rectangle moved to lie wholly on one screen: the one it covers most, else the first.

    Parameters
    ----------
    rect : QRect
        Former place of the window.
    screens : sequence of QRect
        Available area of each screen.
    """
    if not screens:
        return rect
    screen = max(screens, key=lambda one: _area(one.intersected(rect)))
    inner = screen.marginsRemoved(_FRAME)
    if rect.width() > inner.width() or rect.height() > inner.height():
        screen = inner  # else its title would be off the screen
    width, height = min(rect.width(), screen.width()), min(rect.height(), screen.height())
    x = min(max(rect.x(), screen.x()), screen.x() + screen.width() - width)
    y = min(max(rect.y(), screen.y()), screen.y() + screen.height() - height)
    return QRect(x, y, width, height)


def _name(library: Address | None) -> str:
    return "" if library is None else library.shown


def _area(rect: QRect) -> int:
    return rect.width() * rect.height() if rect.isValid() else 0


def _file() -> Path:
    return app_folders.data_folder() / "windows.json"


def kept_windows() -> dict[str, dict[str, Any]]:
    """Return what is known of windows, by the address of the library, the newest last."""
    try:
        found = json.loads(_file().read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return {name: value for name, value in found.items() if isinstance(value, dict)} if isinstance(found, dict) else {}


def _rect(value: dict[str, Any]) -> QRect | None:
    numbers = value.get("rect")
    if not isinstance(numbers, list) or len(numbers) != 4:
        return None
    if not all(isinstance(one, int) and abs(one) < 100_000 for one in numbers):
        return None
    rect = QRect(*numbers)
    return rect if rect.isValid() else None
