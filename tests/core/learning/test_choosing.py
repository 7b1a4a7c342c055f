from __future__ import annotations

import numpy as np
import pytest

from core.errors import Cancelled
from core.kernels import Linear
from core.learning.choosing import LEAST_PAIRS, Choice, choose, pair_distances
from core.measure import Measure
from core.metrics import Itml, Pairs


def photographs(count: int, seed: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Make items of four kinds, told by a few coordinates of many; the others are louder by ``noise``."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, 4, count)
    x = rng.standard_normal((count, 40)) * noise
    x[:, :4] = rng.standard_normal((count, 4)) * 0.3 + np.eye(4)[kinds] * 2
    return (x / np.linalg.norm(x, axis=1, keepdims=True)).astype(np.float32), kinds


def marked(count: int, seed: int, noise: float) -> tuple[np.ndarray, Pairs, np.ndarray]:
    x, kinds = photographs(3 * count, seed, noise)
    rng = np.random.default_rng(seed)
    rows = rng.permutation(3 * count)[: 2 * count].reshape(-1, 2)
    background, _ = photographs(300, seed + 1, noise)
    return x, Pairs(rows, kinds[rows[:, 0]] == kinds[rows[:, 1]]), background


def chosen(count: int, noise: float) -> Choice:
    x, pairs, background = marked(count, 3, noise)
    return choose(x, pairs, background, Measure(Linear()))


def test_what_marks_can_teach_is_learned() -> None:
    found = chosen(120, noise=0.6)
    assert found.metric is not None
    assert found.more == 0
    assert found.apart
    assert found.better > 1.5 * found.worse
    assert found.best.gain.low > 0
    assert found.best.metric == found.metric
    assert found.sentence() == f"Better on {found.better} of {found.of} held-out pairs, worse on {found.worse}."
    assert found.tried[0].metric is None
    assert found.tried[0].gain.mean == 0


def test_what_says_nothing_teaches_nothing() -> None:
    x, pairs, background = marked(60, 5, 1.0)
    guessed = Pairs(pairs.rows, np.random.default_rng(0).random(60) < 0.5)
    found = choose(x, guessed, background, Measure(Linear()), seed=1)
    assert found.metric is None
    assert found.more > 0
    assert "Not enough marks yet" in found.sentence()


def test_few_marks_are_not_learned_from() -> None:
    x, pairs, background = marked(LEAST_PAIRS - 3, 3, 0.6)
    found = choose(x, pairs, background, Measure(Linear()))
    assert (found.metric, found.of, found.more) == (None, 0, 3)


def test_similar_marks_alone_are_enough() -> None:
    x, pairs, background = marked(240, 3, 0.6)
    alike = Pairs(pairs.rows[pairs.similar], pairs.similar[pairs.similar])
    found = choose(x, alike, background, Measure(Linear()))
    assert found.of == len(alike.rows)
    assert found.best.area.mean > 0.5


def test_the_choice_is_the_same_again_and_can_be_cancelled() -> None:
    x, pairs, background = marked(30, 3, 0.6)
    first, again = (choose(x, pairs, background, Measure(Linear()), seed=2) for _ in range(2))
    assert first == again

    def progress(done: float, total: float, text: str) -> None:
        if done > 0.3 * total:
            raise Cancelled

    with pytest.raises(Cancelled):
        choose(x, pairs, background, Measure(Linear()), seed=2, progress=progress)


def test_pairs_are_measured_one_by_one() -> None:
    x, pairs, _ = marked(20, 1, 0.6)
    metric = Itml().fit(x, pairs)
    found = pair_distances(metric, x, pairs.rows)
    np.testing.assert_array_equal(found, [metric.distances(x[i], x[j : j + 1])[0] for i, j in pairs.rows])
