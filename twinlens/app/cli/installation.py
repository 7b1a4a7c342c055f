"""``twinlens desktop`` and ``notices``: the program in the system's menu, and the parts that it is made of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command, TranslatedGroup
from twinlens.app.cli.session import Session, give
from twinlens.app.cli.tables import plain_table
from twinlens.app.language.texts import _
from twinlens.core.errors import TwinlensError

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
    """Install the entry, the icon and the description; on Linux also the man page and the completion of shells."""
    from twinlens.app.machine import desktop_entry
    from twinlens.app.machine.menu import menu

    result = menu().install(prefix)
    if menu() is desktop_entry:
        from twinlens.app.cli.man_page import write_system_files

        result = result.model_copy(
            update={"files": [*result.files, *write_system_files(desktop_entry.share_folder(prefix))]}
        )

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
    from twinlens.app.machine import desktop_entry
    from twinlens.app.machine.menu import menu

    result = menu().remove(prefix)
    if menu() is desktop_entry:
        from twinlens.app.cli.man_page import remove_system_files

        result = result.model_copy(
            update={"files": [*result.files, *remove_system_files(desktop_entry.share_folder(prefix))]}
        )

    def people(out: Console) -> None:
        for file in result.files:
            out.print(_("removed {file}", file=file))
        if not result.files:
            out.print(_("There was nothing to remove."))

    give(session, result, people)


@click.command(cls=Command, epilog="Example: twinlens notices qt")
@click.argument("name", required=False)
@click.pass_obj
def notices(session: Session, name: str | None) -> None:
    """List the parts that Twinlens is made of, with their licences; with NAME, the licence texts of one."""
    from twinlens.app.notices import Notices, read_notices

    every = read_notices()
    chosen = [part for part in every.parts if name is None or part.name.lower() == name.lower()]
    if not chosen:
        raise TwinlensError("Twinlens has no part “{name}”.", "`twinlens notices` lists all parts.", name=name)

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
