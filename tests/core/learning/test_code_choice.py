"""A supervised method is told apart from the same bits without marks, and marks made at random are not believed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.core.methods.test_supervised_itq import kinds
from twinlens.core.learning.code_choice import cross_validate_codes
from twinlens.core.methods.supervised_itq import LdaItq
from twinlens.core.metrics.metric import MetricPairs

METHOD = LdaItq(bits=8)


def pairs_of(labels: np.ndarray[tuple[int], np.dtype[np.int64]], count: int) -> MetricPairs:
    rows = np.random.default_rng(1).integers(0, len(labels), (40 * count, 2))
    rows = rows[rows[:, 0] < rows[:, 1]]
    same = labels[rows[:, 0]] == labels[rows[:, 1]]
    rows = np.concatenate([rows[same][:count], rows[~same][:count]])
    return MetricPairs(rows, labels[rows[:, 0]] == labels[rows[:, 1]])


def test_marks_of_real_kinds_bring_similar_photographs_forward() -> None:
    x, labels = kinds(600)
    choice = cross_validate_codes(x[:120], pairs_of(labels[:120], 80), x[120:], METHOD)
    assert choice.metric == METHOD
    assert choice.earlier > 1.2
    assert choice.better > choice.worse
    assert choice.before is not None
    assert choice.after is not None
    assert choice.after.area.mean > choice.before.area.mean


def test_marks_made_at_random_bring_nothing() -> None:
    x, _ = kinds(600)
    by_chance = np.random.default_rng(3).integers(0, 6, 120)
    choice = cross_validate_codes(x[:120], pairs_of(by_chance, 80), x[120:], METHOD)
    assert choice.metric is None
    assert "Not enough marks yet" in str(choice.sentence())


@pytest.mark.parametrize("count", [0, 2])
def test_too_few_marks_say_how_many_more(count: int) -> None:
    x, labels = kinds(200)
    choice = cross_validate_codes(x[:60], pairs_of(labels[:60], count), x[60:], METHOD)
    assert (choice.metric, choice.of) == (None, 0)
    assert choice.more > 0
