"""Photographs side by side: what they show lies at the same place, zoomed and moved together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.duplicates.side_by_side import align_photographs
from app.gui.frame.workspace import Workspace
from app.gui.pictures.images import rgb_of
from app.gui.viewer.picture_stage import ComparisonMode
from app.gui.viewer.side_by_side import SideBySide
from app.library.library import Library
from app.search.search_query import Example, SearchQuery
from features.pictures.edits import EDITS
from tests.app.duplicates.test_duplicates import save
from tests.app.folders import added, ids_by_name
from tests.app.gui.looking import LONG, button, said, words
from tests.app.gui.working import settle, workspace
from tests.features.copies.test_relation import rich

MADE = {one.name: one for one in EDITS}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library of a photograph, a crop of it, it turned and mirrored, and another one."""
    folder = tmp_path_factory.mktemp("beside")
    one, other = rich(1), rich(2)
    save(one, folder / "photographs" / "a.jpg", 95, taken="2023:05:14 11:08:00")
    for name in ("crop 50 %", "turn 30", "mirror"):
        save(MADE[name].apply(one, other, 3), folder / "photographs" / f"{name.split()[0]}.jpg", 60)
    save(other, folder / "photographs" / "other.jpg")
    added(folder / "a.twinlens", folder / "photographs")
    return folder / "a.twinlens"


@pytest.fixture
def space(qtbot: QtBot, place: Path) -> Iterator[Workspace]:
    with Library.open(place) as library:
        made = workspace(qtbot, library)
        yield made
        made.jobs.finish()


def look(qtbot: QtBot, space: Workspace, *names: str) -> SideBySide:
    """See photographs side by side, all of their pictures there."""
    ids = ids_by_name(space.opened.library.address.path)
    space.look_side_by_side([ids[f"{name}.jpg"] for name in names])
    view = space.beside.view
    qtbot.waitUntil(lambda: len(view.stage.pictures) == len(names), timeout=LONG)
    settle(qtbot, space)
    qtbot.waitUntil(lambda: all(max(one.size) > 300 for one in view.stage.pictures), timeout=LONG)
    return view


def test_facts_say_what_is_better(place: Path) -> None:
    ids = ids_by_name(place)
    with Library.open(place) as library:
        first, second, third = align_photographs(library, [ids["a.jpg"], ids["crop.jpg"], ids["other.jpg"]])
    assert {"pixels", "bytes", "taken", "camera"} <= first.better
    assert not second.better & {"pixels", "bytes"}
    assert str(second.differs[0]).startswith("cropped")
    assert second.places is not None
    assert third.places is None


@pytest.mark.parametrize("name", ["crop", "turn", "mirror"])
def test_what_is_shown_lies_at_the_same_place(qtbot: QtBot, space: Workspace, name: str) -> None:
    view = look(qtbot, space, "a", name)
    view.set_mode(ComparisonMode.DIFFERENCE)
    apart = rgb_of(view.stage.difference())
    seen = apart[(apart != 30).any(axis=2)]
    aligned = float(np.median(seen))
    button(view, "Same place").click()
    loose = rgb_of(view.stage.difference())
    assert len(seen) > 5_000
    assert aligned < 0.5 * float(np.median(loose[(loose != 30).any(axis=2)]))


def test_keys_zoom_move_and_compare(qtbot: QtBot, space: Workspace) -> None:
    view = look(qtbot, space, "a", "crop", "other")
    key = Qt.Key
    assert len(view.stage.panes()) == 3
    fitted = view.stage.level()
    QTest.keyClick(view, key.Key_1)
    assert view.stage.level() == pytest.approx(1.0)
    before = view.grab().toImage()
    QTest.keyClick(view, key.Key_Left)
    assert view.grab().toImage() != before
    QTest.keyClick(view, key.Key_0)
    assert view.stage.level() == pytest.approx(fitted)
    QTest.keyClick(view, key.Key_F)
    QTest.keyClick(view, key.Key_F)
    assert len(view.stage.panes()) == 1
    assert "crop.jpg" in view.accessibleDescription()
    for press, mode in (
        (key.Key_S, ComparisonMode.SLIDER),
        (key.Key_D, ComparisonMode.DIFFERENCE),
        (key.Key_B, ComparisonMode.BESIDE),
    ):
        QTest.keyClick(view, press)
        assert view.stage.mode is mode
        assert not view.grab().isNull()
    assert any("no date" in one for one in words(view))
    QTest.keyClick(view, key.Key_Escape)
    assert not space.beside.is_open()


def test_a_result_is_laid_over_what_it_was_found_with(qtbot: QtBot, space: Workspace) -> None:
    ids = ids_by_name(space.opened.library.address.path)
    space.searching.ask(SearchQuery((Example(ids["a.jpg"]), Example(ids["other.jpg"], -1.0))), "")
    settle(qtbot, space)
    assert space.asked_with() == [ids["a.jpg"]]
    space.look_side_by_side([ids["crop.jpg"]])
    view = space.beside.view
    qtbot.waitUntil(lambda: re.findall(r"[a-z]+\.jpg", said(view)) == ["a.jpg", "crop.jpg"], timeout=LONG)
    space.beside.close()
    space.look_side_by_side([ids["a.jpg"]])  # what is asked with, alone
    assert not space.beside.is_open()


def test_one_photograph_is_not_enough(space: Workspace) -> None:
    space.look_side_by_side([1])
    assert not space.beside.is_open()
    assert "Select two to four photos to see them side by side." in words(space.status)
