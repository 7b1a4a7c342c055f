"""Evaluation of indexes by kinds: how many of the first results show what the photograph asked with shows.

What a photograph shows is said by the folder that it lies in, or by the pairs that a person marked similar.
"""

from __future__ import annotations

import math
import os
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from app.evaluate.asked_indexes import asked_indexes, no_index
from app.evaluate.edited_copies import Content, Draw
from app.evaluate.results import KindFigures, KindsResult
from app.library.library import Library
from app.marks.marks import list_marks
from app.results import shown
from app.search.searcher import Searcher
from app.search.wanted import Wanted
from core.errors import Cancelled, TwinlensError
from core.evaluation.answers import Answer, Judgement, Right
from core.message import Message
from core.progress import Progress, silent

FIRST = 10
"""Results looked at, fewer where a kind has fewer photographs beside the one asked with."""

PHOTOGRAPHS = 200


@dataclass(frozen=True)
class KindEvaluation:
    """A request for an evaluation by kinds.

    Attributes
    ----------
    truth : str
        ``folders`` or ``marks``.
    indexes : tuple of str
        Names; empty for all that can answer.
    photographs : int
        How many are drawn, at most, of those that have a kind.
    check : bool, optional
        Whether hits are checked geometrically; None as a search does.
    folder : Path, optional
        Draw from what lies in it; found may be everything.
    seed : int
    """

    truth: Literal["folders", "marks"]
    indexes: tuple[str, ...] = ()
    photographs: int = PHOTOGRAPHS
    check: bool | None = None
    folder: Path | None = None
    seed: int = 0


def evaluate_kinds(library: Library, wanted: KindEvaluation, progress: Progress = silent) -> KindsResult:
    """Ask with some photographs, and count how many of the first results are of the same kind.

    Files that are equal to the one asked with are no results. The same seed on the same photographs gives the same
    figures.

    Parameters
    ----------
    library : Library
    wanted : KindEvaluation
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
    contents = Draw(library, None, wanted.seed).contents
    kinds = _by_folders(library, contents) if wanted.truth == "folders" else _by_marks(library, contents)
    sizes = Counter(kinds.values())
    of_id = {one: kind for content in contents if (kind := kinds.get(content.hash)) for one in content.ids}
    drawn = contents if wanted.folder is None else Draw(library, wanted.folder, wanted.seed).contents
    asked = [one for one in drawn if one.hash in kinds and sizes[kinds[one.hash]] > 1][: wanted.photographs]
    if not asked:
        raise _no_kinds(wanted.truth)
    searcher = Searcher(library, check_seconds=math.inf)
    of_kind: dict[str, set[int]] = defaultdict(set)
    for one, kind in of_id.items():
        of_kind[kind].add(one)
    found: dict[str, dict[str, Judgement]] = {}
    questions: Counter[str] = Counter()
    cancelled = False
    with searcher.moment() as moment:
        indexes, notes = asked_indexes(searcher, moment, wanted.indexes)
    names = [one.row.name for one in indexes]
    if not names:
        raise no_index()
    try:
        for number, content in enumerate(asked):
            kind = kinds[content.hash]
            progress(number, len(asked), Message("Photo {number}: {kind}", number=number + 1, kind=kind))
            truth = Right(of_kind[kind] - set(content.ids), beside=frozenset(content.ids), most=sizes[kind] - 1)
            depth = Wanted(FIRST + len(content.ids), check=wanted.check)
            for result in searcher.ask(content.ids[0], names, depth):
                hits = Answer(np.array([hit.id for hit in result.hits], np.int64), seconds=result.seconds.total)
                for part in (kind, ""):  # of all kinds together, too
                    found.setdefault(result.index, defaultdict(Judgement))[part].add(truth, hits)
            questions[kind] += 1
    except Cancelled:
        if not questions:
            raise
        cancelled = True
    every = sum(questions.values())
    return KindsResult(
        truth=wanted.truth,
        first=FIRST,
        questions=every,
        library=sum(len(content.ids) for content in contents),
        indexes=list(found),
        kinds=[
            KindFigures(
                kind=kind,
                photographs=sizes[kind],
                questions=count,
                precision={name: of[kind].precision[FIRST] for name, of in found.items()},
            )
            for kind, count in sorted(questions.items())
        ],
        precision={name: of[""].precision[FIRST] for name, of in found.items()},
        seed=wanted.seed,
        check=wanted.check,
        notes=notes,
        seconds=time.perf_counter() - started,
        cancelled=cancelled,
    )


def _by_folders(library: Library, contents: Iterable[Content]) -> dict[bytes, str]:
    firsts = {content.ids[0]: content.hash for content in contents}
    with library.store.reading() as r:
        return {firsts[one.row.id]: shown(os.path.dirname(one.path)) for one in library.look_up(r, list(firsts))}


def _by_marks(library: Library, contents: Iterable[Content]) -> dict[bytes, str]:
    """Name each group of photographs that pairs marked similar hold together by one of them."""
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
        return TwinlensError(
            Message("No two photos are marked similar."), Message("Mark pairs in Learn, or use --truth folders.")
        )
    return TwinlensError(
        Message("No folder has two different photos."), Message("Put photos of one kind into one folder each.")
    )
