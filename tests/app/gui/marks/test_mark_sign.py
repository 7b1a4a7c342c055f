"""The signs of marks: told apart by shape alone; and what is said of a mark."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QDate, QPointF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from app.gui.look.sentences import plain_sentence
from app.gui.look.theme import DARK, LIGHT, Theme
from app.gui.marks.mark_controls import Verdict, count_of_marks, mark_text, paint_verdict
from app.marks.judgement import ResultMark


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
