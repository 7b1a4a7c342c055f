"""The program in the menu of the system: a Linux desktop's, the Start menu of Windows, or macOS's applications."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

from twinlens.app.machine import desktop_entry, mac_application, start_menu
from twinlens.app.machine.desktop_entry import DesktopResult


class Menu(Protocol):
    """A way to put the program into a menu."""

    def install(self, prefix: Path | None = None) -> DesktopResult:
        """Install the program, under a folder instead of the user's own where one is given."""

    def remove(self, prefix: Path | None = None) -> DesktopResult:
        """Remove the program from the menu."""


_MENUS: dict[str, Menu] = {"darwin": mac_application, "win32": start_menu}


def menu(system: str = sys.platform) -> Menu:
    """Return the menu of a system; every other one follows the rules of Linux desktops."""
    return _MENUS.get(system, desktop_entry)
