"""The rarer formats: told from their bytes, read to the pixel, and safe whatever was done to them."""

from __future__ import annotations

import sys

import numpy as np
import pylibjxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.features import by_hand, rare_pictures, sample_pictures
from tests.features.checks import check_outcome
from tests.features.rare_pictures import RARE, SCENE
from tests.features.sample_pictures import encode, pixels_of, scene
from twinlens.features.decoders.jpeg_xl import named_colours
from twinlens.features.formats.formats import FORMATS, recognise
from twinlens.features.pictures.coded_colours import CodedColours
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, UnreadableError

# Three flat pictures of 8 x 8, red, green and blue; written by libjxl.
MOVING = (
    "ff0a41044d002026080401003c004b188b15805dd4ff00223053aa893f080401003c004b188b15805dd4ff000e03abaa893f"
    "080405003c004b188b15805dd4ff002203abaa893f"
)
ONE_OF_EACH = {rare.form: rare for rare in RARE.values()}


@pytest.mark.parametrize("name", RARE)
def test_it_is_read_as_what_it_shows(name: str) -> None:
    rare = RARE[name]
    data = rare.make()
    for claimed in (name, "", "x.jpg", "notes.txt"):
        assert recognise(data, claimed).name == rare.form
    assert recognise(data[:4096]).name == rare.form  # what is told apart from films and texts by its beginning
    picture = read(data, name)
    assert picture.facts.format == rare.form
    shown = pixels_of(rare.shows.convert("RGB")).astype(np.float64)
    assert picture.rgb.shape == shown.shape
    assert np.abs(picture.rgb - shown).mean() <= rare.tolerance


def test_each_rare_format_is_tried() -> None:
    usual = {"JPEG", "PNG", "WebP", "TIFF", "GIF", "BMP", "AVIF", "HEIC", "JPEG 2000", "RAW"}
    assert set(ONE_OF_EACH) == {form.name for form in FORMATS} - usual - {"Photo CD", "HEIC sequence"}


def test_a_photo_cd_is_told_from_its_third_sector() -> None:
    data = bytes(2048) + b"PCD_IPI".ljust(194 * 2048, b"\0")
    assert recognise(data).name == "Photo CD"
    with pytest.raises(UnreadableError, match="Photo CD picture is"):
        read(data)
    whole = data.ljust(96 * 2048 + 768 * 512 * 3 // 2, b"\x80")
    facts = read(whole).facts
    assert (facts.width, facts.height) == (768, 512)


@pytest.mark.parametrize("form", sorted(set(ONE_OF_EACH) - {"XBM", "TGA", "PNM"}))  # of these what is left is shown
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9])
def test_a_cut_file_is_not_read_in_part(form: str, share: float) -> None:
    with pytest.raises(UnreadableError):
        read(sample_pictures.cut(ONE_OF_EACH[form].make(), share))


@pytest.mark.parametrize("name", RARE)
@given(data=st.data())
@settings(max_examples=25)
def test_no_damage_escapes(name: str, data: st.DataObject) -> None:
    whole = RARE[name].make()
    damaged = sample_pictures.flip_bits(
        whole, data.draw(st.lists(st.integers(0, 800) | st.integers(0, 8 * len(whole)), max_size=6))
    )
    damaged = damaged[: data.draw(st.integers(0, len(damaged)) | st.just(len(damaged)))]
    check_outcome(damaged, Limits(memory_bytes=1 << 26, resting_bytes=0))


def _claiming(form: str, side: int) -> bytes:
    """Make a file whose header claims a large square, and little else."""
    data = bytearray(ONE_OF_EACH[form].make())
    size = side.to_bytes
    places: dict[str, tuple[int, int, bytes]] = {  # of the width, of the height, and how they are written
        "PSD": (18, 14, size(4, "big")),
        "QOI": (4, 8, size(4, "big")),
        "TGA": (12, 14, size(2, "little")),
        "PCX": (8, 10, size(2, "little")),
        "DDS": (16, 12, size(4, "little")),
        "SGI": (6, 8, size(2, "big")),
        "Sun raster": (4, 8, size(4, "big")),
        "FLI": (8, 10, size(2, "little")),
    }
    for place in places[form][:2]:
        data[place : place + len(places[form][2])] = places[form][2]
    if form == "PCX":
        data[66:68] = b"\xfe\xff"
    return bytes(data)


@pytest.mark.parametrize("form", ["PSD", "QOI", "TGA", "PCX", "DDS", "SGI", "Sun raster", "FLI"])
def test_what_claims_too_much_is_refused_before_it_is_decoded(form: str) -> None:
    with pytest.raises(UnreadableError, match=r"60,00[01] x 60,00[01] pixels"):
        read(_claiming(form, 60_000))


def test_a_text_that_claims_too_much_is_refused() -> None:
    for data in (
        b"P7\nWIDTH 60000\nHEIGHT 60000\nDEPTH 3\nMAXVAL 255\nENDHDR\n",
        b"P7 332\n60000 60000 255\n",
        b"#define a_width 60000\n#define a_height 60000\nstatic char a_bits[] = {\n",
        b'/* XPM */\n"60000 60000 1 1",\n"a c #000000",\n',
    ):
        with pytest.raises(UnreadableError, match="60,000 x 60,000"):
            read(data)


def test_the_picture_inside_an_icon_counts() -> None:
    huge = by_hand.claiming_png(60_000, 60_000)
    entry = (16).to_bytes(1, "little") * 2 + b"\0\0\1\0\x20\0" + len(huge).to_bytes(4, "little") + b"\x16\0\0\0"
    for data in (
        b"\0\0\1\0\1\0" + entry + huge,
        b"icns" + (16 + len(huge)).to_bytes(4, "big") + b"icp4" + (8 + len(huge)).to_bytes(4, "big") + huge,
    ):
        with pytest.raises(UnreadableError, match="60,000 x 60,000"):
            read(data)


def test_a_photoshop_document_tells_when_and_with_what() -> None:
    facts = read(RARE["plain.psd"].make()).facts
    assert (facts.taken, facts.camera) == ("2023-05-14T11:08:00", "Canon EOS R5")


def test_a_photoshop_document_without_a_merged_picture_says_how_to_save_it() -> None:
    version = (1057, b"\0\0\0\1\0" + bytes(12))
    with pytest.raises(UnreadableError, match="without a picture of all its layers") as caught:
        read(rare_pictures.psd(SCENE, resources=(version,)))
    assert "Maximize Compatibility" in str(caught.value.advice)


def test_a_photoshop_document_of_32_bits_holds_light() -> None:
    light = rare_pictures.light_of(SCENE)
    head = bytearray(rare_pictures.psd(SCENE))
    head[23] = 32
    behind = len(head) - SCENE.width * SCENE.height * 3
    data = bytes(head[:behind]) + light.transpose(2, 0, 1).astype(">f4").tobytes()
    np.testing.assert_array_equal(read(data).rgb, pixels_of(SCENE))
    head[23] = 64
    with pytest.raises(UnreadableError, match="variety") as caught:
        read(bytes(head))
    assert "16 or 32 bits" in str(caught.value.advice)


def test_of_a_moving_jpeg_xl_the_first_picture_is_read() -> None:
    data = bytes.fromhex(MOVING)
    assert pylibjxl.probe(data)["have_animation"]
    red, green, blue = read(data).rgb[4, 4]
    assert red > 200 > 60 > max(green, blue)


def test_jpeg_xl_keeps_its_colour_profile() -> None:
    swapped = by_hand.icc_profile("Swapped", primaries=(1, 0, 2))
    expected = read(encode(SCENE, "PNG", icc_profile=swapped)).rgb
    np.testing.assert_array_equal(read(rare_pictures.jpeg_xl(SCENE, icc=swapped)).rgb, expected)


def test_jpeg_xl_without_its_decoder_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    data = RARE["plain.jxl"].make()
    monkeypatch.setitem(sys.modules, "pylibjxl", None)
    monkeypatch.delitem(sys.modules, "twinlens.features.decoders.jpeg_xl", raising=False)
    with pytest.raises(UnreadableError, match="JPEG XL") as caught:
        read(data)
    assert "pylibjxl" in str(caught.value.advice)


def test_small_pictures_are_read() -> None:
    for side in (1, 2, 16):
        small = scene(side, side)
        for data in (rare_pictures.icon(small), encode(small, "PCX"), encode(small, "TGA"), rare_pictures.psd(small)):
            assert read(data).rgb.shape == (side, side, 3)


@pytest.mark.parametrize(
    "data",
    [
        b"\0\0\2\0\6\4\6\0\x08\0" + bytes(300),  # an old spreadsheet
        b"\0\1\0\0\0\x11\1\0\0\4\0\x10" + bytes(300),  # a font
        b"\n\n\nDear diary" * 20,
        b"#define WIDTH 3\n#define HEIGHT 4\nint main() {}\n",
        bytes(range(256)) * 4,
        b"\0\0\1\xba" + bytes(range(200)),  # a film
        b"\0\0\1\0\3\0" + bytes(300),
    ],
)
def test_what_only_begins_like_one_is_none(data: bytes) -> None:
    with pytest.raises(UnreadableError, match="not a picture"):
        recognise(data)


_REST = "0802010078004b188b15525cdb6d6c2ccfd2a5a72028e80058150a65b6fd35297c4ba627"


@pytest.mark.parametrize(
    ("begin", "colours"),
    [
        ("ff0a08101090c985", CodedColours.of_numbers(12, 13)),
        ("ff0a08100104e4d1210e0700000080", CodedColours.of_numbers(9, 16)),
        ("ff0a08101050b408", CodedColours(curve=8)),
    ],
)
def test_jpeg_xl_names_its_colours(begin: str, colours: CodedColours) -> None:
    data = bytes.fromhex(begin + _REST)  # four pixels without loss, written by cjxl 0.7
    pixels = np.array([[[200, 40, 60], [10, 220, 90]], [[30, 60, 240], [128, 128, 128]]], np.uint8)
    assert named_colours(data) == colours
    np.testing.assert_array_equal(read(data).rgb, colours.to_srgb(pixels))


@given(places=st.lists(st.integers(0, 150), max_size=6), end=st.integers(0, 40))
def test_no_header_of_jpeg_xl_does_harm(places: list[int], end: int) -> None:
    data = bytes.fromhex("ff0a08101090c985" + _REST)
    named_colours(sample_pictures.flip_bits(data, places) if places else data[:end])
