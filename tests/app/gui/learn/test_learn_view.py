"""The Learn view by itself, given plain facts, and metrics chosen for a new index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QColor, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.looking import LONG, button, choose, chooser, do_key, edit, nameless, show, words
from tests.app.gui.photo_grid.tables import jpeg
from tests.app.gui.working import opened
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.indexes.indexes_page import IndexesPage
from twinlens.app.gui.learn.before_after import RankedStrip
from twinlens.app.gui.learn.learn_view import LearnView
from twinlens.app.gui.learn.learned_metrics import KeptMetrics
from twinlens.app.gui.learn.mark_column import mark_card, mark_facts
from twinlens.app.gui.lists.card import remove_sign_rect
from twinlens.app.gui.lists.card_list import CardModel
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.pictures.small_pictures import SmallPictures
from twinlens.app.gui.search.search_results import ResultRows
from twinlens.app.indexes.indexes import list_indexes
from twinlens.app.learn.learn_results import (
    BeforeAfterResult,
    JudgedMetric,
    LearnedHeldOut,
    LearnResult,
    MarkedPairDistances,
    MeanAndRange,
    MetricComparison,
    MetricMeaning,
    MetricStatus,
    OfferedPair,
    PairJudgement,
    RankedBothWays,
    WeighedColour,
)
from twinlens.app.learn.learning import details
from twinlens.app.learn.metrics import import_metric
from twinlens.app.library.library import Library
from twinlens.app.marks.mark_results import NO_MARKS, MarksResult, MarkStatus
from twinlens.app.methods import catalogue
from twinlens.core.message import NOTHING, Message
from twinlens.core.methods import METHODS


def held(accuracy: float) -> LearnedHeldOut:
    return LearnedHeldOut(accuracy=MeanAndRange(mean=accuracy, low=accuracy - 0.04, high=accuracy + 0.04))


def learned(pairs: int, better: int, worse: int, of: int, **more: Any) -> LearnResult:
    values: dict[str, Any] = {
        "index": "Automatic", "descriptor": "d", "pairs": pairs, "similar": pairs, "different": 0,
        "advice": Message("a"),
        "better": better, "worse": worse, "of": of, "apart": True, "more": 0, "tried": [], "metric": None,
        "learned_by": "x", "left_out": [], "seconds": 0.8,
    }  # fmt: skip
    return LearnResult(**values | more)


JUDGED = learned(
    64, 41, 5, 50, sure=True, contradictions=2, details=details(held(0.71), held(0.86), contradictions=2, seconds=0.8)
)


def count(total: int, similar: int, different: int, contradicted: int = 0, missing: int = 0) -> MarksResult:
    return MarksResult(
        marks=[], total=total, similar=similar, different=different, contradicted=contradicted, missing=missing
    )


def content(number: int) -> str:
    return number.to_bytes(32, "big").hex()


def pair(first: int = 1, second: int = 2) -> OfferedPair:
    return OfferedPair(
        first_id=first, second_id=second, first=f"{first}.jpg", second=f"{second}.jpg", first_content=content(first),
        second_content=content(second), why="unsure", reason=Message("Neither near nor far."), distance=1.0,
        learned_distance=None, usefulness=1.0,
    )  # fmt: skip


def image(colour: str = "teal", width: int = 60, height: int = 40) -> QImage:
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(QColor(colour))
    return made


def marked(number: int, *, contradicted: bool = False, missing: bool = False) -> MarkStatus:
    first, second = 2 * number, 2 * number + 1
    return MarkStatus(
        id=number, first=f"{first}.jpg", second=f"{second}.jpg", first_id=first, second_id=second,
        similar=number % 2 == 0, origin="asked", created="2026-01-01T00:00:00+00:00", contradicted=contradicted,
        missing=missing, first_content=content(first), second_content=content(second),
    )  # fmt: skip


def apart(before: float, after: float) -> MarkedPairDistances:
    return MarkedPairDistances(first=1, second=2, before=before, after=after, comparable=after)


def ranked(number: int, rank: int, was: int | None = None, judged: PairJudgement | None = None) -> RankedBothWays:
    return RankedBothWays(
        id=number, path=f"{number}.jpg", content=content(number), rank=rank, other_rank=was, distance=1.0,
        similarity=0.5, judged=judged, query=number == 1,
    )  # fmt: skip


def rankings(after: bool = True) -> BeforeAfterResult:
    turned = [ranked(1, 1, 1), ranked(4, 2, 4, judged="similar"), ranked(3, 3, 3, judged="different")]
    return BeforeAfterResult(
        query=1, path="1.jpg", index="Automatic", metric="", of=11, before=[ranked(one, one) for one in range(1, 12)],
        after=turned if after else [], moved_up=0, seconds=0.0,
    )  # fmt: skip


def metric(name: str, note: str) -> MetricStatus:
    return MetricStatus(
        name=name, descriptor="d", learned_by=None, dimensions=2, out_dimensions=2, ranking="distance", bytes=1,
        created="", indexes=[f"Index of {name}"], note=Message("{note}", note=note),
    )  # fmt: skip


@pytest.fixture
def done() -> list[str]:
    """Return the names of the actions that were done."""
    return []


@pytest.fixture
def view(qtbot: QtBot, done: list[str]) -> LearnView:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application)
    view = LearnView()
    names = "similar", "different", "skip", "take back", "learn", "keep", "leave", "go back", "another", "cancel"
    view.bind({name: partial(done.append, name) for name in names}, partial(done.append, "leave the view"))
    view.metrics.bind(lambda name: done.append(f"use {name}"))
    view.resize(1215, 738)
    show(qtbot, view)
    view.pair.show_pair(pair(), image(), image())
    view.focus_content()
    return view


def heard(signal: Any) -> list[tuple[Any, ...]]:
    told: list[tuple[Any, ...]] = []
    signal.connect(lambda *args: told.append(args))
    return told


def focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None
    return found


# --- keys ------------------------------------------------------------------------------------------------------------
def test_three_keys_judge_a_pair_wherever_the_focus_is(view: LearnView, done: list[str]) -> None:
    view.marks.show_marks([marked(1)])
    view.strips.show_rankings(rankings())
    for place in (view.pair.pictures, view.marks.list, view.strips.after):
        place.setFocus()
        QTest.keyClick(place, Qt.Key.Key_S)
        QTest.keyClick(place, Qt.Key.Key_D)
    assert done == ["similar", "different"] * 3
    view.pair.pictures.setFocus()
    QTest.keyClick(view.pair.pictures, Qt.Key.Key_Space)
    assert done[6:] == ["skip"]


def test_a_held_key_marks_once(view: LearnView, done: list[str]) -> None:
    for repeated in (False, True, True):
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_S, Qt.KeyboardModifier.NoModifier, "s", autorep=repeated)
        QApplication.sendEvent(view.pair.pictures, event)
    assert done == ["similar"]


def test_nothing_is_marked_where_there_is_no_pair(view: LearnView, done: list[str]) -> None:
    view.pair.say("No pair is left.")
    for key in (Qt.Key.Key_S, Qt.Key.Key_D, Qt.Key.Key_Space):
        QTest.keyClick(view.pair.pictures, key)
    assert done == []
    assert not button(view, "Mark the pair as similar").isEnabled()


@pytest.mark.parametrize(
    ("key", "held", "name"),
    [
        (Qt.Key.Key_Backspace, Qt.KeyboardModifier.NoModifier, "take back"),
        (Qt.Key.Key_L, Qt.KeyboardModifier.NoModifier, "learn"),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier, "learn"),
        (Qt.Key.Key_A, Qt.KeyboardModifier.NoModifier, "another"),
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, "leave the view"),
    ],
)
def test_every_key_does_what_is_written_on_it(
    view: LearnView, done: list[str], key: Qt.Key, held: Qt.KeyboardModifier, name: str
) -> None:
    view.head.show_ready(count(20, 10, 10))
    view.pair.show_undo("Undo similar")
    QTest.keyClick(view.pair.pictures, key, held)
    assert done == [name]


def test_keys_of_the_first_line_hold_only_while_they_are_shown(view: LearnView, done: list[str]) -> None:
    view.head.show_ready(NO_MARKS)
    for key in (Qt.Key.Key_K, Qt.Key.Key_N, Qt.Key.Key_L):
        QTest.keyClick(view.pair.pictures, key)
    assert done == []  # nothing is marked: there is nothing to learn from
    view.head.show_judgement(JUDGED)
    QTest.keyClick(view.pair.pictures, Qt.Key.Key_K)
    QTest.keyClick(view.pair.pictures, Qt.Key.Key_N)
    assert done == ["keep", "leave"]
    view.head.show_keeping()  # it is being written: pressed twice, it is kept once
    QTest.keyClick(view.pair.pictures, Qt.Key.Key_K)
    assert done == ["keep", "leave"]
    view.head.show_learning(64, 0.5)
    QTest.keyClick(view.pair.pictures, Qt.Key.Key_Escape)
    assert done[2:] == ["cancel"]


def test_letters_of_a_name_that_is_typed_are_no_commands(qtbot: QtBot, view: LearnView, done: list[str]) -> None:
    view.metrics.show_metrics(KeptMetrics([metric("Fish", "from 64 pairs")]))
    view.show_tab(1)
    renamed = heard(view.metrics.list.renamed)
    view.metrics.setFocus()
    view.metrics.list.go_to(1)
    QTest.keyClick(view.metrics.list, Qt.Key.Key_F2)
    typed = QApplication.focusWidget()
    assert isinstance(typed, QLineEdit)
    QTest.keyClicks(typed, "sd kn")
    assert typed.text() == "sd kn"
    QTest.keyClick(typed, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: renamed == [("Fish", "sd kn")])
    qtbot.waitUntil(lambda: not view.metrics.list.findChildren(QLineEdit))
    QTest.keyClick(view.metrics.list, Qt.Key.Key_F2)
    QTest.keyClick(edit(view, "New name of Fish"), Qt.Key.Key_Escape)
    assert done == []


# --- the first line --------------------------------------------------------------------------------------------------
def test_the_first_line_says_what_learning_did(view: LearnView) -> None:
    view.head.show_judgement(JUDGED)
    title, detail, advice = view.head.words()
    assert title == "Tested on 50 of your marks: what is similar comes earlier."
    assert "Learned from 64 marks · better on 41, worse on 5 of 50" in detail
    numbers = button(view, "Show how the test went in numbers, or hide it")
    shown = next(one for one in view.head.findChildren(QLabel) if one.text() == detail)
    assert not shown.isVisibleTo(view)  # they are one click deeper
    numbers.click()
    assert shown.isVisibleTo(view)
    assert "Pair accuracy 71 % → 86 % (± 4)" in detail
    assert "0.8 s" in detail
    assert "2" in detail
    assert "keep it" in advice
    assert [one.text() for one in view.head.offered()] == ["Keep  K", "Not now  N"]


def test_what_may_be_chance_is_said_to_be(view: LearnView) -> None:
    view.head.show_judgement(learned(12, 5, 4, 12, more=14, left_out=[Message("Left out: 1 pair.")]))
    assert "Not enough marks yet" in view.head.words()[2]
    assert "14" in view.head.words()[2]
    assert "Left out: 1 pair." in view.head.words()[2]
    assert view.head.offered()[0].text() == "Keep anyway  K"
    view.head.show_judgement(learned(12, 3, 7, 11, more=14))
    assert view.head.words()[0] == "Tested on 11 of your marks: no gain yet."
    view.head.show_judgement(learned(3, 0, 0, 0, more=5, learned_by=None))
    assert [one.text() for one in view.head.offered()] == ["Learn  L"]


def test_what_is_learned_is_chosen_beside_the_button(view: LearnView) -> None:
    """A metric first, then codes by each method that learns from marks; only while something can be learned."""
    (chosen,) = view.head.findChildren(QComboBox)
    offered = []
    for place in range(chosen.count()):
        chosen.setCurrentIndex(place)
        offered.append(view.head.method())
    assert [catalogue.method(one).key for one in offered[1:]] == [one.key for one in METHODS if one.supervised]
    assert offered[0] == ""
    view.head.show_learning(3, 0.5)
    assert chosen.isHidden()


def test_how_many_marks_are_lacking_is_said_before_learning(view: LearnView) -> None:
    view.head.show_ready(count(3, 2, 1))
    assert "about 17 more would help" in view.head.words()[2]
    view.head.show_ready(count(1200, 700, 500, contradicted=2, missing=3))
    assert "1,200" in view.head.words()[0]
    assert view.head.words()[2] == ""


def test_nothing_jumps_whatever_is_said(view: LearnView) -> None:
    def places() -> list[tuple[int, int]]:
        parts: tuple[QWidget, ...] = (view.pair.pictures, view.strips.before, view.strips.after, view.marks.list)
        return [(one.mapTo(view, QPoint(0, 0)).y(), one.height()) for one in parts]

    before = places()
    states: list[Callable[[], object]] = [
        lambda: view.head.show_ready(NO_MARKS),
        lambda: view.head.show_learning(64, 0.5, "trying", "3 s"),
        lambda: view.head.show_judgement(JUDGED),
        lambda: view.head.show_kept("Learned 1", is_ready=False),
        lambda: view.head.show_failure("It did not work.", "Try again."),
        lambda: view.strips.show_rankings(rankings()),
        lambda: view.strips.say("No order."),
        lambda: view.pair.say("No pair is left."),
        lambda: view.pair.show_undo("Undo similar"),
        lambda: view.pair.show_pair(pair(3, 4), image(), image(), (True, True)),
    ]
    for state in states:
        state()
        QApplication.processEvents()
        assert places() == before


# --- the pair --------------------------------------------------------------------------------------------------------
def test_a_sharp_picture_is_not_replaced_by_its_thumbnail(view: LearnView) -> None:
    view.pair.show_pair(pair(), image("red", 400, 300), image("red", 400, 300), (True, True))
    assert view.pair.pictures.is_sharp()
    view.pair.show_pair(pair(), image("blue"), image("blue"))
    assert view.pair.pictures.is_sharp()
    shown = view.pair.pictures.grab().toImage()
    assert shown.pixelColor(shown.width() // 4, shown.height() // 2) == QColor("red")
    view.pair.show_pair(pair(3, 4), image("blue"), image("blue"))
    assert not view.pair.pictures.is_sharp()


def test_a_click_on_a_photograph_ranks_by_it_and_a_double_click_or_a_key_shows_it_large(view: LearnView) -> None:
    asked, large = heard(view.pair.pictures.query_photographs), heard(view.pair.pictures.large_wanted)
    wells = view.pair.pictures.wells()
    QTest.mouseClick(view.pair.pictures, Qt.MouseButton.LeftButton, pos=wells[1].center())
    QTest.mouseDClick(view.pair.pictures, Qt.MouseButton.LeftButton, pos=wells[0].center())
    assert (2,) in asked
    QTest.keyClick(view.pair.pictures, Qt.Key.Key_2)
    assert large == [(1,), (2,)]


# --- before and after ------------------------------------------------------------------------------------------------
def test_a_rank_says_where_it_was(view: LearnView) -> None:
    view.strips.show_rankings(rankings())
    assert [one.captions for one in view.strips.after.tiles()[1:]] == [("4 → 2",), ("3",)]
    assert "marked similar" in view.strips.after.spoken(1)
    assert "marked different" in view.strips.after.spoken(2)


def test_marked_ones_are_outlined(view: LearnView) -> None:
    view.thumbnails.take({bytes.fromhex(content(number)): jpeg("#000000", 80, 60) for number in range(1, 12)})
    view.strips.show_rankings(rankings())
    shown = view.strips.after.grab().toImage()

    def edge(place: int) -> QColor:
        tile = view.strips.after.box(place)
        return shown.pixelColor(tile.left(), tile.center().y())

    assert edge(1) == QColor(theme().accent)
    assert edge(2) == QColor(theme().warn)
    assert edge(0) not in (QColor(theme().accent), QColor(theme().warn))


def test_the_strips_are_gone_through_by_keys(view: LearnView) -> None:
    view.strips.show_rankings(rankings())
    searched, large = heard(view.strips.before.asked), heard(view.strips.before.looked_at)
    view.strips.before.setFocus()
    for _ in range(2):
        QTest.keyClick(view.strips.before, Qt.Key.Key_Right)
    QTest.keyClick(view.strips.before, Qt.Key.Key_Space)
    QTest.keyClick(view.strips.before, Qt.Key.Key_Return)
    assert (large, searched) == ([(3,)], [(3,)])
    QTest.keyClick(view.strips.before, Qt.Key.Key_Down)
    assert view.strips.after.hasFocus()
    assert view.strips.after.current_id() == 3
    QTest.keyClick(view.strips.after, Qt.Key.Key_Up)
    assert view.strips.before.hasFocus()


def test_a_click_in_a_strip_ranks_by_that_photograph(view: LearnView) -> None:
    view.strips.show_rankings(rankings())
    asked = heard(view.strips.after.clicked)
    after = view.strips.after
    QTest.mouseClick(after.viewport(), Qt.MouseButton.LeftButton, pos=after.box(1).center())
    assert asked == [(4,)]


@given(st.integers(240, 4000))
def test_a_strip_is_filled_to_its_edge_by_whole_photographs(qapp: QApplication, width: int) -> None:
    strip = RankedStrip("Before", SmallPictures())
    strip.resize(width, 100)
    strip.show()  # else it is not told its size
    last = strip.box(strip.room() - 1)
    assert 0 <= width - last.right() < 8
    assert last.height() < strip.height()
    assert 3 <= strip.room() <= 16
    strip.close()
    strip.deleteLater()


# --- marks -----------------------------------------------------------------------------------------------------------
def test_what_a_card_says() -> None:
    assert mark_facts(marked(1)) == []
    assert mark_facts(marked(1), apart(0.62, 0.19)) == ["distance 0.62 → 0.19"]
    assert mark_facts(marked(1, contradicted=True)) == ["also marked the other way: not used"]
    assert mark_facts(marked(1, missing=True), apart(1.0, 2.0)) == ["waits for a photo"]


def test_marks_are_removed_by_key_and_by_the_cross(qtbot: QtBot, view: LearnView) -> None:
    view.marks.show_marks([marked(number) for number in range(5)])
    removed = heard(view.marks.list.remove_wanted)
    view.marks.list.go_to(2)
    do_key(view.marks.list, Qt.Key.Key_Delete)
    place = view.marks.list.card_place(view.marks.list.cards.index(1))
    QTest.mouseClick(view.marks.list.viewport(), Qt.MouseButton.LeftButton, pos=remove_sign_rect(place).center())
    assert removed == [([2],), ([1],)]


def test_only_what_is_seen_asks_for_thumbnails(view: LearnView, qtbot: QtBot) -> None:
    wanted: list[bytes] = []
    view.thumbnails.wanted.connect(wanted.extend)
    view.marks.show_marks([marked(number) for number in range(5_000)])
    view.marks.list.grab()
    qtbot.waitUntil(lambda: bool(wanted))
    assert len(wanted) < 60


@given(
    st.lists(st.integers(0, 40), unique=True, max_size=30),
    st.sets(st.integers(0, 40)),
    st.lists(st.integers(41, 60), unique=True, max_size=5),
)
def test_a_list_that_changes_shows_what_it_was_given(before: list[int], gone: set[int], new: list[int]) -> None:
    model = CardModel[MarkStatus](lambda one: one.id, mark_card)
    seen: list[str] = []
    model.modelReset.connect(lambda: seen.append("anew"))
    model.show_rows([marked(number) for number in before])
    seen.clear()
    wanted = [marked(number) for number in (*new, *(one for one in before if one not in gone))]
    model.show_rows(wanted)
    assert model.rows == wanted
    assert model.rowCount() == len(wanted)
    assert seen == []  # the list keeps its place


def test_filters_count_and_say_what_is_not_there(view: LearnView) -> None:
    view.show_counts(count(64, 33, 31, 2, 0), KeptMetrics())
    chosen = heard(view.marks.filter_chosen)
    which = chooser(view, "Which marks")
    which.setCurrentIndex(3)
    which.activated.emit(3)
    assert chosen == [("contradicted",)]
    assert "2" in which.itemText(3)
    view.marks.show_marks([], "missing")
    assert view.marks.words().text() == "No mark waits for a photo."
    assert view.marks.words().isVisible()
    assert "Your marks  64" in [tab.text() for tab in view.tabs()]


def test_without_marks_one_sentence_says_how(view: LearnView) -> None:
    view.head.show_ready(NO_MARKS)
    view.marks.show_marks([])
    assert "press S or D" in view.head.words()[1]
    assert "Press S or D" in view.marks.words().text()
    assert not view.head.can("learn")


def test_without_photographs_one_button_leads_to_the_library(view: LearnView) -> None:
    view.show_photographs(False)
    wanted = heard(view.empty.wanted)
    assert any("add photos first" in line for line in words(view))
    view.focus_content()
    QTest.keyClick(focused(), Qt.Key.Key_Space)
    assert wanted == [()]


# --- metrics and what they weigh -------------------------------------------------------------------------------------
def test_metrics_stand_side_by_side(view: LearnView, done: list[str]) -> None:
    fish_judged = JudgedMetric(
        name="Fish", default=True, indexes=[], created="", note=NOTHING, held_out=held(0.86), pairs=10, seen=0,
        sentence=NOTHING,
    )  # fmt: skip
    judged = MetricComparison(descriptor="d", metrics=[fish_judged], pairs=10)
    view.metrics.show_metrics(
        KeptMetrics([metric("Fish", "from 64 pairs"), metric("Old", "")], "Index of Fish", "Old", judged)
    )
    view.show_tab(1)
    deleted = heard(view.metrics.list.remove_wanted)
    shown = view.metrics.list
    plain, fish, old = (shown.cards.card(row) for row in range(3))
    assert (plain.title.text, plain.title.aside, fish.title.aside) == ("No metric", "", "used now")
    assert fish.lines[1].text == "Pair accuracy 86 % (± 4) on marks it has not seen"
    assert old.title.text == "Old"
    button(view.metrics, "Search by the chosen metric").click()
    do_key(shown, Qt.Key.Key_Delete)  # measuring plainly cannot be deleted
    shown.go_to(1)
    do_key(shown, Qt.Key.Key_Return)  # it is used already
    shown.go_to(2)
    do_key(shown, Qt.Key.Key_Return)
    button(view.metrics, "Search by the chosen metric").click()
    do_key(shown, Qt.Key.Key_Delete)
    button(view.metrics, "Search again as before this was kept").click()
    assert done == ["use ", "use Old", "use Old", "go back"]
    assert deleted == [(["Old"],)]


def test_what_weighs_more_stands_before_what_weighs_less(view: LearnView) -> None:
    view.meaning.show_meaning(None)
    assert not view.meaning.isVisible()
    weights = [WeighedColour(factor=one, before=0.1, after=0.1, rgb=(10, 20, 200)) for one in (0.5, 3.0, 0.1, 1.5)]
    blue = Message("Blue counts more.")
    view.meaning.show_meaning(MetricMeaning(kind="colours", sentence=blue, colours=weights, pairs=10))
    assert view.meaning.isVisible()
    assert view.meaning.sentence() == "Blue counts more."
    assert [one.factor for one in view.meaning.bars.weights()] == [3.0, 1.5, 0.1, 0.5]
    shown = view.meaning.bars.grab().toImage()
    assert shown.pixelColor(12, 22 + 14) == QColor(10, 20, 200)


# --- room ------------------------------------------------------------------------------------------------------------
def test_where_it_is_narrow_the_marks_come_with_a_key(view: LearnView) -> None:
    assert view.marks.isVisible()
    view.resize(759, 600)
    QApplication.processEvents()
    assert view.folded()
    assert not view.marks.isVisible()
    assert view.pair.isVisible()
    QTest.keyClick(view.pair.pictures, Qt.Key.Key_M)
    assert view.marks.isVisible()
    assert not view.pair.isVisible()
    QTest.keyClick(focused(), Qt.Key.Key_M)
    assert view.pair.isVisible()


def test_it_fits_a_small_screen(qtbot: QtBot, view: LearnView) -> None:
    view.resize(1024 - 65, 700 - 32)
    strip = view.strips.after
    # The lists are seen without scrolling.
    qtbot.waitUntil(lambda: strip.mapTo(view, QPoint(0, strip.height())).y() <= view.height())
    assert not view.folded()
    assert view.pair.pictures.height() >= 190


def test_everything_that_takes_the_focus_has_a_name(view: LearnView) -> None:
    view.metrics.show_metrics(KeptMetrics([metric("Fish", "from 64 pairs")]))
    assert nameless(view) == []


LISTED = "As in the metric Mine"


@pytest.fixture
def frame(qtbot: QtBot, own_data: None, libraries: Libraries, tmp_path: Path) -> Iterator[MainWindow]:
    path = libraries.copy(6, tmp_path / "a.twinlens")
    np.save(tmp_path / "Mine.npy", np.diag(np.linspace(1, 2, 80)))
    with Library.open(path) as library:
        import_metric(library, tmp_path / "Mine.npy", "edges")
    frame = opened(qtbot, path)
    yield frame
    frame.close()


@pytest.mark.parametrize(("entry", "name"), [(LISTED, "Mine"), ("Fitted to your photos", "whitening")])
def test_an_index_is_made_under_a_metric(
    qtbot: QtBot, frame: MainWindow, tmp_path: Path, entry: str, name: str
) -> None:
    frame.workspace.show_view("new index")
    page = frame.workspace.views.part("new index").view
    choose(chooser(page, "What is compared"), "Edge histogram")
    choose(chooser(page, "How vectors become bits"), "Random hyperplanes")
    box = chooser(page, "Which differences count")
    qtbot.waitUntil(lambda: box.findText(LISTED) > 0, timeout=LONG)
    choose(box, entry)
    qtbot.waitUntil(lambda: any("needs about" in line for line in words(page)), timeout=LONG)
    with qtbot.waitSignal(frame.workspace.making.made, timeout=LONG):
        button(page, "Create the index").click()
    text = f"edges · {name} · lsh:bits=256 · scan"
    with Library.open(tmp_path / "a.twinlens") as library:
        made = next(index for index in list_indexes(library).indexes if index.metric == name)
    assert (made.text, made.waiting) == (text, 0)
    listed = frame.workspace.views.part("indexes").view  # asked for once: each time the indexes are looked at anew
    assert isinstance(listed, IndexesPage)
    qtbot.waitUntil(lambda: text in [one.status.text for one in listed.list.rows()], timeout=LONG)
    frame.workspace.searching.choose_index(made.name)
    frame.workspace.searching.take_pictures([1])

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
