"""A copy is told from a second shot of the same scene, however alike they look."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from core.arrays import UInt8Pixels
from features.copies.copy_traces import (
    FILTERS,
    Blocks,
    LargePicture,
    is_made_smaller,
    noise_between,
    relate_closely,
    resized,
)
from features.copies.relation import RelationKind
from tests.features.copies.bursts import COPIES, large, opened, scene_of, shot, written

SCENES = (1, 2, 3)


def told(first: bytes, second: bytes) -> RelationKind:
    """Compare two files as the program does."""
    sizes = [Image.open(io.BytesIO(one)).size for one in (first, second)]
    side = min(map(max, sizes))
    smaller = None
    if sizes[0] != sizes[1]:
        (tiny, small), (full, whole) = sorted(zip(sizes, (first, second), strict=True))
        smaller = is_made_smaller(Blocks.of(small), resized(whole, tiny), tiny[0] / full[0])
    return relate_closely(large(first, side), large(second, side), smaller)


@pytest.fixture(scope="module")
def bursts() -> list[list[bytes]]:
    """Return two shots of each scene, as a camera writes them: still, a little aside, and with something moving."""
    made = []
    for seed in SCENES:
        scene, rng = scene_of(seed), np.random.default_rng(seed)
        aside, step = (0.0, 0.3, 0.0)[seed % 3], (None, None, 30)[seed % 3]
        shots = [shot(scene, rng, 2.0, aside, None if step is None else step * number) for number in range(2)]
        made.append([written(one, 1, 93) for one in shots])
    return made


@pytest.mark.parametrize("name", [name for name in COPIES if name != "webp"])
def test_copies_are_the_same_picture(name: str, bursts: list[list[bytes]]) -> None:
    for original, *_ in bursts:
        assert told(original, COPIES[name](original)) is RelationKind.SAME


@pytest.mark.parametrize("name", COPIES)
def test_shots_of_one_size_are_never_one_picture(name: str, bursts: list[list[bytes]]) -> None:
    for originals in bursts:
        first, second = (COPIES[name](one) for one in originals[:2])
        assert told(first, second) is RelationKind.SIMILAR


def test_what_loses_as_much_as_lies_between_two_shots_says_nothing(bursts: list[list[bytes]]) -> None:
    for first, second in bursts:
        assert told(first, COPIES["webp"](first)) is RelationKind.SIMILAR
        assert told(first, COPIES["webp"](second)) is RelationKind.SIMILAR
        lossless = io.BytesIO()
        Image.fromarray(opened(first)).save(lossless, "WebP", lossless=True, method=0)
        assert told(COPIES["png"](first), lossless.getvalue()) is RelationKind.SAME


@pytest.mark.parametrize("quality", [50, 85, 92])
def test_made_separately_from_one_picture_that_lost_nothing(quality: int, bursts: list[list[bytes]]) -> None:
    for first, second in bursts:
        png, other = (COPIES["png"](one) for one in (first, second))
        assert told(png, written(opened(png), 1, quality)) is RelationKind.SAME
        assert told(png, written(opened(other), 1, quality)) is RelationKind.SIMILAR


@pytest.mark.parametrize("name", ["jpeg 50", "png"])
def test_a_second_shot_is_no_copy_that_was_saved_again(name: str, bursts: list[list[bytes]]) -> None:
    for originals in bursts:
        assert told(originals[0], COPIES[name](originals[1])) is RelationKind.SIMILAR


@pytest.mark.parametrize("name", [name for name in COPIES if name not in ("jpeg 50", "jpeg 80", "png", "webp")])
def test_a_second_shot_is_no_copy_that_was_made_smaller(name: str, bursts: list[list[bytes]]) -> None:
    for originals in bursts:
        assert told(originals[0], COPIES[name](originals[1])) is RelationKind.SIMILAR


@pytest.mark.parametrize("number", range(len(FILTERS)))
def test_by_whatever_filter_a_picture_was_made_smaller(number: int, bursts: list[list[bytes]]) -> None:
    """Nothing but rounding lies between a picture and what one of the filters makes of the larger one."""
    original = opened(bursts[0][0])
    size = original.shape[1] // 2, original.shape[0] // 2
    channels = [FILTERS[number](np.ascontiguousarray(original[..., one], np.float32), size) for one in range(3)]
    small = Blocks.of(written(np.clip(np.rint(np.dstack(channels)), 0, 255).astype(np.uint8), 1, 70))
    own, foreign = (noise_between(small, resized(one, size)) for one in bursts[0])
    assert own is not None
    assert foreign is not None
    assert own < 0.5 < foreign


def test_a_picture_with_too_little_to_see_says_nothing() -> None:
    white = written(np.full((400, 600, 3), 255, np.uint8))
    small = written(np.full((200, 300, 3), 255, np.uint8))
    assert is_made_smaller(Blocks.of(small), resized(white, (300, 200)), 0.5) is None
    assert told(white, small) is RelationKind.SIMILAR


def test_a_blemish_taken_away_is_an_edit(bursts: list[list[bytes]]) -> None:
    rgb = np.array(opened(bursts[0][0]))
    rgb[400:460, 260:330] = rgb[400:460, 460:530]
    assert told(bursts[0][0], written(rgb, 1, 80)) is RelationKind.EDITED


def test_a_turned_camera_does_not_matter(bursts: list[list[bytes]]) -> None:
    upright = np.ascontiguousarray(np.rot90(opened(bursts[0][0]), -1))
    notes = Image.Exif()
    notes[0x0112] = 6
    sideways = io.BytesIO()
    with Image.open(io.BytesIO(bursts[0][0])) as image:
        image.save(sideways, "JPEG", quality="keep", exif=notes)
    assert told(sideways.getvalue(), written(upright, 1, 60)) is RelationKind.SAME


def test_pictures_without_much_to_see_have_no_blocks_to_compare() -> None:
    blank = written(np.full((400, 600, 3), 128, np.uint8))
    found = Blocks.of(blank)
    assert found.is_copy(found) is None
    assert told(blank, written(opened(blank), 1, form="PNG")) is RelationKind.SAME


def test_inks_are_read_too() -> None:
    ink = io.BytesIO()
    Image.new("CMYK", (64, 64)).save(ink, "JPEG")
    assert Blocks.of(ink.getvalue()).rows.shape == (1 + 64, 64)


def grainy(seed: int, deviation: float = 4.0) -> UInt8Pixels:
    y, x = np.mgrid[0:600, 0:800]
    plain = 120 + 60 * np.sin(x / 90) * np.cos(y / 70)
    rng = np.random.default_rng(seed)
    return np.asarray(np.clip(plain + rng.normal(0, deviation, (600, 800)), 0, 255), np.uint8)


def by_grain(first: UInt8Pixels, second: UInt8Pixels) -> RelationKind:
    """Compare pictures of other formats, of which nothing but the pixels can tell."""
    return relate_closely(LargePicture(first, (800, 600), "PNG"), LargePicture(second, (800, 600), "WebP"))


def test_a_second_shot_has_grain_of_its_own() -> None:
    assert by_grain(grainy(1), grainy(1)) is RelationKind.SAME
    assert by_grain(grainy(1), grainy(2)) is RelationKind.SIMILAR


def test_added_grain_is_an_edit() -> None:
    rng = np.random.default_rng(0)
    noisy = np.clip(grainy(1) + rng.normal(0, 20, (600, 800)), 0, 255).astype(np.uint8)
    assert by_grain(grainy(1), noisy) is RelationKind.EDITED


def test_without_grain_nothing_differs() -> None:
    assert by_grain(grainy(1, 0.0), grainy(2, 0.0)) is RelationKind.SAME
