"""The page of the search is made when it is first needed, and what happened before is in it then."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QUrl
from pytestqt.qtbot import QtBot

from tests.app.folders import write_scene
from tests.app.gui.looking import LONG
from tests.app.gui.working import settle, settled, workspace
from tests.app.made_library import EXACTLY, FEW_BITS, LEARNED, histograms, make
from twinlens.app.gui.actions.action import available
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.frame.main_window import MainWindow, SavedWindowState
from twinlens.app.gui.search.window_search import WindowSearch
from twinlens.app.gui.search.word_search import WordsField
from twinlens.app.gui.services.workspace import HistoryPlace
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.search.search_query import Example, SearchQuery

ASKED = WindowSearch(SearchQuery((Example(3),)), "Learned")
KEPT = {"index": "Learned", "search": ASKED.to_json()}


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return make(tmp_path / "made.twinlens", histograms(90, seed=5), [FEW_BITS, LEARNED, EXACTLY])


@pytest.fixture
def work(qtbot: QtBot, library: Library) -> Iterator[LibraryWorkspace]:
    """Show a library that was left with a search in an index of its own."""
    made = workspace(qtbot, library, {"search": KEPT})
    assert made.views.made("search") is None
    yield made
    made.leave_library()()


def is_made(work: LibraryWorkspace) -> bool:
    return work.views.made("search") is not None


def query(work: LibraryWorkspace) -> tuple[Example, ...]:
    asked = work.searching.query
    return () if asked is None else asked.examples


def test_other_views_know_the_index_and_what_was_kept_stays(qtbot: QtBot, work: LibraryWorkspace) -> None:
    assert work.shared.chosen_index == "Learned"
    for view in ("compare", "lab", "map", "learn", "indexes"):
        work.show_view(view)
        settle(qtbot, work)
    work.comparing.take_pictures([3])
    settle(qtbot, work)
    assert work.comparing.view.columns()[0].title == "Learned"
    kept = work.views.state()["search"]
    assert not is_made(work)
    assert kept == KEPT
    assert work.searching.state().items() >= kept.items()


def test_an_index_that_is_gone_gives_way_to_the_first(qtbot: QtBot, library: Library) -> None:
    work = workspace(qtbot, library, {"search": {"index": "Gone"}})
    assert not is_made(work)
    assert work.shared.chosen_index == work.indexes.names()[0]
    work.leave_library()()


def test_the_search_of_last_time_is_made_before_it_is_returned_to(qtbot: QtBot, library: Library) -> None:
    work = workspace(qtbot, library, {"search": KEPT, "window": {"view": "search"}})
    qtbot.waitUntil(lambda: is_made(work), timeout=LONG)
    assert work.view() == "library"
    assert work.searching.present() is None
    work.return_to_kept()
    assert work.view() == "search"
    settle(qtbot, work)
    assert work.searching.present() == ASKED
    assert work.searching.grid.rows().count
    work.leave_library()()


def test_the_search_of_last_time_is_there_when_the_view_is_shown(qtbot: QtBot, work: LibraryWorkspace) -> None:
    work.show_view("search")
    settle(qtbot, work)
    assert work.searching.present() == ASKED
    assert work.searching.grid.rows().count


def test_another_index_is_chosen_before_any_search(qtbot: QtBot, work: LibraryWorkspace) -> None:
    work.searching.use_index("Few bits")
    assert work.view() == "library"
    work.show_photographs("search", [5])
    settle(qtbot, work)
    assert work.searching.present() == WindowSearch(SearchQuery((Example(5),)), "Few bits")


def test_a_picture_is_dropped_on_the_library(qtbot: QtBot, work: LibraryWorkspace, tmp_path: Path) -> None:
    picture = tmp_path / "outside.png"
    write_scene(picture, 3)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(picture))])
    work.taking.take_data(data)
    assert work.view() == "search"
    assert query(work) == (Example(picture),)
    settle(qtbot, work)


def test_a_large_picture_is_the_first_search(qtbot: QtBot, work: LibraryWorkspace) -> None:
    work.viewing.search_wanted.emit(4)
    assert query(work) == (Example(4),)
    settle(qtbot, work)


def test_a_part_of_a_large_picture_is_the_first_search(qtbot: QtBot, work: LibraryWorkspace) -> None:
    work.viewing.part_wanted.emit(7, (0.25, 0.25, 0.5, 0.5))
    assert query(work) == (Example(7, region=(0.25, 0.25, 0.5, 0.5)),)
    settle(qtbot, work)


def test_selected_photographs_are_marked_in_the_library(qtbot: QtBot, work: LibraryWorkspace) -> None:
    with qtbot.waitSignal(work.shared.marks_changed, timeout=LONG):
        work.shared.alike_wanted.emit([1, 2, 3], True)
    settle(qtbot, work)
    assert work.view() == "library"
    with work.opened.library.store.reading() as r:
        assert [row.similar for row in r.marks.all()] == [True] * 3


def test_filters_that_were_set_narrow_the_first_search(qtbot: QtBot, work: LibraryWorkspace) -> None:
    mark_pairs(work.opened.library, [(1, 2), (2, 5)], True)
    work.side.choose({"marked": "similar"}, None)
    settle(qtbot, work)
    assert not is_made(work)
    work.show_photographs("search", [1])
    settle(qtbot, work)
    assert set(work.searching.grid.rows().ids.tolist()) == {1, 2, 5}


def test_words_are_offered_as_soon_as_an_index_knows_them(qtbot: QtBot, work: LibraryWorkspace) -> None:
    action = window_actions()["words"]
    result = work.indexes.result
    assert result is not None
    for concepts in (False, True):
        work.indexes.listed.emit(result.model_copy(update={"concepts": concepts}))
        assert (available(work, action, None) is not None) is concepts
    assert not is_made(work)
    act = available(work, action, None)
    assert act is not None
    act()
    assert work.view() == "search"
    (field,) = work.findChildren(WordsField)
    field.close()
    settle(qtbot, work)


def test_the_way_back_is_offered_from_the_first_search_on(work: LibraryWorkspace) -> None:
    work.show_view("problems")
    assert work.searching.view.steps.back.isEnabled()
    assert not work.searching.view.steps.forward.isEnabled()


def test_a_window_made_anew_makes_the_search_where_there_was_one(qtbot: QtBot, work: LibraryWorkspace) -> None:
    before = SavedWindowState.of(work)
    assert before.asked is None
    assert not is_made(work)
    places = ((HistoryPlace("library"),), HistoryPlace("search", ASKED), ())
    SavedWindowState("search", places, ASKED, None, {}, None).bring(work)
    settle(qtbot, work)
    assert work.searching.present() == ASKED
    assert SavedWindowState.of(work).asked == ASKED
    assert work.searching.view.steps.back.isEnabled()


def test_it_is_made_while_nothing_happens_and_hidden(qtbot: QtBot, frame: MainWindow) -> None:
    qtbot.waitUntil(lambda: is_made(frame.workspace), timeout=LONG)
    settled(qtbot, frame)
    assert frame.workspace.view() == "library"
    assert not frame.workspace.searching.view.isVisible()
