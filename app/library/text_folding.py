"""Texts without regard to case and accents, as a person types when looking for something, and the name for no camera.

Nothing large is imported here: the window's first lists need it.
"""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """Write a text without case and accents.

    Examples
    --------
    >>> folded("Übersee, Île de Ré")
    'ubersee, ile de re'
    """
    if text.isascii():
        return text.lower()
    return "".join(c for c in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(c))


NO_CAMERA = "unknown camera"
"""In place of part of a camera's name: photographs that name none."""
