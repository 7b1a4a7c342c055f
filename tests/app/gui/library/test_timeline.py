"""The timeline beside the library's photographs: what stands there, where it leads, and when it is a plain bar."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, part, words
from tests.app.gui.working import settle, workspace
from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.gui.library.timeline import Timeline
from twinlens.app.gui.photo_grid.grid_layout import GridLayout, GridMeasures
from twinlens.app.language.texts import text
from twinlens.app.library.library import Library
from twinlens.core.message import size
from twinlens.core.progress import silent

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
DATES = ["2023-05", "2023-04", "2022-12", "2022-01", "2020-07", ""]


@pytest.fixture
def timeline(qtbot: QtBot) -> Timeline:
    made = Timeline()
    qtbot.addWidget(made)
    made.resize(60, 600)
    layout = GridLayout(np.array([0, 40, 44, 48, 88, 128, 132]), 800, GridMeasures(heading=40))
    made.show_dates(DATES, layout)
    made.setRange(0, layout.height - 600)
    made.setPageStep(600)
    made.show()
    return made


def test_years_come_before_months_and_nothing_overlaps(timeline: Timeline) -> None:
    assert [one.words for one in timeline.labels()] == ["2023", "Apr", "2022", "Jan", "2020"]
    timeline.resize(60, 100)
    assert [one.words for one in timeline.labels()] == ["2023", "2022", "2020"]
    timeline.resize(60, 20)
    assert [one.words for one in timeline.labels()] == ["2023"]


def test_a_press_goes_to_the_heading_of_a_label_and_a_drag_on(timeline: Timeline) -> None:
    layout = timeline._layout
    assert layout is not None
    pointed: list[int | None] = []
    timeline.pointed.connect(pointed.append)
    year = timeline.labels()[2]
    QTest.mousePress(timeline, LEFT, PLAIN, QPoint(20, year.y + 5))
    assert timeline.value() == layout.tops[2]
    assert timeline.isSliderDown()
    QTest.mouseMove(timeline, QPoint(20, 300))
    assert abs(timeline.value() - layout.height // 2) < layout.height // 100
    QTest.mouseMove(timeline, QPoint(20, 900))
    assert timeline.value() == timeline.maximum()
    assert pointed[-1] == layout.height
    QTest.mouseRelease(timeline, LEFT, PLAIN, QPoint(20, 900))
    assert not timeline.isSliderDown()
    assert pointed[-1] is None


def test_the_pointer_names_without_going(timeline: Timeline) -> None:
    pointed: list[int | None] = []
    timeline.pointed.connect(pointed.append)
    QTest.mouseMove(timeline, QPoint(20, 1))
    assert (pointed, timeline.value()) == ([0], 0)
    timeline.leaveEvent(QEvent(QEvent.Type.Leave))
    assert pointed[-1] is None


def test_one_date_leaves_nothing_to_jump_to(timeline: Timeline) -> None:
    wide = timeline.sizeHint().width()
    layout = timeline._layout
    assert layout is not None
    timeline.show_dates(["2023", ""], layout)
    assert timeline.is_plain()
    assert timeline.sizeHint().width() < wide


def test_it_stands_beside_the_photographs_by_date_alone_and_follows_the_filter(qtbot: QtBot, tmp_path: Path) -> None:
    make(tmp_path / "made.twinlens", histograms(60, seed=5), [FEW_BITS]).close()
    work = workspace(qtbot, Library.open(tmp_path / "made.twinlens"))
    grid, timeline = work.browsing.grid, part(work, Timeline)
    wide = grid.viewport().width()
    assert {"2019", "2000"} <= {one.words for one in timeline.labels()}
    QTest.mouseMove(timeline, QPoint(20, timeline.height() // 2))
    grid.grab()  # with the year over the photographs
    work.browsing.order_by("size")
    settle(qtbot, work)
    assert timeline.is_plain()
    qtbot.waitUntil(lambda: grid.viewport().width() > wide, timeout=LONG)
    work.browsing.order_by("oldest")
    settle(qtbot, work)
    qtbot.waitUntil(lambda: grid.viewport().width() == wide, timeout=LONG)
    assert timeline.labels()[0].words == "2000"
    work.side.choose({"since": "2018"}, None)
    settle(qtbot, work)
    assert [one.words for one in timeline.labels()] == ["2018", "2019"]
    work.side.choose({"since": "2019"}, None)
    settle(qtbot, work)
    assert timeline.is_plain()
    work.leave_library()()


def test_the_selection_says_its_bytes(qtbot: QtBot, tmp_path: Path) -> None:
    make(tmp_path / "made.twinlens", histograms(60, seed=5), [FEW_BITS]).close()
    work = workspace(qtbot, Library.open(tmp_path / "made.twinlens"))
    with work.opened.library.store.reading() as r:
        sizes = r.listing.sizes(silent)[0]
    work.browsing.grid.select_all()
    wanted = f"60 of 60 selected ({text(size(int(sizes.sum())))})"
    qtbot.waitUntil(lambda: wanted in words(work.browsing.view), timeout=LONG)
    QTest.keyClick(work.browsing.grid, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: "60 photos" in words(work.browsing.view), timeout=LONG)
    work.leave_library()()
