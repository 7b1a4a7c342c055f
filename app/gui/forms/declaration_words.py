"""The words of declarations as a person reads them, in the language of the window."""

from __future__ import annotations

from PySide6.QtCore import QLocale

from app.language.texts import _
from core.declaration.declaration import Declaration
from core.declaration.parameters import Parameter, ParameterKind

_NO_LIMIT = 1e15
"""A limit from here on keeps numbers finite: it tells a person nothing, and its digits fill a line."""


def told(text: str) -> str:
    """Return a text that stands in a declaration, in the language of the window."""
    return _(text) if text else ""


def parameter_label(about: Parameter) -> str:
    """Name a parameter: ``training_items`` is "Training items"."""
    return capital(told(about.name.replace("_", " ")))


def choice_word(about: Parameter, value: object) -> str:
    """Name a choice: languages in their own words, the others in those of the window."""
    if value is None:
        return capital(told("none"))
    if isinstance(value, bool):
        return capital(told("on" if value else "off"))
    if names_languages(about) and value != "system":
        return capital(QLocale(str(value)).nativeLanguageName())
    typed = (
        about.kind is ParameterKind.CHOICE and not about.group
    )  # "pca" is written as it is typed; a setting never is
    return told(str(value)) if typed else capital(told(str(value)))


def names_languages(about: Parameter) -> bool:
    """Return whether the words of a parameter are languages."""
    return about.name == "language"


def capital(text: str) -> str:
    """Begin with a capital letter, and leave the rest as it is."""
    return text[:1].upper() + text[1:]


def limits_of(about: Parameter) -> str:
    """Return which numbers are accepted: "1 to 16,384"; empty where every one is, and for what is no number."""
    if about.kind not in (ParameterKind.WHOLE, ParameterKind.NUMBER):
        return ""
    low, high = about.lower, about.upper
    if high is not None and high >= _NO_LIMIT:
        high = None
    if low is not None and high is not None and not about.lower_open and not about.upper_open:
        return _("{low} to {high}", low=low, high=high)
    said = []
    if low is not None:
        said.append(_("above {low}", low=low) if about.lower_open else _("at least {low}", low=low))
    if high is not None:
        said.append(_("below {high}", high=high) if about.upper_open else _("at most {high}", high=high))
    return ", ".join(said)


def declaration_name(option: type[Declaration]) -> str:
    """Name a class for choosing: its title, and in plain words what it compares where it says so."""
    plain = str(getattr(option, "plain_name", ""))
    return f"{told(option.title)}  ·  {told(plain)}" if plain else told(option.title)
