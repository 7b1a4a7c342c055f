"""The implicit metric of the pyramid match kernel: distances all at once, rates by hand; votes as claims judge them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from science.papers.claims import jkg as claims
from science.papers.result import Result
from science.papers.sections import jkg as section
from science.papers.sets.cut_outs import KEYPOINTS, NONE, points
from science.papers.studies import jkg_lists, jkg_pyramid
from science.papers.studies.jkg_pyramid import (
    Codes,
    Kernels,
    Views,
    candidates,
    chosen,
    coded,
    learned,
    nearest_codes,
    paired_error,
    rate,
    read,
)
from science.papers.verdict import ClaimVerdict
from twinlens.app.bench.bench import bench
from twinlens.app.bench.experiment import Experiment
from twinlens.core.hashing.sparse_encoder import SparseEncoder
from twinlens.core.metrics.sparse_metric import SparseMetric
from twinlens.core.progress import silent
from twinlens.core.search.permuted_lists import Permuted

CLASSES = 4


def tables(_: str, name: str) -> np.ndarray:
    """Return views of objects: a third of the points of a view are the object's."""
    rng = np.random.default_rng(0)
    side = points().pyramid.side
    objects = rng.integers(0, side, (CLASSES, 10, 10))
    count = 5 if name in {"base", "labels"} else 3
    labels = np.tile(np.arange(CLASSES), count)
    if "label" in name:
        return labels
    rng = np.random.default_rng(len(name))
    found = np.full((len(labels), KEYPOINTS, 10), NONE, np.int16)
    for row, label in enumerate(labels):
        found[row, :10] = np.clip(objects[label] + rng.integers(-1, 2, (10, 10)), 0, side - 1)
        found[row, 10:30] = rng.integers(0, side, (20, 10))
    return found


@pytest.fixture(scope="module")
def views() -> Views:
    return read(tables)  # type: ignore[arg-type]


def test_distances_are_those_of_the_metric(views: Views) -> None:
    metric = learned(views, 2, 0, silent)
    assert len(metric.s) > 0
    items = metric.against(views.base)
    for own in (SparseMetric.plain(views.base.shape[1]), metric):
        far = Kernels.of(own, views).distances
        items = own.against(views.base)
        for row in range(len(views.answers)):
            one = items.distances(views.queries[[row]]) * own.spread
            assert np.sqrt(np.maximum(far[row], 0)) == pytest.approx(one, abs=1e-6)


def strong(views: Views) -> SparseMetric:
    """Return a metric that turns views by tens of degrees; what is learned of the pairs moves them by one or two."""
    half = np.random.default_rng(5).normal(0, 1, (len(views.labels),) * 2)
    return SparseMetric.of(views.base, half @ half.T / len(half))


def test_bits_agree_as_the_angles_say(views: Views) -> None:
    used = np.unique(np.concatenate([views.base.indices, views.queries.indices]))
    base, queries = (np.zeros((one.shape[0], len(used))) for one in (views.base, views.queries))
    for dense, one in ((base, views.base), (queries, views.queries)):
        rows = np.repeat(np.arange(len(dense)), np.diff(one.indptr))
        dense[rows, np.searchsorted(used, one.indices)] = one.data
    metric, bits = strong(views), 4_096
    g = np.eye(len(used)) + base.T @ metric.s @ base
    for own, applied in ((SparseMetric.plain(views.base.shape[1]), np.eye(len(used))), (metric, g)):
        asked, searched = (rows @ applied.T for rows in (queries, base))
        lengths = np.linalg.norm(asked, axis=1)[:, None] * np.linalg.norm(searched, axis=1)
        cosine = asked @ searched.T / lengths
        assert Kernels.of(own, views).cosines == pytest.approx(cosine, abs=1e-6)
        codes = coded(own, views, bits, 3)
        agree = (codes.queries[:, None, :] == codes.base[None, :, :]).mean(axis=2)
        assert np.abs(agree - (1 - np.arccos(cosine) / np.pi)).max() < 4.5 * np.sqrt(0.25 / bits)
    assert np.abs(Kernels.of(metric, views).cosines - queries @ base.T).max() > 0.3


def test_long_codes_begin_with_short_ones(views: Views) -> None:
    metric = strong(views)
    long = coded(metric, views, 256, 1).first(40)
    short = SparseEncoder.of(metric, 40, 1)
    for codes, rows in ((long.base, views.base), (long.queries, views.queries)):
        assert np.array_equal(np.packbits(codes, axis=1, bitorder="little"), short.encode(rows))


def test_lists_and_codes_are_told_apart_from_chance() -> None:
    rng = np.random.default_rng(0)
    base = rng.random((200, 64)) < 0.5
    queries = base[:30] ^ (rng.random((30, 64)) < 0.1)
    codes = Codes(base, queries)
    search = Permuted(epsilon=1.5)
    lists = candidates(codes, search)
    counts = lists.sum(axis=1)
    assert (counts == 2 * search.count(200)).all()
    ranked = nearest_codes(codes, counts, 0)
    assert np.array_equal(ranked.sum(axis=1), counts)
    apart = (queries[:, None, :] != base[None, :, :]).sum(axis=2)
    for row in range(30):
        assert apart[row][ranked[row]].max() <= apart[row][~ranked[row]].min()
    views = Views(None, None, np.arange(200), np.arange(30))
    found = chosen(apart.astype(float), codes, views, search)
    assert found["ranked"] == found["linear"] == found["ranked same nearest"] == 1.0
    assert found["looked at"] < found["same nearest"]
    assert found["by chance"] == pytest.approx(found["looked at"], abs=0.06)


def test_a_rate_is_the_mean_over_the_classes() -> None:
    views = Views(None, None, np.array([0, 1, 2]), np.array([0, 0, 0, 1]))
    far = np.array([[0.1, 0.5, 0.9], [0.5, 0.1, 0.9], [0.1, 0.2, 0.3], [0.9, 0.1, 0.5]])
    assert rate(far, views) == pytest.approx((2 / 3 + 1) / 2)
    allowed = np.array([[True] * 3] * 3 + [[True, False, True]])
    assert rate(far, views, allowed) == pytest.approx((2 / 3 + 0) / 2)
    better = far.copy()
    better[1] = far[0]
    assert paired_error(far, better, views) == pytest.approx(0.25)


def test_the_study_runs_and_is_told(views: Views, monkeypatch: pytest.MonkeyPatch) -> None:
    def views_of(_: object, coarser: int | None = None) -> Views:
        return views if coarser is None else read(tables, coarser)  # type: ignore[arg-type]

    monkeypatch.setattr(jkg_pyramid, "read", views_of)
    for module in (jkg_pyramid, section):
        monkeypatch.setattr(module, "LENGTHS", (32, 256))
        monkeypatch.setattr(module, "EPSILONS", (0.5, 1.5, 3.0))
    monkeypatch.setattr(jkg_pyramid, "PAIRS_A_CLASS", (2, 15))
    monkeypatch.setattr(jkg_pyramid, "TIMED", 1)
    figures = {case: jkg_pyramid.measure(case, tables, 1, silent) for case in jkg_pyramid.CASES}  # type: ignore[arg-type]
    result = Result("jkg-pyramid", (), "", figures)
    assert figures["pairs"]["classes"] == CLASSES
    for item in section.SECTION.items:
        if item.sources == ("jkg-pyramid",):
            assert item.show({"jkg-pyramid": result})
    judged = [claim.judge(result) for claim in claims.claims() if claim.source == "jkg-pyramid"]
    assert len(judged) == 6
    assert all(one.numbers for one in judged)
    shares = [claims.pyramid(result, 256, epsilon)["after looked at"].mean for epsilon in jkg_pyramid.EPSILONS]
    assert shares == sorted(shares, reverse=True)


@pytest.mark.parametrize(
    ("hashed", "nearest", "verdict"),
    [
        (0.5, 0.6, ClaimVerdict.CONFIRMED),
        (0.2, 0.3, ClaimVerdict.NOT_CONFIRMED),
        (0.2, 0.05, ClaimVerdict.CANNOT_TELL),
        (0.5, 0.05, ClaimVerdict.CANNOT_TELL),
    ],
)
def test_nothing_is_told_of_hashing_that_guesses(hashed: float, nearest: float, verdict: ClaimVerdict) -> None:
    claim = next(one for one in claims.claims() if one.text.startswith("hashing loses") and one.source == "jkg-pyramid")
    row = {"looked at": 0.04, "linear": 0.52, "hashed": hashed, "same nearest": nearest, "ranked same nearest": nearest}
    rows = {"256 1.5": {f"after {name}": (value, 0.0, 3) for name, value in row.items()}}
    found = claim.judge(Result("jkg-pyramid", (), "", {"hashed": {"asked": 6_000, "rows": rows}}))
    assert found.verdict is verdict
    assert ("nothing can be told" in found.numbers) == (nearest < 0.08)


@pytest.mark.parametrize(
    ("searched", "verdict"), [(5_000, ClaimVerdict.CONFIRMED), (2_000, ClaimVerdict.NOT_CONFIRMED)]
)
def test_a_tenth_of_the_distances_is_what_is_judged(searched: int, verdict: ClaimVerdict) -> None:
    """Of 5,000 views 50 are looked at, which with 256 bits are less than 500; of 2,000 they are more than 200."""
    claim = next(one for one in claims.claims() if one.text.startswith("a query takes a tenth"))
    row = {"after looked at": 0.01, "linear ms": 1.0, "hashed ms": 9.0}  # whatever the clock says
    rows = {"256 1.5": {name: (value, 0.0, 3) for name, value in row.items()}}
    found = claim.judge(Result("jkg-pyramid", (), "", {"hashed": {"searched": searched, "rows": rows}}))
    assert found.verdict is verdict
    assert found.effect == pytest.approx(searched / (256 + searched / 100))


def test_votes_are_judged(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(3), 40)
    x = rng.normal(0, 1, (120, 6))
    x[:, 0] += 3 * labels  # one dimension tells the class, the others are noise: there is something to learn
    np.save(tmp_path / "x.npy", x.astype(np.float32))
    np.save(tmp_path / "labels.npy", labels)
    asked = Experiment(
        base=str(tmp_path / "x.npy"),
        labels=str(tmp_path / "labels.npy"),
        metric="itml:sweeps=10",
        partitions=2,
        labelled=15,
        asked=10,
        k=4,
        marks=(60,),
        scaled=True,
        methods=("lsh",),
        bits=(16, 256),
        search=("permuted",),
        epsilons=(1.0, 1.5),
    )
    result = Result("jkg-vehicle", (), "", bench(asked).model_dump(mode="json"))
    assert claims.lengths(result) == [16, 256]
    assert claims.epsilons(result) == [1.0, 1.5]
    assert claims.linear(result)["gain"]["mean"] > 0
    judged = {claim.text: claim.judge(result) for claim in claims.claims() if claim.source == "jkg-vehicle"}
    assert len(judged) == 5
    gained = judged["4-NN is better under the metric learned from 1,000 pairs"]
    assert "points from 60 pairs" in gained.numbers
    assert gained.verdict is not ClaimVerdict.NOT_CONFIRMED
    assert claims.hashed(result, 16, 1.5)["looked_at"]["mean"] < claims.hashed(result, 16, 1.0)["looked_at"]["mean"]
    fewer = next(one for text, one in judged.items() if text.startswith("a query takes fewer distances"))
    assert "256 bits and 12 items / 90 rows" in fewer.numbers  # 10 of each class ask; 2M are looked at, M = 90^0.4
    assert fewer.verdict is ClaimVerdict.NOT_CONFIRMED
    results = {f"jkg-{name}{own}": result for name in claims.SETS for own in ("", "-pairs")}
    blocks = section._accuracy(results)
    assert len(blocks) == 1 + len(claims.SETS)
    assert "of 60" in blocks[0].rows[0][4]  # type: ignore[union-attr]
    assert [block.name for block in section._pairs(results)] == ["pairs", "pairs-hashed"]  # type: ignore[union-attr]


def test_lists_taken_literally_look_at_the_neighbours_of_the_plain_order() -> None:
    """Of each list the codes just before the query's place and just behind it, an item once."""
    rng = np.random.default_rng(4)
    base, queries = rng.random((60, 9)) < 0.5, rng.random((7, 9)) < 0.5
    found = jkg_lists.looked_at(base, queries, 5, np.random.default_rng(1))
    drawn, shares = np.random.default_rng(1), np.zeros((7, 60))
    for _ in range(5):
        order = drawn.permutation(9)
        rows = sorted(range(60), key=lambda row: (tuple(base[row, order]), row))
        for number, query in enumerate(queries):
            before = sum(tuple(base[row, order]) < tuple(query[order]) for row in rows)
            for place in (before - 1, before):
                if 0 <= place < 60:
                    shares[number, rows[place]] = 1
    assert found == pytest.approx(shares.mean())


def test_less_is_looked_at_is_judged_by_bits_and_by_euclid() -> None:
    claim = next(one for one in claims.claims() if one.text.startswith("less is looked at") and one.case == "Vehicle")
    fewer, more = [0.02, 0.021, 0.02], [0.03, 0.031, 0.029]
    for own, euclid, verdict in (
        ({"16": more, "256": fewer}, more, ClaimVerdict.CONFIRMED),
        ({"16": fewer, "256": more}, more, ClaimVerdict.NOT_CONFIRMED),
        ({"16": more, "256": fewer}, fewer, ClaimVerdict.CANNOT_TELL),
    ):
        shares = {"learned": own, "euclid": {"16": euclid, "256": euclid}}
        assert claim.judge(Result("jkg-lists", (), "", {"vehicle": {"looked at": shares}})).verdict is verdict
