"""Facts from EXIF, and from EXIF that is nonsense."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from PIL.TiffImagePlugin import IFDRational

from tests.features.by_hand import Field, tiff
from tests.features.sample_pictures import exif_block, flip_bits
from twinlens.features.formats.exif import CameraSettings, Exif, TiffTags, camera, read_exif


def test_the_facts() -> None:
    block = exif_block(6, "2023:05:14 11:08:00", "SONY", "ILCE-7M3")
    expected = Exif(6, "2023-05-14T11:08:00", "SONY ILCE-7M3")
    assert read_exif(block) == expected
    assert read_exif(block.removeprefix(b"Exif\0\0")) == expected
    assert read_exif(None) == read_exif(b"") == Exif()


@pytest.mark.parametrize("order", ["<", ">"])
def test_both_byte_orders(order: str) -> None:
    fields = [Field(0x0112, 3, [8]), Field(0x010F, 2, b"Kodak\0"), Field(0x0132, 2, b"1999:12:31 23:59:59\0")]
    assert read_exif(tiff([(fields, b"")], order)) == Exif(8, "1999-12-31T23:59:59", "Kodak")


@pytest.mark.parametrize(
    ("south", "east", "place"),
    [("N", "E", "48.137500,11.575000"), ("S", "W", "-48.137500,-11.575000"), ("", "", "48.137500,11.575000")],
)
def test_the_place(south: str, east: str, place: str) -> None:
    notes = Image.Exif()
    notes.get_ifd(0x8825).update({1: south, 2: (48.0, 8.0, 15.0), 3: east, 4: (11.0, 34.0, 30.0)})
    notes.get_ifd(0x8769)[0x9291] = " 084"
    found = read_exif(notes.tobytes())
    assert (found.place, found.subsecond) == (place, "084")


def test_the_settings_of_the_camera_and_the_zone_of_its_clock() -> None:
    notes = Image.Exif()
    inner = {
        0x829A: IFDRational(1, 250),
        0x829D: IFDRational(28, 10),
        0x8827: 400,
        0x920A: IFDRational(35, 1),
        0xA434: "XF35mmF2 R WR",
        0x9011: "+02:00",
    }
    notes.get_ifd(0x8769).update(inner)
    found = read_exif(notes.tobytes())
    assert found.settings == CameraSettings("XF35mmF2 R WR", 2.8, 0.004, 400, 35.0)
    assert found.offset == "+02:00"


@pytest.mark.parametrize(
    "inner",
    [
        {
            0x829A: IFDRational(1, 0),
            0x829D: IFDRational(0, 10),
            0x8827: 65_535,
            0x920A: IFDRational(0, 1),
            0xA434: "----",
            0x9011: "   :  ",
        },
        {0x829A: IFDRational(4_000_000_000, 1), 0x829D: IFDRational(4_000_000_000, 1), 0x9011: "+25:00"},
    ],
)
def test_settings_that_are_none(inner: dict[int, object]) -> None:
    notes = Image.Exif()
    notes.get_ifd(0x8769).update(inner)
    found = read_exif(notes.tobytes())
    assert (found.settings, found.offset) == (CameraSettings(), "")


@pytest.mark.parametrize("angle", [(91.0, 0.0, 0.0), (), (0.0, 0.0, 0.0)])
def test_a_place_that_is_none(angle: tuple[float, ...]) -> None:
    notes = Image.Exif()
    notes.get_ifd(0x8825).update({1: "N", 2: angle, 3: "E", 4: (0.0, 0.0, 0.0)})
    assert read_exif(notes.tobytes()).place == ""


def test_big_tiff() -> None:
    entry = struct.pack("<HHQ", 0x0112, 3, 1) + struct.pack("<H6x", 7)
    block = b"II+\0" + struct.pack("<HHQ", 8, 0, 16) + struct.pack("<Q", 1) + entry + bytes(8)
    assert read_exif(block).orientation == 7


def test_dates_fall_back() -> None:
    zero = "0000:00:00 00:00:00"
    assert read_exif(exif_block(taken=zero, digitized="2001:02:03 04:05:06")).taken == "2001-02-03T04:05:06"
    assert read_exif(exif_block(taken="soon", changed="2001:02:03 04:05:06")).taken == "2001-02-03T04:05:06"
    assert read_exif(exif_block(taken=zero, digitized=zero, changed=zero)).taken is None


@pytest.mark.parametrize(
    ("make", "model", "expected"),
    [
        ("Canon", "Canon EOS 5D", "Canon EOS 5D"),
        ("NIKON CORPORATION", "NIKON D90", "NIKON D90"),
        ("SONY", "ILCE-7M3", "SONY ILCE-7M3"),
        ("Apple", "", "Apple"),
        ("", "SM-G991B", "SM-G991B"),
        ("", "", None),
        ("--", "--", None),
        ("Canon", "?", "Canon"),
        ("小米", "-", "小米"),
    ],
)
def test_cameras(make: str, model: str, expected: str | None) -> None:
    assert camera(make, model) == expected


def test_text_is_cleaned() -> None:
    make, model = b"  OLYMPUS  \0\0\0junk\0", b"E-M5\x07 \xe9\0"
    fields = [Field(0x010F, 2, make), Field(0x0110, 2, model)]
    assert read_exif(tiff([(fields, b"")])).camera == "OLYMPUS E-M5 é"
    endless = tiff([([Field(0x010F, 2, b"x" * 9999)], b"")])
    assert len(read_exif(endless).camera or "") <= 256


def test_nonsense_is_left_out() -> None:
    for fields in (
        [Field(0x0112, 3, [0])],
        [Field(0x0112, 3, [9])],
        [Field(0x0112, 2, b"upright\0")],
        [Field(0x8769, 4, [4_000_000_000])],
        [Field(0x8769, 4, [8])],
        [Field(0x010F, 3, [1, 2, 3])],
    ):
        assert read_exif(tiff([(fields, b"")])) == Exif()


@given(st.binary(max_size=200))
def test_no_bytes_escape(noise: bytes) -> None:
    big = b"II+\0\x08\0\0\0\x10" + bytes(7)
    for beginning in (b"", b"Exif\0\0", b"II*\0\x08\0\0\0", b"Exif\0\0MM\0*\0\0\0\x08", big):
        facts = read_exif(beginning + noise)
        assert 1 <= facts.orientation <= 8


@given(st.lists(st.integers(0, 4000), min_size=1, max_size=8), st.integers(0, 300))
def test_no_damage_escapes(places: list[int], length: int) -> None:
    whole = exif_block(6, "2023:05:14 11:08:00", "SONY", "ILCE-7M3")
    facts = read_exif(flip_bits(whole, places)[:length])
    assert 1 <= facts.orientation <= 8
    assert facts.taken is None or len(facts.taken) in (4, 7, 10, 19)  # as far as the text goes


def test_tags_that_point_outside_are_missing() -> None:
    entries = struct.pack("<HHII", 0x010F, 2, 50, 9000) + struct.pack("<HHII", 0x0110, 2, 4, 0x30313233)
    block = b"II*\0\x08\0\0\0" + struct.pack("<H", 2) + entries + bytes(4)
    tags = TiffTags(block)
    assert set(tags.first) == {0x0110}
    assert tags.text(tags.first[0x0110]) == "3210"
    assert tags.numbers(None) == ()
    assert tags.number(None) is None
    assert tags.text(None) == ""
