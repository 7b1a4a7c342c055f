"""``twinlens duplicates``: photographs that are there more than once; nothing is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.finite import FiniteRange
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.cli.tables import size
from app.duplicates.results import DuplicatesResult

if TYPE_CHECKING:
    from rich.console import Console


@click.command(cls=Command, epilog="Example: twinlens duplicates --index Colours --similarity 0.95")
@click.option("--index", metavar="NAME", help="By which photographs are compared.  [default: as of search]")
@click.option(
    "--similarity",
    type=FiniteRange(0, 1, min_open=True),
    default=0.9,
    show_default=True,
    help="From which two photographs count as the same.",
)
@click.option("--sure", is_flag=True, help="In place of --similarity: from where on your marks say that few are wrong.")
@click.option(
    "--wrong",
    type=FiniteRange(0, 0.5, min_open=True),
    default=0.02,
    show_default=True,
    help="With --sure: how many.",
)
@click.pass_obj
def duplicates(session: Session, index: str | None, similarity: float, sure: bool, wrong: float) -> None:
    """List groups of photographs that are the same, or nearly: copies, other sizes, light edits.

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
        lines = [f"From a similarity of {found.similarity:.3f} on {found.threshold.sentence()}.", ""]
    for group in found.groups:
        for one in group.photographs:
            pixels = f"{one.width} x {one.height}" if one.width and one.height else ""
            lines.append(f"{one.similarity:.3f}  {pixels:>13}  {size(one.bytes):>8}  {one.path}")
        lines.append("")
    if not found.groups:
        none = f"No two of {found.of:,} photographs are alike by {found.similarity:.3g} or more in “{found.index}”."
        return [*lines[:1], none]
    groups = "1 group" if len(found.groups) == 1 else f"{len(found.groups):,} groups"
    more = f"{found.superfluous:,} of {found.of:,} photographs, {size(found.bytes)}, are there besides another"
    lines.append(f"{groups} by “{found.index}”; {more}.")
    return lines
