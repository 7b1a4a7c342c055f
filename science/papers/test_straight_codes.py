"""Every method finds what its formulas, written once more in plain numpy, find: within the spread over seeds."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from science.papers import straight
from science.papers.studies.straight_codes import BY_NAME, Case, compare, ours

SEEDS = 3
SURE = 3.5  # standard errors: with fixed seeds nothing here is left to chance, but another numpy may draw otherwise
GRAIN = 0.01

Tables = tuple[npt.NDArray[Any], npt.NDArray[Any]]


def made(kind: str) -> Tables:
    """Make 1,200 items and 80 queries that are like a data set: histograms of sum 1, or blurred blots of 28 x 28."""
    rng = np.random.default_rng(7)
    if kind == "fashion-mnist":
        blots = rng.standard_normal((40, 7, 7)).repeat(4, axis=1).repeat(4, axis=2).reshape(40, -1)
        x = np.abs(rng.standard_normal((720, 40)) * np.linspace(3, 0.3, 40) @ blots) * 20
        x += rng.random(x.shape) * 15
    elif kind == "digits":
        middles = rng.integers(0, 17, (30, 64)).astype(np.float64)
        noise = rng.normal(0, 3, (720, 64))
        x = np.clip(middles[rng.integers(0, 30, 720)] + noise, 0, 16)
    else:
        middles = rng.dirichlet(np.full(24, 0.4), 60)[rng.integers(0, 60, 720)]
        x = rng.gamma(middles * 60 + 0.05)
        x /= x.sum(axis=1, keepdims=True)
    x = x.astype(np.float32)
    return x[:640], x[640:]


@pytest.fixture(scope="module")
def tables() -> dict[str, Tables]:
    return {kind: made(kind) for kind in {case.data for case in BY_NAME.values()}}


@pytest.mark.parametrize("case", BY_NAME.values(), ids=lambda case: case.name)
def test_the_formulas_find_the_same(tables: dict[str, Tables], case: Case) -> None:
    for count, ((mean, spread, _), (other, other_spread, _)) in compare(case, *tables[case.data], SEEDS).items():
        error = math.hypot(spread, other_spread) / math.sqrt(SEEDS)
        assert abs(mean - other) <= SURE * error + GRAIN, f"recall@{count}: {mean:.3f}, by the formulas {other:.3f}"
        assert mean < 0.999 or count != "10", "too easy to tell anything"


def test_a_wrong_method_is_found_out(tables: dict[str, Tables]) -> None:
    case = next(case for case in BY_NAME.values() if case.name.startswith("low rank + transform, intersection"))
    wrong = Case(case.name, case.data, case.text.replace("rank=48", "rank=4"), case.twin, case.kernel)
    ((mean, *_), (other, *_)) = compare(wrong, *tables[case.data], 2)["10"]
    assert mean < other - 0.05


def test_recall_counts_ties_by_halves() -> None:
    base = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], np.bool_)
    query = np.zeros((1, 2), np.bool_)
    assert straight.recall(base, query, np.array([0]), 1) == 1
    assert straight.recall(base, query, np.array([1]), 2) == 0.5
    assert straight.recall(base, query, np.array([3]), 3) == 0


def test_bits_of_the_product_are_its_codes() -> None:
    x = np.random.default_rng(0).standard_normal((50, 8))
    items, asked = ours("lsh:bits=13", x, x[:3], seed=1)
    assert items.shape == (50, 13)
    assert np.array_equal(items[:3], asked)
