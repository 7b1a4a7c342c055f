"""Evaluation of indexes with edited copies of the library's own photographs."""

from __future__ import annotations

import difflib
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np

from app.evaluate.asked_indexes import asked_indexes, no_index
from app.evaluate.edited_copies import Copy, Draw, nothing_readable
from app.evaluate.perceptual_hash import HashedThumbnails
from app.evaluate.recommendation import advice
from app.evaluate.results import EditFigures, EvaluatedIndex, EvaluateResult
from app.indexes.index_names import text_of
from app.indexes.usable import usable_indexes
from app.library.library import Library
from app.machine.waiting import in_background
from app.methods import catalogue
from app.results import SearchResult
from app.search.searcher import Searcher
from app.search.wanted import Wanted
from core.errors import Cancelled, Remedy, TwinlensError
from core.evaluation.answers import Answer, Judgement, Right
from core.evaluation.evaluation_task import FOUND
from core.message import Message, counted
from core.progress import Progress, part, silent
from features.pictures.edits import EDITS, FURTHER_EDITS, Edit

TRUTHS = ("edits",)
DEPTH = 100
"""Results looked through; a photograph further down counts as not found."""

PHOTOGRAPHS = 20
YARDSTICK = "perceptual hash"

_HASHING = 0.03  # share of the time


@dataclass(frozen=True)
class Evaluation:
    """A request for an evaluation.

    Attributes
    ----------
    indexes : tuple of str
        Names; empty, without descriptors too, for all that can answer.
    descriptors : tuple of str
        Text forms: each is measured exactly, without codes, by the vectors of an index of it.
    photographs : int
        How many are drawn.
    edits : tuple of str
        Names; empty for all of `features.pictures.edits.EDITS`.
    further : bool
        Whether the harder edits are asked for, too.
    check : bool, optional
        Whether hits are checked geometrically; None as a search does.
    folder : Path, optional
        Draw from what lies in it; found may be everything.
    seed : int
    """

    indexes: tuple[str, ...] = ()
    descriptors: tuple[str, ...] = ()
    photographs: int = PHOTOGRAPHS
    edits: tuple[str, ...] = ()
    further: bool = False
    check: bool | None = None
    folder: Path | None = None
    seed: int = 0


@dataclass(eq=False)
class _Column:
    """A measured index, with the judgement of its answers by edit."""

    name: str
    text: str
    kind: Literal["index", "descriptor", "yardstick"]
    index: str = ""
    depth: int | None = DEPTH
    judged: dict[str, Judgement] = field(default_factory=dict)

    def put(self, edit: str, truth: Right, answer: Answer) -> None:
        self.judged.setdefault(edit, Judgement(depth=self.depth)).add(truth, answer)

    @property
    def seconds(self) -> float:
        return sum(sum(one.seconds) for one in self.judged.values())


def evaluate(library: Library, wanted: Evaluation, progress: Progress = silent) -> EvaluateResult:
    """Ask with edited copies of some photographs, and count how often each index finds the photograph.

    A photograph that is equal to the drawn one byte by byte is right, too. The same seed on the same photographs gives
    the same figures. A photograph that has no perceptual hash, because it has no thumbnail and none can be made, is
    left out of all figures, so that all are measured on the same photographs.

    Parameters
    ----------
    library : Library
    wanted : Evaluation
    progress : Progress
        If it raises Cancelled, the figures rest on the queries so far.

    Raises
    ------
    TwinlensError
        If there is no such index, edit or folder, no index can answer, or no photograph can be read.
    Cancelled
        If it is cancelled before the first query.
    """
    started = time.perf_counter()
    edits, further = _edits(wanted)
    searcher = Searcher(library, check_seconds=math.inf)
    columns, notes = _columns(searcher, wanted)
    with in_background():
        hashed = HashedThumbnails.of(library, part(progress, 0, _HASHING))
    left_out = frozenset(hashed.lacking.tolist())
    draw = Draw(library, wanted.folder, wanted.seed, left_out=left_out)
    yardstick = _Column(YARDSTICK, "64 bits of the cosine transform of the thumbnail", "yardstick", depth=None)
    photographs = questions = 0
    total = min(wanted.photographs, len(draw.contents)) * len(edits + further)
    step = part(progress, _HASHING, 1)
    cancelled = False
    try:
        for copies in draw.copies((*edits, *further), wanted.photographs):
            for number, copy in enumerate(copies):
                step(
                    questions,
                    total,
                    Message("Photo {number}: {edit}", number=photographs + (number == 0), edit=copy.edit.name),
                )
                photographs += number == 0
                truth = Right(copy.right, beside=copy.beside | left_out, any_right=True)
                for column, result in _asked(searcher, columns, copy, wanted.check):
                    hits = np.array([hit.id for hit in result.hits], np.int64)
                    column.put(copy.edit.name, truth, Answer(hits, seconds=result.seconds.total))
                before = time.perf_counter()
                ranked = hashed.ranked(copy.rgb)
                yardstick.put(copy.edit.name, truth, Answer(ranked, seconds=time.perf_counter() - before))
                questions += 1
    except Cancelled:
        if not questions:
            raise
        cancelled = True
    if not questions:
        raise nothing_readable()
    if draw.unreadable:
        notes.append(
            counted(
                "{count} of the drawn photos cannot be read now and was replaced.",
                "{count} of the drawn photos cannot be read now and were replaced.",
                draw.unreadable,
            )
        )
    if left_out:
        notes.append(
            counted(
                "{count} photo is left out, since it has no thumbnail and cannot be read now. Connect its disk to "
                "include it.",
                "{count} photos are left out, since they have no thumbnail and cannot be read now. Connect their "
                "disk to include them.",
                len(left_out),
            )
        )
    found = [_evaluated(column, edits, further, questions) for column in (*columns, yardstick)]
    return EvaluateResult(
        truth=TRUTHS[0],
        photographs=photographs,
        of=len(draw.contents),
        library=len(hashed.ids),
        questions=questions,
        depth=DEPTH,
        seed=wanted.seed,
        check=wanted.check,
        indexes=found,
        advice=advice(found),
        notes=notes,
        seconds=time.perf_counter() - started,
        cancelled=cancelled,
    )


def _edits(wanted: Evaluation) -> tuple[tuple[Edit, ...], tuple[Edit, ...]]:
    """Return the edits of the mean, and the further ones."""
    if not wanted.edits:
        return EDITS, FURTHER_EDITS if wanted.further else ()
    chosen = chosen_edits(wanted.edits)
    further = tuple(edit for edit in FURTHER_EDITS if edit not in chosen) if wanted.further else ()
    return chosen, further


def chosen_edits(names: Sequence[str]) -> tuple[Edit, ...]:
    """Return the named edits, each once; without names the usual ones.

    Raises
    ------
    TwinlensError
        If there is no such edit.
    """
    known = {edit.name: edit for edit in (*EDITS, *FURTHER_EDITS)}
    for name in names:
        if name not in known:
            nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.4)
            hint = (
                Message("Did you mean “{name}”?", name=nearest[0])
                if nearest
                else Message("Choose one of: {edits}.", edits=list(known))
            )
            raise TwinlensError(Message("There is no edit “{name}”.", name=name), hint)
    return tuple(known[name] for name in dict.fromkeys(names)) or EDITS


def _columns(searcher: Searcher, wanted: Evaluation) -> tuple[list[_Column], list[Message]]:
    """Return the indexes to ask, and notes about unnamed ones that cannot answer."""
    with searcher.moment() as moment:
        rows, only_exact = usable_indexes(moment.r), wanted.descriptors and not wanted.indexes
        asked, notes = ([], []) if only_exact else asked_indexes(searcher, moment, wanted.indexes)
        columns = [_Column(one.row.name, text_of(one.row), "index", one.row.name) for one in asked]
        for text in dict.fromkeys(wanted.descriptors):
            declared = catalogue.descriptor(text)
            of_it = [row for row in rows if catalogue.descriptor(row.descriptor) == declared and row.kind_id]
            plain = [row for row in of_it if row.metric is None and row.metric_id is None]
            if not plain:
                raise TwinlensError(
                    Message("The library has no vectors of {descriptors}.", descriptors=declared.text()),
                    Remedy("create index", {"descriptor": declared.text()}),
                )
            columns.append(_Column(declared.text(), f"{declared.text()}, exactly", "descriptor", plain[0].name))
    if not columns:
        raise no_index()
    return columns, notes


def _asked(
    searcher: Searcher, columns: Sequence[_Column], copy: Copy, check: bool | None
) -> list[tuple[_Column, SearchResult]]:
    """Search all columns with one copy."""
    picture = copy.picture()
    found: list[tuple[_Column, SearchResult]] = []
    for kind, exact, checked in (("index", False, check), ("descriptor", True, check or False)):
        some = [column for column in columns if column.kind == kind]
        if some:
            names = [column.index for column in some]
            depth = DEPTH + len(copy.beside)
            found += zip(some, searcher.ask(picture, names, Wanted(depth, exact=exact, check=checked)), strict=True)
    return found


def _evaluated(column: _Column, edits: Sequence[Edit], further: Sequence[Edit], questions: int) -> EvaluatedIndex:
    figures = [_figures(edit.name, column.judged[edit.name]) for edit in edits if edit.name in column.judged]
    return EvaluatedIndex(
        name=column.name,
        text=column.text,
        kind=column.kind,
        edits=figures,
        further=[_figures(edit.name, column.judged[edit.name]) for edit in further if edit.name in column.judged],
        mean=EditFigures(
            edit="mean",
            questions=sum(one.questions for one in figures),
            recall={str(first): _mean([one.recall[str(first)] for one in figures]) for first in FOUND},
            map=_mean([one.map for one in figures]),
        ),
        seconds=column.seconds / questions,
    )


def _figures(edit: str, judged: Judgement) -> EditFigures:
    return EditFigures(
        edit=edit,
        questions=len(judged.places),
        recall={str(first): share for first, share in judged.found.items()},
        map=judged.reciprocal_rank,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
