"""The first frame of films, which OpenCV writes here."""

from __future__ import annotations

import io
from datetime import datetime
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.features.live_photos import film
from tests.features.sample_pictures import flip_bits, pixels_of, scene
from twinlens.features.copies.further_frames import further_frames
from twinlens.features.formats.film_frame import film_frame, of_film
from twinlens.features.formats.live_photo import Film
from twinlens.features.formats.types_not_read import is_film
from twinlens.features.pictures.picture import FILM
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, NotAPictureError, UnreadableError

FRAMES = [pixels_of(scene(320, 240, seed)) for seed in (1, 2, 3)]


def written(folder: Path, name: str = "film.mp4", code: str = "mp4v") -> bytes:
    path = folder / name
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*code), 10, (320, 240))
    for frame in FRAMES * 10:
        writer.write(frame[..., ::-1])
    writer.release()
    return path.read_bytes()


@pytest.mark.parametrize(("name", "code"), [("a.mp4", "mp4v"), ("a.mov", "MJPG"), ("a.avi", "MJPG"), ("a.mkv", "MJPG")])
def test_the_first_frame_and_the_length(tmp_path: Path, name: str, code: str) -> None:
    data = written(tmp_path, name, code)
    assert is_film(data[:4096])
    frame, said = film_frame(io.BytesIO(data), Limits())
    picture = of_film(read(frame), said)
    assert np.abs(picture.rgb.astype(int) - FRAMES[0]).mean() < 20, "it is compressed"
    assert np.abs(picture.rgb.astype(int) - FRAMES[1]).mean() > 20
    assert (picture.facts.format, picture.facts.width, picture.facts.height) == (FILM, 320, 240)
    assert picture.facts.metadata is not None
    assert picture.facts.metadata.seconds == pytest.approx(3, abs=0.2)


def test_the_date_of_a_film(tmp_path: Path) -> None:
    frame, _ = film_frame(io.BytesIO(written(tmp_path)), Limits())
    said = Film(4.0, (datetime(2021, 6, 5, 8, 11, 12), datetime(2021, 6, 5, 10, 11, 12)))
    assert of_film(read(frame), said).facts.taken == "2021-06-05T10:11:12 film 19"
    assert of_film(read(frame), Film()).facts.taken is None


def test_a_sequence_of_heic_pictures(tmp_path: Path) -> None:
    data = written(tmp_path)
    data = data.replace(data[4:12], b"ftypmsf1", 1).replace(b"vide", b"pict", 1)
    picture = read(data, "burst.heics")
    assert (picture.facts.format, picture.facts.width, picture.facts.height) == ("HEIC sequence", 320, 240)
    assert np.abs(picture.rgb.astype(int) - FRAMES[0]).mean() < 20
    assert picture.facts.metadata is not None
    assert picture.facts.metadata.frames == 30
    frames = further_frames(data)
    assert frames.count == 30
    assert np.abs(frames.looks[0].astype(int) - FRAMES[1]).mean() < 20
    with pytest.raises(UnreadableError):
        read(data[: len(data) // 3])


def test_what_holds_no_pictures_is_no_film(tmp_path: Path) -> None:
    for nothing in (film(), b"\0\0\0\x18ftypmp42", b"RIFF\0\0\0\0AVI "):
        assert is_film(nothing)
        with pytest.raises(NotAPictureError):
            film_frame(io.BytesIO(nothing), Limits())
    assert not is_film(b"\0\0\0\x18ftypM4A ")
    assert not is_film(b"the free,world")


def test_a_large_frame_is_refused_before_it_is_decoded(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="320 x 240"):
        film_frame(io.BytesIO(written(tmp_path)), Limits(memory_bytes=1 << 20, resting_bytes=0))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return written(tmp_path_factory.mktemp("films"), "film.avi", "MJPG")


@given(places=st.lists(st.integers(0, 40_000), max_size=20), share=st.floats(0.05, 1))
@settings(max_examples=25)
def test_a_damaged_film_gives_a_frame_or_a_reason(whole: bytes, places: list[int], share: float) -> None:
    damaged = flip_bits(whole[: int(share * len(whole))], places)
    try:
        frame, _ = film_frame(io.BytesIO(damaged), Limits())
    except UnreadableError:
        return
    read(frame)
