"""Declarations: everything that a person can choose, written once as frozen, named parameters.

A declaration is a frozen pydantic model with a key, a title and a version. From its fields alone come the text form,
the JSON, the message of a wrong value, the identity under which results are stored, and the list of parameters
(:mod:`twinlens.core.declaration.parameters`) from which forms, help and the reference page are made.

The text form is ``key:name=value,name=key(name=value)``. Nested values are written ``kernel=gaussian(gamma=0.5)`` or,
friendlier to shells, ``kernel=gaussian,kernel.gamma=2``. The parser knows names and strings only; the declaration
gives them their meaning.

A family of declarations (the hash methods, the kernels, ...) is an explicit table of classes; adding a member is one
new class and its name in that table. Installed packages add theirs by entry points
(:mod:`twinlens.core.declaration.family`).
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, Self, TypeVar, cast, runtime_checkable

import pydantic
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)
from pydantic_core import CoreSchema, ErrorDetails, PydanticCustomError, core_schema

from twinlens.core.declaration import parameters
from twinlens.core.errors import DeclarationError, InvalidError, Remedy, did_you_mean
from twinlens.core.message import NOTHING, Message, joined, verbatim


def parameter(
    default: Any,
    *,
    help: str,  # noqa: A002
    unit: str = "",
    shown: bool = False,
    group: str = "",
    option: str = "",
    metavar: str = "",
    separated: bool = False,
    **limits: Any,
) -> Any:
    """Write one field of a declaration.

    Parameters
    ----------
    default : object
        The value when nothing is said, frozen; ``...`` where it must be said.
    help : str
        What it does and what a larger value means, in one or two sentences, for a person who chooses it.
    unit : str
        Unit of the value, as it stands behind the number in a form ("bits", "px").
    shown : bool
        Whether the text form always shows it, also at its default.
    group : str
        The heading under which a form shows it and those after it that name the same.
    option, metavar : str
        Of a request: its names on the command line where they are not that of the field, such as ``-k``, and what
        stands for the value in the help, such as ``FOLDER``.
    separated : bool
        Of a request: several values stand in one option, with commas between them; otherwise it is repeated.
    **limits : number
        ``ge``, ``gt``, ``le``, ``lt`` as in :func:`pydantic.Field`. A default outside of them stands for no value.
    """
    about: dict[str, Any] = {
        "unit": unit,
        "shown": shown,
        "group": group,
        "option": option,
        "metavar": metavar,
        "separated": separated,
    }
    return Field(default, description=help, json_schema_extra=about, **limits)


class Declaration(BaseModel):
    """Base of all declarations; subclasses set ``key`` and ``title`` and add fields with :func:`parameter`.

    Attributes
    ----------
    key : str
        The name in text forms and on the command line; lower case, words joined by hyphens.
    title : str
        The name for people.
    paper : str
        Where the method is defined, with its equations; empty where it is common knowledge.
    version : int
        Raised when the result or a default changes: then what was computed before stands beside the new.

    Raises
    ------
    DeclarationError
        When a value is wrong; the sentence names the parameter, its limits and the value.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=True, defer_build=True)

    key: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str] = ""
    version: ClassVar[int] = 1

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**{name: self._plain(name, value) for name, value in values.items()})
        except pydantic.ValidationError as error:
            raise _translated(type(self), error.errors()[0]) from None

    @field_validator("*", mode="wrap")
    @classmethod
    def _word(cls, value: Any, check: ValidatorFunctionWrapHandler, about: ValidationInfo) -> Any:
        """Pass a parameter's words (``auto``, ``none``) unchanged: a limit cannot be compared with a word.

        So does a default, which may lie outside of the limits.
        """
        known = _parameters(cls)[str(about.field_name)]
        is_word = (value is None and known.optional) or (isinstance(value, str) and value in known.words)
        is_default = type(value) is type(known.default) and value == known.default
        return value if is_word or is_default else check(value)

    @classmethod
    def _plain(cls, name: str, value: Any) -> Any:
        """Turn words of the text form into values, and refuse values that pydantic would quietly convert."""
        about = _parameters(cls).get(name)
        if about is None:
            return value
        if isinstance(value, bool) and about.kind is not parameters.ParameterKind.SWITCH:
            raise DeclarationError(
                "{key}: {name} must be {accepted}, not {lower}.",
                key=cls.key,
                name=name,
                accepted=about.accepted(),
                lower=str(value).lower(),
            )
        if isinstance(value, str) and value == "none" and about.optional:
            return None
        return value

    @classmethod
    def parameters(cls) -> tuple[parameters.Parameter, ...]:
        """Every field with default, limits, unit and help, in order, for forms and the reference."""
        return tuple(_parameters(cls).values())

    @classmethod
    def advice(cls) -> Message | Remedy:
        """Return the next step where a value is wrong."""
        return Remedy("list methods", {"key": cls.key})

    @classmethod
    def summary(cls) -> str:
        """Return the first sentence of the help."""
        return parameters.first_sentence(cls.__doc__ or "")

    @classmethod
    def paragraphs(cls) -> list[str]:
        """Return the paragraphs of the help, each on one line."""
        return [" ".join(one.split()) for one in inspect.cleandoc(cls.__doc__ or "").split("\n\n")]

    def text(self) -> str:
        """Write the short text form, which :func:`read_declaration` reads back.

        It names the fields that differ from their default, and those that are always shown.
        """
        return write_text_form(self.key, self._named_fields())

    def _named_fields(self) -> dict[str, Any]:
        named: dict[str, Any] = {}
        for about in self.parameters():
            value = getattr(self, about.name)
            if about.shown or value != about.default:
                named[about.name] = (value.key, value._named_fields()) if isinstance(value, Declaration) else value
        return named

    def to_json(self) -> dict[str, Any]:
        """Return all fields with the key, as plain JSON values: complete, so that a later default cannot change it."""
        return {"key": self.key, **self.model_dump(mode="json")}

    def identity(self, *parents: str, digest: bytes = b"") -> str:
        """Return the key under which results of this declaration are stored.

        Parameters
        ----------
        *parents : str
            Identities of what it is made from (the codebook, the descriptor).
        digest : bytes
            Digest of the training sample, for what is fitted.

        Returns
        -------
        str
            32 hexadecimal digits; equal for equal declarations, versions, parents and samples.
        """
        canonical = json.dumps([self._canonical(), list(parents), digest.hex()], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(canonical.encode()).hexdigest()[:32]

    def _canonical(self) -> dict[str, Any]:
        """Key, version and the fields that differ from their default."""
        values: dict[str, Any] = {"key": self.key, "version": self.version}
        for about in self.parameters():
            value = getattr(self, about.name)
            if isinstance(value, Declaration):
                # The version of a nested choice counts also where the choice is the default.
                values[about.name] = value._canonical()
            elif value != about.default:
                values[about.name] = value
        return values

    def changed(self, **values: Any) -> Self:
        """Return a copy with some fields changed, checked like a new one."""
        return type(self)(**{name: getattr(self, name) for name in type(self).model_fields} | values)


def _translated(cls: type[Declaration], error: ErrorDetails) -> DeclarationError:
    """Return pydantic's finding as a sentence that names the parameter, its limits and the value."""
    name = str(error["loc"][0]) if error["loc"] else ""
    names = list(cls.model_fields)
    next_step = cls.advice()
    if error["type"] == "extra_forbidden":
        unknown = Message("{key} has no parameter “{name}”.", key=cls.key, name=name)
        known = Message("Its parameters are {names}.", names=names) if names else Message("It has none.")
        return DeclarationError(joined([unknown, known, did_you_mean(name, names)]), next_step)
    about = _parameters(cls).get(name)
    if about is None or error["type"] == "value_error":
        cause = error.get("ctx", {}).get("error")
        reason = cause.message if isinstance(cause, InvalidError) else verbatim(error["msg"])
        return DeclarationError("{key}: {reason}.", next_step, key=cls.key, reason=reason)
    given, hint = error["input"], NOTHING
    if error["type"] == "choice":
        given, hint = error["ctx"]["key"], error["ctx"]["hint"]
    wrong = Message(
        "{key}: {name} must be {accepted}, not {told}.",
        key=cls.key,
        name=name,
        accepted=about.accepted(),
        told=str(given),
    )
    return DeclarationError(joined([wrong, hint]), next_step)


@functools.cache
def _parameters(option: type[Declaration]) -> dict[str, parameters.Parameter]:
    """Return the parameters by their names."""
    return {name: parameters.of_field(name, field) for name, field in option.model_fields.items()}


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


D = TypeVar("D", bound=Declaration)


@runtime_checkable
class ByKey(Protocol):
    """A family that returns one member without importing the others."""

    def member(self, key: str) -> Any:
        """Return the member of a key; None where there is none."""


def family_member(options: Iterable[type[D]], key: str) -> type[D] | None:
    """Return the member of a family by its key; None where there is none."""
    if isinstance(options, ByKey):
        return cast("type[D] | None", options.member(key))
    return next((option for option in options if option.key == key), None)


class Nested:
    """Marks a field that holds a declaration of another family: ``kernel: Annotated[Kernel, Nested(kernels)]``.

    Parameters
    ----------
    family : callable returning Declaration classes
        A callable, so that it is looked up when it is needed.
    allowed : callable, optional
        Whether a member of the family can be chosen; by default all can.
    """

    def __init__(
        self,
        family: Callable[[], Iterable[type[Declaration]]],
        allowed: Callable[[type[Declaration]], bool] = lambda _option: True,
    ) -> None:
        self._family = family
        self._allowed = allowed

    def options(self) -> tuple[type[Declaration], ...]:
        """Return the declarations that can be chosen."""
        return tuple(option for option in self._family() if self._allowed(option))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def to_json(value: Declaration) -> dict[str, Any]:
            return value.to_json()

        return core_schema.no_info_plain_validator_function(
            self.choose, serialization=core_schema.plain_serializer_function_ser_schema(to_json)
        )

    def choose(self, value: object) -> Declaration:
        """Accept a declaration of the family, its text form or its JSON."""
        values: dict[str, Any] = {}
        key: object = value
        if isinstance(value, Declaration):
            key = value.key
        elif isinstance(value, str):
            with contextlib.suppress(DeclarationError):  # what is no text form at all is none of the choices, either
                key, values = parse_text_form(value)
        elif isinstance(value, Mapping):
            values = dict(value)
            key = values.pop("key", "")
        chosen = family_member(self._family(), str(key))
        if chosen is not None and self._allowed(chosen):
            if isinstance(value, chosen):
                return value
            if not isinstance(value, Declaration):
                return chosen(**values)
        # The declaration that has the field says what the choices are; here only what may have been meant.
        hint = did_you_mean(str(key), [option.key for option in self.options()])
        raise PydanticCustomError("choice", "{hint}", {"hint": hint, "key": str(key)})


def find_member(options: Sequence[type[D]], key: str) -> type[D]:
    """Find the member of a family by its key.

    Raises
    ------
    DeclarationError
        If there is none of that key; names the family's keys and the nearest one.
    """
    found = family_member(options, key)
    if found is not None:
        return found
    keys = [option.key for option in options]
    raise DeclarationError(
        "There is no “{key}”; there are {keys}.", did_you_mean(key, keys), key=key, keys=", ".join(keys)
    )


def read_declaration(options: Sequence[type[D]], text: str) -> D:
    """Read a text form as a member of a family.

    Parameters
    ----------
    text : str
        Such as ``itq:bits=256`` or ``toy:kernel=gaussian(gamma=0.5)`` or ``toy:kernel=gaussian,kernel.gamma=0.5``.

    Raises
    ------
    DeclarationError
        If the text has no meaning in this family.
    """
    key, values = parse_text_form(text)
    return find_member(options, key)(**values)


def declaration_from_json(options: Sequence[type[D]], values: Mapping[str, Any]) -> D:
    """Read the JSON of :meth:`Declaration.to_json`."""
    fields = dict(values)
    return find_member(options, str(fields.pop("key", "")))(**fields)


_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\Z")
_KEY = re.compile(r"[a-z][a-z0-9-]*\Z")
_EXAMPLE = Message("Write for example “itq:bits=256,seed=1”.")


def parse_text_form(text: str) -> tuple[str, dict[str, Any]]:
    """Parse a text form; ``gaussian(gamma=2)`` is ``gaussian:gamma=2``.

    Returns
    -------
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
        raise DeclarationError("“{text}” does not start with a name, in small letters.", _EXAMPLE, text=text)
    return key


def _fields(body: str, text: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in _split(body, text):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not value or not _NAME.match(name):
            raise DeclarationError(
                "“{part}” in “{text}” is not of the form name=value.", _EXAMPLE, part=part, text=text
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
        raise DeclarationError("The parentheses in “{text}” do not match.", _EXAMPLE, text=text)
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
                "“{path}” in “{text}” comes before “{step}” is chosen.",
                "Write {step}=... first, then {path}=....",
                path=".".join(path),
                text=text,
                step=step,
            )
        if isinstance(inner, str):
            inner = values[step] = {"key": inner}
        values = inner
    if name in values:
        raise DeclarationError(
            "“{path}” stands twice in “{text}”.", "Leave one of them out.", path=".".join(path), text=text
        )
    values[name] = value
