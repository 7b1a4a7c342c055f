"""The demo: Twinlens searches for spoiled copies, beside a perceptual hash, for things of one kind, and with words.

Each of some real photographs is cropped, mirrored, captioned and turned, and both look for its original.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from pydantic import Field

from twinlens.app.demo.photographs import DemoPhotographs, fetch_photographs
from twinlens.app.evaluate.edited_copies import PhotographOrder
from twinlens.app.evaluate.evaluation_plan import HashedThumbnails
from twinlens.app.indexes.fitted_models import concept_kind
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.library.library_status import library_status
from twinlens.app.library.picture_sheet import SheetBand, SheetFigure, SheetSection, Words, write_sheet
from twinlens.app.machine import app_folders
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.results import Result
from twinlens.app.search.results_sheet import results_section
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery, read_phrase
from twinlens.app.search.search_results import SearchResult
from twinlens.app.search.searcher import Searcher
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message
from twinlens.core.progress import Progress, part, silent
from twinlens.features.pictures.edits import HARD_EDITS
from twinlens.features.pictures.thumbnail import thumbnail
from twinlens.storage.database.values import PhotographState
from twinlens.storage.photographs.photograph_listing import Filter

KINDS = ("windmills/windmill12.webp", "fish/fish10.webp", "monuments/Neuschwanstein.webp")
"""A windmill, a fish and a castle; those that could not be fetched are left out."""

WORDS = ("castle", "bird", "dam")
"""What is searched with words."""

_RESULTS = 24
_SHEET = "demo.html"


def demo(progress: Progress = silent, workers: int | None = None, words: Words = str) -> DemoResult:
    """Fetch the demo photographs, index them, and search with spoiled copies, for things of one kind, and with words.

    A second run finds the photographs in place.

    Parameters
    ----------
    workers : int, optional
        Processes that read; by default one a core.
    words : callable
        Writes a message in a person's language, for the sheet of pictures.

    Raises
    ------
    TwinlensError
        If the photographs cannot be fetched: no network and nothing in the cache.
    """
    photographs = fetch_photographs(part(progress, 0.0, 0.4))
    sheet = app_folders.demo_folder() / _SHEET
    with Library.open(app_folders.demo_folder() / "demo.twinlens", create=True) as library:
        added = add(library, [photographs.folder], Adding(workers=workers), part(progress, 0.4, 0.7))
        searcher = Searcher(library, check_seconds=inf)
        trials = try_copies(searcher, part(progress, 0.7, 0.95))
        query_ids = _query_ids(library, photographs)
        results = [searcher.search(one, options=SearchOptions(k=_RESULTS)) for one in query_ids]
        kinds = [
            results_section(library, SearchQuery.of(one), result, words)
            for one, result in zip(query_ids, results, strict=True)
        ]
        named = []
        for word in WORDS if _knows_words(library) else ():
            query = SearchQuery((Example(read_phrase(word, "en")),))
            named.append(searcher.search(query, options=SearchOptions(k=_RESULTS)))
            kinds.append(results_section(library, query, named[-1], words))
        write_sheet(
            library,
            [*copy_sections(trials, words), *kinds],
            OutputFile(sheet, overwrite=True),
            words(Message("What Twinlens finds")),
        )
        status = library_status(library)
    progress(1, 1, Message("done"))
    return DemoResult(
        photographs=status.photographs,
        problems=status.problems,
        seconds=added.seconds,
        folder=shown(bytes(photographs.folder)),
        library=library.address.shown,
        sources=_sources(photographs),
        notes=list(photographs.notes),
        licences=str(photographs.licences_file),
        sheet=str(sheet),
        copies=[_counted(trial) for trial in trials],
        results=results,
        words=named,
    )


def _knows_words(library: Library) -> bool:
    """Return whether the network that sees what photographs show is there."""
    with library.store.reading() as r:
        kind = concept_kind(r)
        return kind is not None and r.descriptors.count(kind) > 0


def _counted(trial: SpoiledCopies) -> DemoCopies:
    return DemoCopies(
        name=trial.name,
        of=len(trial.copies),
        found=sum(one.found for one in trial.copies),
        found_by_hash=sum(one.found_by_hash for one in trial.copies),
    )


def _query_ids(library: Library, photographs: DemoPhotographs) -> list[int]:
    """Return the ids of the photographs of each kind that are there."""
    wanted = {os.fsencode(photographs.folder / name): place for place, name in enumerate(KINDS)}
    with library.store.reading() as r:
        rows = r.photographs.by_id(r.photographs.matching(Filter(states=(PhotographState.READY,))))
        paths = library.paths(r, rows)
    found = [(wanted[path], row.id) for row, path in zip(rows, paths, strict=True) if path in wanted]
    return [one for _place, one in sorted(found)]


def _sources(photographs: DemoPhotographs) -> list[str]:
    """Name the packages, how many photographs come from each, and their licences."""
    lines = []
    for package in photographs.packages:
        own = [one for one in photographs.photographs if f"{one.package} {one.version}" == package]
        licences = ", ".join(sorted({one.licence for one in own}))
        lines.append(f"{package}: {len(own):,} ({licences})")
    return lines


PHOTOGRAPHS = 10
SEED = 0
NAMES = {
    "grey, mirrored quarter": Message("A quarter of the photo, grey and mirrored"),
    "caption, jpeg 20": Message("With a caption, compressed hard"),
    "cropped, turned": Message("Cropped and turned"),
}
"""The name of each of `HARD_EDITS` for people."""

_SHOWN = 3


@dataclass(frozen=True)
class SpoiledCopy:
    """A spoiled copy, and the photographs that were found with it.

    Attributes
    ----------
    jpeg : bytes
        Thumbnail of the copy.
    first, nearest : int
        Ids of the first result, and of the photograph with the nearest perceptual hash.
    found, found_by_hash : bool
        Whether each is the original.
    """

    jpeg: bytes
    first: int
    nearest: int
    found: bool
    found_by_hash: bool


@dataclass(frozen=True)
class SpoiledCopies:
    """The copies that were spoiled in one way."""

    name: Message
    copies: tuple[SpoiledCopy, ...]


def try_copies(searcher: Searcher, progress: Progress) -> list[SpoiledCopies]:
    """Make copies of some photographs, drawn by seed, and look for their originals in both ways."""
    hashed = HashedThumbnails.of(searcher.library, part(progress, 0.0, 0.1))
    tried: dict[str, list[SpoiledCopy]] = {edit.name: [] for edit in HARD_EDITS}
    of = PHOTOGRAPHS * len(HARD_EDITS)
    for copies in PhotographOrder(searcher.library, None, SEED).copies(HARD_EDITS, PHOTOGRAPHS):
        for copy in copies:
            part(progress, 0.1, 1.0)(sum(map(len, tried.values())), of, Message("Searching with spoiled copies"))
            picture, its_hash = copy.made()
            first = searcher.search(picture, options=SearchOptions(k=1)).hits[0].id
            nearest = int(hashed.ranked(its_hash)[0])
            tried[copy.edit.name].append(
                SpoiledCopy(thumbnail(picture), first, nearest, first in copy.right, nearest in copy.right)
            )
    return [SpoiledCopies(NAMES[name], tuple(some)) for name, some in tried.items()]


def copy_sections(trials: Sequence[SpoiledCopies], words: Words) -> Iterator[SheetSection]:
    """Yield a section for each way of spoiling: every copy beside the photographs found with it."""
    for trial in trials:
        counts = Message(
            "Twinlens found {found} of {of} originals, a perceptual hash {by_hash}.",
            found=sum(one.found for one in trial.copies),
            of=len(trial.copies),
            by_hash=sum(one.found_by_hash for one in trial.copies),
        )
        bands = [SheetBand("", _figures(one, words)) for one in trial.copies]
        rest = tuple(figure for band in bands[_SHOWN:] for figure in band.figures)
        folded = SheetBand(words(Message("Show all copies")), rest, folded=True)
        yield SheetSection(words(trial.name), (words(counts),), (*bands[:_SHOWN], folded))


def _figures(one: SpoiledCopy, words: Words) -> tuple[SheetFigure, ...]:
    right, wrong = words(Message("✓ the original")), words(Message("another photo"))
    return (
        SheetFigure(one.jpeg, words(Message("Spoiled copy")), role="keep"),
        SheetFigure(one.first, "Twinlens", (right if one.found else wrong,), "" if one.found else "goes"),
        SheetFigure(
            one.nearest,
            words(Message("Perceptual hash")),
            (right if one.found_by_hash else wrong,),
            "" if one.found_by_hash else "goes",
        ),
    )


class DemoCopies(Result):
    """Copies that were all spoiled in one way, in ``demo``."""

    name: Message = Field(description="how they were spoiled")
    of: int = Field(description="copies that were searched with")
    found: int = Field(description="of which the first result is the original photograph")
    found_by_hash: int = Field(description="of which the photograph of the nearest perceptual hash (64 bits) is")


class DemoResult(Result):
    """Result of ``demo``."""

    photographs: int
    problems: int
    seconds: float = Field(description="that adding took")
    folder: str
    library: str
    sources: list[str] = Field(description="packages the photographs come from, with their licences")
    licences: str = Field(description="file that names author and licence of every photograph")
    notes: list[Message] = Field(description="what could not be fetched")
    sheet: str = Field(description="HTML file that shows everything below in pictures")
    copies: list[DemoCopies] = Field(description="searches with copies that were made on the spot")
    results: list[SearchResult] = Field(description="searches for things of the same kind")
    words: list[SearchResult] = Field(default_factory=list, description="searches with words")
