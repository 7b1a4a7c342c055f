"""Both sides of the theorems, computed another way; a bound that is broken is told."""

from __future__ import annotations

import numpy as np
import pytest

from core.progress import silent
from science.papers.claims import ykc as claims
from science.papers.result import Result
from science.papers.sections import ykc as section
from science.papers.studies import ykc_bounds
from science.papers.studies.ykc_bounds import K, sides
from science.papers.verdict import ClaimVerdict


def data() -> np.ndarray:
    rng = np.random.default_rng(0)
    x = rng.standard_normal((900, 80)) * np.linspace(3, 0.1, 80) @ np.linalg.qr(rng.standard_normal((80, 80)))[0]
    return np.asarray(x - x.mean(axis=0))


def test_what_is_measured_is_what_the_theorems_say() -> None:
    """All items and features: CC' is XX' and the directions are the principal components."""
    x = data()
    whole = x.T @ x
    values = np.linalg.eigvalsh(whole)[::-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ykc_bounds, "FEATURES", 1.0)
        found = sides(x, whole, values, 1.0, np.random.default_rng(0))
    assert found["product"] < 1e-12
    assert found["residual"] == pytest.approx(found["least"])
    _, _, axes = np.linalg.svd(x, full_matrices=False)
    left = x - x @ axes[:K].T @ axes[:K]
    assert found["residual"] == pytest.approx(np.linalg.norm(left) / np.linalg.norm(x))
    sizes = np.abs(x)
    gamma = np.linalg.svd(x, compute_uv=False)[K - 1] ** 2 / (sizes.sum(axis=1).max() * sizes.sum(axis=0).max())
    assert found["gamma"] == pytest.approx(gamma)


def test_a_part_leaves_more_and_the_bounds_hold() -> None:
    x = data()
    whole = x.T @ x
    found = sides(x, whole, np.linalg.eigvalsh(whole)[::-1], 0.1, np.random.default_rng(1))
    assert 0 < found["product"] < found["product bound"]
    assert found["least"] < found["residual"] < 1
    assert found["least"] + found["sampling term"] < found["residual bound"]


def test_the_study_is_told_and_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    x = data().astype(np.float32)
    figures = {case: ykc_bounds.measure(case, lambda *_: x, 2, silent) for case in ykc_bounds.CASES}  # type: ignore[arg-type]
    result = Result(claims.BOUNDS, (), "", figures)
    judged = [claim.judge(result) for claim in claims.claims() if claim.source == claims.BOUNDS]
    assert [one.verdict for one in judged] == [ClaimVerdict.CONFIRMED] * 4
    assert len(section._bounds(result)) == 4
    share = figures["sift part"]["shares"]["0.1"]
    monkeypatch.setitem(share, "product bound", [0.0, 0.0])
    claim = next(one for one in claims.claims() if one.text.startswith("Theorem 1's"))
    assert claim.judge(result).verdict is ClaimVerdict.NOT_CONFIRMED
    assert "broken in 2 of 10 draws" in claim.judge(result).numbers
