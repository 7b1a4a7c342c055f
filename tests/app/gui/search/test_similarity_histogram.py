"""Two handles on the histogram: mouse, keys, bounds, and what those who listen are told."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.gui.search.similarity_histogram import STEPS, RangeHandle, SimilarityHistogram

Ranges = list[tuple[float, float]]


@pytest.fixture
def histogram(qtbot: QtBot) -> SimilarityHistogram:
    made = SimilarityHistogram()
    qtbot.addWidget(made)
    made.set_histogram([5, 9, 4, 1], 0.0, 0.8, [0.9, 0.75, 0.7])
    made.show()
    return made


@pytest.fixture
def told(histogram: SimilarityHistogram) -> Ranges:
    ranges: Ranges = []
    histogram.range_changed.connect(lambda low, high: ranges.append((low, high)))
    return ranges


def _handles(histogram: SimilarityHistogram) -> tuple[RangeHandle, RangeHandle]:
    lower, upper = histogram.findChildren(RangeHandle)
    return lower, upper


def _drag(handle: RangeHandle, by: int) -> None:
    middle = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    step = 1 if by > 0 else -1
    for _ in range(abs(by)):
        QTest.mouseMove(handle, middle + QPoint(step, 0))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle)


def test_at_first_all_is_wanted_hits_beyond_the_sample_too(histogram: SimilarityHistogram) -> None:
    assert histogram.wanted() == (0.0, 0.9)


def test_dragging_narrows_at_once(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, _ = _handles(histogram)
    _drag(lower, 40)
    assert len(told) > 1
    assert [low for low, _ in told] == sorted(low for low, _ in told)
    assert told[-1][0] > 0.1
    assert {high for _, high in told} == {0.9}


def test_keys_move_a_handle_and_ends_are_exact(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, upper = _handles(histogram)
    QTest.keyClick(lower, Qt.Key.Key_Right)
    assert told[-1] == pytest.approx((0.009, 0.9))
    QTest.keyClick(upper, Qt.Key.Key_PageDown)
    assert told[-1][1] == pytest.approx(0.81)
    QTest.keyClick(upper, Qt.Key.Key_End)
    QTest.keyClick(lower, Qt.Key.Key_Home)
    assert told[-1] == (0.0, 0.9)


def test_handles_do_not_pass_each_other(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, upper = _handles(histogram)
    upper.setValue(STEPS // 2)
    lower.setValue(STEPS)
    assert lower.value() == upper.value() == STEPS // 2
    assert all(low <= high for low, high in told)


def test_a_double_click_wants_all_again(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, _ = _handles(histogram)
    QTest.keyClick(lower, Qt.Key.Key_PageUp)
    QTest.mouseDClick(histogram, Qt.MouseButton.LeftButton)
    assert told[-1] == (0.0, 0.9)


def test_a_new_answer_wants_all_without_a_signal(histogram: SimilarityHistogram, told: Ranges) -> None:
    lower, _ = _handles(histogram)
    QTest.keyClick(lower, Qt.Key.Key_PageUp)
    before = len(told)
    histogram.set_histogram([1, 2], 0.2, 0.4, [0.3])
    assert histogram.wanted() == (0.2, 0.4)
    assert len(told) == before


def test_nothing_known_or_all_alike_has_no_handles(histogram: SimilarityHistogram) -> None:
    height = histogram.sizeHint().height()
    histogram.clear()
    assert not any(handle.isVisible() for handle in _handles(histogram))
    assert histogram.sizeHint().height() == height
    histogram.set_histogram([3], 1.0, 1.0, [1.0])
    histogram.grab()
    assert not any(handle.isVisible() for handle in _handles(histogram))


def test_handles_are_sliders_for_those_who_listen(histogram: SimilarityHistogram) -> None:
    for handle, name in zip(_handles(histogram), ("Least similarity", "Greatest similarity"), strict=True):
        interface = QAccessible.queryAccessibleInterface(handle)
        assert interface is not None
        assert interface.role() == QAccessible.Role.Slider
        assert interface.text(QAccessible.Text.Name) == name
        assert handle.focusPolicy() & Qt.FocusPolicy.TabFocus
    QTest.keyClick(_handles(histogram)[0], Qt.Key.Key_PageUp)
    assert _handles(histogram)[0].accessibleDescription() == "0.09"


def test_what_is_sure_is_marked_and_a_click_on_it_wants_no_more(histogram: SimilarityHistogram, told: Ranges) -> None:
    bare = histogram.grab().toImage()
    histogram.set_sure(0.6, 0.02)
    assert histogram.grab().toImage() != bare
    assert "2 %" in histogram.toolTip()
    middle = round(10 + (histogram.width() - 20) * 0.6 / 0.9)
    QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=QPoint(middle + 2, 10))
    assert len(told) == 1
    assert told[0][0] == pytest.approx(0.6, abs=0.01)
    QTest.mouseClick(histogram, Qt.MouseButton.LeftButton, pos=QPoint(middle - 30, 10))
    assert len(told) == 1
    histogram.set_sure(0.95, 0.02)  # nothing on the axis is
    histogram.reset()
    assert histogram.grab().toImage() == bare
    histogram.clear()
    assert "2 %" not in histogram.toolTip()
