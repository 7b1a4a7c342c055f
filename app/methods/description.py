"""Description of what can be declared (descriptors, kernels, hash methods, metrics, search structures).

For people and, as results, for ``--json``.
"""

from __future__ import annotations

import inspect
from typing import Any

from pydantic import Field

from app.methods.catalogue import FAMILIES, declaration
from app.results import Result
from core.declaration.declaration import Declaration
from core.message import Message


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
    """One thing that can be chosen."""

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
    """Of ``methods``."""

    declarations: list[DeclarationResult]
    refused: list[RefusedDeclaration] = Field(default_factory=list, description="of installed packages, with reasons")
