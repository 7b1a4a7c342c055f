"""What is said of a photograph that shows the same picture."""

from __future__ import annotations

from app.language.spoken import _


def match_words(points: int, mirrored: bool, inverted: bool, loud: bool = False) -> str:
    """Say how many points match and how the picture was changed: "Same picture: 143 matching points, mirrored".

    Parameters
    ----------
    points : int
    mirrored, inverted : bool
    loud : bool
        Whether the number is to stand out, between two pairs of stars.
    """
    number = f"**{points:,}**" if loud else f"{points:,}"
    words = _("Same picture: {number} matching points", number=number)
    if mirrored:
        words += ", " + _("mirrored")
    if inverted:
        words += ", " + _("in negative")
    return words
