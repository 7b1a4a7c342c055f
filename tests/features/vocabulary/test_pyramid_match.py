"""Pyramid match: the dense vector against its definition over the tree, and what the sparse form is made of."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.core.kernels.test_pyramid_match_kernel import by_definition
from twinlens.core.errors import TwinlensError
from twinlens.core.kernels.histogram_kernels import Intersection
from twinlens.features.keypoints.sift import Cap, local_features
from twinlens.features.pictures.picture import Picture, PictureFacts
from twinlens.features.vocabulary import vocabulary
from twinlens.features.vocabulary.pyramid_match import BRANCHES, PointExtractor, PyramidMatch, tree_sizes, word_tree
from twinlens.testing.descriptors import never, picture

BLANK = Picture(np.full((60, 80, 3), 90, np.uint8), None, PictureFacts("PNG", 80, 60))


# ---- the tree --------------------------------------------------------------------------------------------------------


def test_bins_lie_within_bins() -> None:
    tree = word_tree(vocabulary.codebook(64), 4, seed=0)
    assert tree.shape == (4, 64)
    np.testing.assert_array_equal(tree[0], np.arange(64))
    for level, size in enumerate(tree_sizes(64, 4)):
        assert set(tree[level]) == set(range(size))
    for finer, coarser in pairwise(tree):
        assert len({(int(a), int(b)) for a, b in zip(finer, coarser, strict=True)}) == len(set(finer))


def test_words_of_a_bin_are_near_to_each_other() -> None:
    words = vocabulary.codebook(64)
    bins = word_tree(words, 2, seed=0)[1]
    squared = np.square(words[:, None] - words[None]).sum(axis=2)
    same = (bins[:, None] == bins[None]) & ~np.eye(64, dtype=bool)
    assert squared[same].mean() < 0.75 * squared[~same].mean()
    assert len(set(bins)) == 64 // BRANCHES


def test_the_tree_is_known_by_its_seed() -> None:
    words = vocabulary.codebook(64)
    np.testing.assert_array_equal(word_tree(words, 4, seed=3), word_tree(words, 4, seed=3))
    assert (word_tree(words, 4, seed=3) != word_tree(words, 4, seed=4)).any()


# ---- the dense vector ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decay", [0.5, 0.8])
def test_intersection_of_two_vectors_is_the_pyramid_match(decay: float) -> None:
    """New matches are counted level by level in the tree's bins, each worth decay^level."""
    how = PyramidMatch(centres=64, levels=4, decay=decay)
    extractor, words = how.fit(never), vocabulary.codebook(64)
    tree = word_tree(words, 4, seed=0)
    both = [picture(seed, 320, 240) for seed in (0, 1)]
    nearest = [
        np.square(local_features(shown, Cap(300)).roots[:, None] - words[None]).sum(axis=2).argmin(axis=1)
        for shown in both
    ]
    total, before = 0.0, 0
    for level in range(4):
        counts = [np.bincount(tree[level][found], minlength=64) for found in nearest]
        now = int(np.minimum(*counts).sum())
        total += decay**level * (now - before)
        before = now
    x, z = (extractor.extract(shown)[None] for shown in both)
    assert Intersection().pairs(x, z)[0] == pytest.approx(total, rel=1e-6)
    lengths = [len(found) for found in nearest]
    assert PyramidMatch.measure.pairs(x, z)[0] == pytest.approx(total / np.sqrt(np.prod(lengths)), rel=1e-6)
    assert Intersection().diagonal(x)[0] == pytest.approx(lengths[0])


def test_more_levels_than_there_are_groups_are_one_bin_each() -> None:
    how = PyramidMatch(centres=64, levels=6)
    assert how.dimensions == 64 + 16 + 4 + 1 + 1 + 1
    vector = how.fit(never).extract(picture())
    assert vector.shape == (how.dimensions,)
    assert vector[-1] == vector[-2] > 0


def test_a_picture_without_keypoints_is_zero() -> None:
    assert not PyramidMatch().fit(never).extract(BLANK).any()


# ---- the sparse form -------------------------------------------------------------------------------------------------


def test_points_keep_what_most_tells_words_apart() -> None:
    words = vocabulary.codebook(64).astype(float)
    extractor = PyramidMatch(centres=64).points(never)
    directions = extractor.steps / 4096
    np.testing.assert_allclose(directions.T @ directions, np.eye(10), atol=2e-3)
    variances = (words @ directions).var(axis=0)
    assert (np.diff(variances) < 0).all()
    singular = np.linalg.svd(words - words.mean(axis=0), compute_uv=False)[:10]
    np.testing.assert_allclose(variances, singular**2 / 64, rtol=1e-2)


def test_the_grid_holds_every_word_and_nearly_every_feature() -> None:
    extractor = PyramidMatch().points(never)
    side = extractor.pyramid.side
    words = extractor.cells(vocabulary.codebook(256))
    assert words.min() > 0
    assert words.max() < side - 1
    cells = extractor.cells(local_features(picture(0, 640, 480), Cap(300)).roots)
    assert ((cells == 0) | (cells == side - 1)).mean() < 0.01
    assert len(np.unique(cells, axis=0)) > 0.8 * len(np.unique(local_features(picture(0, 640, 480), 300).roots, axis=0))


def test_pictures_become_sets_whose_rows_match_as_defined() -> None:
    extractor = PyramidMatch(keypoints=100).points(never)
    kept = [extractor.extract(picture(seed)).astype(np.float16) for seed in (0, 1)]
    x, z = (extractor.cells_in(one) for one in kept)
    assert x.shape[1] == 10
    np.testing.assert_array_equal(x, extractor.cells(local_features(picture(0), Cap(100)).roots))
    rows = extractor.pyramid.rows([x, z]).astype(np.float64)
    shared = np.intersect1d(rows[[0]].indices, rows[[1]].indices, return_indices=True)
    product = rows[[0]].data[shared[1]] @ rows[[1]].data[shared[2]]
    assert product == pytest.approx(by_definition(x, z, 5), abs=1e-6)
    assert extractor.cells_in(extractor.extract(BLANK)).shape == (0, 10)


def test_the_same_words_give_the_same_points_after_storage() -> None:
    extractor = PyramidMatch(centres=64).points(never)
    again = PointExtractor.unpack(extractor.pack())
    np.testing.assert_array_equal(again.extract(picture()), extractor.extract(picture()))
    assert PyramidMatch(centres=64).points(never).pack().digest() == extractor.pack().digest()


def test_more_components_than_words_have_is_a_sentence() -> None:
    with pytest.raises(TwinlensError, match="8 visual words have 7 components, not 10"):
        PointExtractor.of(vocabulary.codebook(64)[:8], 10, 5, 0.5, Cap(300))
    with pytest.raises(TwinlensError, match="distinguished"):
        PyramidMatch(levels=7).points(never)
