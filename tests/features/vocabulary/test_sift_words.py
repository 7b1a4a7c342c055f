"""Bags of visual words: coding, pooling and the spatial pyramid, against plain references."""

from __future__ import annotations

import numpy as np
import pytest

from twinlens.core.arrays import Float32Matrix
from twinlens.features.keypoints.sift import Cap, local_features, root_sift
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.query.query_variants import mirrored
from twinlens.features.vocabulary import vocabulary
from twinlens.features.vocabulary.sift_words import (
    SiftWords,
    cells,
    cells_of,
    level_weights,
    llc,
    nearest_words,
    pooled,
)
from twinlens.testing.declarations import blas_threads
from twinlens.testing.descriptors import never, picture


def features(n: int, seed: int = 0) -> Float32Matrix:
    return root_sift(np.random.default_rng(seed).exponential(10, (n, 128)).astype(np.float32) ** 1.5)


# ---- coding ----------------------------------------------------------------------------------------------------------


def test_words_are_the_nearest_in_order() -> None:
    x, words = features(40), features(30, seed=1)
    distances = np.square(x[:, None].astype(float) - words[None]).sum(axis=2)
    np.testing.assert_array_equal(nearest_words(x, words, 5), np.argsort(distances, axis=1, kind="stable")[:, :5])
    twice = np.concatenate([words, words])
    np.testing.assert_array_equal(nearest_words(x, twice, 1)[:, 0], distances.argmin(axis=1))


def test_llc_minimises_the_error_of_reconstruction_under_its_constraint() -> None:
    """By Lagrange's multiplier, a system of one equation more, for each feature alone."""
    x, words = features(12), features(30, seed=1)
    codes = llc(x, words, 5)
    for feature, code in zip(x.astype(float), codes, strict=True):
        near = np.argsort(np.square(words - feature).sum(axis=1))[:5]
        assert set(np.flatnonzero(code)) <= set(near)
        towards = words[near].astype(float) - feature
        gram = towards @ towards.T
        system = np.zeros((6, 6))
        system[:5, :5] = 2 * (gram + 1e-4 * np.trace(gram) * np.eye(5))
        system[5, :5] = system[:5, 5] = 1
        np.testing.assert_allclose(code[near], np.linalg.solve(system, [0] * 5 + [1])[:5], atol=1e-5)
        other = code[near] + [0.05, -0.05, 0, 0, 0]
        assert np.square(code[near] @ towards).sum() < np.square(other @ towards).sum()


def test_a_feature_that_is_a_word_is_that_word() -> None:
    words = features(9)
    np.testing.assert_allclose(llc(words[3:4], words, 4)[0], np.eye(9)[3], atol=1e-3)
    np.testing.assert_array_equal(llc(words[3:4], words, 1)[0], np.eye(9)[3])
    np.testing.assert_allclose(llc(features(5, seed=1), words, 64).sum(axis=1), 1, atol=1e-5)
    assert llc(words[:0], words, 4).shape == (0, 9)


def test_codes_do_not_depend_on_threads_nor_on_what_stands_beside() -> None:
    x, words = features(300), vocabulary.codebook(64)
    alone = np.concatenate([llc(x[row : row + 1], words, 5) for row in range(20)])
    for threads in (1, 2):
        with blas_threads(threads):
            np.testing.assert_array_equal(llc(x, words, 5)[:20], alone)


# ---- places ----------------------------------------------------------------------------------------------------------


def test_weights_of_the_levels_are_those_of_the_paper() -> None:
    for levels in (1, 2, 3):
        top = levels - 1
        assert level_weights(levels) == [1 / 2**top, *(1 / 2 ** (top - level + 1) for level in range(1, levels))]
        assert sum(level_weights(levels)) == 1
        assert cells_of(levels) == sum(4**level for level in range(levels))


def test_cells_are_counted_row_by_row() -> None:
    places = np.array([[-0.5, -0.5], [99.4, 0], [0, 49.4], [50, 25], [49, 24], [99.5, 49.5]], np.float32)
    assert cells(places, 50, 100, 1).tolist() == [0, 1, 2, 3, 0, 3]
    assert cells(places, 50, 100, 0).tolist() == [0] * 6
    assert cells(places, 50, 100, 2).tolist() == [0, 3, 12, 10, 5, 15]


@pytest.mark.parametrize("pool", [np.add, np.maximum])
def test_pooling_is_within_each_cell(pool: np.ufunc) -> None:
    rng = np.random.default_rng(0)
    codes, of = rng.standard_normal((50, 7)).astype(np.float32), rng.integers(0, 9, 50)
    of[of == 4] = 5
    made = pooled(codes, of, 9, pool)
    for cell in set(range(9)) - {4}:
        np.testing.assert_allclose(made[cell], pool.reduce(codes[of == cell], axis=0), rtol=1e-5)
    assert not made[4].any()
    assert not pooled(codes[:0], of[:0], 4, pool).any()


# ---- the whole -------------------------------------------------------------------------------------------------------


def test_a_dot_product_is_the_weighted_mean_of_hellinger_kernels_level_by_level() -> None:
    how = SiftWords(centres=64, levels=3)
    extractor, words = how.fit(never), vocabulary.codebook(64)
    both = [picture(seed, 320, 240) for seed in (0, 1)]
    histograms = []
    for shown in both:
        found = local_features(shown, Cap(300))
        levels = []
        for level in range(3):
            counts = np.zeros((2**level, 2**level, 64))
            for (x, y), root in zip(found.places, found.roots, strict=True):
                row, column = int((y + 0.5) / 240 * 2**level), int((x + 0.5) / 320 * 2**level)
                counts[row, column, np.square(words - root).sum(axis=1).argmin()] += 1
            levels.append(counts / counts.sum())
        histograms.append(levels)
    expected = sum(
        weight * np.sqrt(one * other).sum() for weight, one, other in zip((0.25, 0.25, 0.5), *histograms, strict=True)
    )
    vectors = [extractor.extract(shown) for shown in both]
    assert vectors[0] @ vectors[1] == pytest.approx(expected, abs=1e-5)
    assert how.matrix_shape == (21, 64)
    assert SiftWords(levels=1).matrix_shape is None


def test_llc_keeps_the_largest_weight_of_each_word() -> None:
    shown = picture(0, 320, 240)
    codes = llc(local_features(shown, Cap(300)).roots, vocabulary.codebook(64), 3)
    largest = codes.max(axis=0)
    vector = SiftWords(centres=64, levels=1, coding="llc", neighbours=3).fit(never).extract(shown)
    np.testing.assert_allclose(vector, largest / np.linalg.norm(largest), atol=1e-6)


def test_places_tell_a_picture_from_its_mirror_image_where_words_alone_hardly_do() -> None:
    shown, caps = picture(0, 320, 240), [Cap(300)]
    other = mirrored(shown, caps)
    placed, plain = SiftWords(levels=3).fit(never), SiftWords(levels=1).fit(never)
    assert placed.extract(shown) @ placed.extract(other) < plain.extract(shown) @ plain.extract(other)


@pytest.mark.parametrize("coding", ["hard", "llc"])
def test_a_picture_without_keypoints_is_zero(coding: str) -> None:
    blank = Picture(np.full((60, 80, 3), 90, np.uint8), None, PictureFacts("PNG", 80, 60))
    vector = SiftWords(coding=coding, levels=3).fit(never).extract(blank)
    assert vector.shape == (256 * 21,)
    assert not vector.any()
