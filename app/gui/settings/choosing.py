"""Keeps changes of the settings and applies them immediately; needs no library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from app.gui.look.appearance import apply_theme
from app.gui.notices.notices_window import NoticesWindow
from app.gui.process.file_manager import reveal_path
from app.gui.settings.settings_page import DataLocation, SettingsPage
from app.language.spoken import _, text
from core.errors import TwinlensError

if TYPE_CHECKING:
    from app.gui.process.jobs import Jobs
    from app.machine.preferences import Preferences
    from storage.database.address import Address


class SettingsChanges(QObject):
    """Shows on a page what is set, and keeps what is chosen there.

    Parameters
    ----------
    page : SettingsPage
    library : Address
        Where the library lies, or would.
    jobs : Jobs

    Signals
    -------
    told : str
        Why something could not be kept.
    renewal_wanted
        The window must be made anew for what was chosen.
    room_shrunk
        Thumbnails may take less room than before.
    """

    told = Signal(str)
    renewal_wanted = Signal()
    room_shrunk = Signal()

    def __init__(self, page: SettingsPage, library: Address, jobs: Jobs) -> None:
        super().__init__(page)
        self._page, self._library = page, library
        page.notices_wanted.connect(lambda: NoticesWindow(jobs, page).show())
        page.changed.connect(self._on_chosen)
        page.open_wanted.connect(reveal_path)

    def refresh(self) -> None:
        """Show what is set, and the newest lines of the log."""
        from app.machine import faults, places, preferences
        from app.machine.version import version_text

        self._page.set_preferences(preferences.load())
        kept = [
            DataLocation(
                _("Library"),
                self._library.shown,
                _("what is known of your photos, and your searches"),
                self._library.is_file,
            ),
            DataLocation(_("Cache"), str(places.cache_folder()), _("thumbnails; may be deleted at any time")),
            DataLocation(_("Log"), str(places.log_folder()), _("what went wrong")),
        ]
        self._page.set_places(kept)
        if not self._library.is_file:
            self._page.set_server(self._library.title)
        self._page.set_version(version_text())
        self._page.set_log(faults.last_lines(200))

    def _on_chosen(self, chosen: Preferences) -> None:
        from app.machine import preferences

        before = preferences.load()
        try:
            preferences.keep(chosen)
        except TwinlensError as error:
            self.told.emit(text(error))
        if chosen.thumbnail_cache < before.thumbnail_cache:
            self.room_shrunk.emit()
        if chosen.theme != before.theme:
            application = QApplication.instance()
            assert isinstance(application, QApplication)
            apply_theme(application, scheme=chosen.theme)
        if (chosen.language, chosen.text_size) != (before.language, before.text_size):
            self.renewal_wanted.emit()
