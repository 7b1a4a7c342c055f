"""The demo: finds spoiled copies beside a perceptual hash, and things of the same kind, among real photographs."""

from __future__ import annotations

import os
from math import inf

from app.demo.photographs import DemoPhotographs, fetch_photographs
from app.demo.results import DemoCopies, DemoResult
from app.demo.spoiled_copies import SpoiledCopies, copy_sections, try_copies
from app.library.adding import Adding, add
from app.library.library import Library
from app.library.picture_sheet import Words, write_sheet
from app.library.status import library_status
from app.machine import places
from app.machine.output_file import OutputFile
from app.results import shown
from app.search.searcher import Searcher
from app.search.sheet import results_section
from app.search.wanted import SearchOptions
from core.message import Message
from core.progress import Progress, part, silent
from storage.database.schema import PhotographState
from storage.photographs.filters import Filter

KINDS = ("windmills/windmill12.webp", "fish/fish10.webp", "monuments/Neuschwanstein.webp")
"""A windmill, a fish and a castle; those that could not be fetched are left out."""

_RESULTS = 24
_SHEET = "demo.html"


def demo(progress: Progress = silent, workers: int | None = None, words: Words = str) -> DemoResult:
    """Fetch the demo photographs, index them, and search with spoiled copies and for things of the same kind.

    A second run finds the photographs in place.

    Parameters
    ----------
    progress : Progress
    workers : int, optional
        Processes that read; by default one a core.
    words : callable
        Writes a message in a person's language, for the sheet of pictures.

    Raises
    ------
    TwinlensError
        If the photographs cannot be fetched: no network and nothing in the cache.
    Cancelled
        If progress says so.
    """
    photographs = fetch_photographs(part(progress, 0.0, 0.4))
    sheet = places.demo_folder() / _SHEET
    with Library.open(places.demo_folder() / "demo.twinlens", create=True) as library:
        added = add(library, [photographs.folder], Adding(workers=workers), part(progress, 0.4, 0.7))
        searcher = Searcher(library, check_seconds=inf)
        trials = try_copies(searcher, part(progress, 0.7, 0.95))
        asked = _asked(library, photographs)
        results = [searcher.search(one, wanted=SearchOptions(_RESULTS)) for one in asked]
        kinds = [results_section(library, one, result, words) for one, result in zip(asked, results, strict=True)]
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
    )


def _counted(trial: SpoiledCopies) -> DemoCopies:
    return DemoCopies(
        name=trial.name,
        of=len(trial.copies),
        found=sum(one.found for one in trial.copies),
        found_by_hash=sum(one.found_by_hash for one in trial.copies),
    )


def _asked(library: Library, photographs: DemoPhotographs) -> list[int]:
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
