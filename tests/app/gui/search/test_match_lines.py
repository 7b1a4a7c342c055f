"""Lines between two pictures: not too many, and the one that is looked at stands out."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.look.theme import theme
from app.gui.search.match_pictures import MOST_LINES, Line, MatchPair, nearest_line, spread_lines
from tests.app.gui.search.pictures import jpeg

ACROSS: list[Line] = [((0.2, y), (0.8, y)) for y in (0.2, 0.5, 0.8)]


@pytest.fixture
def pair(qtbot: QtBot) -> MatchPair:
    made = MatchPair()
    qtbot.addWidget(made)
    made.resize(264, 100)
    made.show()
    made.set_pictures(jpeg(64, 48, "#202020"), jpeg(64, 48, "#202020"))
    made.set_lines(ACROSS)
    return made


def test_of_many_lines_those_are_kept_that_lie_apart() -> None:
    places = np.random.default_rng(3).random((300, 4)) * 0.05
    places[:4] = [[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1], [1, 0, 1, 0]]
    lines: list[Line] = [((a, b), (c, d)) for a, b, c, d in places.tolist()]
    kept = spread_lines(lines)
    assert len(kept) == MOST_LINES
    assert set(lines[:4]) <= set(kept)
    assert spread_lines(lines[:5]) == tuple(lines[:5])
    assert spread_lines([]) == ()


def test_the_nearest_line_is_found_if_it_is_near() -> None:
    ends = [(QPointF(0, y), QPointF(100, y)) for y in (0.0, 20.0, 40.0)]
    assert nearest_line(ends, QPointF(50, 22)) == 1
    assert nearest_line(ends, QPointF(50, 30)) is None
    assert nearest_line(ends, QPointF(120, 20)) is None
    assert nearest_line([], QPointF(0, 0)) is None


def test_the_line_under_the_pointer_stands_out_and_is_calm_again(qtbot: QtBot, pair: MatchPair) -> None:
    start, end = pair.ends()[1]
    middle = (start + end) / 2
    QTest.mouseMove(pair, middle.toPoint())
    qtbot.waitUntil(lambda: pair.bright() == 1, timeout=5000)
    drawn = pair.grab().toImage()
    assert drawn.pixelColor(start.toPoint()) == QColor(theme().warn)
    QTest.mouseMove(pair, QPoint(2, 2))
    qtbot.waitUntil(lambda: pair.bright() is None, timeout=5000)
    assert pair.grab().toImage().pixelColor(start.toPoint()) != QColor(theme().warn)


def test_keys_go_from_line_to_line(qtbot: QtBot, pair: MatchPair) -> None:
    seen = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Left):
        QTest.keyClick(pair, key)
        seen.append(pair.bright())
    assert seen == [0, 1, 0, 2]
    with qtbot.waitSignal(pair.pressed, timeout=2000):
        QTest.keyClick(pair, Qt.Key.Key_Return)
    with qtbot.waitSignal(pair.pressed, timeout=2000):
        QTest.mouseClick(pair, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))


def test_without_lines_there_is_nothing_to_press(qtbot: QtBot, pair: MatchPair) -> None:
    assert "3 line" in pair.accessibleName()
    pair.set_lines(())
    assert pair.focusPolicy() == Qt.FocusPolicy.NoFocus
    with qtbot.assertNotEmitted(pair.pressed):
        QTest.mouseClick(pair, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
