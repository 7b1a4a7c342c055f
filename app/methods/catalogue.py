"""The families of declarations, and the reading of what a person writes: one place for both faces of the program."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import TypeVar

import features
from app.results import DeclarationResult, MethodsResult, ParameterResult
from core import kernels, methods, metrics, search
from core.declaration import Declaration, find, from_json, read
from core.errors import DeclarationError
from core.hash_method import HashMethod
from core.message import Message
from core.metrics import Metric
from core.outside import parse_json
from core.search.search import Search
from features.descriptor import Descriptor

D = TypeVar("D", bound=Declaration)

# The tuples are looked up when they are needed: what stands in them is all there is.
FAMILIES: dict[str, Callable[[], tuple[type[Declaration], ...]]] = {
    "descriptor": lambda: features.DESCRIPTORS,
    "metric": lambda: metrics.METRICS,
    "method": lambda: methods.METHODS,
    "search": lambda: search.SEARCHES,
    "kernel": lambda: kernels.KERNELS,
}
"""Name of each family, in the order in which an index is put together, and what gives its tuple."""


def descriptor(text: str) -> Descriptor:
    """Read a descriptor from its text form or from what :func:`written` gave."""
    return _read("descriptor", features.DESCRIPTORS, text)


def method(text: str) -> HashMethod:
    """Read a hash method, likewise."""
    return _read("hash method", methods.METHODS, text)


def metric(text: str) -> Metric:
    """Read a metric that is found from the data, likewise."""
    return _read("metric", metrics.METRICS, text)


def search_structure(text: str) -> Search:
    """Read a search structure, likewise."""
    return _read("search structure", search.SEARCHES, text)


def written(made: Declaration) -> str:
    """Write a declaration for keeping: complete JSON, so that a later default cannot change its meaning."""
    return json.dumps(made.to_json(), sort_keys=True)


def plain_words(text: str) -> str:
    """Say in plain words what an index compares: of "colour · lsh:bits=512 · scan" it is "colours".

    Raises
    ------
    DeclarationError
        If the text begins with no descriptor.
    """
    return descriptor(text.split(" · ", maxsplit=1)[0]).plain_name


def _read(what: str, options: tuple[type[D], ...], text: str) -> D:
    """Read a text form, or what :func:`written` gave; says what was being read when it has no meaning."""
    try:
        if not text.startswith("{"):
            return read(options, text)
        try:
            values = parse_json(text)
        except ValueError as error:
            raise DeclarationError(
                Message("“{text}” is no JSON: {error}.", text=text[:60], error=error),
                Message("Write it as text, such as itq."),
            ) from None
        return from_json(options, values)
    except DeclarationError as error:
        raise DeclarationError(
            Message("The {what} cannot be used: {sentence}", what=what, sentence=error.message), error.next_step
        ) from None


def declaration(name: str) -> tuple[str, type[Declaration]]:
    """Find a declaration of any family by its key.

    Returns
    -------
    family : str
    declaration : class

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
    return "", find(tuple(everything), name)


def described(name: str | None = None) -> MethodsResult:
    """Describe every declaration, or the one of a name, as the declarations themselves say."""
    if name is not None:
        family, chosen = declaration(name)
        return MethodsResult(declarations=[_described(family, chosen)])
    return MethodsResult(
        declarations=[_described(family, option) for family, options in FAMILIES.items() for option in options()]
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
                accepted=about.range_text(),
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
