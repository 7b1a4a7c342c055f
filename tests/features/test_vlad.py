"""VLAD: residuals, normalisations, and the vocabularies that come along."""

from __future__ import annotations

import numpy as np
import pytest

from core.errors import TwinlensError
from features import ready_made
from features.residuals import residual_sums, vlad
from features.sift import LENGTH, STEP, local_features
from features.vlad import Vlad
from features.vocabulary import assign
from tests.features.descriptor_contracts import never, picture
from tests.features.test_vocabulary import clustered

FEATURES = clustered(500, 40)[0]
CODEBOOK = clustered(16, 16, seed=1)[0]


def test_residuals_are_those_of_the_definition() -> None:
    expected = np.zeros(CODEBOOK.shape)
    for feature, nearest in zip(FEATURES, assign(FEATURES, CODEBOOK), strict=True):
        expected[nearest] += feature.astype(np.float64) - CODEBOOK[nearest]
    np.testing.assert_array_equal(residual_sums(FEATURES, CODEBOOK), expected)


def test_the_order_of_the_features_makes_no_difference() -> None:
    order = np.random.default_rng(0).permutation(len(FEATURES))
    np.testing.assert_array_equal(residual_sums(FEATURES[order], CODEBOOK), residual_sums(FEATURES, CODEBOOK))


def test_no_feature_is_zero() -> None:
    assert not vlad(np.zeros((0, LENGTH), np.float32), CODEBOOK, 0.5, intra=True).any()


def test_a_feature_on_its_centre_leaves_nothing_over() -> None:
    assert not vlad(CODEBOOK, CODEBOOK, 0.5, intra=True).any()


@pytest.mark.parametrize("power", [0.2, 0.5, 1.0])
@pytest.mark.parametrize("intra", [True, False])
def test_normalisations_are_those_of_the_papers(power: float, intra: bool) -> None:
    sums = residual_sums(FEATURES, CODEBOOK).astype(np.float64)
    if intra:
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        sums = np.divide(sums, lengths, out=np.zeros_like(sums), where=lengths > 0)
    sums = np.sign(sums) * np.abs(sums) ** power
    found = vlad(FEATURES, CODEBOOK, power, intra)
    np.testing.assert_allclose(found, sums / np.linalg.norm(sums), atol=1e-6)
    assert np.linalg.norm(found) == pytest.approx(1, abs=1e-6)


def test_every_word_has_the_same_weight() -> None:
    lengths = np.linalg.norm(vlad(FEATURES, CODEBOOK, 1, intra=True), axis=1)
    seen = lengths > 0
    assert 1 < seen.sum() <= len(CODEBOOK)
    np.testing.assert_allclose(lengths[seen], 1 / np.sqrt(seen.sum()), rtol=1e-5)


def test_a_row_of_the_matrix_is_a_word() -> None:
    one = Vlad()
    extractor = one.fit(never)
    codebook = ready_made.codebook(one.centres)
    roots = local_features(picture(), one.keypoints).roots
    matrix = extractor.extract(picture()).reshape(one.matrix_shape)
    np.testing.assert_array_equal(matrix.any(axis=1), residual_sums(roots, codebook).any(axis=1))


@pytest.mark.parametrize("centres", [64, 256])
def test_the_vocabularies_that_come_along(centres: int) -> None:
    codebook = ready_made.codebook(centres)
    assert codebook.shape == (centres, LENGTH)
    assert codebook.dtype == np.float32
    np.testing.assert_array_equal(codebook, np.rint(codebook / STEP) * STEP)
    # Means of vectors of length 1 that are not all alike.
    lengths = np.linalg.norm(codebook, axis=1)
    assert ((lengths > 0.5) & (lengths < 1)).all()
    assert len(np.unique(codebook, axis=0)) == centres


def test_one_that_does_not_come_along_says_which_do() -> None:
    with pytest.raises(TwinlensError, match="65 centres") as caught:
        Vlad(centres=65).fit(never)
    assert "64 and 256" in caught.value.sentence
    assert "vocabulary=own" in caught.value.next_step
