"""The spoken language: texts, plurals, numbers and days in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from app.language.texts import _, _n, current_language, number, set_language, text, typed_number
from core.errors import TwinlensError
from core.message import Message


@pytest.fixture(autouse=True)
def english_again() -> Iterator[None]:
    yield
    set_language("en")


def test_german() -> None:
    set_language("de")
    assert current_language() == "de"
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
    set_language("de")
    set_language("en")
    assert (_("Settings"), number(1234.5)) == ("Settings", "1,234.5")
    assert text(TwinlensError("Gone.", "Look.")) == "Gone. Look."


@pytest.mark.parametrize(
    ("language", "typed", "meant"),
    [
        *[("en", typed, meant) for typed, meant in (("0,5", "0.5"), ("1,000", "1000"), ("12,000.5", "12000.5"))],
        *[("de", typed, meant) for typed, meant in (("0,5", "0.5"), ("1.000", "1000"), ("12.000,5", "12000.5"))],
        *[(key, typed, typed) for key in ("en", "de") for typed in ("0.05", "1000", "auto")],
    ],
)
def test_a_typed_number_is_read_in_the_form_of_the_language(language: str, typed: str, meant: str) -> None:
    set_language(language)
    assert typed_number(typed) == meant
