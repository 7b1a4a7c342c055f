"""Actions of the page of the indexes."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def index_actions() -> dict[str, Action]:
    """Declare what can be done with indexes."""
    return declare(
        "indexes",
        _("Indexes"),
        {
            "new": (_("New index"), "Ctrl+N"),
            "rename": (_("Rename the index"), "F2"),
            "delete": (_("Delete the index"), "Del"),
            "copy": (_("Copy the text that describes the index"), "Ctrl+C"),
            "default": (_("Make it the index that is searched"), "Ctrl+M"),
        },
    )
