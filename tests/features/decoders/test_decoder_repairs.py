"""What a PNG carries besides its pixels never makes it unreadable, and is not unpacked where nobody wants it."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import PngImagePlugin

from tests.features import by_hand
from tests.features.by_hand import icc_profile
from tests.features.sample_pictures import encode, exif_block, pixels_of, scene
from twinlens.features.decoders import decoder_repairs
from twinlens.features.decoders.decoder_repairs import without_texts
from twinlens.features.pictures.coded_colours import CodedColours
from twinlens.features.reading.reading import read


def long_profile(count: int) -> bytes:
    """Write a profile that shows red as green, and is followed by as much noise as a device's tables have."""
    profile = icc_profile("red is green", (1, 0, 2)) + np.random.default_rng(0).bytes(count)
    return len(profile).to_bytes(4, "big") + profile[4:]


def with_texts(*texts: str, **settings: object) -> bytes:
    info = PngImagePlugin.PngInfo()
    for number, text in enumerate(texts):
        info.add_text(f"Comment {number}", text, zip=number % 2 == 0)
    target = io.BytesIO()
    scene().save(target, "PNG", pnginfo=info, **settings)
    return target.getvalue()


def test_a_long_profile_is_used() -> None:
    data = encode(scene(), "PNG", icc_profile=long_profile(1_600_000))
    assert len(data) > 1_600_000
    np.testing.assert_array_equal(read(data).rgb, read(encode(scene(), "PNG", icc_profile=long_profile(0))).rgb)


def test_a_profile_too_long_to_be_one_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder_repairs, "_PROFILE_BYTES", 1 << 20)
    monkeypatch.setattr(PngImagePlugin, "MAX_TEXT_CHUNK", 1 << 20)
    data = encode(scene(), "PNG", icc_profile=bytes(2 << 20))
    assert b"iCCP" in data
    np.testing.assert_array_equal(read(data).rgb, pixels_of(scene()))


def test_comments_of_any_length_do_not_matter() -> None:
    data = with_texts(
        "x" * 20_000_000, "y" * 2_000_000, "z" * 3_000_000, exif=exif_block(6, make="Nokia", model="3310")
    )
    lean = without_texts(data)
    assert b"Comment" not in lean
    picture = read(data)
    assert picture.facts.camera == "Nokia 3310"
    np.testing.assert_array_equal(picture.rgb, read(encode(scene(), "PNG", exif=exif_block(6))).rgb)


def test_few_texts_are_left_where_they_are() -> None:
    data = with_texts("short", "x" * 500)
    assert without_texts(data) is data


@given(st.binary(max_size=200), st.integers(0, 200))
def test_damage_ends_as_bytes(noise: bytes, at: int) -> None:
    data = with_texts("long" * 1000, "x" * 2000, icc_profile=icc_profile("any"))
    assert without_texts(data[:at] + noise + data[at + len(noise) :])
    assert without_texts(data[: -len(noise) or None])


def _png(*chunks: tuple[bytes, bytes]) -> bytes:
    rows = b"".join(b"\0" + row.tobytes() for row in pixels_of(scene()))
    return by_hand.png(96, 64, 8, 2, rows, *chunks)


_P3 = struct.pack(">8I", 31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)


@pytest.mark.parametrize(
    ("chunks", "colours"),
    [
        ([(b"cICP", bytes([12, 13, 0, 1]))], CodedColours.of_numbers(12, 13)),
        ([(b"cICP", bytes([9, 16, 0, 1])), (b"sRGB", b"\0")], CodedColours.of_numbers(9, 16)),
        ([(b"gAMA", struct.pack(">I", 100_000))], CodedColours(power=1.0)),
        ([(b"cHRM", _P3)], CodedColours((0.68, 0.32, 0.265, 0.69, 0.15, 0.06, 0.3127, 0.329))),
        ([(b"gAMA", struct.pack(">I", 45_455))], CodedColours()),
        ([(b"gAMA", struct.pack(">I", 100_000)), (b"sRGB", b"\0")], CodedColours()),
        ([(b"cICP", bytes([12, 13, 6, 1]))], CodedColours()),
        ([(b"gAMA", b"\0\0\0\0"), (b"cHRM", bytes(32))], CodedColours()),
    ],
)
def test_a_png_says_its_colours_by_numbers(chunks: list[tuple[bytes, bytes]], colours: CodedColours) -> None:
    plain = pixels_of(scene())
    np.testing.assert_array_equal(read(_png(*chunks)).rgb, colours.to_srgb(plain))
