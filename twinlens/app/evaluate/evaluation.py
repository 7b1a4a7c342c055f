"""Evaluation of indexes with edited copies of the library's own photographs.

Its figures give advice: which index to trust for which edits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal

from pydantic import Field

from twinlens.app.bench.bench_results import MeasuredResult
from twinlens.app.evaluate.edited_copies import SIDE, PhotographOrder, copies_left_out
from twinlens.app.evaluate.evaluation_plan import (
    EvaluationColumn,
    EvaluationFigures,
    EvaluationPlan,
    EvaluationQuery,
    HashedThumbnails,
    LibraryDigests,
    evaluation_column,
    index_columns,
    json_digest,
    measure_evaluation,
)
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.indexes.fitted_models import usable_indexes
from twinlens.app.library import volumes
from twinlens.app.library.library import Library
from twinlens.app.machine.background_work import in_background
from twinlens.app.methods import catalogue
from twinlens.app.results import Result
from twinlens.app.search.searcher import Searcher
from twinlens.core.errors import Remedy, TwinlensError, did_you_mean
from twinlens.core.evaluation.judgement import QueryTruth
from twinlens.core.evaluation.measurement import Timing
from twinlens.core.message import Message, counted
from twinlens.core.progress import Progress, silent
from twinlens.features.pictures.edits import EDITS, FURTHER_EDITS, Edit
from twinlens.features.pictures.edits import VERSION as EDITS_VERSION

TRUTHS = ("edits",)
DEPTH = 100
"""Results looked through; a photograph further down counts as not found."""

PHOTOGRAPHS = 20
YARDSTICK = "perceptual hash"


def evaluate(library: Library, wanted: EvaluationSettings, progress: Progress = silent) -> EvaluateResult:
    """Search with edited copies of some photographs, and count how often each index finds the original.

    A photograph that is equal to the drawn one byte by byte is right, too. The same seed on the same photographs gives
    the same figures. A photograph that has no perceptual hash, because it has no thumbnail and none can be made, is
    left out of all figures, so that all are measured on the same photographs.

    Parameters
    ----------
    progress : Progress
        If it raises Cancelled, the figures rest on the queries so far.

    Raises
    ------
    TwinlensError
        If there is no such index, edit or folder, no index can answer, or no photograph can be read.
    Cancelled
        If it is cancelled before the first query.
    """
    started, timing = time.perf_counter(), Timing(progress)
    edits, further = _edits(wanted)
    searcher = Searcher(library, check_seconds=math.inf)
    columns, notes = _columns(searcher, wanted)
    with in_background():
        hashed = HashedThumbnails.of(library, timing.preparing)
    left_out = frozenset(hashed.lacking.tolist())
    draw = PhotographOrder(library, wanted.folder, wanted.seed, left_out=left_out)
    queries = _queries(draw, wanted, left_out, timing)
    measured = measure_evaluation(EvaluationPlan(searcher, queries, columns, TRUTHS[0], DEPTH, hashed), timing)
    queries = measured.queries
    if draw.unreadable:
        notes.append(
            counted(
                "{count} of the drawn photos cannot be read now and was replaced.",
                "{count} of the drawn photos cannot be read now and were replaced.",
                draw.unreadable,
            )
        )
    if measured.failed:
        notes.append(copies_left_out(measured.failed))
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
    found = [_evaluated(measured, column, edits, further) for column in columns]
    return EvaluateResult(
        truth=TRUTHS[0],
        photographs=len({one.known["photograph"] for one in queries}),
        of=len(draw.contents),
        library=len(hashed.ids),
        questions=len(queries),
        depth=DEPTH,
        seed=wanted.seed,
        check=wanted.check,
        indexes=found,
        advice=recommend_index(found),
        notes=notes,
        seconds=time.perf_counter() - started,
        cancelled=measured.cancelled,
    )


def _queries(
    draw: PhotographOrder, wanted: EvaluationSettings, left_out: frozenset[int], timing: Timing
) -> list[EvaluationQuery]:
    """Return the queries, photograph by photograph."""
    found = []
    edits, further = _edits(wanted)
    count = wanted.photographs or PHOTOGRAPHS
    for number, content in enumerate(draw.drawn(count), 1):
        timing.preparing(number, count, Message("Reading photos"))
        for edit in (*edits, *further):
            host = draw.host(content, edit)
            beside = frozenset(host.ids) - frozenset(content.ids)
            known = {
                "photograph": content.hash.hex(), "edit": edit.name, "host": host.hash.hex(), "seed": wanted.seed,
                "version": EDITS_VERSION, "side": SIDE,
            }  # fmt: skip
            name = Message("Photo {number}: {edit}", number=number, edit=edit.name)
            truth = QueryTruth(frozenset(content.ids), beside=beside | left_out, any_right=True)
            found.append(EvaluationQuery(name, known, truth, len(beside), partial(draw.copy, content, edit), edit.name))
    if not found:
        raise volumes.nothing_readable()
    return found


def _edits(wanted: EvaluationSettings) -> tuple[tuple[Edit, ...], tuple[Edit, ...]]:
    """Return the edits that count for the mean, and the others."""
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
            hint = did_you_mean(name, known, 0.4) or Message("Choose one of: {edits}.", edits=list(known))
            raise TwinlensError("There is no edit “{name}”.", hint, name=name)
    return tuple(known[name] for name in dict.fromkeys(names)) or EDITS


def _columns(searcher: Searcher, wanted: EvaluationSettings) -> tuple[list[EvaluationColumn], list[Message]]:
    """Return the indexes to measure and the yardstick, with notes about unnamed indexes that cannot be searched."""
    with searcher.moment() as moment:
        contents = LibraryDigests(moment.r)
        rows, only_exact = usable_indexes(moment.r), wanted.descriptors and not wanted.indexes
        columns, notes = (
            ([], []) if only_exact else index_columns(searcher, moment, contents, wanted.indexes, DEPTH, wanted.check)
        )
        for text in dict.fromkeys(wanted.descriptors):
            declared = catalogue.descriptor(text)
            of_it = [row for row in rows if catalogue.descriptor(row.descriptor) == declared and row.kind_id]
            plain = [row for row in of_it if row.metric is None and row.metric_id is None]
            if not plain:
                raise TwinlensError(
                    "The library has no vectors of {descriptors}.",
                    Remedy("create index", {"descriptor": declared.text()}),
                    descriptors=declared.text(),
                )
            index = searcher.index(moment, plain[0].name)
            columns.append(evaluation_column(contents, index, DEPTH, wanted.check or False, declared.text()))
        known = json_digest((YARDSTICK, contents.ready))
    columns.append(EvaluationColumn(YARDSTICK, "64 bits of the cosine transform of the thumbnail", "yardstick", known))
    return columns, notes


def _evaluated(
    measured: EvaluationFigures, column: EvaluationColumn, edits: Sequence[Edit], further: Sequence[Edit]
) -> EvaluatedIndex:
    def figures(some: Sequence[Edit]) -> list[EditFigures]:
        by_edit = {edit.name: [one for one in measured.queries if one.kind == edit.name] for edit in some}
        return [_figures(edit, measured.mean(column, of), len(of)) for edit, of in by_edit.items() if of]

    each = figures(edits)
    return EvaluatedIndex(
        name=column.name,
        text=column.text,
        kind=column.kind,
        edits=each,
        further=figures(further),
        mean=EditFigures(
            edit="mean",
            questions=sum(one.questions for one in each),
            values={key: _mean([one.values[key] for one in each]) for key in _OF_EDITS},
        ),
        seconds=measured.mean(column, measured.queries)["seconds search"],
    )


_OF_EDITS = ("found@1", "found@10", "map")


def _figures(edit: str, mean: Mapping[str, float], questions: int) -> EditFigures:
    return EditFigures(edit=edit, questions=questions, values={key: mean[key] for key in _OF_EDITS})


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


TRUSTED = 0.9
"""Recall@1 from which an edit counts as found."""

_BETTER = 0.05  # recall@1 by which another index is worth naming
_LISTED = 8


def recommend_index(indexes: Sequence[EvaluatedIndex]) -> list[Message]:
    """Return which edits each index finds, which index is better, and how each compares with the yardstick.

    Parameters
    ----------
    indexes : sequence of EvaluatedIndex
        As in `twinlens.app.evaluate.evaluation.EvaluateResult`.
    """
    judged = [index for index in indexes if index.kind != "yardstick"]
    found = [_finds(index) for index in indexes]
    for index in judged[:1]:
        found += _better_others(index, judged[1:])
    for yardstick in (index for index in indexes if index.kind == "yardstick"):
        found += [_against(index, yardstick) for index in judged]
    return found


def _name(index: EvaluatedIndex) -> Message:
    if index.kind == "yardstick":
        return Message("The perceptual hash")
    return Message("“{name}”", name=index.name)


def _finds(index: EvaluatedIndex) -> Message:
    weak = sorted(
        (one for one in index.edits if one.values["found@1"] < TRUSTED), key=lambda one: one.values["found@1"]
    )
    values = {"index": _name(index), "found": len(index.edits) - len(weak), "edits": len(index.edits)}
    if not weak:
        return Message(
            "{index} finds {found} of {edits} edits, with at least {share:.0%} of the copies at the first place.",
            share=TRUSTED,
            **values,
        )
    values["weak"] = tuple(map(_figure, weak[:_LISTED]))
    if len(weak) > _LISTED:
        return Message(
            "{index} finds {found} of {edits} edits. Weak: {weak}, and {more} more.",
            more=len(weak) - _LISTED,
            **values,
        )
    return Message("{index} finds {found} of {edits} edits. Weak: {weak}.", **values)


def _figure(one: EditFigures) -> Message:
    return Message("{edit} ({share:.0%})", edit=one.edit, share=one.values["found@1"])


def _better_others(index: EvaluatedIndex, others: Sequence[EvaluatedIndex]) -> list[Message]:
    """Return the edits that another index finds clearly more often than the first one."""
    better = []
    for place, one in enumerate(index.edits):
        best = max(others, key=lambda other: other.edits[place].values["found@1"], default=None)
        if best is not None and best.edits[place].values["found@1"] >= one.values["found@1"] + _BETTER:
            share = best.edits[place].values["found@1"]
            better.append(Message("{index} for {edit} ({share:.0%})", index=_name(best), edit=one.edit, share=share))
    return [Message("Better than {index}: {others}.", index=_name(index), others=tuple(better))] if better else []


def _against(index: EvaluatedIndex, yardstick: EvaluatedIndex) -> Message:
    lost = [
        one
        for one, other in zip(index.edits, yardstick.edits, strict=True)
        if one.values["found@1"] < other.values["found@1"]
    ]
    if not lost:
        return Message("{index} finds every edit at least as often as the perceptual hash.", index=_name(index))
    return Message(
        "{index} finds less than the perceptual hash for {edits}.",
        index=_name(index),
        edits=tuple(map(_figure, lost)),
    )


class EditFigures(MeasuredResult):
    """One edit, or the mean over several, by one index.

    Its recall@R is the share of copies whose photograph is among the first R, and its mAP the mean of 1 / its rank.
    """

    LAYOUT = ("edit", "questions", ("recall@", "found@"), "map")

    edit: str
    questions: int = Field(description="edited copies used as queries")


class EvaluatedIndex(Result):
    """One column: an index, a descriptor compared exactly, or the yardstick."""

    name: str
    text: str = Field(description="descriptor · method · search, in text form")
    kind: Literal["index", "descriptor", "yardstick"]
    edits: list[EditFigures]
    further: list[EditFigures] = Field(default_factory=list, description="harder edits, which are in no mean")
    mean: EditFigures = Field(description="of the edits, each counting the same")
    seconds: float = Field(description="a question, on average; of indexes asked at once without reading the copy")


class EvaluateResult(Result):
    """Result of ``evaluate``."""

    truth: str = Field(description="edits: an edited copy is the question, its photograph the answer")
    photographs: int = Field(description="photographs drawn and edited")
    of: int = Field(description="photographs of different content that could have been drawn")
    library: int = Field(description="photographs searched")
    questions: int = Field(description="edited copies used as queries")
    depth: int = Field(description="a photograph that is not among the first so many counts as not found")
    seed: int
    check: bool | None = Field(description="whether hits were checked geometrically; None: as a search does")
    indexes: list[EvaluatedIndex] = Field(description="those that were asked for, then the yardstick")
    advice: list[Message] = Field(description="which index to trust for which edits, a sentence each")
    notes: list[Message] = Field(default_factory=list)
    seconds: float = Field(description="time taken")
    cancelled: bool = Field(default=False, description="stopped early; the figures are of the queries so far")


class KindFigures(Result):
    """One kind."""

    kind: str = Field(description="the folder, what is shown, or one of the photographs that marks hold together")
    photographs: int = Field(description="different ones of this kind in the library")
    questions: int
    precision: dict[str, float] = Field(description="share of the first results that are of the kind, by index")


class KindsResult(Result):
    """Result of ``evaluate`` with the truths folders, concepts and marks."""

    truth: Literal["folders", "concepts", "marks"]
    first: int = Field(description="results looked at; of small kinds as many as there are others")
    questions: int = Field(description="photographs asked with")
    library: int = Field(description="photographs searched")
    indexes: list[str]
    kinds: list[KindFigures]
    precision: dict[str, float] = Field(description="mean over all questions, by index")
    seed: int
    check: bool | None = Field(description="whether hits were checked geometrically; None: as a search does")
    notes: list[Message] = Field(default_factory=list)
    seconds: float = Field(description="time taken")
    cancelled: bool = Field(default=False, description="stopped early; the figures are of the questions so far")
