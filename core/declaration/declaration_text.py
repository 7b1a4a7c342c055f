"""The text form of declarations: ``key:name=value,name=key(name=value)``.

Nested values are written ``kernel=gaussian(gamma=0.5)`` or, friendlier to shells, ``kernel=gaussian,kernel.gamma=2``.
This module knows names and strings only; what they mean is the declaration's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from core.errors import DeclarationError
from core.message import Message

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\Z")
_KEY = re.compile(r"[a-z][a-z0-9-]*\Z")
_EXAMPLE = Message("Write for example “itq:bits=256,seed=1”.")


def write_text_form(key: str, fields: Mapping[str, Any]) -> str:
    """Write a key and its fields; a nested declaration is a pair (key, fields)."""
    body = _body(fields)
    return f"{key}:{body}" if body else key


def _body(fields: Mapping[str, Any]) -> str:
    return ",".join(f"{name}={_value(value)}" for name, value in fields.items())


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        key, fields = value
        body = _body(fields)
        return f"{key}({body})" if body else str(key)
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        short = f"{value:g}"
        return short if float(short) == value else repr(value)
    return str(value)


def parse_text_form(text: str) -> tuple[str, dict[str, Any]]:
    """Parse a text form; ``gaussian(gamma=2)`` is ``gaussian:gamma=2``.

    Returns
    -------
    key : str
    values : dict
        Strings, or for nested declarations a dict with "key" and its own values.

    Raises
    ------
    DeclarationError
        If the text is not of the form.
    """
    key, colon, body = text.strip().partition(":")
    if not colon and key.endswith(")"):  # as it is written within another
        key, _, body = key[:-1].partition("(")
    return _checked_key(key, text), _fields(body, text)


def _checked_key(key: str, text: str) -> str:
    key = key.strip()
    if not _KEY.match(key):
        raise DeclarationError(Message("“{text}” does not start with a name, in small letters.", text=text), _EXAMPLE)
    return key


def _fields(body: str, text: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in _split(body, text):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value or not _NAME.match(name):
            raise DeclarationError(
                Message("“{part}” in “{text}” is not of the form name=value.", part=part, text=text), _EXAMPLE
            )
        _put(values, name.split("."), _nested(value, text), text)
    return values


def _split(body: str, text: str) -> list[str]:
    """Split at the commas that stand outside parentheses."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(body):
        depth += (letter == "(") - (letter == ")")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append(body[start:place])
            start = place + 1
    if depth != 0:
        raise DeclarationError(Message("The parentheses in “{text}” do not match.", text=text), _EXAMPLE)
    return [*parts, body[start:]] if body.strip() else []


def _nested(value: str, text: str) -> Any:
    if not value.endswith(")"):
        return value
    key, _, body = value[:-1].partition("(")
    return {"key": _checked_key(key, text), **_fields(body, text)}


def _put(values: dict[str, Any], path: list[str], value: Any, text: str) -> None:
    """Set a value; ``kernel.gamma`` reaches into the declaration that ``kernel`` names."""
    *outer, name = path
    for step in outer:
        inner = values.get(step)
        if inner is None:
            raise DeclarationError(
                Message(
                    "“{path}” in “{text}” comes before “{step}” is chosen.", path=".".join(path), text=text, step=step
                ),
                Message("Write {step}=... first, then {path}=....", step=step, path=".".join(path)),
            )
        if isinstance(inner, str):
            inner = values[step] = {"key": inner}
        values = inner
    if name in values:
        raise DeclarationError(
            Message("“{path}” stands twice in “{text}”.", path=".".join(path), text=text),
            Message("Leave one of them out."),
        )
    values[name] = value
