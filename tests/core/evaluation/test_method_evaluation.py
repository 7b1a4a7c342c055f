"""Figures of a method, beside the plain ones."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from twinlens.app.methods import catalogue
from twinlens.core.errors import Cancelled
from twinlens.core.evaluation.evaluation_task import EvaluationTask
from twinlens.core.evaluation.measurement import Timing
from twinlens.core.evaluation.measures import by_count
from twinlens.core.evaluation.method_evaluation import evaluate_method
from twinlens.core.evaluation.plan import CodeStep
from twinlens.core.evaluation.truth import Euclidean, KernelDistance, true_neighbours
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.message import NOTHING, Message
from twinlens.core.methods.itq import Itq
from twinlens.core.methods.lsh import Lsh
from twinlens.core.search.linear_scan import Exact, Scan


def task(k: int = 3) -> EvaluationTask:
    rng = np.random.default_rng(0)
    middles = rng.standard_normal((20, 16))
    labels = rng.integers(0, 20, 600)
    x = (middles[labels] + 0.3 * rng.standard_normal((600, 16))).astype(np.float32)
    own = np.arange(0, 600, 20)
    found = true_neighbours(Euclidean(), x, x[own], 100, own)
    relevant = [rows[:25] for rows in found.rows]
    return EvaluationTask(x, x[own], found.rows, relevant, Euclidean(), own, labels, labels[own], k)


def test_figures_are_the_plain_ones() -> None:
    given = task()
    method = Lsh(bits=20)
    figures = evaluate_method(method, Scan(), given)
    bits = method.fit(given.base).project(given.base) >= 0
    assert given.own is not None
    recalls, precisions = [], []
    for number, row in enumerate(given.own):
        far = (bits != bits[row]).sum(axis=1).astype(float)
        far[row] = np.inf
        true = given.neighbours[number, 0]
        nearer, tied = (far < far[true]).sum(), (far == far[true]).sum()
        recalls.append(np.clip((10 - nearer) / tied, 0, 1))
        within = far <= 2
        precisions.append(np.isin(given.relevant[number], np.flatnonzero(within)).sum() / max(within.sum(), 1))
        if not within.any():
            precisions[-1] = 1.0
    assert figures.values["recall@10"] == pytest.approx(np.mean(recalls))
    assert figures.curve[2][1] == pytest.approx(np.mean(precisions))
    assert figures.curve[-1][0] == pytest.approx(1.0)
    assert figures.values["looked_at"] == 599  # every candidate of so small a base, but for the query
    assert by_count(figures.values, "overlap@") == {"10": 1.0, "100": 1.0}
    assert figures.values["accuracy"] > 0.9
    assert figures.values["bytes codes"] == 600 * 3
    assert set(by_count(figures.values, "seconds ")) == {"fit", "encode", "build", "encode_query", "search"}


def test_more_bits_and_learned_ones_rank_better() -> None:
    given = task()
    some = (Lsh(bits=8), Lsh(bits=128), Itq(bits=16))
    found = {one.text(): evaluate_method(one, Scan(), given).values["map"] for one in some}
    assert found["lsh:bits=8"] < found["itq:bits=16"]
    assert found["lsh:bits=8"] < found["lsh:bits=128"]


def by_kernel(kernel: Kernel) -> EvaluationTask:
    rng = np.random.default_rng(0)
    x = np.abs(rng.standard_normal((3_000, 6))) * rng.lognormal(0, 1, (3_000, 1))
    own = np.arange(0, 3_000, 100)
    found = true_neighbours(KernelDistance(kernel), x, x[own], 100, own)
    return EvaluationTask(x, x[own], found.rows, [rows[:50] for rows in found.rows], KernelDistance(kernel), own)


def test_the_exact_search_spares_comparisons_and_finds_the_same() -> None:
    given = by_kernel(Linear())
    figures = {
        bound: evaluate_method(Lsh(bits=8), Exact(bound=bound), given) for bound in ("norms", "heuristic", "none")
    }
    assert figures["none"].values["looked_at"] == 2_999
    assert figures["norms"].values["looked_at"] < 2_000
    for name in ("norms", "none"):
        assert by_count(figures[name].values, "overlap@") == {"10": 1.0, "100": 1.0}
    assert not figures["norms"].note
    assert not figures["none"].note
    relevance_given = r"The heuristic bound lost (\d+) of 3,000 true neighbours, in \d+ of 30 queries\."
    lost = re.fullmatch(relevance_given, str(figures["heuristic"].note))
    assert lost
    assert figures["heuristic"].values["overlap@100"] == pytest.approx(1 - int(lost[1]) / 3_000)
    few = evaluate_method(Lsh(bits=8), Exact(bound="heuristic"), replace(given, retrieved=7))
    assert re.search(r"of 210 true neighbours, in \d+ of 30 queries", str(few.note))


def test_a_bound_that_cannot_help_is_told_of() -> None:
    given = by_kernel(Gaussian(gamma=1.0))
    figures = evaluate_method(Lsh(bits=8), Exact(), given)
    assert "Everything is compared" in str(figures.note)
    assert figures.values["looked_at"] == 2_999
    assert by_count(figures.values, "overlap@") == {"10": 1.0, "100": 1.0}
    assert evaluate_method(Lsh(bits=8), Exact(), task()).note == NOTHING


def test_fewer_candidates_than_results_are_told_of() -> None:
    found = evaluate_method(Lsh(bits=8), Scan(candidates=30), by_kernel(Linear()))
    assert 99 <= found.values["looked_at"] <= 100  # one less where the question itself is among them
    assert "100 candidates are ranked instead of 30" in str(found.note)
    few = evaluate_method(Lsh(bits=8), Scan(candidates=30), replace(by_kernel(Linear()), retrieved=10))
    assert 29 <= few.values["looked_at"] <= 30
    assert (few.note, list(by_count(few.values, "overlap@"))) == (NOTHING, ["10"])


def test_it_can_be_cancelled() -> None:
    def stop(done: float, total: float, text: object) -> None:
        if done / total > 0.6:
            raise Cancelled

    with pytest.raises(Cancelled):
        evaluate_method(Lsh(bits=8), Scan(), task(), stop)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def step(text: str) -> CodeStep:
    return CodeStep(text, catalogue.method(text), catalogue.search_structure("scan"), 0)


def test_seconds_left_come_from_steps_alone() -> None:
    clock, relevance_given = Clock(), []
    timing = Timing(lambda done, total, text: relevance_given.append((done, total)), clock)
    waiting = [step("lsh:bits=16"), step("lsh:bits=64"), step("itq:bits=16")]
    timing.begin(waiting)
    progress = timing.within(1, 3, Message("lsh"))
    clock.now += 2
    progress(0.2, 1.0, NOTHING)
    assert relevance_given[-1] == (2.0, 0.0), "nothing tells how long the others take"
    clock.now += 2
    progress(0.5, 1.0, Message("Searching"))
    assert relevance_given[-1] == (4.0, 24.0), "half of one in 4 s: three take 24 s"
    clock.now += 6
    timing.measured(waiting[0], timing.step_seconds())
    timing.begin(waiting[1:])
    progress(0.0, 1.0, NOTHING)
    assert relevance_given[-1] == (10.0, 30.0)
    clock.now += 30
    timing.measured(waiting[1], timing.step_seconds())
    timing.begin(waiting[2:])
    progress(0.0, 1.0, NOTHING)
    assert relevance_given[-1] == (40.0, 60.0), "of a method that none was timed of, the mean of the others"
    timing.measured(step("itq:bits=32"), 4.0)
    timing.measured(step("itq:bits=256"), 50.0)
    progress(0.0, 1.0, NOTHING)
    assert relevance_given[-1] == (40.0, 44.0), "the nearest number of bits tells"


def test_a_pause_is_not_counted() -> None:
    clock = Clock()

    def paused(done: float, total: float, text: object) -> None:
        clock.now += 1_000

    timing = Timing(paused, clock)
    timing.begin([step("lsh:bits=16")])
    clock.now += 3
    timing.tell(NOTHING)
    clock.now += 1
    assert (timing.spent, timing.step_seconds()) == (4.0, 4.0)
