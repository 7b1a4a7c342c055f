"""The options that filter photographs, shared by several commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

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
    """Add the options of :class:`app.search.filters.Filters` to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
