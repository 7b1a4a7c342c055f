"""Photoshop documents: the merged picture that the program keeps behind the layers (Adobe's file format, 2019).

Pillow reads 8 bits and documents up to 30,000 pixels a side. Photographers' documents have 16 or 32 bits, large ones
(.psb) their lengths in other places, and one saved without "Maximize Compatibility" holds an empty merged picture, so
the sections are read here. Layers are never looked at.
"""

from __future__ import annotations

import struct
from typing import IO, TYPE_CHECKING

import numpy as np
from PIL import Image, ImageFile

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.pictures.coded_colours import LINEAR, CodedColours, levels
from twinlens.features.reading.reading_limits import UnreadableError

if TYPE_CHECKING:
    from PIL._imaging import PixelAccess

_MODES = {0: "L", 1: "L", 2: "RGB", 3: "RGB", 4: "CMYK", 7: "L", 8: "L", 9: "LAB"}  # by Photoshop's number
_BITMAP, _INDEXED = 0, 2
_ICC_PROFILE, _VERSION, _EXIF = 1039, 1057, 1058  # image resources
_RAW, _PACKED = 0, 1
_LIGHT = 32  # bits: a number with a point, of which 1 is a white page


class PsdImageFile(ImageFile.ImageFile):
    """A Photoshop document: the sections are read when it is opened, the pixels when it is loaded."""

    def _open(self) -> None:
        assert self.fp is not None
        fp = self.fp
        _, version, channels, height, width, depth, colours = struct.unpack(">4sH6xHIIHH", fp.read(26))
        large = version == 2
        if depth > 32 or colours not in _MODES or (depth == 1) != (colours == _BITMAP):
            raise UnreadableError(
                "The Photoshop document is of a variety that cannot be decoded.",
                "Save it with 8, 16 or 32 bits a channel, or as TIFF or JPEG.",
            )
        self._mode = _MODES[colours]
        self._size = width, height
        self._depth = depth
        palette = np.frombuffer(_exactly(fp, _number(fp, 4)), np.uint8)
        self._palette = palette[:768].reshape(3, 256) if colours == _INDEXED else None
        self._read_resources(fp.read(_number(fp, 4)))
        length_bytes = 8 if large else 4
        layers = _number(fp, length_bytes)
        self._begin = fp.tell() + layers
        layers_begin = fp.read(min(layers, length_bytes + 2))[length_bytes:]
        # A negative number of layers says that the first channel behind the colours is the picture's transparency.
        clear = int.from_bytes(layers_begin, "big", signed=True) < 0
        if clear and self._palette is None and channels > len(self.getbands()) and self._mode in ("L", "RGB"):
            self._mode += "A"
        if channels < self._needed():
            raise SyntaxError("a Photoshop document with too few channels")
        self._channels = channels
        self._bytes_of_length = 4 if large else 2

    def _read_resources(self, resources: bytes) -> None:
        """Take what matters of the image resources; those that are damaged are left out."""
        at = 0
        while at + 12 <= len(resources):
            kind, length_of_name = struct.unpack_from(">HB", resources, at + 4)
            at += 7 + length_of_name + (length_of_name + 1) % 2
            (size,) = struct.unpack(">I", resources[at : at + 4].rjust(4, b"\0"))
            content = resources[at + 4 : at + 4 + size]
            at += 4 + size + size % 2
            if kind == _ICC_PROFILE:
                self.info["icc_profile"] = content
            elif kind == _EXIF:
                self.info["exif"] = content
            elif kind == _VERSION and content[4:5] == b"\0":
                raise UnreadableError(
                    "The Photoshop document was saved without a picture of all its layers together.",
                    'Save it with "Maximize Compatibility" switched on, or as TIFF or JPEG.',
                )

    def load(self) -> PixelAccess | None:
        """Decode the channels of the merged picture."""
        if self._im is None:
            assert self.fp is not None
            self.fp.seek(self._begin)
            planes = self._read_channels(self.fp)
            if self._palette is not None:
                planes = [colour[planes[0]] for colour in self._palette]
            if self._depth == _LIGHT:
                planes = self._shown(planes)
            self.im = Image.merge(self.mode, [Image.fromarray(plane) for plane in planes]).im
        return Image.Image.load(self)

    def _shown(self, planes: list[UInt8Pixels]) -> list[UInt8Pixels]:
        """Return channels of light, whose numbers are in 4 bytes each, as a screen shows them."""
        light = [np.ascontiguousarray(plane).view(">f4").astype(np.float32) for plane in planes]
        opacity = [levels(np.clip(light.pop(), 0, 1))] if self.mode[-1] == "A" else []
        colours = np.nan_to_num(np.stack(light * (3 if len(light) == 1 else 1), axis=2))
        shown = CodedColours(curve=LINEAR).shown(colours)
        return [np.ascontiguousarray(shown[..., band]) for band in range(len(light))] + opacity

    def _needed(self) -> int:
        """Return how many channels the picture is made of; those behind them are masks."""
        return 1 if self._palette is not None else len(self.getbands())

    def _read_channels(self, fp: IO[bytes]) -> list[UInt8Pixels]:
        """Return the channels that are needed, (height, width) each, 8 bits."""
        wanted = self._needed()
        row_bytes = (self.width * self._depth + 7) // 8
        packing = _number(fp, 2)
        if packing == _RAW:
            sizes = [row_bytes * self.height] * wanted
        elif packing == _PACKED:
            kind = np.dtype(f">u{self._bytes_of_length}")
            lengths = np.frombuffer(_exactly(fp, self._channels * self.height * kind.itemsize), kind)
            sizes = [int(total) for total in lengths.reshape(self._channels, -1)[:wanted].sum(axis=1, dtype=np.int64)]
        else:
            raise SyntaxError("unsupported compression of a Photoshop document")
        decoder = "raw" if packing == _RAW else "packbits"
        planes = []
        for size in sizes:
            stored = Image.frombytes("L", (row_bytes, self.height), _exactly(fp, size), decoder, "L")
            planes.append(self._bits(np.asarray(stored)))
        return planes

    def _bits(self, stored: UInt8Pixels) -> UInt8Pixels:
        """Bring a channel's bytes to 8 bits a pixel: of 16 the upper ones; a Photoshop bitmap and ink are negatives."""
        if self._depth == 1:
            return (1 - np.unpackbits(stored, axis=1)[:, : self.width]) * np.uint8(255)
        if self._depth == _LIGHT:
            return stored
        plane = np.ascontiguousarray(stored[:, :: self._depth // 8])
        return ~plane if self.mode == "CMYK" else plane


def _number(fp: IO[bytes], size: int) -> int:
    return int.from_bytes(_exactly(fp, size), "big")


def _exactly(fp: IO[bytes], size: int) -> bytes:
    data = fp.read(size)
    if len(data) < size:
        raise EOFError
    return data
