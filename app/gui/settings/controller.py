"""Controller of the settings page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.gui.frame.window import Window
from app.gui.look.appearance import apply_theme
from app.gui.settings.library_check import LibraryCheck
from app.gui.settings.settings_page import Place, SettingsPage
from app.language.spoken import _, text
from core.errors import TwinlensError

if TYPE_CHECKING:
    from app.machine.preferences import Preferences


class SettingsControl(QObject):
    """The page of the settings."""

    def __init__(self, window: Window) -> None:
        from app.machine import preferences

        page = self.view = SettingsPage(preferences.load())
        super().__init__(self.view)
        self._window, self._opened = window, window.opened
        page.changed.connect(self._on_preferences)
        page.open_wanted.connect(window.actions_.reveal_path)
        page.shortcuts_wanted.connect(window.show_shortcuts)
        page.closed.connect(window.leave)
        self._library_check = LibraryCheck(page.check_card, window.opened, window.jobs, self)
        self.refresh()

    def focus(self) -> None:
        """Focus the page."""
        self.refresh()
        self.view.setFocus()

    def refresh(self) -> None:
        """Show what is set, and the newest lines of the log."""
        from app.machine import faults, places, preferences
        from app.machine.version import version_text

        self.view.set_preferences(preferences.load())
        library = str(self._opened.path)
        kept = [
            Place(_("Library"), library, _("what is known of your photographs, and your searches")),
            Place(_("Cache"), str(places.cache_folder()), _("thumbnails; may be deleted at any time")),
            Place(_("Log"), str(places.log_folder()), _("what went wrong")),
        ]
        self.view.set_places(kept)
        self.view.set_version(version_text())
        self.view.set_log(faults.last_lines(200))

    def state(self) -> dict[str, Any]:
        """Return nothing: preferences are kept as they are changed."""
        return {}

    def _on_preferences(self, chosen: Preferences) -> None:
        from app.machine import preferences

        before = preferences.load()
        try:
            preferences.keep(chosen)
        except TwinlensError as error:
            self._window.status.show_message(text(error))
        opened = self._opened
        if chosen.thumbnail_cache < before.thumbnail_cache:
            self._window.jobs.begin(lambda __: opened.library.prune_thumbnails())
        if chosen.theme != before.theme:
            application = QApplication.instance()
            assert isinstance(application, QApplication)
            apply_theme(application, scheme=chosen.theme)
        if (chosen.language, chosen.text_size) != (before.language, before.text_size):
            self._window.renew()
