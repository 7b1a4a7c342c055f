"""Tasks on which methods are evaluated, the candidates that are measured on them, and the resulting figures.

Candidates are hash methods, and searchers of other programs (`Peer`). Figures of one candidate, measured with several
seeds, are summed up as means with their deviations.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from twinlens.core.arrays import Int64Rows
from twinlens.core.evaluation.measures import in_order
from twinlens.core.evaluation.truth import Distance
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.message import NOTHING, Message
from twinlens.core.progress import Progress
from twinlens.core.search.search_structure import Search
from twinlens.core.vectors import Vectors

if TYPE_CHECKING:
    from twinlens.core.projections.kernel_components import Spectrum


NEIGHBOURS = 100
"""Number of true neighbours found of a query, and the largest for ``radius``."""

RELEVANT = 50
"""Number of true neighbours that count as found in precision and recall, unless a truth says otherwise."""

RECALLS = (1, 10, 100, 1000)
OVERLAPS = (10, 100)
FOUND = (1, 10)
RECALL_CURVE = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)


@dataclass(frozen=True, eq=False)
class EvaluationTask:
    """A task on which methods are evaluated.

    Attributes
    ----------
    base : ndarray, (n, d)
        Or a sparse table in rows, for encoders that take one.
    queries : ndarray, (q, d)
        Likewise.
    neighbours : ndarray of int64, (q, k)
        The true nearest of each query, in order.
    relevant : sequence of ndarray of int64
        For each query what counts as found in precision, recall and average precision: neighbours within a radius, or
        the items of its label. A query without any is left out of these.
    distance : Distance
        By which candidates are ranked.
    own : ndarray of int64, (q,), optional
        Row of each query in the base, -1 where it is not there.
    labels, query_labels : ndarray of int64, (n,) and (q,), optional
        For the accuracy of k-NN.
    k : int
        Neighbours that vote.
    nearest : sequence of ndarray of int64, optional
        For recall@R, where several items may be the nearest: all that are equally near; None for the first neighbour.
    any_nearest : bool
        Whether one of these is enough, since they are equally near.
    candidates : int
        How many are sorted again for the average precision of candidates; 0 leaves it out.
    retrieved : int
        How many nearest a search is asked for; fewer let bounds spare more, and leave out what needs more.
    relevance_given : bool
        Whether labels or the data say what is relevant, and not a distance.
    any_right : bool
        Whether one relevant item is enough, as of identical files.
    """

    base: Vectors
    queries: Vectors
    neighbours: Int64Rows
    relevant: Sequence[Int64Rows]
    distance: Distance
    own: npt.NDArray[np.int64] | None = None
    labels: npt.NDArray[np.int64] | None = None
    query_labels: npt.NDArray[np.int64] | None = None
    k: int = 1
    nearest: Sequence[Int64Rows] | None = None
    any_nearest: bool = True
    candidates: int = 0
    retrieved: int = max(OVERLAPS)
    relevance_given: bool = False
    any_right: bool = False

    @property
    def supervision(self) -> Supervision | None:
        """The labels of the base without its queries, which must not teach; None without labels."""
        if self.labels is None:
            return None
        return Supervision.of_labels(self.labels, None if self.own is None else self.own[self.own >= 0])


@dataclass
class Figures:
    """The figures of one method on a task.

    Attributes
    ----------
    values : dict of str to float
        By the keys of :data:`twinlens.core.evaluation.measures.MEASURES`; what was not measured is not there. recall@R,
        ``map`` and ``map_candidates`` are of the ranking by codes; overlap@k, found@R, precision@R, ``wrong`` and
        ``accuracy`` of what the search found and ranked exactly. Seconds of queries, ``looked_at``, ``scanned`` and
        ``probed`` are per query.
    recall_curve : list of (int, float)
        R and recall@R, at more R.
    curve : list of (float, float)
        Recall and precision within each Hamming radius.
    precision_at : list of (float, float)
        Recall, and the precision down to where it is reached, the mean over queries.
    spectrum : Spectrum or None
        Of what was learned, where it has one.
    """

    values: dict[str, float] = field(default_factory=dict)
    recall_curve: list[tuple[int, float]] = field(default_factory=list)
    curve: list[tuple[float, float]] = field(default_factory=list)
    precision_at: list[tuple[float, float]] = field(default_factory=list)
    spectrum: Spectrum | None = None
    note: Message = NOTHING


def fitted_note(fitted: object) -> Message:
    """Return the note of something fitted; empty without one."""
    note: Message = getattr(fitted, "note", NOTHING)
    return note


class Peer(Protocol):
    """A quantizer, or a searcher of another program: it ranks in its own way, measured on the tasks of hash methods."""

    @property
    def key(self) -> str:
        """Name of its family."""

    @property
    def bits(self) -> int:
        """Bits kept of each item; 0 where that is known only when it is built."""

    def text(self) -> str:
        """Return its text form."""

    def identity(self) -> str:
        """Return the identity, with the versions that the results depend on."""

    def changed(self, *, seed: int) -> Peer:
        """Return the peer with another seed."""

    def measured(self, searches: Sequence[Search], task: EvaluationTask, progress: Progress) -> Iterator[Figures]:
        """Build it on the base, and yield its figures with as many candidates as each search structure ranks."""


Candidate = HashMethod | Peer
Curve = list[tuple[float, float]]


@dataclass(frozen=True, eq=False)
class Measurement:
    """The measures of one candidate, over its seeds.

    Attributes
    ----------
    values : dict of str to float
        Means, by the keys of :data:`twinlens.core.evaluation.measures.MEASURES`; sizes are those of the first seed, and
        ``chance`` is precision by chance, the share of right items.
    spread : dict of str to float
        Standard deviations of those that differ from seed to seed, by key; empty for one seed.
    recall_curve, precision_at : list of (float, float)
        As of :class:`Figures`.
    recall_spread, precision_spread : list of float
        Standard deviations at each of their points, 0 for one seed.
    note : Message
        That of the first seed.
    """

    values: dict[str, float]
    spread: dict[str, float]
    recall_curve: Curve
    recall_spread: list[float]
    precision_at: Curve
    precision_spread: list[float]
    note: Message


def summed(runs: Sequence[Figures]) -> Measurement:
    """Sum up the figures of one candidate, measured with several seeds.

    Examples
    --------
    >>> found = summed([Figures({"recall@10": 0.5, "map": 0.25}), Figures({"recall@10": 1.0, "map": 0.75})])
    >>> found.values["recall@10"], found.values["map"], round(found.spread["recall@10"], 3)
    (0.75, 0.5, 0.354)
    """
    first, every = runs[0], [run.values for run in runs]
    keys = in_order(key for key in first.values if all(key in one for one in every))
    values = {key: statistics.fmean(one[key] for one in every) for key in keys}
    drawn = [key for key in keys if key != "pairs" and not key.startswith("bytes ")] if len(every) > 1 else []
    spread = {key: statistics.stdev(one[key] for one in every) for key in drawn}
    values |= {key: size for key, size in first.values.items() if key.startswith("bytes ")}
    values["seconds query"] = values.get("seconds encode_query", 0.0) + values.get("seconds search", 0.0)
    if all(run.curve for run in runs):
        values["chance"] = statistics.fmean(run.curve[-1][1] for run in runs)
    curves = (*_mean_curve([run.recall_curve for run in runs]), *_mean_curve([run.precision_at for run in runs]))
    return Measurement(values, spread, *curves, first.note)


def _mean_curve(curves: Sequence[Sequence[tuple[float, float]]]) -> tuple[Curve, list[float]]:
    """Return the mean of curves over the same x and their standard deviation; both empty if a run has no curve."""
    if not all(curves):
        return [], []
    x = [at for at, _ in curves[0]]
    y = np.array([[value for _, value in curve] for curve in curves])
    spread = y.std(axis=0, ddof=1) if len(y) > 1 else np.zeros(y.shape[1])
    return list(zip(x, y.mean(axis=0).tolist(), strict=True)), spread.tolist()
