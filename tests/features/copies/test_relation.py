"""What two pictures are to each other: every edit is told as what it is, and strangers and bursts are no copies."""

from __future__ import annotations

import io
import itertools
import os
import subprocess
import sys
from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from PIL import Image

from conftest import ROOT
from tests.features.copies.bursts import COPIERS, large, opened, rich, scene_of, shot, written
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies import RelationKind
from twinlens.features.copies.close_comparison import LargePicture, relate_closely
from twinlens.features.copies.copy_traces import (
    FILTERS,
    Blocks,
    is_enlarged,
    is_made_smaller,
    noise_between,
    resized,
    transformed,
)
from twinlens.features.copies.perceptual_hash import ORIENTATIONS, turnable_hash
from twinlens.features.copies.relation import ComparedPicture, Registration, Relation, _decided, relate
from twinlens.features.keypoints.keypoints import Keypoints
from twinlens.features.pictures.channels import picture_of_pixels
from twinlens.features.pictures.edits import EDITS, Edit

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


@pytest.mark.parametrize(("stretched", "agreeing", "kind"), [
    (1.2, 0.2, RelationKind.SIMILAR), (1.7, 0.2, RelationKind.OTHER), (1.7, 0.4, RelationKind.SIMILAR),
    (1 / 1.7, 0.2, RelationKind.OTHER), (1.2, 0.1, RelationKind.OTHER),
])  # fmt: skip
def test_of_a_scene_that_is_stretched_more_must_agree(
    first: ComparedPicture, stretched: float, agreeing: float, kind: RelationKind
) -> None:
    """A grey pyramid and a windmill, by keypoints that agreed by chance, were a series."""
    found = Registration(0.13, 0.52, agreeing, 0.8, 30.0, 200.0, -26.0, 1.0, 9.0, negative=False)
    assert _decided(first, first, np.diag((stretched, 1.0, 1.0)), found, mirrored=False, whole=False).kind is kind


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


@pytest.mark.parametrize("side", [24, 32, 40, 64])
def test_a_tiny_copy_is_told_from_both_sides(side: int) -> None:
    for seed in range(1, 5):
        scene = rich(seed)
        height, width = (round(side * one / max(scene.shape)) for one in scene.shape[:2])
        tiny = np.asarray(cv2.resize(scene, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        copy = ComparedPicture(tiny, None, (width, height))
        assert relate(look(scene), copy).kind is relate(copy, look(scene)).kind is RelationKind.SAME


def test_turned_around_a_map_is_its_inverse() -> None:
    for places in np.random.default_rng(0).normal(0, 1, (20, 3, 3)):
        inverse = np.linalg.inv(places)
        found = Relation(RelationKind.EDITED, places=tuple(places.ravel().tolist())).turned_around().places
        assert np.allclose(np.reshape(found, (3, 3)), inverse / inverse[2, 2])
    flat = Relation(RelationKind.EDITED, places=(1.0, 2.0, 0.0, 2.0, 4.0, 0.0, 0.0, 0.0, 1.0))
    assert flat.turned_around().places == ()


def test_without_keypoints_the_frames_still_tell(first: ComparedPicture) -> None:
    second = look(PICTURE[::2, ::2])
    bare = [ComparedPicture(one.small, None, one.size) for one in (first, second)]
    assert relate(bare[0], bare[1]).kind is RelationKind.SAME
    assert relate(bare[0], ComparedPicture(look(OTHER).small, None, (640, 480))) == Relation(RelationKind.OTHER)


SCENES = (1, 2, 3)
AGAIN = (RelationKind.SIMILAR, RelationKind.LIKELY)
"""Of a second shot: a series where something moved, else nothing that a rule lets go."""


def told(first: bytes, second: bytes) -> RelationKind:
    """Compare two files as the program does."""
    sizes = [Image.open(io.BytesIO(one)).size for one in (first, second)]
    side = min(map(max, sizes))
    smaller = None
    if sizes[0] != sizes[1]:
        (tiny, small), (full, whole) = sorted(zip(sizes, (first, second), strict=True))
        smaller = is_made_smaller(Blocks.of(small), resized(whole, tiny).blocks, tiny[0] / full[0])
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


@pytest.mark.parametrize("name", [name for name in COPIERS if name != "webp"])
def test_copies_are_the_same_picture(name: str, bursts: list[list[bytes]]) -> None:
    for original, *_ in bursts:
        assert told(original, COPIERS[name](original)) is RelationKind.SAME


@pytest.mark.parametrize("name", COPIERS)
def test_shots_of_one_size_are_never_one_picture(name: str, bursts: list[list[bytes]]) -> None:
    for originals in bursts:
        first, second = (COPIERS[name](one) for one in originals[:2])
        assert told(first, second) in AGAIN


def test_what_loses_as_much_as_lies_between_two_shots_says_nothing(bursts: list[list[bytes]]) -> None:
    for first, second in bursts:
        assert told(first, COPIERS["webp"](first)) is RelationKind.LIKELY
        assert told(first, COPIERS["webp"](second)) in AGAIN
        lossless = io.BytesIO()
        Image.fromarray(opened(first)).save(lossless, "WebP", lossless=True, method=0)
        assert told(COPIERS["png"](first), lossless.getvalue()) is RelationKind.SAME


@pytest.mark.parametrize("form", ["JPEG 100", "JPEG 97", "PNG", "TIFF"])
def test_a_copy_saved_finer_was_made_from_its_original(form: str, bursts: list[list[bytes]]) -> None:
    kind, __, quality = form.partition(" ")
    for original, *_ in bursts:
        again, first = Blocks.of(written(opened(original), 1, int(quality or 0), kind)), Blocks.of(original)
        assert (again.is_made_from(first), first.is_made_from(again)) == (True, False)


@pytest.mark.parametrize("quality", [50, 75, 85])
def test_a_copy_saved_coarser_was_made_from_its_original(quality: int, bursts: list[list[bytes]]) -> None:
    for original, *_ in bursts:
        again, first = Blocks.of(written(opened(original), 1, quality)), Blocks.of(original)
        assert (again.is_made_from(first), first.is_made_from(again)) == (True, False)


@pytest.mark.parametrize("quality", [92, 95, 97])
def test_colours_that_are_cut_off_make_no_copy_the_first(quality: int) -> None:
    spots = np.random.default_rng(0).integers(0, 2, (40, 40, 3), np.uint8) * 255
    first = written(np.asarray(cv2.resize(spots, (320, 320), interpolation=cv2.INTER_CUBIC), np.uint8), 1, 85)
    again = Blocks.of(written(opened(first), 1, quality))
    assert again.is_made_from(Blocks.of(first)) is not False


def test_tables_that_are_near_say_nothing(bursts: list[list[bytes]]) -> None:
    for original, *_ in bursts:
        again, first = Blocks.of(written(opened(original), 1, 92)), Blocks.of(original)
        assert again.is_made_from(first) is not False


@pytest.mark.parametrize(("scale", "quality"), [(2.0, 90), (2.0, 95), (1.5, 95)])
def test_an_enlarged_copy_is_told_from_its_original(scale: float, quality: int, bursts: list[list[bytes]]) -> None:
    for original, *_ in bursts:
        coarser = written(opened(original), 1, 80)
        large = written(opened(coarser), scale, quality)
        assert is_enlarged(Blocks.of(coarser), resized(large, opened(coarser).shape[1::-1])) is True


@pytest.mark.parametrize("quality", [60, 80, 92])
@pytest.mark.parametrize("scale", [0.25, 0.5, 0.75])
def test_a_copy_made_smaller_never_counts_as_the_first(scale: float, quality: int, bursts: list[list[bytes]]) -> None:
    for original, *_ in bursts:
        small = written(opened(original), scale, quality)
        assert not is_enlarged(Blocks.of(small), resized(original, opened(small).shape[1::-1]))


def test_a_copy_that_skips_pixels_of_a_soft_picture_never_counts_as_the_first(bursts: list[list[bytes]]) -> None:
    for original, *_ in bursts:
        soft = written(np.asarray(cv2.GaussianBlur(opened(original), (0, 0), 1.2), np.uint8), 1, 95)
        picture, file = Image.fromarray(opened(soft)), io.BytesIO()
        size = picture.width // 2, picture.height // 2
        picture.resize(size, Image.Resampling.NEAREST).save(file, "JPEG", quality=60)
        assert not is_enlarged(Blocks.of(file.getvalue()), resized(soft, size))


@pytest.mark.parametrize("quality", [50, 85, 92])
def test_made_separately_from_one_picture_that_lost_nothing(quality: int, bursts: list[list[bytes]]) -> None:
    for first, second in bursts:
        png, other = (COPIERS["png"](one) for one in (first, second))
        assert told(png, written(opened(png), 1, quality)) is RelationKind.SAME
        assert told(png, written(opened(other), 1, quality)) in AGAIN


@pytest.mark.parametrize("name", ["jpeg 50", "png"])
def test_a_second_shot_is_no_copy_that_was_saved_again(name: str, bursts: list[list[bytes]]) -> None:
    for originals in bursts:
        assert told(originals[0], COPIERS[name](originals[1])) in AGAIN


@pytest.mark.parametrize("name", [name for name in COPIERS if name not in ("jpeg 50", "jpeg 80", "png", "webp")])
def test_a_second_shot_is_no_copy_that_was_made_smaller(name: str, bursts: list[list[bytes]]) -> None:
    for originals in bursts:
        assert told(originals[0], COPIERS[name](originals[1])) in AGAIN


@pytest.mark.parametrize("number", range(len(FILTERS)))
def test_by_whatever_filter_a_picture_was_made_smaller(number: int, bursts: list[list[bytes]]) -> None:
    """Nothing but rounding lies between a picture and what one of the filters makes of the larger one."""
    original = opened(bursts[0][0])
    size = original.shape[1] // 2, original.shape[0] // 2
    channels = [FILTERS[number](np.ascontiguousarray(original[..., one], np.float32), size) for one in range(3)]
    small = Blocks.of(written(np.clip(np.rint(np.dstack(channels)), 0, 255).astype(np.uint8), 1, 70))
    own, foreign = (noise_between(small, resized(one, size).blocks) for one in bursts[0])
    assert own is not None
    assert foreign is not None
    assert own < 0.5 < foreign


def test_a_picture_with_too_little_to_see_says_nothing() -> None:
    white = written(np.full((400, 600, 3), 255, np.uint8))
    small = written(np.full((200, 300, 3), 255, np.uint8))
    assert is_made_smaller(Blocks.of(small), resized(white, (300, 200)).blocks, 0.5) is None
    assert told(white, small) is RelationKind.LIKELY


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
    assert by_grain(grainy(1), grainy(2)) in AGAIN


def test_added_grain_is_an_edit() -> None:
    rng = np.random.default_rng(0)
    noisy = np.clip(grainy(1) + rng.normal(0, 20, (600, 800)), 0, 255).astype(np.uint8)
    assert by_grain(grainy(1), noisy) is RelationKind.EDITED


def test_without_grain_nothing_differs() -> None:
    assert by_grain(grainy(1, 0.0), grainy(2, 0.0)) is RelationKind.SAME


SHAPES = ((1, 1), (1, 160), (160, 1), (2, 2), (8, 8), (15, 16), (16, 16), (17, 17), (16, 160), (60, 80))


def pictures() -> Iterator[UInt8Pixels]:
    """Yield a flat one and noise of each size."""
    rng = np.random.default_rng(3)
    for height, width in SHAPES:
        yield np.full((height, width, 3), 128, np.uint8)
        yield rng.integers(0, 256, (height, width, 3)).astype(np.uint8)


def compare_all() -> None:
    """Compare each with each in every way in which pictures are compared."""
    made = [*pictures()]
    looks = [ComparedPicture(one, Keypoints.of(picture_of_pixels(one), 300), one.shape[1::-1]) for one in made]
    greys = [np.ascontiguousarray(one[..., 1]) for one in made]
    blocks = [Blocks(np.vstack([np.ones((1, 64), np.int16), transformed(one)])) for one in greys]
    large = [
        [LargePicture(grey, grey.shape[::-1], "JPEG", each) for each in (None, block)]
        for grey, block in zip(greys, blocks, strict=True)
    ]
    for grey in greys:
        turnable_hash(grey)
    for one, other in itertools.combinations_with_replacement(range(len(made)), 2):
        for orientation in (ORIENTATIONS[0], ORIENTATIONS[5]):
            relate(looks[one], looks[other], orientation)
        for first, second in zip(large[one], large[other], strict=True):
            relate_closely(first, second)
        is_made_smaller(blocks[one], [blocks[other]], 0.5)


def test_no_picture_is_too_odd_to_compare() -> None:
    command = [sys.executable, "-W", "error", "-X", "faulthandler", "-m", __name__]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    compare_all()
