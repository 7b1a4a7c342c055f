"""``twinlens evaluate``: which index to trust for what, on one's own photographs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.output_files import check_writable
from app.cli.progress import long_work
from app.cli.session import Session, give, say
from app.cli.tables import plain_table
from app.machine.csv_table import Table
from core.errors import TwinlensError
from core.message import Message

if TYPE_CHECKING:
    from rich.console import Console

    from app.evaluate.results import EditFigures, EvaluatedIndex, EvaluateResult


@click.command(cls=Command, epilog="Example: twinlens evaluate --truth edits --index Automatic --photographs 50")
@click.option(
    "--truth",
    type=click.Choice(["edits"]),
    default="edits",
    show_default=True,
    help="What is right: edits = edited copies are asked with, and their photographs are the answers.",
)
@click.option("--index", "indexes", multiple=True, metavar="NAME", help="Index to ask; by default all.")
@click.option(
    "--descriptor",
    "descriptors",
    multiple=True,
    metavar="TEXT",
    help="Measured exactly, without codes, by the vectors of an index of it.",
)
@click.option(
    "--photographs",
    type=click.IntRange(1, 100_000),
    default=20,
    show_default=True,
    help="How many are drawn and edited; more are more exact.",
)
@click.option("--folder", type=click.Path(path_type=Path), metavar="FOLDER", help="Draw only from what lies in it.")
@click.option("--edits", default="", metavar="NAME,...", help="Only these edits, such as 'crop 50 %,mirror'.")
@click.option("--further", is_flag=True, help="Harder edits, too; they are in no mean.")
@click.option(
    "--check/--no-check",
    default=None,
    help="Check the first hits geometrically, or not.  [default: as a search does]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draw and of the edits.")
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE.csv", help="Write the figures, a line for each."
)
@click.pass_obj
def evaluate(
    session: Session,
    truth: str,
    indexes: tuple[str, ...],
    descriptors: tuple[str, ...],
    photographs: int,
    folder: Path | None,
    edits: str,
    further: bool,
    check: bool | None,
    seed: int,
    output: Path | None,
) -> int:
    """Edit some photographs of the library as copies get about, and count which index finds them again.

    The copies (cropped, turned, mirrored, small, in grey, with a caption, ...) are made in memory, at most 1,024 pixels
    long. R@1 is the share whose photograph is first, R@10 among the first ten, mAP the mean of 1 / its rank; beside it
    stands what a perceptual hash of 64 bits finds. Ctrl-C stops, and what was asked until then gives the figures.
    """
    from app.evaluate.evaluation import Evaluation
    from app.evaluate.evaluation import evaluate as measure
    from app.library.library import Library

    if output is not None:
        check_writable(output)
    names = tuple(name.strip() for name in edits.split(",") if name.strip())
    wanted = Evaluation(indexes, descriptors, photographs, names, further, check, folder, seed)
    with Library.open(session.library) as library, long_work(session) as progress:
        result = measure(library, wanted, progress)
    if output is not None:
        _write(output, result)
        say(session, f"The figures are in {output}.")
    give(session, result, lambda out: _print(out, result))
    return 130 if result.cancelled else 0


def _write(file: Path, result: EvaluateResult) -> None:
    try:
        with file.open("w", encoding="utf-8", newline="") as target:
            table = Table(target)
            table.writerow(("by", "text", "edit", "questions", "recall@1", "recall@10", "map"))
            for index in result.indexes:
                for one in (*index.edits, index.mean, *index.further):
                    recall = [f"{one.recall[first]:.6f}" for first in ("1", "10")]
                    table.writerow((index.name, index.text, one.edit, one.questions, *recall, f"{one.map:.6f}"))
    except OSError as error:
        raise TwinlensError(
            Message("{file} cannot be written: {strerror}.", file=file, strerror=error.strerror),
            Message("Name another file."),
        ) from None


def _print(out: Console, result: EvaluateResult) -> None:
    out.print(
        f"{result.questions:,} edited copies of {result.photographs:,} photographs, drawn from {result.of:,}, "
        f"among {result.library:,}; seed {result.seed}; {result.seconds:,.0f} s",
    )
    for index in result.indexes:
        out.print(f"{index.name}: {index.text}, {1000 * index.seconds:,.1f} ms a question")
    heading = ["edit"]
    for index in result.indexes:
        heading += [f"{index.name} R@1", "R@10", "mAP"]
    rows = _rows(result.indexes, [index.edits for index in result.indexes])
    rows += _rows(result.indexes, [[index.mean] for index in result.indexes])
    rows += _rows(result.indexes, [index.further for index in result.indexes])
    out.print(plain_table(heading, rows, numbers=range(1, len(heading))))
    for sentence in (*result.advice, *result.notes):
        out.print(sentence)


def _rows(indexes: list[EvaluatedIndex], figures: list[list[EditFigures]]) -> list[tuple[str, ...]]:
    rows = []
    for place, one in enumerate(figures[0]):
        cells = [one.edit]
        for column in figures:
            found = column[place]
            cells += [f"{found.recall['1']:.3f}", f"{found.recall['10']:.3f}", f"{found.map:.3f}"]
        rows.append(tuple(cells))
    return rows
