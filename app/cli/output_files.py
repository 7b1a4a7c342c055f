"""Options and arguments of commands that name a file to be written; each such command has ``--overwrite``, too."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from app.machine.output_file import OutputFile
from core.files.tilde import expanded
from storage.database.address import Address


class _Output(click.ParamType[OutputFile]):
    """Takes a path, and gives an :class:`app.machine.output_file.OutputFile`."""

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
    """Take ``--overwrite`` out of a command's parameters and into its outputs, which learn of the library, too."""
    overwrite = parameters.pop("overwrite", False)
    for name, value in parameters.items():
        if isinstance(value, OutputFile):
            parameters[name] = replace(value, overwrite=overwrite, is_protected=partial(_is_protected, library))


def _is_protected(library: Address | None, path: Path, picture: bool) -> bool:
    from app.library.protected_files import protected_by

    return protected_by(library)(path, picture)
