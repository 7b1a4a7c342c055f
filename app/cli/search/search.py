"""``twinlens search``: ranked look-alikes, with the time each step took and how much was looked at."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.cli.finite import FiniteRange
from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.search.filters import filter_options
from app.cli.session import Session, give
from app.cli.tables import plain_table
from app.library import decoders
from app.results import Hit, SearchResult

if TYPE_CHECKING:
    from rich.console import Console


@click.command(cls=Command, epilog="Example: twinlens search windmill.jpg --index Colours -k 10 --since 2023-05")
@click.argument("pictures", nargs=-1, metavar="PICTURE...")
@click.option(
    "--palette",
    "palettes",
    multiple=True,
    metavar="COLOURS",
    help="Colours that the photographs shall have, with weights: '#c33:2,#fff' or navy,white:3.",
)
@click.option(
    "--sketch",
    "sketches",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A picture of which only what is painted counts, not what is transparent.",
)
@click.option(
    "--index",
    "indexes",
    multiple=True,
    metavar="NAME",
    help="Index to ask; may be given several times.  [default: Automatic, or what `twinlens metrics use` chose]",
)
@click.option("-k", "k", type=click.IntRange(1, 100_000), default=20, show_default=True, help="How many to find.")
@click.option("--exact", is_flag=True, help="Measure every photograph instead of only the candidates.")
@click.option("--compare-exact", is_flag=True, help="Say which share of the exact first k was found.")
@click.option(
    "--check/--no-check",
    default=None,
    help="Compare the first answers point by point with PICTURE, and put first what shows the same: an edited copy, "
    "say. By default indexes that compare shapes and places do.",
)
@click.option("--confirmed", is_flag=True, help="Give only what the check found to show the same.")
@click.option(
    "--together",
    "fuse",
    type=click.Choice(["rrf", "borda", "similarity"]),
    help="Make one ranked list of those of all indexes: by reciprocal ranks, by Borda's count, or by the sum of "
    "similarities.",
)
@click.option(
    "--weight",
    "weights",
    type=float,
    multiple=True,
    metavar="NUMBER",
    help="With --together: what each --index counts for, in their order.",
)
@click.option(
    "--with-marks", is_flag=True, help="Ask with what was marked similar to PICTURE too, and against what is different."
)
@click.option(
    "--sure", is_flag=True, help="Only what is sure by your marks: nearer than where more than --wrong are wrong."
)
@click.option(
    "--wrong",
    type=FiniteRange(0, 0.5, min_open=True),
    default=0.02,
    show_default=True,
    help="Which share may be wrong.",
)
@filter_options
@click.pass_obj
def search(
    session: Session,
    pictures: tuple[str, ...],
    palettes: tuple[str, ...],
    sketches: tuple[Path, ...],
    indexes: tuple[str, ...],
    k: int,
    exact: bool,
    compare_exact: bool,
    check: bool | None,
    confirmed: bool,
    fuse: str | None,
    weights: tuple[float, ...],
    with_marks: bool,
    sure: bool,
    wrong: float,
    since: str | None,
    until: str | None,
    folder: Path | None,
    camera: str | None,
    orientation: str | None,
    marked: str | None,
) -> None:
    """Find the photographs that look like each PICTURE: any picture file, or the id of a photograph, as #12.

    What is found to show the same is marked with ✓: copies that were cropped, mirrored, recoloured or written on.

    Where enough photographs are marked similar or different, a line says up to where the answers are sure.

    Or those that have the colours of a palette or of a sketch, by an index that compares colours.
    """
    if (pictures or sketches) and not indexes and check is not False:
        # The index that answers then looks at each picture itself; the process for that starts during the imports.
        decoders.warm()
    from app.indexes.default_index import DEFAULT
    from app.library.library import Library
    from app.search.question import Example, Pictured, Question, read_palette
    from app.search.searcher import Filters
    from app.search.searcher import search as find
    from app.search.wanted import Fusing, Wanted

    asked: list[Pictured | Question] = [read_picture(text) for text in pictures]
    asked += [read_palette(text) for text in palettes]
    asked += [Question((Example(file, sketch=True),)) for file in sketches]
    if not asked:
        raise click.UsageError("Name a PICTURE, or colours with --palette, or a drawing with --sketch.")
    if fuse is None and weights:
        raise click.UsageError("--weight is of use with --together alone.")
    if fuse is not None and compare_exact:
        raise click.UsageError("Answers that are fused have no exact ones to be compared with; leave out one of both.")
    if fuse is not None and sure:
        raise click.UsageError(
            "Answers that are fused have no distances that marks could judge; leave out one of both."
        )
    filters = Filters(since, until, folder, camera, orientation, marked)
    wanted = Wanted(
        k,
        exact,
        compare_exact,
        check,
        confirmed,
        sure,
        wrong,
        filters,
        with_marks,
        None if fuse is None else Fusing(fuse, weights or None),
    )
    with Library.open(session.library) as library, long_work(session) as progress:
        found = find(library, asked, indexes or (DEFAULT,), wanted, progress)

    if filters != Filters():
        narrowed = ", ".join(f"{name} {value}" for name, value in filters.values().items())
        none = f"No photograph fits ({narrowed})."
        results = [one if one.hits or one.note else one.noted(none) for one in found.results]
        found = found.model_copy(update={"results": results})

    def people(out: Console) -> None:
        for result in found.results:
            print_result(out, result)

    give(session, found, people)


def read_picture(text: str) -> Path | int:
    """Read what names a picture: the id of a photograph, as #12, or a path."""
    return int(text[1:]) if text.startswith("#") and text[1:].isdecimal() else Path(text)


def print_result(out: Console, result: SearchResult) -> None:
    """Print the ranked hits of one query in one index, and the line of timing and truth."""
    out.print(f"{_short(result.query)} in {result.index} ({result.text})", style="bold")
    rows = [
        (
            str(rank),
            f"{hit.similarity:.3f}",
            f"{hit.distance:.3f}",
            *([_mark(hit)] if result.checked else []),
            _short(hit.path) + ("  (asked)" if hit.query else ""),
        )
        for rank, hit in enumerate(result.hits, 1)
    ]
    if result.threshold is not None and rows:
        place = result.within()
        words = f"{'up to here' if place else 'none of these is sure: nearer than these'} {result.threshold.sentence()}"
        rows.insert(place, ("", "", "", *([""] if result.checked else []), f"— {words} —"))
    heading = ("rank", "similarity", "distance", *(["same"] if result.checked else []), "photograph")
    if rows:
        out.print(plain_table(heading, rows, numbers=(0, 1, 2)))
    elif not result.note:
        out.print("No photograph was found.")
    if result.note:
        out.print(result.note)
    out.print(result.timing(), style="dim")
    out.print()


def _mark(hit: Hit) -> str:
    """Return whether a hit shows the same as what was asked with, and how."""
    if hit.check is None or not hit.check.confirmed:
        return ""
    how = [word for word, so in (("mirrored", hit.check.mirrored), ("in negative", hit.check.inverted)) if so]
    return " ".join(["✓", *how])


def _short(path: str) -> str:
    """Write a path from here, on a terminal, where that is shorter; a pipe gets the whole path."""
    if not sys.stdout.isatty():
        return path
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return path
    return min(path, relative, key=len)
