"""The camera's notes beside the pixels: orientation, time, camera and place (EXIF 2.32, CIPA DC-008).

They are tags of a TIFF structure (TIFF 6.0, section 2), as are those of TIFF pictures and of most raw files.

Pillow reads them too, but decodes every tag, warns about each that is damaged, and does not say where a raw file keeps
its sensor data. Here only the needed tags are decoded, and damaged ones are missing.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from math import floor
from typing import Self

from twinlens.core.date_taken import iso_date

_MAKE, _MODEL, _ORIENTATION, _CHANGED = 0x010F, 0x0110, 0x0112, 0x0132
_EXIF_DIRECTORY, _TAKEN, _DIGITIZED, _SUBSECOND = 0x8769, 0x9003, 0x9004, 0x9291
_OFFSET, _OFFSET_DIGITIZED = 0x9011, 0x9012
_EXPOSURE, _APERTURE, _SPEED, _FOCAL_LENGTH, _LENS = 0x829A, 0x829D, 0x8827, 0x920A, 0xA434
_PLACE_DIRECTORY = 0x8825
_GPS_TIME, _GPS_DAY = 7, 29
_LATITUDE, _LONGITUDE = (1, 2, "S", 90.0), (3, 4, "W", 180.0)  # tags of the hemisphere and the angle
_MARKER = b"Exif\0\0"


@dataclass(frozen=True)
class CameraSettings:
    """The settings of a camera for one photograph; 0 or empty where it noted none.

    Attributes
    ----------
    lens : str
        Its model.
    aperture : float
        The f-number.
    exposure_s : float
        For how long it was exposed.
    iso : int
    focal_length_mm : float
        Of the lens itself.
    """

    lens: str = ""
    aperture: float = 0.0
    exposure_s: float = 0.0
    iso: int = 0
    focal_length_mm: float = 0.0

    @classmethod
    def of(cls, tags: TiffTags, inner: dict[int, Tag]) -> Self:
        """Read them from the directory of EXIF; what no camera has is left out."""

        def number(tag: int, most: float) -> float:
            value = next(iter(tags.fractions(inner.get(tag), most=1)), 0.0)
            return float(f"{value:.6g}") if 0 < value <= most else 0.0

        lens, speed = tags.text(inner.get(_LENS), _MOST_LENS), tags.number(inner.get(_SPEED)) or 0
        return cls(
            lens if any(map(str.isalnum, lens)) else "",
            number(_APERTURE, 1000),
            number(_EXPOSURE, _LONGEST_S),
            speed if 0 < speed < _NO_SPEED else 0,
            number(_FOCAL_LENGTH, 100_000),
        )


_MOST_LENS, _LONGEST_S = 120, 10**6
_NO_SPEED = 65_535  # as cameras write a speed that does not fit


@dataclass(frozen=True)
class Exif:
    """The facts that a library keeps.

    Parameters
    ----------
    orientation : int
        1 to 8; 1 where it is missing or nonsense.
    taken : str or None
        When, by the camera's clock, as :class:`twinlens.core.date_taken.DateTaken` writes it.
    camera : str or None
        Make and model, the make not said twice.
    place : str
        Latitude and longitude in degrees, north and east positive: ``48.137430,11.575490``; empty where not said.
    subsecond : str
        Digits of the fraction of the second at which it was taken; empty where not said.
    by_satellites : str or None
        When, by the clock of satellites, in UTC.
    offset : str
        How far the camera's clock is ahead of UTC, ``+02:00``; empty where not said.
    settings : CameraSettings
        The camera's, as far as it noted them.
    """

    orientation: int = 1
    taken: str | None = None
    camera: str | None = None
    place: str = ""
    subsecond: str = ""
    by_satellites: str | None = None
    offset: str = ""
    settings: CameraSettings = CameraSettings()


def read_exif(block: bytes | None) -> Exif:
    """Read an EXIF block, or a whole TIFF or raw file, without damaged or impossible facts; never raises.

    Parameters
    ----------
    block : bytes or None
        With or without the ``Exif`` marker in front.
    """
    if not block:
        return Exif()
    tags = TiffTags(block.removeprefix(_MARKER))
    first = tags.first
    inner: dict[int, Tag] = {}
    if (position := tags.number(first.get(_EXIF_DIRECTORY))) is not None:
        inner = tags.directory(position)
    orientation = tags.number(first.get(_ORIENTATION))
    here = {} if (position := tags.number(first.get(_PLACE_DIRECTORY))) is None else tags.directory(position)
    dates = (tags.text(tag) for tag in (inner.get(_TAKEN), inner.get(_DIGITIZED), first.get(_CHANGED)))
    offset = tags.text(inner.get(_OFFSET) or inner.get(_OFFSET_DIGITIZED))
    return Exif(
        orientation=orientation if orientation is not None and 1 <= orientation <= 8 else 1,
        taken=next((date for date in map(iso_date, dates) if date is not None), None),
        camera=camera(tags.text(first.get(_MAKE)), tags.text(first.get(_MODEL))),
        place=_place(tags, here),
        subsecond="".join(filter(str.isascii, filter(str.isdigit, tags.text(inner.get(_SUBSECOND))))),
        by_satellites=_satellites_clock(tags, here),
        offset=offset if _ZONE.fullmatch(offset) else "",
        settings=CameraSettings.of(tags, inner),
    )


_ZONE = re.compile(r"[+-](0\d|1[0-4]):[0-5]\d", re.ASCII)


def _satellites_clock(tags: TiffTags, here: dict[int, Tag]) -> str | None:
    clock = tags.fractions(here.get(_GPS_TIME), most=3)
    written = " {:02.0f}:{:02.0f}:{:02.0f}".format(*map(floor, clock)) if len(clock) == 3 else ""
    return iso_date(tags.text(here.get(_GPS_DAY)) + written)


def _place(tags: TiffTags, here: dict[int, Tag]) -> str:
    """Return the place of a photograph; empty where there is none, and at 0° 0°, which means the same."""
    degrees = []
    for reference, angle, negative, most in (_LATITUDE, _LONGITUDE):
        parts = tags.fractions(here.get(angle), most=3)
        size = sum(part / 60**power for power, part in enumerate(parts))
        if not parts or not 0 <= size <= most:
            return ""
        degrees.append(-size if tags.text(here.get(reference)).upper() == negative else size)
    return f"{degrees[0]:.6f},{degrees[1]:.6f}" if any(degrees) else ""


def camera(make: str, model: str) -> str | None:
    """Join make and model, without the make where the model begins with it; what has no letter or digit is no name.

    Examples
    --------
    >>> camera("NIKON CORPORATION", "NIKON D90"), camera("SONY", "ILCE-7M3"), camera("--", "--")
    ('NIKON D90', 'SONY ILCE-7M3', None)
    """
    make, model = (part if any(map(str.isalnum, part)) else "" for part in (make, model))
    brand = make.split(" ", 1)[0].casefold()
    if brand and model.casefold().startswith(brand):
        return model
    return f"{make} {model}".strip() or None


_BYTES_OF_TYPE = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8, 18: 8}
_INTEGERS = {1: "B", 3: "H", 4: "I", 7: "B", 13: "I", 16: "Q", 18: "Q"}
_MAGICS = frozenset({42, 43, 0x4F52, 0x5352, 0x0055, 0x01BC})  # TIFF, BigTIFF, Olympus RO, RS, Panasonic U, JPEG XR
_MOST_TAGS = 4096


@dataclass(frozen=True)
class Tag:
    """One tag of a directory: its type (TIFF 6.0, page 15), how many values it has, and where they begin."""

    kind: int
    count: int
    position: int


class TiffTags:
    """Reads the directories of one TIFF structure. Never raises on damaged bytes: what cannot be read is missing.

    Parameters
    ----------
    block : bytes
        Beginning with the byte order mark, ``II`` or ``MM``.

    Attributes
    ----------
    first : dict of int to Tag
        The first directory; empty where the block is no TIFF structure.
    """

    def __init__(self, block: bytes) -> None:
        self._block = block
        self._order = ">" if block[:2] == b"MM" else "<"
        self._big = False
        self.first: dict[int, Tag] = {}
        if block[:2] not in (b"II", b"MM") or len(block) < 8:
            return
        magic, start = struct.unpack_from(self._order + "HI", block, 2)
        if magic not in _MAGICS:
            return
        self._big = magic == 43
        if self._big:
            if len(block) < 16:
                return
            (start,) = struct.unpack_from(self._order + "Q", block, 8)
        self.first = self.directory(start)

    def directory(self, position: int) -> dict[int, Tag]:
        """Read the directory at a position: its tags by number, without those whose values lie outside the block."""
        block, size = self._block, len(self._block)
        head, entry, inline = ("Q", "HHQ", 8) if self._big else ("H", "HHI", 4)
        start = position + struct.calcsize("<" + head)
        if position < 1 or start > size:
            return {}
        (count,) = struct.unpack_from(self._order + head, block, position)
        step = struct.calcsize("<" + entry) + inline
        tags: dict[int, Tag] = {}
        for at in range(start, min(start + min(count, _MOST_TAGS) * step, size - step + 1), step):
            number, kind, values = struct.unpack_from(self._order + entry, block, at)
            length = _BYTES_OF_TYPE.get(kind, 0) * values
            where = at + step - inline
            if length > inline:
                (where,) = struct.unpack_from(self._order + ("Q" if self._big else "I"), block, where)
            if 0 < length <= size - where:
                tags.setdefault(number, Tag(kind, values, where))
        return tags

    def numbers(self, tag: Tag | None, most: int = 16) -> tuple[int, ...]:
        """Return a tag's values as whole numbers, `most` of them; none where it is missing or of another type."""
        if tag is None or tag.kind not in _INTEGERS:
            return ()
        count = min(tag.count, most)
        return struct.unpack_from(f"{self._order}{count}{_INTEGERS[tag.kind]}", self._block, tag.position)

    def raw(self, tag: Tag | None, most: int) -> bytes:
        """Return a tag's values as they are in the file, `most` bytes of them; none where it is missing."""
        if tag is None:
            return b""
        return self._block[tag.position : tag.position + min(_BYTES_OF_TYPE[tag.kind] * tag.count, most)]

    def number(self, tag: Tag | None) -> int | None:
        """Return a tag's first value as a whole number."""
        return next(iter(self.numbers(tag, most=1)), None)

    def fractions(self, tag: Tag | None, most: int = 16) -> tuple[float, ...]:
        """Return a tag's values that are kept as fractions; none where one of them is divided by 0."""
        if tag is None or tag.kind != 5:
            return ()
        count = min(tag.count, most)
        numbers = struct.unpack_from(f"{self._order}{2 * count}I", self._block, tag.position)
        if not all(numbers[1::2]):
            return ()
        return tuple(above / below for above, below in zip(numbers[::2], numbers[1::2], strict=True))

    def text(self, tag: Tag | None, most: int = 256) -> str:
        """Return a tag's text up to its first NUL, printable characters only, blanks trimmed; empty where missing."""
        if tag is None or tag.kind not in (1, 2, 7):
            return ""
        raw = self._block[tag.position : tag.position + min(tag.count, most)].split(b"\0", 1)[0]
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError:
            text = raw.decode("latin-1")
        return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
