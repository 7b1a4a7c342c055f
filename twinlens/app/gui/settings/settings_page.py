"""The page of settings: preferences, places of the data, data that leaves this machine, and the log to report.

Changes are saved and applied immediately, also without a library.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QPlainTextEdit, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.forms.declaration_form import DeclarationForm
from twinlens.app.gui.guide.notices_window import NoticesWindow
from twinlens.app.gui.look.labels import breakable
from twinlens.app.gui.look.page_parts import (
    STRETCH,
    PageCard,
    PageView,
    button,
    column_of,
    command_button,
    label,
    row_of,
)
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.process.jobs import Failure, Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.process.outside_files import reveal_path
from twinlens.app.gui.services.work_queue import QueuedJob, WorkQueue
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, _n, remedy_text, text
from twinlens.app.library.library_results import CheckResult
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import Message
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.machine import preferences
    from twinlens.storage.database.address import Address


_COLUMN_PX = 760  # lines of text must not run across a wide screen
_WIDE_PX = 1080


class DataLocation(NamedTuple):
    """A file or folder that Twinlens keeps, as the page shows it."""

    name: str
    path: str
    what: str
    opens: bool = True


class SettingsPage(PageView):
    """The page of settings; changes are saved, and apply immediately.

    Parameters
    ----------
    address : Address
        Address of the library, existing or not.
    workspace : Workspace, optional
        That of the open library, which can be checked.
    """

    told = Signal(str)
    """A change could not be saved, and why."""
    renewal_wanted = Signal()
    """The window must be made anew for a change."""
    preferences_changed = Signal()
    """A change was saved."""
    libraries_wanted = Signal()
    """The page of libraries is to be shown."""
    closed = Signal()
    """The person wants to go back."""

    def __init__(self, address: Address, jobs: Jobs, workspace: Workspace | None = None) -> None:
        from twinlens.app.machine import preferences

        super().__init__(_("Settings"))
        self._address, self._jobs = address, jobs
        self._opened = None if workspace is None else workspace.opened
        self.set_line(_("Changes apply immediately unless noted."))
        self._defaults = self.add_button(button(_("Standard values"), _("Set everything to its standard")))
        self._defaults.clicked.connect(self._on_defaults)
        if workspace is None:
            self.add_button(button(_("Back"), _("Back"), window_actions()["leave"].keys[0])).clicked.connect(
                self.closed
            )
        else:
            libraries = self.add_button(command_button(_("Libraries…"), window_actions()["libraries"]))
            libraries.clicked.connect(self.libraries_wanted)
        attach(self, window_actions(), {"leave": self.closed.emit})
        self._form = DeclarationForm((preferences.Preferences,), _("Settings"), text_line=False, fold=False)
        self._form.set_value(preferences.load())
        self._form.changed.connect(self._on_changed)
        choices = PageCard()
        choices.column.addWidget(self._form)
        right = [self._privacy_card(), self._report_card()]
        if workspace is not None:
            right.insert(1, CheckCard(workspace.opened, jobs, workspace.work))
        self._columns = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._columns.setSpacing(16)
        for cards in ([choices], right):
            self._columns.addLayout(column_of(*cards, (STRETCH, 1), gap=16), 1)
        self.body.addLayout(self._columns)
        self.body.addStretch(1)
        self.setFocusProxy(self._form)
        self._show_defaults()

    def _privacy_card(self) -> PageCard:
        card = PageCard(_("Where your data is, and what leaves this machine"))
        self._leaves = label(_("Nothing leaves this machine."), "name", wrap=True)
        card.column.addWidget(self._leaves)
        more = _(
            "Your photos stay where they are and are never changed. Twinlens keeps what it has learned about "
            "them in these places, and talks to no other machine; only the demo, when you ask for it, fetches its "
            "photos from the network."
        )
        card.column.addWidget(label(more, wrap=True))
        self._places = column_of(gap=12, margins=(0, 8, 0, 0))
        card.column.addLayout(self._places)
        return card

    def _report_card(self) -> PageCard:
        card = PageCard(_("Version and log"))
        self._version = label("", wrap=True)
        copy_version = button(_("Copy"), _("Copy the version"))
        copy_version.clicked.connect(self._on_copy_version)
        card.column.addLayout(row_of((self._version, 1), copy_version))
        self._log = QPlainTextEdit()
        self._log.setReadOnly(True)
        self._log.setTabChangesFocus(True)
        self._log.setAccessibleName(_("The last lines of the log"))
        self._log.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._log.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._log.setFixedHeight(136)
        self._log.setPlaceholderText(_("The log is empty: nothing went wrong."))
        card.column.addWidget(self._log)
        copy_log = button(_("Copy log"), _("Copy version and log, to report a mistake"))
        copy_log.clicked.connect(self._on_copy_log)
        about = button(_("Parts and licences"), _("About Twinlens"))
        about.clicked.connect(lambda: NoticesWindow(self._jobs, self).show())
        card.column.addLayout(row_of(about, STRETCH, copy_log))
        return card

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Put the other cards beside the preferences in a wide window."""
        super().resizeEvent(event)
        beside = self.width() >= grown(_WIDE_PX)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(across if beside else down)
        self.set_widest((2 if beside else 1) * _COLUMN_PX)

    def set_places(self, places: Sequence[DataLocation]) -> None:
        """Show the folders and files of the program."""
        while (item := self._places.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for place in places:
            self._places.addWidget(self._place_row(place))

    def _place_row(self, place: DataLocation) -> QWidget:
        widget = QWidget()
        row = row_of(on=widget, gap=8, margins=0)
        words = column_of(
            label(place.name, "name"),
            label(breakable(place.path), "quiet", wrap=True),
            label(place.what, "help", wrap=True),
            gap=1,
        )
        row.addLayout(words, 1)
        open_it = button(_("Open"), _("Open {name}", name=place.name))
        copy_it = button(_("Copy"), _("Copy the path of {name}", name=place.name))
        open_it.clicked.connect(lambda: reveal_path(place.path, self.told.emit))
        copy_it.clicked.connect(lambda: QGuiApplication.clipboard().setText(place.path))
        row.addWidget(copy_it)
        row.addWidget(open_it)
        open_it.setVisible(place.opens)  # a server has no folder on this machine
        return widget

    def set_version(self, text: str) -> None:
        """Set the version of the program, with those of Python and Qt."""
        self._version.setText(text)

    def set_log(self, text: str) -> None:
        """Show the last lines of the log."""
        self._log.setPlainText(text)
        bar = self._log.verticalScrollBar()
        bar.setValue(bar.maximum())

    def focus(self) -> None:
        """Show the preferences, and focus the page."""
        self.refresh()
        super().focus()

    def refresh(self) -> None:
        """Show the preferences, and the newest lines of the log."""
        from twinlens.app.machine import app_folders, faults, preferences

        self._form.set_value(preferences.load())
        self._show_defaults()
        where, known = self._address, _("what is known of your photos, and your searches")
        self.set_places(
            [
                DataLocation(_("Library"), where.shown, known, where.is_file),
                DataLocation(_("Cache"), str(app_folders.cache_folder()), _("thumbnails; may be deleted at any time")),
                DataLocation(_("Log"), str(app_folders.log_folder()), _("what went wrong")),
            ]
        )
        if not where.is_file:
            self._leaves.setText(
                _("The server {library} stores your photos' data and thumbnails.", library=where.title)
            )
        self.set_version(faults.version_text())
        self.set_log(faults.last_lines(200))

    def _on_changed(self) -> None:
        from twinlens.app.machine import preferences

        self._show_defaults()
        chosen, before = cast("preferences.Preferences", self._form.value()), preferences.load()
        try:
            preferences.keep(chosen)
        except TwinlensError as error:
            self.told.emit(text(error))
        self.preferences_changed.emit()
        opened = self._opened
        if opened is not None and chosen.thumbnail_cache < before.thumbnail_cache:
            self._jobs.begin(lambda __: opened.library.prune_thumbnails())
        if chosen.theme != before.theme:
            application = QApplication.instance()
            assert isinstance(application, QApplication)
            apply_theme(application, scheme=chosen.theme)
        if (chosen.language, chosen.text_size) != (before.language, before.text_size):
            self.renewal_wanted.emit()

    def _on_defaults(self) -> None:
        from twinlens.app.machine.preferences import Preferences

        if self._form.value() != Preferences():
            self._form.set_value(Preferences())
            self._on_changed()

    def _show_defaults(self) -> None:
        from twinlens.app.machine.preferences import Preferences

        self._defaults.setEnabled(self._form.value() != Preferences())

    def _on_copy_version(self) -> None:
        QGuiApplication.clipboard().setText(self._version.text())

    def _on_copy_log(self) -> None:
        QGuiApplication.clipboard().setText(f"{self._version.text()}\n\n{self._log.toPlainText()}")


def workspace_settings(window: Workspace) -> SettingsPage:
    """Return the page of settings of a workspace."""
    page = SettingsPage(window.opened.address, window.jobs, window)
    page.closed.connect(window.left)
    page.told.connect(window.status.show_message)
    page.preferences_changed.connect(window.preferences_changed)
    page.libraries_wanted.connect(partial(window.show_view, "libraries"))
    page.renewal_wanted.connect(window.renewal_wanted)
    return page


_SHOWN = 12  # findings shown; the command line lists all


class CheckCard(PageCard):
    """The card that checks the library in its turn among long work, and shows what it finds."""

    def __init__(self, opened: OpenLibrary, jobs: Jobs, queue: WorkQueue) -> None:
        super().__init__()
        self._opened, self._jobs, self._queue = opened, jobs, queue
        self._checking: QueuedJob | None = None
        self.column.addWidget(label(_("Check the library"), "name"))
        self._line = label("", wrap=True)
        self._findings = label("", "help", wrap=True)
        # It contains names of photographs and indexes, which are plain text.
        for one in (self._line, self._findings):
            one.setTextFormat(Qt.TextFormat.PlainText)
        self.check_button = button(_("Check"), _("Check the library"))
        self.repair_button = button(_("Repair"), _("Repair what can be repaired"))
        self.stop_button = button(_("Stop"), _("Stop checking"))
        self.check_button.clicked.connect(lambda: self._start(repair=False))
        self.repair_button.clicked.connect(lambda: self._start(repair=True))
        self.stop_button.clicked.connect(self._stop)
        self.column.addWidget(self._line)
        self.column.addWidget(self._findings)
        self.column.addLayout(row_of(STRETCH, self.stop_button, self.repair_button, self.check_button))
        self._show_nothing()

    def _start(self, repair: bool) -> None:
        opened = self._opened

        def work(progress: Progress) -> CheckResult:
            from twinlens.app.library.maintenance import check_library, repair_library

            return (repair_library if repair else check_library)(opened.library, progress)

        words = _("Repairing the library…") if repair else _("Checking the library…")
        self._show(_("Waiting for other long work"), running=True)
        job = self._checking = self._queue.run(words, work)
        job.then(self._show_result).failed(self._on_failed).stopped(self._show_nothing).progressed(self._on_progressed)
        job.began(lambda: self._show(words, running=True))

    def _stop(self) -> None:
        if self._checking is not None:
            self._checking.cancel()

    def _on_progressed(self, done: float, total: float, doing: Message) -> None:
        if total > 0:
            self._show(_("{share:.0%} · {doing}", share=done / total, doing=doing), running=True)

    def _on_failed(self, failure: Failure) -> None:
        self._show_nothing()
        self._jobs.failed.emit(failure)

    def _show_nothing(self) -> None:
        self._show(_("Twinlens reads everything it has stored and finds what is damaged."))

    def _show_result(self, result: CheckResult) -> None:
        if result.findings:
            line = _n("Damaged or incomplete: {count}", "Damaged or incomplete: {count}", len(result.findings))
        elif result.repaired and not result.kept:
            line = _("Repaired.")
        elif result.repaired:
            line = _("Repaired. The library as it was before is kept in {kept}.", kept=result.kept)
        else:
            line = _("The library is whole.")
        lines = [text(finding) for finding in result.findings[:_SHOWN]]
        if len(result.findings) > _SHOWN:
            lines.append("…")
        if result.repairable < len(result.findings):
            lines.append(remedy_text(Remedy("restore backup")))
        self._show(line, "\n".join(lines), repairable=result.repairable > 0)

    def said(self) -> str:
        """Return the shown text."""
        return f"{self._line.text()}\n{self._findings.text()}"

    def _show(self, line: str, findings: str = "", repairable: bool = False, running: bool = False) -> None:
        self._line.setText(line)
        self._findings.setText(findings)
        self._findings.setVisible(bool(findings))
        self.repair_button.setVisible(repairable)
        self.stop_button.setVisible(running)
        self.check_button.setEnabled(not running)
