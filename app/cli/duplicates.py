"""``twinlens duplicates``: groups of duplicate photographs; nothing is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.finite import FiniteRange
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.duplicates.results import DuplicatesResult
from app.language.spoken import _, _n, number, text
from core.amounts import size

if TYPE_CHECKING:
    from rich.console import Console


@click.command(cls=Command, epilog="Example: twinlens duplicates --index Colours --similarity 0.95")
@click.option("--index", metavar="NAME", help="Index by which photographs are compared.  [default: as of search]")
@click.option(
    "--similarity",
    type=FiniteRange(0, 1, min_open=True),
    default=0.9,
    show_default=True,
    help="Least similarity of two duplicates.",
)
@click.option("--sure", is_flag=True, help="In place of --similarity: choose it by your marks, so that few are wrong.")
@click.option(
    "--wrong",
    type=FiniteRange(0, 0.5, min_open=True),
    default=0.02,
    show_default=True,
    help="With --sure: the share that may be wrong.",
)
@click.pass_obj
def duplicates(session: Session, index: str | None, similarity: float, sure: bool, wrong: float) -> None:
    """List groups of duplicates: copies, other sizes, light edits.

    The photograph with the most pixels stands first in each group. Files are only listed, never touched.
    """
    from app.duplicates.duplicates import find_duplicates
    from app.indexes.default_index import DEFAULT
    from app.library.library import Library

    with Library.open(session.library) as library, long_work(session) as progress:
        found = find_duplicates(library, index or DEFAULT, similarity, progress, wrong if sure else None)

    def people(out: Console) -> None:
        for line in _lines(found):
            out.print(line)

    give(session, found, people)


def _lines(found: DuplicatesResult) -> list[str]:
    lines = []
    if found.threshold is not None:
        least = _("Least similarity: {similarity:.3f}.", similarity=found.similarity)
        lines = [f"{least} {text(found.threshold.sentence())}", ""]
    for group in found.groups:
        for one in group.photographs:
            pixels = f"{one.width} x {one.height}" if one.width and one.height else ""
            lines.append(f"{number(one.similarity, '.3f')}  {pixels:>13}  {text(size(one.bytes)):>8}  {one.path}")
        lines.append("")
    if not found.groups:
        none = _(
            "No two of {of} photos have a similarity of {similarity:.3g} or more by “{index}”.",
            of=found.of,
            similarity=found.similarity,
            index=found.index,
        )
        return [*lines[:1], none]
    groups = _n("{count} group by “{index}”.", "{count} groups by “{index}”.", len(found.groups), index=found.index)
    copies = _n(
        "{count} of {of} photos is a copy ({size}).",
        "{count} of {of} photos are copies ({size}).",
        found.superfluous,
        of=found.of,
        size=size(found.bytes),
    )
    return [*lines, f"{groups} {copies}"]
