"""Text on a match."""

from __future__ import annotations

from app.language.spoken import _, _n, number


def match_words(points: int, mirrored: bool, inverted: bool, loud: bool = False) -> str:
    """Return a text such as "Same picture: 143 matching points, mirrored".

    Parameters
    ----------
    points : int
    mirrored, inverted : bool
    loud : bool
        Whether to write the number between two pairs of stars, which stand for bold.
    """
    shown = f"**{number(points)}**" if loud else number(points)
    words = _n("Same picture: {points} matching point", "Same picture: {points} matching points", points, points=shown)
    if mirrored:
        words += ", " + _("mirrored")
    if inverted:
        words += ", " + _("in negative")
    return words
