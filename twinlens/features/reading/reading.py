"""Files to pictures, safely: bytes in, never a path, and an `UnreadableError` with its reason for whatever is wrong.

The order of the work is what makes it safe and cheap: what it is (from the bytes), how large it says it is (from the
header, against the limits, before anything is allocated), decoded no larger than needed, turned upright once, averaged
down to the working size, and only there brought to 8 bits and to sRGB.

Pillow decodes because it is strict: a file that is cut or damaged raises, where other decoders return the rest in grey.
What is there of such a file is read then, if it is most of the picture, and its facts say how much is lacking. A native
crash or a hang is not caught here; that is what worker processes are for. A part of a picture is read as a picture of
its own, as fine as its file has it.

Colours come to sRGB through the profile that a file carries (ICC.1:2022, by LittleCMS), or by the numbers that it says
instead (`twinlens.features.pictures.coded_colours`), at the working size, where that costs little; nothing is done
where they are those of sRGB already, as most are. A broken profile, or one for another kind of pixels, is ignored as if
it were not there.

The memory of a decoder beside Pillow's image is estimated from the header. Each format states its bytes per pixel
(`Format.held`). Where these depend on how the file was written, they are read from it: the samples of AVIF and HEIC,
the tiles of JPEG 2000, the parts of a TIFF. A test compares all of them with what decoding really takes.
"""

from __future__ import annotations

import io
import logging
import math
import re
import struct
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

import cv2
import numpy as np
from PIL import Image, ImageCms, ImageFile
from PIL.JpegImagePlugin import JpegImageFile

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.formats import jpeg, netpbm
from twinlens.features.formats.decoder_repairs import use_one_thread, without_exif, without_texts
from twinlens.features.formats.exif import Exif, TiffTags, read_exif
from twinlens.features.formats.formats import (
    AVIF,
    BMP,
    GIF,
    HEIC,
    JPEG,
    JPEG_2000,
    LENIENT,
    PNG,
    PNM,
    RAW,
    TGA,
    TIFF,
    Format,
    header_size,
    recognise,
)
from twinlens.features.formats.netpbm import is_counted
from twinlens.features.formats.raw import decode_raw
from twinlens.features.pictures.channels import Channels, bytes_held, fit, separate, upright_and_plain, white_of
from twinlens.features.pictures.coded_colours import CODED_COLOURS, CodedColours
from twinlens.features.pictures.picture import MID_GREY, WORKING_SIDE, Picture, PictureFacts, Region
from twinlens.features.reading.metadata import read_metadata
from twinlens.features.reading.reading_limits import COPY_AGAIN, Limits, UndecodableError, decoding

# What is held is limited here; Pillow's own limit is on pixels, whatever they take, and would come in between.
Image.MAX_IMAGE_PIXELS = 1 << 40


# Pillow logs what it then raises; without a handler of the application that would go to standard error.
logging.getLogger("PIL").addHandler(logging.NullHandler())


def read(
    data: bytes,
    name: str = "",
    limits: Limits = Limits(),  # noqa: B008 (frozen)
    side: int = WORKING_SIDE,
) -> Picture:
    """Read a picture.

    Parameters
    ----------
    data : bytes
        The whole file.
    name : str
        The file's name. What a file is comes from its bytes; the name only tells some raw files from TIFF pictures.
    limits : Limits
        What reading it may take.
    side : int
        Pixels of its longer side at most; it is described at the working size, and looked at larger.

    Returns
    -------
    Picture
        Upright, sRGB. Of an animation the first frame, of several
        pages the first.

    Raises
    ------
    NotAPictureError
        The bytes are of no known type of picture.
    UnreadableError
        The picture is damaged, too large, or of a type or variety that is not read.

    Examples
    --------
    >>> facts = read(b"P5 3 2 255 " + bytes(6)).facts
    >>> facts.format, facts.width, facts.height, facts.taken
    ('PNM', 3, 2, None)
    """
    _hush_decoders()
    form = recognise(data, name)
    try:
        decoded, channels = _channels(form, data, limits, side)
    except MemoryError as error:
        raise limits.exceeded(form.name) from error
    rgb = _over_grey(channels, decoded.image.info)
    rgb.flags.writeable = False
    mask = None
    if channels.alpha is not None and not (visible := channels.alpha >= 0.5).all():
        mask = visible
        mask.flags.writeable = False
    source = decoded.image if isinstance(decoded.image, ImageFile.ImageFile) and form is not RAW else None
    transparent = channels.alpha is not None and bool((channels.alpha < 1).any())
    exif, metadata = read_metadata(form, data, source, decoded.exif, transparent)
    metadata = replace(metadata, lacking=decoded.lacking) if decoded.lacking else metadata
    facts = PictureFacts(
        form.name,
        decoded.width,
        decoded.height,
        exif.orientation,
        exif.taken,
        exif.camera,
        exif.place,
        exif.subsecond,
        metadata,
    )
    return Picture(rgb, mask, facts, channels.alpha)


def _hush_decoders() -> None:
    """Keep Pillow and its plug-ins from warning about what a damaged file holds; what matters is raised.

    The filter stays: to set and restore it around each file would not be safe with several threads.
    """
    for library in ("PIL", "pi_heif"):
        warnings.filterwarnings("ignore", module=rf"{library}(\.|$)")


def _channels(form: Format, data: bytes, limits: Limits, side: int) -> tuple[_Decoded, Channels]:
    """Decode a picture and bring it to the working size. May raise MemoryError, besides what `read` raises."""
    if form is RAW:
        raw = decode_raw(data, limits, side)
        decoded = _Decoded(raw.image, raw.orientation, raw.width, raw.height, raw.exif)
    else:
        decoded = _decode(form, data, limits, side)
    with decoding(form.name):
        image = upright_and_plain(decoded.image, decoded.turn, side)
        return decoded, separate(image, white_of(decoded.image), side)


class _Decoded(NamedTuple):
    """Result of a decoder: image, turn (1 to 8) still needed, full size upright, facts, share of rows that lack."""

    image: Image.Image
    turn: int
    width: int
    height: int
    exif: Exif
    lacking: float = 0.0


def _decode(form: Format, data: bytes, limits: Limits, side: int) -> _Decoded:
    """Decode a picture with Pillow or one of its plug-ins; damaged EXIF does not make it unreadable."""
    if (claimed := header_size(form, data)) is not None:
        limits.check(form.name, *claimed, held_by_decoder(form, data, *claimed))
    if form is PNG:
        data = without_texts(data)
    elif form is AVIF:
        use_one_thread()
    try:
        return _load(form, data, limits, side)
    except UndecodableError:
        if form is AVIF and (rest := without_exif(data)) is not None:
            with suppress(UndecodableError):
                return _load(form, rest, limits, side)
        if form.second:
            with suppress(UndecodableError):
                return _load(form, data, limits, side, second=True)
        if form in _IN_PART:
            with suppress(UndecodableError):
                return _load_in_part(form, data, limits, side)
        raise


_IN_PART = frozenset({JPEG, PNG, GIF, BMP, TIFF, TGA, PNM, JPEG_2000})
_MOST_LACKING = 0.5  # of the rows


def _load_in_part(form: Format, data: bytes, limits: Limits, side: int) -> _Decoded:
    """Decode what is there of a damaged picture, if that is half of it; viewers show it, too."""
    ImageFile.LOAD_TRUNCATED_IMAGES = True  # a process reads one picture at a time
    try:
        decoded = _load(form, data + _END_OF_JPEG if form is JPEG else data, limits, side)
    except UndecodableError:
        decoded = _load(LENIENT, data, limits, side)
    finally:
        ImageFile.LOAD_TRUNCATED_IMAGES = False
    lacking = _share_of_one_colour(decoded.image)
    if lacking > _MOST_LACKING:
        raise UndecodableError("The {kind} picture is cut short.", COPY_AGAIN, kind=form.name)
    return decoded._replace(lacking=max(lacking, _LEAST_LACKING))


_END_OF_JPEG = b"\xff\xd9"  # progressive ones are decoded when it comes
_LEAST_LACKING = 0.001


def _share_of_one_colour(image: Image.Image) -> float:
    """Return the share of rows that have one colour, as decoders leave what lacks: at one end, or in between."""
    pixels = np.asarray(image).reshape(image.height, image.width, -1)
    plain = (pixels == pixels[:, :1]).all(axis=(1, 2))
    if image.info.get("interlace") or image.format == "GIF":  # the first rows of a file may be far apart
        return float(plain.mean())
    most = 0
    for rows, are_plain in ((pixels, plain), (pixels[::-1], plain[::-1])):
        others = np.flatnonzero(~are_plain | (rows[:, 0] != rows[0, 0]).any(axis=1))
        most = max(most, int(others[0]) if others.size else image.height)
    return most / image.height


def _load(form: Format, data: bytes, limits: Limits, side: int, second: bool = False) -> _Decoded:
    """Open, check, decode: nothing is allocated for the pixels before the limits are checked."""
    with decoding(form.name):
        image = form.open(data, second)
        width, height = image.size
        if isinstance(image, JpegImageFile):
            jpeg.scale(image, data, limits, side)
        else:
            held = held_by_decoder(form, data, width, height, image)
            mode = "I;16" if form is PNM and image.mode == "I" else image.mode
            held += bytes_held(mode, width, height, image.has_transparency_data, side)
            limits.check(form.name, width, height, held)
        if form is PNM and netpbm.is_counted(image):
            return _Decoded(netpbm.decode(image, data), 1, width, height, Exif())
        image.load()
        if not isinstance(image, JpegImageFile):  # which is decoded at a fraction of its size
            width, height = image.size
    exif = read_exif(data if form is TIFF else _exif_block(image))
    if form.turned_by_decoder:
        applied = exif if form is TIFF else replace(exif, orientation=1)  # HEIC and JPEG XL turn by boxes of their own
        return _Decoded(image, 1, *image.size, applied)
    if exif.orientation > 4:
        width, height = height, width
    return _Decoded(image, exif.orientation, width, height, exif)


def _exif_block(image: Image.Image) -> bytes | None:
    """Return the EXIF block as bytes, also from where ImageMagick hides it in a PNG."""
    block = image.info.get("exif")
    if isinstance(block, bytes):
        return block
    text = image.info.get("Raw profile type exif")
    if not isinstance(text, str):
        return None
    try:
        return bytes.fromhex("".join(text.split("\n")[3:]))
    except ValueError:
        return None


def _over_grey(channels: Channels, info: Mapping[str | tuple[int, int], object]) -> UInt8Pixels:
    """Bring the colours to sRGB, by their code or by their profile, and lay what is transparent over mid-grey."""
    profile, colours = info.get("icc_profile"), info.get(CODED_COLOURS)
    if isinstance(colours, CodedColours) and channels.space != "CMYK":
        rgb = colours.to_srgb(to_srgb(channels.pixels, channels.space, None))
    else:
        rgb = to_srgb(channels.pixels, channels.space, profile if isinstance(profile, bytes) else None)
    if channels.alpha is None:
        return rgb
    alpha = channels.alpha[..., None]
    return np.asarray(np.rint(rgb * alpha + MID_GREY * (1 - alpha)), dtype=np.uint8)


_LARGEST_SIDE = 4096  # a picture of so many pixels takes about 40 MB


def read_part(
    data: bytes,
    region: Region,
    name: str = "",
    limits: Limits = Limits(),  # noqa: B008 (frozen)
) -> Picture:
    """Read a part of a picture.

    Parameters
    ----------
    data : bytes
        The whole file.
    region : tuple of float
        Left, top, right and bottom as shares of the upright picture, 0 <= left < right <= 1, likewise top and bottom.
    limits : Limits
        As in :func:`twinlens.features.reading.reading.read`.

    Returns
    -------
    Picture
        At most `WORKING_SIDE` pixels on its longer side; as large as that where the file has so many in the part, and
        the part is no sliver. Its facts tell the size of the part in the full picture.

    Raises
    ------
    UnreadableError
        As :func:`twinlens.features.reading.reading.read`.
    """
    left, top, right, bottom = region
    side = math.ceil(min(WORKING_SIDE / min(right - left, bottom - top), _LARGEST_SIDE))
    part = crop(read(data, name, limits, side), region)
    if max(part.rgb.shape[:2]) <= WORKING_SIDE:
        return part
    rgb = fit(part.rgb)
    rgb.flags.writeable = False
    mask = None
    if part.mask is not None:
        mask = fit(part.mask.astype(np.float32)) >= 0.5
        mask.flags.writeable = False
    return Picture(rgb, mask, part.facts)


def crop(picture: Picture, region: Region) -> Picture:
    """Cut a part out of a picture, at the size that it has: every pixel that the part touches, and at least one.

    Examples
    --------
    >>> from twinlens.features.reading.reading import read
    >>> crop(read(b"P5 4 2 255 " + bytes(8)), (0.25, 0, 0.75, 0.5)).facts.width
    2
    """
    height, width = picture.rgb.shape[:2]
    left, top, right, bottom = region
    columns, rows = _pixels(left, right, width), _pixels(top, bottom, height)
    rgb = np.ascontiguousarray(picture.rgb[rows, columns])
    rgb.flags.writeable = False
    mask = None
    if picture.mask is not None and not (visible := picture.mask[rows, columns]).all():
        mask = np.ascontiguousarray(visible)
        mask.flags.writeable = False
    facts = picture.facts
    full_width, full_height = (
        max(1, round((right - left) * facts.width)),
        max(1, round((bottom - top) * facts.height)),
    )
    return Picture(rgb, mask, replace(facts, width=full_width, height=full_height))


def _pixels(low: float, high: float, count: int) -> slice:
    """Return the pixels that a part touches; a hair's breadth, as of a rounded share, is no touch."""
    hair = 1e-6
    start = min(math.floor(low * count + hair), count - 1)
    return slice(start, max(start + 1, math.ceil(high * count - hair)))


_SPACES = {"RGB ": "RGB", "GRAY": "L", "CMYK": "CMYK"}
_PROFILE_ERRORS = (ImageCms.PyCMSError, OSError, ValueError, TypeError, MemoryError)


def to_srgb(pixels: UInt8Pixels, space: str, profile: bytes | None) -> UInt8Pixels:
    """Convert pixels to sRGB.

    Parameters
    ----------
    pixels : ndarray of uint8, (h, w), (h, w, 3) or (h, w, 4)
    space : str
        ``L``, ``RGB`` or ``CMYK``.
    profile : bytes or None
        The embedded ICC profile. Without one grey and RGB are taken for sRGB, and CMYK is converted by the plain
        complement.

    Returns
    -------
    ndarray of uint8, (h, w, 3)
    """
    transform = _transform(profile, space) if profile else None
    if transform is not None:
        return np.asarray(transform.apply(_image(pixels, space)))
    if space == "RGB":
        return pixels
    if space == "CMYK":
        return np.asarray(_image(pixels, space).convert("RGB"))
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_GRAY2RGB), dtype=np.uint8)


def _image(pixels: UInt8Pixels, space: str) -> Image.Image:
    height, width = pixels.shape[:2]
    return Image.frombytes(space, (width, height), np.ascontiguousarray(pixels).tobytes())


@lru_cache(maxsize=16)
def _transform(profile: bytes, space: str) -> ImageCms.ImageCmsTransform | None:
    """Return the way from a profile to sRGB, or None where it cannot be used or none is needed."""
    try:
        opened = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if _SPACES.get(opened.profile.xcolor_space) != space or _is_srgb(opened.profile.profile_description):
            return None
        return ImageCms.ImageCmsTransform(opened, _srgb(), space, "RGB", ImageCms.Intent.PERCEPTUAL)
    except _PROFILE_ERRORS:
        return None


def _is_srgb(description: str | None) -> bool:
    """Recognise sRGB by its name: that of HP's and the ICC's profiles, or the short one of web services."""
    name = (description or "").strip().lower()
    return name == "c2" or (name.startswith("srgb") and "linear" not in name)


@lru_cache(maxsize=1)
def _srgb() -> ImageCms.ImageCmsProfile:
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))


_SAMPLE_BYTES = 1.6  # for each byte of a picture's samples: the decoder's own, and parts of them converted
_MOST_SAMPLE_BYTES = 6.0  # three samples of more than 8 bits, where the file does not say
_AV1 = re.compile(rb"av1C..(.)", re.DOTALL)  # AV1-ISOBMFF, 2.3.3
_HEVC = re.compile(rb"hvcC.{16}(.)(.)", re.DOTALL)  # ISO/IEC 14496-15, 8.3.3.1.2
_HEVC_SAMPLES = (1.0, 1.5, 2.0, 3.0)
_BOXES_BYTES = 1 << 20  # of the beginning, in which they are looked for
_TILES = re.compile(rb"\xff\x51.{20}(.{8})", re.DOTALL)  # ISO/IEC 15444-1, A.5.1
_WIDTH, _HEIGHT, _BITS, _COMPRESSION, _PHOTOMETRIC = 256, 257, 258, 259, 262
_STRIPS, _SAMPLES, _ROWS, _TILE_WIDTH, _TILE_HEIGHT, _TILE_PLACES = 273, 277, 278, 322, 323, 324
_PLAIN, _YCBCR = 1, 6
_PART_BYTES, _PLAIN_PART_BYTES = 40, 400  # of a strip or tile: its place as Python's numbers, and a step of its own


def held_by_decoder(form: Format, data: bytes, width: int, height: int, image: Image.Image | None = None) -> int:
    """Return the bytes that a decoder holds at its peak, with the file and without Pillow's image.

    Parameters
    ----------
    data : bytes
        The whole file.
    image : PIL.Image.Image, optional
        Opened, not loaded. Without it what only it could tell is left out.
    """
    pixels = width * height
    bands = len(image.getbands()) if image is not None else 1
    per_pixel = form.held
    if form in (AVIF, HEIC):
        per_pixel += _SAMPLE_BYTES * (_sample_bytes(form, data) + (bands in (2, 4)))
    elif form is JPEG_2000:
        pixels, per_pixel = min(pixels, _tile_pixels(data)), per_pixel * bands
    elif form is PNM and image is not None and is_counted(image):
        per_pixel += bands * (2 if image.mode == "I" else 1)  # as numbers; the text is without its beginning
        return round(per_pixel * pixels) + 2 * len(data)
    return round(per_pixel * pixels) + len(data) * form.file_copies + (_parts(data) if form is TIFF else 0)


def _sample_bytes(form: Format, data: bytes) -> float:
    """Return the bytes of a pixel's samples before they are made colours: of the largest kind of picture in the file.

    Transparency is a picture of its own there.
    """
    found = []
    if form is AVIF:
        for flags in b"".join(_AV1.findall(data[:_BOXES_BYTES])):
            chroma = 0.0 if flags & 16 else 2 / (1 + (flags >> 3 & 1)) / (1 + (flags >> 2 & 1))
            found.append((1 + chroma) * (1 + (flags >> 6 & 1)))
    else:
        for chroma, depth in _HEVC.findall(data[:_BOXES_BYTES]):
            found.append(_HEVC_SAMPLES[chroma[0] & 3] * (1 + (depth[0] & 7 > 0)))
    return max(found, default=_MOST_SAMPLE_BYTES)


def _tile_pixels(data: bytes) -> int:
    """Return the pixels of a tile of a JPEG 2000 picture, which are held at once; many where it does not say."""
    found = _TILES.search(data, 0, _BOXES_BYTES)
    if not found:
        return 1 << 62
    width, height = (int(side) for side in struct.unpack(">II", found[1]))
    return max(1, width * height)


def _parts(data: bytes) -> int:
    """Return the bytes of the strips or tiles of a TIFF: their list, and one of them unpacked."""
    tags = TiffTags(data)
    first = tags.first

    def value(tag: int, default: int) -> int:
        return tags.number(first.get(tag)) or default

    tiled = _TILE_PLACES in first
    places = first.get(_TILE_PLACES) or first.get(_STRIPS)
    packed = value(_COMPRESSION, _PLAIN) != _PLAIN
    held = (places.count if places else 0) * (_PART_BYTES if packed else _PLAIN_PART_BYTES)
    if packed:
        width, height = value(_WIDTH, 1), value(_HEIGHT, 1)
        if tiled:
            part = value(_TILE_WIDTH, width) * value(_TILE_HEIGHT, height)
        else:
            part = width * min(value(_ROWS, height), height)
        bits = value(_BITS, 1) * value(_SAMPLES, 1)
        if value(_PHOTOMETRIC, 0) == _YCBCR:
            bits = max(bits, 32)  # unpacked to colours
        held += part * bits // 8
    return held
