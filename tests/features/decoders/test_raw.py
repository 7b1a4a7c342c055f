"""Raw files: told from TIFF pictures, shown by their preview, developed where there is none, upright once."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from tests.features.by_hand import Field, dng, tiff
from tests.features.checks import distance
from tests.features.sample_pictures import cut, encode, scene, stored
from twinlens.features.decoders.raw import is_raw
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, UnreadableError


@pytest.mark.parametrize("order", ["<", ">"])
def test_raw_files_are_told_from_tiff_pictures(order: str) -> None:
    assert is_raw(dng(scene(64, 48), order=order))
    assert is_raw(dng(scene(64, 48), order=order, preview=encode(scene(), "JPEG"), preview_size=(96, 64)))
    camera = [Field(0x010F, 2, b"NIKON\0"), Field(0x0106, 3, [2])]
    sensor = [Field(0x0106, 3, [32803])]
    packed = [Field(0x0103, 3, [34713])]
    assert is_raw(tiff([(camera, b""), (sensor, b"")], order))
    assert is_raw(tiff([(camera, b""), (packed, b"")], order))
    assert not is_raw(tiff([(camera, b"")], order))
    assert not is_raw(encode(scene(), "TIFF"))


def test_the_name_decides_only_what_bytes_leave_open() -> None:
    camera = tiff([([Field(0x010F, 2, b"Leaf\0")], b"")])
    assert is_raw(camera, "a.MOS")
    assert not is_raw(camera, "a.tif")
    assert not is_raw(encode(scene(), "TIFF"), "a.nef")
    assert not is_raw(encode(scene(), "JPEG"), "a.nef")


@pytest.mark.parametrize(
    "beginning",
    [b"FUJIFILMCCD-RAW 0201", b"IIRO\x08\0\0\0", b"IIU\0\x18\0\0\0", b"II*\0\x10\0\0\0CR\x02\0", b"\0MRM", b"FOVb",
     b"II\x1a\0\0\0HEAPCCDR", b"\0\0\0\x18ftypcrx \0\0\0\1"],
)  # fmt: skip
def test_beginnings_of_cameras_formats(beginning: bytes) -> None:
    assert is_raw(beginning + bytes(100))
    with pytest.raises(UnreadableError, match=r"raw file is damaged or of a camera|RAW picture is"):
        read(beginning + bytes(100))


def test_a_picture_is_developed_where_there_is_no_preview() -> None:
    picture = read(dng(scene(800, 600)))
    assert picture.rgb.shape == (300, 400, 3)  # half size, not enlarged
    assert (picture.facts.format, picture.facts.width, picture.facts.height) == ("RAW", 800, 600)
    assert (picture.facts.taken, picture.facts.camera) == ("2023-05-14T11:08:00", "Twinlens One")
    small = np.asarray(scene(800, 600).resize((400, 300), Image.Resampling.BOX), np.float64)
    assert np.corrcoef(picture.rgb.ravel(), small.ravel())[0, 1] > 0.8


def test_the_preview_comes_first() -> None:
    shown = scene(900, 600, seed=7)
    picture = read(dng(scene(1200, 800), preview=encode(shown, "JPEG", quality=95), preview_size=shown.size))
    assert (picture.facts.width, picture.facts.height) == (1200, 800)
    assert distance(picture, read(encode(shown, "JPEG", quality=95))) == 0


def test_a_preview_that_is_too_small_or_broken_is_passed_over() -> None:
    raw = scene(1400, 1000)
    developed = read(dng(raw))
    small = encode(scene(160, 120), "JPEG")
    broken = cut(encode(scene(900, 600), "JPEG"), 0.3)
    for preview, size in ((small, (160, 120)), (broken, (900, 600)), (b"no JPEG at all", (900, 600))):
        assert distance(read(dng(raw, preview=preview, preview_size=size)), developed) == 0


@pytest.mark.parametrize("turn", range(1, 9))
def test_raw_pictures_are_turned_exactly_once(turn: int) -> None:
    image = scene(700, 500)
    shown = stored(image, turn)
    picture = read(dng(stored(scene(1400, 1000), turn), turn, encode(shown, "JPEG", quality=95), shown.size))
    assert (picture.facts.width, picture.facts.height, picture.facts.orientation) == (1400, 1000, turn)
    assert distance(picture, read(encode(image, "JPEG", quality=95))) < 3
    developed = read(dng(stored(image, turn), turn))
    assert (developed.facts.width, developed.facts.height, developed.facts.orientation) == (700, 500, turn)
    assert distance(developed, read(dng(image))) < 14


@pytest.mark.parametrize("turn", [5, 6, 7, 8])
def test_a_preview_that_is_upright_already_is_not_turned(turn: int) -> None:
    shown = scene(900, 600)
    raw = dng(stored(scene(1200, 800), turn), turn, encode(shown, "JPEG", quality=95), shown.size)
    assert distance(read(raw), read(encode(shown, "JPEG", quality=95))) == 0


def test_the_limit_is_checked_before_the_sensor_is_unpacked() -> None:
    with pytest.raises(UnreadableError, match=r"800 x 600 .* allows 1 MB"):
        read(dng(scene(800, 600)), limits=Limits(memory_bytes=1_000_000, resting_bytes=0))
    with pytest.raises(UnreadableError, match="allows 799 pixels"):
        read(dng(scene(800, 600)), limits=Limits(side=799))
