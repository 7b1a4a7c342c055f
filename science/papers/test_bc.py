"""Algorithm 1, bounds, buckets, variants and claims of Bodó and Csató, checked by plain forms and figures by hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from science.papers import kernel_tables
from science.papers.claims import bc as claims
from science.papers.kernel_tables import SETTINGS, Setting, algorithm_1, bounds_of, neighbourhood
from science.papers.result import Result
from science.papers.sections import bc as section
from science.papers.sections.bc import SECTION
from science.papers.studies import bc_bounds, bc_buckets, bc_variants
from science.papers.studies.bc_buckets import Buckets
from science.papers.studies.bc_variants import INVERSE, PREIMAGES, RIDGES, inverse, votes
from science.papers.verdict import ClaimVerdict
from twinlens.core.exact_search.kernel_neighbours import ExactKnn
from twinlens.core.kernels.dot_product_kernels import Polynomial, Sigmoid
from twinlens.core.kernels.kernel import Kernel
from twinlens.core.kernels.radial_kernels import Gaussian
from twinlens.core.progress import silent


@pytest.mark.parametrize("kernel", [Polynomial(a=0.5, c=1, p=2), Polynomial(a=0.5, c=0, p=3), Sigmoid(a=0.1, c=0.5)])
def test_an_item_is_its_own_pre_image(kernel: Kernel) -> None:
    x = np.random.default_rng(0).random((6, 4)).astype(np.float32)
    found = inverse(kernel, x, np.eye(6))
    assert found is not None
    np.testing.assert_allclose(found, x, atol=1e-5)


def test_a_gaussian_is_no_function_of_the_dot_product() -> None:
    assert inverse(Gaussian(gamma=1.0), np.eye(3, dtype=np.float32), np.eye(3)) is None


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2)), min_size=1, max_size=12), st.integers(1, 5))
def test_votes_are_those_that_are_counted_by_hand(items: list[tuple[int, int]], count: int) -> None:
    far, labels = (np.array(one) for one in zip(*items, strict=True))
    near = sorted(range(len(items)), key=lambda one: (items[one][0], one))[:count]
    weights = ([1.0] * len(near), [1 / (items[one][0] ** 0.5 + 1) for one in near])
    for found, own in zip(votes(far.astype(float), labels, count), weights, strict=True):
        totals = [sum(w for one, w in zip(near, own, strict=True) if items[one][1] == label) for label in range(3)]
        assert totals[found] == pytest.approx(max(totals))


def tables(name: str, array: str) -> np.ndarray:
    """Return three groups of vectors that lie apart, and their numbers."""
    labels = np.arange(240 if array in {"base", "part", "labels"} else 60) % 3
    rng = np.random.default_rng(len(array) if "label" not in array else 0)
    near = rng.random((len(labels), 6)) + 4 * np.eye(3, 6)[labels]
    return labels if "label" in array else near.astype(np.float32)


def test_the_study_runs_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_tables, "LANDMARKS", 100)
    monkeypatch.setattr(bc_variants, "QUERIES", 20)
    figures = {name: bc_variants.measure(name, tables, 2, silent) for name in ("digits", "income", "poker")}  # type: ignore[arg-type]
    ways = figures["digits"]["ways"]
    assert ways["exact"]["right"] == ways["exact"]["right by distance"] == [1.0, 1.0]
    assert ways["exact"]["compared"] == [1.0, 1.0]
    assert max(ways[PREIMAGES]["compared"]) < 1
    assert INVERSE not in figures["income"]["ways"]
    monkeypatch.setattr(section, "SETTINGS", {name: SETTINGS[name] for name in figures})
    item = next(one for one in SECTION.items if one.sources == (claims.VARIANTS,))
    (table,) = item.show({claims.VARIANTS: Result(claims.VARIANTS, (), "", figures)})
    assert "no such f" in table.rows[1]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("gains", "verdict"),
    [
        ((0.001, 0.001, 0.001), ClaimVerdict.CONFIRMED),
        ((0.2, 0.2, 0.2), ClaimVerdict.NOT_CONFIRMED),
        ((0.0, 0.03, 0.015), ClaimVerdict.CANNOT_TELL),
    ],
)
def test_a_ridge_is_judged_run_by_run(gains: tuple[float, ...], verdict: ClaimVerdict) -> None:
    """Runs differ by 50 points from each other, and by a little with the ridge: that alone counts."""
    plain = [0.2, 0.7, 0.4]
    ways = {PREIMAGES: {"right": plain}} | {
        f"ridge {ridge:g}": {"right": [one + gain for one, gain in zip(plain, gains, strict=True)]} for ridge in RIDGES
    }
    result = Result(claims.VARIANTS, (), "", {"digits": {"ways": ways}})
    claim = next(one for one in claims.claims() if one.text.startswith("a ridge") and one.case == "digits")
    assert claim.judge(result).verdict is verdict


def plainly(squared: list[float], bound: list[float], k: int) -> tuple[list[int], int]:
    """Carry out Algorithm 1 line by line."""
    rows: list[int] = []
    compared = 0
    for row, far in enumerate(squared):
        if len(rows) < k:
            rows.append(row)
            compared += 1
            continue
        worst = max(squared[one] for one in rows)
        if bound[row] >= worst:
            continue
        compared += 1
        if far < worst:
            rows.remove(max(one for one in rows if squared[one] == worst))
            rows.append(row)
    return sorted(rows, key=lambda one: (squared[one], one)), compared


@settings(max_examples=60, deadline=None)
@given(
    arrays(np.int64, st.integers(1, 40), elements=st.integers(0, 12)),
    st.integers(1, 5),
    st.randoms(use_true_random=False),
)
def test_algorithm_1_is_carried_out_to_the_letter(far: npt.NDArray[np.int64], k: int, rng: object) -> None:
    squared = far.astype(np.float64)
    bound = np.random.default_rng(len(far)).integers(0, 12, len(far)).astype(np.float64)
    found = algorithm_1(squared, bound, k)
    assert (found.rows.tolist(), found.compared) == plainly(squared.tolist(), bound.tolist(), k)
    whole = algorithm_1(squared, None, k)
    assert whole.compared == len(squared)
    assert whole.rows.tolist() == np.argsort(squared, kind="stable")[:k].tolist()


def test_bound_1_is_true_and_bound_2_is_not() -> None:
    kernel, x = Polynomial(a=0.5, c=1, p=2), np.array([[2.0, 0.0], [1.0, 0.0], [0.3, 1.0]])
    own = kernel.diagonal(x)
    squared = own[:, None] + own[None, :] - 2 * kernel.matrix(x, x)
    bounds = bounds_of(own, own)
    assert (bounds["1"] <= squared + 1e-12).all()
    assert (bounds["2"] > squared).any()
    for row in range(3):
        assert algorithm_1(squared[row], bounds["1"][row], 1).rows.tolist() == [row]


def test_buckets_are_those_of_the_closest_keys() -> None:
    codes = np.array([[3], [0], [3], [12], [15]], np.uint8)
    buckets = Buckets.of(codes)
    assert buckets.occupied.ravel().tolist() == [0, 3, 12, 15]
    assert buckets.near(np.array([3], np.uint8), False, "closest").tolist() == [0, 2]
    assert buckets.near(np.array([2], np.uint8), False, "closest").tolist() == [1]  # 0 and 3 are as close: the first
    assert sorted(neighbourhood(buckets.occupied, np.array([14], np.uint8), 2, "closest").tolist()) == [2, 3]
    lexicographic = neighbourhood(buckets.occupied, np.array([4], np.uint8), 1, "lexicographic")
    assert lexicographic.tolist() == [2]  # 12 follows 4, though 0 differs in one bit alone
    assert neighbourhood(buckets.occupied, np.array([200], np.uint8), 1, "lexicographic").tolist() == [3]


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> dict[str, npt.NDArray[np.generic]]:
    """Put a small table of three clusters in the place of all others."""
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 180)
    x = (rng.normal(0, 0.5, (180, 5)) + np.eye(5)[labels] * 4).astype(np.float32)
    setting = Setting("toys", "Toys", 3, 4, Polynomial(a=0.1, c=1, p=2), neighbouring=True)
    for module in (kernel_tables, bc_bounds, bc_buckets):
        monkeypatch.setattr(module, "SETTINGS", {"toys": setting})
    monkeypatch.setattr(bc_buckets, "LANDMARKS", 60)
    return {"base": x[:150], "labels": labels[:150], "queries": x[150:], "query_labels": labels[150:]}


def test_bounds_are_measured_as_an_exact_search_counts(toys: dict[str, npt.NDArray[np.generic]]) -> None:
    found = bc_bounds.measure("toys", lambda _, name: toys[name], 2, silent)  # type: ignore[arg-type]
    bounds = found["bounds"]
    assert bounds["none"]["compared"][0] == 1
    assert bounds["1"]["losing"][0] == bounds["sorted"]["losing"][0] == bounds["1"]["broken"][0] == 0
    assert bounds["1"]["accuracy"] == bounds["none"]["accuracy"] == bounds["sorted"]["accuracy"]
    assert bounds["2"]["broken"][0] > 0
    knn = ExactKnn(Polynomial(a=0.1, c=1, p=2), np.asarray(toys["base"], np.float32), "norms")
    compared = [knn.nearest(query, 3).compared for query in np.asarray(toys["queries"], np.float32)]
    assert bounds["sorted"]["compared"][0] == pytest.approx(np.mean(compared) / 150)
    assert set(found["ms"]) == {"none", "norms", "heuristic"}


def test_buckets_find_most_and_compare_few(toys: dict[str, npt.NDArray[np.generic]]) -> None:
    found = bc_buckets.measure("toys", lambda _, name: toys[name], 2, silent)  # type: ignore[arg-type]
    assert found["evaluations"] == {"klsh": 60, "preimage-klsh": 4}
    assert set(found["methods"]) == {"exact", "klsh", "klsh closest", "preimage-klsh", "preimage-klsh closest"}
    for name, own in found["methods"].items():
        assert own["accuracy"][0] > 0.8
        assert name == "exact" or 0 < own["compared"][0] <= 1
