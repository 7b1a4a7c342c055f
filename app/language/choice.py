"""The choice of a language: the preferred one, or that of the system."""

from __future__ import annotations

import os
from collections.abc import Sequence

LANGUAGES = ("en", "de")
"""The languages of the program; the first is used where the system's is none of them."""


def chosen_language(preferred: str, system: Sequence[str]) -> str:
    """Return the language to use.

    Parameters
    ----------
    preferred : str
        One of `LANGUAGES`, or "system".
    system : sequence of str
        The system's languages, the most preferred first, such as "de_AT.UTF-8".
    """
    if preferred in LANGUAGES:
        return preferred
    for name in system:
        language = name.replace("_", "-").replace(".", "-").split("-")[0].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


def languages_of_environment() -> list[str]:
    """Return the languages that the environment names, in gettext's order of variables."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return value.split(":")
    return []
