"""``twinlens search`` and ``compare``: ranked results with the time of each step, from one index or several."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from twinlens.app.cli.main import Command
from twinlens.app.cli.progress import long_work
from twinlens.app.cli.requests import takes
from twinlens.app.cli.session import (
    OUTPUT,
    PICTURE,
    Session,
    give,
    index_names,
    names_photographs,
    with_standard_input,
)
from twinlens.app.language.texts import _, _n, current_language, number, text
from twinlens.app.machine.output_file import PAGE, OutputFile
from twinlens.app.search.search_options import Filters, FusionOptions, SearchOptions
from twinlens.app.search.search_results import (
    ResultPhotograph,
    SearchResult,
    SimilarityLevels,
    Stack,
    and_more,
    band_names,
    stacked,
)
from twinlens.core.errors import TwinlensError
from twinlens.core.message import NOTHING, Message, size

if TYPE_CHECKING:
    from rich.console import Console

    from twinlens.app.compare.columns import ComparisonColumn
    from twinlens.app.compare.comparison_results import ComparedColumn, CompareResult
    from twinlens.app.library.library import Library


@click.command(cls=Command, epilog="Example: twinlens search windmill.jpg --index Colours -k 10 --since 2023-05")
@click.argument("pictures", nargs=-1, type=PICTURE, metavar="PICTURE...")
@click.option(
    "--palette",
    "palettes",
    multiple=True,
    metavar="COLOURS",
    help="Colours that the photos should have, with weights: '#c33:2,#fff' or navy,white:3.",
)
@click.option(
    "--sketch",
    "sketches",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A sketch: a picture whose transparent areas do not count.",
)
@click.option(
    "--text",
    "phrases",
    multiple=True,
    metavar="WORDS",
    help="What the photos should show, in words: 'dog on a beach', 'birds without water', 'blue flower'.",
)
@click.option(
    "--index",
    "indexes",
    multiple=True,
    metavar="NAME",
    shell_complete=index_names,
    help="Index to search; may be given several times.  [default: Automatic, or as chosen by `twinlens metrics use`]",
)
@takes(
    "options",
    SearchOptions,
    *("k", "exact", "compare_exact", "check", "confirmed_only"),
    takes("fusion", FusionOptions, show_defaults=False),
)
@click.option(
    "--html",
    type=OUTPUT,
    metavar="FILE",
    help="Write the results as one HTML file with their pictures.",
)
@click.option("--numbers", is_flag=True, help="Show similarity and distance, and the time of each step.")
@names_photographs
@takes("filters", Filters)
@click.pass_obj
def search(
    session: Session,
    pictures: tuple[Path | int, ...],
    palettes: tuple[str, ...],
    sketches: tuple[Path, ...],
    phrases: tuple[str, ...],
    indexes: tuple[str, ...],
    options: SearchOptions,
    fusion: FusionOptions,
    html: OutputFile | None,
    numbers: bool,
    filters: Filters,
) -> None:
    """Find photos similar to each PICTURE: a picture file, the id of a photo, such as #12, or - for standard input.

    Matches are marked with ✓: copies that were cropped, mirrored, recoloured or written on.

    With enough pairs marked similar or different, a line shows down to where results are certain.

    A palette or a sketch finds photos with its colours, in an index that compares colours. Words find photos
    by what they show; with an index of your own image and text network, also by anything else.
    """
    from twinlens.app.indexes.indexes import DEFAULT
    from twinlens.app.library.library import Library
    from twinlens.app.search.search_query import Example, SearchQuery, read_palette, read_phrase

    if html is not None:
        html.check(PAGE)
    named = with_standard_input(pictures)
    examples = [Example(one) for one in named]
    examples += [Example(read_palette(one)) for one in palettes]
    examples += [Example(file, sketch=True) for file in sketches]
    examples += [Example(read_phrase(one, current_language())) for one in phrases]
    queries = [SearchQuery((one,)) for one in examples]
    if not queries:
        raise click.UsageError(
            _("Name a PICTURE, colours with --palette, a sketch with --sketch, or words with --text.")
        )
    together = "way" in fusion.model_fields_set
    if fusion.weights and not together:
        raise click.UsageError(_("--weight works only with --together."))
    if together and options.compare_exact:
        raise click.UsageError(_("--together cannot be combined with --compare-exact."))
    if together and options.sure:
        raise click.UsageError(_("--together cannot be combined with --sure."))
    narrowed_by = NOTHING
    if filters.shows is not None:
        from twinlens.app.library.browsing.shown_concepts import read_words

        words = read_words(filters.shows, current_language())  # what is kept and asked for is English, in any language
        filters, narrowed_by = filters.changed(shows=words.text()), words.note()
    fused = fusion if together else None
    options = options.changed(filters=filters, fusion=fused, histogram=session.as_json)
    with Library.open(session.library) as library, long_work(session) as progress:
        if not indexes and options.check is not False and (sketches or not _all_known(library, named)):
            # The default index decodes such a picture; the process for that starts during the imports.
            from twinlens.app.library.workers import decoders

            decoders.warm()
        from twinlens.app.search.searcher import search as find

        found = find(library, queries, indexes or (DEFAULT,), options, progress)
        if html is not None:
            from twinlens.app.search.results_sheet import write_results

            write_results(library, queries, found.results, html, text)

    if filters != Filters():
        narrowed = ", ".join(f"{name} {value}" for name, value in filters.values().items())
        none = Message("No photo passes the filters ({filters}).", filters=narrowed)
        results = [one if one.hits or one.note else one.noted(none) for one in found.results]
        found = found.model_copy(update={"results": results})

    def people(out: Console) -> None:
        if narrowed_by:
            out.print(text(narrowed_by))
        for result in found.results:
            print_result(out, result, numbers)
        if html is not None:
            out.print(_("The sheet of pictures: {file}", file=str(html)))

    give(session, found, people)


def _all_known(library: Library, pictures: Sequence[Path | int | bytes]) -> bool:
    """Return whether all pictures are photographs of the library, which need not be decoded."""
    with library.store.reading() as r:
        return all(not isinstance(one, bytes) and library.find(r, one) is not None for one in pictures)


def print_result(out: Console, result: SearchResult, numbers: bool = False) -> None:
    """Print the ranked results of one query in one index, as stacks or, with numbers, one by one with step times."""
    from twinlens.app.cli.tables import plain_table  # which imports rich

    words = {"query": _short(text(result.query)), "index": result.index}
    if result.likeness is not None and result.likeness.shows:
        heading = text(result.query)
    elif numbers:
        heading = _("{query} in {index} ({text})", text=result.text, **words)
    else:
        heading = _("{query} in {index}", **words)
    out.print(heading, style="bold")
    columns = _result_columns(result, numbers)
    stacks = [Stack(one, []) for one in result.hits] if numbers else stacked(result.hits)
    ranks = {one.id: rank for rank, one in enumerate(result.hits, 1)}
    rows = [tuple(value(stack, ranks[stack.first.id]) for _heading, value in columns) for stack in stacks]
    photograph = [heading for heading, _value in columns].index(_("photo"))
    line = _line(result, [stack.first for stack in stacks])
    if line is not None and rows:
        place, sentence = line
        rows.insert(place, tuple(f"— {sentence} —" if column == photograph else "" for column in range(len(columns))))
    if rows:
        figures = (0, *range(photograph + 1, len(columns)))
        out.print(plain_table([heading for heading, _value in columns], rows, numbers=figures))
    elif not result.note:
        out.print(_("No photo was found."))
    if result.note:
        out.print(text(result.note))
    seconds = number(result.seconds.total, ".2f")
    took = _n("{count} photo in {seconds} s", "{count} photos in {seconds} s", result.of, seconds=seconds)
    out.print(text(result.timing()) if numbers else took, style="dim")
    out.print()


def _short(path: str) -> str:
    """Return a path relative to the current folder, on a terminal, if that is shorter; otherwise the whole path."""
    if not sys.stdout.isatty():
        return path
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return path
    return min(path, relative, key=len)


def _result_columns(result: SearchResult, numbers: bool) -> list[tuple[str, Callable[[Stack, int], str]]]:
    """Return the columns of the table: their headings, and their texts for a stack and its rank."""
    columns: list[tuple[str, Callable[[Stack, int], str]]] = [(_("rank"), lambda stack, rank: str(rank))]
    if result.likeness is not None or result.checked > 0:
        columns.append((_("how alike"), lambda stack, rank: _how_alike(stack.first, result.likeness)))
    columns.append((_("photo"), lambda stack, rank: _photograph(stack)))
    if numbers or result.likeness is None:
        columns.append((_("similarity"), lambda stack, rank: number(stack.first.similarity, ".3f")))
    if numbers:
        columns.append((_("distance"), lambda stack, rank: number(stack.first.distance, ".3f")))
    return columns


def _how_alike(photograph: ResultPhotograph, levels: SimilarityLevels | None) -> str:
    """Return the similarity of a result in words; of a match, whether it is mirrored or in negative."""
    if photograph.check is not None and photograph.check.confirmed:
        return "✓ " + text(photograph.check.how_same())
    return "" if levels is None or photograph.query else text(levels.words(photograph))


def _photograph(stack: Stack) -> str:
    path = _short(stack.first.path)
    if stack.first.query:
        return _("{path}  (query)", path=path)
    return f"{path}  ({text(and_more(stack))})" if stack.more else path


def _line(result: SearchResult, photographs: Sequence[ResultPhotograph]) -> tuple[int, str] | None:
    """Return the number of results above a line, and the text of the line; None for no line."""
    if result.threshold is not None:
        sure = [place for place, one in enumerate(photographs, 1) if result.threshold.is_sure(one) and not one.query]
        place = max(sure, default=0)
        return place, text(result.threshold.sentence()) if place else _("None of these results is certain.")
    if result.likeness is None:
        return None
    place = sum(name != "less similar" for name in band_names(result.likeness, photographs))
    return None if place == len(photographs) else (place, _("the rest is less similar"))


@click.command(
    cls=Command, epilog="Example: twinlens compare windmill.jpg --index Automatic --column klsh:rank=16 --column exact"
)
@click.argument("picture", type=PICTURE)
@click.option(
    "--index",
    "indexes",
    multiple=True,
    metavar="NAME",
    shell_complete=index_names,
    help="An index of the library, as a column.",
)
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
    "--of",
    metavar="NAME",
    shell_complete=index_names,
    help="The index that each --column changes. By default the first --index, or Automatic.",
)
@click.option("-k", "--k", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Number of results.")
@click.option(
    "--reference",
    metavar="NAME",
    help="The column whose exact ranking all are compared with. By default each is compared with exact search by its "
    "own measure.",
)
@click.option("--hits", is_flag=True, help="Also list what each column found and missed.")
@takes("filters", Filters)
@names_photographs
@click.pass_obj
def compare(
    session: Session,
    picture: Path | int,
    indexes: tuple[str, ...],
    changed: tuple[str, ...],
    of: str | None,
    k: int,
    reference: str | None,
    hits: bool,
    filters: Filters,
) -> None:
    """Search for PICTURE, a file or an id such as #12, in two to six indexes, and list what each misses.

    Without --index and --column: the default index, exact search by its measure, and others of the library.

    Filters by folder, date, camera, shape or marks apply to every column, and to the photos that it misses.
    """
    from twinlens.app.compare.comparison import ComparisonSettings, compare_indexes
    from twinlens.app.library.library import Library
    from twinlens.app.search.searcher import Searcher

    with Library.open(session.library) as library, long_work(session) as progress:
        settings = ComparisonSettings(_compared_columns(library, indexes, changed, of), k, filters)
        found = compare_indexes(Searcher(library), picture, settings, progress=progress)
        if reference is not None:
            names = [text(one.title) for one in found.columns]
            if reference not in names:
                raise TwinlensError(
                    "There is no column “{reference}”.", "Choose one of {names}.", reference=reference, names=names
                )
            found = found.held_against(names.index(reference))
        result = found.result()

    def people(out: Console) -> None:
        print_comparison(out, result, hits)

    give(session, result, people)


def _compared_columns(
    library: Library, indexes: tuple[str, ...], changed: tuple[str, ...], of: str | None
) -> list[ComparisonColumn]:
    from twinlens.app.compare.columns import ComparisonColumn, default_columns, read_column
    from twinlens.app.indexes.indexes import default_row

    with library.store.reading() as r:
        if not indexes and not changed:
            return default_columns(r, of or default_row(r).name)
        base = of or (indexes[0] if indexes else default_row(r).name)
        named = [ComparisonColumn(name) for name in indexes or ((base,) if len(changed) == 1 else ())]
        return [*named, *(read_column(r, one, base) for one in changed)]


def print_comparison(out: Console, result: CompareResult, hits: bool) -> None:
    """Print a line for each column with its cost, and on request the photographs that it found and missed."""
    from twinlens.app.cli.tables import plain_table  # which imports rich

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
            _print_results(out, one)
    out.print()


def _print_results(out: Console, one: ComparedColumn) -> None:
    from twinlens.app.cli.tables import plain_table  # which imports rich

    standing = {each.id: each for each in one.standings}
    rows = []
    for rank, photograph in enumerate(one.answer.hits, 1):
        known = standing[photograph.id]
        true = "" if known.true_rank is None else number(known.true_rank)
        bits = "" if known.hamming is None else number(known.hamming)
        rows.append((number(rank), true, number(photograph.similarity, ".3f"), bits, os.path.basename(photograph.path)))
    for lost in one.missed:
        hamming = standing[lost.id].hamming
        bits = "" if hamming is None else number(hamming)
        name = os.path.basename(lost.path)
        rows.append((_("missed"), number(lost.rank), number(lost.similarity, ".3f"), bits, name))
    heading = (_("rank"), _("true rank"), _("similarity"), _("differing bits"), _("photo"))
    out.print(plain_table(heading, rows, numbers=(0, 1, 2, 3)))
