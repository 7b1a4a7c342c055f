"""TIFF pictures: by Pillow those that it reads rightly, by tifffile all others.

Pillow makes noise of 16 bits that are stored in planes and black of palettes with values of 8 bits, and refuses
floating point in colours, numbers of 10 to 14 and of 32 bits, big-endian BigTIFF, and the newer compressions, for which
tifffile asks imagecodecs (TIFF 6.0; Adobe's technical notes for what came later).
"""

from __future__ import annotations

import io
import logging
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFile, ImagePalette
from PIL.TiffImagePlugin import TiffImageFile

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.decoders.array_image import ArrayImageFile
from twinlens.features.formats.exif import TiffTags
from twinlens.features.pictures.channels import upright
from twinlens.features.pictures.coded_colours import levels

_BITS, _COMPRESSION, _PHOTOMETRIC, _ORIENTATION, _SAMPLES, _PLANAR = 258, 259, 262, 274, 277, 284
_PALETTE_TABLE, _SAMPLE_FORMAT, _PROFILE = 320, 339, 34675
_UNSIGNED, _FLOATING = 1, 3
_PLANES = 2
_PILLOWS = frozenset({1, 2, 3, 4, 5, 6, 7, 8, 32773, 32946, 34925, 50000})
_WHITE_IS_ZERO, _PALETTE, _INKS, _YCBCR, _LABS = 0, 3, 5, 6, {8, 9}
_STRAIGHT, _MULTIPLIED = 2, 1  # opacity, by the kind of a further sample
_LUV = frozenset({34676, 34677})


def tiff_image(file: io.BytesIO) -> ImageFile.ImageFile:
    """Open a TIFF picture with the decoder that reads it rightly."""
    if not _is_pillows(file.getvalue()):
        return TifffileImage(file)
    try:
        image = TiffImageFile(file)
    except (SyntaxError, KeyError, ValueError, TypeError) as error:
        file.seek(0)
        try:
            return TifffileImage(file)
        except _ERRORS:
            raise error from None
    table = image.tag_v2.get(_PALETTE_TABLE)
    if image.mode == "P" and table and 0 < max(table) < 256:  # values of 8 bits where those of 16 belong
        image.palette = ImagePalette.raw("RGB;L", bytes(table))
    return image


_ERRORS = (SyntaxError, ValueError, TypeError, LookupError, OSError, ArithmeticError, AttributeError, RuntimeError)


def _is_pillows(data: bytes) -> bool:
    tags = TiffTags(data)
    first = tags.first

    def value(tag: int, default: int) -> int:
        return tags.number(first.get(tag)) or default

    bits, samples = value(_BITS, 1), value(_SAMPLES, 1)
    kind = value(_SAMPLE_FORMAT, _UNSIGNED)
    if data[:4] == b"MM\0+" or value(_COMPRESSION, 1) not in _PILLOWS:
        return False
    if samples == 1:
        return kind != _FLOATING or (bits == 32 and value(_COMPRESSION, 1) == 1)
    return kind == _UNSIGNED and (bits in (1, 2, 4, 8) or (bits == 16 and value(_PLANAR, 1) != _PLANES))


class TifffileImage(ArrayImageFile):
    """A TIFF picture that tifffile decodes: its first page, turned upright."""

    def _open(self) -> None:
        import tifffile

        logging.getLogger("tifffile").setLevel(logging.CRITICAL)  # what matters is raised
        self._pages: Any = tifffile.TiffFile(io.BytesIO(self._whole_file())).pages
        self.n_frames = len(self._pages)
        self._frame = 0
        self._describe(self._pages[0])

    def tell(self) -> int:
        """Return the number of the page that is shown, from 0."""
        return self._frame

    def seek(self, frame: int) -> None:
        """Show another page."""
        if not 0 <= frame < self.n_frames:
            raise EOFError
        self._frame, self._im = frame, None
        self._describe(self._pages[frame])

    def _describe(self, page: Any) -> None:
        """Take size and mode from a page."""
        self._page = page
        self._size = page.imagewidth, page.imagelength
        if 0 in self._size or page.imagedepth > 1:
            raise SyntaxError("a TIFF page that is no picture")
        photometric = int(page.photometric)
        self._inks = photometric == _INKS and page.samplesperpixel >= 4
        colours = 4 if self._inks else 3 if page.samplesperpixel >= 3 or photometric == _PALETTE else 1
        further = [int(kind) for kind in page.extrasamples or ()]
        self._opacity = further[0] if further and further[0] in (_STRAIGHT, _MULTIPLIED) and not self._inks else 0
        self._colours = colours
        self._mode = "CMYK" if self._inks else ("L" if colours == 1 else "RGB") + ("A" if self._opacity else "")
        profile = page.tags.get(_PROFILE)
        if profile is not None and isinstance(profile.value, bytes):
            self.info["icc_profile"] = profile.value

    def pixels(self) -> UInt8Pixels:
        """Decode the page."""
        page = self._page
        samples: npt.NDArray[Any] = np.asarray(page.asarray(maxworkers=1))
        if samples.ndim > 3:
            samples = samples.reshape(*samples.shape[-3:])
        if samples.ndim == 3 and int(page.planarconfig) == _PLANES and samples.shape[0] == page.samplesperpixel:
            samples = samples.transpose(1, 2, 0)
        if samples.shape[:2] != (page.imagelength, page.imagewidth):
            raise SyntaxError("a TIFF page of another size than it says")
        photometric = int(page.photometric)
        if photometric == _PALETTE and page.colormap is not None:
            pixels = _of_palette(samples.reshape(samples.shape[:2]), np.asarray(page.colormap))
        else:
            kept = samples if samples.ndim == 2 else samples[..., : self._colours + bool(self._opacity)]
            pixels = _lab(kept) if photometric in _LABS else levels(kept, _bits(page))
            if pixels.ndim == 3 and pixels.shape[2] == 1:
                pixels = pixels[..., 0]
        if photometric == _WHITE_IS_ZERO:
            pixels = ~pixels
        if photometric == _YCBCR and int(page.compression) == 1:
            pixels = np.asarray(Image.fromarray(np.ascontiguousarray(pixels), "YCbCr").convert("RGB"))
        if self._opacity == _MULTIPLIED and samples.dtype.kind != "f":
            opacity = np.maximum(pixels[..., -1:].astype(np.float32) / 255, np.float32(1 / 512))
            straight = np.minimum(np.rint(pixels[..., :-1] / opacity), 255).astype(np.uint8)
            pixels = np.concatenate((straight, pixels[..., -1:]), axis=2)
        image = Image.fromarray(np.ascontiguousarray(pixels), "CMYK" if self._inks else None)
        orientation = page.tags.get(_ORIENTATION)
        turned = upright(image, 1 if orientation is None else int(orientation.value))
        return np.asarray(turned)


def _bits(page: Any) -> int:
    """Return the bits of a sample, where it uses the lower ones of a larger number alone."""
    bits = page.bitspersample
    return int(bits) if isinstance(bits, int) and bits % 8 and page.dtype is not None and page.dtype.kind == "u" else 0


def _of_palette(numbers: npt.NDArray[Any], table: npt.NDArray[Any]) -> UInt8Pixels:
    """Return the colours of a palette, whose table, (3, n), has values of 16 bits, or of 8 as old scanners wrote."""
    colours = (table if table.max(initial=0) < 256 else table >> 8).astype(np.uint8).T
    return np.asarray(colours[np.minimum(numbers, len(colours) - 1)])


def _lab(samples: npt.NDArray[Any]) -> UInt8Pixels:
    """Return colours of CIE L*a*b* as RGB; a and b have a sign."""
    if samples.dtype.itemsize == 2:
        samples = samples.view(np.uint16) >> 8
    if samples.dtype.itemsize != 1:
        raise SyntaxError("unsupported numbers of L*a*b*")
    from PIL import ImageCms

    image = Image.fromarray(np.ascontiguousarray(samples[..., :3].astype(np.uint8) ^ np.array([0, 128, 128], np.uint8)))
    lab = Image.frombytes("LAB", image.size, image.tobytes())
    profiles = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
    shown = np.asarray(ImageCms.profileToProfile(lab, *profiles, outputMode="RGB"))
    return np.concatenate((shown, samples[..., 3:].astype(np.uint8)), axis=2) if samples.shape[2] > 3 else shown
