"""The Advice page: what it says, its keys, and how charts, table and answer stand together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.lab.advice import advice_words
from app.gui.lab.advice.pair_list import Pair
from app.gui.lab.advice.view import AdviceView
from app.gui.look.appearance import apply_theme
from app.gui.look.card_painting import cross
from app.lab.advice.figures import frontier_figures, point_figures
from app.lab.advice.questions import NamedPairs
from app.lab.advice.reasons import SPEEDS_MEANING
from app.lab.advice.report import same_command
from app.lab.advice.results import AdvicePoint, AdviceResult, IndexParts
from app.library.browsing import Photograph
from core.message import Message
from tests.app.lab.advice.test_advice import exact, point

NOW = point("now", 0.93, 40, 64, index="Automatic", frontier=True)
BEST = point("best", 0.97, 2, 32, frontier=True)
WORSE = point("worse", 0.9, 30, 128)
POINTS = [NOW, BEST, WORSE, exact(900)]


def _parts(method: str) -> IndexParts:
    return IndexParts(key=f"colour · {method} · scan", descriptor="colour", method=method, search="scan")


def result(**values: object) -> AdviceResult:
    made = {
        "truth": "edits", "meaning": Message("the photo that was edited"), "photographs": 1_200, "questions": 100,
        "seed": 0, "time_limit": 60.0, "seconds": 58.0, "points": POINTS, "proposed": "best", "present": "now",
        "reasons": [Message("It finds 97 % of the exact results.")], "speeds": SPEEDS_MEANING, "tried": 4,
        "not_tried": [_parts("itq:bits=128"), _parts("lsh:bits=64")], "notes": [Message("A note.")],
        "refused": [Message("colour · klsh · scan: why not")], "command": "twinlens index create",
    }  # fmt: skip
    return AdviceResult.model_validate(made | values)


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[AdviceView]:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    shown = AdviceView()
    qtbot.addWidget(shown)
    shown.resize(1280, 900)
    with qtbot.waitExposed(shown):
        shown.show()
    shown.show_photographs(1_200)
    yield shown
    application.setProperty("twinlens-scheme", None)


def show(view: AdviceView, made: AdviceResult, key: str = "best", has: str = "") -> None:
    view.show_advice(made, "twinlens advise --time 60")
    view.show_answer(advice_words.answer(made, key, has, "Automatic"), key, "today", "")


# ---- words -----------------------------------------------------------------------------------------------------------


def test_the_proposal_is_one_sentence_with_numbers() -> None:
    told = advice_words.answer(result(), "best", "", "Automatic")
    assert told.sentence == (
        "lsh:bits=256 with scan finds 97 of 100 edited copies in 2.0\u00a0ms (32 B per photo). "
        "Your present index finds 93 of 100."
    )
    assert told.badge == "Proposed"
    assert (told.build, told.default, told.back) == (True, False, False)
    there = advice_words.answer(result(), "now", "Automatic", "Automatic")
    assert "This is your present index." in there.sentence
    assert there.badge == "Chosen instead"
    assert there.state == "The library has it: “Automatic”. It is in use."
    assert (there.build, there.default, there.back) == (False, False, True)
    other = advice_words.answer(result(), "worse", "Other", "Automatic")
    assert (other.build, other.default) == (False, True)
    assert any("exact results" in one for one in other.reasons)


def test_what_was_left_out_is_told_with_its_reasons() -> None:
    notes = advice_words.left_out(result())
    assert notes == ("A note.", "No time for colours (itq:bits=128, lsh:bits=64).", "colour · klsh · scan: why not")


def test_figures_name_what_is_proposed_what_answers_now_and_the_frontier() -> None:
    for figure in frontier_figures(result()):
        labels = {
            key: str(label) for one in figure.series[1:] for key, label in zip(one.keys, one.labels, strict=True)
        }  # fmt: skip
        assert labels["best"] == "proposed: lsh 256"
        assert labels["now"] == "now: lsh 512"
        assert labels["worse"] == "1,024"
        assert labels["exact"] == "exact"
    fewer = point("fewer", 1.0, 1, 16, questions=40)
    with_fewer = point_figures([*POINTS, fewer], "edits")[0]
    assert max(with_fewer.series[0].y) == 1.0, "exact search finds all"
    assert with_fewer.series[0].x[0] == 2.0, "what was asked less is on no frontier"
    assert "asked 100 questions" in str(with_fewer.note)
    assert not frontier_figures(result())[0].note
    so_far = point_figures(POINTS[:2], "edits")[0]
    assert {key for one in so_far.series for key in one.keys} == {"now", "best"}


def test_the_command_gives_the_same() -> None:
    pairs = NamedPairs(((1, 2),), ((3, 4),))
    assert same_command(5, "edits", pairs) == "twinlens advise --time 5 --match '#1' '#2' --differ '#3' '#4'"
    assert same_command(5, "neighbours", None, "/a b/c") == (
        "twinlens --library '/a b/c' advise --time 5 --truth neighbours"
    )


# ---- the page --------------------------------------------------------------------------------------------------------


def test_keys_choose_what_is_asked_and_press_what_is_seen(view: AdviceView, qtbot: QtBot) -> None:
    view.head.go.setFocus()
    for key, truth in ((Qt.Key.Key_3, "neighbours"), (Qt.Key.Key_2, "pairs"), (Qt.Key.Key_1, "edits")):
        QTest.keyClick(view, key)
        assert view.head.truth == truth
        assert view.pairs.isVisible() == (truth == "pairs")
    for key, seconds in ((Qt.Key.Key_4, 10), (Qt.Key.Key_6, 300)):
        QTest.keyClick(view, key)
        assert view.head.seconds == seconds
    QTest.keyClick(view, Qt.Key.Key_7)
    QTest.keyClicks(view.head.own, "42")  # digits go into the field while it has the keys
    assert (view.head.seconds, view.head.truth) == (42, "edits")
    QTest.keyClick(view.head.own, Qt.Key.Key_Up)
    assert view.head.seconds == 52
    with qtbot.waitSignal(view.head.go_wanted):
        QTest.keyClick(view.head.own, Qt.Key.Key_Return)
    with qtbot.waitSignal(view.left):
        QTest.keyClick(view, Qt.Key.Key_Escape)
    view.head.show_running(3)
    assert view.head.words() == "3 indexes measured"
    with qtbot.waitSignal(view.head.cancel_wanted):
        QTest.keyClick(view, Qt.Key.Key_Escape)


def test_buttons_of_the_answer_have_keys_where_they_are_seen(view: AdviceView, qtbot: QtBot) -> None:
    show(view, result())
    view.head.go.setFocus()
    with qtbot.waitSignal(view.answer.build_wanted):
        QTest.keyClick(view, Qt.Key.Key_B)
    with qtbot.waitSignal(view.answer.compare_wanted):
        QTest.keyClick(view, Qt.Key.Key_C)
    with qtbot.assertNotEmitted(view.answer.default_wanted, wait=50):
        QTest.keyClick(view, Qt.Key.Key_U)
    show(view, result(), "worse", "Other")
    with qtbot.waitSignal(view.answer.default_wanted):
        QTest.keyClick(view, Qt.Key.Key_U)
    with qtbot.waitSignal(view.answer.back_wanted):
        QTest.keyClick(view, Qt.Key.Key_R)
    with qtbot.waitSignal(view.left_out.copy_wanted) as copied:
        QTest.keyClick(view, Qt.Key.Key_Y)
    assert copied.args == ["twinlens advise --time 60"]


def name_it(view: AdviceView, key: str = "best", present: str = "Automatic") -> None:
    told = replace(advice_words.answer(result(), key, "", present), name=f"Colours · {key}", taken=frozenset({"Taken"}))
    view.show_answer(told, key, "today", "")


def test_the_index_has_a_proposed_name_that_is_typed_over_before_it_is_built(view: AdviceView, qtbot: QtBot) -> None:
    name_it(view)
    name, build = view.answer.name, view.answer.build
    assert name.isVisible()
    assert name.text() == "Colours · best"
    with qtbot.waitSignal(view.answer.build_wanted) as wanted:
        build.click()
    assert wanted.args == ["Colours · best"]
    view.head.go.setFocus()
    QTest.keyClick(view, Qt.Key.Key_F2)
    assert name.hasFocus()
    QTest.keyClicks(name, "Quick, 2")  # letters and digits are no keys of the page while it has them
    assert (name.text(), view.head.truth) == ("Quick, 2", "edits")
    name_it(view, present="Other")
    assert name.text() == "Quick, 2", "what is typed stays while the same index is told of"
    with qtbot.waitSignal(view.answer.build_wanted) as wanted:
        QTest.keyClick(name, Qt.Key.Key_Return)
    assert wanted.args == ["Quick, 2"]
    name_it(view, "worse")
    assert name.text() == "Colours · worse", "it was the name of another index"


def test_a_name_that_is_taken_says_so_and_escape_goes_back_to_the_proposal(view: AdviceView, qtbot: QtBot) -> None:
    name_it(view)
    name, build = view.answer.name, view.answer.build
    name.begin()
    QTest.keyClicks(name, "Taken")
    assert not build.isEnabled()
    assert view.answer.words()[2] == "An index with this name exists already."
    with qtbot.assertNotEmitted(view.answer.build_wanted, wait=50):
        QTest.keyClick(name, Qt.Key.Key_Return)
    with qtbot.assertNotEmitted(view.left, wait=50):
        QTest.keyClick(name, Qt.Key.Key_Escape)
    assert (name.text(), build.isEnabled(), build.hasFocus()) == ("Colours · best", True, True)
    assert view.answer.words()[2] == ""
    name.begin()
    QTest.keyClick(name, Qt.Key.Key_Delete)
    with qtbot.waitSignal(view.answer.build_wanted) as wanted:
        QTest.keyClick(name, Qt.Key.Key_Return)
    assert wanted.args == ["Colours · best"], "an empty name is the proposed one"
    view.answer.show_building("Making it…")
    assert name.isReadOnly()
    view.show_answer(advice_words.answer(result(), "now", "Automatic", "Automatic"), "now", "today", "")
    assert not name.isVisible(), "the library has it"


def test_a_row_lights_its_points_and_is_chosen(view: AdviceView, qtbot: QtBot) -> None:
    show(view, result())
    table = view.table
    lit: list[str | None] = []
    view.board.highlight = lit.append  # type: ignore[method-assign, assignment]
    at = table.visualRect(table.rows.index(table.rows.place("worse"), 0)).center()
    QTest.mouseMove(table.viewport(), at)
    table.lit.emit("worse")
    assert lit[-1] == "worse"
    assert table.rows.lit == "worse"
    table.lit.emit("")
    assert lit[-1] == "best", "what is chosen stays marked"
    with qtbot.waitSignal(view.key_chosen) as chosen:
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert chosen.args == ["worse"]
    table.setFocus()
    table.setCurrentIndex(table.rows.index(0, 0))
    QTest.keyClick(table, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.key_chosen) as chosen:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert chosen.args == [table.current_key()]
    assert table.currentIndex().row() == 1


def test_the_table_sorts_by_any_column_and_stays_sorted(view: AdviceView) -> None:
    show(view, result())
    model = view.table.rows
    for place, column in enumerate(model.sheet.columns):
        view.table.sortByColumn(place, Qt.SortOrder.DescendingOrder)
        told = [column.sort_value(one) for one in shown(view)]
        assert told == sorted(told, reverse=True)
    view.table.sortByColumn(model.sheet.place_of("Query"), Qt.SortOrder.AscendingOrder)
    show(view, result())
    assert [one.seconds for one in shown(view)] == sorted(one.seconds for one in POINTS)
    more = [*POINTS, point("other", 0.9, 3, 32, descriptor="edges")]
    show(view, result(points=more))
    assert [one.seconds for one in shown(view)] == sorted(one.seconds for one in more), "also with a further column"
    assert view.table.horizontalHeader().sortIndicatorSection() == model.sheet.place_of("Query")
    view.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert shown(view) == more
    assert model.rowCount(model.index(0, 0)) == 0


def shown(view: AdviceView) -> list[AdvicePoint]:
    rows = [view.table.rows.row(place) for place in range(view.table.rows.rowCount())]
    return [row for row in rows if row is not None]


def test_too_few_photographs_are_one_sentence_and_one_button(view: AdviceView, qtbot: QtBot) -> None:
    for count in (0, 5):
        view.show_photographs(count)
        assert not view.head.isVisible()
        view.focus_content()
        with qtbot.waitSignal(view.library_wanted):
            QTest.keyClick(view.focusWidget() or view, Qt.Key.Key_Space)
    view.show_photographs(20)
    assert view.head.isVisible()


# ---- pairs -----------------------------------------------------------------------------------------------------------


def pictures(count: int) -> list[Photograph]:
    return [
        Photograph(n, f"/{n}.jpg", f"{n}.jpg", "/", bytes([n]) * 32, None, None, 80, 60, 1, "JPEG", away=False)
        for n in range(count)
    ]


def test_pairs_are_taken_away_by_cross_and_key(view: AdviceView, qtbot: QtBot) -> None:
    view.head.choose(2)
    some = pictures(6)
    pairs = [Pair(some[0], some[1]), Pair(some[2], some[3]), Pair(some[4], some[5], match=False)]
    view.pairs.show_pairs(pairs)
    cards = view.pairs.match
    assert cards.rows() == pairs[:2]
    with qtbot.waitSignal(view.pairs.removed) as gone:
        place = cards.card_place(cards.cards.index(1))
        QTest.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=cross(place).center())
    assert gone.args == [pairs[1]]
    cards.setFocus()
    QTest.keyClick(cards, Qt.Key.Key_Home)
    with qtbot.waitSignal(view.pairs.removed) as gone:
        QTest.keyClick(cards, Qt.Key.Key_Delete)
    assert gone.args == [pairs[0]]


def test_photographs_are_dropped_on_what_they_should_do(view: AdviceView, qtbot: QtBot) -> None:
    view.head.choose(2)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(one) for one in ("/a/1.jpg", "/a/2.jpg")])
    no = Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, no)
    with qtbot.waitSignal(view.pairs.dropped) as dropped:
        view.pairs.differ.dropEvent(event)
    assert dropped.args == [["/a/1.jpg", "/a/2.jpg"], False]


def test_the_page_fits_a_small_window(view: AdviceView) -> None:
    show(view, result())
    view.resize(952, 640)
    QApplication.processEvents()
    assert view.minimumSizeHint().width() <= 952
    right = view.head.go.mapTo(view, QPoint(view.head.go.width(), 0)).x()
    assert right <= 952
    assert view.table.width() <= 952
