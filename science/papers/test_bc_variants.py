"""Exact pre-images of what has one, votes counted by hand, and the claim about ridges, which is judged run by run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kernels.gaussian import Gaussian
from core.kernels.kernel import Kernel
from core.kernels.polynomial import Polynomial
from core.kernels.sigmoid import Sigmoid
from core.progress import silent
from science.papers import kernel_tables
from science.papers.claims import bc as claims
from science.papers.kernel_tables import SETTINGS
from science.papers.result import Result
from science.papers.sections import bc as section
from science.papers.sections.bc import SECTION
from science.papers.studies import bc_variants
from science.papers.studies.bc_variants import INVERSE, PREIMAGES, RIDGES, inverse, votes
from science.papers.verdict import ClaimVerdict


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
    ("gain", "verdict"),
    [(0.001, ClaimVerdict.CONFIRMED), (0.2, ClaimVerdict.NOT_CONFIRMED), (0.02, ClaimVerdict.CANNOT_TELL)],
)
def test_a_ridge_is_judged_run_by_run(gain: float, verdict: ClaimVerdict) -> None:
    """Runs differ by 50 points from each other, and by a constant with the ridge: that alone counts."""
    plain = [0.2, 0.7, 0.4]
    ways = {PREIMAGES: {"right": plain}} | {
        f"ridge {ridge:g}": {"right": [one + gain for one in plain]} for ridge in RIDGES
    }
    result = Result(claims.VARIANTS, (), "", {"digits": {"ways": ways}})
    claim = next(one for one in claims.claims() if one.text.startswith("a ridge") and one.case == "digits")
    assert claim.judge(result).verdict is verdict
