"""Learning in the window with nothing put in place of what learns: from marks to another order of results.

It goes on in another language: no word of the Learn view and the map is English, and no number has a decimal point.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from tests.app.folders import Libraries
from tests.app.gui.looking import LONG
from tests.app.gui.working import opened
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.map.colouring import ColourBy
from twinlens.app.gui.map.map_controller import MapControl
from twinlens.app.language import texts as spoken
from twinlens.app.learn.metrics import list_metrics
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs
from twinlens.core.message import English

COUNT = 12
_TRANSLATED = re.compile(r"«[^«»]*»")
_NAMES = re.compile(r"[\w/]*\.(png|jpg|twinlens)|Automatic|Colours|Learned 1|photographs")
_KEY = re.compile(r"\((Ctrl\+)?\w+\)")


class _Quoted(English):
    """A language in which what is translated stands in quotes, and numbers have a comma."""

    def find(self, template: str) -> str:
        return f"«{template}»"

    def find_plural(self, one: str, many: str, count: int) -> str:
        return f"«{super().find_plural(one, many, count)}»"

    def number(self, text: str) -> str:
        return text.translate(str.maketrans(",.", ".,"))


@pytest.fixture(autouse=True)
def _quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spoken._Present, "language", _Quoted())


def texts(view: QWidget) -> list[str]:
    """Return every text of a view."""
    found: list[str] = []
    for one in (view, *view.findChildren(QWidget)):
        found += [one.toolTip(), one.accessibleName(), one.accessibleDescription()]
        if isinstance(one, QLabel | QPushButton):
            found.append(one.text())
        if isinstance(one, QComboBox):
            found += [one.itemText(row) for row in range(one.count())]
    return [text for text in dict.fromkeys(found) if text and not text.endswith("…")]


def untranslated(text: str) -> str:
    """Return what of a text is not translated, or a number with a decimal point."""
    point = re.search(r"\d\.\d\d?\b(?!\d)", _NAMES.sub("", text))
    while text != (rest := _TRANSLATED.sub("", text)):
        text = rest
    text = _KEY.sub("", _NAMES.sub("", text))
    return point.group() if point else " ".join(re.findall(r"[A-Za-z]{3,}", text))


def found(qtbot: QtBot, frame: MainWindow) -> list[int]:
    """Search with the first photograph, and return what is found, in its order."""
    frame.workspace.searching.take_pictures([1])
    qtbot.waitUntil(lambda: frame.workspace.searching.view.grid.rows().count > 1 and not frame.busy(), timeout=LONG)
    ids: list[int] = frame.workspace.searching.view.grid.rows().ids.tolist()
    return ids


def test_marks_are_learned_from_kept_and_searched_by_and_nothing_is_said_in_english(
    qtbot: QtBot, own_data: None, libraries: Libraries, tmp_path: Path
) -> None:
    path = libraries.copy(COUNT, tmp_path / "a.twinlens")
    with Library.open(path) as library:
        half = COUNT // 2
        mark_pairs(library, [*combinations(range(1, 5), 2), *combinations(range(half + 1, half + 5), 2)], similar=True)
        mark_pairs(library, [(one, other) for one in range(1, 5) for other in range(half + 1, half + 4)], similar=False)
        mark_pairs(library, [(1, 2)], similar=False)
    frame = opened(qtbot, path)
    frame.activateWindow()
    frame.workspace.show_view("learn")
    view = frame.workspace.learning.view
    qtbot.waitUntil(lambda: view.pair.pictures.pair() is not None and view.head.can("learn"), timeout=LONG)
    said = [*texts(view), view.pair.reason(), *view.head.words()]
    QTest.keyClick(QApplication.focusWidget() or frame, Qt.Key.Key_L)
    qtbot.waitUntil(lambda: view.head.can("keep"), timeout=LONG)
    qtbot.waitUntil(lambda: bool(view.marks.list.distances), timeout=LONG)
    qtbot.waitUntil(lambda: bool(view.strips.after.tiles()) and not frame.busy(), timeout=LONG)
    said += [*texts(view), view.pair.reason(), *view.head.words(), view.meaning.sentence()]
    model = view.marks.list.cards
    for row in range(len(model.rows)):
        roles = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
        said += [str(model.data(model.index(row), role)) for role in roles]
    QTest.keyClick(QApplication.focusWidget() or frame, Qt.Key.Key_K)
    qtbot.waitUntil(lambda: frame.workspace.searching.index == "Learned 1" and not frame.busy(), timeout=LONG)
    said += texts(view)
    library = frame.workspace.opened.library
    assert [one.name for one in list_metrics(library).metrics] == ["Learned 1"]
    assert [one.used for one in view.metrics.list.rows()] == [False, True]
    shown = [view.metrics.list.cards.card(row) for row in range(len(view.metrics.list.rows()))]
    said += [line.text for card in shown for line in (card.title, *card.lines)]
    learned = found(qtbot, frame)
    frame.workspace.show_view("learn")
    QTest.keyClick(QApplication.focusWidget() or frame, Qt.Key.Key_B)
    qtbot.waitUntil(lambda: frame.workspace.searching.index == "Automatic", timeout=LONG)
    assert found(qtbot, frame) != learned  # the order is another one by what was learned
    frame.workspace.show_view("map")
    control = cast(MapControl, frame.workspace.views.part("map"))
    qtbot.waitUntil(lambda: control.view.canvas.found is not None and not frame.busy(), timeout=LONG)
    for coloured in ColourBy:
        control.colours.choose(coloured)
        qtbot.waitUntil(lambda: not frame.busy(), timeout=LONG)
        said += [one for one in texts(control.view) if not re.fullmatch(r"\w+ \d{4}", one)]  # Qt writes months
    assert {text: left for text in said if (left := untranslated(text))} == {}
    assert any("«distance 0," in text for text in said)
    frame.close()
