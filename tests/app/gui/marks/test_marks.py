"""Marking in the window: keys, signs, undo; and marks that searches are asked with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QDate, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.frame.test_main_window import answered, grid, hits
from tests.app.gui.looking import LONG, button, menu_commands, part, said
from tests.app.gui.working import opened
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.look.labels import plain_sentence
from twinlens.app.gui.look.theme import DARK, LIGHT, Theme
from twinlens.app.gui.marks.mark_controls import Verdict, count_of_marks, mark_text, paint_verdict
from twinlens.app.gui.photo_grid.photo_grid import PhotoGrid
from twinlens.app.gui.search.similarity_histogram import SimilarityHistogram
from twinlens.app.learn.learning import keep_metric, propose_metric
from twinlens.app.learn.learning_settings import LearningSettings
from twinlens.app.learn.metrics import finish_index, search_by_metric
from twinlens.app.library.library import Library
from twinlens.app.marks.judgement import ResultMark
from twinlens.app.marks.marks import mark_pairs
from twinlens.app.search.search_results import SearchResult
from twinlens.app.search.similarity_levels import confidence_threshold

pytestmark = pytest.mark.usefixtures("own_data")

COUNT = 6
S, D = Qt.Key.Key_S, Qt.Key.Key_D


@pytest.fixture
def photographs(libraries: Libraries) -> Path:
    return libraries.photographs(COUNT)


@pytest.fixture
def made(libraries: Libraries, tmp_path: Path) -> Path:
    return libraries.copy(COUNT, tmp_path / "family.twinlens")


@pytest.fixture
def frame(qtbot: QtBot, made: Path) -> Iterator[MainWindow]:
    shown = opened(qtbot, made)
    qtbot.waitUntil(lambda: grid(shown).rows().count == COUNT, timeout=LONG)
    yield shown
    shown.close()


def marks(frame: MainWindow) -> list[tuple[bool, str]]:
    held = frame.workspace.opened
    assert held is not None
    with held.library.store.reading() as r:
        return [(row.similar, row.origin) for row in r.marks.all()]


def settled(qtbot: QtBot, frame: MainWindow) -> None:
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not frame.busy() and not frame.workspace.changes.running, timeout=LONG)


def asked(qtbot: QtBot, frame: MainWindow, *pictures: int | Path | bytes) -> list[int]:
    """Ask, and give the answers that are not what was asked with; the first of them is current."""
    frame.workspace.searching.take_pictures(list(pictures))
    answered(qtbot, frame)
    settled(qtbot, frame)
    ids = [one.photograph.id for one in hits(frame).found if one.photograph.id not in pictures]
    results = frame.workspace.searching.view.grid
    results.set_current(ids[0])
    results.setFocus()
    return ids


def press(frame: MainWindow, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(frame.workspace.searching.view.grid, key)


def test_keys_mark_and_go_on_and_show_signs(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    press(frame, S, D, S)
    assert results.current_id() == ids[3]  # before anything is written
    settled(qtbot, frame)
    assert marks(frame) == [(True, "results"), (False, "results"), (True, "results")]
    assert results.verdicts() == {ids[0]: Verdict.SIMILAR, ids[1]: Verdict.DIFFERENT, ids[2]: Verdict.SIMILAR}
    assert "marked different" in results.spoken(results.rows().ids.tolist().index(ids[1]))
    assert "3 marks" in said(frame.status)


def test_the_same_key_takes_back_and_the_other_replaces(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    press(frame, S)
    settled(qtbot, frame)
    results.set_current(ids[0])
    press(frame, D)
    settled(qtbot, frame)
    assert marks(frame) == [(False, "results")]
    results.set_current(ids[0])
    press(frame, D)
    assert results.current_id() == ids[0]  # who corrects stays
    settled(qtbot, frame)
    assert marks(frame) == []
    assert results.verdicts() == {}


def test_undo_goes_back_step_by_step(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    press(frame, S, S)
    results.set_current(ids[0])
    press(frame, D)
    settled(qtbot, frame)
    assert sorted(similar for similar, _ in marks(frame)) == [False, True]
    for left in ([True, True], [True], []):
        QTest.keyClick(results, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        settled(qtbot, frame)
        assert [similar for similar, _ in marks(frame)] == left
    QTest.keyClick(results, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, frame)
    assert "nothing to undo" in said(frame.status)


def test_selected_results_are_marked_with_each_example(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1, 2)
    results = frame.workspace.searching.view.grid
    results.selection.toggle(results.rows().ids.tolist().index(ids[1]))
    press(frame, S)
    settled(qtbot, frame)
    assert len(marks(frame)) == 4
    assert results.verdicts() == dict.fromkeys(ids[:2], Verdict.SIMILAR)
    press(frame, S)  # all of them are marked so
    settled(qtbot, frame)
    assert marks(frame) == []


def test_what_was_asked_with_is_not_marked_with_itself(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    frame.workspace.searching.view.grid.set_current(1)
    press(frame, S)
    assert "cannot be marked with itself" in said(frame.status)
    assert frame.workspace.searching.view.grid.current_id() == ids[0]
    assert marks(frame) == []


def test_a_picture_from_elsewhere_must_be_added_first(qtbot: QtBot, frame: MainWindow, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere.png"
    Image.new("RGB", (64, 48), "#336699").save(other)
    asked(qtbot, frame, other)
    press(frame, S)
    assert "elsewhere.png is not in the library" in said(frame.status)
    settled(qtbot, frame)
    assert marks(frame) == []


def test_a_copy_elsewhere_counts_as_the_photograph(
    qtbot: QtBot, frame: MainWindow, photographs: Path, tmp_path: Path
) -> None:
    held = frame.workspace.opened
    assert held is not None
    original = sorted(photographs.rglob("*.*"))[0]
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(original.read_bytes())
    frame.workspace.searching.take_pictures([copy])
    answered(qtbot, frame)
    settled(qtbot, frame)
    frame.workspace.searching.view.grid.set_current(hits(frame).found[1].photograph.id)
    press(frame, S)
    settled(qtbot, frame)
    assert marks(frame) == [(True, "results")]


def test_contradictions_are_shown_until_one_is_chosen(qtbot: QtBot, frame: MainWindow) -> None:
    held = frame.workspace.opened
    assert held is not None
    mark_pairs(held.library, [(1, 2)], True, "import:a.csv")
    mark_pairs(held.library, [(1, 2)], False, "import:b.csv")
    asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    assert results.verdicts() == {2: Verdict.BOTH}
    results.set_current(2)
    press(frame, S)
    settled(qtbot, frame)
    assert marks(frame) == [(True, "import:a.csv")]
    assert results.verdicts() == {2: Verdict.SIMILAR}


def test_the_panel_says_when_and_removes(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    section = frame.workspace.searching.view.why.marks
    similar = button(section, "Mark as similar to the query, or remove the mark")
    assert not section.isHidden()
    similar.click()
    settled(qtbot, frame)
    frame.workspace.searching.view.grid.set_current(ids[0])
    assert similar.isChecked()
    button(section, "Remove this mark").click()
    settled(qtbot, frame)
    assert marks(frame) == []
    assert not similar.isChecked()


def test_several_selected_in_the_library_are_alike(qtbot: QtBot, frame: MainWindow) -> None:
    shown = grid(frame)
    shown.setFocus()
    shown.select_all()
    QTest.keyClick(shown, D)
    assert "D marks two photos" in said(frame.status)
    QTest.keyClick(shown, S)
    settled(qtbot, frame)
    assert marks(frame) == [(True, "selection")] * (COUNT * (COUNT - 1) // 2)
    assert frame.workspace.browsing.view.words() == ""
    QTest.keyClick(shown, S)
    settled(qtbot, frame)
    assert marks(frame) == []
    QTest.keyClick(shown, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, frame)
    assert len(marks(frame)) == COUNT * (COUNT - 1) // 2


def test_two_selected_are_different_and_then_alike(qtbot: QtBot, frame: MainWindow) -> None:
    shown = grid(frame)
    shown.setFocus()
    shown.choose(0, Qt.KeyboardModifier.NoModifier)
    shown.choose(1, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(shown, D)
    settled(qtbot, frame)
    assert marks(frame) == [(False, "selection")]
    QTest.keyClick(shown, S)  # not a contradiction: it makes way
    settled(qtbot, frame)
    assert marks(frame) == [(True, "selection")]


def test_with_one_selected_letters_filter_as_ever(qtbot: QtBot, frame: MainWindow) -> None:
    shown = grid(frame)
    shown.setFocus()
    shown.choose(0, Qt.KeyboardModifier.NoModifier)
    QTest.keyClick(shown, S)
    assert frame.workspace.browsing.view.words() == "s"
    QTest.keyClick(frame.focusWidget(), D)
    assert frame.workspace.browsing.view.words() == "sd"
    settled(qtbot, frame)
    assert marks(frame) == []
    frame.workspace.browsing.view.clear_filter()


def test_the_large_photograph_is_marked_and_gives_way(qtbot: QtBot, frame: MainWindow) -> None:
    ids = asked(qtbot, frame, 1)
    results = frame.workspace.searching.view.grid
    QTest.keyClick(results, Qt.Key.Key_Space)
    viewer = frame.workspace.viewing.viewer
    QTest.keyClick(viewer, S)
    QTest.keyClick(viewer, D)
    settled(qtbot, frame)
    assert [similar for similar, _ in marks(frame)] == [True, False]
    assert results.current_id() == ids[2]
    viewer.grab()
    QTest.keyClick(viewer, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settled(qtbot, frame)
    assert [similar for similar, _ in marks(frame)] == [True]
    frame.workspace.viewing.close()


def test_the_large_photograph_of_the_library_is_not_marked(qtbot: QtBot, frame: MainWindow) -> None:
    asked(qtbot, frame, 1)
    frame.workspace.show_view("library")
    grid(frame).set_current(3)
    QTest.keyClick(grid(frame), Qt.Key.Key_Space)
    QTest.keyClick(frame.workspace.viewing.viewer, S)
    settled(qtbot, frame)
    assert marks(frame) == []


def test_a_folder_is_marked_as_alike_and_undone(qtbot: QtBot, frame: MainWindow, photographs: Path) -> None:
    frame.workspace.side.alike_wanted.emit(str(photographs))
    settled(qtbot, frame)
    assert {origin.partition(":")[0] for _, origin in marks(frame)} == {"folder"}
    frame.workspace.undoing.undo()
    settled(qtbot, frame)
    assert marks(frame) == []


def keys(frame: MainWindow, one: int, ids: list[int]) -> list[str]:
    return [command.action.keys_text() for command in menu_commands(frame, one, ids)]


def test_the_menu_says_what_can_be_marked(qtbot: QtBot, frame: MainWindow) -> None:
    assert not [key for key in keys(frame, 1, [1]) if key in ("S", "D")]
    assert [key for key in keys(frame, 1, [1, 2]) if key in ("S", "D")] == ["S", "D"]
    assert [key for key in keys(frame, 1, [1, 2, 3]) if key in ("S", "D")] == ["S"]
    ids = asked(qtbot, frame, 1)
    commands = {one.action.keys_text(): one for one in menu_commands(frame, ids[0], [ids[0]])}
    commands["D"].act(ids[0], [ids[0]])
    settled(qtbot, frame)
    assert marks(frame) == [(False, "results")]


def test_a_library_that_can_only_be_read_says_so(
    qtbot: QtBot, frame: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = asked(qtbot, frame, 1)
    held = frame.workspace.opened
    assert held is not None
    monkeypatch.setattr(held.library.store.place, "writable", False)
    press(frame, S)
    settled(qtbot, frame)
    assert "only be read" in said(frame.status) or "cannot be written" in said(frame.status), said(frame.status)
    assert frame.workspace.searching.view.grid.verdicts() == {}
    assert ids
    monkeypatch.undo()


def test_what_was_pressed_last_is_kept_when_the_window_closes(qtbot: QtBot, frame: MainWindow, made: Path) -> None:
    asked(qtbot, frame, 1)
    press(frame, S, S, D)
    frame.close()
    with Library.open(made) as library, library.store.reading() as r:
        assert r.marks.count() == 3


def drawn(verdict: Verdict, colours: Theme) -> QImage:
    image = QImage(64, 32, QImage.Format.Format_RGB32)
    image.fill(QColor(colours.well))
    painter = QPainter(image)
    paint_verdict(painter, QPointF(44, 16), verdict, colours)
    painter.end()
    return image


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_in_grey_each_sign_has_a_shape_of_its_own(qtbot: QtBot, colours: Theme) -> None:
    shapes = {}
    for verdict in Verdict:
        image = drawn(verdict, colours)
        ground = image.pixel(0, 0)
        shapes[verdict] = {(x, y) for x in range(64) for y in range(32) if image.pixel(x, y) != ground}
    similar, different, both = (shapes[one] for one in Verdict)
    assert len(similar ^ different) > 60
    assert len(both) > 1.5 * len(similar)


def test_verdicts_are_summed_up() -> None:
    assert Verdict.of([]) is None
    assert Verdict.of([True, True]) is Verdict.SIMILAR
    assert Verdict.of([False]) is Verdict.DIFFERENT
    assert Verdict.of([True, False]) is Verdict.BOTH


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        ("results", "Marked similar on 3 May, from results"),
        ("folder:/a/cats", "Marked similar on 3 May, from the folder /a/cats"),
        ("import:b.csv", "Marked similar on 3 May, from a file"),
        ("elsewhere", "Marked similar on 3 May, from elsewhere"),
    ],
)
def test_a_mark_says_when_and_where(qtbot: QtBot, origin: str, words: str) -> None:
    row = ResultMark(1, True, origin, "2026-05-03T12:00:00Z")
    assert plain_sentence(mark_text(row, QDate(2026, 11, 22))) == words
    assert "2026" in mark_text(row, QDate(2027, 1, 1))


def test_marks_are_counted() -> None:
    assert (count_of_marks(1), count_of_marks(1200)) == ("1 mark", "1,200 marks")


CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def searching_frame(qtbot: QtBot, libraries: Libraries, tmp_path: Path) -> Iterator[MainWindow]:
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


def test_marks_are_offered_where_there_are_some_and_asked_with(qtbot: QtBot, searching_frame: MainWindow) -> None:
    asked(qtbot, searching_frame, 1)
    pill = searching_frame.workspace.searching.view.bar.marks
    before = again(qtbot, searching_frame)
    question = searching_frame.workspace.searching.query
    assert pill.isHidden()
    press(searching_frame, S, D)
    settled(qtbot, searching_frame)
    assert pill.isVisible()
    assert not pill.isChecked()
    assert again(qtbot, searching_frame) == before  # nothing is asked anew by marking alone
    other = use(qtbot, searching_frame)
    assert pill.isChecked()
    assert sorted(one for one, _ in other) == sorted(one for one, _ in before)
    assert other != before
    assert searching_frame.workspace.searching.query == question  # what is remembered, compared and saved
    assert "1 marked similar, 1 marked different" in pill.toolTip()
    assert use(qtbot, searching_frame) == before
    assert not pill.isChecked()


def test_new_marks_wait_until_one_asks_with_them(qtbot: QtBot, searching_frame: MainWindow) -> None:
    ids = asked(qtbot, searching_frame, 1)
    press(searching_frame, S)
    settled(qtbot, searching_frame)
    before = use(qtbot, searching_frame)
    pill = searching_frame.workspace.searching.view.bar.marks
    results = searching_frame.workspace.searching.view.grid
    results.set_current(ids[3])
    press(searching_frame, D)
    settled(qtbot, searching_frame)
    assert again(qtbot, searching_frame) == before
    assert "new" in pill.text()
    assert use(qtbot, searching_frame) != before
    assert pill.isChecked()
    assert "new" not in pill.text()
    searching_frame.workspace.searching.add_examples([ids[2]], True)
    again(qtbot, searching_frame)
    assert pill.isChecked()  # the question goes on
    searching_frame.workspace.searching.take_pictures([ids[4]])
    again(qtbot, searching_frame)
    assert pill.isHidden()  # another one
    searching_frame.workspace.history.go_back()
    again(qtbot, searching_frame)
    assert pill.isChecked()


def test_when_the_last_mark_is_gone_it_can_still_be_left(qtbot: QtBot, searching_frame: MainWindow) -> None:
    asked(qtbot, searching_frame, 1)
    press(searching_frame, S)
    settled(qtbot, searching_frame)
    use(qtbot, searching_frame)
    searching_frame.workspace.undoing.undo()
    settled(qtbot, searching_frame)
    pill = searching_frame.workspace.searching.view.bar.marks
    assert pill.isVisible()
    use(qtbot, searching_frame)
    assert pill.isHidden()


def test_what_is_marked_with_one_of_two_is_marked_with_both_then_taken_back(
    qtbot: QtBot, searching_frame: MainWindow
) -> None:
    library = library_of(searching_frame)
    mark_pairs(library, [(1, 3)], True)
    asked(qtbot, searching_frame, 1, 2)
    results = searching_frame.workspace.searching.view.grid
    assert results.verdicts() == {3: Verdict.SIMILAR}
    results.set_current(3)
    press(searching_frame, S)
    settled(qtbot, searching_frame)
    assert len(marks(searching_frame)) == 2  # not taken back: it was only half said
    results.set_current(3)
    press(searching_frame, S)
    settled(qtbot, searching_frame)
    assert marks(searching_frame) == []


def marked_for_a_threshold(library: Library) -> None:
    """Mark so that what is near is similar: six photographs give fifteen pairs."""
    from twinlens.app.search.search_options import SearchOptions
    from twinlens.app.search.searcher import search

    pairs = sorted(
        (hit.distance, one, hit.id)
        for one in range(1, 7)
        for hit in search(library, [one], options=SearchOptions(k=6)).results[0].hits
        if hit.id > one
    )
    assert len(pairs) == len(list(combinations(range(6), 2)))
    mark_pairs(library, [pair[1:] for pair in pairs[:7]], True)
    mark_pairs(library, [pair[1:] for pair in pairs[7:]], False)


def test_what_is_less_sure_is_quieter_and_hidden_only_by_a_click(qtbot: QtBot, searching_frame: MainWindow) -> None:
    library = library_of(searching_frame)
    marked_for_a_threshold(library)
    threshold = confidence_threshold(library, searching_frame.workspace.searching.index)
    assert threshold is not None
    best: list[int] = []
    for one in range(1, 7):
        asked(qtbot, searching_frame, one)
        best = [hit.id for hit in result_of(searching_frame).hits if threshold.holds(hit.distance)]
        if 1 < len(best) < 6:
            break
    view = searching_frame.workspace.searching.view
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


def test_a_learned_metric_says_it_later_and_nothing_moves(qtbot: QtBot, searching_frame: MainWindow) -> None:
    library = library_of(searching_frame)
    marked_for_a_threshold(library)
    name = keep_metric(library, propose_metric(library, LearningSettings(anyway=True)))
    switched = search_by_metric(library, name)
    finish_index(library, switched.index)
    searching_frame.workspace.searching.choose_index(switched.index)
    asked(qtbot, searching_frame, 1)
    view = searching_frame.workspace.searching.view
    view.show_how(True)
    before = view.grid.rows().ids.tolist()
    place = view.grid.top()
    qtbot.waitUntil(lambda: not searching_frame.busy(), timeout=LONG)
    known = confidence_threshold(library, switched.index)
    assert known is not None
    assert not view.sure.isHidden()
    assert view.grid.rows().ids.tolist() == before
    assert view.grid.top() == place
    searching_frame.workspace.searching.refresh()
    again(qtbot, searching_frame)
    assert result_of(searching_frame).threshold == known  # kept: the next answer has it at once


def lists(shown: PhotoGrid, ids: set[int]) -> bool:
    return set(shown.rows().ids.tolist()) == ids


def test_only_what_is_marked_is_listed_and_found(qtbot: QtBot, searching_frame: MainWindow) -> None:
    library = library_of(searching_frame)
    mark_pairs(library, [(1, 2)], True)
    mark_pairs(library, [(2, 3)], False)
    shown = grid(searching_frame)
    for chosen, ids in (("any", {1, 2, 3}), ("similar", {1, 2}), ("different", {2, 3})):
        searching_frame.workspace.side.choose({"marked": chosen}, None)
        qtbot.waitUntil(partial(lists, shown, ids), timeout=LONG)
        searching_frame.workspace.searching.take_pictures([1])
        again(qtbot, searching_frame)
        assert {hit.id for hit in result_of(searching_frame).hits} == ids
    searching_frame.workspace.show_view("library")
    shown.select_all()
    shown.setFocus()
    QTest.keyClick(shown, S)  # the marks are others now, and the list follows
    settled(qtbot, searching_frame)
    qtbot.waitUntil(lambda: shown.rows().count == 0, timeout=LONG)
    searching_frame.workspace.side.clear()
    qtbot.waitUntil(lambda: shown.rows().count == COUNT, timeout=LONG)
