"""Measurement of hash methods on any vectors, without a library."""

from __future__ import annotations

from app.bench.curves import curves_of
from app.bench.experiment import Experiment
from app.bench.partitions import PartitionsPlan
from app.bench.plan import measurable, written_out
from app.bench.results import BenchData, BenchResult
from app.bench.rows import rows_of
from app.bench.tables import load_tables
from app.bench.votes import partitions_of
from core.evaluation.engine import measure_plan
from core.evaluation.steps import StepMemory
from core.evaluation.tables import Tables
from core.evaluation.timing import Timing
from core.progress import Progress, silent


def bench(
    experiment: Experiment, progress: Progress = silent, curves: bool = False, tables: Tables | None = None
) -> BenchResult:
    """Run an experiment.

    Parameters
    ----------
    experiment : Experiment
    progress : Progress
        Receives spent and total seconds, 0 while the total is unknown.
    curves : bool
        Whether to return curves, also over the rank of kernel methods.
    tables : Tables, optional
        The data, instead of the experiment's files.

    Raises
    ------
    TwinlensError
        If a file cannot be read, a declaration has no meaning, the numbers of rows or dimensions do not fit, or a
        method cannot learn from these vectors.
    Cancelled
        If progress says so.
    """
    experiment = written_out(experiment)
    plan = measurable(experiment, load_tables(experiment) if tables is None else tables, spectrum=curves)
    measured = measure_plan(plan, StepMemory(), Timing(progress))
    data = BenchData(**vars(measured[plan.steps[0].key].facts))
    if isinstance(plan, PartitionsPlan):
        return BenchResult(data=data, results=[], partitions=partitions_of(plan, measured))
    rows = list(rows_of(experiment, [step.key for step in plan.steps], measured))
    drawn = (
        []
        if not curves
        else [
            curve
            for row in rows[:: len(experiment.search)]
            for curve in curves_of(row.result.method, experiment.seeds, [step.figures for step in row.steps])
        ]
    )
    return BenchResult(data=data, results=[row.result for row in rows], curves=drawn)
