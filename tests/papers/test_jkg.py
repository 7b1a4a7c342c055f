"""The implicit metric of the pyramid match kernel: distances all at once, rates by hand; votes as claims judge them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from app.benching import bench
from app.experiment import Experiment
from core.metrics import SparseMetric
from core.progress import silent
from tests.papers.claims import jkg as claims
from tests.papers.result import Result
from tests.papers.sections import jkg as section
from tests.papers.sets.cut_outs import KEYPOINTS, NONE, points
from tests.papers.studies import jkg_pyramid
from tests.papers.studies.jkg_pyramid import Views, distances, learned, paired_error, rate, read
from tests.papers.verdict import Verdict

CLASSES = 4


def tables(_: str, name: str) -> np.ndarray:
    """Give views of objects: a third of the points of a view are the object's."""
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
        far = distances(own, views)
        items = own.against(views.base)
        for row in range(len(views.answers)):
            one = items.distances(views.queries[[row]]) * own.spread
            assert np.sqrt(np.maximum(far[row], 0)) == pytest.approx(one, abs=1e-6)


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
    monkeypatch.setattr(jkg_pyramid, "read", lambda _: views)
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
    assert len(judged) == 7
    assert all(one.numbers for one in judged)
    shares = [claims.pyramid(result, 256, epsilon)["after looked at"].mean for epsilon in jkg_pyramid.EPSILONS]
    assert shares == sorted(shares, reverse=True)


def test_votes_are_judged(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(3), 40)
    x = rng.normal(0, 1, (120, 6))
    x[:, 0] += 3 * labels  # one dimension tells the class, the others are noise: there is something to learn
    np.save(tmp_path / "x.npy", x.astype(np.float32))
    np.save(tmp_path / "labels.npy", labels)
    asked = Experiment(
        str(tmp_path / "x.npy"),
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
    assert len(judged) == 6
    gained = judged["4-NN is better under the metric learned from 1,000 pairs"]
    assert "points from 60 pairs" in gained.numbers
    assert gained.verdict is not Verdict.NOT_CONFIRMED
    assert claims.hashed(result, 16, 1.5)["looked_at"]["mean"] < claims.hashed(result, 16, 1.0)["looked_at"]["mean"]
    sooner = next(one for text, one in judged.items() if text.startswith("a query is answered sooner"))
    assert "against a scan of 90 rows" in sooner.numbers  # 10 of each class ask
    fixed = next(one for text, one in judged.items() if text.startswith("less is looked at"))
    assert fixed.verdict is Verdict.CANNOT_TELL
    results = {f"jkg-{name}{own}": result for name in claims.SETS for own in ("", "-pairs")}
    blocks = section._accuracy(results)
    assert len(blocks) == 1 + len(claims.SETS)
    assert "of 60" in blocks[0].rows[0][4]  # type: ignore[union-attr]
    assert [block.name for block in section._pairs(results)] == ["pairs", "pairs-hashed"]  # type: ignore[union-attr]
