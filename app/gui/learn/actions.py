"""Actions of the Learn view."""

from __future__ import annotations

from app.gui.actions.action import Action, declare
from app.language.spoken import _


def learn_actions() -> dict[str, Action]:
    """Declare what can be done while marking and learning."""
    return declare(
        "learn",
        _("Learn"),
        {
            "similar": (_("The pair is similar"), "S"),
            "different": (_("The pair is different"), "D"),
            "skip": (_("Leave the pair"), "Space"),
            "left large": (_("The left one large"), "1"),
            "right large": (_("The right one large"), "2"),
            "take back": (_("Take the last mark back"), "Backspace"),
            "learn": (_("Learn from the marks"), "L / Ctrl+Return"),
            "keep": (_("Keep what was learned"), "K"),
            "leave": (_("Do not keep what was learned"), "N"),
            "go back": (_("Go back to what was used before"), "B"),
            "another": (_("Rank by another photo"), "A"),
            "column": (_("Marks and metrics, where the window is narrow"), "M"),
        },
    )
