"""Actions of the map."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def map_actions() -> dict[str, Action]:
    """Declare what can be done with the map."""
    return declare(
        "map",
        _("Map"),
        {
            "closer": (_("Closer"), "+ / ="),
            "further": (_("Further"), "- / _"),
            "whole": (_("All of it, or all that is selected"), "F / 0 / Home"),
            "next": (_("The next photo that way"), _("Arrow")),
            "move": (_("Move the map"), _("Shift+Arrow")),
            "lasso": (_("Draw a lasso; or drag with Shift"), "L"),
            "colour": (_("Select all of this colour"), "K"),
            "seen": (_("Select all that is seen"), "Ctrl+A"),
            "in library": (_("Show what is selected in the library"), "G"),
            "by cluster": (_("Colour by cluster"), "1"),
            "by folder": (_("Colour by folder"), "2"),
            "by date": (_("Colour by date"), "3"),
            "by mark": (_("Colour by mark"), "4"),
            "by likeness": (_("Colour by how like this photo others are"), "5 / Q"),
            "index": (_("The next index"), "I"),
            "layout": (_("The other layout"), "P"),
            "names": (_("Names of clusters, or none"), "N"),
            "more": (_("More about the map"), "M"),
            "export": (_("Export"), "X"),
            "overview": (_("The overview in the corner of the map"), "O"),
        },
        keys_only=("next", "move"),
    )
