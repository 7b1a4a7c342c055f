"""The sheet of pictures with search results: the query, then its results in bands, with numbers behind a click."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from twinlens.app.library.library import Library
from twinlens.app.library.picture_sheet import FoldedTable, SheetBand, SheetFigure, SheetSection, Words, write_sheet
from twinlens.app.library.pictures import example
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.search.search_query import SearchQuery
from twinlens.app.search.search_results import Band, SearchResult, Stack, and_more, band_summary, bands, unfolded_count
from twinlens.core.message import Message, counted, verbatim


def write_results(
    library: Library,
    queries: Sequence[SearchQuery],
    results: Sequence[SearchResult],
    file: OutputFile,
    words: Words = str,
) -> None:
    """Write results, as :func:`twinlens.app.library.picture_sheet.write_sheet` does.

    Parameters
    ----------
    results : sequence of SearchResult
        As many for each query, in the order of the queries.
    words : callable
        Writes a message in a person's language.
    """
    each = len(results) // len(queries)
    sections = [
        results_section(library, queries[number // each], one, words, name_index=each > 1)
        for number, one in enumerate(results)
    ]
    write_sheet(library, sections, file, words(Message("Search results")))


def results_section(
    library: Library, query: SearchQuery, result: SearchResult, words: Words, name_index: bool = False
) -> SheetSection:
    """Return the section of one result; ``name_index`` where several indexes are searched with the same query."""
    pictures = [
        SheetFigure(jpeg, name, (words(Message("not like this")) if one.weight < 0 else "",), "keep")
        for one in query.examples
        for name, jpeg in [example(library, one.picture)]
    ]
    name = PurePath(words(result.query)).name
    heading = Message("{name} in {index}", name=name, index=result.index) if name_index else verbatim(name)
    return SheetSection(
        words(heading),
        (words(band_summary(result)), words(result.note)),
        (SheetBand(words(Message("You searched with")), tuple(pictures)), *_bands(result, words)),
        _numbers(result, words),
    )


def _bands(result: SearchResult, words: Words) -> Iterator[SheetBand]:
    """Yield the bands of a result; what is not shown at once is folded behind them."""
    found = bands(result)
    left = unfolded_count([band.name for band in found for _ in band.stacks]) if result.likeness is not None else None
    for band in found:
        shown = band.stacks if left is None else band.stacks[:left]
        yield _band(words(band.heading), shown, words)
        if left is not None:
            left -= len(shown)
            yield SheetBand(words(_rest(band, len(shown))), _figures(band.stacks[len(shown) :], words), folded=True)


def _band(heading: str, stacks: Sequence[Stack], words: Words) -> SheetBand:
    return SheetBand(heading, _figures(stacks, words))


def _rest(band: Band, shown: int) -> Message:
    count = len(band.stacks) - shown
    return counted("{count} less similar photo", "{count} less similar photos", count)


def _figures(stacks: Sequence[Stack], words: Words) -> tuple[SheetFigure, ...]:
    return tuple(SheetFigure(one.first.id, PurePath(one.first.path).name, _captions(one, words)) for one in stacks)


def _captions(stack: Stack, words: Words) -> tuple[str, ...]:
    check = stack.first.check
    lines = []
    if check is not None and check.confirmed:
        lines.append("✓ " + words(check.how_same()))
    if stack.more:
        lines.append(words(and_more(stack)))
    return tuple(lines)


def _numbers(result: SearchResult, words: Words) -> FoldedTable:
    rows = []
    for rank, photograph in enumerate(result.hits, 1):
        points = "" if photograph.check is None else f"{photograph.check.inliers:,}"
        rows.append((str(rank), photograph.path, f"{photograph.similarity:.3f}", f"{photograph.distance:.3f}", points))
    columns = (
        Message("rank"), Message("photo"), Message("similarity"), Message("distance"), Message("matching points"),
    )  # fmt: skip
    return FoldedTable(
        words(Message("Numbers")),
        (result.index, result.text, words(result.timing())),
        tuple(words(one) for one in columns),
        tuple(rows),
    )
