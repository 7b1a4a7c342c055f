"""What a file is that is no picture, or one of a type that is not read, in words for a person.

The first is passed over unless its name claims more; the second is always told, with a way to a picture that is read.
"""

from __future__ import annotations

import re
import struct

from features.unreadable import COPY_AGAIN, NotAPictureError, UnreadableError

_BEGINNINGS = (
    (b"%PDF", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive or an office document"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"\x1aE\xdf\xa3", "a Matroska or WebM video"),
    (b"\0\0\x01\xba", "an MPEG video"),
    (b"\0\0\x01\xb3", "an MPEG video"),
    (b"FLV\x01", "a Flash video"),
    (b"0&\xb2u\x8ef\xcf\x11", "a Windows Media file"),
    (b"ID3", "a sound file"),
    (b"OggS", "an Ogg file"),
    (b"fLaC", "a sound file"),
    (b"%!PS", "a PostScript document"),
    (b"AT&TFORM", "a DjVu document"),
    (b"SQLite format 3\0", "a database"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
    (b"\xd0\xcf\x11\xe0", "an old office document, a FlashPix picture or a Windows thumbnail store"),
    (b"\0\x05\x16\x07", "a macOS companion file that holds no picture"),
)
_EXPORT = "Export it as PNG or TIFF from the program that it was made with."
_CONVERT = "Save it as PNG or TIFF with a program that opens it, such as GIMP."
_DRAWING = "A drawing has no pixels to compare. Export it as PNG or TIFF."
_PICTURES_NOT_READ = (
    (b"gimp xcf", "a GIMP document", _EXPORT),
    (b"Paint Shop Pro Image File", "a Paint Shop Pro document", _EXPORT),
    (b"PDN3", "a Paint.NET document", _EXPORT),
    (b"8BPS", "a Photoshop document of an unknown version", _EXPORT),
    (b"\xc5\xd0\xd3\xc6", "an EPS drawing", _DRAWING),
    (b"\xd7\xcd\xc6\x9a", "a Windows metafile, which is a drawing", _DRAWING),
    (
        b"SIMPLE  =",
        "an astronomer's FITS file",
        "Stretch its brightness and save it as PNG or TIFF, with Siril for example.",
    ),
    (b"v/1\x01", "an OpenEXR picture", _CONVERT),
    (b"#?RADIANCE", "a Radiance picture", _CONVERT),
    (b"#?RGBE", "a Radiance picture", _CONVERT),
    (b"II\xbc", "a JPEG XR picture", _CONVERT),
    (b"PF\n", "a PFM picture in colour", _CONVERT),
    (b"BPG\xfb", "a BPG picture", _CONVERT),
    (b"FLIF", "a FLIF picture", _CONVERT),
    (b"\x8aMNG\r\n\x1a\n", "an MNG animation", _CONVERT),
    (b"\x8bJNG\r\n\x1a\n", "a JNG picture", _CONVERT),
    (b"\x97JB2\r\n\x1a\n", "a JBIG2 scan", _CONVERT),
    (b"BLP1", "a texture of a game (BLP)", _CONVERT),
    (b"BLP2", "a texture of a game (BLP)", _CONVERT),
    (b"FTEX", "a texture of a game (FTEX)", _CONVERT),
    (b"Image type:", "an IFUNC picture", _CONVERT),
    (b"\x80\xe8\0\0", "a Pixar picture", _CONVERT),
    (b"\0\0\0\0\0\0\0\4", "a weather satellite's picture (McIDAS)", _CONVERT),
)
TYPES_NOT_READ = (
    *sorted({words for _, words, _ in _PICTURES_NOT_READ}),
    *("an SVG drawing", "an EPS drawing", "an Amiga picture (IFF)", "a medical picture (DICOM)"),
    "an electron microscope's picture (SPIDER)",
)
"""Types of pictures that are told from what is no picture, but not read."""

_TEXT_CONTROLS = frozenset(range(32)) - set(b"\t\n\r\f\x1b")
_MEDIA_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")  # of MP4 and QuickTime
_SVG = re.compile(
    rb"\s*(<\?xml[^>]*>\s*)?(<!--(?:(?!-->).)*+-->\s*)*+(<!DOCTYPE svg[^>]*>\s*)?<(svg:)?svg[\s>]", re.DOTALL
)
_EPS = re.compile(rb"%!PS-Adobe-\d\.\d EPSF")
_HTML = re.compile(rb"\s*<(!doctype )?html", re.IGNORECASE)


def not_a_picture(data: bytes) -> UnreadableError:
    """Return the error for bytes that are of no type of pictures that is read: it says what they are, where known.

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
        return NotAPictureError(
            "The file holds nothing but zeros, as after an interrupted copy.",
            COPY_AGAIN,
        )
    if known := _picture_not_read(data):
        words, next_step = known
        return UnreadableError(f"The file is {words}, which Twinlens does not read.", next_step)
    return NotAPictureError(f"The file is {_other(data)}, not a picture.", "Leave it, or exclude it.")


def _picture_not_read(data: bytes) -> tuple[str, str] | None:
    """Say which type of pictures that is not read the bytes are of, and what to do; None for anything else."""
    for beginning, words, next_step in _PICTURES_NOT_READ:
        if data.startswith(beginning):
            return words, next_step
    head = data[:1024]
    if _SVG.match(head):
        return "an SVG drawing", _DRAWING
    if _EPS.match(head):
        return "an EPS drawing", _DRAWING
    if data[:4] == b"\x01\0\0\0" and data[40:44] == b" EMF":
        return "a Windows metafile, which is a drawing", _DRAWING
    if data[:4] == b"FORM" and data[8:12] in {b"ILBM", b"PBM "}:
        return "an Amiga picture (IFF)", _CONVERT
    if _is_spider(data):
        return "an electron microscope's picture (SPIDER)", _CONVERT
    if data[128:132] == b"DICM":
        return "a medical picture (DICOM)", "Export it as PNG or TIFF with a viewer for medical pictures."
    return None


def _is_spider(data: bytes) -> bool:
    """Tell a SPIDER header, in either order of bytes, by its kind and by lengths that must agree."""
    for order in "<>":
        words = struct.unpack(f"{order}27f", data[:108]) if len(data) >= 108 else (0.0,) * 27
        kind, records, header, length = words[4], words[12], words[21], words[22]
        if kind in {1, 3, -11, -12, -21, -22} and records >= 1 and length >= 1 and records * length == header:
            return True
    return False


def _other(data: bytes) -> str:
    """Say in words what bytes that are no picture may be."""
    for beginning, words in _BEGINNINGS:
        if data.startswith(beginning):
            return words
    head = data[:1024]
    if data[4:8] in _MEDIA_BOXES or data[:4] == b"RIFF":
        words = "a video or a sound file"
    elif _HTML.match(head):
        words = "a web page"
    elif not _TEXT_CONTROLS & set(head) and sum(32 <= letter < 127 for letter in head) > 0.7 * len(head):
        words = "a text"
    else:
        words = "of a type that Twinlens does not know"
    return words
