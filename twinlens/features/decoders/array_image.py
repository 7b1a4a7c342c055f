"""Array images: pictures whose decoder gives all pixels at once, in the manner of Pillow's classes.

These are OpenCV's decoders of Radiance, of PFM in colour, of JPEG 2000 with more than 8 bits, whose white Pillow makes
black, and of AVIF that libavif's strictness refuses; imagecodecs' of JPEG XR and of JPEG with 12 bits or without loss;
and OpenEXR's own. The header is read here where the decoder cannot read it alone, so that limits are checked first.
"""

from __future__ import annotations

import io
import os
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile
from PIL.AvifImagePlugin import AvifImageFile
from PIL.DdsImagePlugin import DdsImageFile as PillowDdsImageFile
from PIL.Jpeg2KImagePlugin import Jpeg2KImageFile
from PIL.JpegImagePlugin import JpegImageFile

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.formats.exif import TiffTags
from twinlens.features.formats.media_boxes import (
    PictureProperties,
    boxes,
    content,
    find,
    picture_properties,
    whole,
    without_crops,
)
from twinlens.features.pictures.channels import upright
from twinlens.features.pictures.coded_colours import CODED_COLOURS, LINEAR, SRGB_PRIMARIES, CodedColours, levels

Pixels = npt.NDArray[Any]


class ArrayImageFile(ImageFile.ImageFile):
    """A picture of which `pixels` decodes everything; its `_open` sets the size and the mode from the header."""

    data = b""

    def pixels(self) -> UInt8Pixels:
        """Decode the picture: uint8, (h, w), (h, w, 2), (h, w, 3) or (h, w, 4), as its mode says."""
        raise NotImplementedError

    def load(self) -> Any:
        """Decode the pixels where that has not been done."""
        if self._im is None:
            pixels = self.pixels()
            if pixels.ndim == 3 and pixels.shape[2] == 1:
                pixels = pixels[..., 0]
            image = Image.fromarray(np.ascontiguousarray(pixels), "CMYK" if self.mode == "CMYK" else None)
            self._mode, self._size = image.mode, image.size
            self.im = image.im
            self.data = b""
        return Image.Image.load(self)

    def _whole_file(self) -> bytes:
        assert self.fp is not None
        self.data = self.fp.read()
        return self.data


def decoded_by_opencv(data: bytes) -> Pixels:
    """Decode with OpenCV: (h, w), (h, w, 3) as RGB or (h, w, 4) as RGBA, of any type of numbers.

    Raises
    ------
    ValueError
        If it does not.
    """
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        found = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    except cv2.error as error:
        if error.code == -4:
            raise MemoryError from error
        raise ValueError("OpenCV does not decode it") from error
    finally:
        cv2.utils.logging.setLogLevel(level)
    if found is None:
        raise ValueError("OpenCV does not decode it")
    pixels = np.asarray(found)
    if pixels.ndim == 3:
        pixels = pixels[..., [2, 1, 0, 3][: pixels.shape[2]]]
    return pixels


_SIZES = (
    (re.compile(rb"\x89PNG.{12}(.{4})(.{4})", re.DOTALL), ">II"),
    (re.compile(rb"(?:\0\0\0\x0cjP.*?)?\xff\x4f\xff\x51.{4}(.{4})(.{4})", re.DOTALL), ">II"),
)
_PNM_SIZE = re.compile(rb"P[1-6]\s+(?:#.*\n\s*)*(\d{1,6})\s+(\d{1,6})\s")


class OpenCvImageFile(ArrayImageFile):
    """A PNG, PNM, JPEG 2000 or TIFF that OpenCV makes something of, where other decoders give up."""

    def _open(self) -> None:
        head = self._whole_file()[: 1 << 20]
        tags = TiffTags(self.data)
        sizes = [struct.unpack(form, found[1] + found[2]) for sign, form in _SIZES if (found := sign.match(head))]
        if (counted := _PNM_SIZE.match(head)) is not None:
            sizes = [(int(counted[1]), int(counted[2]))]
        elif tags.first:
            sizes = [tuple(tags.number(tags.first.get(tag)) or 0 for tag in (256, 257))]
        if not sizes or 0 in sizes[0]:
            raise SyntaxError("a picture without a size")
        self._size = sizes[0]
        self._mode = "RGBA"

    def pixels(self) -> UInt8Pixels:
        """Decode with OpenCV."""
        return levels(decoded_by_opencv(self.data))


_RADIANCE_SIZE = re.compile(rb"\n[-+]Y (\d{1,6}) [-+]X (\d{1,6})\n")
_PFM_SIZE = re.compile(rb"PF\s+(\d{1,6})\s+(\d{1,6})\s")


class LightImageFile(ArrayImageFile):
    """A Radiance picture (`.hdr`), or one in the portable float map (`.pfm`): light, of which 1 is a white page."""

    def _open(self) -> None:
        head = self._whole_file()[:65536]
        if (found := _PFM_SIZE.match(head)) is not None:
            self._size = int(found[1]), int(found[2])
        elif (found := _RADIANCE_SIZE.search(head)) is not None:
            self._size = int(found[2]), int(found[1])
        else:
            raise SyntaxError("a picture of light without a size")
        self._mode = "RGB"

    def pixels(self) -> UInt8Pixels:
        """Decode, and bring to what a screen shows."""
        return CodedColours(curve=LINEAR).shown(decoded_by_opencv(self.data).astype(np.float32))


_CODESTREAM = re.compile(rb"\xff\x4f\xff\x51.{38}(.)", re.DOTALL)  # ISO/IEC 15444-1, A.5.1: its first depth


class Jpeg2000ImageFile(Jpeg2KImageFile):
    """A JPEG 2000 picture: by Pillow, or by OpenCV where its colours have more than 8 bits."""

    def load(self) -> Any:
        """Decode the pixels where that has not been done."""
        if self.tile and self.mode in ("RGB", "RGBA", "LA"):
            assert self.fp is not None
            self.fp.seek(0)
            data = self.fp.read()
            found = _CODESTREAM.search(data)
            bits = 1 + (found[1][0] & 127) if found else 8
            if bits > 8:
                pixels = levels(decoded_by_opencv(data), bits)
                image = Image.fromarray(np.ascontiguousarray(pixels))
                self._mode, self.tile = image.mode, []
                self.im = image.im
        return super().load()


_JXR_WIDTH, _JXR_HEIGHT, _JXR_PIXELS = 0xBC80, 0xBC81, 0xBC01
_JXR_PLACE, _JXR_LENGTH = 0xBCC0, 0xBCC1
_JXR_GREYS = frozenset({0x05, 0x08, 0x0B, 0x11, 0x3E, 0x3F})
_JXR_CLEAR = frozenset({0x0F, 0x10, 0x16, 0x17, 0x19, 0x1A, 0x1D, 0x3A, 0x3B})


class JpegXrImageFile(ArrayImageFile):
    """A JPEG XR picture (ITU-T T.832, annex A)."""

    def _open(self) -> None:
        tags = TiffTags(self._whole_file())
        width, height = (tags.number(tags.first.get(tag)) for tag in (_JXR_WIDTH, _JXR_HEIGHT))
        if not width or not height:
            raise SyntaxError("a JPEG XR picture without a size")
        place, length = (tags.number(tags.first.get(tag)) or 0 for tag in (_JXR_PLACE, _JXR_LENGTH))
        if place + length > len(self.data):
            raise EOFError
        self._size = width, height
        kind = tags.raw(tags.first.get(_JXR_PIXELS), 16)[-1:]
        self._mode = "RGB" if not kind else "L" if kind[0] in _JXR_GREYS else "RGBA" if kind[0] in _JXR_CLEAR else "RGB"

    def pixels(self) -> UInt8Pixels:
        """Decode with jxrlib."""
        import imagecodecs

        found = imagecodecs.jpegxr_decode(self.data)
        if found.ndim == 3 and found.shape[2] > 4:
            raise SyntaxError("unsupported number of channels")
        if found.dtype.kind == "f":
            colours = CodedColours(curve=LINEAR)
            if found.ndim == 2:
                found = np.repeat(found[..., None], 3, axis=2)
            shown = colours.shown(np.nan_to_num(found[..., :3].astype(np.float32)))
            if found.shape[2] == 3 or self.mode != "RGBA":
                return shown
            return np.concatenate((shown, levels(np.clip(found[..., 3:], 0, 1))), axis=2)
        return levels(found)


_FRAME = re.compile(rb"\xff[\xc0\xc1\xc3].{2}(.)(.{2})(.{2})(.)", re.DOTALL)  # ITU-T T.81, B.2.2


_WITHOUT_LOSS = 0xC3


def jpeg_image(file: io.BytesIO) -> ImageFile.ImageFile:
    """Open a JPEG: by Pillow, or by libjpeg-turbo itself where its samples have more than 8 bits."""
    try:
        return JpegImageFile(file)
    except SyntaxError:
        file.seek(0)
        return DeepJpegImageFile(file)


class DeepJpegImageFile(ArrayImageFile):
    """A JPEG with 12 or 16 bits a sample, or of the kind without loss."""

    def _open(self) -> None:
        found = _FRAME.search(self._whole_file())
        if found is None or (found[1] == b"\x08" and found[0][1] != _WITHOUT_LOSS):
            raise SyntaxError("a JPEG that Pillow should read")
        self._bits = found[1][0]
        self._size = struct.unpack(">H", found[3])[0], struct.unpack(">H", found[2])[0]
        self._mode = {1: "L", 3: "RGB", 4: "CMYK"}.get(found[4][0], "RGB")
        if 0 in self._size:
            raise SyntaxError("a JPEG without a size")

    def pixels(self) -> UInt8Pixels:
        """Decode with libjpeg-turbo."""
        import imagecodecs

        return levels(imagecodecs.jpeg8_decode(self.data), self._bits)


@contextmanager
def _quietly() -> Iterator[None]:
    """Keep OpenEXR, which also raises what matters, from writing on the terminal."""
    try:
        kept = os.dup(2)
    except OSError:  # a process without one
        kept = -1
    if kept >= 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)
    try:
        with redirect_stdout(io.StringIO()):
            yield
    finally:
        if kept >= 0:
            os.dup2(kept, 2)
            os.close(kept)


class OpenExrImageFile(ArrayImageFile):
    """An OpenEXR picture: the colours of its first part, or its first channel as grey."""

    def _open(self) -> None:
        with _quietly(), self._file(header_only=True) as file:
            header = file.header()
            (left, top), (right, bottom) = (tuple(map(int, corner)) for corner in header["dataWindow"])
            names = {each.rpartition(".")[2] for each in file.channels()} if file.channels() else set()
        self._size = right - left + 1, bottom - top + 1
        self._mode = "RGBA" if "A" in names or "RGBA" in names else "RGB"
        chromaticities = header.get("chromaticities")
        self._primaries = SRGB_PRIMARIES if chromaticities is None else tuple(float(value) for value in chromaticities)

    def _file(self, header_only: bool = False) -> Any:
        import OpenEXR

        return OpenEXR.File(io.BytesIO(self.data or self._whole_file()), header_only=header_only, num_threads=0)

    def pixels(self) -> UInt8Pixels:
        """Decode, and bring to what a screen shows."""
        with _quietly(), self._file() as file:
            channels = {name: np.asarray(one.pixels) for name, one in file.channels().items()}
        colours = next((name for kind in ("RGBA", "RGB") for name in channels if name.split(".")[-1] == kind), None)
        chosen = channels[colours or next((name for name in ("Y", "R", "Z") if name in channels), next(iter(channels)))]
        light = np.nan_to_num(chosen.astype(np.float32), posinf=65504, neginf=0)
        if light.ndim == 2:
            return levels(light) if colours is None and "Y" not in channels else self._shown(light[..., None])
        return self._shown(light)

    def _shown(self, light: npt.NDArray[np.float32]) -> UInt8Pixels:
        primaries = self._primaries if len(self._primaries) == 8 else SRGB_PRIMARIES
        rgb: npt.NDArray[Any] = np.repeat(light, 3, axis=2) if light.shape[2] == 1 else light[..., :3]
        opacity = np.clip(light[..., 3:4], 0, 1)
        if opacity.shape[2]:  # colours are multiplied by it
            rgb = rgb / np.maximum(opacity, np.float32(1 / 512))
        shown = CodedColours(primaries, LINEAR).shown(rgb)
        return np.concatenate((shown, levels(opacity)), axis=2) if opacity.shape[2] else shown


class LenientAvifImageFile(ArrayImageFile):
    """An AVIF that lacks what the standard demands, as some encoders wrote them with opacity."""

    def _open(self) -> None:
        data = self._whole_file()
        file = io.BytesIO(data)
        listed = find(file, find(file, find(file, whole(file), b"meta"), b"iprp", 4), b"ipco")
        sizes = [content(file, box) for box in boxes(file, listed) if box.kind == b"ispe"] if listed else []
        found = [struct.unpack(">II", size[4:12]) for size in sizes if len(size) >= 12]
        if not found:
            raise SyntaxError("an AVIF without a size")
        self._size = max(found)
        self._mode = "RGBA"

    def pixels(self) -> UInt8Pixels:
        """Decode with OpenCV, which reads by libavif without its strictness; and turn upright."""
        image = Image.fromarray(np.ascontiguousarray(levels(decoded_by_opencv(self.data))))
        for turn in picture_properties(self.data).turns:
            image = upright(image, turn)
        return np.asarray(image)


class CroppedImageFile(ArrayImageFile):
    """A picture of which its file shows a part (ISO/IEC 14496-12, 12.1.4).

    Parameters
    ----------
    whole : PIL.ImageFile.ImageFile
        Opened, not loaded.
    properties : PictureProperties
        With a crop.
    turned : bool
        Whether the decoder of the whole turns it; the crop comes before.
    """

    def __init__(self, whole: ImageFile.ImageFile, properties: PictureProperties, turned: bool) -> None:
        self._whole = whole
        self._properties = properties
        self._turns = properties.turns if turned else ()
        self.n_frames = getattr(whole, "n_frames", 1)
        super().__init__(io.BytesIO())

    def _open(self) -> None:
        self._size, self._mode, self.info = self._whole.size, self._whole.mode, self._whole.info

    def pixels(self) -> UInt8Pixels:
        """Decode the whole, and crop it."""
        self._whole.load()
        image: Image.Image = self._whole
        for turn in reversed(self._turns):
            image = upright(image, {6: 8, 8: 6}.get(turn, turn))
        image = image.crop(_shown(image.size, self._properties.crop))
        for turn in self._turns:
            image = upright(image, turn)
        return np.asarray(image)


def _shown(size: tuple[int, int], crop: tuple[float, float, float, float] | None) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of a crop, at least one pixel of the picture."""
    assert crop is not None
    edges = []
    for length, clean, shift in zip(size, crop[:2], crop[2:], strict=True):
        start = min(max(round((length - clean) / 2 + shift), 0), length - 1)
        edges.append((start, min(max(start + round(clean), start + 1), length)))
    (left, right), (top, bottom) = edges
    return left, top, right, bottom


def avif_image(file: io.BytesIO) -> ImageFile.ImageFile:
    """Open an AVIF: by Pillow, or without libavif's strictness where it refuses."""
    properties = picture_properties(file.getvalue())
    image: ImageFile.ImageFile
    try:
        image = AvifImageFile(file)
    except (ValueError, SyntaxError, RuntimeError):
        file.seek(0)
        image = LenientAvifImageFile(file)
    return _as_shown(image, properties, turned=isinstance(image, LenientAvifImageFile))


def heic_image(file: io.BytesIO) -> ImageFile.ImageFile:
    """Open a HEIC."""
    from pi_heif import HeifImageFile

    return _as_shown(
        HeifImageFile(file), PictureProperties(colours=picture_properties(file.getvalue()).colours), turned=True
    )


def uncropped_heic_image(file: io.BytesIO) -> ImageFile.ImageFile:
    """Open a HEIC, and crop it here: libheif 1.23.0 holds the whole picture against the size of its crop."""
    from pi_heif import HeifImageFile

    data = file.getvalue()
    properties = picture_properties(data)
    if properties.crop is None:
        raise SyntaxError("a HEIC without a crop")
    return _as_shown(HeifImageFile(io.BytesIO(without_crops(data, properties))), properties, True)


def _as_shown(image: ImageFile.ImageFile, properties: PictureProperties, turned: bool) -> ImageFile.ImageFile:
    if properties.colours is not None and not image.info.get("icc_profile"):
        image.info[CODED_COLOURS] = CodedColours.of_numbers(*properties.colours)
    return image if properties.crop is None else CroppedImageFile(image, properties, turned)


_DDS_KIND, _DDS_MASKS, _DDS_COLOURS = slice(80, 84), slice(92, 108), 0x40  # DDS_PIXELFORMAT


class DdsImageFile(PillowDdsImageFile):
    """A DDS texture; one whose only colour is red is grey."""

    def _open(self) -> None:
        assert self.fp is not None
        head = self.fp.read(108)
        self.fp.seek(0)
        super()._open()
        kind, masks = int.from_bytes(head[_DDS_KIND], "little"), struct.unpack("<4I", head[_DDS_MASKS])
        self._is_grey = bool(kind & _DDS_COLOURS) and masks[0] > 0 and not masks[1] and not masks[2]

    def load(self) -> Any:
        """Decode the pixels where that has not been done."""
        fresh = bool(self.tile)
        access = super().load()
        if not fresh or not self._is_grey:
            return access
        bands = self.split()
        grey = Image.merge("LA", (bands[0], bands[3])) if len(bands) == 4 else bands[0]
        self._mode, self.im = grey.mode, grey.im
        return Image.Image.load(self)
