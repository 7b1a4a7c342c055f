"""A file that has rotted is told from the whole one, however its bytes changed; whatever people make is no damage."""

from __future__ import annotations

import io
import random
from contextlib import suppress

import cv2
import numpy as np
import pytest
from PIL import Image

from core.arrays import UInt8Pixels
from features.copies.damage import damage, may_differ_from_a_row_on
from features.reading.reading import read
from features.reading.reading_limits import UnreadableError
from tests.features.copies.bursts import rich

WAYS: dict[str, dict[str, int | bool]] = {
    "4:2:0": {"subsampling": 2},
    "4:4:4": {"subsampling": 0},
    "optimised": {"optimize": True},
    "restarts": {"restart_marker_rows": 1},
    "progressive": {"progressive": True},
}
PICTURE = rich(3)
TIFFS = ("tiff_lzw", "tiff_adobe_deflate", "jpeg")


def jpeg(rgb: UInt8Pixels, quality: int = 92, **options: int | bool) -> bytes:
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


def test_what_was_damaged_and_then_compressed_again() -> None:
    whole = jpeg(PICTURE, subsampling=2)
    bad = spoilt(whole, "sector", 4)
    again = jpeg(np.asarray(Image.open(io.BytesIO(bad)).convert("RGB")), 85)
    found = damage(whole, again)
    if found is not None:  # what follows the place may agree again
        assert found.second


@pytest.mark.parametrize("quality", [95, 85, 70])
def test_compressing_again_is_no_damage(quality: int) -> None:
    whole = jpeg(PICTURE)
    assert damage(whole, jpeg(np.asarray(Image.open(io.BytesIO(whole))), quality)) is None


def test_what_people_change_is_no_damage() -> None:
    whole = jpeg(PICTURE)
    height, width = PICTURE.shape[:2]
    barred, written, darker, corner = (np.array(PICTURE) for _ in range(4))
    barred[height * 4 // 5 :] = 20
    cv2.putText(written, "Greetings!", (width // 3, height - 20), cv2.FONT_HERSHEY_DUPLEX, 1.5, (255, 200, 0), 3)
    darker[height // 2 :] = darker[height // 2 :] // 2
    corner[-60:, -90:] = 255
    for one in (barred, written, darker, corner):
        assert damage(whole, jpeg(one)) is None
        assert damage(whole, jpeg(one, 80)) is None
    assert damage(whole, jpeg(rich(4))) is None
    assert damage(whole, whole.replace(b"JFIF", b"JFXX")) is None  # the same pixels
    assert damage(whole, jpeg(np.ascontiguousarray(PICTURE[:-8]))) is None


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
    assert not may_differ_from_a_row_on(PICTURE, PICTURE)
    assert not may_differ_from_a_row_on(PICTURE, 255 - PICTURE)
    assert not may_differ_from_a_row_on(PICTURE, PICTURE[1:])
