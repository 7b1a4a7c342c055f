"""Options that commands share: output files (with ``--overwrite``), filters of photographs, numbers and sizes.

click accepts "nan" and "inf" as numbers within every range, so :class:`FiniteRange` refuses them. Sizes are as people
write them: 500kB, 5MB, 2 GB.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from app.language.texts import _
from app.machine.output_file import OutputFile
from core.files.untrusted_input import expanded
from storage.database.address import Address


class _Output(click.ParamType[OutputFile]):
    """The type of a path that becomes an :class:`app.machine.output_file.OutputFile`."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> OutputFile:
        return value if isinstance(value, OutputFile) else OutputFile(expanded(Path(value)))


OUTPUT = _Output()
_overwrite = click.option("--overwrite", is_flag=True, help="Replace a file that is there; photos never.")


def add_overwrite(command: click.Command) -> None:
    """Add the option ``--overwrite`` to a command that writes a file."""
    if any(one.type is OUTPUT for one in command.params):
        _overwrite(command)


def settle_outputs(parameters: dict[str, Any], library: Address | None) -> None:
    """Move ``--overwrite`` from a command's parameters into its outputs, which get the library, too."""
    overwrite = parameters.pop("overwrite", False)
    for name, value in parameters.items():
        if isinstance(value, OutputFile):
            parameters[name] = replace(value, overwrite=overwrite, is_protected=partial(_is_protected, library))


def _is_protected(library: Address | None, path: Path, picture: bool) -> bool:
    from app.library.library import protected_by

    return protected_by(library)(path, picture)


Command = TypeVar("Command", bound=Callable[..., Any])
_OPTIONS = (
    click.option("--since", metavar="DATE", help="Taken on or after: 2023, 2023-05 or 2023-05-14."),
    click.option("--until", metavar="DATE", help="Taken on or before."),
    click.option("--folder", type=click.Path(path_type=Path), metavar="FOLDER", help="Only photos in this folder."),
    click.option("--camera", metavar="TEXT", help="Part of the camera's name, or 'unknown camera'."),
    click.option(
        "--orientation", type=click.Choice(["landscape", "portrait", "square"]), help="Only photos of this shape."
    ),
    click.option("--marked", type=click.Choice(["any", "similar", "different"]), help="Only photos with such a mark."),
)


def filter_options(command: Command) -> Command:
    """Add the options of :class:`app.search.search_space.Filters` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


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
        """Read a size."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?)b?", value.strip(), re.IGNORECASE)
        if found is None:
            self.fail(_("“{value}” is not a size: write 500kB, 5MB or 2GB.", value=value), param, ctx)
        return round(float(found[1]) * _UNITS[found[2].lower()])
