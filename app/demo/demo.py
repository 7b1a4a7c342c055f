"""The demo: real photographs, indexed with two descriptors and two hash methods, and ranked look-alikes of a few."""

from __future__ import annotations

from pathlib import Path

from app.demo.photographs import Photographs, fetch_photographs
from app.library.adding import Adding, add
from app.library.library import AUTOMATIC, Library
from app.library.pictures import present_thumbnails
from app.library.status import library_status
from app.machine import places
from app.results import DemoResult, SearchResult, shown
from app.search import result_sheet
from app.search.result_sheet import Answer
from app.search.searcher import search
from app.search.wanted import Wanted
from core.message import Message
from core.progress import Progress, part, silent
from storage.database.schema import State
from storage.photographs.filters import Filter

QUERIES = 4
HITS = 8
INDEXES = (AUTOMATIC, "Colours")


def demo(progress: Progress = silent, workers: int | None = None) -> DemoResult:
    """Fetch the demo photographs, index them, and search with a few of them.

    A second run finds everything in place and takes seconds.

    Parameters
    ----------
    progress : Progress
    workers : int, optional
        Processes that read; by default one a core.

    Raises
    ------
    TwinlensError
        If the photographs cannot be fetched: no network and nothing in the cache.
    Cancelled
        If progress says so.
    """
    photographs = fetch_photographs(part(progress, 0.0, 0.6))
    folder = places.demo_folder()
    with Library.open(folder / "demo.twinlens", create=True) as library:
        added = add(library, [photographs.folder], Adding(workers=workers), part(progress, 0.6, 0.95))
        asked = closest(library, QUERIES)
        results = search(library, asked, INDEXES, Wanted(HITS + 1)).results
        picture = folder / "ranked answers.png"
        result_sheet.draw([_answer(library, result) for result in results], picture)
        status = library_status(library)
    progress(1, 1, Message("done"))
    return DemoResult(
        photographs=status.photographs,
        problems=status.problems,
        seconds=added.seconds,
        folder=shown(bytes(photographs.folder)),
        library=str(library.path),
        sources=_sources(photographs),
        notes=list(photographs.notes),
        licences=str(photographs.licences_file),
        picture=str(picture),
        results=results,
    )


def _sources(photographs: Photographs) -> list[str]:
    """Name the packages, how many photographs come from each, and their licences."""
    lines = []
    for package in photographs.packages:
        own = [one for one in photographs.photographs if f"{one.package} {one.version}" == package]
        licences = ", ".join(sorted({one.licence for one in own}))
        lines.append(f"{package}: {len(own):,} ({licences})")
    return lines


def closest(library: Library, count: int) -> list[int]:
    """Choose the photographs whose nearest look-alike is nearest, each pair once."""
    with library.store.reading() as r:
        ids = r.photographs.matching(Filter(states=(State.READY,)))
    pairs: dict[tuple[int, int], float] = {}
    for result in search(library, [int(i) for i in ids], wanted=Wanted(2, check=False)).results:
        own = next((hit.id for hit in result.hits if hit.query), None)
        other = next((hit for hit in result.hits if not hit.query), None)
        if own is not None and other is not None:
            pairs[min(own, other.id), max(own, other.id)] = other.distance
    nearest = sorted(pairs, key=lambda pair: (pairs[pair], pair))
    chosen: list[int] = []
    for pair in nearest:
        if len(chosen) < count and not set(pair) & set(chosen):
            chosen.append(pair[0])
    return chosen


def _answer(library: Library, result: SearchResult) -> Answer:
    """Make a row of the sheet of a result; the photograph that was asked with stands at its beginning only."""
    with library.store.reading() as r:
        hashes = {row.id: row.content_hash or b"" for row in r.photographs.by_id([hit.id for hit in result.hits])}
    jpegs = present_thumbnails(library, list(hashes.values()))
    own = next(hit for hit in result.hits if hit.query)
    hits = [hit for hit in result.hits if not hit.query][:HITS]
    milliseconds = result.seconds.total * 1000
    return Answer(
        title=f"{Path(str(result.query)).name} · {result.index} ({result.text})",
        timing=f"{result.of:,} photographs in {milliseconds:,.1f} ms, looked at {result.looked_at:,}",
        query=jpegs[hashes[own.id]],
        hits=tuple((jpegs[hashes[hit.id]], hit.similarity) for hit in hits if hashes[hit.id] in jpegs),
    )
