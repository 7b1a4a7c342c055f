from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from app.library.cluster import machine
from app.library.cluster.machine import located_here
from app.library.volumes import split
from app.library.workers.extraction import FileReadingTask, Outcome, extract
from core.systems.volume import Volume
from features.reading.reading_limits import Limits
from tests.app.extractors import Mean, NotFinite
from tests.app.in_this_process import Here
from tests.app.pictures import pgm, task

_CHOSEN = {"mean": Mean()}


def digests(picture: bytes, chosen: dict[str, Mean] = _CHOSEN) -> dict[str, str]:
    return machine.read_trial(Here(1, chosen, None), picture, tuple(chosen), lambda: None)


def test_the_trial_picture_is_the_same_each_time_and_has_keypoints() -> None:
    picture = machine.trial_picture()
    assert machine.trial_picture() == picture
    assert digests(picture) == digests(picture)
    flat = digests(pgm(384, 384))
    assert digests(picture)["keypoints"] != flat["keypoints"]


def test_equal_machines_agree() -> None:
    ours = machine.package_versions()
    assert ours["Python"].startswith("3.")
    assert machine.other_version("archive", ours, dict(ours)) is None
    assert machine.other_reading("archive", {"facts": "1"}, {"facts": "1"}) is None


def test_another_version_is_named_with_the_machine() -> None:
    ours = machine.package_versions()
    told = machine.other_version("archive", ours, ours | {"numpy": "1.0"})
    assert str(told) == f"archive is not used: it has numpy 1.0, this machine {ours['numpy']}."
    assert machine.other_version("archive", ours, {}) is not None


def test_checkouts_of_one_version_differ_by_their_code(tmp_path: Path) -> None:
    def checkout(name: str, **files: str) -> str:
        (tmp_path / name / "deeper").mkdir(parents=True)
        for file, content in files.items():
            (tmp_path / name / "deeper" / f"{file}.py").write_text(content)
        return machine.digest_of_code([tmp_path / name])

    one = checkout("one", first="x = 1", second="y = 2")
    assert checkout("same", second="y = 2", first="x = 1") == one
    others = [checkout("changed", first="x = 1", second="y = 3"), checkout("named", first="x = 1", third="y = 2")]
    assert len({one, *others, checkout("less", first="x = 1")}) == 4
    assert machine.package_versions()["twinlens"].startswith(f"{version('twinlens')} (")


def test_another_reading_is_named_with_the_machine() -> None:
    told = machine.other_reading("archive", {"vector 1": "a", "facts": "b"}, {"vector 1": "c", "facts": "b"})
    assert str(told) == "archive is not used: it reads a trial picture differently (vector 1)."


def test_a_machine_that_cannot_describe_the_picture_differs() -> None:
    picture = machine.trial_picture()
    failed = machine.read_trial(Here(1, {"mean": NotFinite()}, None), picture, ("mean",), lambda: None)
    assert machine.other_reading("archive", digests(picture), failed) is not None


@pytest.fixture
def photograph(tmp_path: Path) -> FileReadingTask:
    path = tmp_path / "one.pgm"
    path.write_bytes(pgm(3))
    return task(path)


def read(found: FileReadingTask | None) -> Outcome | None:
    return None if found is None else extract(found, {}, Limits())


def test_a_file_is_located_by_its_volume_not_by_the_path_elsewhere(photograph: FileReadingTask) -> None:
    volume, relative = split(photograph.path)
    there = FileReadingTask(
        1, b"/elsewhere/one.pgm", photograph.size, photograph.mtime_ns, volume=volume, relative=relative
    )
    found = located_here(there)
    assert found is not None
    assert found.path == photograph.path
    nowhere = Volume("another disk", "", b"/elsewhere")
    assert (
        located_here(FileReadingTask(1, there.path, there.size, there.mtime_ns, volume=nowhere, relative=b"one.pgm"))
        is None
    )


def test_another_file_at_the_same_path_is_not_taken_for_it(photograph: FileReadingTask) -> None:
    assert located_here(photograph) == photograph
    for other in (
        FileReadingTask(1, photograph.path, 99, photograph.mtime_ns),
        FileReadingTask(1, photograph.path, photograph.size, 1),
    ):
        assert located_here(other) is None
