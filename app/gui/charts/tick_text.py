"""Numbers of axes in the form of the window's language."""

from __future__ import annotations

from app.lab.figures.ticks import plain_number
from app.language.spoken import numeral


def tick_text(value: float) -> str:
    """Return a number of an axis, as short as it can be."""
    return numeral(plain_number(value))
