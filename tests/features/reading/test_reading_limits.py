"""What reading a picture really takes is no more than its header was charged for."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.features.by_hand import Field, dng, tiff
from tests.features.sample_pictures import encode, scene
from twinlens.features.formats.formats import AVIF, TIFF
from twinlens.features.reading.decoder_memory import held_by_decoder
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, UnreadableError

_SIDE = 2000
_UNSTEADY_BYTES = 8 << 20  # what allocators and libraries take more or less from one time to the next
_MEASURE = """
import ctypes
import sys
from pathlib import Path
from twinlens.features.reading import reading_limits as limits
from twinlens.features.reading.reading import read

charged = []
def note(self, kind, width, height, picture_bytes):
    charged.append(picture_bytes)
limits.Limits.check = note
library = ctypes.CDLL(None)

def held(name):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(name))

for line in sys.stdin.read().splitlines():
    small, large = line.split("|")
    read(Path(small).read_bytes(), small)  # libraries and tables
    charged.clear()
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)
    before = held("VmRSS:")
    data = Path(large).read_bytes()
    Path("/proc/self/clear_refs").write_text("5")
    read(data, large)
    print(max(charged), held("VmHWM:") - before)
    del data
"""


def _drawn(mode: str = "RGB", side: int = _SIDE) -> Image.Image:
    return _drawn_once(mode, side).copy()  # saving leaves traces on an image


@cache
def _drawn_once(mode: str, side: int) -> Image.Image:
    x = np.linspace(0, 255, side, dtype=np.float32)
    falling = (np.add.outer(x, x) / 2).astype(np.uint8)
    image = Image.fromarray(np.stack([falling, falling.T[::-1], 255 - falling], axis=-1))
    if mode == "RGBA":
        image.putalpha(Image.fromarray(np.maximum(falling, 1)))
    return image if image.mode == mode else image.convert(mode)


def _made(form: str, mode: str = "RGB", **settings: object) -> Callable[[int], bytes]:
    return lambda side: encode(_drawn(mode, side), form, **settings)


def _flat(mode: str) -> Callable[[int], bytes]:
    # What is slow to write is one colour, and smaller.
    return lambda side: encode(Image.new(mode, (side // 2, side // 2), (200, 90, 30, 99)[: len(mode)]), "HEIF")


def _ascii(side: int) -> bytes:
    return b"P2 %d %d 255\n" % (side, side) + b"17 " * (side * side)


_FILES: dict[str, Callable[[int], bytes]] = {
    "plain.png": _made("PNG", compress_level=1),
    "palette.png": _made("PNG", "P", compress_level=1),
    "cut out.png": _made("PNG", "RGBA", compress_level=1),
    "deep.png": _made("PNG", "I;16", compress_level=1),
    "plain.gif": _made("GIF", "L"),
    "plain.bmp": _made("BMP"),
    "plain.ppm": _made("PPM"),
    "digits.pgm": _ascii,
    "lossy.webp": _made("WEBP", method=0, quality=30),
    "cut out.webp": _made("WEBP", "RGBA", method=0, quality=0, lossless=True),
    "plain.avif": _made("AVIF", speed=10),
    "cut out.avif": _made("AVIF", "RGBA", speed=10, subsampling="4:4:4"),
    "plain.heic": _flat("RGB"),
    "cut out.heic": _flat("RGBA"),
    "plain.jp2": _made("JPEG2000"),
    "tiled.jp2": _made("JPEG2000", tile_size=(512, 512)),
    "plain.jpg": _made("JPEG"),
    "progressive.jpg": _made("JPEG", progressive=True),
    "four colours.jpg": _made("JPEG", "CMYK", progressive=True),
    "plain.tif": _made("TIFF"),
    "packed.tif": _made("TIFF", compression="tiff_adobe_deflate"),
    "one strip.tif": _made("TIFF", compression="tiff_adobe_deflate", strip_size=1 << 31),
    "floating.tif": _made("TIFF", "F"),
    "sensor.dng": lambda side: dng(_drawn("RGB", side)),
}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the peak of a process is read from /proc")
def test_no_format_takes_more_than_it_is_charged_for(tmp_path: Path) -> None:
    lines = []
    for name, made in _FILES.items():
        small, large = tmp_path / f"small {name}", tmp_path / name
        small.write_bytes(made(64))
        large.write_bytes(made(_SIDE))
        lines.append(f"{small}|{large}")
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", _MEASURE]
    child = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=True, env=environment, timeout=300
    )
    told = dict(zip(_FILES, (tuple(map(int, line.split())) for line in child.stdout.splitlines()), strict=True))
    assert {name: each for name, each in told.items() if each[1] > each[0] + _UNSTEADY_BYTES} == {}
    # A picture that fits is not refused.
    assert {name: each for name, each in told.items() if each[0] > 3 * each[1] + 4 * _UNSTEADY_BYTES} == {}


@pytest.mark.parametrize(("form", "settings"), [("WEBP", {"lossless": True, "method": 0}), ("AVIF", {"speed": 10})])
def test_a_picture_that_its_decoder_would_not_fit_is_refused(form: str, settings: dict[str, object]) -> None:
    data = encode(_drawn("RGB", 3000), form, **settings)
    limits = Limits(memory_bytes=64 << 20, resting_bytes=0)  # more than its pixels, less than its decoder holds
    with pytest.raises(UnreadableError, match=r"3,000 x 3,000 pixels\. Reading it would take \d+ MB .* allows 64 MB"):
        read(data, limits=limits)


def _in_tiles(width: int, height: int, tile: int, tiles: int) -> bytes:
    numbers = {256: width, 257: height, 258: 8, 259: 8, 262: 1, 277: 1, 322: tile, 323: tile}
    fields = [Field(tag, 4, [value]) for tag, value in numbers.items()]
    return tiff([([*fields, Field(324, 4, [8] * tiles), Field(325, 4, [1] * tiles)], b"")])


def test_the_parts_of_a_tiff_are_counted() -> None:
    assert held_by_decoder(TIFF, _in_tiles(1000, 1000, 1, 1_000_000), 1000, 1000) > 40_000_000
    assert held_by_decoder(TIFF, _in_tiles(1, 1, 60_000, 1), 1, 1) > 3_600_000_000  # one pixel of a large tile
    assert held_by_decoder(TIFF, encode(scene(), "TIFF", compression="tiff_lzw"), 96, 64) < 100_000


def test_a_tiff_of_many_tiles_is_refused_before_they_are_listed() -> None:
    with pytest.raises(UnreadableError, match="allows 32 MB"):
        read(_in_tiles(1000, 1000, 1, 1_000_000), limits=Limits(memory_bytes=32 << 20, resting_bytes=0))


def test_samples_of_an_avif_are_told_from_its_header() -> None:
    coarse, fine = (encode(scene(), "AVIF", subsampling=each) for each in ("4:2:0", "4:4:4"))
    assert held_by_decoder(AVIF, coarse, 1000, 1000) < held_by_decoder(AVIF, fine, 1000, 1000)
    unknown = fine.replace(b"av1C", b"xxxx")
    assert held_by_decoder(AVIF, fine, 1000, 1000) < held_by_decoder(AVIF, unknown, 1000, 1000)
