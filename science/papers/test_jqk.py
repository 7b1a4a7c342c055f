"""Directions, ranks, scales and draws of Jiang, Que and Kulis, beside the plain formulas and the product's codes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from science.papers.claims import jqk as claims
from science.papers.claims.jqk import DIRECTIONS, MANY, SWEEPS, ZERO_LEVEL, draws_claims
from science.papers.result import Result
from science.papers.sections.jqk import SECTION, directions
from science.papers.studies import jqk_directions, jqk_many, jqk_sweeps
from science.papers.studies import jqk_rank_and_scale as transform
from science.papers.studies.jqk_directions import KLSH, NYSTROM, ZERO
from science.papers.studies.jqk_rank_and_scale import Setting, codes, contest, recalled
from science.papers.verdict import ClaimVerdict
from twinlens.core.evaluation.hamming_ranking import hamming_histograms
from twinlens.core.evaluation.tied_rankings import overlap_at
from twinlens.core.hashing.packed_codes import pack_bits, planar, unpack_bits
from twinlens.core.kernels.histogram_kernels import ChiSquare
from twinlens.core.methods.klsh import Klsh
from twinlens.core.progress import silent

ITEMS, ASKED, LANDMARKS, ONES = 300, 40, 60, 10


def tables(_: str, array: str) -> np.ndarray:
    """Return histograms; those that ask are near some that are searched."""
    base = np.random.default_rng(0).dirichlet(np.full(12, 0.5), ITEMS)
    near = base[:ASKED] + 0.02 * np.random.default_rng(1).random((ASKED, 12))
    return (near / near.sum(axis=1, keepdims=True) if array == "queries" else base).astype(np.float32)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take few landmarks of the few items."""
    for name, value in (("LANDMARKS", LANDMARKS), ("ONES", ONES)):
        monkeypatch.setattr(jqk_directions, name, value)
        monkeypatch.setattr(jqk_many, name, value)
    monkeypatch.setattr(jqk_sweeps, "LANDMARKS", (30, 60, 100))
    monkeypatch.setattr(jqk_sweeps, "LANDMARK", 60)
    monkeypatch.setattr(jqk_sweeps, "SAMPLES", (1, 30, 50))
    monkeypatch.setattr(jqk_many, "RANK", 20)
    monkeypatch.setattr(jqk_many, "BLOCK", 70)


def chi_square(x: np.ndarray, z: np.ndarray) -> np.ndarray:
    total = x[:, None] + z[None]
    parts = np.divide(2 * x[:, None] * z[None], total, out=np.zeros_like(total), where=total > 0)
    return np.asarray(parts.sum(axis=2))


def test_directions_of_sum_zero_are_those_of_the_plain_formula() -> None:
    found = jqk_directions.measure("sift chi-square", tables, 1, silent)["recall"]  # type: ignore[arg-type]
    base, queries = (tables("", name).astype(np.float64) for name in ("part", "queries"))
    rng = np.random.default_rng(0)
    landmarks = base[rng.permutation(ITEMS)[:LANDMARKS]]
    e = np.zeros((LANDMARKS, 256))
    for bit in range(256):
        e[rng.permutation(LANDMARKS)[:ONES], bit] = 1
    k = chi_square(landmarks, landmarks)
    h = np.eye(LANDMARKS) - 1 / LANDMARKS
    for way, centred, drawn in ((ZERO, False, h @ e), (KLSH, True, e)):
        values, vectors = np.linalg.eigh(h @ k @ h if centred else k)
        kept = values > 1e-9 * values[-1]
        w = vectors[:, kept] / np.sqrt(values[kept]) @ vectors[:, kept].T @ drawn
        mean = k.mean(axis=0) if centred else 0.0
        items, asked = ((chi_square(x, landmarks) - mean) @ w >= 0 for x in (base, queries))
        nearest = chi_square(queries, base).argmax(axis=1)
        far = (asked[:, None] != items[None]).sum(axis=2)
        own = far[np.arange(ASKED), nearest][:, None]
        recall = np.clip((10 - (far < own).sum(axis=1)) / (far == own).sum(axis=1), 0, 1).mean()
        assert found[f"{way}, full"]["10"][0] == pytest.approx(recall, abs=0.02)


def test_the_studies_run_and_are_told() -> None:
    results = {}
    for name, module in ((DIRECTIONS, jqk_directions), (SWEEPS, jqk_sweeps), (MANY, jqk_many)):
        cases = [case for case in module.CASES if "chi-square" in case and "crops" not in case]
        results[name] = Result(name, (), "", {case: module.measure(case, tables, 2, silent) for case in cases})
    sweep = results[SWEEPS].figures
    assert set(sweep["landmarks chi-square"]["recall"]) == {
        f"{m}, {rank}" for m in (30, 60, 100) for rank in (64, "full")
    }
    assert results[MANY].figures["chi-square"]["items"] == ITEMS
    for item in SECTION.items:
        if item.sources in {(SWEEPS,), (MANY,)}:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("science.papers.sections.jqk.LANDMARKS", (30, 60, 100))
                patch.setattr("science.papers.sections.jqk.SAMPLES", (1, 30, 50))
                assert item.show(results)
    assert directions(results[DIRECTIONS]).rows


def directions_of(**recall: list[float]) -> Result:
    """Make a result of some ways, alike at both ranks."""
    ways = {KLSH: recall["klsh"], ZERO: recall["zero"], NYSTROM: recall["gaussian"]}
    rows = {f"{way}, {rank}": {"10": values} for way, values in ways.items() for rank in claims.DRAWN_RANKS}
    case: Any = {"queries": 100, "recall": rows}
    return Result(DIRECTIONS, (), "", {"sift chi-square": case})


def test_centring_is_not_essential_where_other_directions_do_as_well() -> None:
    """Draws lie 20 points apart; of a draw KLSH and sums of zero do not, and that decides."""
    found = directions_of(klsh=[0.5, 0.7, 0.6], zero=[0.501, 0.699, 0.6], gaussian=[0.3, 0.5, 0.4])
    by_text = {one.text: one.judge(found).verdict for one in draws_claims() if one.case == "sift, chi-square"
               and one.source == DIRECTIONS}  # fmt: skip
    essential = next(text for text in by_text if text.startswith("centring is essential"))
    assert by_text[essential] is ClaimVerdict.NOT_CONFIRMED
    assert by_text[ZERO_LEVEL] is ClaimVerdict.CONFIRMED
    lower = directions_of(klsh=[0.5, 0.7, 0.6], zero=[0.3, 0.5, 0.401], gaussian=[0.3, 0.5, 0.4])
    judged = {one.text: one.judge(lower).verdict for one in draws_claims() if one.case == "sift, chi-square"
              and one.source == DIRECTIONS}  # fmt: skip
    assert judged[essential] is ClaimVerdict.CONFIRMED
    assert judged[ZERO_LEVEL] is ClaimVerdict.NOT_CONFIRMED


def test_codes_are_those_of_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transform, "SCALES", (2.0,))
    monkeypatch.setattr(transform, "RANKS", (8, 24))
    monkeypatch.setattr(transform, "LANDMARKS", 120)
    x = np.random.default_rng(0).dirichlet(np.full(12, 0.5), 400).astype(np.float32)
    base, queries = x[:360], x[360:]
    found = list(codes(base, queries, ChiSquare(), seed=3))
    assert [setting.name for setting, _, _ in found] == ["full", "r=8", "r=24", "r=8 s=2", "r=24 s=2"]
    for setting, items, asked in found:
        method = Klsh(kernel=ChiSquare(), bits=256, seed=3, landmarks=120, rank=setting.rank, scale=setting.scale)
        encoder = method.fit(base)
        for table, own in ((base, items), (queries, asked)):
            same = unpack_bits(encoder.encode(table), 256) == own
            assert same.mean() > 0.995  # signs of projections next to zero are rounding's


def test_recall_is_what_the_histograms_say() -> None:
    """Of codes of few bits, which tie."""
    rng = np.random.default_rng(0)
    items, asked = (rng.random((count, 9)) < 0.3 for count in (500, 40))
    first = [np.array([row]) for row in rng.integers(0, 500, 40)]
    planes, words = planar(pack_bits(items)), np.ascontiguousarray(planar(pack_bits(asked)).T)
    ranked = hamming_histograms(planes, words, first, 9)
    for count, own in recalled(items, asked, first).items():
        np.testing.assert_allclose(own, overlap_at(ranked.counts, ranked.relevant, count), atol=1e-12)


def test_a_contest_is_judged_where_it_was_not_chosen() -> None:
    rng = np.random.default_rng(1)
    chance = {Setting(rank, None): rng.random((4, 100)) for rank in (1, 2, 3, 4, 5, 6)}
    lucky = np.arange(100) % 2 == 0  # best on one half of the queries alone, where it is never judged
    chance[Setting(7, None)] = np.where(lucky, 1.0, 0.0) * np.ones((4, 1))
    chance[Setting(None, None)] = np.full((4, 100), 0.5)
    found = contest(chance, "low", "full")
    assert "r=7" in found["chosen"][0]
    assert found["better"] < 0.5
    assert found["gain"] == pytest.approx(found["better"] - 0.5)


def test_scales_are_compared_with_none_at_one_rank_draw_by_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transform, "SCALES", (2.0,))
    monkeypatch.setattr(transform, "RANKS", (8, 24))
    monkeypatch.setattr(transform, "LANDMARKS", 120)
    base = tables("", "base")
    queries = np.random.default_rng(5).dirichlet(np.full(12, 0.5), ASKED).astype(np.float32)
    found = transform.scanned(base, queries, ChiSquare(), range(2), silent, 8)
    by_r = found["recall"]
    assert any(gains["error"] for gains in found["scales"]["2"].values())
    for count, gains in found["scales"]["2"].items():
        assert gains["gain"] == pytest.approx(by_r[count]["r=8 s=2"] - by_r[count]["r=8"])


def test_the_error_of_a_contest_is_that_of_queries_and_seeds() -> None:
    rng = np.random.default_rng(2)
    queries, seeds = rng.standard_normal(200), rng.standard_normal(5)
    full = np.zeros((5, 200))
    found = contest({Setting(1, 1.0): queries + seeds[:, None], Setting(None, None): full}, "transformed", "full")
    assert found["error"] == pytest.approx(np.sqrt(queries.var(ddof=1) / 200 + seeds.var(ddof=1) / 5))
