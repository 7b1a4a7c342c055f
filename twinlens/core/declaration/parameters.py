"""Description of one field of a declaration for forms, help and the reference page."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import annotated_types
from pydantic.fields import FieldInfo

from twinlens.core.message import Message


class ParameterKind(Enum):
    """The kind of value a parameter takes, and so the control a form shows."""

    WHOLE = "whole number"
    NUMBER = "number"
    SWITCH = "switch"
    CHOICE = "choice"
    DECLARATION = "declaration"
    FILE = "file"
    TEXT = "text"


@dataclass(frozen=True)
class Parameter:
    """One field of a declaration.

    Attributes
    ----------
    name : str
        Name of the field.
    kind : ParameterKind
        What sort of value it takes.
    default : object
        Value when nothing is said.
    lower, upper : float or None
        Limits; None where there is none.
    lower_open, upper_open : bool
        Whether the limit itself is excluded.
    unit, help : str
        Unit behind the number; what it does.
    words : tuple of str
        The choices, or words accepted besides a number (``auto``).
    optional : bool
        Whether ``none`` is accepted.
    shown : bool
        Whether the text form always names it.
    options : callable or None
        For ``Kind.DECLARATION``: gives the classes to choose from.
    group : str
        The heading under which a form shows it; empty for none.
    several : bool
        Whether it takes any number of such values.
    option, metavar : str
        How the command line writes it: its names where they are not that of the field, and what stands for the value.
    separated : bool
        Whether several values stand in one option there, with commas between them.
    required : bool
        Whether it has no default.
    """

    name: str
    kind: ParameterKind
    default: Any
    lower: float | None
    upper: float | None
    lower_open: bool
    upper_open: bool
    unit: str
    help: str
    words: tuple[str, ...]
    optional: bool
    shown: bool
    options: Callable[[], Iterable[Any]] | None
    group: str = ""
    several: bool = False
    option: str = ""
    metavar: str = ""
    separated: bool = False
    required: bool = False

    @property
    def is_off(self) -> bool:
        """Whether the default says that there is no value: nothing, or a number outside of the limits."""
        if not isinstance(self.default, int | float) or isinstance(self.default, bool):
            return not self.default
        return (self.lower is not None and self.default < self.lower) or (
            self.upper is not None and self.default > self.upper
        )

    def accepted(self) -> Message:
        """Return the accepted values: "a whole number from 1 to 16,384"."""
        if self.kind is ParameterKind.DECLARATION and self.options is not None:
            parts = [Message("one of {choices}", choices=[option.key for option in self.options()])]
        elif self.kind is ParameterKind.CHOICE:
            parts = [Message("one of {choices}", choices=self.words)]
        elif self.kind is ParameterKind.SWITCH:
            parts = [Message("true or false")]
        elif self.kind in {ParameterKind.TEXT, ParameterKind.FILE}:
            parts = [Message("a text")]
        else:
            parts = [self._number(), *(Message("“{word}”", word=word) for word in self.words)]
        if self.optional:
            parts.append(Message("none"))
        found = parts[0]
        for part in parts[1:]:
            found = Message("{first} or {second}", first=found, second=part)
        return Message("a list, each {accepted}", accepted=found) if self.several else found

    def _number(self) -> Message:
        whole = Message("a whole number") if self.kind is ParameterKind.WHOLE else Message("a number")
        low, high = self.lower, self.upper
        if low is not None and high is not None and not self.lower_open and not self.upper_open:
            return Message("{number} from {low} to {high}", number=whole, low=low, high=high)
        above = Message("above {low}", low=low) if self.lower_open else Message("of at least {low}", low=low)
        below = Message("below {high}", high=high) if self.upper_open else Message("of at most {high}", high=high)
        if low is not None and high is not None:
            return Message("{number} {above} and {below}", number=whole, above=above, below=below)
        if low is None and high is None:
            return whole
        return Message("{number} {limit}", number=whole, limit=below if low is None else above)


def of_field(name: str, field: FieldInfo) -> Parameter:
    """Read everything from a pydantic field: the declaration is the only place where it is written."""
    annotation, marks = field.annotation, list(field.metadata)
    several = get_origin(annotation) is tuple and get_args(annotation)[1:] == (...,)
    if several:
        annotation = get_args(annotation)[0]
        if get_origin(annotation) is Annotated:
            annotation, limits = get_args(annotation)
            marks += limits.metadata
    kind, words, optional = _kind(annotation)
    options = next((mark.options for mark in marks if hasattr(mark, "options")), None)
    if options is not None:
        kind = ParameterKind.DECLARATION
    lower: Any = None
    upper: Any = None
    lower_open = upper_open = False
    for mark in marks:
        if isinstance(mark, annotated_types.Ge):
            lower = mark.ge
        elif isinstance(mark, annotated_types.Gt):
            lower, lower_open = mark.gt, True
        elif isinstance(mark, annotated_types.Le):
            upper = mark.le
        elif isinstance(mark, annotated_types.Lt):
            upper, upper_open = mark.lt, True
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    return Parameter(
        name=name,
        kind=kind,
        default=None if field.is_required() else field.default,
        lower=lower,
        upper=upper,
        lower_open=lower_open,
        upper_open=upper_open,
        unit=str(extra.get("unit", "")),
        help=field.description or "",
        words=words,
        optional=optional,
        shown=bool(extra.get("shown", False)),
        group=str(extra.get("group", "")),
        several=several,
        option=str(extra.get("option", "")),
        metavar=str(extra.get("metavar", "")),
        separated=bool(extra.get("separated", False)),
        required=field.is_required(),
        options=options,
    )


def _kind(annotation: Any) -> tuple[ParameterKind, tuple[str, ...], bool]:
    """Return kind, words and optionality of a type such as ``float | Literal["auto"] | None``."""
    members = get_args(annotation) if get_origin(annotation) in (Union, types.UnionType) else (annotation,)
    optional = type(None) in members
    words = tuple(str(word) for member in members if get_origin(member) is Literal for word in get_args(member))
    plain = [member for member in members if member is not type(None) and get_origin(member) is not Literal]
    words += tuple(str(one.value) for member in plain if _is_enum(member) for one in member)
    if not plain or _is_enum(plain[0]):
        return ParameterKind.CHOICE, words, optional
    kinds: dict[Any, ParameterKind] = {
        bool: ParameterKind.SWITCH,
        int: ParameterKind.WHOLE,
        float: ParameterKind.NUMBER,
        Path: ParameterKind.FILE,
    }
    return kinds.get(plain[0], ParameterKind.TEXT), words, optional


def _is_enum(member: Any) -> bool:
    return isinstance(member, type) and issubclass(member, Enum)


def first_sentence(text: str) -> str:
    """Return the first sentence of a docstring, on one line."""
    paragraph = inspect.cleandoc(text).split("\n\n")[0].replace("\n", " ")
    return paragraph.split(". ")[0].rstrip(".") + "." if paragraph else ""
