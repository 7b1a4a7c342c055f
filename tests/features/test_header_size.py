"""Sizes from headers, for the decoders that would allocate before they can be asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.formats import JPEG_XL, PNG, WEBP
from features.header_size import header_size
from features.limits import Limits
from features.reading import UnreadableError, read
from tests.features.by_hand import claiming_webp
from tests.features.pictures import encode, scene, with_alpha

# Written by libjxl: flat grey, lossless.
JPEG_XL_FILES = {
    (16, 8): "ff0ac14150dc080800010034004b188b15801dc07f00c8783334",
    (100, 33): "ff0a0001c680a0b811080001003c004b188b15801dfe7f00480500da1335",
    (333, 333): "ff0a601a10143702080401004c004b188b15801dfe7f006847012c643407847784",
    (256, 256): "ff0a7f4050dc080802010044004b188b15801dfe7f00c8470168ee347784",
}


@pytest.mark.parametrize("size", [(1, 1), (96, 64), (333, 1)])
def test_webp(size: tuple[int, int]) -> None:
    image = scene(*size)
    transparent = with_alpha().resize(size)
    for data in (
        encode(image, "WEBP"),
        encode(image, "WEBP", lossless=True),
        encode(transparent, "WEBP"),
        encode(image, "WEBP", save_all=True, append_images=[scene(*size, seed=1)]),
    ):
        assert header_size(WEBP, data) == size


@pytest.mark.parametrize("size", JPEG_XL_FILES)
def test_jpeg_xl(size: tuple[int, int]) -> None:
    data = bytes.fromhex(JPEG_XL_FILES[size])
    assert header_size(JPEG_XL, data) == size
    container = b"\0\0\0\x0cJXL \r\n\x87\n" + b"\0\0\0\x14ftypjxl \0\0\0\0jxl "
    assert header_size(JPEG_XL, container + (8 + len(data)).to_bytes(4, "big") + b"jxlc" + data) == size
    part = (12 + len(data)).to_bytes(4, "big") + b"jxlp" + bytes(4) + data
    assert header_size(JPEG_XL, container + part) == size
    long_box = (1).to_bytes(4, "big") + b"jxlc" + (16 + len(data)).to_bytes(8, "big") + data
    assert header_size(JPEG_XL, container + long_box) == size


def test_other_formats_are_asked_themselves() -> None:
    assert header_size(PNG, encode(scene(), "PNG")) is None


@given(st.binary(max_size=60))
def test_no_bytes_escape(noise: bytes) -> None:
    for beginning in (b"\xff\x0a", b"\0\0\0\x0cJXL \r\n\x87\n", b"RIFF\0\0\0\0WEBPVP8X", b"RIFF\0\0\0\0WEBPVP8L"):
        for form in (WEBP, JPEG_XL):
            size = header_size(form, beginning + noise)
            assert size is None or min(size) >= 0


def test_the_limits_come_before_the_decoder() -> None:
    with pytest.raises(UnreadableError, match="16,777,216 x 5"):
        read(claiming_webp(1 << 24, 5))
    with pytest.raises(UnreadableError, match=r"100 x 33.*allows 50 pixels"):
        read(bytes.fromhex(JPEG_XL_FILES[(100, 33)]), limits=Limits(side=50))
