"""Bitmaps that only differ in how their headers are written, all of one scene."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.checks import check_outcome
from tests.features.sample_pictures import encode, pixels_of, scene
from twinlens.core.arrays import UInt8Pixels
from twinlens.features.decoders.bitmap import is_bitmap
from twinlens.features.reading.reading import read

SCENE = pixels_of(scene())
HEIGHT, WIDTH = SCENE.shape[:2]


def with_fields(masks: tuple[int, int, int, int], depth: int, length: int = 108, packing: int = 3) -> bytes:
    """Write a bitmap whose colours lie under masks."""
    numbers = np.zeros((HEIGHT, WIDTH), np.uint64)
    bands = np.dstack((SCENE, np.full(SCENE.shape[:2], 255, np.uint8)))
    for band, mask in enumerate(masks):
        if mask:
            shift = (mask & -mask).bit_length() - 1
            numbers |= np.rint(bands[..., band] / 255 * (mask >> shift)).astype(np.uint64) << np.uint64(shift)
    rows = np.ascontiguousarray(numbers[::-1]).astype("<u2" if depth == 16 else "<u4")
    head = struct.pack("<IiiHHIIiiII", length, WIDTH, HEIGHT, 1, depth, packing, rows.nbytes, 0, 0, 0, 0)
    head += struct.pack("<4I", *masks)
    head = head.ljust(length, b"\0") if length > 40 else head[: 40 + 12]
    return struct.pack("<2sIHHI", b"BM", 14 + len(head) + rows.nbytes, 0, 0, 14 + len(head)) + head + rows.tobytes()


def shows(data: bytes, expected: UInt8Pixels, most: int = 0) -> None:
    picture = read(data, "a.bmp")
    assert picture.facts.format == "BMP"
    assert np.abs(picture.rgb.astype(int) - expected).max() <= most


@pytest.mark.parametrize(
    ("masks", "depth", "most"),
    [
        ((0xFF000000, 0xFF0000, 0xFF00, 0), 32, 0),
        ((0x3FF00000, 0xFFC00, 0x3FF, 0), 32, 1),
        ((0xFC000000, 0x3F00000, 0xFC000, 0), 32, 3),
        ((0xF00, 0xF0, 0xF, 0xF000), 16, 9),
        ((0x7C00, 0x3E0, 0x1F, 0), 16, 5),
    ],
)
def test_colours_in_any_bits(masks: tuple[int, int, int, int], depth: int, most: int) -> None:
    shows(with_fields(masks, depth), SCENE, most)
    if not masks[3]:
        shows(with_fields(masks, depth, 40), SCENE, most)


def test_a_palette_of_two_bits() -> None:
    numbers = (SCENE[..., 0] // 64).astype(np.uint8)
    palette = np.array([[0, 0, 0], [200, 10, 20], [30, 220, 40], [50, 60, 250]], np.uint8)
    packed = (numbers.reshape(HEIGHT, -1, 4) << np.array([6, 4, 2, 0], np.uint8)).sum(axis=2).astype(np.uint8)
    table = np.pad(palette[:, ::-1], ((0, 0), (0, 1))).tobytes()
    head = struct.pack("<IiiHHIIiiII", 40, WIDTH, HEIGHT, 1, 2, 0, 0, 0, 0, 4, 0)
    data = struct.pack("<2sIHHI", b"BM", 0, 0, 0, 14 + 40 + 16) + head + table + packed[::-1].tobytes()
    shows(data, palette[numbers])


def test_a_picture_inside_a_bitmap() -> None:
    for packing, form in ((5, "PNG"), (4, "JPEG")):
        inside = encode(scene(), form)
        head = struct.pack("<IiiHHIIiiII", 40, WIDTH, HEIGHT, 1, 0, packing, len(inside), 0, 0, 0, 0)
        shows(struct.pack("<2sIHHI", b"BM", 0, 0, 0, 54) + head + inside, read(inside).rgb)


def test_headers_of_os2() -> None:
    rows = SCENE[::-1, :, ::-1].tobytes()
    short = struct.pack("<IIIHH", 16, WIDTH, HEIGHT, 1, 24)
    one = struct.pack("<2sIHHI", b"BM", 0, 0, 0, 14 + 16) + short + rows
    shows(one, SCENE)
    at = 14  # an array: its own head, and the bitmap with places that count from the file's beginning
    inside = struct.pack("<2sIHHI", b"BM", 0, 0, 0, at + 14 + 16) + short + rows
    shows(struct.pack("<2sIIHH", b"BA", 40, 0, 0, 0) + inside, SCENE)


def test_an_icon_of_os2_shows_its_colours_without_its_masks() -> None:
    mask = struct.pack("<IHHHH", 12, WIDTH, 2 * HEIGHT, 1, 1)
    colours = struct.pack("<IHHHH", 12, WIDTH, HEIGHT, 1, 24)
    bits = bytes(2 * HEIGHT * ((WIDTH + 31) // 32 * 4))
    behind = 14 + 12 + 6 + 14 + 12
    data = struct.pack("<2sIHHI", b"CI", 26, 0, 0, behind) + mask + bytes(3) + b"\xff" * 3
    data += (
        struct.pack("<2sIHHI", b"CI", 26, 0, 0, behind + len(bits)) + colours + bits + SCENE[::-1, :, ::-1].tobytes()
    )
    shows(data, SCENE)


def test_one_without_a_head_of_its_file() -> None:
    head = struct.pack("<IiiHHIIiiII", 40, WIDTH, HEIGHT, 1, 24, 0, 0, 0, 0, 0, 0)
    shows(head + SCENE[::-1, :, ::-1].tobytes(), SCENE)
    assert not is_bitmap(b"\x28\0\0\0 is the beginning of something else altogether")
    assert not is_bitmap(b"BA, not a bitmap")


@given(places=st.lists(st.integers(0, 8 * 200), max_size=8), end=st.integers(0, 400))
def test_damage_ends_as_a_picture_or_a_reason(places: list[int], end: int) -> None:
    data = bytearray(with_fields((0xF00, 0xF0, 0xF, 0xF000), 16))
    for place in places:
        data[place // 8] ^= 1 << place % 8
    check_outcome(bytes(data))
    check_outcome(bytes(data[:end]))
