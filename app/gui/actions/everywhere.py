"""Actions of the whole window."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def window_actions() -> dict[str, Action]:
    """Declare what applies everywhere."""
    return declare(
        "",
        _("Everywhere"),
        {
            "library": (_("Library"), "Ctrl+1"),
            "search": (_("Search"), "Ctrl+2"),
            "duplicates": (_("Duplicates"), "Ctrl+3"),
            "map": (_("Map"), "Ctrl+4"),
            "learn": (_("Learn"), "Ctrl+5"),
            "lab": (_("Lab"), "Ctrl+6"),
            "compare": (_("Compare indexes"), "Ctrl+7"),
            "indexes": (_("Indexes"), "Ctrl+8"),
            "problems": (_("Problems"), "Ctrl+9"),
            "settings": (_("Settings"), "Ctrl+,"),
            "back": (_("Back to where I was"), "Alt+Left"),
            "forward": (_("Forward again"), "Alt+Right"),
            "palette": (_("Do something by its name"), "Ctrl+Shift+P"),
            "guide": (_("Guide"), "F1"),
            "keys": (_("All keys"), "Ctrl+F1"),
            "about": (_("About Twinlens"), ""),
            "undo": (_("Undo"), "Ctrl+Z"),
            "redo": (_("Redo"), "Ctrl+Shift+Z / Ctrl+Y"),
            "history": (_("What was done, step by step"), "Ctrl+Alt+Z"),
            "add": (_("Add a folder"), "Ctrl+O"),
            "rescan": (_("Look for new and changed photos"), "F5"),
            "pause": (_("Pause what runs, or let it go on"), "Ctrl+P"),
            "cancel": (_("Cancel what runs"), "Ctrl+."),
            "side": (_("Folders and filters at the left, or none"), "F9"),
            "full screen": (_("Full screen, or back to the window"), "F11"),
            "new index": (_("New index"), ""),
            "open library": (_("Open another library"), ""),
            "open server": (_("Open a library on a server"), ""),
            "colours": (_("Ask with colours or a sketch"), "Ctrl+K"),
            "add colours": (_("Add colours or a sketch to the search"), "Ctrl+Shift+K"),
            "words": (_("Search with words"), "Ctrl+T"),
            "paste": (_("Search with the picture or path on the clipboard"), "Ctrl+V"),
            "quit": (_("Close"), "Ctrl+Q"),
        },
        "window",
    )
