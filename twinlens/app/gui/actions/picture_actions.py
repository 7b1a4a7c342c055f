"""The actions on pictures that are seen large: one, a slideshow, a part, several side by side; each declared once."""

from __future__ import annotations

from twinlens.app.gui.actions.action import Action, declare
from twinlens.app.language.texts import _


def match_actions() -> dict[str, Action]:
    """Return the actions on the matching points of two pictures."""
    return declare(
        "search",
        _("Matching points"),
        {
            "next": (_("To the next pair of points"), "Right"),
            "previous": (_("To the pair of points before"), "Left"),
            "large": (_("The two pictures large, or no longer"), "Enter"),
            "lines": (_("Show the lines between the large pictures, or hide them"), "L"),
            "close": (_("Back from the large pictures"), "Esc / Space"),
        },
        place="points",
        keys_only=("next", "previous", "large", "lines", "close"),
    )


def viewer_actions() -> dict[str, Action]:
    """Return the actions of the viewer."""
    return declare(
        "",
        _("Large photo"),
        {
            "previous": (_("The photo before"), "Left / PgUp / Backspace"),
            "next": (_("The next photo"), "Right / PgDown"),
            "move": (_("Move the picture where it is larger than the window"), _("Arrow")),
            "larger": (_("Larger"), "+ / ="),
            "smaller": (_("Smaller"), "-"),
            "whole": (_("Whole"), "0"),
            "full size": (_("100 %"), "1"),
            "similar": (_("Similar to my photo"), "S"),
            "different": (_("Different from my photo"), "D"),
            "crop": (_("Search with a part of it"), "R"),
            "turn": (_("Turn it to the right here; the file stays as it is"), "T"),
            "turn back": (_("Turn it to the left here"), "Shift+T"),
            "slideshow": (_("Slideshow from here on"), "Shift+F5"),
            "search": (_("Find look-alikes"), "Enter"),
            "remove": (_("Move to the trash…"), "Del"),
            "close": (_("Back"), "Esc / Space"),
        },
        "large",
        moves=("move",),
        once=("similar", "different"),
    )


def slideshow_actions() -> dict[str, Action]:
    """Return the actions of a slideshow in the viewer."""
    return declare(
        "",
        _("Slideshow"),
        {
            "pause": (_("Pause the slideshow, or go on"), "Space"),
            "longer": (_("Each photo stays longer"), "Up"),
            "shorter": (_("Each photo goes sooner"), "Down"),
        },
        "slideshow",
    )


def crop_actions() -> dict[str, Action]:
    """Return the actions on the rectangle with which a part of a picture is chosen."""
    return declare(
        "",
        _("Part of a picture"),
        {
            "take": (_("Search with this part"), "Enter"),
            "leave": (_("Choose no part"), "Esc / R"),
            "whole": (_("The whole picture"), "Home"),
            "move": (_("Move the rectangle (with Ctrl by little)"), _("Arrow")),
            "size": (_("Move its right and lower edges"), _("Shift+Arrow")),
        },
        "crop",
        moves=("whole", "move", "size"),
    )


def side_by_side_actions() -> dict[str, Action]:
    """Return the actions on photographs side by side, those on a group of duplicates first."""
    return declare(
        "",
        _("Side by side"),
        {
            "keep number": (_("Keep this photo of the group"), "1 … 4"),
            "keep": (_("Keep the marked photo"), "K"),
            "let go": (_("Remove the marked photo, or keep it"), "X / Del"),
            "mark": (_("Mark the other photo of the group"), "Tab"),
            "refuse": (_("These are not duplicates"), "N"),
            "next": (_("The next group"), "Enter / Right / PgDown"),
            "previous": (_("The group before"), "Left / PgUp"),
            "remove": (_("Move these photos to the trash, except the first…"), "Del"),
            "beside": (_("Beside each other"), "B"),
            "flick": (_("Flick"), "F"),
            "slider": (_("Slider"), "S"),
            "difference": (_("Difference"), "D"),
            "align": (_("Same place"), "A"),
            "larger": (_("Larger"), "+ / ="),
            "smaller": (_("Smaller"), "-"),
            "whole": (_("Whole, or 100 %"), "0"),
            "full size": (_("100 %"), "1"),
            "move": (_("Move the pictures, or the slider"), _("Arrow")),
            "close": (_("Back"), "Esc / Enter"),
        },
        "beside",
        keys_only=("keep number",),
        moves=("mark", "move"),
    )
