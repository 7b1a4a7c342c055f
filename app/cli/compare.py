"""``twinlens compare``: one query in several indexes, side by side, each compared with exact search."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from app.cli.main import Command
from app.cli.progress import long_work
from app.cli.search.filters import filter_options
from app.cli.search.search import read_picture
from app.cli.session import Session, give
from app.cli.tables import plain_table
from app.language.spoken import _, number, text
from core.amounts import size
from core.errors import TwinlensError
from core.message import Message

if TYPE_CHECKING:
    from rich.console import Console

    from app.compare.columns import ComparisonColumn
    from app.compare.results import ComparedColumn, CompareResult
    from app.library.library import Library


@click.command(
    cls=Command, epilog="Example: twinlens compare windmill.jpg --index Automatic --column klsh:rank=16 --column exact"
)
@click.argument("picture")
@click.option("--index", "indexes", multiple=True, metavar="NAME", help="An index of the library, as a column.")
@click.option(
    "--column",
    "--columns",
    "changed",
    multiple=True,
    metavar="TEXT",
    help="A temporary index: a hash method, a search structure, a metric, or several of these separated by |, such as "
    "'klsh:rank=16 | buckets', on the vectors of --of, or of a descriptor that is named too.",
)
@click.option(
    "--of", metavar="NAME", help="The index that each --column changes. By default the first --index, or Automatic."
)
@click.option("-k", "--k", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Number of results.")
@click.option(
    "--reference",
    metavar="NAME",
    help="The column whose exact ranking all are compared with. By default each is compared with exact search by its "
    "own measure.",
)
@click.option("--hits", is_flag=True, help="Also list what each column found and missed.")
@filter_options
@click.pass_obj
def compare(
    session: Session,
    /,
    picture: str,
    indexes: tuple[str, ...],
    changed: tuple[str, ...],
    of: str | None,
    k: int,
    reference: str | None,
    hits: bool,
    **narrowed: Any,
) -> None:
    """Search for PICTURE, a file or an id such as #12, in two to six indexes, and list what each misses.

    Without --index and --column: the default index, exact search by its measure, and others of the library.

    Filters by folder, date, camera, shape or marks apply to every column, and to the photos that it misses.
    """
    from app.compare.comparison import ComparisonSettings
    from app.compare.comparison import compare_indexes as run
    from app.library.library import Library
    from app.search.filters import Filters
    from app.search.searcher import Searcher

    with Library.open(session.library) as library, long_work(session) as progress:
        wanted = ComparisonSettings(_compared_columns(library, indexes, changed, of), k, Filters(**narrowed))
        found = run(Searcher(library), read_picture(picture), wanted, progress=progress)
        if reference is not None:
            names = [text(one.title) for one in found.columns]
            if reference not in names:
                raise TwinlensError(
                    Message("There is no column “{reference}”.", reference=reference),
                    Message("Choose one of {names}.", names=names),
                )
            found = found.held_against(names.index(reference))
        result = found.result()

    def people(out: Console) -> None:
        print_comparison(out, result, hits)

    give(session, result, people)


def _compared_columns(
    library: Library, indexes: tuple[str, ...], changed: tuple[str, ...], of: str | None
) -> list[ComparisonColumn]:
    from app.compare.columns import ComparisonColumn, default_columns, read_column
    from app.indexes.default_index import default_row

    with library.store.reading() as r:
        if not indexes and not changed:
            return default_columns(r, of or default_row(r).name)
        base = of or (indexes[0] if indexes else default_row(r).name)
        named = [ComparisonColumn(name) for name in indexes or ((base,) if len(changed) == 1 else ())]
        return [*named, *(read_column(r, one, base) for one in changed)]


def print_comparison(out: Console, result: CompareResult, hits: bool) -> None:
    """Print a line for each column with its cost, and, if wished, the photographs that it found and missed."""
    out.print(text(result.query), style="bold")
    if result.filters:
        narrowed = ", ".join(f"{name} {value}" for name, value in result.filters.items())
        out.print(_("Filters: {filters}", filters=narrowed))
    rows = []
    for one in result.columns:
        seconds = one.answer.seconds
        steps = (seconds.encode, seconds.scan, seconds.rerank)
        rows.append(
            (
                text(one.title),
                "" if one.bits is None else number(one.bits),
                *(number(1000 * step, ",.1f") for step in steps),
                number(one.answer.scanned),
                number(one.answer.looked_at),
                "" if one.overlap is None else number(one.overlap, ".2f"),
                text(size(one.bytes.codes + one.bytes.model + one.bytes.search)),
                text(size(one.bytes.per_photograph)),
            )
        )
    heading = (
        _("column"), _("bits"), _("encode ms"), _("scan ms"), _("re-rank ms"), _("scanned"), _("looked at"),
        _("overlap@{k:d}", k=result.k), _("bytes"), _("per photo"),
    )  # fmt: skip
    out.print(plain_table(heading, rows, numbers=tuple(range(1, len(heading)))))
    titles = {one.name: one.title for one in result.columns}
    for one in result.columns:
        line = _("{name} ({text}): {sentence}", name=one.title, text=one.text, sentence=one.sentence())
        if one.reference != one.name:
            line = _("{line}, compared with exact search in {reference}", line=line, reference=titles[one.reference])
        out.print(line, style="dim")
        if hits:
            _print_hits(out, one)
    out.print()


def _print_hits(out: Console, one: ComparedColumn) -> None:
    standing = {each.id: each for each in one.standings}
    rows = []
    for rank, hit in enumerate(one.answer.hits, 1):
        known = standing[hit.id]
        true = "" if known.true_rank is None else number(known.true_rank)
        bits = "" if known.hamming is None else number(known.hamming)
        rows.append((number(rank), true, number(hit.similarity, ".3f"), bits, os.path.basename(hit.path)))
    for lost in one.missed:
        hamming = standing[lost.id].hamming
        bits = "" if hamming is None else number(hamming)
        name = os.path.basename(lost.path)
        rows.append((_("missed"), number(lost.rank), number(lost.similarity, ".3f"), bits, name))
    heading = (_("rank"), _("true rank"), _("similarity"), _("differing bits"), _("photo"))
    out.print(plain_table(heading, rows, numbers=(0, 1, 2, 3)))
