"""Actions of the duplicates."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def duplicate_actions() -> dict[str, Action]:
    """Declare what can be done with groups of duplicates."""
    return declare(
        "duplicates",
        _("Duplicates"),
        {
            "side by side": (_("See the group side by side"), "Return / Enter"),
            "keep": (_("Keep this photo instead"), "K"),
            "let go": (_("Remove this photo, or keep it"), "X"),
            "copies": (_("Remove all copies of the group, or none"), "Del"),
            "by rules": (_("Let the rules decide this group again"), "R"),
            "refuse": (_("These are not duplicates"), "N"),
            "next undecided": (_("Next undecided group"), "U"),
            "clean": (_("Move the copies to the trash…"), "Ctrl+Return"),
            "move": (_("Move the copies to a folder…"), ""),
            "map": (_("Show the group on the map"), "M"),
            "log": (_("Photos moved so far…"), ""),
            "find": (_("Compare all photos again"), ""),
            "table": (_("Save the list as a table…"), ""),
            "sheet": (_("Save the list as a page with pictures…"), ""),
        },
        keys_only=("side by side", "keep", "let go", "copies", "by rules", "refuse", "map"),
    )
