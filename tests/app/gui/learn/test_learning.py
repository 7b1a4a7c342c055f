"""Learning in the window with nothing put in place of what learns: from marks to another order of results."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.frame.frame import Frame
from app.learn.metrics import list_metrics
from app.library.library import Library
from app.machine.preferences import Preferences, keep
from app.marks.marks import mark
from tests.app.gui.looking import LONG
from tests.app.library_fixture import Libraries

COUNT = 12


def test_marks_are_learned_from_kept_and_searched_by(
    qtbot: QtBot, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    path = libraries.copy(COUNT, tmp_path / "a.twinlens")
    with Library.open(path) as opened:
        half = COUNT // 2
        alike = [*combinations(range(1, 5), 2), *combinations(range(half + 1, half + 5), 2)]
        mark(opened, alike, similar=True)
        mark(opened, [(one, other) for one in range(1, 5) for other in range(half + 1, half + 4)], similar=False)
    frame = Frame(path)
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    frame.activateWindow()
    frame.workspace.show_view("learn")
    view = frame.workspace.learning.view
    qtbot.waitUntil(lambda: view.pair.can_judge() and view.head.can("learn"), timeout=LONG)
    QTest.keyClick(QApplication.focusWidget() or frame, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: view.head.can("keep"), timeout=LONG)
    qtbot.waitUntil(lambda: bool(view.strips.after.tiles()), timeout=LONG)
    qtbot.waitUntil(lambda: bool(view.marks.list.distances), timeout=LONG)
    QTest.keyClick(QApplication.focusWidget() or frame, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: frame.workspace.searching.index == "Learned 1", timeout=LONG)
    library = frame.workspace.opened
    assert library is not None
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert [one.name for one in list_metrics(library.library).metrics] == ["Learned 1"]
    assert [one.used for one in view.metrics.list.rows()] == [False, True]
    frame.workspace.searching.ask_pictures([1])
    qtbot.waitUntil(lambda: frame.workspace.searching.view.grid.rows().count > 1 and not frame.busy(), timeout=LONG)
    learned = frame.workspace.searching.view.grid.rows().ids.tolist()
    frame.workspace.show_view("learn")
    view.back_wanted.emit()
    qtbot.waitUntil(lambda: frame.workspace.searching.index == "Automatic", timeout=LONG)
    frame.workspace.searching.refresh()
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    assert (
        frame.workspace.searching.view.grid.rows().ids.tolist() != learned
    )  # the order is another one by what was learned
    frame.close()
