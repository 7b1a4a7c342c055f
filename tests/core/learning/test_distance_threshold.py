from __future__ import annotations

import numpy as np
import pytest

from core.errors import TwinlensError
from core.learning.metric_judgement import threshold


def marks(count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    similar = rng.random(count) < 0.5
    return np.exp(np.where(similar, -1.0, 0.0) + 0.4 * rng.standard_normal(count)), similar


@pytest.mark.parametrize("wrong", [0.02, 0.05, 0.2])
def test_about_so_many_are_wrong_below(wrong: float) -> None:
    distances, similar = marks(400, 0)
    found = threshold(distances, similar, wrong)
    fresh, truth = marks(40_000, 1)
    below = fresh <= found.distance
    assert float((~truth[below]).mean()) == pytest.approx(wrong, abs=0.35 * wrong + 0.004)
    assert found.low <= found.distance <= found.high
    assert 0 < found.kept <= 1
    assert threshold(distances, similar, wrong) == found


def test_at_likely_four_of_five_pairs_are_similar_and_at_even_every_other() -> None:
    found = threshold(*marks(2000, 0))
    fresh, truth = marks(200_000, 1)
    for distance, right in ((found.likely, 0.8), (found.even, 0.5)):
        near = np.abs(np.log(fresh / distance)) < 0.03
        assert float(truth[near].mean()) == pytest.approx(right, abs=0.05)
    other = threshold(*marks(2000, 0), 0.3)
    assert (other.likely, other.even) == (found.likely, found.even)


def test_nothing_is_likely_beyond_the_marks() -> None:
    distances, _ = marks(100, 0)
    order = np.argsort(distances)
    few = np.zeros(100, bool)
    few[order[:20:3]] = True
    assert threshold(distances, few).likely == 0
    many = np.ones(100, bool)
    many[order[:-20:-3]] = False
    assert distances.min() < threshold(distances, many).even <= distances.max()


def test_more_marks_are_surer() -> None:
    wide, narrow = (threshold(*marks(count, 2), 0.05) for count in (40, 2000))
    assert narrow.high - narrow.low < wide.high - wide.low


def test_what_cannot_be_told_is_not() -> None:
    rng = np.random.default_rng(0)
    found = threshold(rng.random(100) + 1, rng.random(100) < 0.5, 0.02)
    assert found.distance == 0
    assert found.kept == 0
    assert found.likely == 0


def test_it_refuses_with_a_sentence() -> None:
    distances, similar = marks(50, 0)
    for wrong in (0.0, 0.7):
        with pytest.raises(TwinlensError, match="share"):
            threshold(distances, similar, wrong)
    with pytest.raises(TwinlensError, match="5 marks of each kind, and of one there are 4"):
        threshold(distances[:9], np.arange(9) < 4)


def test_the_interval_holds_the_right_distance_about_as_often_as_it_says() -> None:
    fresh, truth = marks(200_000, 9)
    order = np.argsort(fresh)
    share = np.cumsum(~truth[order]) / np.arange(1, len(order) + 1)
    right = fresh[order][np.flatnonzero(share <= 0.05)[-1]]
    drawn = [threshold(*marks(80, seed), 0.05, seed) for seed in range(100, 140)]
    assert sum(one.low <= right <= one.high for one in drawn) >= 30
    meant = [share[max(0, int(np.searchsorted(fresh[order], one.distance)) - 1)] for one in drawn]
    assert np.mean(meant) == pytest.approx(0.05, abs=0.02)
    assert sum(one.wrong_low <= each <= one.wrong_high for one, each in zip(drawn, meant, strict=True)) >= 30
