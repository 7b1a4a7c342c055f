"""Views of a picture: what is described, how often, and which are kept."""

from __future__ import annotations

import numpy as np
import pytest

import features
from app.search.describing_tasks import picture_views
from app.search.query_distance import PictureView, RecentValues, needs_variants
from core.arrays import UInt8Pixels
from core.declaration.declaration import read_declaration
from features.keypoints import sift
from features.keypoints.sift import Cap, LocalFeatures
from features.pictures.picture import Picture, PictureFacts
from tests.features.keypoints.test_geometric_agreement import painted


def pictured(rgb: UInt8Pixels) -> Picture:
    return Picture(np.ascontiguousarray(rgb), None, PictureFacts("PNG", *rgb.shape[1::-1]))


@pytest.mark.parametrize(
    ("text", "expected", "variants"),
    [
        ("colour", (), False),
        ("gist", (), False),
        ("vlad", (Cap(300),), True),
        ("compact-vlad:keypoints=120,spread=0.5", (Cap(120, 0.5),), True),
        ("fusion", (Cap(300),), True),
        ("fusion:first=gist,second=colour", (), False),
        ("fusion:first=vlad(keypoints=100),second=colour,third=compact-vlad", (Cap(100), Cap(300)), True),
        ("network", (), False),
        ("fusion:third=network", (Cap(300),), False),
    ],
)
def test_the_local_features_that_a_descriptor_works_on_and_whether_it_needs_variants(
    text: str, expected: tuple[Cap, ...], variants: bool
) -> None:
    declared = read_declaration(features.DESCRIPTORS, text)
    assert (declared.caps, needs_variants(declared)) == (expected, variants)


def test_local_features_are_looked_for_once_and_what_works_on_none_is_asked_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[Cap] = []
    find = sift._find

    def noted(picture: Picture, cap: Cap) -> LocalFeatures:
        found.append(cap)
        return find(picture, cap)

    monkeypatch.setattr(sift, "_find", noted)
    declared = {text: read_declaration(features.DESCRIPTORS, text) for text in ("colour", "compact-vlad", "fusion")}
    wanted = {text: (one, one.fit(lambda: ())) for text, one in declared.items()}
    made = picture_views(pictured(painted(1)), wanted, with_variants=True, with_parts=True)
    assert found == [Cap(300)]
    for text, one in declared.items():
        rows, parts = (1, 0) if text == "colour" else (4, 5)
        assert made[text].alternatives.shape == (rows, one.dimensions)
        assert made[text].parts.shape == (parts, one.dimensions)
    alone = picture_views(pictured(painted(1)), wanted, with_variants=False, with_parts=False)["fusion"]
    assert (len(alone.alternatives), len(alone.parts)) == (1, 0)


def test_the_alternatives_are_those_of_the_changed_pictures() -> None:
    extractor = (declared := read_declaration(features.DESCRIPTORS, "fusion")).fit(lambda: ())
    rgb = painted(3)
    rows = picture_views(pictured(rgb), {"": (declared, extractor)}, with_variants=True, with_parts=False)[
        ""
    ].alternatives
    for place, (mirrored, inverted) in enumerate([(False, False), (True, False), (False, True), (True, True)]):
        changed = rgb[:, ::-1] if mirrored else rgb
        alike = rows @ extractor.extract(pictured(255 - changed if inverted else changed))
        assert alike.argmax() == place
        assert alike[place] > 0.8


def test_a_vector_alone_has_no_variants_and_no_parts() -> None:
    view = PictureView.alone(np.ones(3, np.float32))
    assert (view.alternatives.shape, view.parts.shape) == ((1, 3), (0, 3))


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    kept: RecentValues[str, int] = RecentValues(2)
    kept.keep("a", 1)
    kept.keep("b", 2)
    assert kept.get("a") == 1
    kept.keep("c", 3)
    assert [kept.get(key) for key in "abc"] == [1, None, 3]
    kept.keep("a", 4)
    assert kept.get("a") == 4
