"""Late fusion, against plain sums, and what holds for every way to fuse."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.search.late_fusion import (
    FUSIONS,
    RANK_CONSTANT,
    Fused,
    RankedList,
    borda,
    reciprocal_rank,
    similarity_sum,
)

Plain = Sequence[tuple[int, float]]

similarities = st.integers(0, 64).map(lambda parts: parts / 64)
plain_lists = st.lists(
    st.dictionaries(st.integers(1, 12), similarities, max_size=9).map(
        lambda found: sorted(found.items(), key=lambda one: (-one[1], one[0]))
    ),
    min_size=1,
    max_size=4,
)
some_weights = st.lists(st.sampled_from([0.1, 0.25, 1.0, 3.0]), min_size=4, max_size=4)
ways = st.sampled_from(sorted(FUSIONS))


def listed(plain: Plain) -> RankedList:
    return RankedList(np.array([key for key, _ in plain], np.int64), np.array([one for _, one in plain], np.float64))


def fuse(way: str, lists: Sequence[Plain], weights: Sequence[float] | None = None) -> Fused:
    return FUSIONS[way]([listed(one) for one in lists], weights)


def by_reciprocal_rank(lists: Sequence[Plain], key: int, place: int) -> Fraction:
    ranks = [rank for rank, (other, _) in enumerate(lists[place], 1) if other == key]
    return Fraction(1, RANK_CONSTANT + ranks[0]) if ranks else Fraction(0)


def by_borda(lists: Sequence[Plain], key: int, place: int) -> Fraction:
    count = len({other for one in lists for other, _ in one})
    ranked = [other for other, _ in lists[place]]
    if key in ranked:
        return Fraction(count - ranked.index(key))
    left = range(1, count - len(ranked) + 1)
    return Fraction(sum(left), len(left))


def by_similarity(lists: Sequence[Plain], key: int, place: int) -> Fraction:
    return Fraction(dict(lists[place]).get(key, 0.0))


REFERENCES: dict[str, Callable[[Sequence[Plain], int, int], Fraction]] = {
    "rrf": by_reciprocal_rank,
    "borda": by_borda,
    "similarity": by_similarity,
}


def test_every_way_has_a_reference() -> None:
    assert set(REFERENCES) == set(FUSIONS)


@given(lists=plain_lists, weights=some_weights, way=ways)
def test_scores_are_the_plain_sums(lists: list[Plain], weights: list[float], way: str) -> None:
    weights = weights[: len(lists)]
    fused = fuse(way, lists, weights)
    every = {key for one in lists for key, _ in one}
    plain = {
        key: sum(Fraction(weights[place]) * REFERENCES[way](lists, key, place) for place in range(len(lists)))
        for key in every
    }
    assert sorted(fused.ids.tolist()) == sorted(every)
    for key, score in zip(fused.ids.tolist(), fused.scores.tolist(), strict=True):
        assert score == pytest.approx(float(plain[key]), rel=1e-12, abs=1e-15)
        assert score <= fused.best * (1 + 1e-12)
    pairs = list(zip((-fused.scores).tolist(), fused.ids.tolist(), strict=True))
    assert pairs == sorted(pairs)


@given(lists=plain_lists, weights=some_weights, way=ways, shuffler=st.randoms())
def test_the_order_of_the_lists_makes_no_difference(
    lists: list[Plain], weights: list[float], way: str, shuffler: random.Random
) -> None:
    places = list(range(len(lists)))
    shuffler.shuffle(places)
    one = fuse(way, lists, weights[: len(lists)])
    other = fuse(way, [lists[place] for place in places], [weights[place] for place in places])
    np.testing.assert_array_equal(one.ids, other.ids)
    np.testing.assert_array_equal(one.scores, other.scores)
    assert one.best == other.best


@given(plain=plain_lists.map(lambda lists: lists[0]), way=ways)
def test_one_list_stays_in_its_order(plain: Plain, way: str) -> None:
    fused = fuse(way, [plain])
    assert fused.ids.tolist() == [key for key, _ in plain]


@given(lists=plain_lists, way=ways, weights=some_weights)
def test_a_list_without_weight_adds_no_more_than_its_items(lists: list[Plain], way: str, weights: list[float]) -> None:
    weights = [*weights[: len(lists)], 0.0]
    silent = [(key, 0.5) for one in lists for key, _ in one]
    silent = list(dict(silent).items())  # the same items: Borda's points depend on how many there are
    fused, without = fuse(way, [*lists, silent], weights), fuse(way, lists, weights[:-1])
    np.testing.assert_array_equal(fused.ids, without.ids)
    np.testing.assert_array_equal(fused.scores, without.scores)


@given(lists=plain_lists, way=ways, weights=some_weights)
def test_weights_count_by_their_ratios_alone(lists: list[Plain], way: str, weights: list[float]) -> None:
    weights = weights[: len(lists)]
    fused = fuse(way, lists, weights)
    doubled = fuse(way, lists, [2 * weight for weight in weights])
    np.testing.assert_array_equal(fused.ids, doubled.ids)
    np.testing.assert_array_equal(2 * fused.scores, doubled.scores)


@given(lists=plain_lists.filter(lambda lists: bool(lists[0])), way=ways)
def test_what_is_first_everywhere_is_first(lists: list[Plain], way: str) -> None:
    top = lists[0][0][0]
    lists = [[(top, 1.0), *((key, one) for key, one in plain if key != top)] for plain in lists]
    fused = fuse(way, lists)
    tied = fused.ids[fused.scores == fused.scores[0]].tolist()  # similarities of 1 may be many
    assert top in tied
    assert fused.scores[0] == pytest.approx(fused.best)


def test_rank_fusion_is_that_of_the_paper() -> None:
    one, other = listed([(5, 0.9), (6, 0.8)]), listed([(6, 0.3)])
    fused = reciprocal_rank([one, other])
    assert fused.ids.tolist() == [6, 5]
    assert fused.scores.tolist() == pytest.approx([1 / 62 + 1 / 61, 1 / 61])


def test_empty_lists_give_an_empty_one() -> None:
    for fused in (reciprocal_rank([listed([])]), borda([listed([])] * 2), similarity_sum([listed([])])):
        assert fused.ids.tolist() == fused.scores.tolist() == []


@pytest.mark.parametrize("weights", [[], [1.0], [1.0, -1.0], [0.0, 0.0], [float("nan"), 1.0]])
def test_weights_that_do_not_fit_are_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        fuse("rrf", [[(1, 1.0)], [(2, 1.0)]], weights)


def test_a_list_in_which_an_id_stands_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        listed([(1, 0.5), (1, 0.4)])
    with pytest.raises(ValueError, match="similarities"):
        RankedList(np.array([1, 2]), np.array([0.5]))
