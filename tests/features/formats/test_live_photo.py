"""What films say of themselves, and the identifier that a picture shares with its film."""

from __future__ import annotations

import io
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.features.live_photos import TAKEN, box, film, head, keys, live_picture
from tests.features.sample_pictures import encode, flip_bits, scene
from twinlens.features.formats.live_photo import Film, picture_identifier, read_film

IDENTIFIER = "3F2504E0-4F89-11D3-9A0C-0305E82C3301"


def said(data: bytes) -> Film:
    return read_film(io.BytesIO(data))


@pytest.mark.parametrize("version", [0, 1])
def test_a_film(version: int) -> None:
    made = film(2.5, TAKEN, IDENTIFIER, "2021-06-05T12:11:12+0200", version=version)
    assert said(made) == Film(2.5, (TAKEN, datetime(2021, 6, 5, 12, 11, 12)), IDENTIFIER)


def test_what_a_film_does_not_say() -> None:
    assert said(film(0, None)) == Film()
    assert said(film(1, datetime(1970, 1, 1))) == Film(1), "a clock that was never set"
    assert said(box(b"moov", head(3, TAKEN))) == Film(3, (TAKEN,))
    for nothing in (b"", b"film", box(b"ftyp", b"qt  "), box(b"moov"), b"\0\0\0\1moov"):
        assert said(nothing) == Film()


def test_keys_as_mp4_writes_them() -> None:
    named = keys({"com.apple.quicktime.content.identifier": IDENTIFIER}, mp4=True)
    assert said(box(b"moov", named)).identifier == IDENTIFIER


def test_boxes_without_end_are_left() -> None:
    assert said(box(b"free") * 100_000 + film()) == Film()
    assert said(b"\0\0\0\1moov" + b"\xff" * 8) == Film()
    assert said(b"\0\0\0\7moov" + film()) == Film()
    assert said(b"\0\0\0\0moov" + head(3, TAKEN)) == Film(3, (TAKEN,)), "a box of length 0 goes to the end"


@pytest.mark.parametrize("form", ["JPEG", "HEIF"])
def test_the_identifier_of_a_picture(form: str) -> None:
    assert picture_identifier(io.BytesIO(live_picture(form, IDENTIFIER))) == IDENTIFIER
    assert picture_identifier(io.BytesIO(encode(scene(), form))) == ""


@given(data=st.binary(max_size=300))
def test_any_bytes_do_no_harm(data: bytes) -> None:
    for before in (b"", b"\xff\xd8", b"\xff\xd8\xff\xe1", b"\0\0\0\x20ftypheic"):
        picture_identifier(io.BytesIO(before + data))
        read_film(io.BytesIO(before + data))
    said(box(b"moov", data, box(b"meta", data)))


JPEG, HEIC = (live_picture(form, IDENTIFIER) for form in ("JPEG", "HEIF"))


@given(places=st.lists(st.integers(0, 8_000), min_size=1, max_size=30))
def test_damaged_bits_do_no_harm(places: list[int]) -> None:
    for whole in (film(identifier=IDENTIFIER), JPEG, HEIC):
        damaged = io.BytesIO(flip_bits(whole, places))
        read_film(damaged)
        picture_identifier(damaged)
