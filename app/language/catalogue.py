"""A language other than English: its translations by gettext, its numbers, its dates."""

from __future__ import annotations

import gettext
import io
import logging
from datetime import date, datetime

import resources

_log = logging.getLogger(__name__)
_SWAPPED = str.maketrans(",.", ".,")
_DAY, _TIME = "d. MMMM yyyy", "HH:mm"


class TranslationCatalogue:
    """A language whose translations are compiled in ``resources/translations``.

    Parameters
    ----------
    key : str
        Such as "de". What is not translated is said in English.
    """

    def __init__(self, key: str) -> None:
        self._key = key
        self._found: gettext.NullTranslations = gettext.NullTranslations()
        try:
            self._found = gettext.GNUTranslations(io.BytesIO(resources.read_bytes(f"translations/{key}.mo")))
        except FileNotFoundError:
            _log.warning("The translations are not compiled: python -m app.language.compilation does it.")

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
