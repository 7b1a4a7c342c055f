"""Kept metrics side by side, each judged by the present marks that it was not learned from."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.fitted_models import load_metric, usable_indexes
from twinlens.app.indexes.indexes import default_row
from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.learn.learn_results import JudgedMetric, LearnedHeldOut, MeanAndRange, MetricComparison
from twinlens.app.learn.training_data import TrainingData, photographs_learned_from
from twinlens.app.library.library import AUTOMATIC, Library
from twinlens.app.methods import catalogue
from twinlens.core.arrays import Float32Vectors, Float64Matrix, Int64Rows
from twinlens.core.evaluation.judgement import Judgement, QueryTruth, RankedItems, judge_queries
from twinlens.core.exact_search.measure import Measure
from twinlens.core.learning.metric_judgement import MeanEstimate, best_threshold, pair_distances, standing
from twinlens.core.message import NOTHING, Message, from_json, joined
from twinlens.core.metrics.metric import FittedMetric, MetricPairs
from twinlens.core.progress import Progress, silent
from twinlens.storage.indexes.models import MetricRow

LEAST = 8
"""Pairs below which nothing is judged."""

_SPLITS = 20
_BACKGROUND = 600
_RECALLED = 200  # similar pairs that recall is found from
_NEAREST = 10


def compare_metrics(
    library: Library, index: str = AUTOMATIC, seed: int = 0, progress: Progress = silent
) -> MetricComparison:
    """Judge every kept metric of an index's descriptor, and no metric, by the library's marks.

    A metric is judged by pairs of which it has seen no photograph; half of them find the threshold that parts similar
    from different ones, the other half are counted, twenty times over.

    Parameters
    ----------
    index : str
        Whose descriptor it is about.
    seed : int
        Of the halves.

    Raises
    ------
    TwinlensError
        If there is no such index, there are no marks or none can be used.
    """
    with library.store.reading() as r:
        measured = index_measure(r, index)
        material = TrainingData.of(library, r, measured, None, seed)
        default, indexes = default_row(r), usable_indexes(r)
        rows = [row for row in r.metrics.all() if catalogue.descriptor(row.descriptor) == measured.descriptor]
        described: list[tuple[MetricRow | None, FittedMetric | Measure, Int64Rows | None, list[str]]] = [
            (
                None,
                Measure(measured.descriptor.measure),
                None,
                [
                    one.name
                    for one in indexes
                    if one.kind_id == measured.kind.id and one.metric_id is None and one.metric is None
                ],
            )
        ]
        for row in rows:
            seen = photographs_learned_from(r, row.id)
            described.append((row, load_metric(r, row.model_id), seen, r.metrics.users(row.id)))
    found = []
    for number, (kept, measure, seen, users) in enumerate(described):
        progress(number, len(described), Message("Judging metrics"))
        unseen = _unseen(material, seen)
        pairs = MetricPairs(material.pairs.rows[unseen], material.pairs.similar[unseen])
        held_out = judge_metric(measure, material.x, pairs, material.background, seed)
        found.append(
            JudgedMetric(
                name="" if kept is None else kept.name,
                default=default.name in users,
                indexes=users,
                created="" if kept is None else kept.created,
                note=NOTHING if kept is None else from_json(kept.note),
                held_out=held_out,
                pairs=len(pairs.rows),
                seen=int((~unseen).sum()),
                sentence=_sentence(kept, held_out, len(pairs.rows), int((~unseen).sum()), seen is not None),
            )
        )
    return MetricComparison(descriptor=measured.descriptor.text(), metrics=found, pairs=len(material.pairs.rows))


def _unseen(material: TrainingData, seen: Int64Rows | None) -> npt.NDArray[np.bool_]:
    """Return which pairs have no photograph that the metric was learned from, (p,)."""
    if seen is None:
        return np.ones(len(material.pairs.rows), bool)
    return np.asarray(~np.isin(material.ids[material.pairs.rows], seen).any(axis=1))


def judge_metric(
    measure: Measure | FittedMetric, x: Float32Vectors, pairs: MetricPairs, background: Float32Vectors, seed: int = 0
) -> LearnedHeldOut | None:
    """Judge a measure by pairs that it was not learned from; None if there are too few.

    Where no pair was marked different, pairs of other photographs stand for those.

    Parameters
    ----------
    x : ndarray of float32, (c, d)
    pairs : MetricPairs
        Of rows of ``x``.
    background : ndarray of float32, (b, d)
    """
    near = pairs.similar
    if len(near) < LEAST or int(near.sum()) < 2:
        return None
    distances = pair_distances(measure, x, pairs.rows)
    similar, different = distances[near], distances[~near]
    if len(different) < 2:
        different = _others(measure, background, len(similar), seed)
    if len(different) < 2:
        return None
    kinds = np.arange(len(similar) + len(different)) < len(similar)
    every = np.concatenate([similar, different])
    return LearnedHeldOut(
        accuracy=_mean(_right(every, kinds, seed), kinds),
        area=_mean(standing(every, kinds, different), np.ones(len(kinds), bool)),
        recall=_recall(measure, x, pairs.rows[near], similar, background[:_BACKGROUND]),
    )


def _right(distances: Float64Matrix, similar: npt.NDArray[np.bool_], seed: int) -> Float64Matrix:
    """Return how often each pair is on its side of the threshold that is set by a half without it, (p,)."""
    rng = np.random.default_rng(seed)
    right, judged = np.zeros(len(similar)), np.zeros(len(similar))
    for _ in range(_SPLITS):
        learned = np.zeros(len(similar), bool)
        for kind in (np.flatnonzero(similar), np.flatnonzero(~similar)):
            learned[rng.permutation(kind)[: len(kind) // 2]] = True
        parting = best_threshold(distances[learned & similar], distances[learned & ~similar])
        right[~learned] += ((distances <= parting) == similar)[~learned]
        judged[~learned] += 1
    return np.asarray(np.divide(right, judged, out=np.full(len(right), 0.5), where=judged > 0))


def _mean(values: Float64Matrix, similar: npt.NDArray[np.bool_]) -> MeanAndRange:
    """Return the mean over pairs, in which both kinds count alike."""
    means, errors = [], []
    for kind in (values[similar], values[~similar]):
        if len(kind):
            means.append(float(kind.mean()))
            # A few pairs that agree are no certainty: one of them counts half for the opposite.
            errors.append(max(float(kind.var()), 0.25 / len(kind)) / len(kind))
    return _with_range(MeanEstimate(float(np.mean(means)), float(np.sqrt(np.sum(errors))) / len(means)))


def _others(measure: Measure | FittedMetric, background: Float32Vectors, count: int, seed: int) -> Float64Matrix:
    if len(background) < 2:
        return np.empty(0)
    rng = np.random.default_rng(seed)
    first = rng.integers(0, len(background), count)
    second = (first + rng.integers(1, len(background), count)) % len(background)
    return pair_distances(measure, background, np.column_stack([first, second]))


def _recall(
    measure: Measure | FittedMetric,
    x: Float32Vectors,
    rows: Int64Rows,
    distances: Float64Matrix,
    background: Float32Vectors,
) -> MeanAndRange | None:
    """Return the share of similar pairs of which one photograph is among the ten nearest of the other."""
    if len(background) < _NEAREST:
        return None
    some = np.linspace(0, len(rows) - 1, min(_RECALLED, len(rows))).astype(np.int64)
    others = np.arange(len(background) + 1) < len(background)  # behind the one that is as near

    def ranked_items(number: int) -> RankedItems:
        far = measure.distances(x[rows[some[number], 0]], background)
        return RankedItems(np.lexsort((others, np.append(far, distances[some[number]]))))

    judgement = judge_queries(
        ranked_items, [QueryTruth(frozenset([len(background)]))] * len(some), Judgement(depth=_NEAREST)
    )
    found = np.array([place is not None for place in judgement.places], np.float64)
    return _mean(found, np.ones(len(found), bool))


def _with_range(one: MeanEstimate) -> MeanAndRange:
    return MeanAndRange(mean=one.mean, low=max(0.0, one.low), high=min(1.0, one.high))


def _sentence(row: MetricRow | None, held_out: LearnedHeldOut | None, pairs: int, seen: int, known: bool) -> Message:
    if held_out is None or held_out.accuracy is None:
        if not seen:
            return Message("There are too few marks to judge by: {pairs}.", pairs=pairs)
        if row is None:
            return NOTHING
        nothing = Message("It was learned from most of the present marks, so these say nothing of it.")
        return joined([nothing, from_json(row.note)])
    share = held_out.accuracy.mean
    if row is None:
        return Message(
            "{share:.0%} of {pairs} pairs are judged rightly, as the photos are described, without a metric.",
            share=share,
            pairs=pairs,
        )
    if not known:
        return Message(
            "{share:.0%} of {pairs} pairs are judged rightly; what it was learned from is not known.",
            share=share,
            pairs=pairs,
        )
    if not seen:
        return Message(
            "{share:.0%} of {pairs} pairs are judged rightly, none of which it was learned from.",
            share=share,
            pairs=pairs,
        )
    return Message(
        "{share:.0%} of {pairs} pairs are judged rightly, none of which it was learned from; {seen} that share a "
        "photo with what it was learned from do not count.",
        share=share,
        pairs=pairs,
        seen=seen,
    )
