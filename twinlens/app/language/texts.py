"""Texts in the language of this process: messages, errors, numbers and dates.

Only the command line and the window make texts. A language other than English is a :class:`TranslationCatalogue`: its
translations by gettext, its numbers, its dates.
"""

from __future__ import annotations

import gettext
import io
import logging
import os
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

from twinlens import resources
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.message import ENGLISH, Language, Message, counted, write

LANGUAGES = ("en", "de")
"""Those that the program speaks; the first is spoken where the system's is none of them."""


def chosen_language(preferred: str, system: Sequence[str]) -> str:
    """Return the language to speak.

    Parameters
    ----------
    preferred : str
        One of `LANGUAGES`, or "system".
    system : sequence of str
        The system's languages, the first wish first, such as "de_AT.UTF-8".
    """
    if preferred in LANGUAGES:
        return preferred
    for name in system:
        language = name.replace("_", "-").replace(".", "-").split("-")[0].lower()
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


def languages_of_environment() -> list[str]:
    """Return the languages that the environment asks for, in gettext's order of variables."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name)
        if value:
            return value.split(":")
    return []


class _Present:
    """One language for the process, as with gettext's own `install`."""

    key = "en"
    language: Language = ENGLISH
    remedies: list[Callable[[Remedy], str]] = []  # noqa: RUF012 (one for the process)


def set_language(key: str) -> None:
    """Set the language of this process.

    Parameters
    ----------
    key : str
        One of `twinlens.app.language.texts.LANGUAGES`. Texts that were made before stay as they are.
    """
    if key == "en":
        _Present.language = ENGLISH
    else:
        _Present.language = TranslationCatalogue(key)
    _Present.key = key


def current_language() -> str:
    """Return the key of the language, such as "de"."""
    return _Present.key


def describe_remedies(describe: Callable[[Remedy], str]) -> None:
    """Set how this face of the program describes a remedy: as a command, or as a button to press."""
    _Present.remedies[:] = [describe]


def text(message: Message | TwinlensError) -> str:
    """Write a message, or an error with its next step, in the present language."""
    if isinstance(message, TwinlensError):
        return f"{text(message.message)} {next_step(message)}".rstrip()
    return write(message, _Present.language)


def translate(words: Message | str) -> str:
    """Write a message in the present language; a string, such as a name, stays as it is."""
    return words if isinstance(words, str) else text(words)


def next_step(error: TwinlensError) -> str:
    """Write the next step of an error: its advice, or its remedy as this face of the program offers it."""
    step = error.next_step
    return remedy_text(step) if isinstance(step, Remedy) else write(step, _Present.language)


def remedy_text(remedy: Remedy) -> str:
    """Write how a remedy is chosen in this face of the program."""
    return " ".join(describe(remedy) for describe in _Present.remedies)


def _(template: str, /, **values: Any) -> str:
    """Write a template in the present language, with its values filled in.

    Parameters
    ----------
    template : str
        As of :class:`twinlens.core.message.Message`; without values it is only translated.
    """
    return write(Message(template, **values), _Present.language) if values else _Present.language.find(template)


def _n(one: str, many: str, count: int, /, **values: Any) -> str:
    """Write a counted template in the present language, as of :func:`twinlens.core.message.counted`."""
    return write(counted(one, many, count, **values), _Present.language)


def number(value: float, form: str = "") -> str:
    """Write a number in the form of the present language: ``number(1322.5, ",.1f")`` is 1.322,5 in German."""
    return _Present.language.number(format(value, form or ","))


def numeral(written: str) -> str:
    """Return a number written in English form, such as 12,000 or 0.5, in the form of the present language."""
    return _Present.language.number(written)


def typed_number(typed: str) -> str:
    """Return a number that a person typed, in the form of the present language or of Python, in Python's form.

    Examples
    --------
    >>> typed_number("16,384"), typed_number("0,05"), typed_number("auto")
    ('16384', '0.05', 'auto')
    """
    group, point = number(1000.5, ",.1f")[1], number(0.5)[1]
    grouped = rf"[-+]?[1-9]\d{{0,2}}({re.escape(group)}\d{{3}})+({re.escape(point)}\d*)?"
    plain = typed.replace(group, "") if re.fullmatch(grouped, typed) else typed
    return plain.replace(",", ".")


_log = logging.getLogger(__name__)
_SWAPPED = str.maketrans(",.", ".,")
_DAY, _TIME = "d. MMMM yyyy", "HH:mm"


class TranslationCatalogue:
    """A language whose translations are compiled in ``twinlens/resources/translations``.

    Parameters
    ----------
    key : str
        Such as "de". A text without a translation stays in English.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._found: gettext.NullTranslations = gettext.NullTranslations()
        try:
            self._found = gettext.GNUTranslations(io.BytesIO(resources.read_bytes(f"translations/{key}.mo")))
        except FileNotFoundError:
            _log.warning("The translations are not compiled: python -m twinlens.app.language.compilation does it.")

    def find(self, template: str) -> str:
        """Return a template in this language."""
        return self._found.gettext(template) if template else ""

    def find_plural(self, one: str, many: str, count: int) -> str:
        """Return the form of a counted template for this count."""
        return self._found.ngettext(one, many, count)

    def number(self, text: str) -> str:
        """Write 1,322.5 as 1.322,5."""
        return text.translate(_SWAPPED)

    def moment(self, value: date) -> str:
        """Write a day, or a day and its time."""
        from babel.dates import format_date, format_datetime

        if isinstance(value, datetime):
            return str(format_datetime(value, f"{_DAY}, {_TIME}", locale=self._key))
        return str(format_date(value, _DAY, locale=self._key))
