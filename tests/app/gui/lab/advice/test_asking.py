"""The form of advice: its keys, what it says, and the pairs that a person names."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.gui.lab.advice.advice_form import AdviceForm
from app.gui.lab.advice.named_pairs import PairsPanel, PhotographPair
from app.gui.lists.cards import remove_sign_rect
from app.gui.look.style_sheet import apply_theme
from app.library.browsing import Photograph


@pytest.fixture(autouse=True)
def light(qtbot: QtBot) -> Iterator[None]:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    apply_theme(application, "light")
    yield
    application.setProperty("twinlens-scheme", None)


@pytest.fixture
def form(qtbot: QtBot) -> AdviceForm:
    shown = AdviceForm()
    qtbot.addWidget(shown)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


@pytest.fixture
def panel(qtbot: QtBot) -> PairsPanel:
    shown = PairsPanel()
    qtbot.addWidget(shown)
    shown.resize(1000, 400)
    with qtbot.waitExposed(shown):
        shown.show()
    return shown


def test_keys_choose_what_is_asked_and_for_how_long(form: AdviceForm, qtbot: QtBot) -> None:
    alt = Qt.KeyboardModifier.AltModifier
    form.go.setFocus()
    for key, truth in ((Qt.Key.Key_3, "neighbours"), (Qt.Key.Key_2, "pairs"), (Qt.Key.Key_1, "edits")):
        QTest.keyClick(form, key, alt)
        assert form.truth == truth
    for key, seconds in ((Qt.Key.Key_4, 10), (Qt.Key.Key_6, 300)):
        QTest.keyClick(form, key, alt)
        assert form.seconds == seconds
    QTest.keyClick(form, Qt.Key.Key_7, alt)
    QTest.keyClicks(form.own, "42")
    assert (form.seconds, form.truth) == (42, "edits")
    QTest.keyClick(form.own, Qt.Key.Key_Up)
    assert form.seconds == 52
    with qtbot.waitSignal(form.go_wanted):
        QTest.keyClick(form.own, Qt.Key.Key_Return)


def test_what_runs_cannot_be_changed_and_what_lacks_leads_to_the_library(form: AdviceForm, qtbot: QtBot) -> None:
    form.show_running()
    assert not form.go.isEnabled()
    form.show_ready(False, "Choose a pair.")
    assert (form.go.isEnabled(), form.words()) == (False, "Choose a pair.")
    with qtbot.assertNotEmitted(form.go_wanted, wait=50):
        QTest.keyClick(form.own, Qt.Key.Key_Return)
    form.show_lacking("Too few photos.")
    assert not form.go.isVisible()
    form.focus()
    with qtbot.waitSignal(form.library_wanted):
        QTest.keyClick(form.focusWidget() or form, Qt.Key.Key_Space)
    form.show_ready(True)
    assert form.go.isVisible()
    assert not form.library.isVisible()


def pictures(count: int) -> list[Photograph]:
    return [
        Photograph(n, f"/{n}.jpg", f"{n}.jpg", "/", bytes([n]) * 32, None, None, 80, 60, 1, "JPEG", away=False)
        for n in range(count)
    ]


def test_pairs_are_taken_away_by_cross_and_key(panel: PairsPanel, qtbot: QtBot) -> None:
    some = pictures(6)
    pairs = [
        PhotographPair(some[0], some[1]),
        PhotographPair(some[2], some[3]),
        PhotographPair(some[4], some[5], match=False),
    ]
    panel.show_pairs(pairs)
    cards = panel.match
    assert cards.rows() == pairs[:2]
    with qtbot.waitSignal(panel.removed) as gone:
        place = cards.card_place(cards.cards.index(1))
        QTest.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=remove_sign_rect(place).center())
    assert gone.args == [pairs[1]]
    cards.setFocus()
    QTest.keyClick(cards, Qt.Key.Key_Home)
    with qtbot.waitSignal(panel.removed) as gone:
        QTest.keyClick(cards, Qt.Key.Key_Delete)
    assert gone.args == [pairs[0]]


def test_photographs_are_dropped_on_what_they_should_do(panel: PairsPanel, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(one) for one in ("/a/1.jpg", "/a/2.jpg")])
    no = Qt.KeyboardModifier.NoModifier
    event = QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, no)
    with qtbot.waitSignal(panel.dropped) as dropped:
        panel.differ.dropEvent(event)
    assert dropped.args == [["/a/1.jpg", "/a/2.jpg"], False]
