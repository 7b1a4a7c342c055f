"""Recognition of the format of a picture by its bytes. Names and extensions do not count."""

from __future__ import annotations

import importlib
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from core.message import Message
from features.formats.raw import is_raw
from features.formats.signatures import is_fli, is_icon, is_pcx, is_photo_cd, is_sgi, is_targa, is_xbm
from features.formats.types_not_read import TYPES_NOT_READ, is_sequence_alone, not_a_picture, sequence_not_read
from features.reading.unreadable import UnreadableError

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile


@dataclass(frozen=True)
class Format:
    """A format of pictures and the class of Pillow, or of ours in its manner, that decodes it.

    The class is called by name instead of through ``Image.open``: then what was recognised and what decodes can never
    differ, no other decoder of Pillow is offered a file, and each is imported when it is first needed. What runs a
    program to draw (EPS), or reads measurements rather than a picture (FITS), is not among them.

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
        """Read the header. May raise anything of `features.reading.unreadable.DECODER_ERRORS`."""
        try:
            opener = getattr(importlib.import_module(self.module), self.opener)
        except ImportError as error:
            if not self.plug_in:
                raise
            raise UnreadableError(
                Message("This is a {name} picture, and the part that reads them is not installed.", name=self.name),
                Message(
                    "Install the Python package {plug_in} beside Twinlens, or save the picture as JPEG or PNG.",
                    plug_in=self.plug_in,
                ),
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
HEIC = Format("HEIC", "pi_heif", "HeifImageFile", turned_by_decoder=True, held=3)
JPEG_XL = Format("JPEG XL", "features.formats.jpeg_xl", "JpegXlImageFile", turned_by_decoder=True, plug_in="pylibjxl")
JPEG_2000 = Format("JPEG 2000", "PIL.Jpeg2KImagePlugin", "Jpeg2KImageFile", held=5.5, file_copies=1)
PNM = Format("PNM", "PIL.PpmImagePlugin", "PpmImageFile", held=0, file_copies=1)
PAM = Format("PAM", "features.formats.pam", "PamImageFile")
PSD = Format("PSD", "features.formats.psd", "PsdImageFile")
QOI = Format("QOI", "features.formats.qoi", "QoiImageFile")
TGA = Format("TGA", "PIL.TgaImagePlugin", "TgaImageFile", held=0, file_copies=1)
PCX = Format("PCX", "PIL.PcxImagePlugin", "PcxImageFile", held=0, file_copies=1)
DCX = Format("DCX", "PIL.DcxImagePlugin", "DcxImageFile", held=0, file_copies=1)
ICO = Format("ICO", "PIL.IcoImagePlugin", "IcoImageFile")
CUR = Format("CUR", "PIL.CurImagePlugin", "CurImageFile")
ICNS = Format("ICNS", "PIL.IcnsImagePlugin", "IcnsImageFile")
DDS = Format("DDS", "PIL.DdsImagePlugin", "DdsImageFile")
FLI = Format("FLI", "PIL.FliImagePlugin", "FliImageFile", held=0, file_copies=1)
PHOTO_CD = Format("Photo CD", "PIL.PcdImagePlugin", "PcdImageFile")
SGI = Format("SGI", "PIL.SgiImagePlugin", "SgiImageFile", held=0, file_copies=1)
SUN = Format("Sun raster", "PIL.SunImagePlugin", "SunImageFile", held=0, file_copies=1)
XBM = Format("XBM", "PIL.XbmImagePlugin", "XbmImageFile", held=0, file_copies=1)
XPM = Format("XPM", "PIL.XpmImagePlugin", "XpmImageFile")
MSP = Format("MSP", "PIL.MspImagePlugin", "MspImageFile", held=0, file_copies=1)
XV = Format("XV thumbnail", "PIL.XVThumbImagePlugin", "XVThumbImageFile")
RAW = Format("RAW", turned_by_decoder=True)

FORMATS = (
    *(JPEG, PNG, WEBP, TIFF, GIF, BMP, AVIF, HEIC, JPEG_XL, JPEG_2000, PNM, PAM, PSD, QOI, TGA, PCX, DCX),
    *(ICO, CUR, ICNS, DDS, FLI, PHOTO_CD, SGI, SUN, XBM, XPM, MSP, XV, RAW),
)

PICTURE_TYPES = (*(form.name for form in FORMATS), *TYPES_NOT_READ)
"""What is told from a file that is no picture. Where it grows, files that were passed over are looked at again."""

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
    (b"8BPS\0\1", PSD),
    (b"8BPS\0\2", PSD),
    (b"qoif", QOI),
    (b"P7\n", PAM),
    (b"P7 332", XV),
    (b"\xb1\x68\xde\x3a", DCX),
    (b"icns", ICNS),
    (b"DDS ", DDS),
    (b"\x59\xa6\x6a\x95", SUN),
    (b"/* XPM */", XPM),
    (b"DanM", MSP),
    (b"LinS", MSP),
)
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"})
_BMP_HEADERS = frozenset({12, 40, 52, 56, 64, 108, 124})
_PNM_START = re.compile(rb"P[1-6f]\s\s*(#|\d)")


def recognise(data: bytes, name: str = "") -> Format:
    """Recognise the format of a picture by its bytes.

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
    UnreadableError
        The bytes are of a type of pictures that is not read; it says which.
    NotAPictureError
        They are of no picture; it says what they are instead, where that is known.

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
        (ICO, is_icon(data, 1)),
        (CUR, is_icon(data, 2)),
        (PCX, is_pcx(data)),
        (FLI, is_fli(data)),
        (SGI, is_sgi(data)),
        (XBM, is_xbm(data)),
        (PHOTO_CD, is_photo_cd(data)),
        (TGA, is_targa(data)),
    )
    for form, passed in tests:
        if passed:
            if form is HEIC and is_sequence_alone(data):
                raise sequence_not_read()
            return form
    raise not_a_picture(data)


def _brands(data: bytes) -> set[bytes]:
    """Return the brands of an ISO media file: the major one, and those that it is compatible with."""
    if data[4:8] != b"ftyp":
        return set()
    end = min(int.from_bytes(data[:4], "big"), 256, len(data))
    return {data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))}
