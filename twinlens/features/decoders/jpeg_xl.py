"""JPEG XL pictures, decoded by libjxl through pylibjxl.

pylibjxl has a Pillow class of its own, which gives the last picture of an animation. It tells of no profile where a
file names its colours (Display P3, say) instead of holding an ICC profile, so these names are read from the header here
(ISO/IEC 18181-1, annex D).
"""

from __future__ import annotations

import io

import pylibjxl

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.decoders.array_image import ArrayImageFile
from twinlens.features.formats.media_boxes import boxes, content, whole
from twinlens.features.pictures.coded_colours import CODED_COLOURS, SRGB_PRIMARIES, Chromaticities, CodedColours


class JpegXlImageFile(ArrayImageFile):
    """A JPEG XL picture: the header is read when it is opened, the pixels when it is loaded.

    It comes turned upright, in 8 bits.
    """

    def _open(self) -> None:
        header = pylibjxl.probe(self._whole_file())
        self._size = header["width"], header["height"]
        self._mode = ("L", "LA", "RGB", "RGBA")[header["channels"] - 1]
        self._moves = bool(header["have_animation"])

    def pixels(self) -> UInt8Pixels:
        """Decode the pixels, the profile, and the blocks of EXIF and XMP."""
        metadata: dict[str, bytes] = {}
        if self._moves:  # asked for these as well, it gives the last picture
            pixels = pylibjxl.decode(self.data)
        else:
            pixels, metadata = pylibjxl.decode(self.data, metadata=True)
        for name, key in (("exif", "exif"), ("icc", "icc_profile"), ("xmp", "xmp")):
            if name in metadata:
                self.info[key] = metadata[name]
        if "icc_profile" not in self.info and (colours := named_colours(self.data)) is not None:
            self.info[CODED_COLOURS] = colours
        found: UInt8Pixels = pixels
        return found


_HEAD_BYTES = 4096
_RGB, _GREY = 0, 1
_CUSTOM = 2
_WHITES = {1: (0.3127, 0.3290), 10: (1 / 3, 1 / 3), 11: (0.314, 0.351)}
_PRIMARIES = {
    1: SRGB_PRIMARIES[:6],
    9: (0.708, 0.292, 0.170, 0.797, 0.131, 0.046),
    11: (0.680, 0.320, 0.265, 0.690, 0.150, 0.060),
}
_ALPHA, _SPOT_COLOUR, _COLOUR_FILTER = 0, 2, 5  # kinds of further channels
_SIDE = (1, 9), (1, 13), (1, 18), (1, 30)
_PREVIEW_EIGHTHS, _PREVIEW = ((16, 0), (32, 0), (1, 5), (33, 9)), ((1, 6), (65, 8), (321, 10), (1345, 12))
_ENUM = (0, 0), (1, 0), (2, 4), (18, 6)


def named_colours(data: bytes) -> CodedColours | None:
    """Return the colours that a JPEG XL names; None where it holds a profile, or its header is damaged.

    Parameters
    ----------
    data : bytes
        The whole file: the codestream, or boxes around it.
    """
    if data[:2] != b"\xff\x0a":
        file = io.BytesIO(data)
        parts = {box.kind: box for box in reversed(list(boxes(file, whole(file))))}
        found = content(file, parts.get(b"jxlc")) or content(file, parts.get(b"jxlp"))[4:]
        data = found
    try:
        return _colours(_Bits(data[2:_HEAD_BYTES]))
    except EOFError:
        return None


class _Bits:
    """Bits of a header, the lowest first."""

    def __init__(self, data: bytes) -> None:
        self._value = int.from_bytes(data, "little")
        self._left = 8 * len(data)

    def number(self, bits: int) -> int:
        if bits > self._left:
            raise EOFError
        found = self._value & ((1 << bits) - 1)
        self._value >>= bits
        self._left -= bits
        return found

    def flag(self) -> bool:
        return bool(self.number(1))

    def one_of(self, choices: tuple[tuple[int, int], ...]) -> int:
        """Return a number that two bits say how to read: what to add, and to how many bits."""
        base, bits = choices[self.number(2)]
        return base + self.number(bits)


def _colours(bits: _Bits) -> CodedColours | None:
    """Read up to the colours: size, orientation, preview, animation, depth and further channels."""
    _size(bits)
    if bits.flag():  # all as usual
        return CodedColours()
    if bits.flag():
        bits.number(3)
        if bits.flag():
            _size(bits)
        if bits.flag():
            sides = _PREVIEW_EIGHTHS if bits.flag() else _PREVIEW
            bits.one_of(sides)
            if not bits.number(3):
                bits.one_of(sides)
        if bits.flag():
            bits.one_of(((100, 0), (1000, 0), (1, 10), (1, 30)))
            bits.one_of(((1, 0), (1001, 0), (1, 8), (1, 10)))
            bits.one_of(((0, 0), (0, 3), (0, 16), (0, 32)))
            bits.flag()
    _depth(bits)
    bits.flag()
    for _ in range(bits.one_of(((0, 0), (1, 0), (2, 4), (1, 12)))):
        _further_channel(bits)
    bits.flag()  # whether the pixels are coded as XYB: the decoder gives the named colours all the same
    return _encoding(bits)


def _size(bits: _Bits) -> None:
    eighths = bits.flag()
    for first in (True, False):
        if not first and bits.number(3):  # the width follows from the height
            return
        if eighths:
            bits.number(5)
        else:
            bits.one_of(_SIDE)


def _depth(bits: _Bits) -> None:
    if bits.flag():
        bits.one_of(((32, 0), (16, 0), (24, 0), (1, 6)))
        bits.number(4)
    else:
        bits.one_of(((8, 0), (10, 0), (12, 0), (1, 6)))


def _further_channel(bits: _Bits) -> None:
    if bits.flag():
        return
    kind = bits.one_of(_ENUM)
    _depth(bits)
    bits.one_of(((0, 0), (3, 0), (4, 0), (1, 3)))
    bits.number(8 * bits.one_of(((0, 0), (0, 4), (16, 5), (48, 10))))
    if kind == _ALPHA:
        bits.flag()
    elif kind == _SPOT_COLOUR:
        bits.number(64)
    elif kind == _COLOUR_FILTER:
        bits.one_of(((1, 0), (0, 2), (3, 4), (19, 8)))


def _encoding(bits: _Bits) -> CodedColours | None:
    if bits.flag():
        return CodedColours()
    if bits.flag():  # a profile
        return None
    space = bits.one_of(_ENUM)
    if space not in (_RGB, _GREY):
        return None
    number = bits.one_of(_ENUM)
    white = _point(bits) if number == _CUSTOM else _WHITES.get(number, _WHITES[1])
    primaries: tuple[float, ...] = SRGB_PRIMARIES[:6]
    if space == _RGB:
        number = bits.one_of(_ENUM)
        points = [_point(bits) for _ in range(3)] if number == _CUSTOM else []
        primaries = tuple(value for point in points for value in point) or _PRIMARIES.get(number, SRGB_PRIMARIES[:6])
    else:
        white = _WHITES[1]  # grey stays grey
    power, curve = 0.0, 0
    if bits.flag():
        exponent = bits.number(24)
        power = 1e7 / exponent if exponent else 0.0
    else:
        curve = bits.one_of(_ENUM)
    chromaticities: Chromaticities = (*primaries, *white)  # type: ignore[assignment]
    return CodedColours(chromaticities, curve, power)


def _point(bits: _Bits) -> tuple[float, float]:
    x, y = (bits.one_of(((0, 19), (524288, 19), (1048576, 20), (2097152, 21))) for _ in range(2))
    return _signed(x) / 1e6, _signed(y) / 1e6


def _signed(value: int) -> int:
    return -((value + 1) // 2) if value & 1 else value // 2
