"""Copies of other sizes and formats are found whatever program made them, and drawings by what they say."""

from __future__ import annotations

import io
from collections.abc import Callable

import cv2
import numpy as np
import pylibjxl
import pytest
from PIL import Image

from tests.features.copies.bursts import large, opened, scene_of, shot, written
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies import RelationKind
from twinlens.features.copies.close_comparison import OVER_EACH_OTHER, LargePicture, is_drawing, relate_closely
from twinlens.features.copies.relation import Relation

FOUND = (RelationKind.SAME, RelationKind.LIKELY)
WORDS = (
    "the",
    "of",
    "and",
    "you",
    "that",
    "it",
    "was",
    "for",
    "are",
    "with",
    "his",
    "they",
    "this",
    "have",
    "from",
    "one",
)


def related(first: bytes, second: bytes) -> RelationKind:
    """Compare two files closely, of which nothing tells whether one was made smaller."""
    side = min(max(large(one).size) for one in (first, second))
    return relate_closely(large(first, side), large(second, side))


@pytest.fixture(scope="module")
def odd() -> bytes:
    """Return a photograph with sides that cannot be halved."""
    return written(shot(scene_of(4, 801, 599), np.random.default_rng(4)), 1, 93)


SMALLER: dict[str, Callable[[UInt8Pixels], UInt8Pixels]] = {
    "linear": lambda rgb: np.asarray(cv2.resize(rgb, None, fx=0.5, fy=0.5), np.uint8),
    "nearest": lambda rgb: np.asarray(cv2.resize(rgb, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_NEAREST), np.uint8),
    "a row less": lambda rgb: rgb[:-1],
    "half, a row less": lambda rgb: np.asarray(Image.fromarray(rgb).resize((400, 300)), np.uint8)[:-1],
    "a quarter": lambda rgb: np.asarray(Image.fromarray(rgb).reduce(4), np.uint8),
}


@pytest.mark.parametrize("name", SMALLER)
def test_a_grid_of_another_program_is_no_second_shot(name: str, odd: bytes) -> None:
    assert related(odd, written(np.ascontiguousarray(SMALLER[name](opened(odd))), 1, 85)) in FOUND


def test_what_lies_elsewhere_in_the_frame_is_a_second_shot(odd: bytes) -> None:
    aside = np.roll(opened(odd), 8, axis=1)
    assert related(odd, written(SMALLER["linear"](aside), 1, 85)) is RelationKind.SIMILAR


def test_the_same_pixels_are_the_same_picture_whatever_format(odd: bytes) -> None:
    assert related(odd, pylibjxl.jpeg_to_jxl(odd)) is RelationKind.SAME
    progressive = io.BytesIO()
    with Image.open(io.BytesIO(odd)) as image:
        image.save(progressive, "JPEG", quality="keep", progressive=True)
    assert related(odd, progressive.getvalue()) is RelationKind.SAME


def test_a_jpeg_is_told_to_be_made_of_what_loses_otherwise(odd: bytes) -> None:
    webp = written(opened(odd), 1, 80, "WEBP")
    assert related(webp, written(opened(webp), 1, 85)) is RelationKind.SAME


def page(seed: int, width: int = 620, height: int = 877) -> UInt8Pixels:
    """Write a letter under a letterhead that all have."""
    rng, made = np.random.default_rng(seed), np.full((height, width), 255, np.uint8)
    cv2.rectangle(made, (50, 30), (130, 70), 30, -1)
    cv2.putText(made, "Example & Co., 1 High Street", (150, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.7, 0, 2, cv2.LINE_AA)
    for row in range(110, 800, 24):
        line = " ".join(rng.choice(WORDS, 9))
        cv2.putText(made, line, (50, row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 0, 1, cv2.LINE_AA)
    return made


def form(amount: str) -> UInt8Pixels:
    """Fill an amount into a form."""
    made = page(0)
    made[400:440] = 255
    cv2.putText(made, f"Amount: {amount}", (50, 425), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 0, 1, cv2.LINE_AA)
    return made


def code(seed: int) -> UInt8Pixels:
    """Make squares like those of a QR code."""
    modules = np.random.default_rng(seed).integers(0, 2, (29, 29)).astype(np.uint8) * 255
    modules[:8, :8] = modules[:8, -8:] = modules[-8:, :8] = 0
    return np.pad(np.kron(modules, np.ones((12, 12), np.uint8)), 48, constant_values=255)


def compared(first: UInt8Pixels, second: UInt8Pixels, kind: RelationKind = RelationKind.SAME) -> RelationKind:
    """Compare drawings closely, which seem to be of a kind when they are small."""
    both = [LargePicture(one, (one.shape[1], one.shape[0]), "PNG") for one in (first, second)]
    return relate_closely(both[0], both[1], None, Relation(kind, places=OVER_EACH_OTHER.places))


@pytest.mark.parametrize("kind", [RelationKind.SAME, RelationKind.EDITED])
@pytest.mark.parametrize(
    ("first", "second"),
    [(page(1), page(2)), (form("124.50"), form("371.90")), (code(1), code(2))],
    ids=["pages", "forms", "codes"],
)
def test_drawings_with_a_common_frame_are_strangers(
    first: UInt8Pixels, second: UInt8Pixels, kind: RelationKind
) -> None:
    assert compared(first, second, kind) is RelationKind.OTHER


@pytest.mark.parametrize(("how", "scale"), [(cv2.INTER_AREA, 0.5), (cv2.INTER_NEAREST, 0.5), (cv2.INTER_AREA, 0.7)])
@pytest.mark.parametrize("drawing", [page(1), code(1)], ids=["page", "code"])
def test_a_drawing_made_smaller_says_the_same(drawing: UInt8Pixels, how: int, scale: float) -> None:
    small = np.asarray(cv2.resize(drawing, None, fx=scale, fy=scale, interpolation=how), np.uint8)
    large_ = np.asarray(cv2.resize(drawing, small.shape[::-1], interpolation=cv2.INTER_AREA), np.uint8)
    assert compared(large_, small) in FOUND


def test_ink_that_was_added_is_an_edit() -> None:
    stamped = page(1)
    cv2.circle(stamped, (400, 500), 70, 40, 5, cv2.LINE_AA)
    assert compared(page(1), stamped, RelationKind.EDITED) is RelationKind.EDITED
    assert compared(stamped, page(1), RelationKind.EDITED) is RelationKind.EDITED
    assert compared(page(1), 255 - page(1), RelationKind.EDITED) is RelationKind.EDITED


def test_a_photograph_of_a_thing_on_white_is_judged_as_photographs_are() -> None:
    thing = np.full((600, 800), 255, np.uint8)
    thing[200:400, 300:560] = cv2.cvtColor(np.asarray(scene_of(4), np.uint8), cv2.COLOR_RGB2GRAY)[200:400, 300:560]
    blurred = np.asarray(cv2.GaussianBlur(thing, (0, 0), 4), np.uint8)
    assert is_drawing(thing)
    assert compared(thing, blurred, RelationKind.EDITED) is RelationKind.EDITED
