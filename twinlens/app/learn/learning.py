"""Learning from judged pairs: of a metric, or of bits by a supervised hash method; the proposal, and how it is kept.

Nothing is kept of a proposal until a person accepts it. Bits are kept as an index, which learns them from all marks of
the library, and again when these change.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes import fitted_models
from twinlens.app.indexes.encoders import bring_index_up_to_date
from twinlens.app.indexes.fitted_models import load_metric
from twinlens.app.indexes.index_specification import content_key, named_metric
from twinlens.app.indexes.indexes import create_index, free_index_name
from twinlens.app.indexes.loaded_index import IndexMeasure, index_measure
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.learn.learn_results import LearnedChoice, LearnedHeldOut, LearnedThreshold, LearnResult, MeanAndRange
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.learn.metrics import find_metric, refuse_name
from twinlens.app.learn.training_data import LearningSpace, TrainingData, remember_photographs
from twinlens.app.library.library import Library
from twinlens.app.methods import catalogue
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.hashing.hash_method import SupervisedMethod
from twinlens.core.learning.code_choice import cross_validate_codes
from twinlens.core.learning.metric_choice import CrossValidatedChoice, TriedMetric, cross_validate, with_background
from twinlens.core.learning.metric_judgement import LEAST_OF_EACH, MeanEstimate, pair_distances, threshold
from twinlens.core.learning.metric_judgement import HeldOutFigures as JudgedHeldOut
from twinlens.core.message import Message, counted, joined
from twinlens.core.methods import METHODS
from twinlens.core.metrics.itml import Itml, LearnedMetric
from twinlens.core.metrics.metric import FittedMetric
from twinlens.core.progress import Progress, part, silent
from twinlens.features.descriptor import Descriptor
from twinlens.storage.library.store import Transaction


@dataclass(frozen=True, eq=False)
class Proposal:
    """A learned metric or code that is not kept yet. Made by :func:`propose_metric` or :func:`propose_codes`.

    Attributes
    ----------
    result : LearnResult
        What there is to say of it.
    metric : FittedMetric or None
        The best that was found, learned from all pairs; it may be no better than before: ``result.sure`` says. None
        where there were too few pairs to judge any, or bits were learned.
    index : IndexMeasure
        What it is better than, or not.
    descriptor : str
        Whose vectors it measures, as written for keeping.
    declaration : str or None
        What it was learned by, as written for keeping.
    photographs : ndarray of int64, (c,)
        Those of the pairs that it was learned from, ascending.
    """

    result: LearnResult
    metric: FittedMetric | None
    index: IndexMeasure
    descriptor: str
    declaration: str | None
    photographs: npt.NDArray[np.int64]


_USUAL = LearningSettings()


def propose_metric(
    library: Library,
    wanted: LearningSettings = _USUAL,
    progress: Progress = silent,
) -> Proposal:
    """Learn a metric from pairs, judge it by photographs that it has not seen, and keep nothing.

    Raises
    ------
    TwinlensError
        If there is no such index, there are no marks or no pair can be learned from.
    """
    started = time.perf_counter()
    with library.store.reading() as r:
        measured = index_measure(r, wanted.index)
        material = TrainingData.of(library, r, measured, wanted.named, wanted.seed)
    space = LearningSpace.of(measured.measure, material.x, material.background)
    choice = cross_validate(
        space.x, material.pairs, space.background, space.before, wanted.seed, part(progress, 0.0, 0.9)
    )
    chosen = choice.metric or (choice.best.metric or Itml() if wanted.anyway else None)
    assert chosen is None or isinstance(chosen, Itml)
    learned = None if chosen is None else _learned(chosen, material, space, wanted.seed, part(progress, 0.9, 1.0))
    metric = None if learned is None else learned.metric
    found = _judged_choice(choice, material, measured, time.perf_counter() - started)
    before = _threshold(measured.measure, material, wanted.wrong, wanted.seed)
    after = None if metric is None else _threshold(metric, material, wanted.wrong, wanted.seed)
    result = found.model_copy(
        update={
            "learned_by": None if chosen is None else chosen.text(),
            "violated": 0 if learned is None else learned.violated,
            "sweeps": 0 if learned is None else learned.projected.sweeps,
            "threshold": after if choice.metric is not None else before,
            "threshold_before": before,
            "threshold_after": after,
        }
    )
    return Proposal(
        result,
        metric,
        measured,
        catalogue.written_declaration(measured.descriptor),
        None if chosen is None else catalogue.written_declaration(chosen),
        material.ids[np.unique(material.pairs.rows)],
    )


def propose_codes(library: Library, wanted: LearningSettings, progress: Progress = silent) -> Proposal:
    """Judge a supervised hash method by photographs that it has not seen, beside as many bits without marks.

    Raises
    ------
    TwinlensError
        If the method does not learn from marks, there is no such index, there are no marks or no pair can be learned
        from.
    """
    method = _supervised_method(wanted.method)
    if wanted.named is not None:
        raise TwinlensError(
            "Bits are learned from the marks of the library, and again when these change: a file is not kept.",
            "Import its pairs with `twinlens marks import`, and learn without the file; or learn a metric from it.",
        )
    started = time.perf_counter()
    with library.store.reading() as r:
        measured = index_measure(r, wanted.index)
        material = TrainingData.of(library, r, measured, None, wanted.seed)
    method.check(material.table.shape[1], measured.descriptor.matrix_shape)
    choice = cross_validate_codes(material.x, material.pairs, material.background, method, wanted.seed, progress)
    result = _judged_choice(choice, material, measured, time.perf_counter() - started)
    tried = [result.tried[0].model_copy(update={"metric": method.untaught.text()}), *result.tried[1:]]
    return Proposal(
        result.model_copy(update={"tried": tried, "learned_by": method.text()}),
        None,
        measured,
        catalogue.written_declaration(measured.descriptor),
        catalogue.written_declaration(method),
        material.ids[np.unique(material.pairs.rows)],
    )


def keep_codes(library: Library, proposal: Proposal, name: str | None = None, progress: Progress = silent) -> str:
    """Keep proposed bits as an index, and return its name; without a name, one that is there already learns them.

    Raises
    ------
    TwinlensError
        If the name is taken, or the method cannot learn from these photographs.
    """
    made = NewIndex(descriptor=proposal.index.descriptor.text(), method=proposal.result.learned_by or "", name=name)
    search = catalogue.written_declaration(catalogue.search_structure(made.search))
    declared = (proposal.descriptor, proposal.declaration, search, None, None)
    with library.store.reading() as r:
        there = [
            one
            for one in r.indexes.all()
            if (one.descriptor, one.method, one.search, one.metric, one.metric_id) == declared
        ]
        free = free_index_name(r, f"{proposal.index.row.name} · {made.method}")
    if name is None and there:
        bring_index_up_to_date(library, there[0], progress)
        return there[0].name
    return create_index(library, made.changed(name=name or free), progress).name


def _supervised_method(text: str) -> SupervisedMethod:
    method = catalogue.method(text)
    if not isinstance(method, SupervisedMethod) or method.labels != "marks":
        raise TwinlensError(
            "{method} does not learn from marks.",
            "Choose one of {those}.",
            method=method.text(),
            those=[one.key for one in METHODS if one.supervised],
        )
    return method


def _judged_choice(
    choice: CrossValidatedChoice, material: TrainingData, measured: IndexMeasure, seconds: float
) -> LearnResult:
    """Return what there is to say of a choice, of a metric or of a hash method, of which nothing is kept."""
    similar = int(material.pairs.similar.sum())
    judged = (_held_out(choice.before, choice.tried[0]), _held_out(choice.after, choice.best))
    old, new = judged if choice.of else (None, None)
    return LearnResult(
        index=measured.row.name,
        descriptor=measured.descriptor.text(),
        pairs=len(material.pairs.rows),
        similar=similar,
        different=len(material.pairs.rows) - similar,
        advice=choice.sentence(),
        better=choice.better,
        earlier=choice.earlier if choice.of else 1.0,
        worse=choice.worse,
        of=choice.of,
        apart=choice.apart,
        more=choice.more,
        tried=[_choice(one) for one in choice.tried],
        metric=None,
        learned_by=None,
        left_out=material.left_out,
        seconds=seconds,
        sure=choice.metric is not None,
        before=old,
        after=new,
        contradictions=material.contradicted,
        headline=headline(choice, len(material.pairs.rows), material.marks),
        details=details(old, new, material.contradicted, seconds),
        marks=material.marks,
    )


def keep_metric(library: Library, proposal: Proposal, name: str | None = None) -> str:
    """Keep a proposal as a metric of the library.

    Parameters
    ----------
    name : str, optional
        By default “Learned” with the first free number.

    Returns
    -------
    str
        The name under which it is kept.

    Raises
    ------
    TwinlensError
        If there is nothing to keep, or the name is taken or means something else.
    """
    if proposal.metric is None:
        raise TwinlensError("There is no metric to keep: nothing was learned.", "Mark some more pairs, and learn.")
    if name is not None:
        refuse_name(name.strip())
    with library.store.writing("keeping a metric") as w:
        chosen = free_metric_name(w) if name is None else name.strip()
        model_id = fitted_models.keep_model(
            w, content_key(proposal.metric), proposal.declaration or "", proposal.metric
        )
        made = w.metrics.add(
            chosen,
            proposal.descriptor,
            model_id,
            declaration=proposal.declaration,
            note=joined([_learned_from(proposal.result.pairs), proposal.result.advice]).to_json(),
        )
        remember_photographs(w, made.id, proposal.photographs)
    return chosen


def learn_and_keep(
    library: Library,
    wanted: LearningSettings = _USUAL,
    progress: Progress = silent,
) -> LearnResult:
    """Learn from pairs and keep what was learned, if it is better on photographs that it has not seen.

    Parameters
    ----------
    library, wanted, progress
        As :func:`propose_metric` takes them, or :func:`propose_codes` where a hash method is named.

    Raises
    ------
    TwinlensError
        As these, or if the name is taken.
    """
    if wanted.method:
        proposal = propose_codes(library, wanted, part(progress, 0.0, 0.9))
        if not proposal.result.sure and not wanted.anyway:
            return proposal.result
        index = keep_codes(library, proposal, wanted.name, part(progress, 0.9, 1.0))
        return proposal.result.model_copy(update={"kept_index": index})
    if wanted.name is not None:
        refuse_name(wanted.name.strip())
        with library.store.reading() as r:
            if named_metric(r, wanted.name.strip()) is not None:
                raise TwinlensError(
                    "There is already a metric named “{name}”.", "Choose another name.", name=wanted.name.strip()
                )
    proposal = propose_metric(library, wanted, progress)
    if proposal.metric is None:
        return proposal.result
    kept = keep_metric(library, proposal, wanted.name)
    return proposal.result.model_copy(update={"metric": kept, "threshold": proposal.result.threshold_after})


def free_metric_name(r: Transaction) -> str:
    """Return the first name that no metric has: “Learned 1”, “Learned 2”."""
    taken = {row.name.casefold() for row in r.metrics.all()}
    return next(name for number in range(1, len(taken) + 2) if (name := f"Learned {number}").casefold() not in taken)


def _learned_from(pairs: int) -> Message:
    return counted("From {count} pair.", "From {count} pairs.", pairs)


def _learned(
    wanted: Itml, material: TrainingData, space: LearningSpace, seed: int, progress: Progress
) -> LearnedMetric:
    """Learn from all pairs with the options that some of them chose."""
    x = space.vectors(wanted.rank)
    count = len(x) - len(material.ids)
    others = len(material.ids) + np.random.default_rng(seed).integers(0, max(1, count), (len(material.pairs.rows), 2))
    others = others[others[:, 0] != others[:, 1]] if count else others[:0]
    return space.with_material(wanted.learn(x, with_background(material.pairs, others), progress))


def _threshold(
    measure: Measure | FittedMetric, material: TrainingData, wrong: float, seed: int
) -> LearnedThreshold | None:
    similar = material.pairs.similar
    if min(int(similar.sum()), int((~similar).sum())) < LEAST_OF_EACH:
        return None
    found = threshold(pair_distances(measure, material.table, material.pairs.rows), similar, wrong, seed)
    return LearnedThreshold(
        similarity=float(measure.similarities(np.array([found.distance]))[0]),
        distance=found.distance,
        low=found.low,
        high=found.high,
        wrong=found.wrong,
        kept=found.kept,
    )


def _choice(one: TriedMetric) -> LearnedChoice:
    area = measured_share(one.area)
    return LearnedChoice(
        metric=None if one.metric is None else one.metric.text(),
        area=area.mean,
        low=area.low,
        high=area.high,
        gain=one.gain.mean,
        gain_low=one.gain.low if np.isfinite(one.gain.error) else one.gain.mean,
        gain_high=one.gain.high if np.isfinite(one.gain.error) else one.gain.mean,
    )


def measured_share(one: MeanEstimate) -> MeanAndRange:
    """Return an estimated share with its interval within [0, 1]."""
    known = np.isfinite(one.error)
    return MeanAndRange(
        mean=one.mean, low=max(0.0, one.low) if known else 0.0, high=min(1.0, one.high) if known else 1.0
    )


def _held_out(found: JudgedHeldOut | None, one: TriedMetric) -> LearnedHeldOut:
    if found is None:
        return LearnedHeldOut(area=measured_share(one.area))
    return LearnedHeldOut(
        accuracy=measured_share(found.accuracy),
        area=measured_share(found.area),
        recall=measured_share(found.recall_at_10),
    )


def headline(choice: CrossValidatedChoice, pairs: int, marks: bool) -> Message:
    """Return a sentence about the outcome of learning.

    Parameters
    ----------
    pairs : int
        That it was learned from.
    marks : bool
        Whether they are marks, or pairs of a file.
    """
    if choice.of == 0 and marks:
        return Message("Not enough marks yet: about {more} more would help", more=choice.more)
    if choice.of == 0:
        return Message("Not enough pairs yet: about {more} more would help", more=choice.more)
    learned = (
        counted("Learned from {count} mark", "Learned from {count} marks", pairs)
        if marks
        else counted("Learned from {count} pair", "Learned from {count} pairs", pairs)
    )
    better = Message("better on {better} of {of} held-out pairs", better=choice.better, of=choice.of)
    if choice.metric is not None and choice.better > choice.worse:
        return Message("{learned}: {better}", learned=learned, better=better)
    if choice.metric is not None:
        return Message(
            "{learned}: what is similar comes {earlier:.2f} times as early", learned=learned, earlier=choice.earlier
        )
    if choice.better <= choice.worse:
        return Message(
            "{learned}: not better than before; about {more} more would help", learned=learned, more=choice.more
        )
    return Message(
        "{learned}: {better}, which may be chance; about {more} more would help",
        learned=learned,
        better=better,
        more=choice.more,
    )


def details(
    before: LearnedHeldOut | None, after: LearnedHeldOut | None, contradictions: int, seconds: float
) -> list[Message]:
    """Return the figures of learning, in a few words each.

    Examples
    --------
    >>> one, other = (LearnedHeldOut(accuracy=MeanAndRange(mean=a, low=a - 0.04, high=a + 0.04)) for a in (0.71, 0.86))
    >>> [str(told) for told in details(one, other, 2, 0.81)]
    ['Pair accuracy 71 % → 86 % (± 4)', 'learned in 0.8 s', '2 pairs contradict themselves']
    """
    found: list[Message] = []
    if before is not None and after is not None:
        if before.accuracy is not None and after.accuracy is not None:
            old, new = before.accuracy, after.accuracy
            found.append(
                Message(
                    "Pair accuracy {before:.0%} → {after:.0%} (± {off:.0f})",
                    before=old.mean,
                    after=new.mean,
                    off=100 * _off(new),
                )
            )
        for name, old_one, new_one in (
            (Message("ROC area"), before.area, after.area),
            (Message("recall@10"), before.recall, after.recall),
        ):
            if old_one is not None and new_one is not None:
                found.append(
                    Message(
                        "{name} {before:.2f} → {after:.2f} (± {off:.2f})",
                        name=name,
                        before=old_one.mean,
                        after=new_one.mean,
                        off=_off(new_one),
                    )
                )
    found.append(Message("learned in {seconds:.1f} s", seconds=seconds))
    if contradictions:
        found.append(counted("{count} pair contradicts itself", "{count} pairs contradict themselves", contradictions))
    return found


def _off(one: MeanAndRange) -> float:
    return (one.high - one.low) / 2


@dataclass(frozen=True, eq=False)
class ProposedMetric:
    """A metric, proposed or kept, and the vectors that it measures. Made by :meth:`of`.

    Attributes
    ----------
    name : str
        Under which it is kept; empty where it is not.
    descriptor : Descriptor
        Whose vectors it measures.
    """

    name: str
    fitted: FittedMetric
    descriptor: Descriptor

    @classmethod
    def of(cls, r: Transaction, metric: Proposal | str) -> ProposedMetric:
        """Find a metric: a proposal, or the name of a kept metric.

        Raises
        ------
        TwinlensError
            If nothing was learned, or no metric of that name is kept.
        """
        if isinstance(metric, str):
            row = find_metric(r, metric)
            return cls(row.name, load_metric(r, row.model_id), catalogue.descriptor(row.descriptor))
        if metric.metric is None:
            raise TwinlensError("Nothing was learned yet.", "Mark some more pairs, and learn.")
        return cls("", metric.metric, metric.index.descriptor)

    def check(self, index: IndexMeasure) -> None:
        """Refuse an index of other vectors.

        Raises
        ------
        TwinlensError
            Names both descriptors.
        """
        if self.descriptor != index.descriptor:
            raise TwinlensError(
                "The metric “{name}” measures {descriptor}, but “{name2}” is of {descriptor2}.",
                "Choose an index of the same descriptor.",
                name=self.name,
                descriptor=self.descriptor.text(),
                name2=index.row.name,
                descriptor2=index.descriptor.text(),
            )
