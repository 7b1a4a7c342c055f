"""Evaluation of indexes by kinds: how many of the first results show the same kind of subject as the query.

The kind of a photograph is the folder that it lies in, what it surely shows, or the group of photographs that a person
marked similar.
"""

from __future__ import annotations

import math
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import partial

from twinlens.app.evaluate.edited_copies import Content, PhotographOrder
from twinlens.app.evaluate.evaluation import KindFigures, KindsResult
from twinlens.app.evaluate.evaluation_plan import (
    EvaluationPlan,
    EvaluationQuery,
    LibraryDigests,
    index_columns,
    measure_evaluation,
)
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.library.browsing.shown_concepts import ShownConcepts
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import list_marks
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.judgement import QueryTruth
from twinlens.core.evaluation.measurement import Timing
from twinlens.core.files.untrusted_input import shown
from twinlens.core.message import Message
from twinlens.core.progress import Progress, silent
from twinlens.features.concepts.concept_words import concept_table

FIRST = 10
"""Results looked at, fewer where a kind has fewer photographs beside the one asked with."""

PHOTOGRAPHS = 200


def evaluate_kinds(library: Library, wanted: EvaluationSettings, progress: Progress = silent) -> KindsResult:
    """Search with some photographs, and count how many of the first results are of the same kind.

    Files that are equal to the one asked with are no results. The same seed on the same photographs gives the same
    figures.

    Parameters
    ----------
    progress : Progress
        If it raises Cancelled, the figures rest on the questions so far.

    Raises
    ------
    TwinlensError
        If there is no such index or folder, or no kind has two photographs.
    Cancelled
        If it is cancelled before the first question.
    """
    started = time.perf_counter()
    contents = PhotographOrder(library, None, wanted.seed).contents
    kinds = {"folders": _by_folders, "concepts": _by_concepts, "marks": _by_marks}[wanted.truth](library, contents)
    sizes = Counter(kinds.values())
    of_id = {one: kind for content in contents if (kind := kinds.get(content.hash)) for one in content.ids}
    drawn = contents if wanted.folder is None else PhotographOrder(library, wanted.folder, wanted.seed).contents
    chosen = [one for one in drawn if one.hash in kinds and sizes[kinds[one.hash]] > 1][
        : wanted.photographs or PHOTOGRAPHS
    ]
    if not chosen:
        raise _no_kinds(wanted.truth)
    searcher = Searcher(library, check_seconds=math.inf)
    of_kind: dict[str, set[int]] = defaultdict(set)
    for one, kind in of_id.items():
        of_kind[kind].add(one)
    with searcher.moment() as moment:
        columns, notes = index_columns(searcher, moment, LibraryDigests(moment.r), wanted.indexes, None, wanted.check)
    if len(set(of_id.values())) == 1:
        notes = [
            Message("All photos are of one kind, so whatever is found is right: these figures say nothing."),
            *notes,
        ]
    queries = []
    for number, content in enumerate(chosen, 1):
        kind, own = kinds[content.hash], content.ids
        truth = QueryTruth(of_kind[kind] - set(own), beside=frozenset(own), most=sizes[kind] - 1)
        known = {"photograph": own[0]}
        name = Message("Photo {number}: {kind}", number=number, kind=kind)
        queries.append(EvaluationQuery(name, known, truth, len(own), partial(int, own[0]), kind))
    measured = measure_evaluation(EvaluationPlan(searcher, queries, columns, wanted.truth, FIRST), Timing(progress))
    of_each: dict[str, list[EvaluationQuery]] = defaultdict(list)
    for query in measured.queries:
        of_each[query.kind].append(query)

    def precision(some: list[EvaluationQuery]) -> dict[str, float]:
        return {column.name: measured.mean(column, some)[f"precision@{FIRST}"] for column in columns}

    return KindsResult(
        truth=wanted.truth,
        first=FIRST,
        questions=len(measured.queries),
        library=sum(len(content.ids) for content in contents),
        indexes=[column.name for column in columns],
        kinds=[
            KindFigures(kind=kind, photographs=sizes[kind], questions=len(some), precision=precision(some))
            for kind, some in sorted(of_each.items())
        ],
        precision=precision(measured.queries),
        seed=wanted.seed,
        check=wanted.check,
        notes=notes,
        seconds=time.perf_counter() - started,
        cancelled=measured.cancelled,
    )


def _by_folders(library: Library, contents: Iterable[Content]) -> dict[bytes, str]:
    firsts = {content.ids[0]: content.hash for content in contents}
    with library.store.reading() as r:
        return {firsts[one.row.id]: shown(os.path.dirname(one.path)) for one in library.look_up(r, list(firsts))}


def _by_concepts(library: Library, contents: Iterable[Content]) -> dict[bytes, str]:
    """Name the narrowest broader concept that each photograph surely shows; others belong to no kind."""
    with library.store.reading() as r:
        shown = ShownConcepts.of(r)
    names = [one.name("en") for one in concept_table().facets]
    of_id = {
        one: names[place]
        for one, place in zip(shown.ids.tolist(), shown.subjects().tolist(), strict=True)
        if place >= 0
    }
    return {content.hash: of_id[content.ids[0]] for content in contents if content.ids[0] in of_id}


def _by_marks(library: Library, contents: Iterable[Content]) -> dict[bytes, str]:
    """Name each group of photographs that are joined by marks as similar after one of its members."""
    there = {content.hash for content in contents}
    group: dict[bytes, bytes] = {}

    def top(content: bytes) -> bytes:
        while group.setdefault(content, content) != content:
            content = group[content]
        return content

    names: dict[bytes, str] = {}
    for mark in list_marks(library).marks:
        if mark.similar and not mark.contradicted and there.issuperset(mark.contents):
            names |= dict(zip(mark.contents, (mark.first, mark.second), strict=True))
            first, second = sorted(map(top, mark.contents))
            group[second] = first
    return {content: names[top(content)] for content in list(group)}


def _no_kinds(truth: str) -> TwinlensError:
    if truth == "marks":
        return TwinlensError("No two photos are marked similar.", "Mark pairs in Learn, or use --truth folders.")
    if truth == "concepts":
        return TwinlensError("No two photos surely show the same thing.", "Use --truth folders.")
    return TwinlensError("No folder has two different photos.", "Put photos of one kind into one folder each.")
