"""The date on which a photograph was taken, as far as it is known: where that is said, and how exactly.

A camera notes a second; whoever scans an old print knows a year or a month; a name often says a day. So a date is ISO
8601 without zone, as long as it is known: ``1957``, ``1957-07``, ``2023-05-14``, ``2023-05-14T11:08:00``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

from twinlens.core.errors import TwinlensError

_WHOLE = "0000-00-00T00:00:00"


class DateSource(StrEnum):
    """The source of a date."""

    EXIF = "exif"
    XMP = "xmp"
    IPTC = "iptc"
    TEXT = "text"
    """A text of a PNG."""
    GPS = "gps"
    """The clock of satellites, in UTC."""
    FILM = "film"
    """The head of a film: the camera's clock, or UTC."""
    SIDECAR = "sidecar"
    """An XMP file beside it."""
    TAKEOUT = "takeout"
    """The JSON of Google Takeout beside it, in UTC."""
    NAME = "name"
    """The name of the file."""
    FILE = "file"
    """The time at which the file was last changed."""


BESIDE = (DateSource.SIDECAR, DateSource.TAKEOUT)
"""Files beside the photograph."""


class DateTaken(NamedTuple):
    """A date and its source.

    Attributes
    ----------
    written : str
        4, 7, 10 or 19 letters of ISO 8601.
    """

    written: str
    source: DateSource

    @classmethod
    def of_stored(cls, text: str) -> DateTaken:
        """Read a date as :attr:`stored` writes it."""
        moment, _, more = text.partition(" ")
        source, _, length = more.partition(" ")
        return cls(moment[: int(length or len(_WHOLE))], DateSource(source or DateSource.EXIF))

    @property
    def stored(self) -> str:
        """The date as a library keeps it: 19 letters, by which all are ordered, and what is not a camera's behind them.

        Examples
        --------
        >>> DateTaken("2023-05-14T11:08:00", DateSource.EXIF).stored, DateTaken("1957-07", DateSource.XMP).stored
        ('2023-05-14T11:08:00', '1957-07-00T00:00:00 xmp 7')
        """
        if self.source is DateSource.EXIF and len(self.written) == len(_WHOLE):
            return self.written
        return f"{self.written}{_WHOLE[len(self.written) :]} {self.source} {len(self.written)}"

    @property
    def moment(self) -> datetime | None:
        """When, by the clock of who says it; None where that is not known to the second."""
        return datetime.fromisoformat(self.written) if len(self.written) == len(_WHOLE) else None

    @property
    def in_file(self) -> bool:
        """Whether the file itself says it, so that it stays with the picture wherever that goes."""
        return self.source not in (*BESIDE, DateSource.NAME, DateSource.FILE)


def best_date(dates: Iterable[DateTaken]) -> DateTaken | None:
    """Return the first of some dates, or the most exact one that says the same and more.

    Examples
    --------
    >>> dates = DateTaken("2017-03", DateSource.EXIF), DateTaken("2017-03-04", DateSource.XMP)
    >>> best_date(dates).written
    '2017-03-04'
    """
    best = None
    for one in dates:
        if best is None or (len(one.written) > len(best.written) and one.written.startswith(best.written)):
            best = one
    return best


_ZONES = timedelta(hours=15)  # how far two clocks may be apart that show the same moment in two zones


def counted_date(file: DateTaken | None, sidecar: DateTaken | None, takeout: DateTaken | None) -> DateTaken | None:
    """Return the date that counts of those that a file says, the XMP and the Takeout JSON beside it.

    Who has written a sidecar has seen the file: that counts, unless it says less exactly the same. Google's clock is
    UTC; it is another date only where it is farther away than a zone, since the person has corrected it there.

    Examples
    --------
    >>> file = DateTaken("2015-06-07T10:00:00", DateSource.EXIF)
    >>> counted_date(file, None, DateTaken("2015-06-07T08:00:00", DateSource.TAKEOUT)).written
    '2015-06-07T10:00:00'
    >>> counted_date(file, DateTaken("1957", DateSource.SIDECAR), None).written
    '1957'
    """
    if sidecar is not None:
        return file if file is not None and file.written.startswith(sidecar.written) else sidecar
    if file is None or takeout is None:
        return file or takeout
    moment, other = file.moment, takeout.moment
    if moment is None or other is None:
        # A day may begin earlier or later elsewhere.
        days = {} if other is None else {(other + one * _ZONES).isoformat()[: len(file.written)] for one in (-1, 0, 1)}
        return file if file.written in days else takeout
    return file if abs(moment - other) <= _ZONES else takeout


_UNSET = ("1904-01-01", "1970-01-01", "1980-01-01")  # the days on which clocks begin that were never set
_DATE = re.compile(
    r"\s*(\d{4})(?:\D(\d\d?)(?:\D(\d\d?)(?:\D+(\d\d?)\D(\d\d?)(?:\D(\d\d?))?(?:\.\d+)?\s*([ap]\.?m\b)?)?)?)?",
    re.ASCII | re.IGNORECASE,
)


def iso_date(text: str) -> str | None:
    """Turn a date of EXIF, XMP or the like into ISO 8601, or None where it is no date, or of a clock never set.

    Examples
    --------
    >>> iso_date("2023:05:14 11:08:00"), iso_date("2019:05:14 5:08:07 PM")
    ('2023-05-14T11:08:00', '2019-05-14T17:08:07')
    >>> iso_date("1957:07:00 00:00:00"), iso_date("0000:00:00 00:00:00")
    ('1957-07', None)
    """
    match = _DATE.match(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    if match[7] and hour <= 12:
        hour = hour % 12 + (12 if match[7][0] in "Pp" else 0)
    length = 19 if match[4] else 10
    if not day:
        length = 7 if month else 4
    return _checked(year, month or 1, day or 1, hour, minute, second, length=length)


def _checked(*parts: int, length: int) -> str | None:
    """Return a date as far as it is known; None where there is no such day, or a clock was never set."""
    try:
        written = datetime(*parts).isoformat()  # type: ignore[arg-type]
    except ValueError:
        return None
    return None if written[:10] in _UNSET and length >= 10 else written[:length]


_WRITTEN = re.compile(r"\d{4}(-\d\d(-\d\d)?)?", re.ASCII)


def is_date(text: str) -> bool:
    """Return whether a person's text is a year, a month or a day of the calendar.

    Examples
    --------
    >>> is_date("2024"), is_date("2024-02-29"), is_date("2023-02-29"), is_date("14.5.2023")
    (True, True, False, False)
    """
    if _WRITTEN.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text + "-01-01"[len(text) - 4 :])
    except ValueError:
        return False
    return True


def check_dates(*dates: str | None) -> None:
    """Refuse dates of a filter, None for none, that are not in the calendar.

    Raises
    ------
    TwinlensError
    """
    for date in dates:
        if date is not None and not is_date(date):
            raise TwinlensError(
                "“{date}” is not a date.", "Write a year, a month or a day: 2023, 2023-05 or 2023-05-14.", date=date
            )


_FIRST_YEAR = (
    1990  # eight digits in a row that say an earlier one are some number, not a camera's or a telephone's date
)
_CLOCK = (
    r"(?:[-_ T.,]{0,2}|[ _](?:at|um|à|a las|alle|om)[ _])(\d\d|\d(?=[.:]))([-_.:h ]?)(\d\d)\6(\d\d)(?:\d{3})?(?!\d)"
    r"( ?[AaPp]M)?"
)
_IN_NAME = re.compile(rf"(?<!\d)((?:18|19|20)\d\d)([-_. ]?)(\d\d)\2(\d\d)(?:{_CLOCK}|(?!\d))")
_EUROPEAN = re.compile(r"(?<!\d)(\d\d)\.(\d\d)\.((?:19|20)\d\d)(?!\d)")
_FACEBOOK = re.compile(r"FB_IMG_(\d{13})(?!\d)")


def date_in_name(name: str, now: datetime | None = None) -> DateTaken | None:
    """Read the date that a camera, a telephone, a messenger or a person has put into the name of a file.

    Parameters
    ----------
    now : datetime, optional
        A day later and more is no date; by default the present.

    Examples
    --------
    >>> [date_in_name(one).written for one in ("IMG-20230514-WA0003.jpg", "PXL_20240102_030405678.jpg")]
    ['2023-05-14', '2024-01-02T03:04:05']
    >>> date_in_name("DSC_1234.jpg") is None
    True
    """
    latest = ((now or datetime.now()) + timedelta(days=1)).isoformat()
    for written in _dates_in(name):
        if written is not None and written <= latest:
            return DateTaken(written, DateSource.NAME)
    return None


def _dates_in(name: str) -> Iterable[str | None]:
    if (found := _FACEBOOK.search(name)) is not None:
        yield datetime.fromtimestamp(int(found[1]) / 1000).isoformat()[:19]
    for found in _IN_NAME.finditer(name):
        if not found[2] and int(found[1]) < _FIRST_YEAR:
            continue
        day = tuple(map(int, found.group(1, 3, 4)))
        if found[5] is None:
            yield _checked(*day, length=10)
            continue
        hour, minute, second = map(int, found.group(5, 7, 8))
        if found[9] and hour <= 12:
            hour = hour % 12 + (12 if found[9].strip()[0] in "Pp" else 0)
        yield _checked(*day, hour, minute, second, length=19) or _checked(*day, length=10)
    for found in _EUROPEAN.finditer(name):
        yield _checked(int(found[3]), int(found[2]), int(found[1]), length=10)


def date_of_file(mtime_ns: int) -> DateTaken | None:
    """Return the time at which a file was last changed, by the local clock; None of one that was never set."""
    try:
        moment = datetime.fromtimestamp(mtime_ns // 10**9)
    except (OverflowError, OSError, ValueError):
        return None
    written = _checked(*moment.timetuple()[:6], length=19)
    return None if written is None else DateTaken(written, DateSource.FILE)
