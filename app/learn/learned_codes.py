"""Learning of bits from marks by a supervised hash method, kept as an index where they are better than without."""

from __future__ import annotations

import time

from app.indexes.indexes import create_index
from app.indexes.loaded_index import index_measure
from app.indexes.new_index import NewIndex
from app.learn.learn_results import LearnResult
from app.learn.learning import judged_choice
from app.learn.learning_settings import LearningSettings
from app.learn.training_data import TrainingData
from app.library.library import Library
from app.methods import catalogue
from core.errors import TwinlensError
from core.hashing.hash_method import SupervisedMethod
from core.learning.code_choice import cross_validate_codes
from core.methods import METHODS
from core.progress import Progress, part, silent


def learn_codes(library: Library, wanted: LearningSettings, progress: Progress = silent) -> LearnResult:
    """Judge a supervised method by photographs that it has not seen, and keep an index of it if it is better.

    Raises
    ------
    TwinlensError
        If the method does not learn from marks, there is no such index, there are no marks or no pair can be learned
        from, or the name is taken.
    """
    method = supervised_method(wanted.method)
    if wanted.named is not None:
        raise TwinlensError(
            "An index learns its bits from the marks of the library, not from a file.",
            "Import the file with `twinlens marks import`, or learn a metric.",
        )
    started = time.perf_counter()
    with library.store.reading() as r:
        measured = index_measure(r, wanted.index)
        material = TrainingData.of(library, r, measured, None, wanted.seed)
    method.check(material.table.shape[1], measured.descriptor.matrix_shape)
    choice = cross_validate_codes(
        material.x, material.pairs, material.background, method, wanted.seed, part(progress, 0.0, 0.9)
    )
    result = judged_choice(choice, material, measured, time.perf_counter() - started)
    tried = [result.tried[0].model_copy(update={"metric": method.untaught.text()}), *result.tried[1:]]
    result = result.model_copy(update={"tried": tried, "learned_by": method.text()})
    if choice.metric is None and not wanted.anyway:
        return result
    made = create_index(
        library,
        NewIndex(descriptor=measured.descriptor.text(), method=method.text(), name=wanted.name),
        part(progress, 0.9, 1.0),
    )
    return result.model_copy(update={"kept_index": made.name})


def supervised_method(text: str) -> SupervisedMethod:
    """Read a method that learns from marks.

    Raises
    ------
    TwinlensError
        If it is none; names those that there are.
    """
    method = catalogue.method(text)
    if not isinstance(method, SupervisedMethod) or method.labels != "marks":
        raise TwinlensError(
            "{method} does not learn from marks.",
            "Choose one of {those}.",
            method=method.text(),
            those=[one.key for one in METHODS if one.supervised],
        )
    return method
