"""The scan of ranks and scales hashes as the product does, and its contests choose and judge on different queries."""

from __future__ import annotations

import numpy as np
import pytest

from core.evaluation.hamming_histograms import hamming_histograms
from core.evaluation.ranking_measures import overlap_at
from core.hashing.packed_codes import pack_bits, planar, unpack_bits
from core.kernels.histogram_kernels import ChiSquare
from core.methods.klsh import Klsh
from science.papers.studies import jqk_rank_and_scale as transform
from science.papers.studies.jqk_rank_and_scale import Setting, codes, contest, recalled


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


def test_recall_is_what_the_histograms_say(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of codes of few bits, which tie."""
    monkeypatch.setattr(transform, "_BLOCK", 70)
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


def test_the_error_of_a_contest_is_that_of_queries_and_seeds() -> None:
    rng = np.random.default_rng(2)
    queries, seeds = rng.standard_normal(200), rng.standard_normal(5)
    full = np.zeros((5, 200))
    found = contest({Setting(1, 1.0): queries + seeds[:, None], Setting(None, None): full}, "transformed", "full")
    assert found["error"] == pytest.approx(np.sqrt(queries.var(ddof=1) / 200 + seeds.var(ddof=1) / 5))
