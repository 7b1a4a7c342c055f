"""What two pictures are to each other: every edit is told as what it is, and strangers and bursts are no copies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from core.arrays import UInt8Pixels
from features.copies.relation import ComparedPicture, Relation, RelationKind, relate
from features.keypoints.keypoints import Keypoints
from features.pictures.channels import picture_of_pixels
from features.pictures.edits import EDITS, Edit
from tests.features.sample_pictures import scene

SIDE = 160
COPIES = {"jpeg 50", "half size"}
HARD = {"jpeg 10", "fifth size", "blur", "noise", "inverted", "pasted", "crop 25 %", "several"}
"""Of a made scene as poor as these, other kinds may be told; never that they are copies where they are not."""


def look(rgb: UInt8Pixels) -> ComparedPicture:
    """Make what is compared of a picture."""
    height, width = rgb.shape[:2]
    scale = SIDE / max(height, width)
    small = cv2.resize(rgb, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    return ComparedPicture(np.asarray(small, np.uint8), Keypoints.of(picture_of_pixels(rgb), 300), (width, height))


def rich(seed: int, width: int = 640, height: int = 480) -> UInt8Pixels:
    """Make a scene with much to see at every size."""
    rng = np.random.default_rng(seed)
    made = np.array(scene(width, height, seed))
    for size in (70, 30, 12):
        for _ in range(60):
            x, y = int(rng.integers(width)), int(rng.integers(height))
            colour = tuple(int(one) for one in rng.integers(0, 256, 3))
            if rng.random() < 0.5:
                cv2.rectangle(made, (x, y), (x + size, y + int(size * rng.uniform(0.4, 1.4))), colour, -1)
            else:
                cv2.circle(made, (x, y), size // 2, colour, -1)
    return np.asarray(cv2.GaussianBlur(made, (0, 0), 0.8), np.uint8)


PICTURE, OTHER = rich(1), rich(2)


@pytest.fixture(scope="module")
def first() -> ComparedPicture:
    """Return what is compared of the picture."""
    return look(PICTURE)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.name)
def test_edits_are_told(first: ComparedPicture, edit: Edit) -> None:
    found = relate(first, look(edit.apply(PICTURE, OTHER, 5)))
    if edit.name in COPIES:
        assert found.kind is RelationKind.SAME
    elif edit.name not in HARD:
        assert found.kind is RelationKind.EDITED
    if edit.name in ("mirror", "inverted"):
        assert (found.mirrored, found.negative) == (edit.name == "mirror", edit.name == "inverted")
    if edit.name == "grey":
        assert found.colour < 0.15
    if edit.name == "crop 50 %":
        assert found.first_seen == pytest.approx(0.5, abs=0.1)
        assert found.second_seen > 0.97
    if edit.name in ("turn 5", "turn 30"):
        assert abs(found.turned) == pytest.approx(float(edit.name.split()[1]), abs=1.5)


def test_strangers_are_nothing_to_each_other() -> None:
    looks = [look(rich(seed)) for seed in range(6)]
    kinds = {relate(one, other).kind for place, one in enumerate(looks) for other in looks[:place]}
    assert kinds <= {RelationKind.OTHER, RelationKind.SIMILAR}


def test_what_a_hand_takes_next_is_no_edited_version() -> None:
    rng = np.random.default_rng(0)
    large = rich(7, 800, 600)
    shots = [
        np.clip(large[y : y + 540, x : x + 720] + rng.normal(0, 4, (540, 720, 3)), 0, 255).astype(np.uint8)
        for x, y in ((30, 30), (52, 20))
    ]
    assert relate(look(shots[0]), look(shots[1])).kind is RelationKind.SIMILAR


@pytest.mark.parametrize("name", ["crop 50 %", "turn 30", "mirror", "darker"])
def test_it_can_be_told_from_the_other_side(first: ComparedPicture, name: str) -> None:
    edit = next(one for one in EDITS if one.name == name)
    second = look(edit.apply(PICTURE, OTHER, 5))
    there, back = relate(first, second), relate(second, first)
    around = there.turned_around()
    assert back.kind is there.kind
    assert back.first_seen == pytest.approx(around.first_seen, abs=0.06)
    assert abs(abs(back.turned) - abs(around.turned)) < 2
    assert np.allclose(np.reshape(around.turned_around().places, (3, 3)), np.reshape(there.places, (3, 3)), atol=1e-4)


def test_without_keypoints_the_frames_still_tell(first: ComparedPicture) -> None:
    second = look(PICTURE[::2, ::2])
    bare = [ComparedPicture(one.small, None, one.size) for one in (first, second)]
    assert relate(bare[0], bare[1]).kind is RelationKind.SAME
    assert relate(bare[0], ComparedPicture(look(OTHER).small, None, (640, 480))) == Relation(RelationKind.OTHER)
