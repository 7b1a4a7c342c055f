"""Options of declared requests: a command takes a request whose options are those that it declares.

click takes "nan" and "inf" for numbers, and within every range; no request does. Sizes are as people write them:
500kB, 5MB, 2 GB.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from twinlens.app.cli.session import index_names
from twinlens.app.language.texts import _
from twinlens.core.declaration.parameters import Parameter, ParameterKind
from twinlens.core.declaration.request import Request

Command = TypeVar("Command", bound=Callable[..., Any])


def takes(
    name: str,
    request: type[Request],
    /,
    *parts: str | Callable[..., Any],
    without: Collection[str] = (),
    show_defaults: bool = True,
    **texts: str,
) -> Callable[[Command], Command]:
    """Add the options of a request to a command, and pass it the request, in which only what was said is set.

    An argument of the command that has the name of a field goes into the request, too.

    Parameters
    ----------
    name : str
        Name of the argument that gets the request.
    request : type of Request
        Its class.
    *parts : str or decorator
        Fields in the order of the command's help, with other options that stand between them. All others that are
        options follow, in the order in which they are declared.
    without : collection of str
        Fields that are no options of this command.
    show_defaults : bool
        Whether the help shows defaults; not where what is not said comes from a file.
    **texts : str
        The help of fields of which this command says something else than the declaration.

    Examples
    --------
    A command that searches, with the options of `SearchOptions`::

        @click.command()
        @takes("options", SearchOptions)
        def search(options: SearchOptions) -> None: ...
    """
    known = {about.name: about for about in request.parameters() if about.help}
    named = {part for part in parts if isinstance(part, str)} | set(without)
    assert named <= known.keys(), f"{request.__name__} has no option {', '.join(sorted(named - known.keys()))}"
    every = (*parts, *(field for field in known if field not in named))

    def option(field: str) -> Callable[..., Any]:
        return _option(replace(known[field], help=texts.get(field, known[field].help)), show_defaults)

    def decorate(command: Any) -> Any:
        @functools.wraps(command)
        def called(*arguments: Any, **values: Any) -> Any:
            source = click.get_current_context().get_parameter_source
            given = {field: values.pop(field) for field in request.model_fields if source(field) is not None}
            typed = {field: value for field, value in given.items() if source(field) is ParameterSource.COMMANDLINE}
            return command(*arguments, **{name: request(**typed)}, **values)

        made = called
        for part in reversed(every):
            made = (option(part) if isinstance(part, str) else part)(made)
        return made

    return decorate


def _option(about: Parameter, show_default: bool) -> Callable[..., Any]:
    """Return the option of a parameter."""
    plain = "--" + about.name.replace("_", "-")
    is_switch = about.kind is ParameterKind.SWITCH
    names = about.option or (f"{plain}/--no-{plain[2:]}" if is_switch and about.optional else plain)
    attributes: dict[str, Any] = {"help": about.help}
    if "--index" in names.split():
        attributes |= {"shell_complete": index_names}
    if is_switch:
        attributes |= {"default": None} if about.optional else {"is_flag": True}
    else:
        attributes |= {"type": _value_type(about), "metavar": about.metavar or None}
        attributes |= {"multiple": about.several and not about.separated, "required": about.required}
        if show_default and not about.is_off:
            attributes |= {"default": about.default, "show_default": True}
    return click.option(*names.split(), about.name, **attributes)


def _value_type(about: Parameter) -> Any:
    """Return what reads the value of an option."""
    limited = about.lower is not None or about.upper is not None
    if about.separated:
        return _Separated({ParameterKind.WHOLE: int, ParameterKind.NUMBER: float}.get(about.kind, str))
    if about.unit == "B":
        return FileSize()
    if about.kind is ParameterKind.WHOLE:
        return click.IntRange(about.lower, about.upper) if limited else int  # type: ignore[arg-type]
    if about.kind is ParameterKind.NUMBER:
        return FiniteRange(about.lower, about.upper, about.lower_open, about.upper_open) if limited else float
    if about.kind is ParameterKind.CHOICE:
        return click.Choice(about.words)
    return click.Path(path_type=Path) if about.kind is ParameterKind.FILE else str


class _Separated(click.ParamType[tuple[Any, ...]]):
    """Values with commas between them."""

    name = "text"

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        """Read them."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(self.kind(word.strip()) for word in value.split(",") if word.strip())
        except ValueError:
            raise click.UsageError(
                _(
                    "{option} takes numbers separated by commas, such as 20,50,200, not “{text}”.",
                    option=param.opts[0] if param else "",
                    text=value,
                ),
                ctx,
            ) from None


class FiniteRange(click.FloatRange):
    """A range of numbers without nan and infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read a number."""
        number: float = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(_("{value} is not a number.", value=repr(value)), param, ctx)
        return number


_UNITS = {"": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}


class FileSize(click.ParamType[int]):
    """A number of bytes, with a unit or without."""

    name = "size"

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read it."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?)b?", value.strip(), re.IGNORECASE)
        if found is None:
            self.fail(_("“{value}” is not a size: write 500kB, 5MB or 2GB.", value=value), param, ctx)
        return round(float(found[1]) * _UNITS[found[2].lower()])
