"""Actions on photographs besides viewing and searching: copy, open, reveal, export. None changes a photograph."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QCursor, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from twinlens.app.gui.look.labels import on_button
from twinlens.app.gui.photo_grid.grid_pointer import files_to_drag
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.process.outside_files import ask_for_output, programs_for, reveal_path, start
from twinlens.app.language.texts import _, _n, text
from twinlens.core.files.untrusted_input import shown
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.library.library_results import ExportResult
    from twinlens.app.notes.written_notes import WrittenNotes
    from twinlens.core.systems.programs import Program


_FEW = 500
"""Photographs whose files are looked up at once; more are looked up together, in a job where possible."""


class PhotographActions(QObject):
    """The actions on photographs by their ids: copy, open, reveal and export."""

    told = Signal(str)
    """A sentence about the finished action."""

    def __init__(self, window: QWidget, opened: OpenLibrary, jobs: Jobs) -> None:
        super().__init__(window)
        self._opened = opened
        self._window = window
        self._finding = jobs.latest()
        self._jobs = jobs

    def paths(self, ids: list[int]) -> list[str]:
        """Return the reachable files, for dragging out."""
        from twinlens.core.errors import TwinlensError

        try:
            return _paths(self._opened, ids)
        except TwinlensError as error:
            self.told.emit(text(error))
            return []

    def copy(self, ids: list[int]) -> None:
        """Copy the files to the clipboard: file managers paste the files, editors their paths."""
        opened = self._opened
        if not ids:
            return

        def on_paths(paths: list[str]) -> None:
            if paths:
                QGuiApplication.clipboard().setMimeData(files_to_drag(paths))
                self.told.emit(_n("{count} photo copied", "{count} photos copied", len(paths)))
            else:
                self.told.emit(_("Their disk is not connected, or their files are gone: connect it, or rescan."))

        if len(ids) <= _FEW:
            on_paths(self.paths(ids))
        else:
            self._jobs.begin(lambda __: _paths(opened, ids)).then(on_paths)

    def open(self, photograph_id: int) -> None:
        """Open a photograph in the system's default program."""
        self._with_file(photograph_id, self._open_elsewhere)

    def _open_elsewhere(self, path: Path) -> None:
        if not programs_for(path) or not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            self._tell_no_program(path)

    def _tell_no_program(self, path: Path) -> None:
        self.told.emit(_("The system has no program that opens {name}.", name=path.name))

    def reveal(self, photograph_id: int) -> None:
        """Show a photograph in the file manager."""
        self._with_file(photograph_id, lambda path: reveal_path(str(path), self.told.emit))

    def open_with(self, photograph_id: int) -> None:
        """Offer the programs that open a photograph, and open it in the chosen one."""
        opened = self._opened
        if photograph_id < 0:
            return

        def work(__: Progress) -> tuple[Path, list[Program]]:
            from twinlens.app.library.browsing.photographs import original

            path = original(opened.library, photograph_id)
            return path, programs_for(path)

        self._finding.begin(work).then(lambda found: self._offer(*found))

    def _offer(self, path: Path, programs: list[Program]) -> None:
        if not programs:
            self._tell_no_program(path)
            return
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for program in programs:
            words = on_button(program.name) or _("Choose a program…")
            menu.addAction(words, partial(self._start, program, path))
        menu.setActiveAction(menu.actions()[0])
        window, pointer = self._window.window(), QCursor.pos()
        menu.popup(pointer if window.geometry().contains(pointer) else window.geometry().center())

    def _start(self, program: Program, path: Path) -> None:
        if not start(program, path):
            self.told.emit(_("{program} could not be started.", program=program.name))

    def export(self, ids: list[int], how: Literal["copy", "link", "csv"]) -> None:
        """Ask for a place, and copy, link or list photographs there."""
        opened = self._opened
        if not ids:
            return
        file, folder = None, ""
        if how == "csv":
            words = _("Write the list as"), "photographs.csv", _("Table (*.csv)")
            file = ask_for_output(self._window, *words, opened.library)
        else:
            folder = QFileDialog.getExistingDirectory(self._window, _("Export to which folder?"))
        if file is None and not folder:
            return

        def work(progress: Progress) -> ExportResult:
            from twinlens.app.library.photo_export import export, export_table

            if file is not None:
                return export_table(opened.library, ids, file, progress)
            return export(opened.library, ids, Path(folder), "link" if how == "link" else "copy", progress)

        self._jobs.begin(work).then(self._on_exported)

    def _on_exported(self, result: ExportResult) -> None:
        words = _("{photographs} photos exported to {target}", photographs=result.photographs, target=result.target)
        if result.refused:
            words += (
                " · "
                + _n("{count} could not be read:", "{count} could not be read:", len(result.refused))
                + f" {result.refused[0]}"
            )
        self.told.emit(words)

    def write_notes(self, ids: list[int]) -> None:
        """Write a person's notes of photographs into XMP files beside them."""
        opened = self._opened
        if not ids:
            return

        def work(progress: Progress) -> WrittenNotes:
            from twinlens.app.notes.written_notes import write_sidecars

            return write_sidecars(opened.library, ids, progress)

        self._jobs.begin(work).then(self._on_written)

    def _on_written(self, result: WrittenNotes) -> None:
        words = _n("{count} XMP file written.", "{count} XMP files written.", len(result.files))
        self.told.emit(f"{words} {text(result.refused[0])}" if result.refused else words)

    def _with_file(self, photograph_id: int, act: Callable[[Path], object]) -> None:
        opened = self._opened
        if photograph_id < 0:
            return

        def work(__: Progress) -> Path:
            from twinlens.app.library.browsing.photographs import original

            return original(opened.library, photograph_id)

        self._finding.begin(work).then(act)


def _paths(opened: OpenLibrary, ids: list[int]) -> list[str]:
    """Return the reachable files of photographs."""
    from twinlens.app.library.browsing.photographs import paths_of, photographs

    if len(ids) > _FEW:
        return [shown(path) for path in paths_of(opened.library, ids, away=False)]
    return [one.path for one in photographs(opened.library, ids) if not one.away]
