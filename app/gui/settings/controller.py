"""Controller of the settings page of an open library."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject

from app.gui.frame.window import WorkspaceServices
from app.gui.settings.choosing import SettingsChanges
from app.gui.settings.library_check import LibraryCheck
from app.gui.settings.settings_page import SettingsPage


class SettingsControl(QObject):
    """The page of the settings, with the check of the library."""

    def __init__(self, window: WorkspaceServices) -> None:
        from app.machine import preferences

        page = self.view = SettingsPage(preferences.load())
        super().__init__(self.view)
        opened = window.opened
        page.closed.connect(window.leave)
        self._library_check = LibraryCheck(page.check_card, opened, window.jobs, self)
        self._choosing = SettingsChanges(page, opened.address, window.jobs)
        self._choosing.told.connect(window.status.show_message)
        self._choosing.renewal_wanted.connect(window.renew)
        self._choosing.room_shrunk.connect(lambda: window.jobs.begin(lambda __: opened.library.prune_thumbnails()))

    def focus(self) -> None:
        """Focus the page."""
        self.refresh()
        self.view.setFocus()

    def refresh(self) -> None:
        """Show what is set, and the newest lines of the log."""
        self._choosing.refresh()

    def state(self) -> dict[str, Any]:
        """Return nothing: preferences are kept as they are changed."""
        return {}
