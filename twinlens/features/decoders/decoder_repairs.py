"""Repairs of files and settings for Pillow's decoders of PNG and AVIF, which would do too much or give up too soon.

Pillow unpacks each text and colour profile of a PNG when it meets it, and refuses the whole picture where one is long.
Here only the pixels, the profile and the EXIF block are wanted. Its decoder of AVIF would take a thread for each
processor, and gives no picture where the EXIF block is damaged.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator
from typing import cast

from PIL import AvifImagePlugin, PngImagePlugin

from twinlens.features.pictures.coded_colours import CODED_COLOURS, SRGB_PRIMARIES, Chromaticities, CodedColours

_PROFILE_BYTES = 16 << 20  # of the largest profile that is used; those of printers have up to 4 MB
_FEW_BYTES = 1000  # of texts in the file: they cannot become a megabyte
_HEAD = 8
_TEXTS = (b"tEXt", b"zTXt", b"iTXt")
_EXIF = b"Raw profile type exif\0"  # how ImageMagick writes it
PngImagePlugin.MAX_TEXT_CHUNK = _PROFILE_BYTES


def without_texts(data: bytes) -> bytes:
    """Return the file without its texts and without a false profile; unchanged where these are few.

    Parameters
    ----------
    data : bytes
        The whole file, damaged or not.
    """
    texts, profiles = [], []
    for name, start, end in _chunks(data):
        if name in _TEXTS and not data.startswith(_EXIF, start + _HEAD):
            texts.append((start, end))
        elif name in (b"iCCP", b"zTXt") and not _is_short(data[start + _HEAD : end - 4]):
            profiles.append((start, end))
    if sum(end - start for start, end in texts) <= _FEW_BYTES:
        texts = []
    if not texts and not profiles:
        return data
    kept, at = [], 0
    for start, end in sorted([*texts, *profiles]):
        kept.append(data[at:start])
        at = end
    return b"".join([*kept, data[at:]])


def _chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the name of each chunk, where it starts and where it ends; no chunk that is cut."""
    at = 8
    while at + _HEAD <= len(data):
        name, end = data[at + 4 : at + _HEAD], at + 12 + int.from_bytes(data[at : at + 4], "big")
        if end > len(data):
            return
        yield name, at, end
        at = end


def png_image(file: io.BytesIO) -> PngImagePlugin.PngImageFile:
    """Open a PNG, with the colours that it says by numbers."""
    image = PngImagePlugin.PngImageFile(file)
    colours = _png_colours(file.getvalue())
    if colours is not None:
        image.info[CODED_COLOURS] = colours
    return image


def _png_colours(data: bytes) -> CodedColours | None:
    """Return the colours of a PNG by the first that it has of (PNG, third edition, 4.3): numbers, a profile, sRGB.

    None where they are those of sRGB or of the profile; then those of exponent and chromaticities.
    """
    held: dict[bytes, bytes] = {}
    for name, start, end in _chunks(data):
        if name == b"IDAT":
            break
        held.setdefault(name, data[start + _HEAD : end - 4])
    code, power, points = held.get(b"cICP", b""), held.get(b"gAMA", b""), held.get(b"cHRM", b"")
    if len(code) == 4 and not code[2]:
        return CodedColours.of_numbers(code[0], code[1])
    if b"iCCP" in held or b"sRGB" in held:
        return None
    exponent = int.from_bytes(power, "big") if len(power) == 4 else 0
    primaries = SRGB_PRIMARIES
    if len(points) == 32:
        white_x, white_y, *colours = (value / 100_000 for value in struct.unpack(">8I", points))
        if min(white_y, *colours[1::2]) > 0:
            primaries = cast("Chromaticities", (*colours, white_x, white_y))
    if not exponent and primaries == SRGB_PRIMARIES:
        return None
    return CodedColours(primaries, power=100_000 / exponent if exponent else 0.0)


def png_texts(data: bytes, most: int) -> Iterator[tuple[str, bytes]]:
    """Yield the texts of a PNG by their names, each of `most` bytes at most; international ones are in UTF-8.

    Parameters
    ----------
    data : bytes
        The whole file, damaged or not.
    """
    for kind, start, end in _chunks(data):
        if kind not in _TEXTS:
            continue
        name, _, text = data[start + _HEAD : end - 4].partition(b"\0")
        packed = kind == b"zTXt"
        if kind == b"iTXt":
            packed = text[:1] == b"\1"
            text = text[2:].split(b"\0", 2)[-1]
        elif packed:
            text = text[1:]
        if packed:
            try:
                text = zlib.decompressobj().decompress(text, most)
            except zlib.error:
                continue
        yield name.decode("latin-1"), text[:most]


def _is_short(content: bytes) -> bool:
    """Return whether what is packed after a name, its NUL and the method is not larger than the largest profile."""
    packed = content[content.find(b"\0") + 2 :]
    try:
        return len(zlib.decompressobj().decompress(packed, _PROFILE_BYTES + 1)) <= _PROFILE_BYTES
    except zlib.error:
        return True  # its decoder says so


# In the item list each entry names its type after its version, its number (16 or 32 bits) and its protection index
# (ISO/IEC 14496-12, 8.11.6).
_EXIF_ITEM = re.compile(rb"(infe.{8}(?:.{2})?)Exif", re.DOTALL)


def without_exif(data: bytes) -> bytes | None:
    """Return the file with its EXIF item renamed to one that decoders skip, or None where it has none."""
    renamed, count = _EXIF_ITEM.subn(rb"\1free", data, count=1)
    return renamed if count else None


def use_one_thread() -> None:
    """Decode with one thread in this process: each more holds parts of the picture, and others read beside this one."""
    AvifImagePlugin.DEFAULT_MAX_THREADS = 1
