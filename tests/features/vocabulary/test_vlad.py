"""VLAD: residuals, normalisations, and the vocabularies that come along."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from tests.features.vocabulary.test_vocabulary import clustered
from twinlens.core.errors import TwinlensError
from twinlens.features.keypoints.sift import LENGTH, STEP, local_features
from twinlens.features.vocabulary import vocabulary
from twinlens.features.vocabulary.vlad import AXES_STEPS, Vlad, VladExtractor, learn_axes, residual_sums, vlad
from twinlens.features.vocabulary.vocabulary import assign
from twinlens.testing.declarations import blas_threads
from twinlens.testing.descriptors import never, picture, sample

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
    codebook = vocabulary.codebook(one.centres)
    roots = local_features(picture(), one.keypoints).roots
    matrix = extractor.extract(picture()).reshape(one.matrix_shape)
    np.testing.assert_array_equal(matrix.any(axis=1), residual_sums(roots, codebook).any(axis=1))


@pytest.mark.parametrize("centres", [64, 256])
def test_the_vocabularies_that_come_along(centres: int) -> None:
    codebook = vocabulary.codebook(centres)
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
    assert "64 and 256" in str(caught.value.message)
    assert "vocabulary=own" in str(caught.value.advice)


def unit_residuals() -> dict[int, list[npt.NDArray[np.float64]]]:
    """Return the residuals of each word, of length 1, by the definition."""
    found: dict[int, list[npt.NDArray[np.float64]]] = {word: [] for word in range(len(CODEBOOK))}
    for feature, nearest in zip(FEATURES, assign(FEATURES, CODEBOOK), strict=True):
        residual = feature.astype(np.float64) - CODEBOOK[nearest]
        found[int(nearest)].append(residual / np.linalg.norm(residual))
    return found


def test_normalised_residuals_count_the_same_each() -> None:
    expected = np.zeros(CODEBOOK.shape)
    for word, residuals in unit_residuals().items():
        expected[word] = sum(residuals)
    sums = residual_sums(FEATURES, CODEBOOK, normalised=True)
    np.testing.assert_allclose(sums, expected, atol=STEP / 2 * np.bincount(assign(FEATURES, CODEBOOK)).max())
    order = np.random.default_rng(0).permutation(len(FEATURES))
    np.testing.assert_array_equal(residual_sums(FEATURES[order], CODEBOOK, normalised=True), sums)
    assert not residual_sums(CODEBOOK, CODEBOOK, normalised=True).any()


@pytest.mark.parametrize("normalised", [True, False])
def test_axes_are_the_principal_ones_of_each_word(normalised: bool) -> None:
    axes = learn_axes(FEATURES, CODEBOOK, normalised) / AXES_STEPS
    nearest = assign(FEATURES, CODEBOOK)
    for word in range(len(CODEBOOK)):
        np.testing.assert_allclose(axes[word].T @ axes[word], np.eye(LENGTH), atol=0.01)
        assert (np.linalg.norm(axes[word], axis=0) <= 1).all()
        mine = FEATURES[nearest == word].astype(np.float64) - CODEBOOK[word]
        if normalised and len(mine):
            mine /= np.linalg.norm(mine, axis=1, keepdims=True)
        along = np.square(mine @ axes[word]).sum(axis=0)
        singular = np.zeros(LENGTH)
        if len(mine):
            values = np.linalg.svd(mine, compute_uv=False) ** 2
            singular[: len(values)] = values[:LENGTH]
        np.testing.assert_allclose(along, singular, atol=0.01 * (1e-9 + singular.sum()))


def test_the_power_law_is_applied_along_the_axes() -> None:
    axes = learn_axes(FEATURES, CODEBOOK, normalised=False)
    sums = residual_sums(FEATURES, CODEBOOK).astype(np.float64)
    turned = np.einsum("kd,kde->ke", sums, axes / AXES_STEPS)
    for power, intra in ((0.5, True), (0.5, False)):
        rows = turned
        if intra:
            lengths = np.linalg.norm(rows, axis=1, keepdims=True)
            rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
        rows = np.sign(rows) * np.abs(rows) ** power
        found = vlad(FEATURES, CODEBOOK, power, intra, axes=axes)
        assert float((found * rows).sum() / np.linalg.norm(rows)) > 0.99
        assert np.linalg.norm(found) == pytest.approx(1, abs=1e-6)


def test_turning_alone_changes_no_likeness() -> None:
    axes = learn_axes(FEATURES, CODEBOOK, normalised=False)
    halves = FEATURES[::2], FEATURES[1::2]
    plain, turned = (
        [vlad(half, CODEBOOK, 1, intra=True, axes=given).ravel() for half in halves] for given in (None, axes)
    )
    assert plain[0] @ plain[1] == pytest.approx(turned[0] @ turned[1], abs=0.01)


def test_turning_is_exact_with_any_threads() -> None:
    axes = learn_axes(FEATURES, CODEBOOK, normalised=False)
    one = vlad(FEATURES, CODEBOOK, 1, intra=True, axes=axes)
    for threads in (1, 2):
        with blas_threads(threads):
            np.testing.assert_array_equal(vlad(FEATURES, CODEBOOK, 1, intra=True, axes=axes.astype(np.float32)), one)


def test_several_vocabularies_stand_side_by_side() -> None:
    other = clustered(16, 16, seed=2)[0]
    both = vlad(FEATURES, np.concatenate([CODEBOOK, other]), 0.5, intra=True, vocabularies=2)
    apart = [vlad(FEATURES, book, 0.5, intra=True) for book in (CODEBOOK, other)]
    np.testing.assert_allclose(both, np.concatenate(apart) / np.sqrt(2), atol=1e-6)


def test_several_vocabularies_are_learned_and_differ() -> None:
    one = Vlad(vocabulary="own", centres=4, vocabularies=3, samples=12, local_coordinates=True)
    extractor = one.fit(sample)
    assert one.matrix_shape == (12, LENGTH)
    assert extractor.extract(picture()).shape == (one.dimensions,)
    assert len(np.unique(extractor.codebook, axis=0)) == 12
    assert extractor.axes is not None
    assert extractor.axes.shape == (12, LENGTH, LENGTH)
    with pytest.raises(TwinlensError, match="One vocabulary at a time") as caught:
        Vlad(vocabularies=2).fit(never)
    assert "vocabulary=own" in str(caught.value.advice)


def test_what_was_kept_before_there_were_refinements_is_known_still() -> None:
    extractor = Vlad().fit(never)
    packed = extractor.pack()
    assert set(packed.numbers) == {"keypoints", "power", "intra_normalisation"}
    assert set(packed.arrays) == {"codebook"}
    np.testing.assert_array_equal(VladExtractor.unpack(packed).extract(picture()), extractor.extract(picture()))
    refined = Vlad(residual_normalisation=True, spread=0.5).fit(never).pack()
    assert set(refined.numbers) == {"keypoints", "power", "intra_normalisation", "residual_normalisation", "spread"}


def test_residual_normalisation_and_spread_change_the_vector() -> None:
    plain = Vlad().fit(never).extract(picture(0, 640, 480))
    for other in (Vlad(residual_normalisation=True), Vlad(spread=1, keypoints=60)):
        likeness = float(plain @ other.fit(never).extract(picture(0, 640, 480)))
        assert 0.2 < likeness < 0.9995
