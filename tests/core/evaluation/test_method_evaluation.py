"""Figures of a method, beside the plain ones."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from core.errors import Cancelled
from core.evaluation.evaluation_task import EvaluationTask
from core.evaluation.method_evaluation import evaluate_method
from core.evaluation.truth import Euclidean, KernelDistance, true_neighbours
from core.kernels.dot_product_kernels import Linear
from core.kernels.kernel import Kernel
from core.kernels.radial_kernels import Gaussian
from core.message import NOTHING
from core.methods.itq import Itq
from core.methods.lsh import Lsh
from core.search.linear_scan import Exact, Scan


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
    assert figures.recall[10] == pytest.approx(np.mean(recalls))
    assert figures.curve[2][1] == pytest.approx(np.mean(precisions))
    assert figures.curve[-1][0] == pytest.approx(1.0)
    assert figures.looked_at == 599  # every candidate of so small a base, but for the query
    assert figures.overlap == {10: 1.0, 100: 1.0}
    assert figures.accuracy is not None
    assert figures.accuracy > 0.9
    assert figures.bytes["codes"] == 600 * 3
    assert set(figures.seconds) == {"fit", "encode", "build", "encode_query", "search"}


def test_more_bits_and_learned_ones_rank_better() -> None:
    given = task()
    found = {
        one.text(): evaluate_method(one, Scan(), given).map or 0 for one in (Lsh(bits=8), Lsh(bits=128), Itq(bits=16))
    }
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
    assert figures["none"].looked_at == 2_999
    assert figures["norms"].looked_at < 2_000
    assert figures["norms"].overlap == figures["none"].overlap == {10: 1.0, 100: 1.0}
    assert not figures["norms"].note
    assert not figures["none"].note
    told = r"The heuristic bound lost (\d+) of 3,000 true neighbours, in \d+ of 30 queries\."
    lost = re.fullmatch(told, str(figures["heuristic"].note))
    assert lost
    assert figures["heuristic"].overlap[100] == pytest.approx(1 - int(lost[1]) / 3_000)
    few = evaluate_method(Lsh(bits=8), Exact(bound="heuristic"), replace(given, asked_for=7))
    assert re.search(r"of 210 true neighbours, in \d+ of 30 queries", str(few.note))


def test_a_bound_that_cannot_help_is_told_of() -> None:
    given = by_kernel(Gaussian(gamma=1.0))
    figures = evaluate_method(Lsh(bits=8), Exact(), given)
    assert "Everything is compared" in str(figures.note)
    assert figures.looked_at == 2_999
    assert figures.overlap == {10: 1.0, 100: 1.0}
    assert evaluate_method(Lsh(bits=8), Exact(), task()).note == NOTHING


def test_fewer_candidates_than_results_are_told_of() -> None:
    told = evaluate_method(Lsh(bits=8), Scan(candidates=30), by_kernel(Linear()))
    assert 99 <= told.looked_at <= 100  # one less where the question itself is among them
    assert "100 candidates are ranked instead of 30" in str(told.note)
    few = evaluate_method(Lsh(bits=8), Scan(candidates=30), replace(by_kernel(Linear()), asked_for=10))
    assert 29 <= few.looked_at <= 30
    assert (few.note, list(few.overlap)) == (NOTHING, [10])


def test_it_can_be_cancelled() -> None:
    def stop(done: float, total: float, text: object) -> None:
        if done / total > 0.6:
            raise Cancelled

    with pytest.raises(Cancelled):
        evaluate_method(Lsh(bits=8), Scan(), task(), stop)
