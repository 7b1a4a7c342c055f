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

import logging
import math
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageFile
from PIL.JpegImagePlugin import JpegImageFile

from twinlens.core.arrays import UInt8Pixels
from twinlens.features.decoders import jpeg, netpbm
from twinlens.features.decoders.decoder_repairs import use_one_thread, without_exif, without_texts
from twinlens.features.decoders.raw import decode_raw
from twinlens.features.formats.exif import Exif, read_exif
from twinlens.features.formats.formats import (
    AVIF,
    BMP,
    GIF,
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
from twinlens.features.pictures.channels import Channels, bytes_held, fit, separate, upright_and_plain, white_of
from twinlens.features.pictures.coded_colours import CODED_COLOURS, CodedColours
from twinlens.features.pictures.picture import MID_GREY, WORKING_SIDE, Picture, PictureFacts, Region
from twinlens.features.reading.colour_profiles import to_srgb
from twinlens.features.reading.decoder_memory import held_by_decoder
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
