"""Indexes that are deleted in the window can be brought back until the library is left."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from app.gui.indexes.indexes_page import IndexesPage
from app.indexes.indexes import list_indexes
from app.library.library import Library
from tests.app.gui.looking import button
from tests.app.gui.working import settle, workspace
from tests.app.made_library import EXACTLY, FEW_BITS, histograms, make


def names(library: Library) -> list[str]:
    return [one.name for one in list_indexes(library).indexes]


def test_a_deletion_is_undone_done_again_and_happens_when_the_library_is_left(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "made.twinlens"
    library = make(path, histograms(30, seed=5), [FEW_BITS, EXACTLY])
    work = workspace(qtbot, library)
    before = names(library)
    work.show_view("indexes")
    settle(qtbot, work)
    page = work.views.part("indexes").view
    assert isinstance(page, IndexesPage)
    page.list.go_to(work.indexes.names().index("Few bits"))
    button(page, "Delete the chosen index").click()
    settle(qtbot, work)
    assert "Few bits" not in work.indexes.names()
    assert names(library) == before, "it can still be undone"
    work.undoing.undo()
    settle(qtbot, work)
    assert work.indexes.names() == before
    work.undoing.redo()
    settle(qtbot, work)
    work.leave_library()()
    with Library.open(path) as again:
        assert names(again) == [one for one in before if one != "Few bits"]


def test_the_name_of_a_deleted_index_is_free_at_once(qtbot: QtBot, tmp_path: Path) -> None:
    library = make(tmp_path / "made.twinlens", histograms(30, seed=5), [FEW_BITS, EXACTLY])
    work = workspace(qtbot, library)
    work.indexes.put_away("Few bits")
    work.indexes.delete_put_away("Few bits")
    settle(qtbot, work)
    assert "Few bits" not in names(library)
    assert work.opened.put_away == set()
    work.leave_library()()
