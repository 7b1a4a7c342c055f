from __future__ import annotations

import hashlib
import io
import os
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from app.library.workers import extraction
from app.library.workers.extraction import (
    PICTURE_ENDINGS,
    FileReadingTask,
    KnownContent,
    Outcome,
    ReadPhotograph,
    UnreadableFile,
    describe_picture,
    extract,
)
from features.descriptor import Extractor
from features.formats.formats import FORMATS
from features.keypoints.keypoints import keypoint_bytes
from features.reading.reading import read
from features.reading.reading_limits import Limits
from tests.app.extractors import MEMORY, RAISE, Mean, Mishap, NotFinite
from tests.app.pictures import pgm, task


def run(path: Path, extractors: dict[str, Extractor] | None = None, **values: Any) -> Outcome:
    extractors = extractors or {}
    return extract(replace(task(path, 7, tuple(extractors)), **values), extractors, Limits())


def encoded(form: str, size: tuple[int, int] = (40, 30), **settings: Any) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, (200, 100, 50)).save(file, form, **settings)
    return file.getvalue()


def test_one_read_gives_hash_facts_thumbnail_and_vectors(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(encoded("JPEG"))
    outcome = run(path, {"mean": Mean(), "again": Mean()})
    assert isinstance(outcome, ReadPhotograph)
    assert (outcome.photograph_id, outcome.path) == (7, os.fsencode(path))
    assert outcome.content_hash == hashlib.sha256(path.read_bytes()).digest()
    assert (outcome.facts.format, outcome.facts.width, outcome.facts.height) == ("JPEG", 40, 30)
    assert Image.open(io.BytesIO(outcome.thumbnail)).size == (40, 30)
    vector = np.frombuffer(outcome.vectors["mean"], "<f2")
    np.testing.assert_allclose(vector * 255, (200, 100, 50), atol=3)
    assert outcome.vectors["again"] == outcome.vectors["mean"]
    assert outcome.keypoints == keypoint_bytes(read(path.read_bytes(), "a.jpg"))


def test_a_query_has_the_vector_that_the_library_keeps(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(encoded("PNG"))
    outcome = run(path, {"mean": Mean()})
    assert isinstance(outcome, ReadPhotograph)
    vector = describe_picture(Mean(), read(path.read_bytes(), "a.png"))
    assert vector.dtype == np.dtype("<f2")
    assert vector.tobytes() == outcome.vectors["mean"]


def test_only_what_is_wanted_is_extracted(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(encoded("PNG"))
    outcome = run(path, {"mean": Mean(), "bad": NotFinite()}, wanted=("mean",))
    assert isinstance(outcome, ReadPhotograph)
    assert outcome.vectors.keys() == {"mean"}


def test_known_content_is_not_decoded(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"no picture, but the library says that it knows it")
    content_hash = hashlib.sha256(path.read_bytes()).digest()
    known = (b"other", content_hash)
    assert run(path, known=known) == KnownContent(7, os.fsencode(path), content_hash)


@pytest.mark.parametrize("name", ["a.JPG", "picture.tiff", "x.NEF", "dir.x/noise.jpeg"])
@pytest.mark.parametrize("content", [b"just a text", b"", bytes(5000), b"%PDF-1.4"])
def test_a_name_that_claims_a_picture_makes_a_problem(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    outcome = run(path)
    assert isinstance(outcome, UnreadableFile)
    assert not outcome.not_a_picture
    assert outcome.reason
    assert outcome.next_step
    assert outcome.content_hash == hashlib.sha256(content).digest()


@pytest.mark.parametrize("name", ["a.txt", "README", "film.mp4", "jpg", "a.jpg.part"])
@pytest.mark.parametrize("content", [b"just a text", b"", bytes(5000), b"\0\0\0\x18ftypmp42"])
def test_anything_else_that_is_no_picture_is_passed_over(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    outcome = run(path)
    assert isinstance(outcome, UnreadableFile)
    assert outcome.not_a_picture


def test_a_film_is_told_by_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "film.mkv"
    path.write_bytes(b"\x1aE\xdf\xa3" + bytes(100_000))
    monkeypatch.setattr(extraction, "_whole", None)
    outcome = run(path)
    assert isinstance(outcome, UnreadableFile)
    assert outcome.not_a_picture
    assert outcome.content_hash is None


@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP", "TIFF", "GIF", "BMP", "AVIF", "PPM", "JPEG2000"])
def test_a_picture_is_known_by_its_bytes_whatever_its_name(tmp_path: Path, form: str) -> None:
    path = tmp_path / "no ending"
    # Large enough that a TIFF's directory, which Pillow writes behind the pixels of some files, is beyond the head.
    path.write_bytes(encoded(form, (200, 150)))
    outcome = run(path, {"mean": Mean()})
    assert isinstance(outcome, ReadPhotograph), outcome


def test_a_tiff_with_its_directory_at_the_end_needs_no_ending(tmp_path: Path) -> None:
    pixels = bytes(100 * 100)
    entries = [(256, 3, 1, 100), (257, 3, 1, 100), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8)]
    entries += [(278, 3, 1, 100), (279, 4, 1, len(pixels))]
    directory = len(entries).to_bytes(2, "little")
    for tag, kind, count, value in entries:
        directory += tag.to_bytes(2, "little") + kind.to_bytes(2, "little")
        directory += count.to_bytes(4, "little") + value.to_bytes(4, "little")
    path = tmp_path / "scan"
    path.write_bytes(b"II*\0" + (8 + len(pixels)).to_bytes(4, "little") + pixels + directory + bytes(4))
    outcome = run(path)
    assert isinstance(outcome, ReadPhotograph), outcome


def test_every_format_has_an_ending_that_claims_it() -> None:
    usual = {"JPEG": ".jpg", "JPEG XL": ".jxl", "JPEG 2000": ".jp2", "RAW": ".nef"}
    usual |= {"Photo CD": ".pcd", "Sun raster": ".ras", "XV thumbnail": ".pnm"}  # xv gives its own no ending
    for form in FORMATS:
        assert usual.get(form.name, f".{form.name.lower()}") in PICTURE_ENDINGS


def test_a_damaged_picture_is_a_problem_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "damaged"
    path.write_bytes(encoded("JPEG")[:300])
    outcome = run(path)
    assert isinstance(outcome, UnreadableFile)
    assert not outcome.not_a_picture
    assert outcome.content_hash is not None
    assert not outcome.fault


def written(path: Path) -> None:
    path.write_bytes(pgm(30))


def lengthened(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"more")


def touched(path: Path) -> None:
    os.utime(path, ns=(0, 0))


@pytest.mark.parametrize("change", [written, lengthened, touched])
@pytest.mark.parametrize("early", [True, False])
def test_a_file_that_changes_is_not_taken_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None], early: bool
) -> None:
    path = tmp_path / "a.pgm"
    path.write_bytes(pgm(20))
    before = task(path)
    read_whole = extraction._whole

    def whole(*arguments: Any) -> bytes:
        data = read_whole(*arguments)
        if not early:
            change(path)
        return data

    monkeypatch.setattr(extraction, "_whole", whole)
    if early:
        change(path)
    outcome = extract(before, {}, Limits())
    assert isinstance(outcome, UnreadableFile)
    assert "changed while it was read" in str(outcome.reason)
    assert not outcome.lost


class _Dribble:
    """A file that gives less than it is asked for, as some network file systems do."""

    def __init__(self, content: bytes) -> None:
        self._file = io.BytesIO(content)

    def read(self, size: int) -> bytes:
        return self._file.read(min(size, 7))


def test_short_reads_are_put_together_and_growing_files_end() -> None:
    content = bytes(range(100))
    assert extraction._whole(_Dribble(content), 100) == content  # type: ignore[arg-type]
    assert extraction._whole(_Dribble(content), 60) == content[:61]  # type: ignore[arg-type]
    assert extraction._whole(io.BytesIO(content), 60) == content[:61]  # type: ignore[arg-type]
    assert extraction._whole(_Dribble(content), 200) == content  # type: ignore[arg-type]


def test_a_file_that_is_gone_says_nothing_of_the_photograph(tmp_path: Path) -> None:
    path = tmp_path / "a.pgm"
    path.write_bytes(pgm(20))
    before = task(path)
    path.unlink()
    outcome = extract(before, {}, Limits())
    assert isinstance(outcome, UnreadableFile)
    assert outcome.lost
    assert "no longer there" in str(outcome.reason)


@pytest.mark.parametrize(
    ("error", "lost", "words"),
    [
        (PermissionError(13, "Permission denied"), False, "permission denied"),
        (OSError(5, "Input/output"), True, "Input"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_problem_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, lost: bool, words: str
) -> None:
    path = tmp_path / "a.pgm"
    path.write_bytes(pgm(20))

    def refuse(*arguments: Any) -> bytes:
        raise error

    monkeypatch.setattr(extraction, "_whole", refuse)
    outcome = run(path)
    assert isinstance(outcome, UnreadableFile)
    assert outcome.lost == lost
    assert words in str(outcome.reason)
    assert outcome.next_step


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
def test_a_pipe_in_the_files_place_does_not_stop_the_worker(tmp_path: Path) -> None:
    path = tmp_path / "a.pgm"
    os.mkfifo(path)
    outcome = extract(FileReadingTask(1, os.fsencode(path), 3, 0), {}, Limits())
    assert isinstance(outcome, UnreadableFile)
    assert "no longer a file" in str(outcome.reason)


def test_a_file_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pgm"
    with path.open("wb") as file:
        file.truncate(900 << 20)
    monkeypatch.setattr(extraction, "_whole", None)
    outcome = extract(task(path), {}, Limits(memory_bytes=400 << 20))
    assert isinstance(outcome, UnreadableFile)
    assert str(outcome.reason) == "Reading it would take 1,028 MB of memory. Twinlens allows 400 MB."


@pytest.mark.parametrize(
    ("extractor", "words"), [(NotFinite(), "AssertionError: NotFinite gave"), (Mishap(), "ZeroDivisionError")]
)
def test_a_fault_of_a_descriptor_costs_one_photograph(tmp_path: Path, extractor: Extractor, words: str) -> None:
    path = tmp_path / "a.pgm"
    path.write_bytes(pgm(RAISE))
    outcome = run(path, {"bad": extractor})
    assert isinstance(outcome, UnreadableFile)
    assert words in str(outcome.reason)
    assert "Traceback" in outcome.fault
    assert outcome.content_hash is not None


def test_want_of_memory_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pgm"
    path.write_bytes(pgm(MEMORY))
    outcome = run(path, {"bad": Mishap()})
    assert isinstance(outcome, UnreadableFile)
    assert "takes more memory than there is" in str(outcome.reason)
    assert not outcome.fault

    def refuse(*arguments: Any) -> bytes:
        error = cv2.error("Insufficient memory")
        error.code = -4
        raise error

    monkeypatch.setattr(extraction, "keypoint_bytes", refuse)
    assert run(path) == outcome
