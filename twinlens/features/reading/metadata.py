"""The metadata of a picture file: what is said of the photograph, and what the file holds beside its first picture.

People and programs write ratings, keywords, titles, captions, dates and places as XMP (ISO 16684-1), IPTC-IIM 4.2, EXIF
2.32 or texts of a PNG; XMP counts before IPTC, and that before EXIF. Ratings and keywords have several names in XMP:
Adobe's, Lightroom's, digiKam's and Microsoft's. A file is anybody's, so XML with a document type or an entity is not
read (defusedxml), and everything has a largest size.

Beside its first picture a file may hold more frames or pages, a film behind it (motion photos), further pictures such
as a gain map (CIPA DC-007, ISO 21496-1), more than 8 bits, and transparency.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from PIL.IptcImagePlugin import getiptcinfo

from twinlens.core.date_taken import DateSource, DateTaken, best_date, iso_date
from twinlens.features.decoders.decoder_repairs import png_texts
from twinlens.features.formats.exif import Exif, TiffTags, camera
from twinlens.features.formats.formats import AVIF, HEIC, JPEG, PNG, RAW, TIFF, WEBP, Format
from twinlens.features.pictures.picture import Metadata
from twinlens.features.reading.reading_limits import DECODER_ERRORS

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

_MOST_BYTES = 4 << 20  # of a block of XMP
_MOST_KEYWORDS, _MOST_LETTERS, _MOST_TEXT, _MOST_PROGRAM = 500, 200, 2_000, 60
_BEST = 5  # stars


@dataclass(frozen=True)
class Statements:
    """The statements of a block of metadata about a photograph; empty where there are none.

    Attributes
    ----------
    taken : str or None
        As :class:`twinlens.core.date_taken.DateTaken` writes it.
    place : str
        Latitude and longitude in degrees, as of :class:`twinlens.features.formats.exif.Exif`.
    rating : int
        1 to 5 stars, -1 of a rejected one; 0 without one.
    pick : int
        1 of a picked one, -1 of a rejected one; 0 without either.
    keywords : tuple of str
        Those of a hierarchy as ``Places|Italy|Rome``.
    """

    taken: str | None = None
    camera: str | None = None
    place: str = ""
    rating: int = 0
    label: str = ""
    keywords: tuple[str, ...] = ()
    title: str = ""
    caption: str = ""
    favourite: bool = False
    pick: int = 0

    def or_else(self, other: Statements) -> Statements:
        """Return these statements, with those of another block where this one says nothing; keywords of both."""
        found = {name: getattr(self, name) or getattr(other, name) for name in self.__dataclass_fields__}
        return Statements(**found | {"keywords": distinct((*self.keywords, *other.keywords))})


def read_metadata(
    form: Format, data: bytes, image: ImageFile | None, exif: Exif, transparent: bool
) -> tuple[Exif, Metadata]:
    """Read the metadata of a file whose picture was decoded; what is damaged is left out.

    Parameters
    ----------
    image : PIL.ImageFile.ImageFile or None
        As it was decoded; None of a raw file.
    exif : Exif
        What the camera noted.
    transparent : bool
        Whether anything of the first picture is.

    Returns
    -------
    Exif
        With date, camera and place from elsewhere where the camera noted none; the date as a library keeps it.
    Metadata
    """
    statements, dates = Statements(), [(exif.taken, DateSource.EXIF)]
    for source, read in _SOURCES.items():
        try:
            found = read(form, data, image)
        except DECODER_ERRORS:
            continue
        statements = statements.or_else(found)
        dates.append((found.taken, source))
    dates.append((exif.by_satellites, DateSource.GPS))
    taken = best_date(DateTaken(written, source) for written, source in dates if written)
    exif = replace(
        exif,
        taken=None if taken is None else taken.stored,
        camera=exif.camera or statements.camera,
        place=exif.place or statements.place,
    )
    held = Metadata(
        rating=statements.rating,
        label=statements.label,
        keywords=statements.keywords,
        title=statements.title,
        caption=statements.caption,
        favourite=statements.favourite,
        pick=statements.pick,
        frames=_frames(image),
        film=_has_film(form, data),
        gain_map=_has_gain_map(form, data, image),
        depth=_depth(form, data),
        transparent=transparent,
        program=_program(form, data, image),
        coding=_coding(form, data, image),
        offset=exif.offset,
        **vars(exif.settings),
    )
    return exif, held


def _from_xmp(form: Format, data: bytes, image: ImageFile | None) -> Statements:
    return read_xmp(_xmp_block(form, data, image))


def _xmp_block(form: Format, data: bytes, image: ImageFile | None) -> bytes:
    if form in (TIFF, RAW):
        tags = TiffTags(data)
        return tags.raw(tags.first.get(_XMP_TAG), _MOST_BYTES)
    if form is PNG:
        return dict(png_texts(data, _MOST_BYTES)).get("XML:com.adobe.xmp", b"")
    block = image.info.get("xmp") if image is not None else None
    return block if isinstance(block, bytes) else b""


_XMP_TAG = 700
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_XAP = "{http://ns.adobe.com/xap/1.0/}"
_DC = "{http://purl.org/dc/elements/1.1/}"
_EXIF = "{http://ns.adobe.com/exif/1.0/}"
_TIFF = "{http://ns.adobe.com/tiff/1.0/}"
_HIERARCHIES = {"{http://ns.adobe.com/lightroom/1.0/}hierarchicalSubject": "|"}
_HIERARCHIES["{http://www.digikam.org/ns/1.0/}TagsList"] = "/"
_PEOPLE = (
    "{http://iptc.org/std/Iptc4xmpExt/2008-02-29/}PersonInImage",
    "{http://www.metadataworkinggroup.com/schemas/regions/}Name",  # of a region in the picture, mostly a face
    "{http://ns.microsoft.com/photo/1.2/t/Region#}PersonDisplayName",
)
_PICK, _DIGIKAM_PICK = "{http://ns.adobe.com/xmp/1.0/DynamicMedia/}pick", "{http://www.digikam.org/ns/1.0/}PickLabel"
_DIGIKAM_PICKS = {1: -1, 3: 1}  # 2 is one that waits
_COLOURS = {
    "{http://www.digikam.org/ns/1.0/}ColorLabel": (
        *("", "Red", "Orange", "Yellow", "Green", "Blue", "Magenta", "Gray", "Black", "White"),
    ),
    "{http://darktable.sf.net/}colorlabels": ("Red", "Yellow", "Green", "Blue", "Purple"),
}
"""The colours of labels that programs write as numbers."""
_MICROSOFT = ("{http://ns.microsoft.com/photo/1.0/}Rating", "{http://ns.microsoft.com/photo/1.0}Rating")  # ExifTool's
_TAKEN = (f"{_EXIF}DateTimeOriginal", "{http://ns.adobe.com/photoshop/1.0/}DateCreated", f"{_XAP}CreateDate")


def read_xmp(block: bytes) -> Statements:
    """Read a block or a sidecar file of XMP; nothing of one that is damaged, too large, or no XMP.

    Examples
    --------
    >>> read_xmp(b"<x xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='4'/>").rating
    4
    """
    if not block or len(block) > _MOST_BYTES:
        return Statements()
    try:
        root = fromstring(block.rstrip(b"\0 \r\n"), forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError):
        return Statements()
    found: dict[str, list[str]] = {}
    for one in root.iter():
        for name, value in one.attrib.items():
            found.setdefault(name, []).append(value)
        if values := _values(one):
            found.setdefault(one.tag, []).extend(values)

    def first(*names: str) -> str:
        return next((found[name][0].strip() for name in names if name in found), "")

    stars = _number(first(f"{_XAP}Rating"))
    if not stars and (share := _number(first(*_MICROSOFT))):
        stars = 1 + share // 25  # 1, 25, 50, 75 and 99
    label = first(f"{_XAP}Label") or next(
        (names[at] for name, names in _COLOURS.items() if 0 <= (at := _number(first(name), -1)) < len(names)), ""
    )
    pick = _number(first(_PICK)) or _DIGIKAM_PICKS.get(_number(first(_DIGIKAM_PICK)), 0)
    trees = [
        "|".join(filter(None, map(str.strip, each.split(sign))))
        for name, sign in _HIERARCHIES.items()
        for each in found.get(name, ())
    ]
    ends = {one.rpartition("|")[2].casefold() for one in trees if "|" in one}
    people = [one for name in _PEOPLE for one in found.get(name, ()) if one.strip().casefold() not in ends]
    flat = [one for one in found.get(f"{_DC}subject", ()) if one.strip().casefold() not in ends]
    return Statements(
        taken=next(filter(None, (iso_date(first(name)) for name in _TAKEN)), None),
        camera=camera(first(f"{_TIFF}Make")[:_MOST_LETTERS], first(f"{_TIFF}Model")[:_MOST_LETTERS]),
        place=_place(first(f"{_EXIF}GPSLatitude"), first(f"{_EXIF}GPSLongitude")),
        rating=max(-1, min(stars, _BEST)),
        label=plain_text(label, _MOST_LETTERS),
        keywords=distinct((*trees, *flat, *people)),
        title=plain_text(first(f"{_DC}title")),
        caption=plain_text(first(f"{_DC}description")),
        pick=max(-1, min(pick, 1)),
    )


def _values(one: Element) -> list[str]:
    """Return the texts of a property: its own, or those of the items of its bag, sequence or choice of languages."""
    items = one.findall(f"./*/{_RDF}li")
    texts = [item.text or "" for item in items] if items else [one.text or ""] if len(one) == 0 else []
    return [text for text in texts if text.strip()]


def _number(text: str, otherwise: int = 0) -> int:
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return otherwise


_ANGLE = re.compile(r"(\d+)(?:,(\d+(?:\.\d+)?))?(?:,(\d+(?:\.\d+)?))?([NSEW])", re.ASCII)


def _place(latitude: str, longitude: str) -> str:
    """Return a place of XMP, ``48,6.5N`` and ``11,34,12E``, in degrees; empty where it is none."""
    degrees = []
    for text, most in ((latitude, 90.0), (longitude, 180.0)):
        found = _ANGLE.fullmatch(text)
        if found is None:
            return ""
        size = sum(float(part or 0) / 60**power for power, part in enumerate(found.groups()[:3]))
        if size > most:
            return ""
        degrees.append(-size if found[4] in "SW" else size)
    return f"{degrees[0]:.6f},{degrees[1]:.6f}" if any(degrees) else ""


_UTF_8 = b"\x1b%G"  # how IPTC names it


def _from_iptc(form: Format, data: bytes, image: ImageFile | None) -> Statements:
    found = (getiptcinfo(image) if image is not None and form in (JPEG, TIFF) else None) or {}
    code = "utf-8" if found.get((1, 90)) == _UTF_8 else ""

    def texts(number: int) -> list[str]:
        value = found.get((2, number), [])
        return [_decoded(one, code) for one in (value if isinstance(value, list) else [value])]

    def text(number: int) -> str:
        return next(iter(texts(number)), "")

    day, clock = text(55), text(60)
    written = f"{day[:4]}:{day[4:6]}:{day[6:8]} {clock[:2]}:{clock[2:4]}:{clock[4:6]}" if len(day) == 8 else ""
    return Statements(
        taken=iso_date(written if len(clock) >= 6 else written[:10]),
        keywords=distinct(texts(25)),
        title=plain_text(text(5)),
        caption=plain_text(text(120)),
    )


def _decoded(raw: bytes, code: str = "") -> str:
    for each in filter(None, (code, "utf-8")):
        try:
            return raw.decode(each)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


_DESCRIPTION, _RATING = 0x010E, 0x4746
_XP_TITLE, _XP_COMMENT, _XP_KEYWORDS = 0x9C9B, 0x9C9C, 0x9C9E  # of Windows, in UTF-16
_OF_CAMERAS = re.compile(r".*DIGITAL CAMERA|SONY DSC|DCIM.*|.*\.jpe?g|[\W\da-z_]*", re.DOTALL)


def _tags(form: Format, data: bytes, image: ImageFile | None) -> TiffTags:
    block = data if form in (TIFF, RAW) else image.info.get("exif") if image is not None else None
    return TiffTags(block.removeprefix(b"Exif\0\0") if isinstance(block, bytes) else b"")


def _from_tags(form: Format, data: bytes, image: ImageFile | None) -> Statements:
    tags = _tags(form, data, image)
    first = tags.first

    def wide(number: int) -> str:
        return tags.raw(first.get(number), _MOST_BYTES).decode("utf-16-le", "replace").rstrip("\0")

    written = tags.text(first.get(_DESCRIPTION), _MOST_TEXT)
    return Statements(
        rating=min(tags.number(first.get(_RATING)) or 0, _BEST),
        keywords=distinct(wide(_XP_KEYWORDS).split(";")),
        title=plain_text(wide(_XP_TITLE)),
        caption=plain_text(wide(_XP_COMMENT)) or ("" if _OF_CAMERAS.fullmatch(written) else plain_text(written)),
    )


def _from_texts(form: Format, data: bytes, image: ImageFile | None) -> Statements:
    found = dict(png_texts(data, _MOST_TEXT)) if form is PNG else {}
    title, caption, made = (_decoded(found.get(name, b"")) for name in ("Title", "Description", "Creation Time"))
    return Statements(taken=iso_date(made), title=plain_text(title), caption=plain_text(caption))


_SOURCES = {
    DateSource.XMP: _from_xmp,
    DateSource.IPTC: _from_iptc,
    DateSource.EXIF: _from_tags,
    DateSource.TEXT: _from_texts,
}
"""What reads a block of metadata, the one that counts first before the others."""


def plain_text(written: str, most: int = _MOST_TEXT) -> str:
    """Return a text without what cannot be printed, blanks and line ends as single blanks."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in written[: 4 * most]).split())[:most]


def distinct(words: Iterable[str]) -> tuple[str, ...]:
    """Return keywords, each once, in their order."""
    made: dict[str, str] = {}
    for word in words:
        if plain := plain_text(word, _MOST_LETTERS):
            made.setdefault(plain.casefold(), plain)
    return tuple(made.values())[:_MOST_KEYWORDS]


def _tried(count: Callable[[], int]) -> int:
    try:
        return count()
    except DECODER_ERRORS:
        return 1


def _frames(image: ImageFile | None) -> int:
    return 1 if image is None else max(1, _tried(lambda: getattr(image, "n_frames", 1)))


_FILM = re.compile(rb"\0\0\0[\x10-\x40]ftyp(?:mp4|isom|qt  |MSNV|3gp|avc1)")
_FILM_BOX = b"mpvd"  # of a HEIC or AVIF motion photo
_BOXES_BYTES = 1 << 20
_GAIN_MAPS = (b"aux:hdrgainmap", b"iso:ts:21496", b"tmap")
_COUNT, _ENTRIES, _ENTRY_BYTES = 0xB001, 0xB002, 16
_TYPE, _PREVIEWS, _PRIMARY = 0xFFFFFF, (0x010001, 0x010002), 0x030000


def _has_film(form: Format, data: bytes) -> bool:
    """Return whether a film lies behind the picture."""
    if form in (HEIC, AVIF):
        return _FILM_BOX in data
    return form is JPEG and b"ftyp" in data and _FILM.search(data) is not None  # the first is ten times as fast


def _has_gain_map(form: Format, data: bytes, image: ImageFile | None) -> bool:
    """Return whether other pictures than previews lie behind the first one."""
    if form in (HEIC, AVIF):
        return any(name in data[:_BOXES_BYTES] for name in _GAIN_MAPS)
    block = image.info.get("mp") if form is JPEG and image is not None else None
    if not isinstance(block, bytes):
        return False
    tags = TiffTags(block)
    entries = tags.raw(tags.first.get(_ENTRIES), 64 * _ENTRY_BYTES)
    order = ">" if block[:2] == b"MM" else "<"
    start = image.info.get("mpoffset", 0) if image is not None else 0
    for at in range(_ENTRY_BYTES, len(entries) - _ENTRY_BYTES + 1, _ENTRY_BYTES):
        kind, size, offset = struct.unpack_from(f"{order}3I", entries, at)
        if kind & _TYPE not in _PREVIEWS and size and start + offset + size <= len(data):
            return True
    return False


_AV1 = re.compile(rb"av1C..(.)", re.DOTALL)  # AV1-ISOBMFF, 2.3.3
_HEVC = re.compile(rb"hvcC.{17}(.)", re.DOTALL)  # ISO/IEC 14496-15, 8.3.3.1.2
_BITS = 258


def _depth(form: Format, data: bytes) -> int:
    """Return the bits of a channel, as the file says; 8 where it does not, of fewer too."""
    found = 8
    if form is PNG:
        found = data[24] if len(data) > 24 else 8
    elif form is TIFF:
        tags = TiffTags(data)
        found = tags.number(tags.first.get(_BITS)) or 8
    elif form is HEIC and (box := _HEVC.search(data, 0, _BOXES_BYTES)) is not None:
        found = 8 + (box[1][0] & 7)
    elif form is AVIF and (box := _AV1.search(data, 0, _BOXES_BYTES)) is not None:
        found = 12 if box[1][0] & 32 and box[1][0] & 64 else 10 if box[1][0] & 64 else 8
    return max(8, min(found, 64))


_SOFTWARE = 0x0131
_CREATOR_TOOL = re.compile(rb"CreatorTool(?:>|\s*=\s*[\"'])([^<\"']+)")


def _program(form: Format, data: bytes, image: ImageFile | None) -> str:
    """Return the name of the program that saved a file; empty where it does not say."""
    for source in (_software, _creator_tool):
        try:
            if found := plain_text(source(form, data, image), _MOST_PROGRAM):
                return found
        except DECODER_ERRORS:
            continue
    return ""


def _software(form: Format, data: bytes, image: ImageFile | None) -> str:
    tags = _tags(form, data, image)
    written = dict(png_texts(data, _MOST_TEXT)).get("Software", b"") if form is PNG else b""
    return tags.text(tags.first.get(_SOFTWARE), _MOST_LETTERS) or _decoded(written)


def _creator_tool(form: Format, data: bytes, image: ImageFile | None) -> str:
    found = _CREATOR_TOOL.search(_xmp_block(form, data, image))
    return "" if found is None else _decoded(found[1])


_SETTINGS = {
    WEBP: re.compile(rb"(VP8[ L])"),
    AVIF: re.compile(rb"av1C.(..)", re.DOTALL),
    HEIC: re.compile(rb"hvcC.(.{11}).{4}(.{3})", re.DOTALL),
}
"""Where a header names what an encoder was set to, but for the level, which grows with the picture."""
_AV1_LEVEL = 0x1F


def _coding(form: Format, data: bytes, image: ImageFile | None) -> str:
    """Return a trace of the encoder of a file, equal for files saved in one way; empty of formats without one."""
    if form is JPEG:
        trace = repr((sorted(getattr(image, "quantization", {}).items()), getattr(image, "layer", ()))).encode()
    elif form in _SETTINGS and (found := _SETTINGS[form].search(data, 0, _BOXES_BYTES)) is not None:
        trace = b"".join(found.groups())
        trace = bytes((trace[0] & ~_AV1_LEVEL, *trace[1:])) if form is AVIF else trace
    else:
        return ""
    return f"{zlib.crc32(trace):08x}"
