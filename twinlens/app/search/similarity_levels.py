"""The distance up to which about a stated share of results is wrong, and the limits of similarity levels, from marks.

A result as near as a pair of photographs that is similar four times of five is called very similar, every other time
similar.

Both depend on the marks and on the measure of an index alone, and are kept in the library's settings until one of them
changes. Under a metric that was learned from pairs, each mark is measured by a metric of the same declaration learned
from other marks, since a metric brings the pairs nearer that it was learned from.
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import astuple
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from twinlens.app.indexes.loaded_index import IndexMeasure, LoadedIndex, index_measure
from twinlens.app.indexes.standard_indexes import BEST, OLDER
from twinlens.app.library.library import Library
from twinlens.app.library.saved_state import THRESHOLDS, keep_thresholds
from twinlens.app.methods import catalogue
from twinlens.app.search.search_options import WRONG
from twinlens.app.search.search_results import (
    ConfidenceThreshold,
    SimilarityLevels,
)
from twinlens.app.search.search_space import Moment
from twinlens.core.arrays import BoolMask, Float64Matrix
from twinlens.core.errors import TwinlensError
from twinlens.core.exact_search.measure import Measure
from twinlens.core.learning.metric_judgement import LEAST_OF_EACH, Threshold, pair_distances, threshold
from twinlens.core.message import Message
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.progress import Progress, silent
from twinlens.storage.library.store import Transaction

if TYPE_CHECKING:
    from twinlens.app.marks.marked_pairs import MarkedPairs


NO_THRESHOLD = Message(
    "There are too few marks to say which results are certain. Mark at least {count} similar and {count} different "
    "pairs.",
    count=LEAST_OF_EACH,
)
_WORDS = 20
"""Marks of each kind that the limits of the words need.

Of marks among the first 20 results for demo photographs, so many put the limits between 0.29 and 0.39, and 0.25 and
0.30, in 80 of 100 draws; 80 of each between 0.32 and 0.37, and 0.26 and 0.28.
"""

_UNLIKE = 1e-6  # however far the marks go: a similarity of 0 may be any distance
_FOLDS = 4
_BACKGROUND = 500  # photographs beside the marked ones from which the bounds of a metric are found
_VERSION = 2  # raised when the same marks would give another distance
Measured = IndexMeasure | LoadedIndex


def confidence_threshold(
    library: Library, index: str, wrong: float = WRONG, progress: Progress = silent
) -> ConfidenceThreshold | None:
    """Return the distance of an index up to which about a share of results is wrong, and keep it.

    Parameters
    ----------
    index : str
        Its name.
    wrong : float
        In (0, 0.5].

    Returns
    -------
    ConfidenceThreshold or None
        None if this index can measure too few marks of either kind.

    Raises
    ------
    TwinlensError
        If there is no such index, or the share is outside its limits.
    """
    known = ConfidenceThresholds(library)
    with library.store.reading() as r:
        found = known.find(Moment(r), index_measure(r, index), wrong, progress=progress)
    known.keep()
    return found


class ConfidenceThresholds:
    """Finds these distances and keeps them between searches; safe to use from several threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._known: dict[str, ConfidenceThreshold | None] = {}
        self._new: dict[str, list[float]] = {}
        self._keys: dict[tuple[int, int, float], str] = {}

    def find(
        self,
        moment: Moment,
        index: Measured,
        wrong: float = WRONG,
        patient: bool = True,
        progress: Progress = silent,
    ) -> ConfidenceThreshold | None:
        """Return the distance of an index.

        Parameters
        ----------
        moment : Moment
            While its version stays the same, marks are not read again.
        patient : bool
            If False, return None where metrics would have to be learned first, which takes seconds.
        """
        if not 0 < wrong <= 0.5:
            raise TwinlensError(
                "The share of wrong results cannot be {wrong:g}.", "Choose a share above 0 and up to 0.5.", wrong=wrong
            )
        r, version = moment.r, moment.version
        total, similar = r.marks.counts()
        if min(similar, total - similar) < LEAST_OF_EACH:
            return None
        request = None if version is None else (version, index.row.id, wrong)
        with self._lock:
            key = None if request is None else self._keys.get(request)
            if key is not None and key in self._known:
                return self._known[key]
        from twinlens.app.marks.marked_pairs import pairs_for  # here, since most libraries have too few marks

        pairs = pairs_for(r, index.kind)
        key = _key(index, pairs, wrong)
        with self._lock:
            if request is not None:
                self._keys = {own: one for own, one in self._keys.items() if own[0] == version} | {request: key}
            if key in self._known:
                return self._known[key]
        kept = dict(r.settings.get(THRESHOLDS, [])).get(key)
        declaration = None if kept is not None else _learned_by(r, index)
        if kept is None and declaration is not None and not patient:
            return None
        if kept is not None:
            found: Threshold | None = Threshold(*kept)
        else:
            judged = _judged(r, index, pairs, declaration, progress)
            found = None if judged is None else threshold(*judged, wrong)
        result = None if found is None else _threshold(index, found, pairs)
        with self._lock:
            self._known[key] = result
            if kept is None and found is not None:
                self._new[key] = list(astuple(found))
        return result

    def keep(self) -> None:
        """Keep new distances in the library; outside of any transaction."""
        with self._lock:
            new, self._new = self._new, {}
        if new:
            keep_thresholds(self._library, new)


def _key(index: Measured, pairs: MarkedPairs, wrong: float) -> str:
    """Return a digest of everything that the distance depends on."""
    row = index.row
    text = repr((_VERSION, index.kind.id, row.metric_model_id, row.metric_id, _measure_text(index), wrong))
    digest = hashlib.sha256(text.encode())
    for array in (pairs.ids, pairs.rows, pairs.similar):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:32]


def _measure_text(index: Measured) -> str:
    """Return the text of the measure; of a metric that is fitted with the index, its model."""
    return index.measure.kernel.text() if isinstance(index.measure, Measure) else str(index.row.model_id)


def _learned_by(r: Transaction, index: Measured) -> str | None:
    """Return the declaration of the index's metric, if it was learned from pairs."""
    if index.row.metric_id is None:
        return None
    declaration = r.metrics.by_id(index.row.metric_id).declaration
    return declaration if declaration is not None and catalogue.metric(declaration).needs_marks else None


def _judged(
    r: Transaction, index: Measured, pairs: MarkedPairs, declaration: str | None, progress: Progress
) -> tuple[Float64Matrix, BoolMask] | None:
    """Return the distance of each pair of vectors that are not zero, and whether it is similar; None if too few."""
    vectors, present = r.descriptors.read(index.kind, pairs.ids)
    x = vectors.astype(np.float32)
    has_vector = np.asarray(present & x.any(axis=1), bool)
    both = has_vector[pairs.rows].all(axis=1)
    rows, similar = pairs.rows[both], pairs.similar[both]
    if min(int(similar.sum()), int((~similar).sum())) < LEAST_OF_EACH:
        return None
    if declaration is None:
        return pair_distances(index.measure, x, rows), similar
    rng = np.random.default_rng(0)
    others = np.setdiff1d(r.descriptors.ids(index.kind), pairs.ids, assume_unique=True)
    drawn = np.sort(rng.choice(others, min(_BACKGROUND, len(others)), replace=False))
    table = np.concatenate([x, r.descriptors.read(index.kind, drawn)[0].astype(np.float32)])
    distances, judged = _held_out(table, MetricPairs(rows, similar), declaration, rng, progress)
    if min(int(similar[judged].sum()), int((~similar[judged]).sum())) < LEAST_OF_EACH:
        return None
    return distances[judged], similar[judged]


def _held_out(
    table: npt.NDArray[np.float32], pairs: MetricPairs, declaration: str, rng: np.random.Generator, progress: Progress
) -> tuple[Float64Matrix, BoolMask]:
    """Measure each pair by a metric learned from other pairs, if possible from pairs without its photographs.

    Parameters
    ----------
    table : ndarray of float32, (n, d)
        The vectors of the pairs, and of others beside them.
    declaration : str
        Of the metric.

    Returns
    -------
    distances : ndarray of float64, (p,)
    judged : ndarray of bool, (p,)
        False for pairs without others to learn from.
    """
    declared = catalogue.metric(declaration)
    fold = rng.permutation(len(pairs.rows)) % _FOLDS
    distances, judged = np.zeros(len(pairs.rows)), np.zeros(len(pairs.rows), bool)
    for number in range(_FOLDS):
        progress(number, _FOLDS, Message("Learning the threshold"))
        out = fold == number
        apart = ~np.isin(pairs.rows, pairs.rows[out]).any(axis=1)
        learned = apart if apart.sum() >= len(pairs.rows) / 2 else ~out
        if pairs.similar[learned].all() or not pairs.similar[learned].any():
            continue
        metric = declared.fit(table, MetricPairs(pairs.rows[learned], pairs.similar[learned]))
        distances[out] = pair_distances(metric, table, pairs.rows[out])
        judged |= out
    return distances, judged


def _threshold(index: Measured, found: Threshold, pairs: MarkedPairs) -> ConfidenceThreshold:
    return ConfidenceThreshold(
        wrong=found.wrong,
        wrong_low=found.wrong_low,
        wrong_high=found.wrong_high,
        distance=found.distance,
        low=found.low,
        high=found.high,
        similarity=float(index.measure.similarities(np.array([found.distance]))[0]),
        kept=found.kept,
        marks=len(pairs.rows),
        likeness=_levels_by_marks(index, found, pairs),
    )


def _levels_by_marks(index: Measured, found: Threshold, pairs: MarkedPairs) -> SimilarityLevels | None:
    """Return the limits of the words; None where marks are few, or do not determine them."""
    similar = int(pairs.similar.sum())
    if min(similar, len(pairs.rows) - similar) < _WORDS or found.likely == 0:
        return None
    limits = index.measure.similarities(np.array([found.likely, found.even]))
    very, some = (round(max(float(limit), _UNLIKE), 6) for limit in limits)  # as results are rounded
    return SimilarityLevels(very_similar=very, similar=some)


_LIMITS = SimilarityLevels(very_similar=0.32, similar=0.26)


def similarity_levels(index: LoadedIndex) -> SimilarityLevels | None:
    """Return the shipped limits of an index; None where its similarities mean something else."""
    row = index.row
    learned = row.metric is not None or row.metric_id is not None
    # Only a fusion can be one of these, which take a while to read.
    best = index.descriptor.key == "fusion" and index.descriptor in map(catalogue.descriptor, (BEST, *OLDER))
    return _LIMITS if best and not learned else None
