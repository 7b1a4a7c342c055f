"""How alike results are, in words."""

from __future__ import annotations

import pytest

from app.search.search_results import GeometricCheck, ResultPhotograph, SimilarityLevels

LIMITS = SimilarityLevels(very_similar=0.5, similar=0.25)


def hit(similarity: float, confirmed: bool | None = None) -> ResultPhotograph:
    check = None
    if confirmed is not None:
        check = GeometricCheck(confirmed=confirmed, score=1.0, inliers=12, mirrored=False, inverted=False)
    return ResultPhotograph(path="a.jpg", id=1, distance=1.0, similarity=similarity, check=check)


@pytest.mark.parametrize(
    ("similarity", "words"),
    [(0.9, "very similar"), (0.5, "very similar"), (0.4999, "similar"), (0.25, "similar"), (0.2, "less similar")],
)
def test_limits_belong_to_the_better_word(similarity: float, words: str) -> None:
    assert LIMITS.of(hit(similarity)) == words
    assert LIMITS.of(hit(similarity, confirmed=False)) == words


def test_a_match_is_the_same_picture_however_far() -> None:
    assert LIMITS.of(hit(0.01, confirmed=True)) == "same picture"
