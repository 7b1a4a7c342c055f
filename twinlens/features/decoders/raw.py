"""A camera's raw file: the preview that the camera embedded, or else a demosaic at half size (LibRaw).

The preview is what the camera showed and costs a hundredth of a demosaic. It must be at least as large as pictures are
worked on; otherwise the sensor's data are developed.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from twinlens.features.decoders import jpeg
from twinlens.features.formats.exif import Exif, Tag, TiffTags, read_exif
from twinlens.features.pictures.picture import WORKING_SIDE
from twinlens.features.reading.reading_limits import DECODER_ERRORS, Limits, UnreadableError, unreadable

if TYPE_CHECKING:
    import rawpy

_MAGICS = (
    (0, b"FUJIFILMCCD-RAW"),
    (0, b"IIRO"),
    (0, b"IIRS"),
    (0, b"MMOR"),  # Olympus
    (0, b"IIU\0"),  # Panasonic and Leica
    (0, b"\0MRM"),  # Minolta
    (0, b"FOVb"),  # Sigma
    (6, b"HEAPCCDR"),  # Canon CRW
    (8, b"CR\x02\0"),  # Canon CR2
    (4, b"ftypcrx "),  # Canon CR3
    (8, b"IIII"),  # Phase One
)
_RAW_ENDINGS = frozenset(
    {".3fr", ".arw", ".dcr", ".erf", ".fff", ".iiq", ".k25", ".kdc", ".mef", ".mos", ".nef", ".nrw", ".pef", ".raw"}
    | {".sr2", ".srf", ".srw"}
)  # of TIFF structures; the others have a beginning of their own
_COMPRESSION, _PHOTOMETRIC, _MAKE, _SUB_DIRECTORIES = 0x0103, 0x0106, 0x010F, 0x014A
_DNG_VERSION = 0xC612
_SENSOR_PHOTOMETRICS = frozenset({32803, 34892})  # colour filter array, linear raw (TIFF/EP and DNG)
_SENSOR_COMPRESSIONS = frozenset({32767, 32769, 32770, 34713, 34892, 65000, 65535})
# For each pixel of the sensor: its 16 bits, four 16-bit colours for each 2 x 2 pixels, and the result; or, of a sensor
# that sees all colours at each pixel, these twice.
_BYTES_PER_PIXEL, _BYTES_PER_FULL_PIXEL = 6, 20
_ORIENTATION_OF_FLIP = (1, 2, 4, 3, 5, 8, 6, 7)  # LibRaw counts in bits: 1 left-right, 2 top-bottom, 4 transposed


@dataclass(frozen=True)
class RawPicture:
    """A decoded raw file.

    Parameters
    ----------
    image : PIL.Image.Image
        RGB or grey, still to be turned.
    orientation : int
        EXIF's number of the turn that `image` still needs.
    width, height : int
        Of the full picture, upright.
    exif : Exif
        What the file says, its orientation included.
    """

    image: Image.Image
    orientation: int
    width: int
    height: int
    exif: Exif


def is_raw(data: bytes, name: str = "") -> bool:
    """Recognise a raw file, above all among TIFF pictures, which most of them pretend to be.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        Decides for a TIFF structure that names a camera and shows no sensor data in public tags; never otherwise.
    """
    if any(data.startswith(magic, at) for at, magic in _MAGICS):
        return True
    if data[:4] not in (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"):
        return False
    tags = TiffTags(data)
    first = tags.first
    if _DNG_VERSION in first:
        return True
    directories: list[dict[int, Tag]] = [first]
    directories += (tags.directory(position) for position in tags.numbers(first.get(_SUB_DIRECTORIES)))
    for directory in directories:
        if tags.number(directory.get(_PHOTOMETRIC)) in _SENSOR_PHOTOMETRICS:
            return True
        if tags.number(directory.get(_COMPRESSION)) in _SENSOR_COMPRESSIONS:
            return True
    return _MAKE in first and os.path.splitext(name)[1].lower() in _RAW_ENDINGS  # noqa: PTH122 (a name, not a path)


def decode_raw(data: bytes, limits: Limits, side: int = WORKING_SIDE) -> RawPicture:
    """Decode a raw file.

    Parameters
    ----------
    data : bytes
        The whole file.
    limits : Limits
        Checked before the sensor's data are unpacked.
    side : int
        Pixels of the longer side that are wanted; a preview smaller than the working size will not do.

    Raises
    ------
    UnreadableError
    MemoryError
    """
    import rawpy

    errors: tuple[type[Exception], ...] = (*DECODER_ERRORS, rawpy.LibRawError, rawpy.NotSupportedError)
    try:
        with rawpy.imread(io.BytesIO(data)) as raw:
            sizes = raw.sizes
            orientation = _ORIENTATION_OF_FLIP[sizes.flip & 7]
            width, height = sizes.width, sizes.height
            if orientation > 4:
                width, height = height, width
            exif = read_exif(data)
            limits.check("RAW", width, height, len(data))
            try:
                image, inner = _preview(raw, min(WORKING_SIDE, max(width, height) // 2), limits, side)
            except errors:
                full = raw.raw_type is rawpy.RawType.Stack
                held = sizes.raw_width * sizes.raw_height * (_BYTES_PER_FULL_PIXEL if full else _BYTES_PER_PIXEL)
                limits.check("RAW", width, height, len(data) + held)
                image, inner = _developed(raw), Exif()
                turn = 1
            else:
                turn = _turn_of_preview(image, sizes.width >= sizes.height, orientation, inner.orientation)
    except (UnreadableError, MemoryError):
        raise
    except errors as error:
        if isinstance(error, rawpy.LibRawFileUnsupportedError):
            raise UnreadableError(
                "The raw file is damaged or of a camera that this version cannot read.",
                "Save it as DNG or JPEG with the camera maker's program.",
            ) from error
        raise unreadable("RAW", error) from error
    both = Exif(
        orientation if orientation != 1 else inner.orientation,
        exif.taken or inner.taken,
        exif.camera or inner.camera,
        exif.place or inner.place,
        exif.subsecond or inner.subsecond,
    )
    return RawPicture(image, turn, width, height, both)


def _preview(raw: rawpy.RawPy, least: int, limits: Limits, side: int) -> tuple[Image.Image, Exif]:
    """Return the embedded preview and its EXIF; raises where there is none of at least `least` pixels."""
    import rawpy

    found = raw.extract_thumb()
    if found.format == rawpy.ThumbFormat.JPEG:
        data = bytes(found.data)
        preview = JpegImageFile(io.BytesIO(data))
        if max(preview.size) < least:
            raise ValueError("the preview is too small")
        exif = read_exif(preview.info.get("exif"))
        jpeg.scale(preview, data, limits, side)
        preview.load()
        return preview, exif
    bitmap = Image.fromarray(np.asarray(found.data))
    if max(bitmap.size) < least:
        raise ValueError("the preview is too small")
    return bitmap, Exif()


def _turn_of_preview(preview: Image.Image, sensor_is_wide: bool, of_raw: int, of_preview: int) -> int:
    """Decide how a preview must be turned: cameras store it as the sensor lay, some programs turn it already."""
    if of_raw == 1:
        return of_preview
    if of_raw > 4 and (preview.width >= preview.height) != sensor_is_wide:
        return 1
    return of_raw


def _developed(raw: rawpy.RawPy) -> Image.Image:
    """Develop the sensor's data at half size; LibRaw turns the result upright."""
    return Image.fromarray(raw.postprocess(half_size=True, use_camera_wb=True, output_bps=8))
