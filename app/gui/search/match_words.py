"""What is said of a photograph that shows the same picture."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def match_words(points: int, mirrored: bool, inverted: bool, loud: bool = False) -> str:
    """Say how many points match and how the picture was changed: "Same picture: 143 matching points, mirrored".

    Parameters
    ----------
    points : int
    mirrored, inverted : bool
    loud : bool
        Whether the number is to stand out, between two pairs of stars.
    """
    translate = QCoreApplication.translate
    number = f"**{points:,}**" if loud else f"{points:,}"
    words = translate("Match", "Same picture: {0} matching points").format(number)
    if mirrored:
        words += ", " + translate("Match", "mirrored")
    if inverted:
        words += ", " + translate("Match", "in negative")
    return words
