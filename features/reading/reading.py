"""Files to pictures, safely: bytes in, never a path, and an `UnreadableError` with its reason for whatever is wrong.

The order of the work is what makes it safe and cheap: what it is (from the bytes), how large it says it is (from the
header, against the limits, before anything is allocated), decoded no larger than needed, turned upright once, averaged
down to the working size, and only there brought to 8 bits and to sRGB.

Pillow decodes because it is strict: a file that is cut or damaged raises, where other decoders return the rest in grey.
A native crash or a hang is not caught here; that is what worker processes are for.
"""

from __future__ import annotations

import logging
import warnings
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PIL import Image
from PIL.JpegImagePlugin import JpegImageFile

from core.arrays import UInt8Pixels
from features.formats import jpeg, pnm
from features.formats.avif import use_one_thread, without_exif
from features.formats.exif import Exif, read_exif
from features.formats.formats import AVIF, PNG, PNM, RAW, TIFF, Format, recognise
from features.formats.header_size import header_size
from features.formats.png import without_texts
from features.formats.raw import decode_raw
from features.pictures.channels import Channels, bytes_held, separate, upright_and_plain, white_of
from features.pictures.picture import MID_GREY, WORKING_SIDE, Picture, PictureFacts
from features.pictures.thumbnail import thumbnail
from features.reading.colour_profile import to_srgb
from features.reading.decoder_memory import held_by_decoder
from features.reading.reading_limits import Limits
from features.reading.unreadable import NotAPictureError, UnreadableError, decoding

__all__ = [
    "WORKING_SIDE",
    "Limits",
    "NotAPictureError",
    "Picture",
    "PictureFacts",
    "UnreadableError",
    "read",
    "thumbnail",
]

# What is held is limited here; Pillow's own limit is on pixels, whatever they take, and would come in between.
Image.MAX_IMAGE_PIXELS = 1 << 40

# Pillow logs what it then raises; without a handler of the application that would go to standard error.
logging.getLogger("PIL").addHandler(logging.NullHandler())


class _Decoded(NamedTuple):
    """Result of a decoder: image, the turn (1 to 8) still needed, the full size upright, and facts."""

    image: Image.Image
    turn: int
    width: int
    height: int
    exif: Exif


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
    >>> read(b"P5 3 2 255 " + bytes(6)).facts
    Facts(format='PNM', width=3, height=2, orientation=1, taken=None, camera=None, place='', subsecond='')
    """
    _hush_decoders()
    form = recognise(data, name)
    try:
        decoded, channels = _channels(form, data, limits, side)
    except MemoryError as error:
        raise limits.exceeded(form.name) from error
    rgb = _over_grey(channels, decoded.image.info.get("icc_profile"))
    rgb.flags.writeable = False
    mask = None
    if channels.alpha is not None and not (visible := channels.alpha >= 0.5).all():
        mask = visible
        mask.flags.writeable = False
    exif = decoded.exif
    facts = PictureFacts(
        form.name,
        decoded.width,
        decoded.height,
        exif.orientation,
        exif.taken,
        exif.camera,
        exif.place,
        exif.subsecond,
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


def _decode(form: Format, data: bytes, limits: Limits, side: int) -> _Decoded:
    """Decode a picture with Pillow or one of its plug-ins; damaged EXIF does not make it unreadable."""
    if (claimed := header_size(form, data)) is not None:
        limits.check(form.name, *claimed, held_by_decoder(form, data, *claimed))
    if form is PNG:
        data = without_texts(data)
    if form is not AVIF:
        return _load(form, data, limits, side)
    use_one_thread()
    try:
        return _load(form, data, limits, side)
    except UnreadableError:
        if (rest := without_exif(data)) is None:
            raise
        return _load(form, rest, limits, side)


def _load(form: Format, data: bytes, limits: Limits, side: int) -> _Decoded:
    """Open, check, decode: nothing is allocated for the pixels before the limits are checked."""
    with decoding(form.name):
        image = form.open(data)
        width, height = image.size
        if isinstance(image, JpegImageFile):
            jpeg.scale(image, data, limits, side)
        else:
            held = held_by_decoder(form, data, width, height, image)
            mode = "I;16" if form is PNM and image.mode == "I" else image.mode
            held += bytes_held(mode, width, height, image.has_transparency_data, side)
            limits.check(form.name, width, height, held)
        if form is PNM and pnm.is_counted(image):
            return _Decoded(pnm.decode(image, data), 1, width, height, Exif())
        image.load()
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


def _over_grey(channels: Channels, profile: object) -> UInt8Pixels:
    """Bring the colours to sRGB and lay what is transparent over mid-grey."""
    rgb = to_srgb(channels.pixels, channels.space, profile if isinstance(profile, bytes) else None)
    if channels.alpha is None:
        return rgb
    alpha = channels.alpha[..., None]
    return np.asarray(np.rint(rgb * alpha + MID_GREY * (1 - alpha)), dtype=np.uint8)
