"""Compact VLAD: the projection, its whitening, and what comes along."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest

from twinlens.core.errors import TwinlensError
from twinlens.features.keypoints.sift import local_features
from twinlens.features.pictures.picture import Picture
from twinlens.features.vocabulary import vocabulary
from twinlens.features.vocabulary.vlad import INTRA_NORMALISATION, POWER, CompactVlad, vlad
from twinlens.features.vocabulary.vocabulary import learn_projection, project_vlad
from twinlens.testing.declarations import blas_threads
from twinlens.testing.descriptors import never, picture, sample

ONE = CompactVlad()


def rows(n: int = 300, d: int = 40, seed: int = 0) -> npt.NDArray[np.float32]:
    """Make vectors of length 1 of decaying spectrum."""
    rng = np.random.default_rng(seed)
    rank = min(d, 200)
    x = rng.standard_normal((n, rank)) * np.arange(1, rank + 1) ** -0.7 @ rng.standard_normal((rank, d)) + 1
    return np.asarray(x / np.linalg.norm(x, axis=1, keepdims=True), dtype=np.float32)


def test_directions_are_the_principal_components() -> None:
    x = rows()
    made = learn_projection(x, 8, seed=0)
    _, singular, right = np.linalg.svd(x.astype(np.float64) - x.mean(axis=0, dtype=np.float64), full_matrices=False)
    cosines = np.abs((made.steps / 4096 * right[:8].T).sum(axis=0))
    np.testing.assert_allclose(cosines, 1, atol=2e-3)
    np.testing.assert_allclose(made.variances, singular[:8] ** 2 / len(x), rtol=1e-3)
    np.testing.assert_allclose(made.mean, x.mean(axis=0), atol=1e-6)


def test_projecting_is_exact_with_any_threads() -> None:
    x = rows(20, 8_192, seed=3)
    steps = learn_projection(rows(60, 8_192), 30, seed=0).steps
    for vector in x:
        exact = np.trunc(vector.astype(np.float64) * 4096) @ steps.astype(np.float64) / 4096**2
        for threads in (1, 2):
            with blas_threads(threads):
                found = project_vlad(vector, steps.astype(np.float32))
                np.testing.assert_array_equal(found, exact)
        np.testing.assert_allclose(found, vector @ (steps / 4096), rtol=0.02, atol=2e-3)


def test_no_direction_is_longer_than_1() -> None:
    for steps in (learn_projection(rows(), 20, seed=0).steps, vocabulary.projection(64, 512).steps):
        assert (np.linalg.norm(steps.astype(np.float64), axis=0) <= 4096).all()


@pytest.mark.parametrize("whitening", [0.0, 0.5, 1.0])
def test_the_vector_is_that_of_the_definition(whitening: float) -> None:
    one = CompactVlad(whitening=whitening, dimensions=64)
    made = vocabulary.projection(64, 64)
    roots = local_features(picture(), one.keypoints).roots
    whole = vlad(roots, vocabulary.codebook(64), POWER, INTRA_NORMALISATION).ravel()
    components = (whole.astype(np.float64) - made.mean) @ (made.steps[:, :64] / 4096)
    components *= made.variances[:64].astype(np.float64) ** (-whitening / 2)
    expected = components / np.linalg.norm(components)
    np.testing.assert_allclose(one.fit(never).extract(picture()), expected, atol=3e-3)


def test_fewer_dimensions_are_the_first_of_more_brought_to_length_1() -> None:
    more, fewer = (CompactVlad(dimensions=d).fit(never).extract(picture()) for d in (256, 32))
    np.testing.assert_allclose(fewer, more[:32] / np.linalg.norm(more[:32]), atol=1e-6)


def test_one_that_does_not_come_along_says_what_does() -> None:
    with pytest.raises(
        TwinlensError, match="256 centres comes with Twinlens for this descriptor; there is one with 64"
    ):
        CompactVlad(centres=256).fit(never)


def test_too_few_photographs_to_learn_from_is_a_sentence_with_a_next_step() -> None:
    own = CompactVlad(vocabulary="own", centres=3, dimensions=100)
    with pytest.raises(TwinlensError, match="12 photos with local features give 11 dimensions, not 100") as caught:
        own.fit(sample)
    assert "at most 11" in str(caught.value.advice)


def test_pictures_without_a_keypoint_teach_nothing() -> None:
    def with_blanks() -> Iterator[Picture]:
        for one in sample():
            yield one
            yield picture_without_keypoint()

    own = CompactVlad(vocabulary="own", centres=3, dimensions=5, samples=24)
    extractor = own.fit(with_blanks)
    assert np.isfinite(extractor.extract(picture())).all()
    assert not extractor.extract(picture_without_keypoint()).any()


def picture_without_keypoint() -> Picture:
    blank = np.full((100, 120, 3), 90, np.uint8)
    return Picture(blank, None, picture().facts)


def test_a_photograph_costs_at_most_a_kilobyte() -> None:
    assert ONE.dimensions * 2 <= 1024


@pytest.mark.parametrize(
    "given",
    [{"power": 0.2}, {"intra_normalisation": False}, {"residual_normalisation": True}, {"local_coordinates": True}],
)
def test_another_normalisation_has_a_projection_of_its_own_behind_the_words_that_come_along(
    given: dict[str, float],
) -> None:
    one = CompactVlad(dimensions=5, samples=12, **given)
    assert one.learns
    assert one.sample_size == 12
    extractor = one.fit(sample)
    np.testing.assert_array_equal(extractor.codebook, vocabulary.codebook(64))
    assert extractor.steps.shape == (64 * 128, 5)
    assert extractor.extract(picture()).shape == (5,)


def test_several_vocabularies_share_one_projection() -> None:
    one = CompactVlad(vocabulary="own", vocabularies=3, centres=4, dimensions=6, samples=12)
    extractor = one.fit(sample)
    assert extractor.steps.shape == (3 * 4 * 128, 6)
    assert np.linalg.norm(extractor.extract(picture())) == pytest.approx(1, abs=1e-5)


def test_what_was_kept_before_there_were_refinements_is_known_still() -> None:
    packed = ONE.fit(never).pack()
    assert set(packed.numbers) == {"keypoints"}
    assert set(packed.arrays) == {"codebook", "steps", "offset", "weights"}


def test_a_smaller_picture_is_another_descriptor_and_the_usual_one_is_what_it_was() -> None:
    assert "side" not in CompactVlad().fit(never).pack().numbers
    assert CompactVlad(side=256).fit(never).pack().numbers["side"] == 256
    assert CompactVlad(side=256).identity() != CompactVlad().identity()
    one = picture()
    features = local_features(one, CompactVlad(side=256).cap)
    assert len(features)
    assert not np.array_equal(features.places, local_features(one, CompactVlad().cap).places)
    assert np.array_equal(
        CompactVlad(side=256).fit(never).aggregate(features.roots), CompactVlad(side=256).fit(never).matrix(one)
    )
