"""Candidates that show the same come first, as what they were recognised, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from tests.features.keypoints.test_geometric_check import keypoints, known, painted
from twinlens.core.errors import Cancelled
from twinlens.features.keypoints.geometric_check import (
    ACCEPTED,
    NOTHING,
    Agreement,
    CandidateAgreement,
    CandidateCheck,
    order_candidates,
)
from twinlens.features.keypoints.keypoints import Keypoints

NONE = np.zeros((0, 2), np.float32)


@pytest.mark.parametrize(
    ("mirrored", "inverted"), [(False, False), (True, False), (False, True), (True, True)], ids=str
)
def test_a_variant_is_recognised_and_its_places_are_the_questions(mirrored: bool, inverted: bool) -> None:
    scene = painted(1)
    asked = scene[:, ::-1] if mirrored else scene
    checked = CandidateCheck(keypoints(255 - asked if inverted else asked)).of(keypoints(scene))
    assert checked.agreement.accepted
    assert (checked.mirrored, checked.inverted) == (mirrored, inverted)
    x, y = checked.agreement.query.T
    np.testing.assert_allclose(1 - x if mirrored else x, checked.agreement.candidate[:, 0], atol=0.02)
    np.testing.assert_allclose(y, checked.agreement.candidate[:, 1], atol=0.02)
    assert checked.agreement.homography is not None
    moved = np.column_stack((x, y, np.ones(len(x)))).astype(np.float64) @ checked.agreement.homography.T
    np.testing.assert_allclose(moved[:, :2] / moved[:, 2:], checked.agreement.candidate, atol=0.02)


def test_without_variants_the_mirror_image_is_not_found() -> None:
    scene = painted(1)
    assert not CandidateCheck(keypoints(scene[:, ::-1]), variants=False).of(keypoints(scene)).agreement.accepted


def test_blank_pictures_are_checked_too() -> None:
    blank, full = keypoints(np.full((50, 50, 3), 9)), known(1)
    assert CandidateCheck(blank).of(full).agreement is NOTHING
    assert CandidateCheck(full).of(blank).agreement is NOTHING


def scored(score: float, copied: bool = True) -> CandidateAgreement:
    return CandidateAgreement(Agreement(score, NONE, NONE, None, copied))


def test_accepted_candidates_come_first_and_the_rest_stays() -> None:
    checked = [scored(ACCEPTED - 1), scored(ACCEPTED), scored(0), scored(90)]
    assert order_candidates(checked, 6) == [3, 1, 0, 2, 4, 5]
    assert order_candidates([scored(8), scored(8)], 2) == [0, 1]
    assert order_candidates([scored(0), scored(90, copied=False), scored(8)], 4) == [2, 1, 0, 3]
    assert order_candidates([], 3) == [0, 1, 2]


def test_the_time_is_bounded() -> None:
    one = known(1)
    assert len(CandidateCheck(one).each([one, one, one], seconds=0.0)) == 1
    assert len(CandidateCheck(one).each([one, one, one], seconds=1e9)) == 3


def test_it_is_cancelled_between_candidates() -> None:
    one = known(1)

    def candidates() -> Iterator[Keypoints]:
        yield one
        raise Cancelled

    with pytest.raises(Cancelled):
        CandidateCheck(one).each(candidates())
