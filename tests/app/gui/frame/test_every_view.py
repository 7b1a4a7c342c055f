"""Every view, in a small window with large text, of a library whose names are HTML: nothing is cut, nothing is read
as more than text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFont, QTextDocument
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from app.gui.frame.main_window import MainWindow
from app.gui.frame.start import install_language
from app.gui.lab.experiment_list import ADVICE
from app.gui.lab.lab_controller import LabControl
from app.gui.look.buttons import QuietButton
from app.gui.look.labels import RichLabel
from app.gui.look.style_sheet import apply_theme
from app.gui.side_panel.filters import ChoiceList, ChoiceRow, FilterPanel
from app.language.texts import _
from tests.app.gui.frame.cut_off import faults
from tests.app.gui.frame.hostile import CAMERA, hostile_library
from tests.app.gui.looking import LONG
from tools.portrait import settle, views

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
def frame(qtbot: QtBot, application: QApplication, path: Path) -> Iterator[MainWindow]:
    install_language(application, "de")  # its words are the longer ones
    frame = MainWindow(path)
    with qtbot.waitSignal(frame.opened, timeout=LONG):
        frame.show()
    settle(frame, LOOK_MS)
    yield frame
    frame.close()
    frame.deleteLater()  # or all its widgets would get the usual look
    application.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_nothing_is_cut_and_names_stay_text(application: QApplication, frame: MainWindow) -> None:
    found: list[str] = []
    shown = views(frame, 3)
    shown["advice"] = lambda: _lab(frame).choose([ADVICE])  # what it measures takes its time
    for name, show in shown.items():
        show()
        frame.resize(*SMALL)
        _settled(frame)
        assert (frame.width(), frame.height()) == SMALL
        found += [f"{name}: {one}" for one in [*faults(frame), *_more_than_text(application)]]
        found += [f"{name}: English: {one}" for one in _english(frame, seen=True)]
    found += [f"English: {one}" for one in _english(frame, seen=False)]
    found += _tips(frame) + _lists(frame)
    assert not found, "\n".join(dict.fromkeys(found))


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
