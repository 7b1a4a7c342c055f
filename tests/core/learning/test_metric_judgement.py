""""""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.errors import TwinlensError
from twinlens.core.learning.metric_judgement import (
    MeanEstimate,
    background_places,
    best_threshold,
    estimate_mean,
    nearer,
    pick_pairs,
    standing,
    threshold,
    usefulness,
)
from twinlens.core.learning.metric_trial import FOLDS, splits
from twinlens.core.metrics.metric import MetricPairs

few = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=12).map(np.array)


@given(few, few)
def test_nearer_counts_pairs(similar: np.ndarray, different: np.ndarray) -> None:
    counted = np.mean([[(s < d) + (s == d) / 2 for d in different] for s in similar])
    assert nearer(similar, different).mean() == pytest.approx(counted)


def accuracy(similar: np.ndarray, different: np.ndarray, threshold: float) -> float:
    return float(((similar <= threshold).mean() + (different > threshold).mean()) / 2)


@given(few, few)
def test_no_threshold_parts_better(similar: np.ndarray, different: np.ndarray) -> None:
    found = accuracy(similar, different, best_threshold(similar, different))
    assert found >= 0.5
    assert found >= max(accuracy(similar, different, cut) for cut in np.arange(-0.5, 7)) - 1e-12


@given(few, few)
def test_places_count_what_is_smaller(distances: np.ndarray, background: np.ndarray) -> None:
    counted = [((background < d).sum() + (background == d).sum() / 2) / len(background) for d in distances]
    np.testing.assert_allclose(background_places(distances, background), counted)


@given(few, few)
def test_the_mean_standing_of_either_kind_is_the_roc_area(similar: np.ndarray, different: np.ndarray) -> None:
    distances = np.concatenate([similar, different])
    kind = np.arange(len(distances)) < len(similar)
    found = standing(distances, kind, np.empty(0))
    assert found[kind].mean() == pytest.approx(nearer(similar, different).mean())
    assert found[~kind].mean() == pytest.approx(nearer(similar, different).mean())


def test_the_background_stands_for_a_kind_that_has_no_marks() -> None:
    background = np.array([1.0, 2, 3, 4])
    alike = standing(np.array([0.5, 2.5]), np.array([True, True]), background)
    np.testing.assert_allclose(alike, [1, 0.5])
    unlike = standing(np.array([0.5, 2.5]), np.array([False, False]), background)
    np.testing.assert_allclose(unlike, [0, 0.5])


def test_pairs_that_share_no_photograph_count_one_each() -> None:
    values, apart = np.array([0.6, 0.7, 0.8, 0.7]), np.arange(8).reshape(-1, 2)
    found = estimate_mean(values, apart)
    assert found.mean == pytest.approx(0.7)
    assert found.error == pytest.approx(values.std(ddof=1) / 2)
    assert found.low < 0.7 < found.high
    assert found.surely == pytest.approx(found.mean / found.error)
    assert estimate_mean(values, apart, 2).error == pytest.approx(np.sqrt(2) * found.error)
    assert estimate_mean(values[:1], apart[:1]).error == np.inf
    assert (MeanEstimate(0, 0).surely, MeanEstimate(1, 0).surely, MeanEstimate(-1, 0).surely) == (0, np.inf, -np.inf)


def test_pairs_that_share_a_photograph_and_agree_are_less_sure() -> None:
    values = np.array([1.0, 1.0, 0.0, 0.0])
    apart = estimate_mean(values, np.arange(8).reshape(-1, 2))
    agreeing = estimate_mean(values, np.array([(0, 1), (0, 2), (3, 4), (3, 5)]))
    assert agreeing.error == pytest.approx(np.sqrt(2) * apart.error)
    star = estimate_mean(values, np.array([(0, 1), (0, 2), (0, 4), (0, 5)]))
    assert star.error == pytest.approx(apart.error)


@given(st.integers(4, 60), st.integers(2, 40), st.integers(0, 1000))
def test_held_out_photographs_are_not_learned_from(count: int, items: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = MetricPairs(rng.integers(0, items, (count, 2)), rng.random(count) < 0.5)
    drawn = list(splits(pairs, 2, seed))
    assert len(drawn) <= 2 * FOLDS
    for split, again in zip(drawn, splits(pairs, 2, seed), strict=True):
        np.testing.assert_array_equal(split.judged, again.judged)
        held = set(pairs.rows[split.judged[:, 0], split.judged[:, 1]].tolist())
        assert held
        assert not held & set(pairs.rows[split.learned].ravel().tolist())
        assert pairs.similar[split.learned].any()
        kept_back = {pair for pair, _ in split.judged.tolist()}
        assert kept_back == set(np.flatnonzero(~split.learned).tolist())


def test_pairs_that_hang_together_with_no_other_are_held_out_whole() -> None:
    rows = np.arange(80).reshape(-1, 2)
    for split in splits(MetricPairs(rows, np.arange(40) % 2 == 0), 2, 0):
        assert split.learned.sum() == 35
        np.testing.assert_array_equal(np.bincount(split.judged[:, 0], minlength=40), np.where(split.learned, 0, 2))
        assert (pairs_of_a_kind := np.flatnonzero(~split.learned) % 2).sum() in {2, 3}, pairs_of_a_kind


def test_every_photograph_is_held_out_once() -> None:
    rows = np.arange(80).reshape(-1, 2)
    drawn = list(splits(MetricPairs(rows, np.ones(40, bool)), 1, 0))
    held = np.concatenate([rows[split.judged[:, 0], split.judged[:, 1]] for split in drawn])
    assert sorted(held.tolist()) == list(range(80))


def test_one_question_s_marks_still_give_splits() -> None:
    star = MetricPairs(np.column_stack([np.zeros(20, np.int64), np.arange(1, 21)]), np.arange(20) % 2 == 0)
    drawn = list(splits(star, 1, 0))
    assert len(drawn) == FOLDS - 1  # the one where the question itself is held out leaves nothing to learn from
    for split in drawn:
        assert split.learned.sum() + len(split.judged) == 20
        assert (split.judged[:, 1] == 1).all()


def test_marks_without_a_similar_pair_give_none() -> None:
    rows = np.arange(40).reshape(-1, 2)
    assert not list(splits(MetricPairs(rows, np.zeros(20, bool)), 1, 0))
    assert not list(splits(MetricPairs(rows[:0], np.zeros(0, bool)), 1, 0))


def test_the_pairs_to_mark_next_are_unsure_or_disputed() -> None:
    now, before = np.array([0.5, 0.01, 0.99, 0.02]), np.array([0.5, 0.01, 0.99, 0.9])
    useful = usefulness(now, before, threshold=0.5)
    assert np.argmax(useful) == 3
    assert useful[0] > useful[1]
    assert useful[0] > useful[2]
    rows = np.array([[0, 1], [1, 2], [3, 4], [5, 6]])
    np.testing.assert_array_equal(pick_pairs(rows, np.array([0.9, 0.8, 0.7, 0.1]), 2), [0, 2])
    np.testing.assert_array_equal(pick_pairs(rows, np.ones(4), 9), [0, 2, 3])


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
