"""``twinlens describe``: descriptors of pictures, written into a file for ``bench`` and other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.output_files import OUTPUT
from app.cli.progress import long_work
from app.cli.session import Session, give
from app.language.spoken import _, _n
from app.machine.output_file import ONLY_COPY, OutputFile
from core.amounts import size

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
    type=OUTPUT,
    metavar="FILE",
    help="A .npy, or .npz with --sparse; a .csv beside it lists the picture of each row.",
)
@click.option("--sparse", is_flag=True, help="Write the exact sparse form of pyramid-match, as .npz.")
@click.option("--workers", type=click.IntRange(1, 256), help="Processes that read; by default one per core.")
@click.pass_obj
def describe(
    session: Session, descriptor: str, pictures: tuple[Path, ...], output: OutputFile, sparse: bool, workers: int | None
) -> None:
    """Describe pictures by DESCRIPTOR, and write a row of numbers for each.

    FILE_OR_FOLDER are pictures and folders of pictures; without any, the photos of the library are described,
    with the descriptors that it already has. Unreadable pictures have no row and are listed.

    With --sparse, the dot product of two rows of pyramid-match is its kernel, as bench and metric expect it: a row has
    a few of 10^14 dimensions.
    """
    from contextlib import ExitStack

    from app.describe.describe import Description, table_beside
    from app.describe.describe import describe_pictures as run
    from app.library.library import Library

    for file in (output, table_beside(output)):
        file.check(ONLY_COPY)
    with ExitStack() as stack:
        library = None if pictures else stack.enter_context(Library.open(session.library))
        progress = stack.enter_context(long_work(session))
        result = run(Description(descriptor, output, pictures, sparse, workers), library, progress)
    give(session, result, lambda out: _print_described(out, result))


def _print_described(out: Console, result: DescribeResult) -> None:
    numbers = _n("{count} number each", "{count} numbers each", result.dimensions)
    if result.sparse:
        numbers = _("a few of {dimensions:.2g} numbers each", dimensions=result.dimensions)
    lines = [
        _n(
            "{count} picture by {descriptor}, {numbers}: {file} ({size}), in {seconds:,.1f} s.",
            "{count} pictures by {descriptor}, {numbers}: {file} ({size}), in {seconds:,.1f} s.",
            result.pictures,
            descriptor=result.descriptor,
            numbers=numbers,
            file=result.file,
            size=size(result.bytes),
            seconds=result.seconds,
        ),
        _("Pictures of the rows: {table}", table=result.table),
    ]
    if result.blank:
        lines.append(
            _n(
                "{count} row is zero: the descriptor found nothing in its picture.",
                "{count} rows are zero: the descriptor found nothing in their pictures.",
                result.blank,
            )
        )
    if result.passed_over:
        lines.append(
            _n("{count} other file is not a picture.", "{count} other files are not pictures.", result.passed_over)
        )
    lines += [
        _(
            "{path}: {reason} {next_step}",
            path=problem.path,
            reason=problem.reason,
            next_step=problem.next_step,
        )
        for problem in result.problems[:_SHOWN]
    ]
    if len(result.problems) > _SHOWN:
        more = len(result.problems) - _SHOWN
        lines.append(
            _n(
                "{count} more could not be read; --json lists all.",
                "{count} more could not be read; --json lists all.",
                more,
            )
        )
    for line in lines:
        out.print(line)
