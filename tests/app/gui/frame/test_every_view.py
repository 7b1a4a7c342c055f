"""Every view, in a small window with large text, of names that are HTML: nothing is cut or read as more than text.

Every declared key runs its command there, or in a part that is made alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics, QTextDocument
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QToolButton,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.app.gui.actions.pressing import Pressed, declared, press_parts, press_visible
from tests.app.gui.looking import LONG
from tests.features.sample_pictures import scene
from tools.portrait import settle, views
from twinlens.app.gui.actions.action import BoundAction
from twinlens.app.gui.actions.declared_actions import every_action
from twinlens.app.gui.forms.parameter_controls import Chooser
from twinlens.app.gui.frame.main_window import MainWindow
from twinlens.app.gui.frame.start import install_language
from twinlens.app.gui.lab.experiment_list import ADVICE
from twinlens.app.gui.lab.lab_controller import LabControl
from twinlens.app.gui.lists.pick_list import ChoiceList
from twinlens.app.gui.look.buttons import QuietButton
from twinlens.app.gui.look.labels import RichLabel
from twinlens.app.gui.look.style_sheet import apply_theme
from twinlens.app.gui.map.map_controller import MapControl
from twinlens.app.gui.map.map_view import MapView
from twinlens.app.gui.side_panel.filters import ChoiceRow, FilterPanel
from twinlens.app.indexes.indexes import create_index
from twinlens.app.indexes.new_index import NewIndex
from twinlens.app.language.texts import _
from twinlens.app.library.ingest.adding import Adding, add
from twinlens.app.library.library import Library
from twinlens.app.marks.marks import mark_pairs

LOOK_MS = 40
SMALL = (1024, 700)
TEXT = 1.5
TAG = re.compile(r"<(img|b|i|u)\b(?![^>]*style)|</(b|i|u)>")
ENGLISH = re.compile(r"\b(the|of|and|are|with|which|from|this|than|photos?|photographs?|pictures|folders)\b")
OUTSIDE = re.compile(r"pytest-of-|<i>|&lt;i&gt;|\.jpg|twinlens --|Twinlens \d|\b(19|20)\d\d\b")
MNEMONIC = re.compile(r"(?<!&)&(?!&)")


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("hostile")
    made = place / "family.twinlens"
    hostile_library(made, place / "photographs")
    return made


@pytest.fixture
def application(
    own_data: None,
) -> Iterator[QApplication]:
    found = QApplication.instance()
    assert isinstance(found, QApplication)
    usual = QFont(found.font())
    large = QFont(usual)
    large.setPointSizeF(TEXT * usual.pointSizeF())
    found.setFont(large)
    apply_theme(found)
    yield found
    found.setFont(usual)
    apply_theme(found)
    install_language(found, "en")


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the names of actions instead of doing them."""
    names: list[str] = []
    monkeypatch.setattr(BoundAction, "run", lambda self: names.append(self.objectName()))
    return names


@pytest.fixture
def frame(qtbot: QtBot, application: QApplication, done: list[str], path: Path) -> Iterator[MainWindow]:
    install_language(application, "de")  # its words are the longer ones
    frame = MainWindow(path)
    with qtbot.waitSignal(frame.opened, timeout=LONG), qtbot.waitActive(frame):
        frame.show()
        frame.activateWindow()
    settle(frame, LOOK_MS)
    yield frame
    frame.close()
    frame.deleteLater()  # or all its widgets would get the usual look
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_nothing_is_cut_names_stay_text_and_every_key_runs_its_command(
    qtbot: QtBot, application: QApplication, frame: MainWindow, done: list[str]
) -> None:
    found: list[str] = []
    pressed: Pressed = set()
    shown = views(frame, 3)
    shown["map-waits"] = lambda: _map(frame).show_waiting()
    shown["advice"] = lambda: _lab(frame).choose([ADVICE])  # what it measures takes its time
    for name, show in shown.items():
        show()
        frame.resize(*SMALL)
        _settled(frame)
        assert (frame.width(), frame.height()) == SMALL
        found += [f"{name}: {one}" for one in [*faults(frame), *_more_than_text(application)]]
        found += [f"{name}: English: {one}" for one in _english(frame, seen=True)]
        found += [f"{name}: {one}" for one in _unlike_their_commands(frame)]
        press_visible(frame, done, pressed)
    found += [f"English: {one}" for one in _english(frame, seen=False)]
    found += _tips(frame) + _lists(frame)
    press_parts(qtbot, frame.workspace, done, pressed)
    found += [f"the key {key} does not run {name}" for name, key in sorted(declared() - pressed)]
    assert not found, "\n".join(dict.fromkeys(found))


def _map(frame: MainWindow) -> MapView:
    frame.workspace.show_view("map")
    return frame.workspace.views.get("map", MapControl).view


def _lab(frame: MainWindow) -> LabControl:
    frame.workspace.show_view("lab")
    found = frame.workspace.views.part("lab")
    assert isinstance(found, LabControl)
    return found


def _english(frame: MainWindow, seen: bool) -> list[str]:
    """Return what is read or spoken in English where it is seen, or is not, names of files and declarations apart."""
    found = []
    for widget in frame.findChildren(QWidget):
        if widget.isVisible() is not seen:
            continue
        for name in ("text", "toolTip", "accessibleName", "accessibleDescription", "placeholderText"):
            read = getattr(widget, name, None)
            lines = str(read()).replace("\u200b", "").splitlines() if callable(read) else []
            found += [line for line in lines if ENGLISH.search(line) and not OUTSIDE.search(line)]
    return found


def _unlike_their_commands(frame: MainWindow) -> list[str]:
    """Return the buttons and entries of menus that say or do something else than the palette and the sheet of keys."""
    actions = {one.name: one for one in every_action()}
    shown = {one: one.property("command") for one in frame.findChildren(QAbstractButton) if one.property("command")}
    assert shown, "no button shows a command"
    found = [
        f"the button of {name} says {one.toolTip()!r}"
        for one, name in shown.items()
        if one.toolTip().splitlines()[-1] != actions[name].tip()
    ]
    return found + [
        f"the entry of {one.objectName()} says {one.text()!r}"
        for one in frame.findChildren(QAction)
        if (action := actions.get(one.objectName()))
        and not (one.text() == action.words and set(one.shortcuts()) <= set(action.sequences()))
    ]


def _settled(frame: MainWindow) -> None:
    """Wait until nothing is done, and charts, which are laid out in turns, have their places."""
    for __ in range(5):
        settle(frame, LOOK_MS)
        if not faults(frame):
            return


def _more_than_text(application: QApplication) -> list[str]:
    """Return what is read as HTML, or has a key by its ampersand, though it came from outside."""
    found = []
    for widget in application.allWidgets():
        if isinstance(widget, QLabel):
            rich = isinstance(widget, RichLabel)
            polished = widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished)
            if polished and not rich and widget.textFormat() is not Qt.TextFormat.PlainText:
                found.append(f"{widget.text()!r} may be read as HTML")
            if rich and TAG.search(widget.text()):
                found.append(f"{widget.text()!r} has outside text that is not escaped")
            found += [
                f"{widget.text()!r} shows a picture"
                for document in widget.findChildren(QTextDocument)
                if "\ufffc" in document.toRawText()
            ]
        elif isinstance(widget, QAbstractButton) and not isinstance(widget, QuietButton):
            lost = MNEMONIC.search(widget.text())
            found += [f"the button {widget.text()!r} loses its ampersand"] if lost else []
    return found


def _tips(frame: MainWindow) -> list[str]:
    """Show every tooltip that could be taken for HTML."""
    tips = {one.toolTip(): one for one in frame.findChildren(QWidget) if "<" in one.toolTip()}
    assert tips, "no tooltip has a name from outside"
    found = []
    for words, widget in tips.items():
        QToolTip.showText(QPoint(8, 8), words, widget)
        for label in QApplication.topLevelWidgets():
            if label.metaObject().className() == "QTipLabel" and label.isVisible():
                assert isinstance(label, QLabel)
                if label.textFormat() is not Qt.TextFormat.PlainText:
                    found.append(f"the tooltip {words!r} is read as HTML")
    QToolTip.hideText()
    return found


def _lists(frame: MainWindow) -> list[str]:
    """Open the list that offers names from outside."""
    panel = frame.workspace.side.findChild(FilterPanel)
    assert panel is not None
    panel.set_cameras([(" ".join(CAMERA), 3)])
    next(row for row in panel.findChildren(ChoiceRow) if row.accessibleName().startswith(_("Camera"))).click()
    (popup,) = panel.findChildren(ChoiceList)
    words = popup.words()
    popup.close()
    return [] if any("<b>Nikon</b>" in one for one in words) else [f"the cameras are offered as {words!r}"]


IMAGE = "<img src=x>"
NAMES = (
    f"{IMAGE}.jpg",
    "<b>bold.jpg",
    "&amp; Tom & Jerry.jpg",
    "line\nbreak.jpg",
    "photo\u202egpj.exe.jpg",
    "n" * 200 + ".jpg",
)
FOLDERS = (f"Tom & Jerry {IMAGE}", "<i>in\nner")
INDEX = f"<b>index</b> & {IMAGE}"
CAMERA = (f"<b>Nikon</b> {IMAGE}", "D90 & <i>lens</i>")
_MAKE, _MODEL = 0x010F, 0x0110


def write_hostile(folder: Path) -> None:
    """Write two photographs of every name, in two folders, by a camera whose name is HTML, and a damaged one."""
    exif = Image.Exif()
    exif[_MAKE], exif[_MODEL] = CAMERA
    for number, inner in enumerate(FOLDERS):
        place = folder / inner
        place.mkdir(parents=True)
        for seed, name in enumerate(NAMES):
            scene(320, 240, seed=10 * number + seed).save(place / name, "JPEG", quality=92, exif=exif)
            os.utime(place / name, (0, 0))  # a time that was never set, so that none is newer than another
    (folder / FOLDERS[0] / "<u>damaged.jpg").write_bytes(b"\xff\xd8\xff" + bytes(100))


def hostile_library(path: Path, photographs: Path) -> None:
    """Make a library of them, with an index and marks."""
    write_hostile(photographs)
    with Library.open(path, create=True) as opened:
        add(opened, [photographs], Adding(workers=1))
        create_index(opened, NewIndex(descriptor="colour", method="lsh:bits=64", search="scan", name=INDEX), workers=1)
        ids = list(range(1, 2 * len(NAMES) + 1))
        mark_pairs(opened, list(zip(ids[:6:2], ids[1:6:2], strict=True)), similar=True)
        mark_pairs(opened, list(zip(ids[6::2], ids[7::2], strict=True)), similar=False)


SLACK_PX = 2
_HELD = QLabel | QAbstractButton | QLineEdit | QComboBox | QAbstractSpinBox


def faults(window: QWidget) -> list[str]:
    """Return a sentence for each visible widget of a window of which a person misses something."""
    shown = [one for one in window.findChildren(QWidget) if one.isVisible() and one.window() is window]
    found = [said for one in shown for said in (_outside(one), _cut(one)) if said]
    parents = {one.parentWidget() for one in shown}
    return found + [said for parent in parents if parent is not None for said in _overlapping(parent)]


def _outside(one: QWidget) -> str:
    parent = one.parentWidget()
    if parent is None or _scrolled(one) or one.size().isEmpty():
        return ""
    area = parent.parentWidget()
    here = one.geometry()
    if not isinstance(area, QScrollArea) and isinstance(area, QAbstractScrollArea) and area.viewport() is parent:
        return ""  # editors and the like in a list that scrolls
    beyond = here.adjusted(SLACK_PX, SLACK_PX, -SLACK_PX, -SLACK_PX)
    return "" if parent.rect().contains(beyond) else f"{_name(one)} reaches out of {_name(parent)} by {_over(one)}"


def _over(one: QWidget) -> str:
    parent = one.parentWidget()
    assert parent is not None
    here, room = one.geometry(), parent.rect()
    return f"{here.getRect()} in {room.size().toTuple()}"


def _scrolled(one: QWidget) -> bool:
    """Return whether a widget is what a scroll area scrolls."""
    parent = one.parentWidget()
    area = parent.parentWidget() if parent is not None else None
    if not (isinstance(area, QScrollArea) and area.widget() is one):
        return False
    bar = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    beside = area.verticalScrollBar().sizeHint().width() + SLACK_PX  # some leave this margin for the bar
    wide = one.width() > area.viewport().width() + beside and area.horizontalScrollBarPolicy() == bar
    high = one.height() > area.viewport().height() and area.verticalScrollBarPolicy() == bar
    return not (wide or high)


def _cut(one: QWidget) -> str:
    words = _words(one)
    if not words.strip() or (isinstance(one, QPushButton) and one.layout() is not None):
        return ""  # the labels in a button show its words
    room = one.contentsRect()
    if isinstance(one, QLabel):
        room.setHeight(one.height())  # what is needed counts the margins
    wide, high = _needed(one, words)
    if wide <= room.width() + SLACK_PX and high <= room.height() + SLACK_PX:
        return ""
    ends_in_dots = isinstance(one, QLabel | QComboBox | QuietButton)
    if high <= room.height() + SLACK_PX and ends_in_dots and _tip_has(one, words):
        return ""
    return f"{_name(one)} has {room.width()} x {room.height()} for {wide} x {high}"


def _words(one: QWidget) -> str:
    if isinstance(one, QLabel | QAbstractButton):
        return one.text()
    return one.currentText() if isinstance(one, QComboBox) else ""


def _tip_has(one: QWidget, words: str) -> bool:
    """Return whether the whole is said where the pointer rests; a `Chooser` says what is chosen by itself."""
    return isinstance(one, Chooser) or words.split("…", maxsplit=1)[0].strip() in one.toolTip()


def _needed(one: QWidget, words: str) -> tuple[int, int]:
    if isinstance(one, QLabel):
        if one.wordWrap():
            longest = max(words.split(), key=len) if one.textFormat() is Qt.TextFormat.PlainText else ""
            wide = one.fontMetrics().horizontalAdvance(longest.split("\u200b")[0])
            return wide, one.heightForWidth(one.width())
        hint = one.minimumSizeHint()
        return (hint.width() if one.textFormat() is not Qt.TextFormat.PlainText else _width(one, words)), hint.height()
    if not isinstance(one, QComboBox | QPushButton | QToolButton | QCheckBox):  # painted
        hint = one.sizeHint()
        return hint.width(), min(hint.height(), QFontMetrics(one.font()).height())
    if isinstance(one, QPushButton):
        return _width(one, words.replace("&&", "&")), one.fontMetrics().height()
    return _width(one, words) + (16 if isinstance(one, QComboBox) else 0), one.fontMetrics().height()


def _width(one: QWidget, words: str) -> int:
    return max(one.fontMetrics().horizontalAdvance(line) for line in words.split("\n"))


def _overlapping(parent: QWidget) -> list[str]:
    held = [
        one
        for one in parent.children()
        if isinstance(one, _HELD) and one.isVisible() and not (isinstance(one, QLabel) and not one.text())
    ]
    found = []
    for first, second in combinations(held, 2):
        common: QRect = first.geometry().intersected(second.geometry())
        if common.width() > SLACK_PX and common.height() > SLACK_PX:
            found.append(f"{_name(first)} lies over {_name(second)}")
    layout = parent.layout()
    if layout is not None:
        items = [layout.itemAt(i) for i in range(layout.count())]
        boxes = [one.geometry() for one in items if one is not None and not one.isEmpty()]
        for one, other in combinations(boxes, 2):
            common = one.intersected(other)
            if common.width() > SLACK_PX and common.height() > SLACK_PX:
                found.append(f"In {_name(parent)} {one.getRect()} lies over {other.getRect()}")
    return found


def _name(one: QWidget) -> str:
    said = _words(one) or one.accessibleName() or one.objectName()
    parent = one.parentWidget()
    around = f" in {type(parent).__name__}" if parent is not None else ""
    return f"{type(one).__name__} “{said[:60]}”{around}"
