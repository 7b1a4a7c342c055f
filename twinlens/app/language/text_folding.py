"""Folding of texts: case and accents do not matter when a person searches for names, folders and cameras.

Nothing large is imported here, since the window's first lists need it.
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
"""Stands for photographs without a camera where part of a camera's name is wanted."""
