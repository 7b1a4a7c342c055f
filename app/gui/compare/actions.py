"""Actions of the compare view."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def compare_actions() -> dict[str, Action]:
    """Declare what can be done with the columns of a comparison."""
    return declare(
        "compare",
        _("Compare"),
        {
            "ask": (_("Ask with this photo"), "Enter"),
            "another": (_("Ask with another photo, by chance"), "N"),
            "add": (_("Add a column"), "A"),
            "change": (_("Change the column"), "E"),
            "remove": (_("Take the column away"), "Del"),
            "left": (_("Move the column to the left"), "Ctrl+Left"),
            "right": (_("Move the column to the right"), "Ctrl+Right"),
            "pin": (_("Pin the column"), "P"),
            "keep": (_("Keep the column as an index"), "Ctrl+S"),
            "reference": (_("What all are held against"), "R"),
            "menu": (_("What can be done with the column"), "Alt+Down"),
            "all": (_("Find in all photos again"), "Shift+F"),
            "more": (_("More photos"), "M"),
            "fewer": (_("Fewer photos"), "Shift+M"),
            "larger": (_("Larger"), "Ctrl++ / Ctrl+="),
            "smaller": (_("Smaller"), "Ctrl+-"),
            "export": (_("Export picture or numbers"), "X"),
        },
        keys_only=("ask",),
    )
