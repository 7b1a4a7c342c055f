"""Actions of the page of the problems."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def problem_actions() -> dict[str, Action]:
    """Declare what can be done with files that could not be read."""
    return declare(
        "problems",
        _("Problems"),
        {
            "retry": (_("Read again what is chosen"), "R"),
            "retry all": (_("Read all these files again"), "Shift+R"),
            "ignore": (_("Set the problem aside"), "I"),
        },
    )
