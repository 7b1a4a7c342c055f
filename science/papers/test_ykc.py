"""Yun, Kim and Choi: claims of sampled directions; both sides of the theorems, computed another way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from science.papers.claims import ykc as claims
from science.papers.result import Result
from science.papers.sections import ykc as section
from science.papers.studies import ykc_bounds
from science.papers.studies.ykc_bounds import K, sides
from science.papers.verdict import ClaimVerdict
from twinlens.app.methods import catalogue
from twinlens.core.progress import silent
from twinlens.core.projections.subspaces import NystromSampling, column_mean, nystrom


def measured(n: int, uniform: float, deviation: float = 0.001) -> Result:
    """Make mean average precision on VLAD of groups: 0.8 by full PCA."""

    def row(text: str, precision: float) -> dict[str, Any]:
        return {
            "method": catalogue.method(text).text(), "search": "scan", "seeds": [0, 1, 2, 3, 4],
            "map_candidates": precision, "deviation": {"map_candidates": deviation}, "chance": 0.1,
        }  # fmt: skip

    rows = []
    for bits in claims.SETS["groups"]:
        rows.append(row(claims.text_of(bits, "pca"), 0.8))
        rows += [row(claims.text_of(bits, "nystrom-uniform", one), uniform) for one in (claims.QR, claims.LETTER)]
    return Result("ykc-groups", (), "", {"data": {"n": n}, "results": rows})


def judged(result: Result) -> tuple[ClaimVerdict, str]:
    text = "uniform sampling is comparable with full PCA, with QR"
    claim = next(one for one in claims.claims() if (one.text, one.case) == (text, "VLAD of groups"))
    judgement = claim.judged(result)
    assert judgement is not None
    return judgement.verdict, judgement.numbers


def test_how_many_items_are_drawn_is_told_whatever_comes_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict, numbers = judged(measured(4_000, 0.8))
    assert verdict is ClaimVerdict.CONFIRMED
    assert numbers.endswith("; 200 to 384 items drawn")
    verdict, numbers = judged(measured(4_000, 0.6))
    assert verdict is ClaimVerdict.CANNOT_TELL
    assert numbers.endswith("; 200 to 384 items drawn, in the paper at least 3,000")
    _, numbers = judged(measured(100_000, 0.6))
    assert numbers.endswith("; 1,000 items drawn, in the paper at least 3,000")  # 5 % of those that are learned from
    monkeypatch.setattr(claims, "LEAST_DRAWN", 1_000)
    verdict, numbers = judged(measured(100_000, 0.6))
    assert verdict is ClaimVerdict.NOT_CONFIRMED
    assert numbers.endswith("; 1,000 items drawn")


@pytest.mark.parametrize(("share", "bits"), [(0.05, 2), (0.2, 2), (0.05, 20)])
def test_items_are_counted_as_they_are_drawn(share: float, bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from twinlens.core.projections import subspaces as module

    drawn: list[int] = []
    plain = vars(module)["draw_places"]

    def counted(size: int, count: int, rng: np.random.Generator) -> Any:
        drawn.append(count)
        return plain(size, count, rng)

    monkeypatch.setattr(module, "draw_places", counted)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((300, 40)).astype(np.float32)
    nystrom(x, column_mean(x, silent), bits, NystromSampling(share, 1.0, False, 0.0), rng=rng, progress=silent)
    result = Result("ykc", (), "", {"data": {"n": 300}, "results": [{"method": "itq"}]})
    assert claims.items_drawn(result, share, bits) in drawn


def test_time_is_judged_of_what_the_paper_takes_it_on() -> None:
    text = "the whole takes less than half the time of full PCA"
    own = {one.case: one for one in claims.claims() if one.text == text}
    assert set(own) == {"VLAD of groups"}
    steps = {name: (value, 0.0, 3) for name, value in (("projecting", 0.1), ("turning", 1.0))}
    ways = {"pca": {**steps, "directions": (0.9, 0.0, 1)}, "uniform 0.05 0.3": {**steps, "directions": (0.1, 0.0, 3)}}
    judgement = own["VLAD of groups"].judged(Result("ykc-steps", (), "", {claims.TIMED: ways}))
    assert judgement is not None
    assert judgement.verdict is ClaimVerdict.NOT_CONFIRMED  # 1.2 s of 2.0 s
    assert judgement.numbers == "1.20 s / 2.00 s, of which all need 1.00 s to turn the directions"


def test_the_page_says_how_few_items_directions_are_found_from() -> None:
    words = section._how_few(measured(4_000, 0.8))
    assert "256 bits as in the paper" in words
    assert "384 of 4,000" in words


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
