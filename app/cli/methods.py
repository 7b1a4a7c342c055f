"""``twinlens methods``: every declaration, with its parameters, limits and defaults, from the declarations alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.session import Session, give
from app.cli.tables import plain_table

if TYPE_CHECKING:
    from rich.console import Console


@click.command(cls=Command, epilog="Example: twinlens methods itq")
@click.argument("name", required=False)
@click.pass_obj
def methods(session: Session, name: str | None) -> None:
    """List everything that can be chosen; with NAME, every parameter of one."""
    from app.methods.catalogue import declaration, described
    from core.reference import page

    result = described(name)

    def people(out: Console) -> None:
        if name is not None:
            out.print(page(declaration(name)[1]))
            return
        rows = [(one.family, one.key, one.summary) for one in result.declarations]
        out.print(plain_table(("kind", "name", "what it does"), rows))
        out.print("`twinlens methods NAME` tells every parameter of one.")

    give(session, result, people)
