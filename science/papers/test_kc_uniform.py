"""Uniform data as the paper has them, features beside the plain formula, and bounds that are broken."""

from __future__ import annotations

import numpy as np
import pytest

from science.papers.claims.kc import UNIFORM, theory
from science.papers.result import Result
from science.papers.sections import kc as section
from science.papers.studies import kc_uniform
from science.papers.studies.kc_uniform import NORM, drawn, features
from science.papers.verdict import ClaimVerdict
from twinlens.core.progress import silent


def test_pairs_reach_from_opposite_to_alike() -> None:
    rng = np.random.default_rng(0)
    for share in (-1.0, 0.0, 0.5, 1.0):
        x, y = drawn(6, share, rng)
        assert np.linalg.norm(x) == pytest.approx(NORM)
        assert np.linalg.norm(y) == pytest.approx(NORM)
        if abs(share) == 1:
            np.testing.assert_allclose(y, share * x)


def test_the_mean_of_features_is_that_of_the_plain_formula(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kc_uniform, "TRIPLES", 4)
    rng = np.random.default_rng(1)
    x, y = drawn(3, 0.2, rng)
    found = features(x, y, np.random.default_rng(2))
    again = np.random.default_rng(2)
    w, v = (again.standard_normal((4, 3)) for _ in range(2))
    b = again.uniform(0, 2 * np.pi, 4)
    plain = [2 * np.cos(w[i] @ x @ v[i] + b[i]) * np.cos(w[i] @ y @ v[i] + b[i]) for i in range(4)]
    np.testing.assert_allclose(found, plain)


def test_sample_means_are_near_the_expectation_and_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kc_uniform, "PAIRS", 12)
    figures = {case: kc_uniform.measure(case, None, 1, silent) for case in ("2 x 2", "5 x 5", "20 x 20")}  # type: ignore[arg-type]
    for found in figures.values():
        mean, exact, error = (np.array(found[name]) for name in ("mean", "exact", "error"))
        assert (np.abs(mean - exact) < 4.5 * error + 1e-12).all()
    result = Result(UNIFORM, (), "", figures)
    assert len(section.uniform({UNIFORM: result})) == 3
    claims = [one for one in theory() if one.source == UNIFORM and one.case == "20 x 20"]
    assert [one.judge(result).verdict for one in claims] == [ClaimVerdict.CONFIRMED] * 2
    figures["20 x 20"]["exact"] = [one / 2 for one in figures["20 x 20"]["exact"]]
    assert claims[0].judge(result).verdict is ClaimVerdict.NOT_CONFIRMED
