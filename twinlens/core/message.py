"""Messages for people as values: an English template, the values named in it, and a plural where something is counted.

Whatever a person reads is made as a `Message` and becomes text only where it is shown: the command line and the window
write it in the person's language (:mod:`twinlens.app.language.texts`); logs and documents for programs take
``str(message)``, which is English.

Templates stand as literals at the call, so that they can be gathered for translation:
``Message("The folder {folder} does not exist.", folder=path)`` and
``counted("{count} photo was added.", "{count} photos were added.", count)``.

A message may come from a file or from another process. So a template can do no more than put the named values in:
there are no attributes, indexes, conversions or widths, and a text ends at :data:`MOST_WRITTEN`. Where a message is
read, :func:`from_data` and :func:`from_json` see that it can be written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Protocol, Union

Value = Union[str, int, float, bool, None, date, "Message", tuple["Value", ...]]
"""A value for a template. Numbers are written in the form of the language, tuples with commas between their items."""

MOST_WRITTEN = 100_000
"""Characters of a text; what is longer is cut."""

# Of messages from outside.
_MOST_TEMPLATE = 10_000  # characters
_MOST_VALUES = 1_000
_DEEPEST = 32  # messages and lists inside each other
_MOST_BITS = 1_000  # of a whole number: larger ones can be no float, and longer ones no text
_FIELD = re.compile(r"\{([A-Za-z_]\w*)(?::(\+?,?(?:\.\d{1,2})?[defg%]?))?\}|(\{\{|\}\})|[{}]", re.ASCII)


class Language(Protocol):
    """A language to write messages in."""

    def find(self, template: str) -> str:
        """Return a template in this language; the English one where it is not translated."""

    def find_plural(self, one: str, many: str, count: int) -> str:
        """Return the form of a counted template for this count."""

    def number(self, text: str) -> str:
        """Return a number, written as English writes it (1,322.5), as this language writes it."""

    def moment(self, value: date) -> str:
        """Write a day, or a day and its time."""


class English:
    """The language of the templates themselves."""

    def find(self, template: str) -> str:
        """Return the template."""
        return template

    def find_plural(self, one: str, many: str, count: int) -> str:
        """Return the first form for 1, the second otherwise."""
        return one if count == 1 else many

    def number(self, text: str) -> str:
        """Return the number."""
        return text

    def moment(self, value: date) -> str:
        """Write a day as 23 November 2026, and its time as 06:30."""
        day = f"{value.day} {value:%B %Y}"
        return f"{day}, {value:%H:%M}" if isinstance(value, datetime) else day


ENGLISH = English()


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Message:
    """A text for a person.

    Parameters
    ----------
    template : str
        English, with the names of values in braces, and a format specification behind them, such as ``:+,.2f``:
        ``"{share:.0%} of {files} files"``. A whole number without a specification is grouped (1,322); ``:d`` is not.
    **values : Value
        Paths become text, NumPy's numbers Python's. A `Message` among them is written in the same language.

    Examples
    --------
    >>> print(Message("{files} files lie in {folder}.", files=1322, folder="/photos"))
    1,322 files lie in /photos.
    """

    template: str
    plural: str
    values: tuple[tuple[str, Value], ...]

    def __init__(self, template: str, /, **values: Any) -> None:
        _fill(self, template, "", values)

    def __str__(self) -> str:
        return write(self)

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __bool__(self) -> bool:
        return bool(self.template)

    def __getitem__(self, name: str) -> Value:
        """Return a value by its name."""
        return dict(self.values)[name]

    def as_data(self) -> dict[str, Any]:
        """Return the message as what JSON can hold; :func:`from_data` makes it again."""
        made: dict[str, Any] = {"template": self.template, "values": {name: _data(one) for name, one in self.values}}
        return {**made, "plural": self.plural} if self.plural else made

    def to_json(self) -> str:
        """Return the message as text to be kept, empty for the empty message; :func:`from_json` reads it."""
        return "" if not self else json.dumps(self.as_data(), ensure_ascii=False)

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> Any:
        """Allow messages in a result: documents hold the English text, stored results (`KEPT`) the whole message."""
        from pydantic_core import core_schema

        def written(message: Message, info: Any) -> str:
            return message.to_json() if info.context is KEPT else str(message)

        text = core_schema.plain_serializer_function_ser_schema(
            written, info_arg=True, return_schema=core_schema.str_schema()
        )
        return core_schema.no_info_plain_validator_function(_validated, serialization=text)

    @classmethod
    def __get_pydantic_json_schema__(cls, _schema: Any, _handler: Any) -> dict[str, str]:
        """Describe the text in a document."""
        return {"type": "string"}


def _validated(value: Any) -> Message:
    if isinstance(value, Message):
        return value
    if not isinstance(value, str | dict):
        raise ValueError("this is no message")
    return from_data(value) if isinstance(value, dict) else from_json(value)


def counted(one: str, many: str, count: int, /, **values: Any) -> Message:
    """Make a message about a number of things.

    Parameters
    ----------
    one, many : str
        The templates for one thing and for any other number; ``{count}`` is the number.
    **values : Value
        Further values.

    Examples
    --------
    >>> [str(counted("{count} photo", "{count} photos", n)) for n in (1, 20_000)]
    ['1 photo', '20,000 photos']
    """
    made = Message.__new__(Message)
    _fill(made, one, many, {"count": int(count), **values})
    return made


def verbatim(text: str) -> Message:
    """Make a message of text that is the same in every language, such as a name or what another program said."""
    return Message("{text}", text=text) if text else NOTHING


def filled(text: str | Message, values: Mapping[str, Any]) -> Message:
    """Make a message of a template and those of some values that it names; a message stays as it is."""
    if isinstance(text, Message):
        return text
    names = dict.fromkeys(piece[0] for piece in _pieces(text) if not isinstance(piece, str))
    return Message(text, **{name: values[name] for name in names})


def joined(parts: Iterable[Message], by: str = " ") -> Message:
    """Join messages; empty ones are left out.

    Examples
    --------
    >>> print(joined([Message("It is dark."), NOTHING, Message("Wait.")]))
    It is dark. Wait.
    """
    kept = [part for part in parts if part]
    if len(kept) < 2:
        return kept[0] if kept else NOTHING
    by = by.replace("{", "{{").replace("}", "}}")
    return Message(
        by.join(f"{{part{at}}}" for at in range(len(kept))), **{f"part{at}": one for at, one in enumerate(kept)}
    )


def write(message: Message, language: Language = ENGLISH) -> str:
    """Write a message in a language."""
    values = dict(message.values)
    own = message.template
    if not message.plural:
        template = language.find(own) if own else ""
    else:
        count = values["count"]
        assert isinstance(count, int)
        own = ENGLISH.find_plural(own, message.plural, count)
        template = language.find_plural(message.template, message.plural, count)
    try:
        return _filled(template, values, language)
    except KeyError:  # a message from outside may look like one of the program, but have other values
        if template == own:
            raise
        return _filled(own, values, language)


def from_data(data: Mapping[str, Any]) -> Message:
    """Make a message again of what :meth:`Message.as_data` gave.

    Raises
    ------
    ValueError
        If it is no message, or none of a reasonable size.
    """
    return _message(data, 0)


def from_json(text: str) -> Message:
    """Read a message that was kept; text of another kind is shown as it is."""
    if text.startswith('{"template":'):
        try:
            return from_data(json.loads(text))
        except (ValueError, RecursionError):
            pass
    return verbatim(text)


def _filled(template: str, values: Mapping[str, Value], language: Language) -> str:
    """Put values into a template.

    Raises
    ------
    KeyError
        If it names a value that is not there.
    ValueError
        If it is no template, or its specifications do not fit its values.
    """
    if "{" not in template and "}" not in template:
        return template  # as most are
    pieces = _pieces(template)
    fields = {piece: "" for piece in pieces if not isinstance(piece, str)}
    for name, specification in fields:  # each is written once, however often it is named
        fields[name, specification] = _written(values[name], specification, language)
    return _joined((piece if isinstance(piece, str) else fields[piece] for piece in pieces), "")


@lru_cache(maxsize=1024)
def _pieces(template: str) -> tuple[str | tuple[str, str], ...]:
    """Take a template apart: its own text, and pairs of a name and a format specification."""
    pieces: list[str | tuple[str, str]] = []
    end = 0
    for found in _FIELD.finditer(template):
        name, specification, brace = found.groups()
        if not name and not brace:
            raise ValueError(f"the template has a brace that belongs to no name: {template[:100]!r}")
        pieces += [template[end : found.start()], (name, specification or "") if name else brace[0]]
        end = found.end()
    return *pieces, template[end:]


def _written(value: Value, specification: str, language: Language) -> str:
    """Write one value."""
    if isinstance(value, Message):
        return write(value, language)
    if isinstance(value, tuple):
        return _joined((_written(one, specification, language) for one in value), ", ")
    if isinstance(value, date):
        return language.moment(value)
    if value is None or isinstance(value, bool | str):
        return format(value, specification)
    if not specification:
        specification = "," if isinstance(value, int) else ",.6g"
    written = format(value, specification).replace("%", " %")
    return written if specification == "d" else language.number(written)


def _joined(texts: Iterable[str], by: str) -> str:
    """Join texts, and end where they are too long together."""
    some: list[str] = []
    length = -len(by)
    for text in texts:
        some.append(text)
        length += len(by) + len(text)
        if length > MOST_WRITTEN:
            break
    joined = by.join(some)
    return joined if len(joined) <= MOST_WRITTEN else f"{joined[:MOST_WRITTEN]}…"


def _message(data: Any, depth: int) -> Message:
    """Read a message; see that both of its templates can be written."""
    try:
        template, plural, values = data["template"], data.get("plural", ""), data["values"]
        if not isinstance(template, str) or not isinstance(plural, str) or not isinstance(values, dict):
            raise TypeError
        if max(len(template), len(plural)) > _MOST_TEMPLATE or len(values) > _MOST_VALUES:
            raise ValueError("the message is too long")
        made = Message.__new__(Message)
        _fill(made, template, plural, {str(name): _value(one, depth + 1) for name, one in values.items()})
        if plural and (not isinstance(made["count"], int) or isinstance(made["count"], bool)):
            raise TypeError
        for one in (template, plural):
            _filled(one, dict(made.values), ENGLISH)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("this is no message") from error
    return made


def _fill(message: Message, template: str, plural: str, values: Mapping[str, Any]) -> None:
    object.__setattr__(message, "template", template)
    object.__setattr__(message, "plural", plural)
    # In the order of names: a message that was kept as JSON equals itself, whatever order its keys were written in.
    object.__setattr__(message, "values", tuple((name, _plain(values[name])) for name in sorted(values)))


def _plain(value: Any) -> Value:
    if value is None or isinstance(value, str | bool | int | float | date | Message):
        return value
    if hasattr(value, "item") and not getattr(value, "shape", ()):  # a number of NumPy, which is slow to import
        return _plain(value.item())
    if isinstance(value, list | tuple):
        return tuple(_plain(one) for one in value)
    return str(value)


def _data(value: Value) -> Any:
    if isinstance(value, Message):
        return value.as_data()
    if isinstance(value, tuple):
        return [_data(one) for one in value]
    return {"moment": value.isoformat()} if isinstance(value, date) else value


def _value(data: Any, depth: int) -> Value:
    if depth > _DEEPEST:
        raise ValueError("the message is nested too deeply")
    if isinstance(data, dict):
        if "moment" not in data:
            return _message(data, depth)
        text = str(data["moment"])
        return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)
    if isinstance(data, list):
        return tuple(_value(one, depth + 1) for one in data)
    if isinstance(data, int) and data.bit_length() > _MOST_BITS:
        raise ValueError("the message has a number that is too large")
    return _plain(data)


KEPT = {"messages": "whole"}
"""Context of ``model_dump``: messages are kept whole, to be written in any language when they are read again."""

NOTHING = Message("")
"""The empty message; it is false."""

_UNITS = ("kB", "MB", "GB", "TB")


def size(count: float) -> Message:
    """Return a number of bytes as a message.

    Examples
    --------
    >>> [str(size(count)) for count in (999, 1_500, 2_400_000, 14_000_000_000)]
    ['999 B', '1.5 kB', '2.4 MB', '14 GB']
    """
    if count < 1000:
        return Message("{amount:,.0f} {unit}", amount=count, unit="B")
    power = 1
    while power < len(_UNITS) and count >= 1000 ** (power + 1):
        power += 1
    value, unit = count / 1000**power, _UNITS[power - 1]
    if value >= 10:
        return Message("{amount:,.0f} {unit}", amount=value, unit=unit)
    return Message("{amount:,.1f} {unit}", amount=value, unit=unit)


def duration(seconds: float) -> Message:
    """Return a span of time as a message.

    Examples
    --------
    >>> [str(duration(seconds)) for seconds in (0.2, 100, 3600, 36_000)]
    ['1 second', '100 seconds', '60 minutes', '10 hours']
    """
    if seconds >= 7200:
        return counted("{count} hour", "{count} hours", round(seconds / 3600))
    if seconds >= 120:
        return counted("{count} minute", "{count} minutes", round(seconds / 60))
    return counted("{count} second", "{count} seconds", max(1, round(seconds)))
