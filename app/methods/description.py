"""Description of what can be declared, for people and for ``--json``."""

from __future__ import annotations

import inspect

from app.methods.catalogue import FAMILIES, declaration
from app.methods.results import DeclarationResult, MethodsResult, ParameterResult, RefusedDeclaration
from core.declaration.declaration import Declaration


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
