"""``twinlens methods``: every declaration with its parameters, limits and defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.session import Session, give
from app.cli.tables import plain_table
from app.language.spoken import _

if TYPE_CHECKING:
    from rich.console import Console


@click.command(cls=Command, epilog="Example: twinlens methods itq")
@click.argument("name", required=False)
@click.pass_obj
def methods(session: Session, name: str | None) -> None:
    """List all choices; with NAME, the parameters of one."""
    from app.methods.catalogue import declaration
    from app.methods.description import describe_declarations
    from core.declaration.reference_page import page

    result = describe_declarations(name)

    def people(out: Console) -> None:
        if name is not None:
            for line in page(declaration(name)[1]).splitlines():
                out.print(line)
            return
        rows = [(_families()[one.family], one.key, _(one.summary)) for one in result.declarations]
        out.print(plain_table((_("kind"), _("name"), _("summary")), rows))
        out.print(_("`twinlens methods NAME` lists the parameters of one."))
        for refused in result.refused:
            out.print(
                _(
                    "{key} of the package {package} is not used: {reason}.",
                    key=refused.key,
                    package=refused.package,
                    reason=refused.reason,
                )
            )

    give(session, result, people)


def _families() -> dict[str, str]:
    return {
        "descriptor": _("descriptor"),
        "metric": _("metric"),
        "method": _("hash method"),
        "search": _("search structure"),
        "kernel": _("kernel"),
    }
