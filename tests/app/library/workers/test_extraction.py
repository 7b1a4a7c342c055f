"""Files are read into what a library keeps of them; every photograph has its keypoints, and none is read twice."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from tests.app.extractors import MEMORY, RAISE, Mean, Mishap, NotFinite
from tests.app.folders import write_scene, write_scenes
from tests.app.in_this_process import Here
from tests.app.pictures import pgm, task
from twinlens.app.indexes.standard_indexes import best_descriptor
from twinlens.app.library.ingest.adding import add, rescan
from twinlens.app.library.ingest.forgotten_folders import forget
from twinlens.app.library.library import Library
from twinlens.app.library.library_status import library_status
from twinlens.app.library.workers import extraction, file_contents
from twinlens.app.library.workers.decoding_tasks import DecodingTask
from twinlens.app.library.workers.extraction import (
    KnownContent,
    Outcome,
    ReadPhotograph,
    UnreadableFile,
    describe_picture,
    extract,
)
from twinlens.app.library.workers.file_contents import PICTURE_ENDINGS, FileReadingTask
from twinlens.app.methods import catalogue
from twinlens.features.descriptor import Extractor
from twinlens.features.formats.formats import FORMATS
from twinlens.features.keypoints import sift
from twinlens.features.keypoints.keypoints import KEYPOINTS_VERSION, keypoint_bytes, restored_keypoints
from twinlens.features.pictures.picture import Picture
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import Limits, UnreadableError
from twinlens.storage.integrity.integrity_check import check


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
    monkeypatch.setattr(file_contents, "_whole", None)
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
    usual = {"HEIC sequence": ".heics", "JPEG": ".jpg", "JPEG XL": ".jxl", "JPEG 2000": ".jp2", "RAW": ".nef"}
    usual |= {"JPEG XR": ".jxr", "OpenEXR": ".exr", "Radiance": ".hdr", "PFM in colour": ".pfm"}
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
    read_whole = file_contents._whole

    def whole(*arguments: Any) -> bytes:
        data = read_whole(*arguments)
        if not early:
            change(path)
        return data

    monkeypatch.setattr(file_contents, "_whole", whole)
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
    assert file_contents._whole(_Dribble(content), 100) == content  # type: ignore[arg-type]
    assert file_contents._whole(_Dribble(content), 60) == content[:61]  # type: ignore[arg-type]
    assert file_contents._whole(io.BytesIO(content), 60) == content[:61]  # type: ignore[arg-type]
    assert file_contents._whole(_Dribble(content), 200) == content  # type: ignore[arg-type]


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

    monkeypatch.setattr(file_contents, "_whole", refuse)
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
    monkeypatch.setattr(file_contents, "_whole", None)
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


(CAP,) = catalogue.descriptor(best_descriptor()).caps


@pytest.fixture(autouse=True)
def _none_decoded() -> None:
    Here.decoded.clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_scenes(tmp_path / "photographs", 3)
    return tmp_path / "photographs"


@pytest.fixture
def library(tmp_path: Path, folder: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.twinlens", create=True) as made:
        add(made, [folder])
        yield made


def of_all(library: Library) -> dict[str, bytes | None]:
    """Return what is kept of every photograph, by the file's name."""
    with library.store.reading() as r:
        rows = r.photographs.by_id(range(1, 100))
        names = [Path(os.fsdecode(row.path)).name for row in rows]
        return dict(zip(names, r.keypoints.read([row.id for row in rows], KEYPOINTS_VERSION), strict=True))


def expected(*paths: Path) -> dict[str, bytes | None]:
    return {path.name: keypoint_bytes(read(path.read_bytes(), path.name), CAP) for path in paths}


def lose(library: Library, *ids: int) -> None:
    """Make photographs lack their keypoints."""
    with library.store.writing() as w:
        w.connection.exec_driver_sql("DELETE FROM keypoints WHERE photograph_id = ?", [(i,) for i in ids])
    Here.decoded.clear()


def test_what_is_kept_is_what_the_picture_shows(library: Library, folder: Path) -> None:
    assert of_all(library) == expected(*folder.iterdir())
    assert all(len(restored_keypoints(data or b"")) > 50 for data in of_all(library).values())
    assert check(library.store).findings == []


def test_photographs_without_keypoints_are_read_with_the_next_look(library: Library, folder: Path) -> None:
    before = library_status(library)
    lose(library, 1, 3)
    assert check(library.store).findings == []
    now = library_status(library)
    assert (now.photographs, now.pending, now.problems) == (3, 0, 0)
    assert now.indexes == before.indexes
    result = rescan(library)
    assert (result.added, result.changed, result.problems) == (0, 0, 0)
    assert Here.decoded == ["0000.jpg", "0002.jpg"]
    assert of_all(library) == expected(*folder.iterdir())
    rescan(library)
    assert Here.decoded == ["0000.jpg", "0002.jpg"]


def test_those_of_another_version_are_made_anew(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ingest", "batches", "known_contents"):
        monkeypatch.setattr(f"twinlens.app.library.ingest.{module}.KEYPOINTS_VERSION", KEYPOINTS_VERSION + 1)
    Here.decoded.clear()
    rescan(library)
    rescan(library)
    assert Here.decoded == ["0000.jpg", "0001.jpg", "0002.jpg"]
    assert list(of_all(library).values()) == [None] * 3


def test_a_picture_without_any_is_not_read_again(library: Library, folder: Path) -> None:
    Image.fromarray(np.full((40, 60, 3), 99, np.uint8)).save(folder / "blank.png")
    add(library, [folder])
    data = of_all(library)["blank.png"]
    assert data is not None
    assert len(restored_keypoints(data)) == 0
    Here.decoded.clear()
    rescan(library)
    assert Here.decoded == []


def test_a_changed_file_has_the_new_ones(library: Library, folder: Path) -> None:
    write_scene(folder / "0001.jpg", 50)
    rescan(library)
    assert of_all(library) == expected(*folder.iterdir())


def test_a_copy_has_them_without_being_read(library: Library, folder: Path) -> None:
    shutil.copy(folder / "0001.jpg", folder / "copy.jpg")
    Here.decoded.clear()
    assert add(library, [folder]).added == 1
    assert Here.decoded == []
    assert of_all(library) == expected(*folder.iterdir())


def test_a_file_that_became_a_copy_has_those_of_the_other(library: Library, folder: Path) -> None:
    shutil.copy(folder / "0001.jpg", folder / "0002.jpg")
    Here.decoded.clear()
    assert rescan(library).changed == 1
    assert Here.decoded == []
    assert of_all(library) == expected(*folder.iterdir())


def test_a_copy_of_what_lacks_them_is_read(library: Library, folder: Path) -> None:
    lose(library, 2)
    shutil.copy(folder / "0001.jpg", folder / "copy.jpg")
    add(library, [folder])
    assert of_all(library) == expected(*folder.iterdir())


def test_a_moved_file_keeps_them(library: Library, folder: Path) -> None:
    (folder / "0001.jpg").rename(folder / "renamed.jpg")
    Here.decoded.clear()
    assert add(library, [folder]).moved == 1
    assert Here.decoded == []
    assert of_all(library) == expected(*folder.iterdir())


def test_a_moved_file_of_an_older_library_has_them(library: Library, folder: Path) -> None:
    lose(library, 2)
    (folder / "0001.jpg").rename(folder / "renamed.jpg")
    add(library, [folder])
    assert of_all(library) == expected(*folder.iterdir())


def test_copies_that_lack_them_share_what_is_read_first(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(folder / "0001.jpg", folder / "copy.jpg")
    add(library, [folder])
    lose(library, 2, 4)
    with library.store.writing() as w:
        w.descriptors.remove([2, 4])
    # Each is kept before the next one is looked for, as in a large library.
    monkeypatch.setattr("twinlens.app.library.ingest.ingest._PAGE", 1)
    monkeypatch.setattr("twinlens.app.library.ingest.batches.BATCH_PHOTOGRAPHS", 1)
    rescan(library)
    assert Here.decoded == ["0001.jpg"]
    assert of_all(library) == expected(*folder.iterdir())
    with library.store.reading() as r:
        assert all(r.descriptors.count(kind) == 4 for kind in r.descriptors.kinds())


def test_a_touched_file_keeps_them(library: Library, folder: Path) -> None:
    os.utime(folder / "0001.jpg", (1, 1))
    Here.decoded.clear()
    assert rescan(library).changed == 0
    assert Here.decoded == []
    assert of_all(library) == expected(*folder.iterdir())


def test_forgetting_removes_them(library: Library, folder: Path) -> None:
    forget(library, folder)
    with library.store.reading() as r:
        assert r.connection.exec_driver_sql("SELECT count(*) FROM keypoints").scalar() == 0


def test_sift_is_run_once(folder: Path, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    caps: list[sift.Cap] = []
    find = sift._find

    def counted(picture: Picture, cap: sift.Cap) -> sift.LocalFeatures:
        caps.append(cap)
        return find(picture, cap)

    monkeypatch.setattr(sift, "_find", counted)
    write_scene(folder / "new.jpg", 185_001)  # no other test reads it: what was read in this process is remembered
    add(library, [folder])
    assert caps == [CAP]


def _film(path: Path, frames: int = 80) -> bytes:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), 10, (320, 240))
    for at in range(frames):
        writer.write(np.full((240, 320, 3), (20, 60 + at, 200), np.uint8))
    writer.release()
    return path.read_bytes()


def test_a_film_is_read_by_its_first_frame(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    data = _film(path)
    outcome = run(path, {"mean": Mean()})
    assert isinstance(outcome, ReadPhotograph)
    assert outcome.content_hash == hashlib.sha256(data).digest(), "of the whole file"
    assert (outcome.facts.format, outcome.facts.width, outcome.facts.height) == ("Film", 320, 240)
    assert outcome.facts.metadata is not None
    assert outcome.facts.metadata.seconds == pytest.approx(8, abs=0.2)
    vector = np.frombuffer(outcome.vectors["mean"], "<f2")
    np.testing.assert_allclose(vector * 255, (200, 60, 20), atol=12)
    known = run(path, {"mean": Mean()}, known=(outcome.content_hash,))
    assert isinstance(known, KnownContent)


@pytest.mark.parametrize(("seconds", "beside", "is_part"), [(3, True, True), (3, False, False), (8, True, False)])
def test_the_film_of_a_live_photo_is_part_of_it(tmp_path: Path, seconds: int, beside: bool, is_part: bool) -> None:
    path = tmp_path / "IMG_1.MOV"
    _film(path, 10 * seconds)
    if beside:
        (tmp_path / "IMG_1.HEIC").write_bytes(b"a picture")
    outcome = run(path)
    if is_part:
        assert isinstance(outcome, UnreadableFile)
        assert outcome.not_a_picture
    else:
        assert isinstance(outcome, ReadPhotograph)


def test_a_viewer_shows_the_first_frame_of_a_film(tmp_path: Path) -> None:
    path = tmp_path / "clip.mp4"
    digest = hashlib.sha256(_film(path)).digest()
    shown = DecodingTask(task(path), name="clip.mp4", side=2000, content_hash=digest)(Limits())
    assert (shown.facts.format, shown.rgb.shape) == ("Film", (240, 320, 3))
    part = DecodingTask(task(path), name="clip.mp4", region=(0, 0, 0.5, 0.5))(Limits())
    assert part.rgb.shape == (120, 160, 3)
    path.write_bytes(path.read_bytes() + b"\0")
    with pytest.raises(UnreadableError, match="not the one"):
        DecodingTask(task(path), name="clip.mp4", content_hash=digest)(Limits())


def test_a_photograph_that_lacks_its_end_is_read_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "cut.jpg"
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 256, (480, 640, 3), dtype=np.uint8))
    noise.save(path, quality=90)
    path.write_bytes(path.read_bytes()[: -path.stat().st_size // 100])
    outcome = run(path)
    assert isinstance(outcome, ReadPhotograph)
    assert outcome.facts.metadata is not None
    assert 0 < outcome.facts.metadata.lacking < 0.1
