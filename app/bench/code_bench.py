"""Measurement of search structures on packed codes without vectors, up to a hundred million of them.

The truth is the exact Hamming neighbours, found in one pass over the file. A structure is judged by the distances of
its results, since codes at the same distance are equally right.
"""

from __future__ import annotations

import time

import numpy as np

from app.bench.code_bench_data import (
    CodeExperiment,
    CodeTask,
    find_truth,
    load_codes,
    machine_memory,
    structure,
)
from app.bench.compiled_loops import compile_first, meanwhile
from app.bench.results import CodeBenchResult, CodeBenchSearch
from core.amounts import size
from core.errors import TwinlensError
from core.evaluation.answers import Answer, Judgement, Right, judged
from core.hashing.packed_codes import Words, planar
from core.message import Message
from core.progress import Progress, part, silent
from core.search import SEARCHES
from core.search.hamming.mapped_codes import nearest_mapped
from core.search.linear_scan import Scan
from core.search.search_structure import Search

SHARE = 1 / 8
"""Share of the memory; larger codes are scanned in blocks from their file. Building a structure takes several times
the size of the codes."""

_COUNTS = (10, 100)
_WORTH_WAITING = 1 << 24  # words compared in all, from which on timing plain numpy would say nothing


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
    searches = [structure(text) for text in experiment.search] or [one() for one in SEARCHES if one.uses_codes]
    base, queries, own = load_codes(experiment)
    if planar(base[:1]).size * len(base) * len(queries) >= _WORTH_WAITING:
        compile_first(part(progress, 0.0, 0.0))
    task = find_truth(base, queries, own, experiment.neighbours, part(progress, 0.0, 0.2))
    most = int(SHARE * (memory or machine_memory()))
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
            why = Message(
                "Not measured, since the codes take {size} of memory and only {most} may be used.",
                size=size(base.nbytes),
                most=size(most),
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


def _measured(search: Search, planes: Words, task: CodeTask, progress: Progress) -> CodeBenchSearch:
    """Build a structure and run the queries one by one."""
    n = planes.shape[1]
    began = time.perf_counter()
    try:
        step = part(progress, 0.0, 0.0)
        structure = meanwhile(
            lambda: search.build(planes, 8 * task.base.shape[1]),
            step,
            Message("Building {search}", search=search.text()),
        )
    except (TwinlensError, MemoryError) as error:
        why = error.message if isinstance(error, TwinlensError) else Message("There is too little memory.")
        return CodeBenchSearch(
            search=search.text(), exact=search.exact, of=n, refused=Message("Not measured: {reason}", reason=why)
        )
    build = time.perf_counter() - began

    def answer(number: int) -> Answer:
        began = time.perf_counter()
        found = structure.candidates(task.asked[number], task.wanted)
        spent = time.perf_counter() - began
        return Answer(found.rows, found.distances, 0, found.scanned, found.probed, spent)

    truths = [
        Right(beside=frozenset() if task.own is None else frozenset([int(task.own[number])]), true=true)
        for number, true in enumerate(task.true)
    ]
    judgement = judged(answer, truths, Judgement(near={count: [] for count in (1, *_COUNTS)}), progress)
    _, scanned, probed = judgement.work
    recall, overlap = _figures(judgement, task)
    return CodeBenchSearch(
        search=search.text(),
        exact=search.exact,
        recall=recall,
        overlap=overlap,
        build_seconds=build,
        query_seconds=sum(judgement.seconds) / len(judgement.seconds),
        scanned=scanned,
        probed=probed,
        of=n,
        bytes=structure.bytes,
    )


def _scanned(search: Search, task: CodeTask, progress: Progress) -> CodeBenchSearch:
    """Scan codes in blocks from their file for a single query; the truth has timed all queries in one pass."""
    began = time.perf_counter()
    nearest_mapped(task.base, task.asked[:1], task.wanted, progress)
    alone = time.perf_counter() - began
    near = [Answer(np.arange(len(true)), true) for true in task.true]
    judgement = Judgement(near={count: [] for count in (1, *_COUNTS)})
    recall, overlap = _figures(judged(near.__getitem__, [Right(true=true) for true in task.true], judgement), task)
    return CodeBenchSearch(
        search=search.text(),
        exact=search.exact,
        recall=recall,
        overlap=overlap,
        query_seconds=task.seconds,
        scanned=len(task.base),
        of=len(task.base),
        in_blocks=True,
        note=Message(
            "All queries ran in one pass over the file. A single query took {milliseconds:,.0f} ms.",
            milliseconds=1000 * alone,
        ),
    )


def _figures(judgement: Judgement, task: CodeTask) -> tuple[dict[str, float], dict[str, float]]:
    """Return recall@1 and overlap@k: the share of the first k found that are as near as the last of the true ones."""
    overlap = {str(count): share for count, share in judgement.overlap.items() if count <= len(task.true[0])}
    return {"1": overlap.pop("1")}, overlap
