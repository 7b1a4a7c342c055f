"""``twinlens describe``: descriptors of pictures into a file that ``bench`` and other programs read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.cli.tables import size

if TYPE_CHECKING:
    from rich.console import Console

    from app.describe.results import DescribeResult

_SHOWN = 10


@click.command(cls=Command, epilog="Example: twinlens describe gist ~/Pictures --output gist.npy")
@click.argument("descriptor")
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE_OR_FOLDER]...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A new .npy, or .npz with --sparse; a .csv beside it says which row is of which picture.",
)
@click.option("--sparse", is_flag=True, help="Write the exact sparse form that pyramid-match has, as .npz.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that read; by default one a core.")
@click.pass_obj
def describe(
    session: Session, descriptor: str, pictures: tuple[Path, ...], output: Path, sparse: bool, workers: int | None
) -> None:
    """Describe pictures by DESCRIPTOR, and write a row of numbers for each.

    FILE_OR_FOLDER are pictures, and folders with pictures; without any, the photographs of the library are described,
    whose descriptors are taken from it where it has them. Pictures that cannot be read have no row and are listed.

    The dot product of two rows of pyramid-match with --sparse is its kernel, which bench and metric take: a row has a
    few of 10^14 dimensions.
    """
    from contextlib import ExitStack

    from app.describe.describe import Description
    from app.describe.describe import describe as run
    from app.library.library import Library

    with ExitStack() as stack:
        library = None if pictures else stack.enter_context(Library.open(session.library))
        progress = stack.enter_context(long_work(session))
        result = run(Description(descriptor, output, pictures, sparse, workers), library, progress)
    give(session, result, lambda out: _print(out, result))


def _print(out: Console, result: DescribeResult) -> None:
    numbers = f"{result.dimensions:,} numbers each" if not result.sparse else f"a few of {result.dimensions:.2g} each"
    what = "picture" if result.pictures == 1 else "pictures"
    out.print(
        f"{result.pictures:,} {what} by {result.descriptor}, {numbers}: {result.file} ({size(result.bytes)}), "
        f"in {result.seconds:,.1f} s.",
    )
    out.print(f"Which row is of which picture: {result.table}")
    if result.blank:
        out.print(f"{result.blank:,} of them are zero: the descriptor says nothing of those pictures.")
    if result.passed_over:
        out.print(f"{result.passed_over:,} other files are no pictures.")
    for problem in result.problems[:_SHOWN]:
        out.print(f"{problem.path}: {problem.reason} {problem.next_step}")
    if len(result.problems) > _SHOWN:
        out.print(f"{len(result.problems) - _SHOWN:,} more could not be read; --json lists all.")
