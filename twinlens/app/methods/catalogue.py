"""The families of declarations, and reading a declaration from its text form."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import Field

from twinlens import features
from twinlens.app.results import Result
from twinlens.core import kernels, methods, metrics, search
from twinlens.core.declaration.declaration import Declaration, declaration_from_json, find_member, read_declaration
from twinlens.core.errors import DeclarationError, InvalidError
from twinlens.core.files.untrusted_input import parse_json
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import Message, joined
from twinlens.core.metrics.metric import Metric
from twinlens.core.search.search_structure import Search
from twinlens.features.descriptor import Descriptor

if TYPE_CHECKING:
    from twinlens.core.quantization.quantizer import Quantizer

D = TypeVar("D", bound=Declaration)
_kept = lru_cache(maxsize=256)  # every search reads the same few texts


def _quantizers() -> Sequence[type[Quantizer]]:
    from twinlens.core.quantization import QUANTIZERS  # here, since no search needs them

    return QUANTIZERS


# The tuples are looked up when needed, so that they stay complete.
FAMILIES: dict[str, Callable[[], Sequence[type[Declaration]]]] = {
    "descriptor": lambda: features.DESCRIPTORS,
    "metric": lambda: metrics.METRICS,
    "method": lambda: methods.METHODS,
    "search": lambda: search.SEARCHES,
    "kernel": lambda: kernels.KERNELS,
    "quantizer": _quantizers,
}
"""Each family by name, in the order of the parts of an index, with a function that returns its tuple."""


@_kept
def descriptor(text: str) -> Descriptor:
    """Read a descriptor from its text form, or from the JSON of :func:`written_declaration`."""
    stored = text.startswith("{")
    return _read(
        Message("The descriptor cannot be used."), features.KEPT_DESCRIPTORS if stored else features.DESCRIPTORS, text
    )


def _read(refusal: Message, options: Sequence[type[D]], text: str) -> D:
    """Read a text form, or the JSON of :func:`written_declaration`; the refusal begins the error if it is not valid."""
    try:
        if not text.startswith("{"):
            return read_declaration(options, text)
        try:
            values = parse_json(text)
        except InvalidError as error:
            raise DeclarationError(
                "“{text}” is not valid JSON: {error}.",
                "Write it as text, such as itq.",
                text=text[:60],
                error=error.message,
            ) from None
        return declaration_from_json(options, values)
    except DeclarationError as error:
        raise DeclarationError(joined([refusal, error.message]), error.next_step) from None


@_kept
def method(text: str) -> HashMethod:
    """Read a hash method from text."""
    return _read(Message("The hash method cannot be used."), methods.METHODS, text)


@_kept
def candidate(text: str) -> HashMethod | Quantizer:
    """Read a hash method or a quantizer from text: what an experiment measures."""
    every: list[type[HashMethod | Quantizer]] = [*methods.METHODS, *_quantizers()]
    return _read(Message("The hash method cannot be used."), every, text)


@_kept
def metric(text: str) -> Metric:
    """Read the declaration of a metric from text."""
    return _read(Message("The metric cannot be used."), metrics.METRICS, text)


@_kept
def search_structure(text: str) -> Search:
    """Read a search structure from text."""
    return _read(Message("The search structure cannot be used."), search.SEARCHES, text)


def written_declaration(made: Declaration) -> str:
    """Return a declaration as complete JSON, so that a later default cannot change its meaning."""
    return json.dumps(made.to_json(), sort_keys=True)


def plain_words(text: str) -> str:
    """Return the plain name of a descriptor's text form: "colours" for "colour:hue_bins=12".

    A descriptor of a package that is not installed is named by its text.
    """
    try:
        return descriptor(text).plain_name
    except DeclarationError:
        return text


def declaration(name: str) -> tuple[str, type[Declaration]]:
    """Return a declaration of any family by its key.

    Raises
    ------
    DeclarationError
        If no family has it.
    """
    everything: list[type[Declaration]] = []
    for family, options in FAMILIES.items():
        for option in options():
            if option.key == name:
                return family, option
            everything.append(option)
    return "", find_member(tuple(everything), name)


def describe_declarations(name: str | None = None) -> MethodsResult:
    """Return the description of every declaration, or of the one with a name."""
    if name is not None:
        family, chosen = declaration(name)
        return MethodsResult(declarations=[_described(family, chosen)])
    return MethodsResult(
        declarations=[_described(family, option) for family, options in FAMILIES.items() for option in options()],
        refused=[
            RefusedDeclaration(family=one.family, key=one.key, package=one.package, reason=one.reason)
            for options in FAMILIES.values()
            for one in getattr(options(), "refused", ())
        ],
    )


def _described(family: str, option: type[Declaration]) -> DeclarationResult:
    return DeclarationResult(
        family=family,
        key=option.key,
        title=option.title,
        summary=option.summary(),
        help=inspect.cleandoc(option.__doc__ or ""),
        paper=option.paper,
        version=option.version,
        parameters=[
            ParameterResult(
                name=about.name,
                kind=about.kind.value,
                default=about.default.text() if isinstance(about.default, Declaration) else about.default,
                accepted=about.accepted(),
                lower=about.lower,
                upper=about.upper,
                words=list(about.words),
                optional=about.optional,
                unit=about.unit,
                help=about.help,
            )
            for about in option.parameters()
        ],
    )


class ParameterResult(Result):
    """One parameter of a declaration."""

    name: str
    kind: str
    default: Any
    accepted: Message = Field(description="what may be given, in words")
    lower: float | None
    upper: float | None
    words: list[str] = Field(description="the choices, or words besides a number")
    optional: bool
    unit: str
    help: str


class DeclarationResult(Result):
    """A declaration: a descriptor, metric, hash method, search structure or kernel."""

    family: str
    key: str
    title: str
    summary: str
    help: str
    paper: str
    version: int
    parameters: list[ParameterResult]


class RefusedDeclaration(Result):
    """A declaration of an installed package that cannot be used."""

    family: str
    key: str
    package: str
    reason: Message


class MethodsResult(Result):
    """Result of ``methods``."""

    declarations: list[DeclarationResult]
    refused: list[RefusedDeclaration] = Field(default_factory=list, description="of installed packages, with reasons")
