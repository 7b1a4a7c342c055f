"""Sizes from headers, for the decoders that would allocate before they can be asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.formats.formats import ICNS, ICO, PNG, WEBP, header_size
from features.reading.reading import read
from features.reading.reading_limits import Limits, UnreadableError
from tests.features.by_hand import claiming_webp
from tests.features.rare_pictures import icon, jpeg_xl
from tests.features.sample_pictures import encode, scene, with_alpha


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


def test_icons() -> None:
    largest = encode(scene(256, 200), "PNG")
    for size in ((16, 16), (256, 256)):
        assert header_size(ICO, icon(scene(*size))) == size
    assert header_size(ICO, encode(scene(256, 200), "ICO", sizes=[(16, 16), (256, 200)])) == (256, 200)
    assert header_size(ICNS, b"icns\0\0\0\0ic08\0\0\0\0" + largest) == (256, 200)
    assert header_size(ICNS, b"icns\0\0\0\0ic08\0\0\0\0" + encode(scene(96, 64), "JPEG2000")) == (96, 64)
    codestream = encode(scene(96, 64), "JPEG2000", no_jp2=True)
    assert header_size(ICNS, b"icns\0\0\0\0ic08\0\0\0\0" + codestream) == (96, 64)


def test_other_formats_are_asked_themselves() -> None:
    assert header_size(PNG, encode(scene(), "PNG")) is None


@given(st.binary(max_size=60))
def test_no_bytes_escape(noise: bytes) -> None:
    for beginning in (b"\0\0\1\0\3\0", b"icns", b"RIFF\0\0\0\0WEBPVP8X", b"RIFF\0\0\0\0WEBPVP8L"):
        for form in (WEBP, ICO, ICNS):
            size = header_size(form, beginning + noise)
            assert size is None or min(size) >= 0


def test_the_limits_come_before_the_decoder() -> None:
    with pytest.raises(UnreadableError, match="16,777,216 x 5"):
        read(claiming_webp(1 << 24, 5))
    with pytest.raises(UnreadableError, match=r"100 x 33.*allows 50 pixels"):
        read(jpeg_xl(scene(100, 33)), limits=Limits(side=50))
