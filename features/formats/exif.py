"""The camera's notes beside the pixels: orientation, time, camera and place (EXIF 2.32, CIPA DC-008)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from features.formats.tiff_tags import Tag, TiffTags

_MAKE, _MODEL, _ORIENTATION, _CHANGED = 0x010F, 0x0110, 0x0112, 0x0132
_EXIF_DIRECTORY, _TAKEN, _DIGITIZED, _SUBSECOND = 0x8769, 0x9003, 0x9004, 0x9291
_PLACE_DIRECTORY = 0x8825
_LATITUDE, _LONGITUDE = (1, 2, "S", 90.0), (3, 4, "W", 180.0)  # tags of the hemisphere and the angle
_MARKER = b"Exif\0\0"
_DATE = re.compile(r"\s*(\d{4})\D(\d\d?)\D(\d\d?)(?:\D+(\d\d?)\D(\d\d?)(?:\D(\d\d?))?)?", re.ASCII)


@dataclass(frozen=True)
class Exif:
    """The facts that are kept.

    Parameters
    ----------
    orientation : int
        1 to 8; 1 where it is missing or nonsense.
    taken : str or None
        When, as ISO 8601 without zone, ``2023-05-14T11:08:00``: the camera's clock.
    camera : str or None
        Make and model, the make not said twice.
    place : str
        Latitude and longitude in degrees, north and east positive: ``48.137430,11.575490``; empty where not said.
    subsecond : str
        Digits of the fraction of the second at which it was taken; empty where not said.
    """

    orientation: int = 1
    taken: str | None = None
    camera: str | None = None
    place: str = ""
    subsecond: str = ""


def read_exif(block: bytes | None) -> Exif:
    """Read an EXIF block, or a whole TIFF or raw file. Whatever is damaged or nonsense is left out; never raises.

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
    dates = (tags.text(tag) for tag in (inner.get(_TAKEN), inner.get(_DIGITIZED), first.get(_CHANGED)))
    return Exif(
        orientation=orientation if orientation is not None and 1 <= orientation <= 8 else 1,
        taken=next((date for date in map(iso_date, dates) if date is not None), None),
        camera=camera(tags.text(first.get(_MAKE)), tags.text(first.get(_MODEL))),
        place=_place(tags, tags.number(first.get(_PLACE_DIRECTORY))),
        subsecond="".join(filter(str.isascii, filter(str.isdigit, tags.text(inner.get(_SUBSECOND))))),
    )


def _place(tags: TiffTags, position: int | None) -> str:
    """Return where a photograph was taken; empty where it is not said, and at 0° 0°, which means the same."""
    if position is None:
        return ""
    here = tags.directory(position)
    degrees = []
    for reference, angle, negative, most in (_LATITUDE, _LONGITUDE):
        parts = tags.fractions(here.get(angle), most=3)
        size = sum(part / 60**power for power, part in enumerate(parts))
        if not parts or not 0 <= size <= most:
            return ""
        degrees.append(-size if tags.text(here.get(reference)).upper() == negative else size)
    return f"{degrees[0]:.6f},{degrees[1]:.6f}" if any(degrees) else ""


def iso_date(text: str) -> str | None:
    """Turn EXIF's date into ISO 8601, or None where it is no date.

    Examples
    --------
    >>> iso_date("2023:05:14 11:08:00")
    '2023-05-14T11:08:00'
    >>> iso_date("0000:00:00 00:00:00") is None
    True
    """
    match = _DATE.match(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups())
    try:
        return datetime(year, month, day, hour, minute, second).isoformat()
    except ValueError:
        return None


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
