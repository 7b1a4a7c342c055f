"""Pictures are decoded by worker processes within their memory: a bad one costs a sentence."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFile

from tests.app.extractors import ABORT, HANG, LEAVE, RAISE, MishapLook
from tests.app.folders import Libraries, added, write_scene
from tests.features.sample_pictures import encode, scene
from twinlens.app.cli.main import main
from twinlens.app.compare.columns import ComparisonColumn
from twinlens.app.compare.comparison import ComparisonSettings, compare_indexes
from twinlens.app.describe import describe_pictures
from twinlens.app.evaluate.evaluation import evaluate
from twinlens.app.evaluate.evaluation_settings import EvaluationSettings
from twinlens.app.indexes.fitted_models import drawn_pictures
from twinlens.app.library.library import Library
from twinlens.app.library.pictures import example, large_picture, picture_to_crop, thumbnails
from twinlens.app.library.workers import decoders, decoding
from twinlens.app.library.workers.capacity import preferred_limits, usual_allowance
from twinlens.app.library.workers.decoding_tasks import WorkerLimits
from twinlens.app.machine.app_folders import preferences_file
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.search.search_options import SearchOptions
from twinlens.app.search.search_query import Example, SearchQuery
from twinlens.app.search.searcher import Searcher, search
from twinlens.app.vector_requests import Description
from twinlens.core.errors import Cancelled, TwinlensError
from twinlens.core.progress import stopped_by
from twinlens.core.systems import plain, system
from twinlens.core.worker_process import receive, send
from twinlens.features.query.words_and_colours import Stroke, paint, sketch_png
from twinlens.features.reading.reading import read
from twinlens.features.reading.reading_limits import UnreadableError

ROOT = Path(__file__).parents[4]
pytestmark = pytest.mark.usefixtures("decoder_processes")
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc")


@pytest.fixture(scope="module")
def library(libraries: Libraries, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(libraries.copy(6, tmp_path_factory.mktemp("library") / "a.twinlens")) as opened:
        yield opened


@pytest.fixture
def mishaps(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let decoders do what pictures of some widths say."""
    monkeypatch.setattr("twinlens.app.library.workers.decoding.DecodingTask", MishapLook)
    yield
    decoders.end()


def picture(place: Path, width: int) -> Path:
    path = place / f"{width}.png"
    path.write_bytes(encode(scene(width, 80), "PNG"))
    return path


def looks_at(library: Library, file: Path) -> None:
    """Look at a file in every way in which a person does."""
    for asked in (file, file.read_bytes()):
        for region in (None, (0.0, 0.0, 0.5, 1.0)):
            search(library, [SearchQuery((Example(asked, region=region),))], ["Colours"])
        picture_to_crop(library, asked)
        example(library, asked)


# ---- where pictures are decoded --------------------------------------------------------------------------------------
@pytest.mark.usefixtures("worker_processes")
def test_no_picture_is_decoded_or_described_in_this_process(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a picture is decoded or described in the program's own process")

    outside = write_scene(tmp_path / "outside.jpg", 99)
    sketch = tmp_path / "sketch.png"
    sketch.write_bytes(sketch_png(paint([Stroke((200, 20, 20), [(0.1, 0.5), (0.9, 0.5)], 0.4)])))
    monkeypatch.setattr(ImageFile.ImageFile, "__init__", refuse)
    monkeypatch.setattr("twinlens.features.reading.reading.recognise", refuse)
    monkeypatch.setattr("twinlens.app.library.workers.extraction.describe_picture", refuse)
    monkeypatch.setattr("twinlens.app.search.describing_tasks.picture_views", refuse)
    monkeypatch.setattr("twinlens.features.keypoints.sift._find", refuse)
    monkeypatch.setattr("twinlens.features.pictures.edits.Edit.apply", refuse)
    monkeypatch.setattr("cv2.imdecode", refuse)
    with pytest.raises(AssertionError):
        read(outside.read_bytes())
    looks_at(library, outside)
    search(library, [outside, 1])
    search(library, [SearchQuery((Example(sketch, sketch=True),))], ["Colours"])
    large_picture(library, 1)
    compare_indexes(Searcher(library), outside, ComparisonSettings([ComparisonColumn("Colours")]))
    evaluate(library, EvaluationSettings(photographs=1, edits=("mirror", "pasted")))
    assert len(list(drawn_pictures([os.fsencode(outside)] * 3))) == 3
    target = OutputFile(tmp_path / "colours.npy")
    describe_pictures(Description(descriptor="colour", target=target, sources=(tmp_path,), workers=1))
    with library.store.reading() as r:
        _, hashes = r.photographs.contents(np.array([1]))
    library.thumbnails.remove(hashes)
    assert all(thumbnails(library, hashes).values())


def test_a_picture_comes_as_from_its_decoder(tmp_path: Path) -> None:
    transparent = encode(
        Image.fromarray(np.dstack((np.asarray(scene(90, 60)), np.eye(60, 90, dtype=np.uint8) * 255))), "PNG"
    )
    file = write_scene(tmp_path / "one.jpg", 1, 1500, 1000)
    for source, data in ((transparent, transparent), (file, file.read_bytes())):
        given, own = decoding.picture(source, side=1200), read(data, side=1200)
        assert given.facts == own.facts
        np.testing.assert_array_equal(given.rgb, own.rgb)
        assert (given.mask is None) == (own.mask is None)
        if given.mask is not None and own.mask is not None:
            np.testing.assert_array_equal(given.mask, own.mask)
    assert not given.rgb.flags.writeable


def test_a_photograph_that_is_known_needs_no_process(library: Library) -> None:
    decoders.end()
    search(library, [1], options=SearchOptions(check=False))
    search(library, [1], ["Colours"])
    search(library, [1])
    assert not decoders.is_warm()


def test_what_is_no_picture_is_a_sentence(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jpg"
    for path, words in ((tmp_path, "is a folder"), (tmp_path / "gone.jpg", "There is no picture")):
        with pytest.raises(TwinlensError, match=words):
            decoding.picture(path)
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        with pytest.raises(TwinlensError, match="There is no picture"):
            decoding.picture(pipe)
    with pytest.raises(UnreadableError):
        decoding.picture(b"no picture")


# ---- mishaps ---------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("mishaps")
def test_a_crash_costs_one_sentence_wherever_a_picture_is_asked_for(library: Library, tmp_path: Path) -> None:
    bad = picture(tmp_path, ABORT)
    with pytest.raises(TwinlensError, match="ended unexpectedly"):
        search(library, [bad])
    with pytest.raises(TwinlensError, match="ended unexpectedly"):
        picture_to_crop(library, bad.read_bytes())
    assert example(library, bad) == (bad.name, b"")
    (one,) = decoding.pictures([bad, picture(tmp_path, 64), bad])
    assert one.facts.width == 64
    for width, words in ((LEAVE, "exit code 3"), (RAISE, "ZeroDivisionError")):
        with pytest.raises(UnreadableError, match=words):
            decoding.picture(picture(tmp_path, width))
    assert search(library, [picture(tmp_path, 64)], ["Colours"]).results[0].hits


@pytest.mark.usefixtures("mishaps")
def test_a_photograph_of_the_library_that_crashes_its_decoder_is_a_sentence_in_the_viewer(tmp_path: Path) -> None:
    write_scene(tmp_path / "photographs" / "a.jpg", 1, ABORT, 80)
    added(tmp_path / "a.twinlens", tmp_path / "photographs")
    with Library.open(tmp_path / "a.twinlens") as library:
        with pytest.raises(TwinlensError, match="ended unexpectedly"):
            large_picture(library, 1)
        assert [hit.id for hit in search(library, [1]).results[0].hits] == [1]  # by what the library keeps of it


@pytest.mark.usefixtures("mishaps")
def test_the_command_says_it_and_ends_with_2(
    library: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--library", library.address.shown, "search", str(picture(tmp_path, ABORT))])
    assert ended.value.code == 2
    assert "the process that did it ended unexpectedly" in capsys.readouterr().err


@pytest.mark.usefixtures("mishaps")
def test_a_picture_that_takes_too_long_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decoders.end()
    monkeypatch.setattr(WorkerLimits, "seconds", 0.5)
    with pytest.raises(UnreadableError, match=r"longer than the 0.5 seconds"):
        decoding.picture(picture(tmp_path, HANG))


# ---- waiting ---------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("mishaps")
def test_work_in_the_background_that_hangs_keeps_nobody_waiting(tmp_path: Path) -> None:
    hanging, stop, ended = picture(tmp_path, HANG), threading.Event(), []

    def look() -> None:
        if stop.is_set():
            raise Cancelled

    def work() -> None:
        try:
            with stopped_by(look):
                list(decoding.pictures([hanging] * 20))
        except Cancelled:
            ended.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert decoding.picture(picture(tmp_path, 64)).facts.width == 64
        assert thread.is_alive()
    finally:
        stop.set()
        thread.join()
    assert ended


@pytest.mark.usefixtures("mishaps")
def test_a_question_that_is_taken_back_is_not_waited_for(tmp_path: Path) -> None:
    hanging, good = picture(tmp_path, HANG), picture(tmp_path, 64)

    def stop() -> None:
        if decoders._people._busy[-1]._ready:  # it hangs already
            raise Cancelled

    for _ in range(3):  # more often than there are processes
        with stopped_by(stop), pytest.raises(Cancelled):
            decoding.picture(hanging)
    assert decoding.picture(good).facts.width == 64


def test_a_process_that_rests_is_ended_but_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoders, "_REST_S", 0.05)
    list(decoding.pictures([picture(tmp_path, 64)]))
    decoding.picture(picture(tmp_path, 64))
    for _ in range(200):
        if not decoders._background._resting:
            break
        time.sleep(0.05)
    assert not decoders._background._resting
    assert decoders.is_warm()


def test_a_process_that_is_killed_while_it_rests_costs_nothing(tmp_path: Path) -> None:
    file = picture(tmp_path, 64)
    decoding.picture(file)
    decoders._people._resting[-1].kill()
    assert decoding.picture(file).facts.width == 64


# ---- the end ---------------------------------------------------------------------------------------------------------
_PROGRAM = """
import sys, threading, time
from pathlib import Path
from twinlens.app.library.workers import decoders, decoding
from tests.app.extractors import MishapLook
if __name__ == "__main__":
    decoding.DecodingTask = MishapLook
    decoding.picture(Path(sys.argv[1]))
    threading.Thread(target=decoding.picture, args=(Path(sys.argv[2]),), daemon=True).start()
    while not decoders._people._busy:
        time.sleep(0.01)
    print(decoders._people._busy[0]._process.pid, flush=True)
    if sys.argv[3] == "wait":
        time.sleep(600)
"""


@linux_only
@pytest.mark.parametrize("how", ["wait", "end"])
def test_no_process_outlives_the_program(tmp_path: Path, how: str) -> None:
    script = tmp_path / "program.py"
    script.write_text(_PROGRAM)
    command = [sys.executable, str(script), str(picture(tmp_path, 64)), str(picture(tmp_path, HANG)), how]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        decoder = int(process.stdout.readline())
        if how == "wait":
            process.kill()
        process.communicate(timeout=60)  # a process that lived on would hold this output open
    for _ in range(400):
        if not Path(f"/proc/{decoder}").exists():
            break
        time.sleep(0.05)
    assert not Path(f"/proc/{decoder}").exists()


@pytest.mark.parametrize("twin", [system, plain], ids=["own", "plain"])
def test_an_array_goes_across_in_memory_that_both_can_see_or_through_the_pipe(
    monkeypatch: pytest.MonkeyPatch, twin: ModuleType
) -> None:
    for name in ("send_memory", "receive_memory"):
        monkeypatch.setattr(system, name, getattr(twin, name))
    ours, theirs = multiprocessing.Pipe()
    for shape in ((3, 5, 3), (1700, 1700, 3)):  # one that is copied, one that is not
        array = np.random.default_rng(0).integers(0, 256, shape, np.uint8)
        array.flags.writeable = False
        thread = threading.Thread(target=send, args=(theirs, ("array", array)))
        thread.start()
        _, found = receive(ours)
        thread.join()
        np.testing.assert_array_equal(found, array)
        assert not found.flags.writeable
    for pipe in (ours, theirs):
        pipe.close()


@given(st.integers(1, 256), st.integers(1 << 28, 1 << 42))
def test_all_processes_together_take_a_share_of_the_machine(workers: int, machine: int) -> None:
    each = usual_allowance(workers, machine)
    assert 256 << 20 <= each <= 2048 << 20
    assert each == 256 << 20 or each * workers <= machine * 0.75


def test_what_is_preferred_goes_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path))
    assert preferred_limits(3).memory_bytes == usual_allowance(3)
    preferences_file().write_text('{"key": "preferences", "worker_memory": 400}')  # as versions before wrote it
    limits = preferred_limits(3)
    assert limits.memory_bytes == limits.picture.memory_bytes == 400 << 20


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has control groups")
def test_a_container_with_less_memory_than_its_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limited, unlimited = tmp_path / "limited", tmp_path / "unlimited"
    limited.write_text("314572800\n")
    unlimited.write_text("max\n")
    monkeypatch.setattr(system, "CONTROL_GROUPS", (unlimited, tmp_path / "missing"))
    whole = system.memory_bytes()
    assert whole > 314572800
    monkeypatch.setattr(system, "CONTROL_GROUPS", (unlimited, limited))
    assert system.memory_bytes() == 314572800


_HELD = """
import numpy as np
from twinlens.app.library.workers.worker import give_back, hold_to
from twinlens.core.systems import system
from twinlens.features.reading.reading_limits import RESTING_BYTES, Limits

small = [bytearray(50_000) for _ in range(6_000)]  # each too small for the C library to return it at once
last = bytearray(50_000)
del small
before = system.resident_memory()
give_back()
print(before - system.resident_memory())
hold_to(400 << 20)
np.ones((400 << 20) - RESTING_BYTES, np.uint8)  # what a picture may take
try:
    np.ones(400 << 20, np.uint8)
except MemoryError:
    print(Limits(400 << 20).exceeded("PNG").message)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux has such a limit")
def test_a_process_is_held_to_its_allowance_and_gives_memory_back() -> None:
    told = subprocess.run([sys.executable, "-c", _HELD], capture_output=True, text=True, check=True, timeout=60).stdout
    given_back, sentence = told.splitlines()
    assert int(given_back) > 100 << 20
    assert sentence == "This PNG picture takes more than the 400 MB of memory that Twinlens allows."
