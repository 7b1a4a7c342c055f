"""Actions of the search view."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def search_actions() -> dict[str, Action]:
    """Declare what can be done with a search and its results."""
    return declare(
        "search",
        _("Search"),
        {
            "more like": (_("More like this"), "+"),
            "not like": (_("Not like this"), "-"),
            "similar": (_("Mark as similar to what was asked; again: take back"), "S"),
            "different": (_("Mark as different from what was asked; again: take back"), "D"),
            "confirmed": (_("Mark all that is confirmed as similar"), "Ctrl+Shift+S"),
            "add like": (_("Add a picture file that results should be like"), "Ctrl+L"),
            "add unlike": (_("Add a picture file to keep away from"), "Ctrl+Shift+L"),
            "crop": (_("Search with a part of the picture"), "Ctrl+R"),
            "marks": (_("Ask with its marks too, or without"), "Ctrl+U"),
            "index": (_("Choose the index"), "Ctrl+I"),
            "check": (_("Check for the same picture"), "Ctrl+G"),
            "only confirmed": (_("Show only what is confirmed"), "Ctrl+Shift+G"),
            "stack": (_("Open or close a stack of the same picture or series"), "O"),
            "how": (_("Show how this was found, or hide it"), "H"),
            "exact": (_("Compare with exact search"), "Ctrl+E"),
            "missed": (_("Show what is missed"), "Ctrl+M"),
            "history": (_("Earlier and saved searches"), "Ctrl+H"),
            "compare result": (_("Compare indexes by this result"), "C"),
            "compare": (_("Compare indexes by what is asked"), "Shift+C"),
            "all": (_("Search all photos again"), "Ctrl+Shift+Backspace"),
        },
    )
