"""Which format of pictures a file is, from its bytes. Names and extensions do not count."""

from __future__ import annotations

import importlib
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from features.not_pictures import not_a_picture
from features.raw import is_raw
from features.unreadable import UnreadableError

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile


@dataclass(frozen=True)
class Format:
    """A format of pictures and the Pillow class that decodes it.

    The class is called by name instead of through ``Image.open``: then what was recognised and what decodes can never
    differ, the forty other decoders of Pillow are never offered a file, and each is imported when it is first needed.

    Parameters
    ----------
    name : str
        As shown to a person.
    module, opener : str
        Where the class is; empty for raw files, which Pillow does not read.
    turned_by_decoder : bool
        The decoder applies the orientation itself.
    plug_in : str
        The package to install where the module is missing; it is no requirement of the program.
    held : float
        Bytes for each pixel that the decoder holds at its peak, beside Pillow's image; the default is more than most
        do. For JPEG 2000 of each channel, for AVIF and HEIC without the picture's samples.
    file_copies : int
        How often the file is held, what was read of the disk included.
    """

    name: str
    module: str = ""
    opener: str = ""
    turned_by_decoder: bool = False
    plug_in: str = ""
    held: float = 12
    file_copies: int = 2

    def open(self, data: bytes) -> ImageFile:
        """Read the header. May raise anything of `features.unreadable.DECODER_ERRORS`."""
        try:
            opener = getattr(importlib.import_module(self.module), self.opener)
        except ImportError as error:
            if not self.plug_in:
                raise
            raise UnreadableError(
                f"This is a {self.name} picture, and the part that reads them is not installed.",
                f"Install the Python package {self.plug_in} beside Twinlens, or save the picture as JPEG or PNG.",
            ) from error
        return cast("ImageFile", opener(io.BytesIO(data)))


# Of an MPO it reads the first picture.
JPEG = Format("JPEG", "PIL.JpegImagePlugin", "JpegImageFile", held=0, file_copies=1)
PNG = Format("PNG", "PIL.PngImagePlugin", "PngImageFile", held=0, file_copies=1)
WEBP = Format("WebP", "PIL.WebPImagePlugin", "WebPImageFile")
TIFF = Format("TIFF", "PIL.TiffImagePlugin", "TiffImageFile", turned_by_decoder=True, held=0, file_copies=1)
GIF = Format("GIF", "PIL.GifImagePlugin", "GifImageFile", held=0, file_copies=1)
BMP = Format("BMP", "PIL.BmpImagePlugin", "BmpImageFile", held=0, file_copies=1)
AVIF = Format("AVIF", "PIL.AvifImagePlugin", "AvifImageFile", held=4)
HEIC = Format("HEIC", "pillow_heif", "HeifImageFile", turned_by_decoder=True, held=3)
JPEG_XL = Format("JPEG XL", "pillow_jxl.JpegXLImagePlugin", "JXLImageFile", True, plug_in="pillow-jxl-plugin")
JPEG_2000 = Format("JPEG 2000", "PIL.Jpeg2KImagePlugin", "Jpeg2KImageFile", held=5.5, file_copies=1)
PNM = Format("PNM", "PIL.PpmImagePlugin", "PpmImageFile", held=0, file_copies=1)
RAW = Format("RAW", turned_by_decoder=True)

FORMATS = (JPEG, PNG, WEBP, TIFF, GIF, BMP, AVIF, HEIC, JPEG_XL, JPEG_2000, PNM, RAW)

_BEGINNINGS = (
    (b"\xff\xd8\xff", JPEG),
    (b"\x89PNG\r\n\x1a\n", PNG),
    (b"GIF87a", GIF),
    (b"GIF89a", GIF),
    (b"\xff\x0a", JPEG_XL),
    (b"\0\0\0\x0cJXL \r\n\x87\n", JPEG_XL),
    (b"\0\0\0\x0cjP  \r\n\x87\n", JPEG_2000),
    (b"\xff\x4f\xff\x51", JPEG_2000),
    (b"II*\0", TIFF),
    (b"MM\0*", TIFF),
    (b"II+\0", TIFF),
    (b"MM\0+", TIFF),
)
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"})
_BMP_HEADERS = frozenset({12, 40, 52, 56, 64, 108, 124})
_PNM_START = re.compile(rb"P[1-6]\s\s*(#|\d)")


def recognise(data: bytes, name: str = "") -> Format:
    """Tell the format of a picture from its bytes.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        Used only to tell a raw file that hides its sensor data in private tags from a TIFF picture of the same camera:
        their bytes do not.

    Returns
    -------
    Format

    Raises
    ------
    NotAPictureError
        Saying what the bytes are instead, where that is known.

    Examples
    --------
    >>> recognise(b"GIF89a...").name
    'GIF'
    """
    if is_raw(data, name):
        return RAW
    for beginning, form in _BEGINNINGS:
        if data.startswith(beginning):
            return form
    tests = (
        (WEBP, data[:4] == b"RIFF" and data[8:12] == b"WEBP"),
        (AVIF, bool(_brands(data) & _AVIF_BRANDS)),
        (HEIC, bool(_brands(data) & _HEIC_BRANDS)),
        (BMP, data[:2] == b"BM" and int.from_bytes(data[14:18], "little") in _BMP_HEADERS),
        (PNM, _PNM_START.match(data) is not None),
    )
    for form, passed in tests:
        if passed:
            return form
    raise not_a_picture(data)


def _brands(data: bytes) -> set[bytes]:
    """Return the brands of an ISO media file: the major one, and those that it is compatible with."""
    if data[4:8] != b"ftyp":
        return set()
    end = min(int.from_bytes(data[:4], "big"), 256, len(data))
    return {data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))}
