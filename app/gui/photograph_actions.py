"""What can be done with photographs besides looking and searching: copy, open, reveal, export. Never a change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QMimeData, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app.gui.jobs import Jobs
from app.gui.opened import Opened
from core.progress import Progress

if TYPE_CHECKING:
    from app.results import ExportResult

_MANAGER = "org.freedesktop.FileManager1"


class PhotographActions(QObject):
    """Copy, open, reveal and export, by ids."""

    told = Signal(str)
    """What was done, in a sentence."""

    def __init__(self, window: QWidget, jobs: Jobs) -> None:
        super().__init__(window)
        self._window = window
        self._jobs = jobs
        self._opened: Opened | None = None

    def take(self, opened: Opened) -> None:
        """Work on this library from now on."""
        self._opened = opened

    def paths(self, ids: list[int]) -> list[str]:
        """Give the files that can be reached, as they are dragged out or copied."""
        if self._opened is None:
            return []
        from app.browsing import photographs

        return [one.path for one in photographs(self._opened.library, ids) if not one.away]

    def copy(self, ids: list[int]) -> None:
        """Put the files on the clipboard: file managers take the files, editors their paths."""
        paths = self.paths(ids)
        if not paths:
            return
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(path) for path in paths])
        data.setText("\n".join(paths))
        QGuiApplication.clipboard().setMimeData(data)
        self.told.emit(self.tr("%n photograph(s) copied", "", len(paths)))

    def open(self, photograph_id: int) -> None:
        """Open in the program that the system has for it."""
        self._with_file(photograph_id, lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))))

    def reveal(self, photograph_id: int) -> None:
        """Show in the file manager."""
        self._with_file(photograph_id, lambda path: self.reveal_path(str(path)))

    def reveal_path(self, path: str) -> None:
        """Show a file or folder in the file manager, marked where the manager can do that."""
        place = Path(path)
        if place.is_dir() or not _ask_file_manager(path):
            folder = place if place.is_dir() else place.parent
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def export(self, ids: list[int], how: Literal["copy", "link", "csv"]) -> None:
        """Copy, link or list photographs: asks where to."""
        opened = self._opened
        if opened is None or not ids:
            return
        if how == "csv":
            name, _ = QFileDialog.getSaveFileName(
                self._window, self.tr("Write the list as"), "photographs.csv", self.tr("Table (*.csv)")
            )
        else:
            name = QFileDialog.getExistingDirectory(self._window, self.tr("Export to which folder?"))
        if not name:
            return

        def work(progress: Progress) -> ExportResult:
            from app.exporting import export

            return export(opened.library, ids, Path(name), how, progress)

        self._jobs.start("export", work, self._on_exported)

    def _on_exported(self, result: ExportResult) -> None:
        self.told.emit(self.tr("{0} photographs exported to {1}").format(f"{result.photographs:,}", result.target))

    def _with_file(self, photograph_id: int, act: object) -> None:
        opened = self._opened
        if opened is None or photograph_id < 0:
            return

        def work(_: Progress) -> Path:
            from app.browsing import original

            return original(opened.library, photograph_id)

        self._jobs.start("original", work, act)  # type: ignore[arg-type]


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
