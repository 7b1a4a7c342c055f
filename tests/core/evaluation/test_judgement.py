"""Answers are judged as plain counting judges them, whoever gave them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.evaluation.judgement import Judgement, QueryTruth, RankedItems, found_among, judge_queries

ITEMS = st.lists(st.integers(0, 30), unique=True, max_size=20)
SETS = st.frozensets(st.integers(0, 30), max_size=8)


def judgement(items: list[int], truth: QueryTruth, depth: int | None = None) -> Judgement:
    return judge_queries(lambda _: RankedItems(np.array(items, np.int64)), [truth], Judgement(depth=depth))


@given(ITEMS, SETS, SETS, SETS, st.booleans())
def test_what_is_found_is_counted_among_what_counts(
    items: list[int], right: frozenset[int], wrong: frozenset[int], beside: frozenset[int], any_right: bool
) -> None:
    right, wrong = right - beside, wrong - beside - right
    found = judgement(items, QueryTruth(right, wrong, beside, any_right))
    means = found.values()
    counted = [one for one in items if one not in beside]
    for first in (1, 10) if right else ():
        there = [one for one in counted[:first] if one in right]
        assert means[f"found@{first}"] == (bool(there) if any_right else len(there) / min(first, len(right)))
        most = min(first, len(right))
        assert means[f"precision@{first}"] == sum(one in right for one in counted[:most]) / most
    assert ("found@1" in means) == bool(right)
    ranks = [rank for rank, one in enumerate(counted, 1) if one in right]
    assert found.reciprocal_rank == (1 / ranks[0] if ranks else 0)
    assert means.get("wrong") == (len(wrong & set(counted[:10])) / len(wrong) if wrong else None)


def test_what_is_beside_does_not_count_and_depth_ends_the_results() -> None:
    right, beside = frozenset({1, 2}), frozenset({7})
    assert judgement([7, 8, 1], QueryTruth(right, beside=beside)).places == [1]
    assert judgement([7, 2, 1], QueryTruth(right, beside=beside)).places == [0]
    assert judgement([7, 8], QueryTruth(right, beside=beside)).places == [None]
    assert judgement([*range(3, 103), 1], QueryTruth(right), 100).places == [None]
    assert judgement([*range(3, 103), 1], QueryTruth(right)).places == [100]
    assert found_among(np.array([5]), QueryTruth(frozenset(range(30))), 10) == 0.1


@given(st.lists(st.integers(0, 6), min_size=1, max_size=12), st.lists(st.integers(0, 6), min_size=1, max_size=12))
def test_results_as_near_as_the_true_ones_overlap(found: list[int], true: list[int]) -> None:
    near, last = np.sort(np.array(found, np.float64)), np.sort(np.array(true, np.float64))
    answer = RankedItems(np.arange(len(near)), near)
    relevance_given = judge_queries(lambda _: answer, [QueryTruth(true=last)], Judgement(near={10: []})).overlap[10]
    of = min(10, len(last))
    assert relevance_given == pytest.approx(min(sum(one <= last[of - 1] for one in near[:10]), of) / of)
