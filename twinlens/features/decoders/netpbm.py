"""Netpbm's pictures that Pillow does not read: PNM of digits, of 16 bits or on a scale of their own, and PAM.

PNM is pbm, pgm and ppm; PAM is the "portable arbitrary map". Pillow goes through their numbers one by one in Python,
which takes a minute for a few megapixels; here numpy does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile

if TYPE_CHECKING:
    from PIL._imaging import PixelAccess


_COMMENT = re.compile(rb"#[^\n\r]*")
_BLANKS = b" \t\n\v\f\r"
_BLANK = re.compile(rb"\s")
_BLOCK_BYTES = 1 << 20
Numbers = npt.NDArray[np.uint8 | np.uint16]


def is_counted(image: Image.Image) -> bool:
    """Return whether `decode` is the one to decode an opened PNM picture; Pillow does where the bytes are pixels."""
    return image.mode == "I" or any(part[0] in ("ppm", "ppm_plain") for part in getattr(image, "tile", ()))


def decode(image: Image.Image, data: bytes) -> Image.Image:
    """Decode an opened picture.

    Parameters
    ----------
    image : PIL.Image.Image
        As Pillow opened it: its mode, size, and where the numbers begin.
    data : bytes
        The whole file.

    Returns
    -------
    PIL.Image.Image
        ``L``, ``RGB`` or ``I;16``.

    Raises
    ------
    ValueError
        If there are too few numbers, or others than may be.
    """
    decoder, _, start, arguments = image.tile[0]  # type: ignore[attr-defined]
    most = 65535 if decoder == "raw" else int(arguments[-1]) if image.mode != "1" else 1
    bands = len(image.getbands())
    count = image.width * image.height * bands
    if image.mode == "1":
        numbers = _bits(data[start:], count)
    else:
        top = 65535 if image.mode == "I" else 255
        scale: Numbers = np.rint(np.arange(most + 1) / most * top).astype(np.uint16 if image.mode == "I" else np.uint8)
        written = decoder == "ppm_plain"
        numbers = _written(data[start:], count, scale) if written else _packed(data, start, count, scale)
    shape = (image.height, image.width, bands) if bands > 1 else (image.height, image.width)
    return Image.fromarray(numbers.reshape(shape))


def _bits(text: bytes, count: int) -> Numbers:
    """Return the bits that are written as 0 (white) and 1 (black), with or without blanks between."""
    digits = np.frombuffer(_COMMENT.sub(b"", text).translate(None, _BLANKS), np.uint8)[:count]
    if len(digits) < count:
        raise ValueError("the picture is truncated")
    if ((digits | 1) != ord("1")).any():
        raise ValueError("a bit is neither 0 nor 1")
    return (np.uint8(ord("1")) - digits) * np.uint8(255)


def _written(text: bytes, count: int, scale: Numbers) -> Numbers:
    """Return the numbers that are written as digits, on the scale that is wanted; a block at a time."""
    if b"#" in text:
        text = _COMMENT.sub(b" ", text)
    found = np.empty(count, scale.dtype)
    done = start = 0
    while done < count and start < len(text):
        blank = _BLANK.search(text, start + _BLOCK_BYTES)
        end = blank.start() if blank else len(text)
        block = text[start:end]
        if block.translate(None, b"0123456789" + _BLANKS):
            raise ValueError("what should be a number is none")
        numbers = np.fromstring(block, np.int64, sep=" ")[: count - done]
        if len(numbers) and (numbers.min() < 0 or numbers.max() >= len(scale)):
            raise ValueError("a number is larger than the file says")
        found[done : done + len(numbers)] = scale[numbers]
        done, start = done + len(numbers), end
    if done < count:
        raise ValueError("the picture is truncated")
    return found


def _packed(data: bytes, start: int, count: int, scale: Numbers) -> Numbers:
    """Return the numbers of one or two bytes each, on the scale that is wanted."""
    kind: npt.DTypeLike = np.uint8 if len(scale) <= 256 else ">u2"
    if len(data) - start < count * np.dtype(kind).itemsize:
        raise ValueError("the picture is truncated")
    numbers: npt.NDArray[Any] = np.frombuffer(data, kind, count, start)
    return scale.take(numbers, mode="clip")  # more than may be is taken for the most, as Pillow does


_FIELD = re.compile(rb"(WIDTH|HEIGHT|DEPTH|MAXVAL)\s+(\d{1,10})\s*")
_MODES = ("L", "LA", "RGB", "RGBA")
_LONGEST_LINE = 1000
_MOST_LINES = 1000


class PamImageFile(ImageFile.ImageFile):
    """A PAM picture: the header is read when it is opened, the pixels when it is loaded."""

    def _open(self) -> None:
        assert self.fp is not None
        fields: dict[bytes, int] = {}
        for _ in range(_MOST_LINES):
            line = self.fp.readline(_LONGEST_LINE)
            if line.strip() == b"ENDHDR":
                break
            if field := _FIELD.fullmatch(line):
                fields[field[1]] = int(field[2])
        else:
            raise SyntaxError("a PAM header without an end")
        self._size = fields[b"WIDTH"], fields[b"HEIGHT"]
        self._white = fields[b"MAXVAL"]
        if not 0 < self._white < 65536 or 0 in self._size:
            raise SyntaxError("a PAM header with a value that cannot be")
        if not 1 <= fields[b"DEPTH"] <= len(_MODES):
            raise SyntaxError("unsupported number of channels")
        self._mode = _MODES[fields[b"DEPTH"] - 1]
        self._begin = self.fp.tell()

    def load(self) -> PixelAccess | None:
        """Read the pixels and bring them to 8 bits."""
        if self._im is None:
            assert self.fp is not None
            self.fp.seek(self._begin)
            channels, kind = len(self._mode), np.dtype(">u2" if self._white > 255 else "u1")
            data = self.fp.read(self.width * self.height * channels * kind.itemsize)
            if len(data) < self.width * self.height * channels * kind.itemsize:
                raise EOFError
            samples = np.frombuffer(data, kind).reshape(self.height, self.width, channels)
            if self._white != 255:
                steps = np.arange(self._white + 1, dtype=np.float64) * (255 / self._white)
                samples = np.rint(steps).astype(np.uint8)[np.minimum(samples, self._white)]
            self.im = Image.fromarray(samples[..., 0] if channels == 1 else samples).im
        return Image.Image.load(self)
