"""``twinlens desktop``: put the program into the menu of the system, or take it out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.session import Session, give
from app.cli.spoken_help import TranslatedGroup
from app.language.spoken import _

if TYPE_CHECKING:
    from rich.console import Console


@click.group(cls=TranslatedGroup, epilog="Example: twinlens desktop install")
def desktop() -> None:
    """Add Twinlens to the desktop menu, or remove it."""


_prefix = click.option(
    "--prefix", type=click.Path(path_type=Path), metavar="FOLDER", help="Use FOLDER/share; by default your own folder."
)


@desktop.command(cls=Command, epilog="Example: twinlens desktop install --prefix ~/.local")
@_prefix
@click.pass_obj
def install(session: Session, prefix: Path | None) -> None:
    """Install the entry, the icon and the description."""
    from app.machine.menu import menu

    result = menu().install(prefix)

    def people(out: Console) -> None:
        for file in result.files:
            out.print(file)
        out.print(_("Twinlens is in the menu now and starts {command}.", command=result.command))

    give(session, result, people)


@desktop.command(cls=Command, epilog="Example: twinlens desktop remove")
@_prefix
@click.pass_obj
def remove(session: Session, prefix: Path | None) -> None:
    """Remove what `desktop install` has put there."""
    from app.machine.menu import menu

    result = menu().remove(prefix)

    def people(out: Console) -> None:
        for file in result.files:
            out.print(_("removed {file}", file=file))
        if not result.files:
            out.print(_("There was nothing to remove."))

    give(session, result, people)
