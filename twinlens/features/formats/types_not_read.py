"""Types of files that are no pictures, or pictures of types that are not read, each named in a message.

A file that is no picture is passed over unless its name claims more; a picture of a type that is not read is always
reported, with a way to a picture that is read.
"""

from __future__ import annotations

import re
import struct

from twinlens.core.message import Message
from twinlens.features.reading.reading_limits import COPY_AGAIN, NotAPictureError, UnreadableError

_BEGINNINGS = (
    (b"%PDF", Message("a PDF document")),
    (b"PK\x03\x04", Message("a ZIP archive or an office document")),
    (b"PK\x05\x06", Message("an empty ZIP archive")),
    (b"\x1f\x8b", Message("a gzip archive")),
    (b"BZh", Message("a bzip2 archive")),
    (b"\xfd7zXZ\0", Message("an xz archive")),
    (b"7z\xbc\xaf\x27\x1c", Message("a 7-Zip archive")),
    (b"Rar!\x1a\x07", Message("a RAR archive")),
    (b"\x1aE\xdf\xa3", Message("a Matroska or WebM video")),
    (b"\0\0\x01\xba", Message("an MPEG video")),
    (b"\0\0\x01\xb3", Message("an MPEG video")),
    (b"FLV\x01", Message("a Flash video")),
    (b"0&\xb2u\x8ef\xcf\x11", Message("a Windows Media file")),
    (b"ID3", Message("a sound file")),
    (b"OggS", Message("an Ogg file")),
    (b"fLaC", Message("a sound file")),
    (b"%!PS", Message("a PostScript document")),
    (b"AT&TFORM", Message("a DjVu document")),
    (b"SQLite format 3\0", Message("a database")),
    (b"\x7fELF", Message("a program")),
    (b"MZ", Message("a Windows program")),
    (b"\xd0\xcf\x11\xe0", Message("an old office document, a FlashPix picture or a Windows thumbnail store")),
    (b"\0\x05\x16\x07", Message("a macOS companion file that holds no picture")),
)
_EXPORT = Message("Export it as PNG or TIFF from the program that it was made with.")
_CONVERT = Message("Save it as PNG or TIFF with a program that opens it, such as GIMP.")
_DRAWING = Message("A drawing has no pixels to compare. Export it as PNG or TIFF.")
_PICTURES_NOT_READ = (
    (b"gimp xcf", Message("a GIMP document"), _EXPORT),
    (b"Paint Shop Pro Image File", Message("a Paint Shop Pro document"), _EXPORT),
    (b"PDN3", Message("a Paint.NET document"), _EXPORT),
    (b"8BPS", Message("a Photoshop document of an unknown version"), _EXPORT),
    (b"\xc5\xd0\xd3\xc6", Message("an EPS drawing"), _DRAWING),
    (b"\xd7\xcd\xc6\x9a", Message("a Windows metafile, which is a drawing"), _DRAWING),
    (
        b"SIMPLE  =",
        Message("an astronomer's FITS file"),
        Message("Stretch its brightness and save it as PNG or TIFF, with Siril for example."),
    ),
    (b"BPG\xfb", Message("a BPG picture"), _CONVERT),
    (b"FLIF", Message("a FLIF picture"), _CONVERT),
    (b"\x8aMNG\r\n\x1a\n", Message("an MNG animation"), _CONVERT),
    (b"\x8bJNG\r\n\x1a\n", Message("a JNG picture"), _CONVERT),
    (b"\x97JB2\r\n\x1a\n", Message("a JBIG2 scan"), _CONVERT),
    (b"BLP1", Message("a texture of a game (BLP)"), _CONVERT),
    (b"BLP2", Message("a texture of a game (BLP)"), _CONVERT),
    (b"FTEX", Message("a texture of a game (FTEX)"), _CONVERT),
    (b"Image type:", Message("an IFUNC picture"), _CONVERT),
    (b"id=ImageMagick", Message("an ImageMagick picture (MIFF)"), _CONVERT),
    (b"\xab\x01", Message("a Khoros picture (VIFF)"), _CONVERT),
    (b"\x52\xcc", Message("a Utah raster picture (RLE)"), _CONVERT),
    (b"\x53\x80\xf6\x34", Message("a Softimage picture (PIC)"), _CONVERT),
    (b"\x80\xe8\0\0", Message("a Pixar picture"), _CONVERT),
    (b"\0\0\0\0\0\0\0\4", Message("a weather satellite's picture (McIDAS)"), _CONVERT),
)
TYPES_NOT_READ = (
    *sorted({str(words) for _, words, _ in _PICTURES_NOT_READ}),
    *(
        "an SVG drawing",
        "an EPS drawing",
        "an Amiga picture (IFF)",
        "a medical picture (DICOM)",
    ),
    "an electron microscope's picture (SPIDER)",
)
"""Types of pictures that are told from what is no picture, but not read."""

_TEXT_CONTROLS = frozenset(range(32)) - set(b"\t\n\r\f\x1b")
_MEDIA_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")  # of MP4 and QuickTime
_FILM_BEGINNINGS = (b"\x1aE\xdf\xa3", b"\0\0\x01\xba", b"\0\0\x01\xb3", b"FLV\x01", b"0&\xb2u\x8ef\xcf\x11")
_SOUND_BEGINNINGS = (b"OggS", b"ID3", b"fLaC")
_SOUND_BRANDS = frozenset({b"M4A ", b"M4B ", b"M4P ", b"F4A "})
_SVG = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*+-->\s*)*+(<!DOCTYPE svg[^>]*>\s*)?<(svg:)?svg[\s>]", re.DOTALL
)
_EPS = re.compile(rb"%!PS-Adobe-\d\.\d EPSF")
_HTML = re.compile(rb"\s*<(!doctype )?html", re.IGNORECASE)


def not_a_picture(data: bytes) -> UnreadableError:
    """Return the error for bytes of no readable type of picture; it names their type where known.

    Examples
    --------
    >>> print(not_a_picture(b"%PDF-1.7"))
    The file is a PDF document, not a picture. Leave it, or exclude it.
    >>> print(not_a_picture(b"gimp xcf v011"))
    The file is a GIMP document, which Twinlens does not read. Export it as PNG or TIFF from the program that it was \
made with.
    """
    if not data:
        return NotAPictureError("The file is empty.", COPY_AGAIN)
    if not data.strip(b"\0"):
        return NotAPictureError("The file holds nothing but zeros, as after an interrupted copy.", COPY_AGAIN)
    if known := _picture_not_read(data):
        words, next_step = known
        return UnreadableError("The file is {words}, which Twinlens does not read.", next_step, words=words)
    return NotAPictureError("The file is {other}, not a picture.", "Leave it, or exclude it.", other=_other(data))


def is_film(data: bytes) -> bool:
    r"""Return whether bytes that are of no picture begin as a film does; some of these hold nothing but sound.

    Examples
    --------
    >>> is_film(b"\0\0\0\x14ftypqt  "), is_film(b"\0\0\0\x14ftypM4A "), is_film(b"RIFF....WAVE")
    (True, False, False)
    """
    if data[4:8] == b"ftyp" and data[8:12] in _SOUND_BRANDS:
        return False
    return (
        data.startswith(_FILM_BEGINNINGS)
        or (data[:1] == b"\0" and data[4:8] in _MEDIA_BOXES)
        or (data[:4] == b"RIFF" and data[8:12] == b"AVI ")
    )


def is_film_or_sound(data: bytes) -> bool:
    r"""Return whether bytes begin as a film or a sound does.

    Examples
    --------
    >>> is_film_or_sound(b"\0\0\0\x14ftypqt  "), is_film_or_sound(b"the free,world")
    (True, False)
    """
    return (
        is_film(data)
        or data.startswith(_SOUND_BEGINNINGS)
        or (data[:1] == b"\0" and data[4:8] in _MEDIA_BOXES)
        or (data[:4] == b"RIFF" and data[8:12] == b"WAVE")
    )


def _picture_not_read(data: bytes) -> tuple[Message, Message] | None:
    """Return the type of picture of the bytes, one that is not read, and the advice; None for anything else."""
    for beginning, words, next_step in _PICTURES_NOT_READ:
        if data.startswith(beginning):
            return words, next_step
    head = data[:1024]
    if _SVG.match(head):
        return Message("an SVG drawing"), _DRAWING
    if _EPS.match(head):
        return Message("an EPS drawing"), _DRAWING
    if data[:4] == b"\x01\0\0\0" and data[40:44] == b" EMF":
        return Message("a Windows metafile, which is a drawing"), _DRAWING
    if data[:4] == b"FORM" and data[8:12] in {b"ILBM", b"PBM "}:
        return Message("an Amiga picture (IFF)"), _CONVERT
    if _is_spider(data):
        return Message("an electron microscope's picture (SPIDER)"), _CONVERT
    if data[128:132] == b"DICM":
        return (
            Message("a medical picture (DICOM)"),
            Message("Export it as PNG or TIFF with a viewer for medical pictures."),
        )
    return None


def is_sequence_alone(data: bytes) -> bool:
    """Return whether a HEIF file has pictures in a track only, as a film, and none by itself (ISO/IEC 23008-12, 7)."""
    boxes = set()
    at = 0
    while len(data) - at >= 8:
        length, kind = struct.unpack_from(">I4s", data, at)
        if length == 1 and len(data) - at >= 16:
            (length,) = struct.unpack_from(">Q", data, at + 8)
        boxes.add(kind)
        if length < 8:  # to the end, or no box at all
            break
        at += length
    return b"moov" in boxes and b"meta" not in boxes


def _is_spider(data: bytes) -> bool:
    """Recognise a SPIDER header, in either order of bytes, by its kind and by lengths that must agree."""
    for order in "<>":
        words = struct.unpack(f"{order}27f", data[:108]) if len(data) >= 108 else (0.0,) * 27
        kind, records, header, length = words[4], words[12], words[21], words[22]
        if kind in {1, 3, -11, -12, -21, -22} and records >= 1 and length >= 1 and records * length == header:
            return True
    return False


def _other(data: bytes) -> Message:
    """Return a name for bytes that are no picture."""
    for beginning, words in _BEGINNINGS:
        if data.startswith(beginning):
            return words
    head = data[:1024]
    if data[4:8] in _MEDIA_BOXES or data[:4] == b"RIFF":
        words = Message("a video or a sound file")
    elif _HTML.match(head):
        words = Message("a web page")
    elif not _TEXT_CONTROLS & set(head) and sum(32 <= letter < 127 for letter in head) > 0.7 * len(head):
        words = Message("a text")
    else:
        words = Message("of a type that Twinlens does not know")
    return words
