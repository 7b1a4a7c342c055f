"""``twinlens evaluate``: evaluation of indexes with edited copies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.main import Command
from app.cli.output_files import check_writable
from app.cli.progress import long_work
from app.cli.session import Session, give, say
from app.cli.tables import plain_table
from app.language.spoken import _, number, text
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
    help="Right results. edits: the originals of edited copies.",
)
@click.option("--index", "indexes", multiple=True, metavar="NAME", help="Index to measure. Default: all.")
@click.option(
    "--descriptor",
    "descriptors",
    multiple=True,
    metavar="TEXT",
    help="Measure exact search by the vectors of this descriptor.",
)
@click.option(
    "--photographs",
    type=click.IntRange(1, 100_000),
    default=20,
    show_default=True,
    help="Number of photographs to edit.",
)
@click.option("--folder", type=click.Path(path_type=Path), metavar="FOLDER", help="Draw only from this folder.")
@click.option("--edits", default="", metavar="NAME,...", help="Only these edits, such as 'crop 50 %,mirror'.")
@click.option("--further", is_flag=True, help="Harder edits too, which are not in the mean.")
@click.option(
    "--check/--no-check",
    default=None,
    help="Check the first results point by point, or not.  [default: as in a search]",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the draw and of the edits.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE.csv", help="Write the figures as CSV.")
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
    """Edit some photographs of the library, and measure how often each index finds the originals.

    The copies (cropped, turned, mirrored, small, grey, with a caption, ...) are made in memory with at most 1,024
    pixels a side. R@1 is the share of originals at the first place, R@10 among the first ten, mAP the mean of
    1 / rank. A perceptual hash of 64 bits is measured too. After Ctrl-C the figures rest on the queries so far.
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
        say(session, _("The figures are in {file}.", file=output))
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
            Message("{file} cannot be written: {reason}.", file=file, reason=error.strerror),
            Message("Choose another file."),
        ) from None


def _print(out: Console, result: EvaluateResult) -> None:
    out.print(
        _(
            "{copies} edited copies of {photographs} photographs (drawn from {of}), searched among {library}, with "
            "seed {seed:d} in {seconds:,.0f} s.",
            copies=result.questions,
            photographs=result.photographs,
            of=result.of,
            library=result.library,
            seed=result.seed,
            seconds=result.seconds,
        ),
    )
    for index in result.indexes:
        out.print(
            _(
                "{name}: {index}, {milliseconds:,.1f} ms per query",
                name=index.name,
                index=index.text,
                milliseconds=1000 * index.seconds,
            ),
        )
    heading = [_("edit")]
    for index in result.indexes:
        heading += [f"{index.name} R@1", "R@10", "mAP"]
    rows = _rows(result.indexes, [index.edits for index in result.indexes])
    rows += _rows(result.indexes, [[index.mean] for index in result.indexes])
    rows += _rows(result.indexes, [index.further for index in result.indexes])
    out.print(plain_table(heading, rows, numbers=range(1, len(heading))))
    for sentence in (*result.advice, *result.notes):
        out.print(text(sentence))


def _rows(indexes: list[EvaluatedIndex], figures: list[list[EditFigures]]) -> list[tuple[str, ...]]:
    rows = []
    for place, one in enumerate(figures[0]):
        cells = [one.edit]
        for column in figures:
            found = column[place]
            cells += [number(value, ".3f") for value in (found.recall["1"], found.recall["10"], found.map)]
        rows.append(tuple(cells))
    return rows
