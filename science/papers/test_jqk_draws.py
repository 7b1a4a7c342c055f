"""Directions of sum zero in the plainest form; sweeps and all SIFT run and are told; draws are judged pair by pair."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.progress import silent
from science.papers.claims import jqk_draws as claims
from science.papers.claims.jqk_draws import DIRECTIONS, MANY, SWEEPS, ZERO_LEVEL, draws_claims
from science.papers.result import Result
from science.papers.sections.jqk import SECTION
from science.papers.sections.jqk_draws import directions
from science.papers.studies import jqk_directions, jqk_many, jqk_sweeps
from science.papers.studies.jqk_directions import KLSH, NYSTROM, ZERO
from science.papers.verdict import ClaimVerdict

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
                patch.setattr("science.papers.sections.jqk_draws.LANDMARKS", (30, 60, 100))
                patch.setattr("science.papers.sections.jqk_draws.SAMPLES", (1, 30, 50))
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
