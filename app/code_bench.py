"""Search structures measured on packed codes that somebody gives, without vectors: up to a hundred million of them.

The truth are the exact Hamming neighbours, found in one pass over the file, block by block. A structure is judged by
the distances of what it finds, since of codes that are equally far any is as right as any other.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from app import catalogue, places
from app.results import CodeBenchResult, CodeBenchSearch
from app.vector_files import load_vectors
from core import compilation
from core.codes import LARGEST_BITS, Bytes, Words, planar
from core.errors import TwinlensError
from core.progress import Progress, part, silent
from core.search import SEARCHES
from core.search.mapped import nearest_mapped
from core.search.scan import Scan
from core.search.search import CodeSearch, Search

NEIGHBOURS = 100
DRAWN = 100
SEED = 0
SHARE = 1 / 8
"""Of the machine's memory: codes that take more are scanned in blocks from their file. Structures take several times
what the codes take while they are built."""

_COUNTS = (10, 100)
_UNKNOWN_MEMORY = 8 << 30  # where the system does not say
_WORTH_WAITING = 1 << 24  # words compared in all, from which on timing plain numpy would say nothing
_LOOK_S = 0.2

Rows = npt.NDArray[np.int64]
T = TypeVar("T")


@dataclass(frozen=True)
class CodeExperiment:
    """What ``bench --codes`` is asked.

    Attributes
    ----------
    base : str
        File of packed codes, uint8 (n, bytes), as :func:`core.codes.pack_bits` makes them.
    queries : str
        Likewise; empty: some of the base are drawn, and never are their own answer. Nor are they where it is the base.
    search : tuple of str
        Text forms of structures; empty for all there are.
    query_count : int
        How many queries are drawn, or taken from the front of those that are given; 0 for all that are given.
    neighbours : int
        How many nearest codes each structure is asked for.
    """

    base: str
    queries: str = ""
    search: tuple[str, ...] = ()
    query_count: int = 0
    neighbours: int = NEIGHBOURS


@dataclass(frozen=True, eq=False)
class _Task:
    """Codes, queries, their rows in the base where they are of it, and how far the true nearest of each are."""

    base: Bytes
    asked: Words
    own: Rows | None
    k: int
    true: list[npt.NDArray[np.int64]]
    seconds: float

    @property
    def wanted(self) -> int:
        """How many to ask for: the query itself is found, too, and left out."""
        return self.k + (self.own is not None)


def bench_codes(experiment: CodeExperiment, progress: Progress = silent, memory: int = 0) -> CodeBenchResult:
    """Measure search structures on packed codes.

    Parameters
    ----------
    experiment : CodeExperiment
    progress : Progress
    memory : int
        Bytes of the machine; 0 to ask it. Codes that take more than ``SHARE`` of it are scanned from their file.

    Raises
    ------
    TwinlensError
        If a file cannot be read or holds no codes, the lengths of codes do not fit, or a structure has no meaning here.
    Cancelled
        If progress says so.
    """
    searches = [_structure(text) for text in experiment.search] or [one() for one in SEARCHES if one.uses_codes]
    base, queries, own = _codes(experiment)
    if planar(base[:1]).size * len(base) * len(queries) >= _WORTH_WAITING:
        compilation.prepare(places.compiled_cache_folder())
        _meanwhile(lambda: compilation.ready(wait=True), part(progress, 0.0, 0.0), "Compiling loops")
    task = _truth(base, queries, own, experiment.neighbours, part(progress, 0.0, 0.2))
    most = int(SHARE * (memory or _memory()))
    held = base.nbytes <= most
    planes = planar(base) if held else np.empty((0, 0), np.uint64)
    results = []
    for number, search in enumerate(searches):
        step = part(progress, 0.2 + 0.8 * number / len(searches), 0.2 + 0.8 * (number + 1) / len(searches))
        if held:
            results.append(_measured(search, planes, task, step))
        elif isinstance(search, Scan):
            results.append(_scanned(search, task, step))
        else:
            why = (
                f"Not measured, since it needs the codes in memory: {base.nbytes / 1e6:,.0f} MB, "
                f"where {most / 1e6:,.0f} MB may be held."
            )
            results.append(CodeBenchSearch(search=search.text(), exact=search.exact, of=len(base), refused=why))
    return CodeBenchResult(
        base=experiment.base,
        n=len(base),
        bits=8 * base.shape[1],
        bytes=base.nbytes,
        queries=len(queries),
        k=task.k,
        exact_seconds=task.seconds,
        results=results,
    )


# ---- what is given ---------------------------------------------------------------------------------------------------


def _structure(text: str) -> Search:
    search = catalogue.search_structure(text)
    if not isinstance(search, CodeSearch):
        known = ", ".join(one.key for one in SEARCHES if one.uses_codes)
        raise TwinlensError(f"“{text}” searches no codes.", f"Name one of {known}.")
    if search.asymmetric or search.candidates != type(search)().candidates:
        what = "asymmetric" if search.asymmetric else "candidates"
        raise TwinlensError(
            f"“{text}”: {what} has no meaning where there are codes alone.",
            "Leave it out; --neighbours says how many nearest codes are asked for.",
        )
    return search


def _codes(experiment: CodeExperiment) -> tuple[Bytes, Bytes, Rows | None]:
    """Load base, queries, and the queries' rows in the base."""
    if experiment.neighbours < 1:
        raise TwinlensError("A search is asked for at least one neighbour.", "Give 1 or more.")
    base = _table(experiment.base)
    if not experiment.queries:
        if len(base) < 2:
            raise TwinlensError(f"{experiment.base} holds a single code.", "Give queries with --queries.")
        count = min(experiment.query_count or DRAWN, len(base))
        own = np.sort(np.random.default_rng(SEED).choice(len(base), count, replace=False))
        return base, base[own], own
    queries = _table(experiment.queries)
    if queries.shape[1] != base.shape[1]:
        raise TwinlensError(
            f"The queries have codes of {queries.shape[1]:,} bytes, the base has {base.shape[1]:,}.",
            "Give queries of the same length.",
        )
    queries = queries[: experiment.query_count or None]
    itself = Path(experiment.queries).expanduser().resolve() == Path(experiment.base).expanduser().resolve()
    return base, queries, np.arange(len(queries)) if itself else None


def _table(name: str) -> Bytes:
    table: Any = load_vectors(name)
    packed = isinstance(table, np.ndarray) and table.dtype == np.uint8 and table.ndim == 2
    if not packed or 0 in table.shape or 8 * table.shape[1] > LARGEST_BITS:
        raise TwinlensError(
            f"{name} holds {'x'.join(map(str, table.shape))} of {table.dtype}, which are no packed codes.",
            f"Give a uint8 table (n, bytes) of at most {LARGEST_BITS // 8:,} bytes, such as numpy.packbits makes.",
        )
    codes: Bytes = table
    return codes


def _memory() -> int:
    """Bytes of the machine."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not everywhere
        return _UNKNOWN_MEMORY


# ---- what is measured ------------------------------------------------------------------------------------------------


def _truth(base: Bytes, queries: Bytes, own: Rows | None, k: int, progress: Progress) -> _Task:
    """Find how far the true nearest are, all queries in one pass over the codes."""
    asked = np.ascontiguousarray(planar(queries).T)
    began = time.perf_counter()
    found = nearest_mapped(base, asked, k + (own is not None), progress)
    seconds = (time.perf_counter() - began) / len(asked)
    k = min(k, len(base) - (own is not None))
    kept = [
        _others(own, number, rows, distances.astype(np.int64), k)
        for number, (rows, distances) in enumerate(zip(found.rows, found.distances, strict=True))
    ]
    return _Task(base, asked, own, k, kept, seconds)


def _others(
    own: Rows | None, number: int, rows: Rows, distances: npt.NDArray[np.int64], k: int
) -> npt.NDArray[np.int64]:
    """Give how far the first k are that are not the query itself."""
    return (distances if own is None else distances[rows != own[number]])[:k]


def _measured(search: Search, planes: Words, task: _Task, progress: Progress) -> CodeBenchSearch:
    """Build a structure and ask it one query after the other."""
    n = planes.shape[1]
    began = time.perf_counter()
    try:
        step = part(progress, 0.0, 0.0)
        structure = _meanwhile(lambda: search.build(planes, 8 * task.base.shape[1]), step, f"Building {search.text()}")
    except (TwinlensError, MemoryError) as error:
        why = error.sentence if isinstance(error, TwinlensError) else "Memory does not suffice to build it."
        return CodeBenchSearch(search=search.text(), exact=search.exact, of=n, refused=f"Not measured. {why}")
    build = time.perf_counter() - began
    spent, scanned, probed = 0.0, 0, 0
    far = []
    for number, code in enumerate(task.asked):
        progress(number, len(task.asked), f"Searching with {search.text()}")
        began = time.perf_counter()
        found = structure.candidates(code, task.wanted)
        spent += time.perf_counter() - began
        scanned, probed = scanned + found.scanned, probed + found.probed
        far.append(_others(task.own, number, found.rows, found.distances, task.k))
    recall, overlap = _judged(far, task.true)
    return CodeBenchSearch(
        search=search.text(),
        exact=search.exact,
        recall=recall,
        overlap=overlap,
        build_seconds=build,
        query_seconds=spent / len(task.asked),
        scanned=scanned / len(task.asked),
        probed=probed / len(task.asked),
        of=n,
        bytes=structure.bytes,
    )


def _scanned(search: Search, task: _Task, progress: Progress) -> CodeBenchSearch:
    """Scan codes that are not held, in blocks: one query alone; all in one pass is how the truth was found."""
    began = time.perf_counter()
    nearest_mapped(task.base, task.asked[:1], task.wanted, progress)
    alone = time.perf_counter() - began
    recall, overlap = _judged(task.true, task.true)
    return CodeBenchSearch(
        search=search.text(),
        exact=search.exact,
        recall=recall,
        overlap=overlap,
        query_seconds=task.seconds,
        scanned=len(task.base),
        of=len(task.base),
        in_blocks=True,
        note=f"From the file, in blocks: all queries in one pass. One query alone took {1000 * alone:,.0f} ms.",
    )


def _judged(
    far: Sequence[npt.NDArray[np.int64]], true: Sequence[npt.NDArray[np.int64]]
) -> tuple[dict[str, float], dict[str, float]]:
    """Give recall@1 and overlap@k: the share of the first k found that are as near as the last of the true ones."""

    def share(count: int) -> float:
        right = [np.count_nonzero(one[:count] <= best[count - 1]) for one, best in zip(far, true, strict=True)]
        return float(np.mean(right)) / count

    there = len(true[0])
    return {"1": share(1)}, {str(count): share(count) for count in _COUNTS if count <= there}


def _meanwhile(work: Callable[[], T], progress: Progress, text: str) -> T:
    """Do what cannot be interrupted, and ask meanwhile whether somebody has had enough; then it ends by itself."""
    done: Future[T] = Future()

    def run() -> None:
        try:
            done.set_result(work())
        except BaseException as error:  # noqa: BLE001 (whoever waits for it raises it)
            done.set_exception(error)

    Thread(target=run, name="bench", daemon=True).start()
    while not done.done():
        progress(0.0, 1.0, text)
        wait([done], _LOOK_S)
    return done.result()
