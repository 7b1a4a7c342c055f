"""What labels and judged pairs tell, also of a part of the items; and that methods keep their contracts with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.hashing.hash_method import Encoder, SupervisedMethod
from twinlens.core.hashing.method_under_metric import under
from twinlens.core.hashing.supervision import Supervision
from twinlens.core.methods import METHODS
from twinlens.core.metrics.metric import MetricPairs
from twinlens.core.metrics.metric_forms import ExplicitMetric
from twinlens.core.progress import Progress, silent
from twinlens.testing.declarations import training_data
from twinlens.testing.methods import METHOD_CONTRACTS, MethodContract

SUPERVISED = [cls for cls in METHODS if issubclass(cls, SupervisedMethod)]


@st.composite
def judged(draw: st.DrawFn) -> tuple[MetricPairs, int]:
    """Draw pairs of a few items, judged at random, each once."""
    n = draw(st.integers(2, 9))
    every = [(one, other) for one in range(n) for other in range(one)]
    rows = draw(st.lists(st.sampled_from(every), min_size=1, unique=True))
    similar = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    return MetricPairs(np.array(rows, np.int64), np.array(similar, bool)), n


@given(judged())
def test_similarities_are_what_pairs_say(given_pairs: tuple[MetricPairs, int]) -> None:
    pairs, n = given_pairs
    known = Supervision.of_pairs(pairs, n)
    rows, found = known.similarities(n, np.random.default_rng(0))
    assert rows.tolist() == np.unique(pairs.rows).tolist()
    np.testing.assert_array_equal(found, found.T)
    assert (np.diag(found) == 1).all() or pairs.similar.all()
    place = {row: number for number, row in enumerate(rows.tolist())}
    for (one, other), similar in zip(pairs.rows.tolist(), pairs.similar, strict=True):
        if not similar:
            assert found[place[one], place[other]] == -1
        else:
            assert known.labels[one] == known.labels[other] >= 0


@given(judged(), st.randoms(use_true_random=False))
def test_a_part_knows_what_is_said_of_it_alone(given_pairs: tuple[MetricPairs, int], chance: Any) -> None:
    pairs, n = given_pairs
    rows = np.array(sorted(chance.sample(range(n), chance.randint(1, n))), np.int64)
    of_part = Supervision.of_pairs(pairs, n).of_rows(rows)
    inside = np.isin(pairs.rows, rows).all(axis=1)
    expected = MetricPairs(np.searchsorted(rows, pairs.rows[inside]), pairs.similar[inside])
    np.testing.assert_array_equal(of_part.labels, Supervision.of_pairs(expected, len(rows)).labels)


@given(st.lists(st.integers(-2, 3), min_size=1, max_size=20), st.integers(1, 4))
def test_so_many_of_each_label_are_drawn(labels: list[int], most: int) -> None:
    known = Supervision.of_labels(np.array(labels), hidden=np.array([0]))
    drawn = known.drawn(most, np.random.default_rng(0)).labels
    there = drawn >= 0
    np.testing.assert_array_equal(drawn[there], known.labels[there])
    for label in np.unique(known.labels[known.labels >= 0]):
        assert (drawn == label).sum() == min(most, (known.labels == label).sum())


@dataclass(frozen=True)
class Taught:
    """A method that is told the labels of whatever it learns from, which the items show."""

    method: SupervisedMethod

    def __getattr__(self, name: str) -> Any:
        return getattr(self.method, name)

    def changed(self, **values: Any) -> Taught:
        """Return it with other parameters."""
        return Taught(self.method.changed(**values))

    def fit(self, x: npt.NDArray[np.float32], progress: Progress = silent) -> Encoder:
        """Learn from labels by the first number of each item."""
        labels = np.nan_to_num(np.asarray(x)[:, 0] * 64).astype(np.int64) % 5
        return self.method.fit_with(x, Supervision.of_labels(labels), progress)


@pytest.mark.parametrize("contract", METHOD_CONTRACTS, ids=lambda contract: contract.__name__)
@pytest.mark.parametrize("cls", SUPERVISED, ids=lambda cls: cls.key)
def test_taught_methods_keep_the_contracts(cls: type[SupervisedMethod], contract: MethodContract) -> None:
    few = {"landmarks": 60} if "landmarks" in cls.model_fields else {}
    contract(Taught(cls(bits=13, **few)))  # type: ignore[arg-type]


@pytest.mark.parametrize("cls", SUPERVISED, ids=lambda cls: cls.key)
def test_what_is_known_reaches_a_method_behind_a_metric(cls: type[SupervisedMethod]) -> None:
    x = training_data(200)
    x[3] = 0
    labels = (x[:, 0] * 4).astype(np.int64) % 3
    method, known = cls(bits=4), Supervision.of_labels(labels)
    metric = ExplicitMetric.of(np.eye(x.shape[1]))
    encoder = under(metric, method).fit_with(x, known)
    np.testing.assert_array_equal(encoder.encode(x), method.fit_with(x, known).encode(x))
