"""One preference alone, read at once: the language and the look of a window come before everything else."""

from __future__ import annotations

from pathlib import Path

from app.machine import places
from core.files.untrusted_input import parse_json, read_bytes

MOST = 1 << 20
"""Bytes of the file."""


def preferences_file() -> Path:
    """Return the file in which the preferences are kept; it need not be there."""
    return places.data_folder() / "preferences.json"


def preferred_value(name: str) -> str:
    """Read a preference that is a word, "system" where none is written: reading all of them takes longer."""
    try:
        word = parse_json(read_bytes(preferences_file(), MOST))[name]
    except (OSError, ValueError, KeyError, TypeError):
        return "system"
    return word if isinstance(word, str) else "system"
