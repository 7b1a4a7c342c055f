"""The library as it is looked through: names under the photographs, their size, and facts beside them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QSlider
from pytestqt.qtbot import QtBot

from app.gui.frame.workspace import Workspace
from app.gui.library.library_listing import Captions
from app.gui.viewer.viewer import Viewer
from app.library.browsing import photographs as known
from app.library.library import Library
from app.library.saved_state import window_state
from tests.app.gui.looking import LONG, button, named
from tests.app.gui.working import settle, workspace
from tests.app.made_library import FEW_BITS, histograms, make

COUNT = 30


@pytest.fixture
def path(tmp_path: Path) -> Path:
    make(tmp_path / "made.twinlens", histograms(COUNT, seed=5), [FEW_BITS]).close()
    return tmp_path / "made.twinlens"


@pytest.fixture
def work(qtbot: QtBot, path: Path) -> Workspace:
    return workspace(qtbot, Library.open(path))


def left(work: Workspace, row: int) -> str:
    """Return the name under a photograph; a line for none."""
    caption = work.browsing.grid.rows().caption(row)
    return "-" if caption is None else caption.left


def beside(work: Workspace) -> set[str]:
    """Return what is read in the side panel."""
    labels = work.side.findChildren(QLabel)
    return {one.accessibleName() for one in labels if one.isVisibleTo(work.side)}


def photographs(work: Workspace, row: int) -> set[str]:
    """Return name and folder of a photograph."""
    found = known(work.opened.library, [int(work.browsing.grid.rows().ids[row])])[0]
    return {found.name, found.folder}


def test_names_stand_under_the_photographs_where_they_are_wanted(qtbot: QtBot, work: Workspace, path: Path) -> None:
    grid = work.browsing.grid
    low = grid.layout_now.pitch
    assert left(work, 0) == "-"
    button(work, "Names and dates under the photos").click()
    settle(qtbot, work)
    qtbot.waitUntil(lambda: all(left(work, row) not in ("-", "") for row in range(COUNT)), timeout=LONG)
    assert left(work, 0) in beside(work)  # the facts of the current photograph, the first
    assert grid.layout_now.pitch > low
    work.leave_library()()
    library = Library.open(path)
    again = workspace(qtbot, library, dict(window_state(library)))
    assert left(again, 0) != "-"
    again.browsing.toggle_names()
    settle(qtbot, again)
    assert left(again, 0) == "-"
    assert again.browsing.grid.layout_now.pitch == low
    again.leave_library()()


def test_the_slider_and_the_keys_size_the_thumbnails(qtbot: QtBot, work: Workspace) -> None:
    grid = work.browsing.grid
    slider = named(work, "Size of the thumbnails")
    assert isinstance(slider, QSlider)
    slider.setValue(slider.maximum())
    assert grid.tile_side == slider.maximum()
    grid.tile_side = 120
    assert slider.value() == 120
    settle(qtbot, work)
    work.leave_library()()


def test_facts_of_the_current_photograph_stand_beside_the_library_alone(qtbot: QtBot, work: Workspace) -> None:
    ids = work.browsing.grid.rows().ids
    for row in (3, 4):
        work.browsing.grid.set_current(int(ids[row]))
        settle(qtbot, work)
        qtbot.waitUntil(lambda row=row: photographs(work, row) <= beside(work), timeout=LONG)  # type: ignore[misc]
    work.searching.ask_pictures([int(ids[0])])
    settle(qtbot, work)
    work.show_side(True)
    assert not photographs(work, 4) & beside(work)
    work.leave_library()()


def test_a_photograph_shown_large_covers_the_window_and_goes_with_the_library(qtbot: QtBot, work: Workspace) -> None:
    work.viewing.show(work.browsing.grid, int(work.browsing.grid.rows().ids[2]))
    settle(qtbot, work)
    viewer = work.window().findChild(Viewer)
    assert viewer is not None
    assert viewer.isVisible()
    assert viewer.geometry() == work.window().rect()
    work.window().resize(1000, 700)
    assert viewer.geometry() == work.window().rect()
    work.leave_library()()
    assert not viewer.isVisible()


def test_what_is_gone_is_asked_for_once(qtbot: QtBot, work: Workspace) -> None:
    captions = Captions(work.opened, work.jobs, work)
    came: list[bool] = []
    captions.came.connect(lambda: came.append(True))
    captions.came.connect(lambda: captions.of(10**9))  # as a grid that paints again
    captions.of(10**9)
    qtbot.waitUntil(lambda: bool(came), timeout=LONG)
    settle(qtbot, work)
    assert captions.of(10**9).left == ""
    settle(qtbot, work)
    assert len(came) == 1
    work.leave_library()()
