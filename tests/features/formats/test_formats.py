"""The format is told from the bytes, whatever the name says."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.by_hand import claiming_webp, png
from tests.features.rare_pictures import icon, jpeg_xl
from tests.features.sample_pictures import GOOD, Case, encode, scene, with_alpha
from twinlens.features.formats.formats import FORMATS, ICNS, ICO, PNG, WEBP, header_size, recognise
from twinlens.features.formats.types_not_read import not_a_picture
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, NotAPictureError, UnreadableError

EXPECTED = {
    "jpg": "JPEG", "mpo": "JPEG", "png": "PNG", "webp": "WebP", "gif": "GIF", "tif": "TIFF", "tiff": "TIFF",
    "bmp": "BMP", "avif": "AVIF", "heic": "HEIC", "jp2": "JPEG 2000", "ppm": "PNM", "dng": "RAW",
}  # fmt: skip


@pytest.mark.parametrize(
    "case", [case for case in GOOD if not case.name.startswith(("wrong", "no "))], ids=lambda case: case.name
)
def test_formats_are_told_from_the_bytes(case: Case) -> None:
    expected = EXPECTED[case.name.rsplit(".", 1)[1]]
    for name in ("", case.name, "x.png", "x.nef", "x"):
        assert recognise(case.make(), name).name == expected


def test_every_format_has_a_name_of_its_own() -> None:
    assert len({form.name for form in FORMATS}) == len(FORMATS)


@pytest.mark.parametrize("brand", [b"avif", b"avis", b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"crx "])
def test_brands_of_media_containers(brand: bytes) -> None:
    major = struct.pack(">I", 24) + b"ftyp" + brand + bytes(4) + b"isomiso2"
    name = {b"a": "AVIF", b"c": "RAW"}.get(brand[:1], "HEIC")
    assert recognise(major).name == name
    if brand != b"crx ":
        compatible = struct.pack(">I", 24) + b"ftyp" + b"isom" + bytes(4) + b"abcd" + brand
        assert recognise(compatible).name == name


def test_a_sequence_without_a_picture_of_its_own_is_said_to_be_one() -> None:
    def box(kind: bytes, data: bytes = b"", large: bool = False) -> bytes:
        if large:
            return struct.pack(">I4sQ", 1, kind, 16 + len(data)) + data
        return struct.pack(">I4s", 8 + len(data), kind) + data

    start = box(b"ftyp", b"msf1" + bytes(4) + b"msf1hevciso8")
    for data in (
        start + box(b"moov", bytes(20)) + box(b"mdat", b"meta"),
        start + box(b"mdat", bytes(30), large=True) + box(b"moov", box(b"meta")),
    ):
        assert recognise(data).name == "HEIC sequence"
    assert recognise(start + box(b"meta") + box(b"moov") + box(b"mdat")).name == "HEIC"
    assert recognise(start + box(b"mdat")).name == "HEIC"  # what is cut off may tell


def test_mif1_is_avif_where_it_says_so_too() -> None:
    assert recognise(struct.pack(">I", 24) + b"ftyp" + b"mif1" + bytes(4) + b"miafavif").name == "AVIF"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"%PDF-1.7", "a PDF document"),
        (b"PK\x03\x04....", "a ZIP archive"),
        (b"\0\0\0\x18ftypmp42\0\0\0\0isom", "a video"),
        (b"\0\0\0\x14ftypqt  \0\0\0\0", "a video"),
        (b"RIFF\0\0\0\0AVI LIST", "a video"),
        (b"\x1aE\xdf\xa3...", "Matroska"),
        (b"<!DOCTYPE html><p>", "a web page"),
        (b"MZ\x90\0", "a Windows program"),
        (b"BM is how this letter begins", "a text"),
        (b"P5 is a model", "a text"),
        ("Grüße aus Kärnten".encode("latin-1"), "a text"),
        (b"\0\1\2\3", "does not know"),
        (b"\xff\xd8", "does not know"),
    ],
)
def test_what_other_files_are(data: bytes, words: str) -> None:
    with pytest.raises(NotAPictureError) as caught:
        recognise(data, "picture.jpg")
    assert words in str(caught.value.message)
    assert str(caught.value.advice)
    assert str(not_a_picture(data)) == str(caught.value)


@pytest.mark.parametrize(
    ("data", "words", "todo"),
    [
        (b"%!PS-Adobe-3.0 EPSF-3.0\n", "an EPS drawing", "Export it as PNG"),
        (b"\xc5\xd0\xd3\xc6\x1e\0\0\0", "an EPS drawing", "Export it as PNG"),
        (b"<svg xmlns='x'/>", "an SVG drawing", "Export it as PNG"),
        (b"<?xml version='1.0'?>\n<!-- made --><!-- by hand -->\n<svg >", "an SVG drawing", "Export it as PNG"),
        (b"\1\0\0\0".ljust(40, b"\0") + b" EMF", "a Windows metafile", "Export it as PNG"),
        (b"gimp xcf v011", "a GIMP document", "Export it as PNG"),
        (b"SIMPLE  =                    T", "FITS", "Siril"),
        (b"id=ImageMagick  version=1.0", "an ImageMagick picture", "GIMP"),
        (b"\xab\x01\x01\x03", "a Khoros picture", "GIMP"),
        (b"\x52\xcc\0\0", "a Utah raster picture", "GIMP"),
        (b"\x53\x80\xf6\x34", "a Softimage picture", "GIMP"),
        (b"8BPS\0\3", "a Photoshop document", "Export it as PNG"),
        (bytes(128) + b"DICM", "a medical picture", "viewer"),
        (b"FORM\0\0\0\0ILBM", "an Amiga picture", "GIMP"),
        (struct.pack("<27f", 1, 9, 0, 0, 1, *[0] * 7, 3, *[0] * 8, 108, 36, *[0] * 4), "electron", "GIMP"),
        (struct.pack(">27f", 1, 9, 0, 0, 3, *[0] * 7, 3, *[0] * 8, 108, 36, *[0] * 4), "electron", "GIMP"),
    ],
)
def test_pictures_that_are_not_read_are_told_apart_from_what_is_none(data: bytes, words: str, todo: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        recognise(data, "notes.txt")
    assert not isinstance(caught.value, NotAPictureError)
    assert words in str(caught.value.message)
    assert todo in str(caught.value.advice)


def test_telling_a_drawing_takes_no_time_whatever_its_comments() -> None:
    with pytest.raises(NotAPictureError):
        recognise(b"<!---->" * 5000)


def test_a_picture_inside_a_text_is_none() -> None:
    with pytest.raises(NotAPictureError):
        recognise(b" " + encode(scene(8, 8), "PNG"))
    assert recognise(png(1, 1, 8, 0, b"\0\0")).name == "PNG"


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
