"""Parting a table into what asks, what is searched and what is known; pairs of what is known; and the vote."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.errors import TwinlensError
from twinlens.core.evaluation.measures import by_count
from twinlens.core.evaluation.voting import Voting, hashed, linear, pairs_among, partition
from twinlens.core.methods.lsh import Lsh
from twinlens.core.search.linear_scan import Scan
from twinlens.core.search.permuted_lists import Permuted


@given(st.lists(st.integers(0, 4), min_size=15, max_size=120), st.integers(1, 9), st.integers(1, 9), st.integers(0, 99))
def test_parts_cover_the_table_and_keep_to_their_numbers(some: list[int], labelled: int, asked: int, seed: int) -> None:
    labels = np.array(some)
    found = partition(labels, labelled, asked, seed)
    assert np.array_equal(np.union1d(found.base, found.queries), np.arange(len(labels)))
    assert not np.intersect1d(found.base, found.queries).size
    assert np.isin(found.labelled, found.base).all()
    for label in np.unique(labels):
        size = int((labels == label).sum())
        asking = int((labels[found.queries] == label).sum())
        assert asking == min(asked, size // 3)
        assert int((labels[found.labelled] == label).sum()) == min(labelled, (size - asking) // 2)
    again = partition(labels, labelled, asked, seed)
    assert np.array_equal(found.queries, again.queries)
    assert np.array_equal(found.labelled, again.labelled)


def test_what_must_be_searched_never_asks() -> None:
    labels = np.arange(90) % 3
    searched = np.arange(30)
    found = partition(labels, 5, 30, 0, searched)
    assert not np.intersect1d(found.queries, searched).size
    assert len(found.queries) == 30  # a third of each class, though a third of each may not ask
    with pytest.raises(TwinlensError, match="No label"):
        partition(np.arange(10), 5, 5, 0)


def test_pairs_are_different_and_a_smaller_number_is_among_a_larger() -> None:
    labels = np.repeat(np.arange(4), 10)
    rows = np.arange(1, 40, 2)
    many, few = pairs_among(labels, rows, 60, 3), pairs_among(labels, rows, 20, 3)
    assert np.isin(many.rows, rows).all()
    assert (many.rows[:, 0] < many.rows[:, 1]).all()
    assert len({tuple(pair) for pair in many.rows.tolist()}) == 60
    assert np.array_equal(labels[many.rows[:, 0]] == labels[many.rows[:, 1]], many.similar)
    assert many.similar.sum() == 30
    assert {tuple(pair) for pair in few.rows.tolist()} < {tuple(pair) for pair in many.rows.tolist()}
    every = pairs_among(labels, rows, 10_000, 3)
    assert len(every.rows) == 20 * 19 // 2
    with pytest.raises(TwinlensError, match="do not give pairs"):
        pairs_among(np.zeros(40, np.int64), rows, 10, 0)


@pytest.fixture
def asked() -> Voting:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 260)
    x = (rng.standard_normal((260, 6)) + 1.5 * np.eye(6)[labels]).astype(np.float32)
    return Voting(x[:200], x[200:], labels[:200], labels[200:], 4)


def test_the_linear_vote_is_that_of_plain_numpy(asked: Voting) -> None:
    rates = []
    for label in range(3):
        right = []
        for query in asked.queries[asked.query_labels == label]:
            near = np.argsort(((asked.base - query) ** 2).sum(axis=1), kind="stable")[:4]
            votes = np.bincount(asked.labels[near], minlength=3)
            winners = np.flatnonzero(votes == votes.max())
            sums = [((asked.base[near][asked.labels[near] == one] - query) ** 2).sum() for one in winners]
            right.append(winners[int(np.argmin(sums))] == label)
        rates.append(np.mean(right))
    found = linear(asked)
    assert found.values["accuracy"] == pytest.approx(np.mean(rates))
    assert (found.values["looked_at"], by_count(found.values, "overlap@")) == (200, {"4": 1.0})


def test_the_hashed_vote_is_the_linear_one_where_everything_is_looked_at(asked: Voting) -> None:
    lists = Permuted(lists=6)
    everything, few = hashed(asked, Lsh(bits=64), [Scan(), lists])
    assert everything.values["accuracy"] == linear(asked).values["accuracy"]
    assert (everything.values["looked_at"], everything.values["overlap@4"]) == (200, 1.0)
    assert few.values["looked_at"] == pytest.approx(2 * 6)
    assert 0.2 < few.values["overlap@4"] < 1
    assert few.values["seconds search"] > 0
    assert (few.values["bytes codes"], few.values["bytes search"] > 0) == (200 * 8, True)
