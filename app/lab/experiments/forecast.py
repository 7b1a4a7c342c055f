"""What a plan is before it is run: its steps, its data, and about how long it takes."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from app.bench.experiment import Experiment, from_toml
from app.bench.tables import DRAWN
from app.evaluate.evaluation import PHOTOGRAPHS, chosen_edits
from app.indexes.index_measure import index_measure
from app.lab.experiments.runner import planned
from app.lab.experiments.tables import LEAST
from app.library.library import Library
from app.methods import catalogue
from core.errors import TwinlensError
from core.hash_method import HashMethod
from core.message import Message
from core.tuning.costs import Costs, Stage
from storage.transaction import Transaction

_START = 1.5  # seconds: a process starts, loads the vectors and the compiled loops
_STEP = 0.1  # of any step, beside what follows, as measured on two cores
_PAIR = 1e-8  # a photograph and a query: ranked, judged
_TERM = 2.5e-10  # a photograph, a query or landmark, and a dimension: measured exactly
_LANDMARK = 1.2e-9  # by its third power: learned
_EDITED = 0.12  # a copy is made and described


@dataclass(frozen=True)
class Reckoning:
    """What a plan is.

    Attributes
    ----------
    plan : Experiment
        Complete, its sweeps written out.
    steps : int
        One for each method, search structure and seed.
    photographs : int
        0 where the plan is of vectors of a file.
    dimensions : int
    queries : int
        At most.
    seconds : float
        That it takes, about; what is measured already may make it less.
    """

    plan: Experiment
    steps: int
    photographs: int
    dimensions: int
    queries: int
    seconds: float


def reckon(library: Library, experiment: Experiment) -> Reckoning:
    """Say what a plan is, and refuse what cannot be run while it is still easily changed.

    Raises
    ------
    TwinlensError
        If something in it has no meaning, or cannot be of these photographs.
    """
    plan, methods, searches = planned(experiment)
    steps = len(methods) * len(searches) * len(plan.seeds)
    with library.store.reading() as r:
        if not plan.index:
            return Reckoning(plan, steps, 0, 0, plan.query_count, 0.0)
        measured = index_measure(r, plan.index)
        count, dimensions = len(r.descriptors.ids(measured.kind)), measured.descriptor.dimensions
        if count < LEAST:
            raise TwinlensError(
                Message(
                    "The index “{index}” has {count} photographs, too few to compare.", index=plan.index, count=count
                ),
                Message("Add photographs first."),
            )
        if not plan.metric:
            for method in methods:
                method.check(dimensions, measured.descriptor.matrix_shape)
        costs = _known(r)
    edits = len(chosen_edits(plan.edits)) if plan.truth == "edits" else 0
    asked = min(count, plan.query_count or (PHOTOGRAPHS if edits else DRAWN))
    queries = asked * max(1, edits)
    seconds = _START + queries * _EDITED * bool(edits) + count * queries * dimensions * _TERM
    for method in methods:
        known = costs.estimate(method, Stage(count, (), 1.0))
        each = known or _usual(method, count, queries, dimensions)
        seconds += each * len(plan.seeds) * (1 + (len(searches) - 1) / 4)
    return Reckoning(plan, steps, count, dimensions, queries, seconds)


def _usual(method: HashMethod, count: int, queries: int, dimensions: int) -> float:
    """Return the seconds of a step of a method that was never measured here, on two cores."""
    landmarks = min(int(getattr(method, "landmarks", 0)), count)
    learned = _LANDMARK * landmarks**3 + _TERM * 8 * count * landmarks * dimensions
    rotated = 1e-9 * int(getattr(method, "iterations", 0)) * min(count, 20_000) * method.bits**2 / 8
    return (_STEP + _PAIR * count * queries + learned + rotated) * 2 / max(1, min(os.cpu_count() or 1, 2))


def _known(r: Transaction) -> Costs:
    """Gather what steps took that this library keeps, by what they were of."""
    costs = Costs()
    for row in r.lab.all():
        plan = from_toml(row.plan, Path())
        steps = r.lab.steps(row.steps)
        declared = [method for method in plan.methods for _ in plan.search for _ in plan.seeds]
        if len(declared) != len(row.steps):
            continue
        for text, key in zip(declared, row.steps, strict=True):
            if key in steps:
                count = int(json.loads(steps[key].data)["data"]["n"])
                costs.add(catalogue.method(text), Stage(count, (), 1.0), steps[key].seconds)
    return costs
