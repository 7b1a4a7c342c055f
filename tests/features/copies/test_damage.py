"""A file that has rotted is told from the whole one, however its bytes changed; whatever people make is no damage."""

from __future__ import annotations

import io
import random
from contextlib import suppress

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from tests.features.copies.bursts import rich
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.copies.damage import damage, may_differ_from_a_row_on
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import UnreadableError

WAYS: dict[str, dict[str, int | bool]] = {
    "4:2:0": {"subsampling": 2},
    "4:4:4": {"subsampling": 0},
    "optimised": {"optimize": True},
    "restarts": {"restart_marker_rows": 1},
    "progressive": {"progressive": True},
}
PICTURE = rich(3)
TIFFS = ("tiff_lzw", "tiff_adobe_deflate", "jpeg")


def jpeg(rgb: UInt8Pixels, quality: int = 92, **options: int | bool | bytes) -> bytes:
    out = io.BytesIO()
    Image.fromarray(rgb).save(out, "JPEG", quality=quality, **options)
    return out.getvalue()


def spoilt(data: bytes, how: str, seed: int) -> bytes:
    """Spoil the last part of a file as disks and copying do, so that it is still decoded, to other pixels."""
    rng = random.Random(seed)
    begin = len(data) // 2
    whole = read(data).rgb
    for _ in range(500):
        made = bytearray(data)
        at = rng.randrange(max(begin, data.index(b"\xff\xda") + 20), len(data) - 600)
        match how:
            case "bit":
                made[at] ^= 1 << rng.randrange(8)
            case "sector":
                made[at : at + 512] = bytes(512)
            case "swapped":
                made[at : at + 256], made[begin - 256 : begin] = made[begin - 256 : begin], made[at : at + 256]
            case "cut":
                made[at:] = b"\xff\xd9"
        try:
            found = read(bytes(made)).rgb
        except UnreadableError:
            continue
        if np.abs(found.astype(int) - whole).max() > 60:
            return bytes(made)
    pytest.skip("such a file is refused, whatever changes")


@pytest.mark.parametrize("how", ["bit", "sector", "swapped", "cut"])
@pytest.mark.parametrize("way", WAYS)
def test_which_of_two_is_damaged(way: str, how: str) -> None:
    whole = jpeg(PICTURE, **WAYS[way])
    bad = spoilt(whole, how, 1)
    there, back = damage(whole, bad), damage(bad, whole)
    assert there is not None
    assert back is not None
    assert there.start == back.start
    if way == "progressive" and how != "cut":  # what changes is strewn over the picture
        assert (there.second, back.second) in [(True, False), (None, None)]
    else:
        assert (there.second, back.second) == (True, False)


def written(rgb: UInt8Pixels, kind: str, **options: str | int) -> bytes:
    out = io.BytesIO()
    Image.fromarray(rgb).save(out, kind, **options)
    return out.getvalue()


@pytest.mark.parametrize(
    "options", [{"kind": "WEBP", "quality": 90}, *({"kind": "TIFF", "compression": one} for one in TIFFS)]
)
def test_other_formats_rot_too(options: dict[str, str]) -> None:
    whole = written(PICTURE, **options)
    for at in range(len(whole) * 3 // 4, len(whole) - 20):
        bad = bytes([*whole[:at], whole[at] ^ 16, *whole[at + 1 :]])
        with suppress(UnreadableError):
            if np.abs(read(bad).rgb.astype(int) - read(whole).rgb).max() > 60:
                break
    found = damage(whole, bad)
    assert found is not None
    assert found.second is not False


@pytest.mark.parametrize(("kind", "quality"), [("PNG", 0), ("WEBP", 85), ("JPEG", 90)])
@pytest.mark.parametrize("way", ["4:2:0", "4:4:4"])
@pytest.mark.parametrize("turn", [1, 6])
def test_what_was_damaged_and_then_saved_again(kind: str, quality: int, way: str, turn: int) -> None:
    whole = jpeg(PICTURE, exif=turned(turn), **WAYS[way])
    bad = read(spoilt(whole, "sector", 4)).rgb  # upright, as programs save it
    again = written(bad, kind, quality=quality)
    there, back = damage(whole, again), damage(again, whole)
    assert there is not None
    assert back is not None
    assert (there.second, back.second) == (True, False)


def turned(orientation: int) -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    return exif.tobytes()


def changed(kind: str) -> tuple[UInt8Pixels, UInt8Pixels]:
    """Return two pictures of which a person or a program has made one from the other, or both of one scene."""
    first, rng = np.array(PICTURE), np.random.default_rng(2)
    second = first.copy()
    height, width = first.shape[:2]
    below = slice(height // 2 + 3, height)
    y, x = np.mgrid[:height, :width]
    match kind:
        case "a shifted shot":
            first, second = (
                np.clip(one + rng.normal(0, 3, one.shape), 0, 255).astype(np.uint8)
                for one in (first, np.roll(first, (1, 2), (0, 1)))
            )
        case "half the size":
            second = np.asarray(cv2.resize(first, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8)
        case "a crop":
            second = np.ascontiguousarray(first[:-8])
        case "a black bar":
            second[height * 4 // 5 :] = 20
        case "a sticker":
            cv2.circle(second, (width * 2 // 3, height * 3 // 4), height // 8, (250, 210, 30), -1)
        case "a text":
            cv2.putText(second, "Greetings!", (width // 3, height - 20), cv2.FONT_HERSHEY_DUPLEX, 1.5, (255, 200, 0), 3)
        case "a box in other colours":
            second[below, width // 3 : width * 2 // 3] = second[below, width // 3 : width * 2 // 3, ::-1]
        case "blurred below":
            second[below] = cv2.GaussianBlur(first, (0, 0), 6)[below]
        case "blurred below beside what is plain":
            first = np.clip(first + rng.normal(0, 20, first.shape), 0, 255).astype(np.uint8)
            first[:, : width * 15 // 100] = 90
            second = np.vstack([first[: height // 2], cv2.GaussianBlur(first, (0, 0), 6)[height // 2 :]])
        case "brighter below, on the left a little":
            first = first // 10 * 8
            more = np.where(x < width // 5, 11, 36) * (y >= height // 2 + 4)
            second = (first + more[..., None]).astype(np.uint8)
        case "brighter below":
            second[below] = second[below] // 2 + 127
        case "a mosaic below":
            second[304:] = np.repeat(np.repeat(second[304::16, ::16], 16, 0), 16, 1)[: height - 304, :width]
        case "a bar on the grid, where it is dark on the left":
            first[:, : width // 8] //= 32
            second[:, : width // 8] //= 32
            second[304:] = 0
        case "chequered":
            second[(x // 16 + y // 16) % 2 == 0] = 0
        case "one pixel":
            second[205, 305] = 255 - second[205, 305]
        case "another picture":
            second = rich(4)
    return first, second


@pytest.mark.parametrize(
    "kind",
    [
        "nothing", "a shifted shot", "half the size", "a crop", "a black bar", "a sticker", "a text",
        "a box in other colours", "blurred below", "blurred below beside what is plain", "brighter below",
        "brighter below, on the left a little", "a mosaic below", "a bar on the grid, where it is dark on the left",
        "chequered", "one pixel", "another picture",
    ],
)  # fmt: skip
@pytest.mark.parametrize("quality", [92, 80])
def test_what_people_and_programs_change_is_no_damage(kind: str, quality: int) -> None:
    first, second = changed(kind)
    assert damage(jpeg(first), jpeg(second, quality)) is None


def test_what_is_not_of_the_pixels_is_no_damage() -> None:
    whole = jpeg(PICTURE)
    assert damage(whole, whole.replace(b"JFIF", b"JFXX")) is None


@pytest.mark.parametrize("options", [{"kind": "BMP"}, *({"kind": "TIFF", "compression": one} for one in TIFFS[:2])])
def test_a_few_bytes_of_a_picture_that_is_not_compressed_or_in_strips_may_be_an_edit(options: dict[str, str]) -> None:
    spots = [np.array(PICTURE) for _ in range(4)]
    spots[0][200:210, 300:310] = 0
    spots[1][200:210, 300:310] = 255
    spots[2][205, 305] = spots[2][205, 304]
    first, *others = (written(one, **options) for one in (*spots, PICTURE))
    for other in others:
        assert damage(first, other) is None


def test_a_tiny_picture_is_never_told_to_be_damaged() -> None:
    one, other = (jpeg(np.full((5, 5, 3), level, np.uint8)) for level in (10, 200))
    assert damage(one, other) is None


def test_parted() -> None:
    below = np.array(PICTURE)
    below[300:] = 255 - below[300:]
    assert may_differ_from_a_row_on(PICTURE, below)
    assert may_differ_from_a_row_on(np.rot90(PICTURE), np.rot90(below))
    assert not may_differ_from_a_row_on(PICTURE, PICTURE)
    assert not may_differ_from_a_row_on(PICTURE, 255 - PICTURE)
    assert not may_differ_from_a_row_on(PICTURE, PICTURE[1:])
