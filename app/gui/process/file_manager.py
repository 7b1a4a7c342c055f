"""Files and folders shown in the desktop's file manager."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

_MANAGER = "org.freedesktop.FileManager1"


def reveal_path(path: str) -> None:
    """Show a file or folder in the file manager, marked where the manager can do that."""
    place = Path(path)
    if place.is_dir() or not _ask_file_manager(path):
        folder = place if place.is_dir() else place.parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


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
