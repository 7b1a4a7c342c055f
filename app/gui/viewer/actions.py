"""Actions on a photograph that is shown large."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def viewer_actions() -> dict[str, Action]:
    """Declare what can be done with a large photograph."""
    return declare(
        "",
        _("Large photo"),
        {
            "previous": (_("The photo before"), "Left"),
            "next": (_("The next photo"), "Right"),
            "larger": (_("Larger"), "+"),
            "smaller": (_("Smaller"), "-"),
            "whole": (_("Whole"), "0"),
            "full size": (_("100 %"), "1"),
            "similar": (_("Similar to what was asked"), "S"),
            "different": (_("Different from what was asked"), "D"),
            "crop": (_("Search with a part of it"), "R"),
            "search": (_("Find look-alikes"), "Enter"),
            "close": (_("Back"), "Esc / Space"),
        },
        "large",
    )
