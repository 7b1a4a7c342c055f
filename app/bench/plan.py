"""Plan of an experiment: its declarations, data and metric, ready to be measured."""

from __future__ import annotations

from typing import Any, Protocol

from app.bench.candidates import candidate_of
from app.bench.experiment import Experiment, is_file_of_metric
from app.bench.metric import bench_metric
from app.bench.pairs import pairs_of_file, pairs_of_labels
from app.bench.partitions import PartitionsPlan, split_partitions
from app.bench.tables import file_digest
from app.methods import catalogue
from core.errors import TwinlensError
from core.evaluation.candidates import Candidate
from core.evaluation.engine import MeasurablePlan
from core.evaluation.named_distance import SEED
from core.evaluation.plan import AnyMetric, MeasurementPlan, NamedMetric
from core.evaluation.tables import Tables
from core.hashing.hash_method import HashMethod
from core.kernels.kernel import Kernel
from core.message import Message
from core.metrics.metric import MetricPairs
from core.progress import Progress

MAP_PROTOCOLS = ("ranking", "candidates")


def written_out(experiment: Experiment) -> Experiment:
    """Return an experiment with its partitions, sweeps and bits written out, each declaration once.

    Raises
    ------
    TwinlensError
        If a declaration is wrong, or no seed is named.
    """
    bits = experiment.bits
    experiment = split_partitions(experiment).changed(bits=()).complete()
    methods = declared(experiment)
    if bits:
        methods = [one.changed(bits=count) if isinstance(one, HashMethod) else one for one in methods for count in bits]
    searches = [catalogue.search_structure(text) for text in experiment.search]
    if not experiment.seeds:
        raise TwinlensError(Message("No seeds are named."), Message("Name a seed, such as 0."))
    if experiment.map_protocol not in MAP_PROTOCOLS:
        raise TwinlensError(
            Message(
                "Unknown mAP protocol “{map_protocol}”. Choose one of: {map_protocols}.",
                map_protocol=experiment.map_protocol,
                map_protocols=", ".join(MAP_PROTOCOLS),
            ),
            Message("Check map_protocol."),
        )
    return experiment.changed(
        methods=tuple(dict.fromkeys(one.text() for one in methods)),
        search=tuple(dict.fromkeys(one.text() for one in searches)),
        seeds=tuple(dict.fromkeys(experiment.seeds)),
    )


def declared(experiment: Experiment) -> list[Candidate]:
    """Return the methods and peers of an experiment without sweeps."""
    return [candidate_of(text) for text in experiment.methods]


class PlanOnTables(MeasurablePlan[Any], Protocol):
    """A plan on the data of an experiment."""

    @property
    def tables(self) -> Tables:
        """The data."""


def measurable(experiment: Experiment, tables: Tables, spectrum: bool = False) -> PlanOnTables:
    """Return the plan of an experiment that is written out, over partitions or as :func:`plan_of`."""
    return PartitionsPlan(experiment, tables) if experiment.partitions else plan_of(experiment, tables, spectrum)


def plan_of(experiment: Experiment, tables: Tables, spectrum: bool = False) -> MeasurementPlan:
    """Return the plan of an experiment that is written out, with its data, and whether eigenvalues are wanted.

    Raises
    ------
    TwinlensError
        If a declaration or a file is wrong.
    """
    return MeasurementPlan(
        tables=tables,
        candidates=declared(experiment),
        searches=[catalogue.search_structure(text) for text in experiment.search],
        seeds=experiment.seeds,
        truth=experiment.truth,
        k=experiment.k,
        neighbours=experiment.neighbours,
        resorted=experiment.map_protocol == "candidates",
        metric=_metric(experiment, tables),
        spectrum=spectrum,
    )


def _metric(experiment: Experiment, tables: Tables) -> NamedMetric:
    def pairs() -> MetricPairs | None:
        if experiment.pairs:
            return pairs_of_file(experiment.pairs, tables.base.shape[0])
        if not experiment.marks or tables.labels is None:
            return None
        return pairs_of_labels(tables.labels, experiment.marks[0], tables.own, SEED)

    def fit(kernel: Kernel | None, progress: Progress) -> AnyMetric | None:
        return bench_metric(experiment.metric, tables.base, progress, pairs, kernel)

    known = experiment.metric
    if tables.metric is not None:
        known = tables.metric.pack().digest().hex()
    elif is_file_of_metric(known):
        known = file_digest(known)
    return NamedMetric(experiment.metric, known, file_digest(experiment.pairs) or experiment.marks, fit)
