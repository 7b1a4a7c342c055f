"""The formats of pictures that are read, and the recognition of a file's format by its bytes.

Names and extensions do not count. Any file may begin with a zero or two, so formats without a signature have their
headers checked field by field: a header counts only where every field has a value that the format allows.

Some decoders of Pillow allocate or decode when they are opened; for their formats the size is the one that the header
claims. Every other decoder only reads the header then, and gives the size itself.
"""

from __future__ import annotations

import importlib
import io
import re
import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from twinlens.features.decoders.bitmap import is_bitmap
from twinlens.features.decoders.raw import is_raw
from twinlens.features.formats.types_not_read import TYPES_NOT_READ, is_sequence_alone, not_a_picture
from twinlens.features.reading.reading_limits import UnreadableError

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
    second : str
        The class beside it for what that one cannot decode; empty without one.
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
    second: str = field(default="", kw_only=True)
    turned_by_decoder: bool = False
    plug_in: str = ""
    held: float = 12
    file_copies: int = 2

    def open(self, data: bytes, second: bool = False) -> ImageFile:
        """Read the header, perhaps by the second decoder.

        May raise anything of `twinlens.features.reading.reading_limits.DECODER_ERRORS`.
        """
        try:
            opener = getattr(importlib.import_module(self.module), self.second if second else self.opener)
        except ImportError as error:
            if not self.plug_in:
                raise
            raise UnreadableError(
                "This is a {name} picture, and the part that reads them is not installed.",
                "Install the Python package {plug_in} beside Twinlens, or save the picture as JPEG or PNG.",
                name=self.name,
                plug_in=self.plug_in,
            ) from error
        return cast("ImageFile", opener(io.BytesIO(data)))


# Of an MPO it reads the first picture.
JPEG = Format(
    "JPEG", "twinlens.features.decoders.array_image", "jpeg_image", second="DeepJpegImageFile", held=0, file_copies=1
)
PNG = Format("PNG", "twinlens.features.decoders.decoder_repairs", "png_image", held=0, file_copies=1)
WEBP = Format("WebP", "PIL.WebPImagePlugin", "WebPImageFile")
TIFF = Format(
    "TIFF",
    "twinlens.features.decoders.tiff",
    "tiff_image",
    second="TifffileImage",
    turned_by_decoder=True,
    held=0,
    file_copies=1,
)
GIF = Format("GIF", "PIL.GifImagePlugin", "GifImageFile", held=0, file_copies=1)
BMP = Format(
    "BMP", "twinlens.features.decoders.bitmap", "bitmap_image", second="BitmapImageFile", held=0, file_copies=1
)
AVIF = Format("AVIF", "twinlens.features.decoders.array_image", "avif_image", second="LenientAvifImageFile", held=4)
HEIC = Format(
    "HEIC", "twinlens.features.decoders.array_image", "heic_image", True, held=3, second="uncropped_heic_image"
)
SEQUENCE = Format("HEIC sequence", "twinlens.features.formats.film_frame", "SequenceImageFile", held=24)
JPEG_XL = Format(
    "JPEG XL", "twinlens.features.decoders.jpeg_xl", "JpegXlImageFile", turned_by_decoder=True, plug_in="pylibjxl"
)
JPEG_2000 = Format("JPEG 2000", "twinlens.features.decoders.array_image", "Jpeg2000ImageFile", held=8)
JPEG_XR = Format("JPEG XR", "twinlens.features.decoders.array_image", "JpegXrImageFile", held=40)
OPEN_EXR = Format("OpenEXR", "twinlens.features.decoders.array_image", "OpenExrImageFile", held=48)
RADIANCE = Format("Radiance", "twinlens.features.decoders.array_image", "LightImageFile", held=48)
COLOUR_PFM = Format("PFM in colour", "twinlens.features.decoders.array_image", "LightImageFile", held=48)
PNM = Format("PNM", "PIL.PpmImagePlugin", "PpmImageFile", held=0, file_copies=1)
PAM = Format("PAM", "twinlens.features.decoders.netpbm", "PamImageFile")
PSD = Format("PSD", "twinlens.features.decoders.psd", "PsdImageFile")
QOI = Format("QOI", "twinlens.features.decoders.qoi", "QoiImageFile")
TGA = Format("TGA", "PIL.TgaImagePlugin", "TgaImageFile", held=0, file_copies=1)
PCX = Format("PCX", "PIL.PcxImagePlugin", "PcxImageFile", held=0, file_copies=1)
DCX = Format("DCX", "PIL.DcxImagePlugin", "DcxImageFile", held=0, file_copies=1)
ICO = Format("ICO", "PIL.IcoImagePlugin", "IcoImageFile")
CUR = Format("CUR", "PIL.CurImagePlugin", "CurImageFile")
ICNS = Format("ICNS", "PIL.IcnsImagePlugin", "IcnsImageFile")
DDS = Format("DDS", "twinlens.features.decoders.array_image", "DdsImageFile")
FLI = Format("FLI", "PIL.FliImagePlugin", "FliImageFile", held=0, file_copies=1)
PHOTO_CD = Format("Photo CD", "PIL.PcdImagePlugin", "PcdImageFile")
SGI = Format("SGI", "PIL.SgiImagePlugin", "SgiImageFile", held=0, file_copies=1)
SUN = Format("Sun raster", "PIL.SunImagePlugin", "SunImageFile", held=0, file_copies=1)
XBM = Format("XBM", "PIL.XbmImagePlugin", "XbmImageFile", held=0, file_copies=1)
XPM = Format("XPM", "PIL.XpmImagePlugin", "XpmImageFile")
MSP = Format("MSP", "PIL.MspImagePlugin", "MspImageFile", held=0, file_copies=1)
XV = Format("XV thumbnail", "PIL.XVThumbImagePlugin", "XVThumbImageFile")
RAW = Format("RAW", turned_by_decoder=True)
LENIENT = Format("damaged", "twinlens.features.decoders.array_image", "OpenCvImageFile")
"""What OpenCV makes of some formats where their decoders give up."""
FORMATS = (
    *(
        JPEG,
        PNG,
        WEBP,
        TIFF,
        GIF,
        BMP,
        AVIF,
        HEIC,
        SEQUENCE,
        JPEG_XL,
        JPEG_2000,
        JPEG_XR,
        OPEN_EXR,
        RADIANCE,
        COLOUR_PFM,
    ),
    *(PNM, PAM, PSD, QOI, TGA, PCX, DCX, ICO, CUR, ICNS, DDS, FLI, PHOTO_CD, SGI, SUN, XBM, XPM, MSP, XV, RAW),
)
PICTURE_TYPES = (*(form.name for form in FORMATS), *TYPES_NOT_READ)
"""Types that a file may be found to have. When the list grows, files that were passed over are examined again."""

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
    (b"II\xbc\1", JPEG_XR),
    (b"v/1\x01", OPEN_EXR),
    (b"#?RADIANCE", RADIANCE),
    (b"#?RGBE", RADIANCE),
    (b"PF\n", COLOUR_PFM),
    (b"PF ", COLOUR_PFM),
    (b"\x59\xa6\x6a\x95", SUN),
    (b"/* XPM */", XPM),
    (b"DanM", MSP),
    (b"LinS", MSP),
)
_AVIF_BRANDS = frozenset({b"avif", b"avis"})
_HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"})
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
        (BMP, is_bitmap(data)),
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
            return SEQUENCE if form is HEIC and is_sequence_alone(data) else form
    raise not_a_picture(data)


def _brands(data: bytes) -> set[bytes]:
    """Return the brands of an ISO media file: the major one, and those that it is compatible with."""
    if data[4:8] != b"ftyp":
        return set()
    end = min(int.from_bytes(data[:4], "big"), 256, len(data))
    return {data[8:12], *(data[at : at + 4] for at in range(16, end - 3, 4))}


_PNG = b"\x89PNG\r\n\x1a\n"
_DIB_HEADERS = frozenset({12, 40, 52, 56, 64, 108, 124})
_TARGA_DEPTHS = {1: {8, 16}, 2: {15, 16, 24, 32}, 3: {1, 8, 16}}  # by type of picture: palette, colours, grey
_TARGA_PALETTE_DEPTHS = frozenset({15, 16, 24, 32})
_PACKED = 8  # added to the type of a Targa picture that is run-length encoded
_XBM = re.compile(
    rb"\s*(/\*.*?\*/\s*)?#define[ \t]+\w*width[ \t]+\d+\s+#define[ \t]+\w*height[ \t]+\d+\s.{0,400}?_bits\[\]",
    re.DOTALL,
)


def is_icon(data: bytes, kind: int) -> bool:
    """Recognise a Windows icon (`kind` 1) or mouse pointer (2), by its whole directory as far as the data go."""
    if len(data) < 22:
        return False
    reserved, found, count = struct.unpack_from("<HHH", data)
    if (reserved, found) != (0, kind) or count == 0:
        return False
    for at in range(6, min(6 + 16 * count, len(data) - 15), 16):
        (begin,) = struct.unpack_from("<I", data, at + 12)
        if begin < 6 + 16 * count:
            return False
    _, begin = struct.unpack_from("<II", data, 14)
    picture = data[begin : begin + 8]
    return len(picture) < 8 or picture == _PNG or int.from_bytes(picture[:4], "little") in _DIB_HEADERS


def is_pcx(data: bytes) -> bool:
    """Recognise a Paintbrush picture."""
    if len(data) < 128:
        return False
    maker, version, packing, bits, left, top, right, bottom = struct.unpack_from("<BBBBHHHH", data)
    reserved, planes, row_bytes = struct.unpack_from("<BBH", data, 64)
    return (
        (maker, packing, reserved) == (10, 1, 0)
        and version in {0, 2, 3, 4, 5}
        and bits in {1, 2, 4, 8}
        and 1 <= planes <= 4
        and left <= right
        and top <= bottom
        and 8 * row_bytes >= bits * (right - left + 1)
    )


def is_targa(data: bytes) -> bool:
    """Recognise a Targa picture, with or without the footer of the format's second version."""
    if len(data) < 18:
        return False
    _, has_palette, kind, first, length, depth_of_palette, left, top, width, height, depth, flags = struct.unpack_from(
        "<BBBHHBHHHHBB", data
    )
    depths = _TARGA_DEPTHS.get(kind & ~_PACKED)
    bytes_held = 18 + data[0] + length * (-(-depth_of_palette // 8)) + width * height * (-(-depth // 8))
    if depths is None or has_palette > 1 or depth not in depths or 0 in {width, height} or flags & 0xC0:
        return False
    if data[-18:] == b"TRUEVISION-XFILE.\0" or (not kind & _PACKED and len(data) == bytes_held):
        return True
    if has_palette:
        palette_fits = depth_of_palette in _TARGA_PALETTE_DEPTHS and length > 0
    else:
        palette_fits = kind & ~_PACKED != 1 and (first, length) == (0, 0) and depth_of_palette in {0, 24}
    opacity_bits = flags & 0x0F
    return palette_fits and left == 0 and top in {0, height} and opacity_bits in {0, 1, 8} and opacity_bits <= depth


def is_fli(data: bytes) -> bool:
    """Recognise an animation of Autodesk's Animator."""
    if len(data) < 128:
        return False
    _, kind, frames, width, height, depth, flags = struct.unpack_from("<IHHHHHH", data)
    return kind in {0xAF11, 0xAF12} and 0 not in {frames, width, height} and depth in {0, 8} and flags in {0, 3}


def is_sgi(data: bytes) -> bool:
    """Recognise a picture of Silicon Graphics' workstations."""
    if len(data) < 12:
        return False
    magic, packing, size_of_value, dimensions = struct.unpack_from(">HBBH", data)
    return magic == 474 and packing <= 1 and size_of_value in {1, 2} and dimensions in {1, 2, 3}


def is_xbm(data: bytes) -> bool:
    """Recognise a bitmap of the X window system, which is a piece of a C program."""
    return _XBM.match(data[:2048]) is not None


def is_photo_cd(data: bytes) -> bool:
    """Recognise a picture of a Kodak Photo CD."""
    return data[2048:2055] == b"PCD_IPI"


_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_PICTURES_INSIDE = re.compile(
    rb"\x89PNG\r\n\x1a\n....IHDR(.{8})|jp2h.{0,64}?ihdr(.{8})|\xff\x4f\xff\x51.{4}(.{8})", re.DOTALL
)


def header_size(form: Format, data: bytes) -> tuple[int, int] | None:
    """Return width and height as the header of a WebP picture or the headers in an icon claim them.

    None for every other format, and where the header is too damaged to tell: the decoder refuses such a one as well.
    """
    size_of = {WEBP: _webp, ICO: _icon, ICNS: _mac_icon}.get(form)
    return None if size_of is None else size_of(data)


def _webp(data: bytes) -> tuple[int, int] | None:
    """Read the canvas size (RFC 9649, section 2.5 to 2.7)."""
    chunk = data[12:16]
    if len(data) < 30:
        return None
    if chunk == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if chunk == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if chunk == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _icon(data: bytes) -> tuple[int, int] | None:
    """Return the largest of the pictures in a Windows icon: each says its own size, whatever the directory says."""
    count = int.from_bytes(data[4:6], "little")
    sizes = []
    for entry in range(6, min(6 + 16 * count, len(data) - 15), 16):
        (begin,) = struct.unpack_from("<I", data, entry + 12)
        inside = data[begin : begin + 24]
        if inside.startswith(_PNG_SIGNATURE) and len(inside) == 24:
            sizes.append(struct.unpack(">II", inside[16:]))
        elif len(inside) >= 12:
            width, height = struct.unpack_from("<ii", inside, 4)
            sizes.append((abs(width), abs(height) // 2))  # the mask is below the picture
    return max(sizes, key=_pixels, default=None)


def _mac_icon(data: bytes) -> tuple[int, int] | None:
    """Return the largest of the PNG and JPEG 2000 pictures in a Mac's icon; the others are of fixed small sizes."""
    sizes = []
    for found in _PICTURES_INSIDE.finditer(data):
        first, second = struct.unpack(">II", found[1] or found[2] or found[3])
        sizes.append((second, first) if found[2] else (first, second))  # JPEG 2000's box has the height first
    return max(sizes, key=_pixels, default=None)


def _pixels(size: tuple[int, int]) -> int:
    return size[0] * size[1]
