"""The spoken language: texts, plurals, numbers and days in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from app.language.spoken import _, _n, number, speak, spoken, text
from core.errors import TwinlensError
from core.message import Message


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    speak("en")


def test_german() -> None:
    speak("de")
    assert spoken() == "de"
    assert _("Settings") == "Einstellungen"
    one = "“{folder}” is back in the library, with {count} photo."
    many = "“{folder}” is back in the library, with {count} photos."
    assert [_n(one, many, count, folder="Alpen") for count in (1, 2000)] == [
        "„Alpen“ ist wieder in der Bibliothek, mit 1 Foto.",
        "„Alpen“ ist wieder in der Bibliothek, mit 2.000 Fotos.",
    ]
    assert number(1234.5, ",.1f") == "1.234,5"
    assert text(Message("{day}", day=date(2026, 3, 1))) == "1. März 2026"


def test_english_is_spoken_again() -> None:
    speak("de")
    speak("en")
    assert (_("Settings"), number(1234.5)) == ("Settings", "1,234.5")
    assert text(TwinlensError(Message("Gone."), Message("Look."))) == "Gone. Look."
