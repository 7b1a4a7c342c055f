"""Metrics in the window: chosen for a new index, which then measures by it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.indexes.indexes_page import IndexesPage
from app.gui.search.search_results import ResultRows
from app.indexes.indexes import list_indexes
from app.learn.metrics import import_metric
from app.library.library import Library
from app.machine.preferences import Preferences, keep
from tests.app.gui.looking import LONG, button, choose, chooser, words
from tests.app.library_fixture import Libraries

LISTED = "As in the metric Mine"


@pytest.fixture
def frame(qtbot: QtBot, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep(Preferences(rescan_on_start=False))
    path = libraries.copy(6, tmp_path / "a.twinlens")
    np.save(tmp_path / "Mine.npy", np.diag(np.linspace(1, 2, 80)))
    with Library.open(path) as library:
        import_metric(library, tmp_path / "Mine.npy", "edges")
    frame = MainWindow(path)
    qtbot.addWidget(frame)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    yield frame
    frame.close()


@pytest.mark.parametrize(("entry", "name"), [(LISTED, "Mine"), ("Fitted to your photos", "whitening")])
def test_an_index_is_made_under_a_metric(
    qtbot: QtBot, frame: MainWindow, tmp_path: Path, entry: str, name: str
) -> None:
    frame.workspace.new_index()
    page = frame.workspace.views.part("new index").view
    choose(chooser(page, "What is compared"), "Edge histogram")
    choose(chooser(page, "How vectors become bits"), "Random hyperplanes")
    box = chooser(page, "Which differences count")
    qtbot.waitUntil(lambda: box.findText(LISTED) > 0, timeout=LONG)
    choose(box, entry)
    qtbot.waitUntil(lambda: any("needs about" in line for line in words(page)), timeout=LONG)
    with qtbot.waitSignal(frame.workspace.adding.index_made, timeout=LONG):
        button(page, "Create the index").click()
    text = f"edges · {name} · lsh:bits=256 · scan"
    with Library.open(tmp_path / "a.twinlens") as library:
        made = next(index for index in list_indexes(library).indexes if index.metric == name)
    assert (made.text, made.waiting) == (text, 0)
    listed = frame.workspace.views.part("indexes").view  # asked for once: each time the indexes are looked at anew
    assert isinstance(listed, IndexesPage)
    qtbot.waitUntil(lambda: text in [one.status.text for one in listed.list.rows()], timeout=LONG)
    frame.workspace.searching.choose_index(made.name)
    frame.workspace.searching.ask_pictures([1])

    def found() -> bool:
        rows = frame.workspace.searching.view.grid.rows()
        return isinstance(rows, ResultRows) and rows.count > 1

    qtbot.waitUntil(found, timeout=LONG)
    rows = frame.workspace.searching.view.grid.rows()
    assert isinstance(rows, ResultRows)
    frame.workspace.searching.view.grid.set_current(rows.found[1].photograph.id)

    def told() -> bool:
        return any(f"metric {name}" in one.text() for one in frame.workspace.searching.view.why.findChildren(QLabel))

    qtbot.waitUntil(told, timeout=LONG)
