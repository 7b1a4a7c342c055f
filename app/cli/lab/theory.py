"""``twinlens lab theory``: what the papers say of vectors, over what is measured of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.output_files import OUTPUT
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.cli.tables import plain_table
from app.machine.output_file import OutputFile
from core.errors import TwinlensError
from core.message import Message

if TYPE_CHECKING:
    from rich.console import Console

    from app.lab.theory.results import Theory

_KINDS = ("rank", "hamming", "bounds", "rotation", "metric")


@click.command(cls=Command, epilog="Example: twinlens lab theory rank --index Colours --svg rank.svg")
@click.argument("kind", type=click.Choice(_KINDS))
@click.option("--index", metavar="NAME", default="", help="Whose vectors.  [default: the index that search asks]")
@click.option("--vectors", metavar="FILE", default="", help="A file of vectors, as bench reads it, and no library.")
@click.option(
    "--method",
    metavar="TEXT",
    default="",
    help="Text form of the method that is looked at, or for bounds of a kernel.  [default: the index's]",
)
@click.option(
    "--metric", metavar="NAME", default="", help="For metric: a kept one; with --vectors, one to learn from --labels."
)
@click.option("--labels", metavar="FILE", default="", help="A label for each vector, to learn a metric from.")
@click.option("--sample", type=click.IntRange(30, 20_000), default=2_000, show_default=True, help="Vectors, at most.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of all that is drawn.")
@click.option("--figure", metavar="NAME", default="", help="Which figure is drawn into a file.  [default: the first]")
@click.option("--svg", type=OUTPUT, metavar="FILE", help="Draw it as .svg or .png.")
@click.option("--csv", "table", type=OUTPUT, metavar="FILE", help="Write all points.")
@click.option("--dark", is_flag=True, help="Light on dark.")
@click.pass_obj
def theory(
    session: Session,
    kind: str,
    index: str,
    vectors: str,
    method: str,
    metric: str,
    labels: str,
    sample: int,
    seed: int,
    figure: str,
    svg: OutputFile | None,
    table: OutputFile | None,
    dark: bool,
) -> None:
    """Show a theory over what is measured of the vectors.

    rank: what low rank does to klsh; hamming: what bits of sik tell of the kernel; bounds: what norms spare an exact
    search; rotation: what the turns of itq gain; metric: which directions one stretches.
    """
    from app.lab.figures.drawing import check_figure_file
    from app.lab.figures.points import TABLE, write_points
    from app.lab.theory.theory import TheorySettings
    from app.lab.theory.theory import theory as compute
    from app.library.library import Library

    if svg is not None:
        check_figure_file(svg)
    if table is not None:
        table.check(TABLE)
    asked = TheorySettings(kind, index, vectors, method, metric, labels, seed, sample)
    with long_work(session) as progress:
        if vectors:
            found = compute(asked, progress=progress)
        else:
            with Library.open(session.library) as library:
                found = compute(asked, library, progress)
    if svg is not None:
        _draw(found, figure, svg, dark)
    if table is not None:
        write_points(found.figures, table)
    give(session, found.result(), lambda out: _tell(out, found))


def _draw(found: Theory, name: str, file: OutputFile, dark: bool) -> None:
    from app.lab.figures.drawing import write_figure

    one = next((one for one in found.figures if not name or one.name == name), None)
    if one is None:
        raise TwinlensError(
            Message("There is no figure “{name}” of {kind}.", name=name, kind=found.kind),
            Message("Name one of {figures}.", figures=", ".join(f.name for f in found.figures)),
        )
    write_figure(one, file, dark)


def _tell(out: Console, found: Theory) -> None:
    out.print(found.answer)
    out.print()
    for one in found.figures:
        out.print(f"{one.title} ({one.name}): {one.reading}")
    out.print(plain_table(("what", "is"), [(name, f"{value:,.4g}") for name, value in found.numbers.items()], (1,)))
    out.print(f"{found.declaration}. {found.sample}")
