"""What a file is that is no picture, or one of a type that is not read, in words for a person."""

from __future__ import annotations

import re

from features.unreadable import COPY_AGAIN, NotAPictureError

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
    (b"\0\0\x01\0", "an icon"),
    (b"\0\0\x02\0", "a mouse pointer"),
    (b"icns", "an icon"),
    (b"AT&TFORM", "a DjVu document"),
    (b"SQLite format 3\0", "a database"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a Windows program"),
    (b"\xd0\xcf\x11\xe0", "an old office document or a Windows thumbnail store"),
    (b"\0\x05\x16\x07", "a macOS companion file that holds no picture"),
)
_PICTURES_NOT_READ = (
    (b"8BPS", "a Photoshop document"),
    (b"gimp xcf", "a GIMP document"),
    (b"SIMPLE  =", "an astronomer's FITS file"),
    (b"DDS ", "a DirectDraw texture"),
    (b"qoif", "a QOI picture"),
    (b"v/1\x01", "an OpenEXR picture"),
    (b"#?RADIANCE", "a Radiance picture"),
    (b"II\xbc", "a JPEG XR picture"),
    (b"Pf\n", "a PFM picture"),
    (b"PF\n", "a PFM picture"),
)
_TEXT_CONTROLS = frozenset(range(32)) - set(b"\t\n\r\f\x1b")
_MEDIA_BOXES = (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip")  # of MP4 and QuickTime
_SVG = re.compile(rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)?(<!DOCTYPE svg[^>]*>\s*)?<svg", re.DOTALL)
_HTML = re.compile(rb"\s*<(!doctype )?html", re.IGNORECASE)


def not_a_picture(data: bytes) -> NotAPictureError:
    """Return the error for bytes of no known type of picture: it says what they are, where that is known.

    Examples
    --------
    >>> print(not_a_picture(b"%PDF-1.7"))
    The file is a PDF document, not a picture. Leave it, or exclude it.
    """
    if not data:
        return NotAPictureError("The file is empty.", COPY_AGAIN)
    if not data.strip(b"\0"):
        return NotAPictureError(
            "The file holds nothing but zeros, as after an interrupted copy.",
            COPY_AGAIN,
        )
    for beginning, words in _PICTURES_NOT_READ:
        if data.startswith(beginning):
            return NotAPictureError(f"The file is {words}, which is not read.", "Save it as JPEG or PNG.")
    return NotAPictureError(f"The file is {_other(data)}, not a picture.", "Leave it, or exclude it.")


def _other(data: bytes) -> str:
    """Say in words what bytes that are no picture may be."""
    for beginning, words in _BEGINNINGS:
        if data.startswith(beginning):
            return words
    head = data[:1024]
    if data[4:8] in _MEDIA_BOXES or data[:4] == b"RIFF":
        words = "a video or a sound file"
    elif _SVG.match(head):
        words = "an SVG drawing"
    elif _HTML.match(head):
        words = "a web page"
    elif not _TEXT_CONTROLS & set(head) and sum(32 <= letter < 127 for letter in head) > 0.7 * len(head):
        words = "a text"
    else:
        words = "of a type that Twinlens does not know"
    return words
