"""``twinlens notices``: the parts that the program is made of, and the texts of their licences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.session import Session, give
from app.cli.tables import plain_table
from app.language.spoken import _
from core.errors import TwinlensError
from core.message import Message

if TYPE_CHECKING:
    from rich.console import Console


@click.command(cls=Command, epilog="Example: twinlens notices qt")
@click.argument("name", required=False)
@click.pass_obj
def notices(session: Session, name: str | None) -> None:
    """List the parts that Twinlens is made of, with their licences; with NAME, the licence texts of one."""
    from app.notices.notices import read_notices
    from app.notices.part import Notices

    every = read_notices()
    chosen = [part for part in every.parts if name is None or part.name.lower() == name.lower()]
    if not chosen:
        raise TwinlensError(
            Message("Twinlens has no part “{name}”.", name=name), Message("`twinlens notices` lists all parts.")
        )

    def people(out: Console) -> None:
        if name is None:
            rows = [(part.name, part.version, part.licence, part.within) for part in every.parts]
            out.print(plain_table((_("part"), _("version"), _("licence"), _("comes with")), rows))
            out.print(_("`twinlens notices NAME` prints the licence texts of one."))
            return
        for part in chosen:
            for line in (f"{part.name} {part.version} ({part.licence})", part.home, part.source):
                if line:
                    out.print(line, markup=False)
            for text in every.texts(part):
                for line in ("", text.title, "", *text.text.splitlines()):
                    out.print(line, markup=False, highlight=False, soft_wrap=True)

    give(session, Notices(parts=chosen), people)
