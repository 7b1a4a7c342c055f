""""""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.errors import Cancelled
from twinlens.core.exact_search.measure import Measure
from twinlens.core.kernels.dot_product_kernels import Linear
from twinlens.core.learning import marks_wanted
from twinlens.core.learning.metric_choice import LEAST_PAIRS, CrossValidatedChoice, cross_validate, meaningful
from twinlens.core.learning.metric_judgement import pair_distances
from twinlens.core.learning.metric_trial import MetricTrial, splits
from twinlens.core.metrics.itml import Itml
from twinlens.core.metrics.metric import MetricPairs


def photographs(count: int, seed: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Make items of four kinds, told by a few coordinates of many; the others are louder by ``noise``."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 4, count)
    x = rng.standard_normal((count, 40)) * noise
    x[:, :4] = rng.standard_normal((count, 4)) * 0.3 + np.eye(4)[kinds] * 2
    return (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32), kinds


def marked(count: int, seed: int, noise: float) -> tuple[np.ndarray, MetricPairs, np.ndarray]:
    x, kinds = photographs(3 * count, seed, noise)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(3 * count)[: 2 * count].reshape(-1, 2)
    background, _ = photographs(300, seed + 1, noise)
    return x, MetricPairs(rows, kinds[rows[:, 0]] == kinds[rows[:, 1]]), background


def chosen(count: int, noise: float) -> CrossValidatedChoice:
    x, pairs, background = marked(count, 3, noise)
    return cross_validate(x, pairs, background, Measure(Linear()))


@pytest.fixture(scope="module")
def taught() -> CrossValidatedChoice:
    return chosen(100, noise=0.6)


def test_what_marks_can_teach_is_learned(taught: CrossValidatedChoice) -> None:
    assert taught.metric is not None
    assert taught.more == 0
    assert taught.apart
    assert taught.better > 1.5 * taught.worse
    assert taught.best.gain.low > 0
    assert taught.best.metric == taught.metric
    assert taught.earlier == pytest.approx(np.exp(taught.best.gain.mean))
    assert f"in {taught.better} of {taught.of} pairs, later in {taught.worse}." in str(taught.sentence())
    assert taught.tried[0].metric is None
    assert taught.tried[0].gain.mean == 0


def test_what_held_out_pairs_say_before_and_after(taught: CrossValidatedChoice) -> None:
    before, after = taught.before, taught.after
    assert before is not None
    assert after is not None
    assert before.area == taught.tried[0].area
    assert after.area == taught.best.area
    assert after.area.mean > before.area.mean > 0.5
    assert after.accuracy.mean > before.accuracy.mean
    for one in (before.accuracy, before.area, before.recall_at_10, after.accuracy, after.area, after.recall_at_10):
        assert 0 < one.mean < 1
        assert 0 < one.error < 0.2


def test_what_is_chosen_finds_more_of_what_was_never_marked(taught: CrossValidatedChoice) -> None:
    x, pairs, background = marked(100, 3, 0.6)
    assert taught.metric is not None
    assert isinstance(taught.metric, Itml)
    metric = taught.metric.fit(np.concatenate([x, background]), pairs)
    fresh, kinds = photographs(400, 77, 0.6)
    assert precision(metric.apply(fresh), kinds) > precision(fresh, kinds) + 0.03


def precision(x: np.ndarray, kinds: np.ndarray) -> float:
    squared = np.square(x[:, None] - x[None]).sum(axis=2)
    np.fill_diagonal(squared, np.inf)
    return float((kinds[np.argsort(squared, axis=1)[:, :10]] == kinds[:, None]).mean())


def test_what_says_nothing_teaches_nothing() -> None:
    x, pairs, background = marked(40, 5, 1.0)
    adopted = 0
    for seed in range(2):
        guessed = MetricPairs(pairs.rows, np.random.default_rng(seed).random(40) < 0.5)
        found = cross_validate(x, guessed, background, Measure(Linear()), seed=seed)
        adopted += found.metric is not None
        assert (found.more > 0) == (found.metric is None)
        assert found.metric is not None or "Not enough marks yet" in str(found.sentence())
    assert adopted == 0


def test_marks_mean_something_where_similar_pairs_are_nearer_than_different_ones() -> None:
    rows, similar = np.arange(80).reshape(-1, 2), np.arange(40) < 20
    places = np.random.default_rng(1).random(40)
    assert abs(meaningful(places, similar, rows)) < 1.8
    assert meaningful(np.where(similar, places / 2, places), similar, rows) > 1.8
    assert meaningful(np.where(similar, places, places / 2), similar, rows) < -1.8
    assert meaningful(places[similar] / 2, similar[similar], rows[similar]) > 1.8


def test_few_marks_are_not_learned_from() -> None:
    x, pairs, background = marked(LEAST_PAIRS - 3, 3, 0.6)
    found = cross_validate(x, pairs, background, Measure(Linear()))
    assert (found.metric, found.of, found.more) == (None, 0, marks_wanted(len(pairs.rows)))
    x, pairs, background = marked(20, 3, 0.6)
    found = cross_validate(x, MetricPairs(pairs.rows, np.arange(20) < 1), background, Measure(Linear()))
    assert (found.metric, found.of, found.more) == (None, 0, 2)


def test_similar_marks_alone_are_enough() -> None:
    x, pairs, background = marked(100, 3, 0.6)
    alike = MetricPairs(pairs.rows[pairs.similar], pairs.similar[pairs.similar])
    found = cross_validate(x, alike, background, Measure(Linear()))
    assert found.of == len(alike.rows)
    assert found.metric is not None
    assert found.best.area.mean > 0.5


def test_the_marks_of_one_question_are_learned_from() -> None:
    x, kinds = photographs(60, 3, 0.6)
    background, _ = photographs(300, 4, 0.6)
    rows = np.column_stack([np.zeros(40, np.int64), np.arange(1, 41)])
    found = cross_validate(x, MetricPairs(rows, kinds[rows[:, 0]] == kinds[rows[:, 1]]), background, Measure(Linear()))
    assert not found.apart
    assert 0 < found.of == int((kinds[rows[:, 0]] == kinds[rows[:, 1]]).sum())


def test_the_choice_is_the_same_again_and_can_be_cancelled() -> None:
    x, pairs, background = marked(14, 3, 0.6)
    first, again = (cross_validate(x, pairs, background, Measure(Linear()), seed=2) for _ in range(2))
    assert first == again

    def progress(done: float, total: float, text: object) -> None:
        if done > 0.3 * total:
            raise Cancelled

    with pytest.raises(Cancelled):
        cross_validate(x, pairs, background, Measure(Linear()), seed=2, progress=progress)


@pytest.mark.parametrize("rank", [0, 8])
def test_places_are_those_of_the_metric_itself(rank: int) -> None:
    x, pairs, background = marked(30, 6, 0.6)
    order = np.argsort(~pairs.similar, kind="stable")
    pairs = MetricPairs(pairs.rows[order], pairs.similar[order])
    sample, declared = np.arange(100), Itml(prior="similar", rank=rank, slack=0.3)
    trial = MetricTrial.of(x, pairs, background, sample, Measure(Linear()), rank or x.shape[1])
    split = next(splits(pairs, 1, 0))
    learned = MetricPairs(pairs.rows[split.learned], pairs.similar[split.learned])
    metric = declared.fit(np.concatenate([x, background]), learned)
    for measure, places in (
        (metric, trial.places(declared, split, np.zeros((0, 2), np.int64))),
        (Measure(Linear()), trial.places_before(split.judged)),
    ):
        for (pair, side), place in zip(split.judged.tolist(), places.tolist(), strict=True):
            sought, asking = x[pairs.rows[pair, side]], x[pairs.rows[pair, 1 - side]]
            own = measure.distances(asking, sought[None])[0]
            assert place == pytest.approx((measure.distances(asking, background[:100]) < own).mean(), abs=0.011)


def test_pairs_are_measured_one_by_one() -> None:
    x, pairs, _ = marked(20, 1, 0.6)
    metric = Itml().fit(x, pairs)
    found = pair_distances(metric, x, pairs.rows)
    np.testing.assert_array_equal(found, [metric.distances(x[i], x[j : j + 1])[0] for i, j in pairs.rows])
