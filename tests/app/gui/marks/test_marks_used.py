"""What marks are for while one searches: they are asked with, and say up to where answers are sure."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.marks.mark_controls import Verdict
from app.gui.photo_grid.photo_grid import PhotoGrid
from app.gui.search.similarity_histogram import SimilarityHistogram
from app.learn.learning import LearningSettings, keep_metric, propose_metric
from app.learn.metrics import finish_index, search_by_metric
from app.library.library import Library
from app.machine.preferences import Preferences
from app.machine.preferences import keep as keep_preferences
from app.marks.marks import mark_pairs
from app.search.error_rate import confidence_threshold
from app.search.search_results import SearchResult
from tests.app.gui.frame.test_frame import grid, opened
from tests.app.gui.looking import LONG, part
from tests.app.gui.marks.test_controller import COUNT, D, S, asked, marks, press, settled
from tests.app.library_fixture import Libraries

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def frame(qtbot: QtBot, libraries: Libraries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    monkeypatch.setenv("TWINLENS_DATA", str(tmp_path / "data"))
    keep_preferences(Preferences(rescan_on_start=False))
    shown = opened(qtbot, libraries.copy(COUNT, tmp_path / "family.twinlens"))
    qtbot.waitUntil(lambda: grid(shown).rows().count == COUNT, timeout=LONG)
    yield shown
    shown.close()


def library_of(frame: MainWindow) -> Library:
    held = frame.workspace.opened
    assert held is not None
    return held.library


def result_of(frame: MainWindow) -> SearchResult:
    result = frame.workspace.searching.result
    assert result is not None
    return result


def again(qtbot: QtBot, frame: MainWindow) -> list[tuple[int, float]]:
    """Wait for the answer, and give its hits without what was asked with."""
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    settled(qtbot, frame)
    return [(hit.id, hit.similarity) for hit in result_of(frame).hits if not hit.query]


def use(qtbot: QtBot, frame: MainWindow) -> list[tuple[int, float]]:
    with qtbot.waitSignal(frame.workspace.searching.view.bar.marks.wanted, timeout=LONG):
        QTest.keyClick(frame.workspace.searching.view.grid, Qt.Key.Key_U, CONTROL)
    return again(qtbot, frame)


def test_marks_are_offered_where_there_are_some_and_asked_with(qtbot: QtBot, frame: MainWindow) -> None:
    asked(qtbot, frame, 1)
    pill = frame.workspace.searching.view.bar.marks
    before = again(qtbot, frame)
    question = frame.workspace.searching.question
    assert pill.isHidden()
    press(frame, S, D)
    settled(qtbot, frame)
    assert pill.isVisible()
    assert not pill.isChecked()
    assert again(qtbot, frame) == before  # nothing is asked anew by marking alone
    other = use(qtbot, frame)
    assert pill.isChecked()
    assert sorted(one for one, _ in other) == sorted(one for one, _ in before)
    assert other != before
    assert frame.workspace.searching.question == question  # what is remembered, compared and saved
    assert "1 marked similar, 1 marked different" in pill.toolTip()
    assert use(qtbot, frame) == before
    assert not pill.isChecked()


def test_new_marks_wait_until_one_asks_with_them(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    press(frame, S)
    settled(qtbot, frame)
    before = use(qtbot, frame)
    pill = frame.workspace.searching.view.bar.marks
    results = frame.workspace.searching.view.grid
    results.set_current(ids[3])
    press(frame, D)
    settled(qtbot, frame)
    assert again(qtbot, frame) == before
    assert "new" in pill.text()
    assert use(qtbot, frame) != before
    assert pill.isChecked()
    assert "new" not in pill.text()
    frame.workspace.searching.add_examples([ids[2]], True)
    again(qtbot, frame)
    assert pill.isChecked()  # the question goes on
    frame.workspace.searching.ask_pictures([ids[4]])
    again(qtbot, frame)
    assert pill.isHidden()  # another one
    frame.workspace.history.go_back()
    again(qtbot, frame)
    assert pill.isChecked()


def test_when_the_last_mark_is_gone_it_can_still_be_left(qtbot: QtBot, frame: MainWindow) -> None:
    asked(qtbot, frame, 1)
    press(frame, S)
    settled(qtbot, frame)
    use(qtbot, frame)
    frame.workspace.undoing.undo()
    settled(qtbot, frame)
    pill = frame.workspace.searching.view.bar.marks
    assert pill.isVisible()
    use(qtbot, frame)
    assert pill.isHidden()


def test_what_is_marked_with_one_of_two_is_marked_with_both_then_taken_back(qtbot: QtBot, frame: MainWindow) -> None:
    library = library_of(frame)
    mark_pairs(library, [(1, 3)], True)
    asked(qtbot, frame, 1, 2)
    results = frame.workspace.searching.view.grid
    assert results.verdicts() == {3: Verdict.SIMILAR}
    results.set_current(3)
    press(frame, S)
    settled(qtbot, frame)
    assert len(marks(frame)) == 2  # not taken back: it was only half said
    results.set_current(3)
    press(frame, S)
    settled(qtbot, frame)
    assert marks(frame) == []


def marked_for_a_threshold(library: Library) -> None:
    """Mark so that what is near is similar: six photographs give fifteen pairs."""
    from app.search.search_query import SearchOptions
    from app.search.searcher import search

    pairs = sorted(
        (hit.distance, one, hit.id)
        for one in range(1, 7)
        for hit in search(library, [one], wanted=SearchOptions(6)).results[0].hits
        if hit.id > one
    )
    assert len(pairs) == len(list(combinations(range(6), 2)))
    mark_pairs(library, [pair[1:] for pair in pairs[:7]], True)
    mark_pairs(library, [pair[1:] for pair in pairs[7:]], False)


def test_what_is_less_sure_is_quieter_and_hidden_only_by_a_click(qtbot: QtBot, frame: MainWindow) -> None:
    library = library_of(frame)
    marked_for_a_threshold(library)
    threshold = confidence_threshold(library, frame.workspace.searching.index)
    assert threshold is not None
    best: list[int] = []
    for one in range(1, 7):
        asked(qtbot, frame, one)
        best = [hit.id for hit in result_of(frame).hits if threshold.holds(hit.distance)]
        if 1 < len(best) < 6:
            break
    view = frame.workspace.searching.view
    view.show_how(True)
    rows = view.grid.rows()
    captions = [rows.caption(row) for row in range(rows.count)]
    assert rows.count == 6  # nothing is hidden
    assert [one.quiet for one in captions if one is not None] == [False] * len(best) + [True] * (6 - len(best))
    assert [row for row, one in enumerate(captions) if one is not None and one.edge] == [len(best)]
    assert "less sure" in rows.spoken(5)
    assert view.sure.text() == f"{len(best) - 1} of 5 certain"
    assert "about 2 % of these are wrong" in view.sure.toolTip()
    view.sure.click()
    assert view.grid.rows().ids.tolist() == best
    view.sure.click()
    assert view.grid.rows().count == 6
    histogram = part(view, SimilarityHistogram)
    x = histogram.sure_x()
    assert x is not None
    QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=QPoint(round(x), 6))
    assert view.grid.rows().ids.tolist() == best
    assert view.sure.isChecked()


def test_a_learned_metric_says_it_later_and_nothing_moves(qtbot: QtBot, frame: MainWindow) -> None:
    library = library_of(frame)
    marked_for_a_threshold(library)
    name = keep_metric(library, propose_metric(library, LearningSettings(anyway=True)))
    switched = search_by_metric(library, name)
    finish_index(library, switched.index)
    frame.workspace.searching.choose_index(switched.index)
    asked(qtbot, frame, 1)
    view = frame.workspace.searching.view
    view.show_how(True)
    before = view.grid.rows().ids.tolist()
    place = view.grid.top()
    qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
    known = confidence_threshold(library, switched.index)
    assert known is not None
    assert not view.sure.isHidden()
    assert view.grid.rows().ids.tolist() == before
    assert view.grid.top() == place
    frame.workspace.searching.refresh()
    again(qtbot, frame)
    assert result_of(frame).threshold == known  # kept: the next answer has it at once


def lists(shown: PhotoGrid, ids: set[int]) -> bool:
    return set(shown.rows().ids.tolist()) == ids


def test_only_what_is_marked_is_listed_and_found(qtbot: QtBot, frame: MainWindow) -> None:
    library = library_of(frame)
    mark_pairs(library, [(1, 2)], True)
    mark_pairs(library, [(2, 3)], False)
    shown = grid(frame)
    for chosen, ids in (("any", {1, 2, 3}), ("similar", {1, 2}), ("different", {2, 3})):
        frame.workspace.side.choose({"marked": chosen}, None)
        qtbot.waitUntil(partial(lists, shown, ids), timeout=LONG)
        frame.workspace.searching.ask_pictures([1])
        again(qtbot, frame)
        assert {hit.id for hit in result_of(frame).hits} == ids
    frame.workspace.show_view("library")
    shown.select_all()
    shown.setFocus()
    QTest.keyClick(shown, S)  # the marks are others now, and the list follows
    settled(qtbot, frame)
    qtbot.waitUntil(lambda: shown.rows().count == 0, timeout=LONG)
    frame.workspace.side.clear()
    qtbot.waitUntil(lambda: shown.rows().count == COUNT, timeout=LONG)
