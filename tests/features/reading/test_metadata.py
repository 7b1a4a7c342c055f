"""Metadata: what is said of a photograph in any of its ways, and what its file holds beside the first picture."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.features.sample_pictures import exif_block, scene, with_alpha
from twinlens.features.pictures.picture import Metadata
from twinlens.features.reading.metadata import Statements, read_xmp
from twinlens.features.reading.reading import read

XMP = b"""<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'>
<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description
 xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmlns:dc='http://purl.org/dc/elements/1.1/'
 xmlns:lr='http://ns.adobe.com/lightroom/1.0/' xmlns:exif='http://ns.adobe.com/exif/1.0/'
 xmp:Rating='4' xmp:Label='Red' exif:DateTimeOriginal='2017-03-04T05:06:07+02:00'
 exif:GPSLatitude='48,6N' exif:GPSLongitude='11,30.5W'>
<dc:subject><rdf:Bag><rdf:li>Rome</rdf:li><rdf:li>Grandma</rdf:li></rdf:Bag></dc:subject>
<lr:hierarchicalSubject><rdf:Bag><rdf:li>Places|Italy|Rome</rdf:li></rdf:Bag></lr:hierarchicalSubject>
<dc:description><rdf:Alt><rdf:li xml:lang='x-default'>Cutting the cake</rdf:li></rdf:Alt></dc:description>
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>"""
SAID = Metadata(rating=4, label="Red", keywords=("Places|Italy|Rome", "Grandma"), caption="Cutting the cake")
FURTHER = [scene(24, 16, 1), scene(24, 16, 2)]


def saved(picture: Image.Image, form: str, **how: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, form, **how)
    return file.getvalue()


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
def test_what_xmp_says_is_read_from_each_format(form: str) -> None:
    how: dict[str, object] = {"xmp": XMP}
    if form == "PNG":
        texts = PngInfo()
        texts.add_itxt("XML:com.adobe.xmp", XMP.decode())
        how = {"pnginfo": texts}
    elif form == "TIFF":
        how = {"tiffinfo": {700: XMP}}
    facts = read(saved(scene(24, 16), form, **how)).facts
    assert facts.metadata is not None
    assert replace(facts.metadata, coding="") == SAID
    assert (facts.taken, facts.place) == ("2017-03-04T05:06:07 xmp 19", "48.100000,-11.508333")


def test_the_camera_counts_before_what_others_say() -> None:
    data = saved(scene(24, 16), "JPEG", xmp=XMP, exif=exif_block(1, taken="2001:02:03 04:05:06", make="A", model="B"))
    assert read(data).facts.taken == "2001-02-03T04:05:06"


def test_the_settings_of_the_camera_are_among_the_metadata() -> None:
    notes = Image.Exif()
    notes.get_ifd(0x8769).update({0x8827: 400, 0xA434: "EF 35mm", 0x9011: "+02:00"})
    found = read(saved(scene(24, 16), "JPEG", exif=notes.tobytes())).facts.metadata
    assert found is not None
    assert replace(found, coding="") == Metadata(offset="+02:00", lens="EF 35mm", iso=400)


@pytest.mark.parametrize(
    ("data", "held"),
    [
        (saved(scene(24, 16), "GIF", save_all=True, append_images=FURTHER), {"frames": 3}),
        (saved(scene(24, 16), "PNG", save_all=True, append_images=FURTHER), {"frames": 3}),
        (saved(scene(24, 16), "TIFF", save_all=True, append_images=FURTHER), {"frames": 3}),
        (saved(scene(24, 16), "JPEG") + b"\0\0\0\x18ftypmp42\0\0\0\0isommp42", {"film": True}),
        (saved(scene(24, 16), "MPO", save_all=True, append_images=FURTHER[:1]), {"gain_map": True}),
        (saved(Image.fromarray(np.full((9, 9), 999, np.uint16)), "PNG"), {"depth": 16}),
        (saved(with_alpha(), "PNG"), {"transparent": True}),
        (saved(scene(24, 16).convert("RGBA"), "PNG"), {}),
        (saved(scene(24, 16), "JPEG"), {}),
    ],
    ids=["GIF", "animated PNG", "pages", "film behind", "gain map", "16 bits", "alpha", "opaque alpha", "JPEG"],
)
def test_what_a_file_holds_beside_its_first_picture(data: bytes, held: dict[str, object]) -> None:
    found = read(data).facts.metadata
    assert found is not None
    assert replace(found, coding="") == Metadata(**held)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "block",
    [
        b"<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><x>&b;</x>",
        b"<!DOCTYPE x SYSTEM 'file:///etc/passwd'><x/>",
        XMP[:300],
        b"\xff\xfe<",
        b"<x>" * 100_000,
    ],
    ids=["entities", "another file", "cut", "bytes", "deep"],
)
def test_xml_that_would_do_something_says_nothing(block: bytes) -> None:
    assert read_xmp(block) == Statements()


@given(st.integers(0, len(XMP) - 1), st.binary(min_size=1, max_size=9))
def test_damaged_xmp_is_never_an_error(at: int, damage: bytes) -> None:
    read_xmp(XMP[:at] + damage + XMP[at + len(damage) :])


@given(st.builds(Metadata, keywords=st.lists(st.text()).map(tuple)))
def test_metadata_have_a_text_form(one: Metadata) -> None:
    assert Metadata.of_text(one.text()) == one


def metadata_of(form: str, picture: Image.Image, **how: object) -> Metadata:
    found = read(saved(picture, form, **how)).facts.metadata
    assert found is not None
    return found


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_the_program_that_saved_a_file_is_read_from_each_format(form: str) -> None:
    exif, texts = Image.Exif(), PngInfo()
    exif[0x0131] = "GIMP 2.10"
    texts.add_text("Software", "GIMP 2.10")
    how: dict[str, object] = {"pnginfo": texts} if form == "PNG" else {"exif": exif}
    assert metadata_of(form, scene(24, 16), **how).program == "GIMP 2.10"
    if form == "JPEG":
        named = XMP.replace(b" xmp:Label", b" xmp:CreatorTool='GIMP 2.10' xmp:Label")
        assert metadata_of(form, scene(24, 16), xmp=named).program == "GIMP 2.10"


@pytest.mark.parametrize("form", ["JPEG", "WEBP", "AVIF"])
def test_files_saved_in_one_way_have_one_coding(form: str) -> None:
    how: dict[str, object] = {"lossless": True} if form == "WEBP" else {"quality": 60, "subsampling": "4:4:4"}
    one, other, elsewhere = (
        metadata_of(form, picture, **settings).coding
        for picture, settings in ((scene(24, 16), {}), (scene(640, 400, 3), {}), (scene(24, 16), how))
    )
    assert one
    assert one == other != elsewhere
