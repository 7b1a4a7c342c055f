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
            "let go": (_("Let this photo go, or keep it"), "X"),
            "copies": (_("Let all copies of the group go, or none"), "Del"),
            "by rules": (_("Decide the group by the rules again"), "R"),
            "refuse": (_("These are no duplicates"), "N"),
            "next undecided": (_("Next undecided group"), "U"),
            "clean": (_("Move what goes to the trash…"), "Ctrl+Return"),
            "move": (_("Move what goes to a folder…"), ""),
            "map": (_("Show the group on the map"), "M"),
            "log": (_("What was moved away…"), ""),
            "find": (_("Compare all photos anew"), ""),
            "table": (_("Save the list as a table…"), ""),
            "sheet": (_("Save the list as a page with pictures…"), ""),
        },
        keys_only=("side by side", "keep", "let go", "copies", "by rules", "refuse", "map"),
    )
