"""Dates as they are said: whole ones and mere years, in metadata, in names, and by the time of a file."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from twinlens.core.date_taken import (
    DateSource,
    DateTaken,
    best_date,
    check_dates,
    date_in_name,
    date_of_file,
    is_date,
    iso_date,
)
from twinlens.core.errors import TwinlensError

NOW = datetime(2026, 1, 1)
LENGTHS = st.sampled_from([4, 7, 10, 19])


@given(
    st.datetimes(min_value=datetime(1826, 1, 1), max_value=datetime(9999, 12, 31)), LENGTHS, st.sampled_from(DateSource)
)
def test_a_date_is_kept_with_its_source_and_exactness(when: datetime, length: int, source: DateSource) -> None:
    date = DateTaken(when.isoformat()[:length], source)
    assert DateTaken.of_stored(date.stored) == date
    assert len(date.stored.partition(" ")[0]) == 19
    assert date.moment == (when.replace(microsecond=0) if length == 19 else None)


def test_a_camera_s_date_is_kept_as_it_always_was() -> None:
    assert DateTaken("2023-05-14T11:08:00", DateSource.EXIF).stored == "2023-05-14T11:08:00"


@given(
    st.lists(
        st.builds(
            DateTaken,
            st.dates().map(str).flatmap(lambda day: LENGTHS.map(lambda n: day[:n])),
            st.sampled_from(DateSource),
        )
    )
)
def test_the_best_date_says_no_less_than_the_first(dates: list[DateTaken]) -> None:
    best = best_date(dates)
    assert (best is None) is (not dates)
    if best is not None:
        assert best.written.startswith(dates[0].written)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("2023:05:14 11:08:00", "2023-05-14T11:08:00"),
        ("2023-05-14T11:08:00.123+02:00", "2023-05-14T11:08:00"),
        ("2019:05:14 5:08:07 PM", "2019-05-14T17:08:07"),
        ("2019:05:14 12:08:07 am", "2019-05-14T00:08:07"),
        ("2023/05/14 11:08", "2023-05-14T11:08:00"),
        ("2023:05:14  9:08:00", "2023-05-14T09:08:00"),
        ("2023:05:14 24:08:00", None),
        ("yesterday", None),
        ("٢٠٢٣:05:14 11:08:00", None),
        ("2023-05-14", "2023-05-14"),
        ("2023-05", "2023-05"),
        ("1957:07:00 00:00:00", "1957-07"),
        ("1957:00:00 00:00:00", "1957"),
        ("1957", "1957"),
        ("1970:01:01 00:00:00", None),
        ("1904:01:01", None),
        ("0000:00:00 00:00:00", None),
        ("2023:02:30 11:08:00", None),
        ("    :  :     :  :  ", None),
    ],
)
def test_dates_of_metadata(text: str, written: str | None) -> None:
    assert iso_date(text) == written


@pytest.mark.parametrize("text", ["", "yesterday", "2023-13", "2023-02-30", "2023-2-3", "20230203", "0000", "2023-W05"])
def test_what_the_calendar_has_not_is_no_date(text: str) -> None:
    assert not is_date(text)
    with pytest.raises(TwinlensError, match="is not a date"):
        check_dates("2023", None, text)


@given(st.text())
def test_no_text_is_an_error(text: str) -> None:
    iso_date(text)
    date_in_name(text)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("IMG-20230514-WA0003.jpg", "2023-05-14"),
        ("WhatsApp Image 2023-05-14 at 1.08.09 PM.jpeg", "2023-05-14T13:08:09"),
        ("WhatsApp Bild 2023-05-14 um 11.08.09_12ab.jpg", "2023-05-14T11:08:09"),
        ("signal-2024-09-24-20-19-49-610.jpg", "2024-09-24T20:19:49"),
        ("signal-2024-09-24-201949.jpeg", "2024-09-24T20:19:49"),
        ("PXL_20240102_030405678.MP.jpg", "2024-01-02T03:04:05"),
        ("Screenshot_20240102-030405_Chrome.png", "2024-01-02T03:04:05"),
        ("Screenshot_2024-01-02-03-04-05-678_com.app.png", "2024-01-02T03:04:05"),
        ("Bildschirmfoto 2024-01-02 um 03.04.05.png", "2024-01-02T03:04:05"),
        ("IMG_20240102_030405_BURST001.jpg", "2024-01-02T03:04:05"),
        ("WIN_20240102_03_04_05_Pro.jpg", "2024-01-02T03:04:05"),
        ("photo_2024-01-02_03-04-05.jpg", "2024-01-02T03:04:05"),
        ("DJI_20230514110809_0001_D.JPG", "2023-05-14T11:08:09"),
        ("20180725171415698.jpg", "2018-07-25T17:14:15"),
        ("IMG_20200229_235960.jpg", "2020-02-29"),
        ("1957-07-14 Grandmother.jpg", "1957-07-14"),
        ("Scan 14.05.2023.jpg", "2023-05-14"),
        *((name, None) for name in (
            "DSC_1234.jpg", "IMG_20241399.jpg", "1920x1080.jpg", "19201080.jpg", "20992099.jpg", "19570714.jpg",
            "12345678901234.jpg", "P1040123.JPG", "IMG_2019.jpg", "20260103.jpg", "2023.jpg", "20230001.jpg",
        )),
    ],
)  # fmt: skip
def test_dates_of_names(name: str, written: str | None) -> None:
    date = date_in_name(name, NOW)
    assert (None if date is None else date.written) == written
    assert date is None or (date.source is DateSource.NAME and not date.in_file)


def test_the_time_of_a_file_is_a_date_where_it_was_ever_set() -> None:
    when = datetime(2015, 6, 7, 8, 9, 10)
    assert date_of_file(int(when.timestamp()) * 10**9 + 5) == DateTaken("2015-06-07T08:09:10", DateSource.FILE)
    assert date_of_file(0) is None
    assert date_of_file(10**30) is None
