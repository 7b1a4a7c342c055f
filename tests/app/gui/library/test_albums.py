"""Albums in the window: photographs added by key and by drag, the chosen one listed, renamed, deleted, all undone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG, named
from tests.app.gui.working import settle, workspace
from tests.app.made_library import FEW_BITS, histograms, make
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.library.album_control import AlbumPicker
from twinlens.app.gui.pictures.photograph import photographs_in, put_photographs
from twinlens.app.gui.side_panel.album_list import AlbumList
from twinlens.app.library.browsing.albums import album_photographs, albums, make_album
from twinlens.app.library.browsing.listing import ListingFilter
from twinlens.app.library.library import Library

COUNT = 12
LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def work(qtbot: QtBot, tmp_path: Path) -> Iterator[LibraryWorkspace]:
    make(tmp_path / "made.twinlens", histograms(COUNT, seed=5), [FEW_BITS]).close()
    made = workspace(qtbot, Library.open(tmp_path / "made.twinlens"))
    yield made
    made.leave_library()()


def shown(work: LibraryWorkspace) -> list[str]:
    """Return the albums that are listed, with their numbers."""
    found = work.side.albums
    rows = [found.topLevelItem(row) for row in range(found.topLevelItemCount())]
    return [f"{row.text(0)} {row.text(1)}" for row in rows if row is not None]


def choose_first(found: AlbumList) -> None:
    item = found.topLevelItem(0)
    assert item is not None
    found.setCurrentItem(item)


def written(qtbot: QtBot, work: LibraryWorkspace) -> None:
    """Wait until all changes are in the library, and shown."""
    qtbot.waitUntil(lambda: not work.changes.running and not work.jobs.busy(), timeout=LONG)


def name_it(qtbot: QtBot, work: LibraryWorkspace, *keys: str) -> None:
    """Type a name into the picker, and take the last row."""
    written(qtbot, work)
    picker = work.findChildren(AlbumPicker)[-1]
    field = picker.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "".join(keys))
    QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClick(field, Qt.Key.Key_Return)
    written(qtbot, work)


def test_a_selection_becomes_an_album_and_comes_out_of_it(qtbot: QtBot, work: LibraryWorkspace) -> None:
    grid = work.browsing.grid
    assert shown(work) == []
    assert not work.side.albums.isVisible()
    grid.set_current(int(grid.ids()[0]))
    grid.choose(2, Qt.KeyboardModifier.ShiftModifier)
    three = grid.selected_ids().tolist()
    work.albums.ask(work.chosen())
    name_it(qtbot, work, "Norway")
    assert shown(work) == ["Norway 3"]
    assert work.side.albums.isVisible()
    assert grid.selected_ids().tolist() == three
    choose_first(work.side.albums)
    settle(qtbot, work)
    assert grid.ids().tolist() == three
    assert work.shared.filters == {"album": "Norway"}
    assert work.side.folder() is None
    grid.set_current(three[1])
    work.albums.remove(work.chosen())
    written(qtbot, work)
    assert grid.ids().tolist() == [three[0], three[2]]
    work.undoing.undo()
    written(qtbot, work)
    assert (grid.ids().tolist(), shown(work)) == (three, ["Norway 3"])
    work.undoing.undo()
    written(qtbot, work)
    settle(qtbot, work)
    assert shown(work) == []
    assert len(grid.ids()) == COUNT
    work.undoing.redo()
    written(qtbot, work)
    assert shown(work) == ["Norway 3"]


def test_what_is_there_already_is_not_added_again(qtbot: QtBot, work: LibraryWorkspace) -> None:
    first = int(work.browsing.grid.ids()[0])
    make_album(work.opened.library, "One", [first])
    work.albums.add("One", [first])
    written(qtbot, work)
    assert shown(work) == ["One 1"]
    assert not work.undoing.stack.canUndo()


def test_an_album_is_renamed_in_place_and_stays_chosen_and_is_deleted(qtbot: QtBot, work: LibraryWorkspace) -> None:
    found, library = work.side.albums, work.opened.library
    make_album(library, "Norway", [1, 2])
    work.browsing.reload()
    settle(qtbot, work)
    choose_first(found)
    settle(qtbot, work)
    found.rename_wanted.emit("Norway", "Norge")
    written(qtbot, work)
    assert (found.name(), shown(work)) == ("Norge", ["Norge 2"])
    assert len(work.browsing.grid.ids()) == 2
    found.delete_wanted.emit("Norge")
    written(qtbot, work)
    settle(qtbot, work)
    assert (shown(work), work.side.filters()) == ([], {})
    assert len(work.browsing.grid.ids()) == COUNT
    work.undoing.undo()
    written(qtbot, work)
    assert album_photographs(library, "Norge").tolist() == [1, 2]


def test_a_name_is_edited_by_key(qtbot: QtBot, work: LibraryWorkspace) -> None:
    found = work.side.albums
    make_album(work.opened.library, "Kept", search=ListingFilter(since="2005"))
    work.browsing.reload()
    settle(qtbot, work)
    choose_first(found)
    found._rename()
    field = found.viewport().findChild(QLineEdit)
    assert field is not None
    assert field.text() == "Kept"
    field.setText("Later")
    QTest.keyClick(field, Qt.Key.Key_Return)
    written(qtbot, work)
    assert [one.name for one in albums(work.opened.library)] == ["Later"]


def test_filters_are_kept_as_an_album(qtbot: QtBot, work: LibraryWorkspace) -> None:
    work.albums.ask_to_keep()  # nothing to keep
    assert work.findChildren(AlbumPicker) == []
    work.side.choose({"orientation": "portrait"}, None)
    settle(qtbot, work)
    portraits = len(work.browsing.grid.ids())
    assert 0 < portraits < COUNT
    work.albums.ask_to_keep()
    name_it(qtbot, work, "Tall")
    assert shown(work) == [f"⌕ Tall {portraits}"]
    choose_first(work.side.albums)
    assert not work.side.albums.is_by_hand()
    work.albums.remove([1])  # nobody chose these
    work.side.clear()
    settle(qtbot, work)
    assert len(work.browsing.grid.ids()) == COUNT
    assert work.side.albums.name() == ""


def test_photographs_are_dropped_onto_an_album(qtbot: QtBot, work: LibraryWorkspace) -> None:
    found = work.side.albums
    make_album(work.opened.library, "Empty")
    make_album(work.opened.library, "Kept", search=ListingFilter(since="2005"))
    work.browsing.reload()
    settle(qtbot, work)
    data = QMimeData()
    put_photographs(data, [1, 2])
    assert photographs_in(data) == [1, 2]
    assert photographs_in(QMimeData()) == []
    actions, action = Qt.DropAction.CopyAction, Qt.DropAction.CopyAction
    for row, taken in ((0, True), (1, False)):
        item = found.topLevelItem(row)
        assert item is not None
        place = found.visualItemRect(item).center()
        enter = QDragEnterEvent(place, actions, data, LEFT, PLAIN)
        AlbumList.dragEnterEvent(found, enter)
        move = QDragMoveEvent(place, actions, data, LEFT, PLAIN)
        AlbumList.dragMoveEvent(found, move)
        assert (enter.isAccepted(), move.isAccepted()) == (True, taken)
        drop = QDropEvent(QPointF(place), actions, data, LEFT, PLAIN)
        drop.setDropAction(action)
        AlbumList.dropEvent(found, drop)
    written(qtbot, work)
    assert shown(work)[0] == "Empty 2"


def test_an_album_is_chosen_again_once_it_is_known(qtbot: QtBot, work: LibraryWorkspace) -> None:
    make_album(work.opened.library, "Norway", [1, 2])
    work.side.choose({"album": "Norway"}, None)
    assert work.side.filters() == {"album": "Norway"}
    work.browsing.reload()
    settle(qtbot, work)
    assert work.side.albums.name() == "Norway"
    assert len(work.browsing.grid.ids()) == 2
    work.side.choose({"album": "None"}, None)
    work.browsing.reload()
    settle(qtbot, work)
    assert work.side.filters() == {}
    assert named(work, "Albums").isVisible()
