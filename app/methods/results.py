"""Results of the command that lists what can be declared, as ``--json`` writes them."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from app.results import Result
from core.message import Message


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
