"""Vocabularies of visual words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.features.keypoints.sift import LENGTH, STEP, local_features, root_sift
from twinlens.features.pictures.picture import Picture
from twinlens.features.vocabulary.vocabulary import (
    FEATURES_A_PICTURE,
    DescribedSample,
    assign,
    gather_described,
    gather_features,
    learn_centres,
)
from twinlens.testing.declarations import blas_threads
from twinlens.testing.descriptors import picture

Features = npt.NDArray[np.float32]


def clustered(n: int = 600, groups: int = 6, seed: int = 0) -> tuple[Features, npt.NDArray[np.intp]]:
    """Make features in well separated groups, and which group each is of."""
    rng = np.random.default_rng(seed)
    middles = rng.exponential(1, (groups, LENGTH)) ** 3
    group = rng.integers(0, groups, n)
    return root_sift((middles[group] * rng.uniform(0.9, 1.1, (n, LENGTH)) * 20).astype(np.float32)), group


def squared_error(features: Features, codebook: Features) -> float:
    return float(np.square(features - codebook[assign(features, codebook)]).sum(dtype=np.float64))


def test_assignment_is_to_the_nearest_centre() -> None:
    features, _ = clustered()
    codebook = clustered(40, seed=1)[0]
    distances = np.square(features[:, None].astype(np.float64) - codebook[None].astype(np.float64)).sum(axis=2)
    np.testing.assert_array_equal(assign(features, codebook), distances.argmin(axis=1))


def test_of_equally_near_centres_the_first_is_taken() -> None:
    codebook = clustered(3)[0]
    twice = np.concatenate([codebook, codebook])
    np.testing.assert_array_equal(assign(codebook, twice), np.arange(3))


def test_groups_are_found() -> None:
    features, group = clustered()
    nearest = assign(features, learn_centres(features, 6, seed=0))
    assert len({(int(a), int(b)) for a, b in zip(group, nearest, strict=True)}) == 6


def test_learning_is_as_good_as_scikit_learn() -> None:
    from sklearn.cluster import KMeans

    features = np.concatenate([clustered(400, 40, seed)[0] for seed in range(3)])
    reference = KMeans(30, n_init=3, random_state=0).fit(features.astype(np.float64)).inertia_
    ours = min(squared_error(features, learn_centres(features, 30, seed)) for seed in range(3))
    assert ours <= 1.03 * reference


def test_centres_are_on_the_grid_where_products_are_exact() -> None:
    codebook = learn_centres(clustered()[0], 9, seed=0)
    assert codebook.dtype == np.float32
    np.testing.assert_array_equal(codebook, np.rint(codebook / STEP) * STEP)


def test_the_same_seed_learns_the_same_with_any_threads_and_another_seed_otherwise() -> None:
    features = clustered(3_000, 40)[0]
    first = learn_centres(features, 20, seed=3)
    for threads in (1, 2):
        with blas_threads(threads):
            np.testing.assert_array_equal(learn_centres(features, 20, seed=3), first)
    assert not np.array_equal(learn_centres(features, 20, seed=4), first)


def test_every_centre_is_used_even_if_most_features_are_equal() -> None:
    features = np.concatenate([np.repeat(clustered(1)[0], 5_000, axis=0), clustered(60, 60, seed=2)[0]])
    codebook = learn_centres(features, 8, seed=0)
    assert set(assign(features, codebook)) == set(range(8))


def test_too_few_features_is_a_sentence_with_a_next_step() -> None:
    for features in (np.zeros((0, LENGTH), np.float32), np.repeat(clustered(5)[0], 40, axis=0)):
        with pytest.raises(TwinlensError, match=rf"only {len(np.unique(features, axis=0))} different") as caught:
            learn_centres(features, 6, seed=0)
        assert "ready-made" in str(caught.value.advice)


def test_gathering_draws_so_many_of_each_picture_by_seed() -> None:
    pictures = [picture(seed, 640, 480) for seed in range(3)]
    features = gather_features(pictures, 1000, 3, seed=0, progress=lambda *_: None)
    assert 0 < len(features) <= 3 * FEATURES_A_PICTURE
    np.testing.assert_array_equal(features, gather_features(pictures, 1000, 3, 0, lambda *_: None))
    assert gather_features([], 1000, 3, 0, lambda *_: None).shape == (0, LENGTH)


def test_learning_can_be_cancelled() -> None:
    def stop(done: float, total: float, text: object) -> None:
        if str(text) == "Learning visual words":
            raise Cancelled

    with pytest.raises(Cancelled):
        learn_centres(clustered()[0], 6, seed=0, progress=stop)


@pytest.mark.parametrize("room", [0, 100_000, 10**9])
def test_a_sample_is_described_once_where_there_is_room(room: int) -> None:
    pictures = [picture(seed) for seed in range(3)]
    asked = 0

    def sample() -> list[Picture]:
        nonlocal asked
        asked += 1
        return pictures

    described = DescribedSample(sample, 200, room)
    first, second = list(described), list(described)
    assert asked == (1 if room == 10**9 else 2)
    for one, other, of in zip(first, second, pictures, strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(one.astype(np.float32), local_features(of, 200).roots)
    assert sum(one.nbytes for one in first) > 100_000
    gathered = gather_described(described, 3, 0, lambda *_: None)
    np.testing.assert_array_equal(gathered, gather_features(pictures, 200, 3, 0, lambda *_: None))


def test_a_sample_that_was_not_gone_through_to_the_end_is_gone_through_again() -> None:
    described = DescribedSample(lambda: [picture(seed) for seed in range(3)], 40, 10**9)
    next(iter(described))
    assert len(list(described)) == 3
