"""Actions on photographs, wherever they are shown, and those of the library."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def photograph_actions() -> dict[str, Action]:
    """Declare what can be done with the photographs that are selected, or with the current one."""
    return declare(
        "",
        _("Photos"),
        {
            "search": (_("Find look-alikes; of several together"), "Enter"),
            "large": (_("Show large"), "Space"),
            "side by side": (_("See two to four side by side"), "Ctrl+B"),
            "compare": (_("Compare indexes by what is chosen"), "Ctrl+Shift+C"),
            "map": (_("Show on the map"), "Ctrl+Shift+M"),
            "in library": (_("Show in the library"), ""),
            "explore": (_("Explore with this photo"), ""),
            "alike": (_("These are alike"), "S"),
            "different": (_("These two are different"), "D"),
            "copy": (_("Copy"), "Ctrl+C"),
            "open": (_("Open in another program"), "Ctrl+Return"),
            "reveal": (_("Show in the file manager"), "Ctrl+Shift+R"),
            "export": (_("Export copies…"), "Ctrl+Shift+E"),
            "export links": (_("Export links…"), ""),
            "export table": (_("Export a table…"), ""),
            "menu": (_("Everything that can be done with it"), "Menu / Shift+F10"),
            "all": (_("Select all"), "Ctrl+A"),
            "one more": (_("Select one more, or one less"), "Ctrl+Space"),
            "larger": (_("Larger thumbnails"), "Ctrl++"),
            "smaller": (_("Smaller thumbnails"), "Ctrl+-"),
        },
        "photograph",
    )


def library_actions() -> dict[str, Action]:
    """Declare what can be done in the library."""
    return declare(
        "library",
        _("Library"),
        {
            "filter": (_("Filter; or just type"), "Ctrl+F"),
            "by date": (_("By date"), "Ctrl+D"),
            "by folder": (_("By folder"), "Ctrl+Shift+D"),
            "names": (_("Names and dates under the photos, or none"), "Ctrl+Shift+N"),
            "forget": (_("Forget the chosen folder; its files are untouched"), "Del"),
        },
    )
