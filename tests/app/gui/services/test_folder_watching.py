"""Photographs that come, change, move and go show by themselves; nothing is done while nothing happens."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries, write_scene
from tests.app.gui.looking import LONG, said
from tests.app.gui.working import opened, settled
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.services import folder_watching
from twinlens.app.gui.services.folder_watching import FolderWatching
from twinlens.app.library.ingest import folder_walk
from twinlens.app.library.library_results import AddResult
from twinlens.app.machine.preferences import Preferences, keep
from twinlens.core.systems import system
from twinlens.storage.database.values import PhotographState


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let changes rest a fifth of a second."""
    monkeypatch.setattr(folder_watching, "REST_MS", 200)
    monkeypatch.setattr(folder_watching, "ASKED_EVERY_MS", 200)
    monkeypatch.setattr(folder_walk, "REST_NS", 200_000_000)


@pytest.fixture
def folder(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.changeable(3, tmp_path / "l.twinlens", within="2019")


@pytest.fixture
def frame(qtbot: QtBot, own_data: None, folder: Path, tmp_path: Path) -> Iterator[MainWindow]:
    shown = opened(qtbot, tmp_path / "l.twinlens")
    watches(qtbot, shown, 2)
    settled(qtbot, shown)
    yield shown
    shown.close()


def watching(frame: MainWindow) -> FolderWatching:
    made = frame.workspace._watching
    assert made is not None
    return made


def watches(qtbot: QtBot, frame: MainWindow, count: int) -> None:
    """Wait until so many folders are watched or asked."""
    qtbot.waitUntil(
        lambda: (
            frame.workspace._watching is not None
            and len(watching(frame)._watched | set(watching(frame)._asked)) == count
        ),
        timeout=LONG,
    )


def names(frame: MainWindow, state: PhotographState = PhotographState.READY) -> list[str]:
    """Return the names of the photographs in a state."""
    with frame.workspace.opened.library.store.reading() as r:
        rows = r.photographs.in_state(state, 0, 1000)
        return sorted(Path(os.fsdecode(row.path)).name for row in rows)


def shows(qtbot: QtBot, frame: MainWindow, *expected: str) -> None:
    qtbot.waitUntil(lambda: names(frame) == sorted(expected), timeout=LONG)
    settled(qtbot, frame)
    grid = frame.workspace.browsing.view.grid
    missing = len(names(frame, PhotographState.MISSING))
    qtbot.waitUntil(lambda: grid.rows().count == len(expected) + missing, timeout=LONG)


THREE = ("0000.jpg", "0001.jpg", "0002.jpg")


def test_what_comes_is_there_soon_and_said(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    write_scene(folder / "2019" / "new.jpg", 50)
    shows(qtbot, frame, *THREE, "new.jpg")
    assert "1 new photo" in said(frame.status)


def test_a_file_that_is_written_to_in_place_is_read_again(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    before = _hashes(frame)
    write_scene(folder / "other.jpg", 51)
    data = (folder / "other.jpg").read_bytes()
    (folder / "other.jpg").unlink()
    with (folder / "2019" / "0001.jpg").open("r+b") as file:
        file.write(data)
        file.truncate()
    qtbot.waitUntil(lambda: len(before - _hashes(frame)) == 1, timeout=LONG)


def _hashes(frame: MainWindow) -> set[bytes | None]:
    with frame.workspace.opened.library.store.reading() as r:
        return {row.content_hash for row in r.photographs.in_state(PhotographState.READY, 0, 1000)}


def test_moves_are_moves_and_what_goes_is_missing(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    with qtbot.waitSignal(watching(frame).added, timeout=LONG) as told:
        (folder / "2019" / "0000.jpg").rename(folder / "moved.jpg")
    assert (told.args[0].moved, told.args[0].removed) == (1, 0)
    shows(qtbot, frame, "moved.jpg", "0001.jpg", "0002.jpg")
    (folder / "2019" / "0001.jpg").unlink()
    shows(qtbot, frame, "moved.jpg", "0002.jpg")


def test_new_folders_are_watched_and_deleted_ones_are_missing(
    qtbot: QtBot, frame: MainWindow, folder: Path, tmp_path: Path
) -> None:
    write_scene(tmp_path / "aside" / "2020" / "spring" / "a.jpg", 52)
    (tmp_path / "aside" / "2020").rename(folder / "2020")
    shows(qtbot, frame, *THREE, "a.jpg")
    qtbot.waitUntil(lambda: len(watching(frame)._watched) == 4, timeout=LONG)
    write_scene(folder / "2020" / "spring" / "b.jpg", 53)
    shows(qtbot, frame, *THREE, "a.jpg", "b.jpg")
    shutil.rmtree(folder / "2020")
    shows(qtbot, frame, *THREE)
    assert names(frame, PhotographState.MISSING) == ["a.jpg", "b.jpg"]


def test_the_whole_folder_goes_and_comes_back(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    folder.rename(folder.with_name("away"))
    qtbot.waitUntil(lambda: names(frame, PhotographState.MISSING) == list(THREE), timeout=LONG)
    settled(qtbot, frame)
    folder.with_name("away").rename(folder)  # nobody watches the folder around it
    shows(qtbot, frame, *THREE)
    write_scene(folder / "2019" / "new.jpg", 63)  # and those in it are watched again
    shows(qtbot, frame, *THREE, "new.jpg")


def test_a_file_that_is_still_written_waits_until_it_rests(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    data = write_scene(folder.parent / "aside.jpg", 54).read_bytes()
    looked: list[AddResult] = []
    watching(frame).added.connect(looked.append)
    with (folder / "slow.jpg").open("wb") as file:
        for start in range(0, len(data), len(data) // 12):
            file.write(data[start : start + len(data) // 12])
            file.flush()
            qtbot.wait(60)
        assert looked == []
    shows(qtbot, frame, *THREE, "slow.jpg")
    assert [one.problems for one in looked] == [0]


def test_what_is_no_photograph_is_no_work(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    began: list[bool] = []
    frame.workspace.work.working.connect(began.append)
    (folder / ".hidden").write_text("x")
    (folder / "2019" / "0000.jpg").touch()
    os.utime(folder / "2019" / "0000.jpg", ns=(time.time_ns(), (folder / "2019" / "0001.jpg").stat().st_mtime_ns))
    (folder / ".hidden").unlink()
    write_scene(folder / "new.jpg", 55)
    shows(qtbot, frame, *THREE, "new.jpg")
    settled(qtbot, frame)
    assert began in ([True, False], [True, False] * 2)  # for the photograph, and perhaps for a time that has changed


def test_many_come_while_the_folders_are_looked_through(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    frame.workspace.adding.rescan()
    expected = [f"m{number:02}.jpg" for number in range(30)]
    for number, name in enumerate(expected):
        write_scene(folder / "2019" / name, 100 + number)
    shows(qtbot, frame, *THREE, *expected)


def test_it_can_be_switched_off_and_on(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    keep(Preferences(rescan_on_start=False, watch_folders=False))
    frame.workspace.preferences_changed.emit()
    assert not watching(frame).is_on()
    assert not watching(frame)._watched
    write_scene(folder / "new.jpg", 55)
    keep(Preferences(rescan_on_start=False))
    frame.workspace.preferences_changed.emit()
    qtbot.waitUntil(lambda: len(watching(frame)._watched) == 2, timeout=LONG)
    write_scene(folder / "other.jpg", 56)
    shows(qtbot, frame, *THREE, "new.jpg", "other.jpg")


@pytest.mark.parametrize("limit", [0, 1])
def test_folders_elsewhere_and_beyond_the_limit_are_asked(
    qtbot: QtBot, own_data: None, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(folder_watching, "MOST_WATCHED", limit)
    monkeypatch.setattr(system, "is_remote", lambda __: limit == 0)
    shown = opened(qtbot, tmp_path / "l.twinlens")
    watches(qtbot, shown, 2)
    assert len(watching(shown)._asked) == 2 - limit
    settled(qtbot, shown)
    write_scene(folder / "2019" / "new.jpg", 57)
    qtbot.waitUntil(lambda: names(shown) == sorted([*THREE, "new.jpg"]), timeout=LONG)
    shown.close()


def test_lost_events_have_everything_looked_at(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    write_scene(folder / "2019" / "new.jpg", 58)
    watching(frame)._due.clear()
    watching(frame).note([], everything=True)
    shows(qtbot, frame, *THREE, "new.jpg")


def test_qt_tells_where_the_system_has_no_events_of_its_own(
    qtbot: QtBot, frame: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "folder_events", lambda: None)
    watching(frame).stop()
    watching(frame).begin()
    qtbot.waitUntil(lambda: len(watching(frame)._watched) == 2, timeout=LONG)
    write_scene(folder / "2019" / "new.jpg", 59)
    shows(qtbot, frame, *THREE, "new.jpg")


def test_an_added_folder_is_watched(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    write_scene(tmp_path / "More" / "x.jpg", 60)
    frame.workspace.adding.add([tmp_path / "More"])
    qtbot.waitUntil(lambda: os.fsencode(tmp_path / "More") in watching(frame)._watched, timeout=LONG)
    write_scene(tmp_path / "More" / "y.jpg", 61)
    shows(qtbot, frame, *THREE, "x.jpg", "y.jpg")


def test_a_note_beside_a_photograph_is_read_and_others_stay(qtbot: QtBot, frame: MainWindow, folder: Path) -> None:
    def noted() -> int:
        with frame.workspace.opened.library.store.reading() as r:
            return len(r.sidecar_notes.all())

    note = '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
    note += '<rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>'
    (folder / "2019" / "0001.xmp").write_text(note)
    qtbot.waitUntil(lambda: noted() == 1, timeout=LONG)
    settled(qtbot, frame)
    write_scene(folder / "new.jpg", 62)  # above it
    shows(qtbot, frame, *THREE, "new.jpg")
    assert noted() == 1
