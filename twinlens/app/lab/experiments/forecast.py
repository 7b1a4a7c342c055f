"""Forecast of a plan: how many steps it has, on how much data, and how long it takes."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from twinlens.app.bench.bench import candidate_of, declared, written_out
from twinlens.app.bench.experiment import Experiment, from_toml
from twinlens.app.bench.partitions import most_steps
from twinlens.app.evaluate.evaluation import PHOTOGRAPHS, chosen_edits
from twinlens.app.indexes.loaded_index import index_measure
from twinlens.app.lab.experiments.runner import LEAST
from twinlens.app.library.library import Library
from twinlens.core.errors import Remedy, TwinlensError
from twinlens.core.evaluation.evaluation_task import Candidate
from twinlens.core.evaluation.tables import DRAWN
from twinlens.core.hashing.hash_method import HashMethod
from twinlens.core.message import counted
from twinlens.core.tuning.attempts import TrialCosts, TuningStage
from twinlens.storage.library.store import Transaction

_START = 1.5  # seconds: a process starts, loads the vectors and the compiled loops
_STEP = 0.1  # of any step, beside what follows, as measured on two cores
_PAIR = 1e-8  # a photograph and a query: ranked, judged
_TERM = 2.5e-10  # a photograph, a query or landmark, and a dimension: measured exactly
_LANDMARK = 1.2e-9  # by its third power: learned
_EDITED = 0.12  # a copy is made and described


@dataclass(frozen=True)
class Forecast:
    """Forecast of a plan.

    Attributes
    ----------
    plan : Experiment
        Complete, with sweeps written out.
    steps : int
        One for each method, search structure and seed.
    photographs : int
        0 for vectors of a file.
    queries : int
        Most queries.
    seconds : float
        Estimated time; less if steps are measured already.
    """

    plan: Experiment
    steps: int
    photographs: int
    dimensions: int
    queries: int
    seconds: float


def forecast_plan(library: Library, experiment: Experiment) -> Forecast:
    """Return the forecast of a plan, or refuse a plan that cannot be run.

    Raises
    ------
    TwinlensError
        If a declaration is wrong, or does not fit these photographs.
    """
    plan = written_out(experiment)
    if plan.partitions:
        return Forecast(plan, most_steps(plan), 0, 0, 0, 0.0)
    methods, searches = declared(plan), plan.search
    steps = len(methods) * len(searches) * len(plan.seeds)
    with library.store.reading() as r:
        if not plan.index:
            return Forecast(plan, steps, 0, 0, plan.query_count, 0.0)
        measured = index_measure(r, plan.index)
        count, dimensions = len(r.descriptors.ids(measured.kind)), measured.descriptor.dimensions
        if count < LEAST:
            raise TwinlensError(
                counted(
                    "The index “{index}” has {count} photo, too few to compare.",
                    "The index “{index}” has {count} photos, too few to compare.",
                    count,
                    index=plan.index,
                ),
                Remedy("add folder"),
            )
        if not plan.metric:
            for method in methods:
                if isinstance(method, HashMethod):
                    method.check(dimensions, measured.descriptor.matrix_shape)
        costs = _known(r)
    edits = len(chosen_edits(plan.edits)) if plan.truth == "edits" else 0
    drawn = min(count, plan.query_count or (PHOTOGRAPHS if edits else DRAWN))
    queries = drawn * max(1, edits)
    seconds = _START + queries * _EDITED * bool(edits) + count * queries * dimensions * _TERM
    for method in methods:
        known = costs.estimate(method, TuningStage(count, (), 1.0))
        each = known or _usual(method, count, queries, dimensions)
        seconds += each * len(plan.seeds) * (1 + (len(searches) - 1) / 4)
    return Forecast(plan, steps, count, dimensions, queries, seconds)


def _usual(method: Candidate, count: int, queries: int, dimensions: int) -> float:
    """Return the estimated seconds of a step of a method never measured in this library."""
    landmarks = min(int(getattr(method, "landmarks", 0)), count)
    learned = _LANDMARK * landmarks**3 + _TERM * 8 * count * landmarks * dimensions
    rotated = 1e-9 * int(getattr(method, "iterations", 0)) * min(count, 20_000) * method.bits**2 / 8
    return (_STEP + _PAIR * count * queries + learned + rotated) * 2 / max(1, min(os.cpu_count() or 1, 2))


def _known(r: Transaction) -> TrialCosts:
    """Return the times of the steps that the library has measured."""
    costs = TrialCosts()
    for row in r.lab.all():
        plan = from_toml(row.plan, Path())
        steps = r.lab.steps(row.steps)
        declared = [method for method in plan.methods for _ in plan.search for _ in plan.seeds]
        if plan.partitions or len(declared) != len(row.steps):
            continue
        for text, key in zip(declared, row.steps, strict=True):
            if key in steps:
                count = int(json.loads(steps[key].data)["data"]["n"])
                costs.add(candidate_of(text), TuningStage(count, (), 1.0), steps[key].seconds)
    return costs
