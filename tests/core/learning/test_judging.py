from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.learning.held_out import splits
from core.learning.judging import accuracy, best_threshold, estimate, places, roc_area, standing
from core.learning.next_pairs import pick, usefulness
from core.metrics import Pairs

few = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=12).map(np.array)


@given(few, few)
def test_the_roc_area_counts_pairs(similar: np.ndarray, different: np.ndarray) -> None:
    counted = np.mean([[(s < d) + (s == d) / 2 for d in different] for s in similar])
    assert roc_area(similar, different) == pytest.approx(counted)


@given(few, few)
def test_no_threshold_parts_better(similar: np.ndarray, different: np.ndarray) -> None:
    found = accuracy(similar, different, best_threshold(similar, different))
    assert found >= 0.5
    assert found >= max(accuracy(similar, different, cut) for cut in np.arange(-0.5, 7)) - 1e-12


@given(few, few)
def test_places_count_what_is_smaller(distances: np.ndarray, background: np.ndarray) -> None:
    counted = [((background < d).sum() + (background == d).sum() / 2) / len(background) for d in distances]
    np.testing.assert_allclose(places(distances, background), counted)


@given(few, few)
def test_the_mean_standing_of_either_kind_is_the_roc_area(similar: np.ndarray, different: np.ndarray) -> None:
    distances = np.concatenate([similar, different])
    kind = np.arange(len(distances)) < len(similar)
    found = standing(distances, kind, np.empty(0))
    assert found[kind].mean() == pytest.approx(roc_area(similar, different))
    assert found[~kind].mean() == pytest.approx(roc_area(similar, different))


def test_the_background_stands_for_a_kind_that_has_no_marks() -> None:
    background = np.array([1.0, 2, 3, 4])
    alike = standing(np.array([0.5, 2.5]), np.array([True, True]), background)
    np.testing.assert_allclose(alike, [1, 0.5])
    unlike = standing(np.array([0.5, 2.5]), np.array([False, False]), background)
    np.testing.assert_allclose(unlike, [0, 0.5])


def test_overlapping_splits_are_less_sure_than_as_many_draws() -> None:
    values = np.array([0.6, 0.7, 0.8, 0.7])
    found = estimate(values, judged_share=1 / 3)
    assert found.mean == pytest.approx(0.7)
    assert found.error == pytest.approx(np.sqrt(values.var(ddof=1) * (1 / 4 + 1 / 3)))
    assert found.low < 0.7 < found.high
    assert estimate(values[:1], 0.3).error == np.inf


@given(st.integers(4, 60), st.integers(2, 40), st.integers(0, 1000))
def test_held_out_photographs_are_not_learned_from(count: int, items: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = Pairs(rng.integers(0, items, (count, 2)), rng.random(count) < 0.5)
    drawn = list(splits(pairs, 4, seed))
    assert len(drawn) == 4
    for split, again in zip(drawn, splits(pairs, 4, seed), strict=True):
        np.testing.assert_array_equal(split.judged, again.judged)
        assert split.judged.any()
        assert not (split.judged & split.learned).any()
        held = set(pairs.rows[split.judged].ravel().tolist())
        shared = [len(held & {int(one), int(other)}) for one, other in pairs.rows[split.learned]]
        assert all(one == 0 for one in shared) or not split.apart
    assert not list(splits(Pairs(pairs.rows[:3], pairs.similar[:3]), 4, seed))


def test_one_question_s_marks_still_give_splits() -> None:
    star = Pairs(np.column_stack([np.zeros(20, np.int64), np.arange(1, 21)]), np.arange(20) % 2 == 0)
    for split in splits(star, 5, 0):
        assert not split.apart
        assert split.learned.sum() + split.judged.sum() == 20


def test_the_pairs_to_mark_next_are_unsure_or_disputed() -> None:
    now, before = np.array([0.5, 0.01, 0.99, 0.02]), np.array([0.5, 0.01, 0.99, 0.9])
    useful = usefulness(now, before, threshold=0.5)
    assert np.argmax(useful) == 3
    assert useful[0] > useful[1]
    assert useful[0] > useful[2]
    rows = np.array([[0, 1], [1, 2], [3, 4], [5, 6]])
    np.testing.assert_array_equal(pick(rows, np.array([0.9, 0.8, 0.7, 0.1]), 2), [0, 2])
    np.testing.assert_array_equal(pick(rows, np.ones(4), 9), [0, 2, 3])
