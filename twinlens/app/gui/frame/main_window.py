"""The main window: rail, status line, and the workspace of the open library.

A new window takes over the state of the one before: its view, searches, columns and filters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QMainWindow,
    QStackedWidget,
    QWidget,
)

from twinlens.app.gui.frame import failures
from twinlens.app.gui.frame.failures import FailureView
from twinlens.app.gui.frame.kept_windows import keep_geometry, known_servers, restore_geometry
from twinlens.app.gui.frame.rail import Rail
from twinlens.app.gui.look.page_parts import column_of, row_of
from twinlens.app.gui.process.jobs import Failure, GarbageCollector, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary, open_library
from twinlens.app.gui.services.dropped_files import DropSign, dragged_files, drop_sentences
from twinlens.app.gui.services.status_line import StatusLine
from twinlens.app.language.texts import _, _n, describe_remedies
from twinlens.app.machine import app_folders
from twinlens.core.progress import Progress
from twinlens.storage.database.address import Address

if TYPE_CHECKING:
    from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
    from twinlens.app.gui.search.window_search import WindowSearch
    from twinlens.app.gui.services.workspace import HistoryPlace
    from twinlens.app.library.library_results import FileResult
    from twinlens.app.search.search_query import SearchQuery


_SETTLED_MS = 300  # delay after which a new workspace does its postponed work


class MainWindow(QMainWindow):
    """The window of one library, which shows at once and opens the library in a job.

    Parameters
    ----------
    where : Address or Path or None
        The library; a missing file is created. None for the usual one.
    """

    opened = Signal()
    renewal_wanted = Signal()
    """The window is to be made anew, in another language or text size."""
    other_chosen = Signal(object)
    """Another library, by its address, is to be opened in this window."""

    def __init__(self, where: Address | Path | None = None) -> None:
        super().__init__()
        self.setWindowTitle("Twinlens")
        self.setAcceptDrops(True)
        self.setMinimumSize(820, 560)
        self._address = None if where is None else Address.of(where)
        restore_geometry(self, self._address)
        self._workspace: LibraryWorkspace | None = None
        self._jobs = Jobs(self)
        self._opening = self._jobs.latest()
        self._collecting = GarbageCollector(self.busy, self)
        self._unused: list[OpenLibrary] = []  # opened, but not shown yet
        self._unclosed: list[Callable[[], None]] = []  # pending work to close libraries that were left
        self._given: list[Path] = []  # files that arrived before the library was open
        self._carried: SavedWindowState | None = (
            None  # state of another window, or of this one when the library's file was gone
        )
        self._lost = False
        self.failed = False  # the library could not be opened, or is gone
        self.rail, self.status, self.failure = Rail(), StatusLine(), FailureView()
        self._middle = QStackedWidget()
        self.rail.setEnabled(False)  # its views need an open library
        self._lay_out()
        describe_remedies(failures.remedy_advice)
        self.failure.again_wanted.connect(self._open)
        self.failure.libraries_wanted.connect(self.show_libraries)
        self.failure.server_wanted.connect(self.choose_server)
        self.failure.settings_wanted.connect(self._show_settings)
        QTimer.singleShot(0, self, self._open)

    def _lay_out(self) -> None:
        body = QWidget()
        column_of((row_of(self.rail, (self._middle, 1), gap=0), 1), self.status, on=body, gap=0, margins=0)
        self._middle.addWidget(QWidget())  # until the library is open
        self._middle.addWidget(self.failure)
        self.setCentralWidget(body)
        self.drop_sign = DropSign(body)

    @property
    def workspace(self) -> LibraryWorkspace:
        """Return the workspace of the open library.

        Raises
        ------
        LookupError
            If none is open.
        """
        if self._workspace is None:
            raise LookupError("no library is open")
        return self._workspace

    def is_open(self) -> bool:
        """Return whether a library is open."""
        return self._workspace is not None

    def busy(self) -> bool:
        """Return whether any job runs."""
        return self._jobs.busy() or (self._workspace is not None and self._workspace.jobs.busy())

    @property
    def finished(self) -> bool:
        """Return whether the window is closing."""
        return self._jobs.finished

    # --- opening and closing a library -------------------------------------------------------------------------------

    def open(self, where: Address | Path) -> None:
        """Show another library from now on."""
        address = Address.of(where)
        if self._workspace is not None and address.key == self._workspace.opened.address.key:
            return  # it is shown
        self._address, self._lost, self._carried = address, False, None
        if self._workspace is not None:
            keep_geometry(self, self._workspace.opened.address, self._workspace.shared.photographs)
            self._leave(self._workspace.leave_library())
        self._open()

    def show_libraries(self) -> None:
        """Show the libraries without an open one; leaving them leads back to the failure."""
        page = import_module("twinlens.app.gui.frame.libraries_page").LibrariesPage(self._where())
        page.chosen.connect(self.other_chosen)
        page.server_wanted.connect(self.choose_server)
        page.restore_wanted.connect(self.restore)
        self._show_beside_failure(page, page.closed)

    def choose_server(self) -> None:
        """Ask for a library on a server to show."""
        from twinlens.app.gui.frame.server_dialog import ServerDialog

        dialog = ServerDialog(known_servers(), self._jobs, self)
        dialog.accepted.connect(lambda: self.other_chosen.emit(dialog.address()))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _open(self) -> None:
        self.failed = False
        # A library that was shown here and is gone is not replaced by an empty one.
        address, create = self._address, not self._lost

        def work(__: Progress) -> OpenLibrary:
            import_module("twinlens.app.gui.frame.library_workspace")  # behind the window, which shows before it
            opened = open_library(address, create)
            self._unused.append(opened)  # closed at the end, even if the window closes before it takes the library
            return opened

        self._opening.begin(work).then(self._on_opened).failed(self._on_failed)

    def _on_opened(self, opened: OpenLibrary) -> None:
        from twinlens.app.gui.frame.commands import WorkspaceCommands
        from twinlens.app.gui.frame.library_workspace import LibraryWorkspace

        self._unused.remove(opened)
        self.setWindowTitle(f"Twinlens · {opened.address.title}")
        made = self._workspace = LibraryWorkspace(opened, self.rail, self.status)
        WorkspaceCommands(made)
        self._middle.addWidget(made)
        self._middle.setCurrentWidget(made)
        self.rail.setEnabled(True)
        made.lost.connect(self._on_lost)
        made.imported.connect(self._collecting.settle)
        made.renewal_wanted.connect(self.renewal_wanted)
        made.library_wanted.connect(self.other_chosen)
        made.restore_wanted.connect(self.restore)
        made.server_wanted.connect(self.choose_server)
        made.show_focus()
        self._lost = False
        carried, self._carried = self._carried, None
        if not self._given:
            bring = made.return_to_kept if carried is None else partial(carried.bring, made)
            # The list of the indexes tells whether results can be checked.
            made.indexes.listed.connect(lambda __: bring(), Qt.ConnectionType.SingleShotConnection)
        QTimer.singleShot(_SETTLED_MS, made, made.settle)
        self.opened.emit()
        given, self._given = self._given, []
        if given:
            QTimer.singleShot(0, made, lambda: made.taking.take_files(given))  # which makes the search

    def standing(self) -> tuple[SavedWindowState | None, bool]:
        """Return the state of the window, also of one whose library is gone, and whether it is gone."""
        return (SavedWindowState.of(self.workspace) if self.is_open() else self._carried), self._lost

    def carry(self, carried: SavedWindowState | None, lost: bool) -> None:
        """Take over the state of another window of this library, once it is open; a lost library is not created."""
        self._carried, self._lost = carried, lost

    def _on_lost(self, failure: Failure) -> None:
        self._lost, self._carried = True, SavedWindowState.of(self.workspace)
        self._leave(self.workspace.drop_library())
        self._on_failed(failure)

    def _on_failed(self, failure: Failure) -> None:
        self.failed = True
        self.failure.say(failure.sentence, failure.next_step)
        self._middle.setCurrentWidget(self.failure)
        self.failure.setFocus()

    def _show_settings(self) -> None:
        """Show the settings without a library; leaving them leads back to the failure."""
        from twinlens.app.gui.settings.settings_page import SettingsPage

        page = SettingsPage(self._where(), self._jobs)
        page.refresh()
        page.told.connect(self.status.show_message)
        page.renewal_wanted.connect(self.renewal_wanted)
        self._show_beside_failure(page, page.closed)

    def _where(self) -> Address:
        return self._address or Address.of(app_folders.default_library())

    def _show_beside_failure(self, page: QWidget, closed: SignalInstance) -> None:
        closed.connect(partial(self._middle.setCurrentWidget, self.failure))
        closed.connect(self.failure.setFocus)
        closed.connect(page.deleteLater)
        self._middle.addWidget(page)
        self._middle.setCurrentWidget(page)
        page.setFocus()

    def restore(self, backup: Path) -> None:
        """Put a backup in the place of the library, which is closed meanwhile; what was there is kept."""
        if self._workspace is not None:
            self._leave(self._workspace.leave_library(), partial(self._restore, backup))
        else:
            self._restore(backup)

    def _restore(self, backup: Path) -> None:
        where = self._where()
        self._middle.setCurrentIndex(0)
        self.status.begin(_("Restoring the backup…"))

        def work(progress: Progress) -> FileResult:
            from twinlens.app.library.library import Library

            return Library.restore(where, backup, progress)

        def over(offer: Callable[[LibraryWorkspace], None]) -> None:
            self.status.end()
            self.opened.connect(lambda: offer(self.workspace), Qt.ConnectionType.SingleShotConnection)
            self._open()

        def then(result: FileResult) -> None:
            words = _n(
                "The library has {count} photo again.", "The library has {count} photos again.", result.photographs
            )
            kept = result.kept
            if kept is None:
                over(lambda made: made.status.show_message(words))
            else:
                words += " " + _("What was there before is kept in {kept}.", kept=kept)
                over(lambda made: made.undoing.offer_action(words, _("Undo"), partial(self.restore, Path(kept))))

        job = self._opening.begin(work).then(then).progressed(self.status.show_progress)
        job.failed(lambda failure: over(lambda made: made.status.show_message(failure.words())))
        job.stopped(lambda: over(lambda made: made.status.show_message(_("Stopped; nothing was changed."))))
        self.status.cancel_wanted.connect(job.cancel, Qt.ConnectionType.SingleShotConnection)

    def _leave(self, rest: Callable[[], None], then: Callable[[], None] = lambda: None) -> None:
        """Drop the workspace; the rest of closing runs in a job."""
        workspace, self._workspace = self.workspace, None
        self._unclosed.append(rest)

        def work(__: Progress) -> None:
            self._unclosed.remove(rest)  # it runs: if the window closes meanwhile, it waits for the job
            rest()

        def over(__: None) -> None:
            workspace.deleteLater()
            then()

        self._jobs.begin(work).then(over)
        self.rail.setEnabled(False)
        self._middle.setCurrentIndex(0)
        self._middle.removeWidget(workspace)
        workspace.setParent(None)
        self.status.clear()

    def take_files(self, paths: list[Path]) -> None:
        """Add folders and search with pictures, once the library is open."""
        if self._workspace is None:
            self._given += paths
        else:
            self._workspace.taking.take_files(paths)

    def finish(self, hide: bool = False) -> None:
        """Stop all jobs, save the state of the window, and close the library."""
        if self._jobs.finished:
            return
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            photographs = workspace.shared.photographs
            self._unclosed.append(workspace.leave_library())
            keep_geometry(self, self._address, photographs)
        if hide:
            self.hide()  # a window that is stopping would seem to hang
        self._jobs.finish()
        for rest in self._unclosed:
            rest()
        self._unclosed.clear()
        self._collecting.finish()
        for one in self._unused:
            one.library.close()
        self._unused.clear()

    # --- dropped files -----------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Accept files, folders and pictures, except our own photographs, and show the effect of dropping them."""
        if event.source() is None and (event.mimeData().hasUrls() or event.mimeData().hasImage()):
            event.acceptProposedAction()
            view, last = "library", ""
            if self._workspace is not None:
                view, last = self._workspace.view(), self._workspace.work.last_waiting()
            title, more = drop_sentences(*dragged_files(event.mimeData()), view, last)
            if title:
                self.drop_sign.say(title, more)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the sign."""
        super().dragLeaveEvent(event)
        self.drop_sign.hide()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        """Add folders; search with pictures."""
        event.acceptProposedAction()
        self.drop_sign.hide()
        if self._workspace is not None:
            self._workspace.taking.take_data(event.mimeData())
        else:
            self.take_files([Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()])

    # --- Qt's events -------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Press the focused button with Enter, as Qt does with Space only; letters go to the library's filter."""
        held = self.focusWidget()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(held, QAbstractButton):
            held.click()
        elif not (self._workspace is not None and self._workspace.take_letter(event)):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Stop running work and close; finished work is kept."""
        self.finish(hide=True)
        super().closeEvent(event)


@dataclass(frozen=True)
class SavedWindowState:
    """The state of a window beyond the state that the library saves.

    Attributes
    ----------
    places : tuple
        Places of the history.
    asked : WindowSearch or None
        The search.
    compared : SearchQuery or None
        The query of the comparison.
    """

    view: str
    places: tuple[tuple[HistoryPlace, ...], HistoryPlace | None, tuple[HistoryPlace, ...]]
    asked: WindowSearch | None
    compared: SearchQuery | None
    filters: dict[str, str]
    folder: str | None

    @classmethod
    def of(cls, workspace: LibraryWorkspace) -> SavedWindowState:
        """Return the state of a window."""
        return cls(
            workspace.view(),
            workspace.history.places(),
            workspace.searching.present() if workspace.views.made("search") else None,
            workspace.comparing.query if workspace.views.made("compare") else None,
            workspace.side.filters(),
            workspace.side.folder(),
        )

    def bring(self, workspace: LibraryWorkspace) -> None:
        """Restore it in another window, once its library is open and its indexes are known."""
        workspace.side.choose(self.filters, self.folder)
        if self.asked is not None:
            workspace.searching.return_to(self.asked)
        if self.compared is not None:
            workspace.comparing.ask(self.compared)
        workspace.show_view(self.view)
        workspace.history.restore(self.places)
