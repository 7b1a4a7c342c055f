"""Presses declared keys: those of the visible actions of a window, and those of parts that a window shows seldom."""

from __future__ import annotations

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests.app.gui.looking import LONG
from twinlens.app.duplicates.keeper_rules import KeeperRules
from twinlens.app.gui.actions.action import BoundAction, offer
from twinlens.app.gui.actions.declared_actions import every_action
from twinlens.app.gui.actions.lab_actions import theory_actions
from twinlens.app.gui.duplicates.plan_dialog import PlanList
from twinlens.app.gui.duplicates.rules_dialog import RulesDialog
from twinlens.app.gui.frame.failures import CrashDialog
from twinlens.app.gui.frame.library_workspace import LibraryWorkspace
from twinlens.app.gui.guide.guide_window import GuideWindow
from twinlens.app.gui.lab.advice.named_pairs import PairsControl, PairsPanel
from twinlens.app.gui.lab.lab_view import LabView
from twinlens.app.gui.learn.learned_metrics import MetricColumn
from twinlens.app.gui.lists.table import TableView
from twinlens.app.gui.search.colours.sketch import SketchPage
from twinlens.app.gui.search.match_pictures import MatchPair
from twinlens.app.gui.search.timing_line import CheckBar, TimingLine
from twinlens.app.gui.side_panel.album_list import AlbumList
from twinlens.app.gui.side_panel.filters import DatePopup
from twinlens.app.gui.viewer.side_by_side import ShownGroup, SideBySide
from twinlens.app.gui.viewer.viewer import Viewer
from twinlens.app.guide import read_pages
from twinlens.app.lab.lab_sheet import SheetRow

Pressed = set[tuple[str, str]]
"""Names of actions, each with a key that did it."""


def declared() -> Pressed:
    """Return every key that a command has, with its name; without those by which a widget moves."""
    return {
        (action.name, key.toString()) for action in every_action() if not action.moves for key in action.sequences()
    }


def press_visible(window: QWidget, done: list[str], pressed: Pressed) -> None:
    """Press the keys of the actions that can be done now, and were not pressed yet; add those that do their action.

    Parameters
    ----------
    done : list of str
        The names of actions that were done.
    """
    for one in window.findChildren(BoundAction):
        owner = one.parent()
        assert isinstance(owner, QWidget)
        if one.isEnabled() and owner.isVisible() and owner.isEnabled():
            _press(one, owner, done, pressed)


def press_parts(qtbot: QtBot, work: LibraryWorkspace, done: list[str], pressed: Pressed) -> None:
    """Press the keys of parts that are made here alone, each while no other action of the part can be done."""
    window = QWidget()
    window.resize(1200, 900)
    window.show()
    crash = CrashDialog("log")
    for one in (window, crash):
        qtbot.addWidget(one)
    beside, metrics, pairs, lab = SideBySide(window), MetricColumn(), PairsPanel(), LabView()
    metrics.bind(lambda __: None)
    PairsControl(pairs, work, pairs)
    offer(lab.sheet.theory, theory_actions(), {"again": int, "cancel": int})
    lab.bind(
        *(
            dict.fromkeys(names.split(), int)
            for names in (
                "new open pause delete",
                "resume again keep change stop default compare turn copy",
                "indexes compare leave",
            )
        )
    )
    beside.show_group(ShownGroup({}, 0, ""))
    shown = [
        RulesDialog(KeeperRules(), [], window),
        crash,
        GuideWindow(read_pages("en"), every_action(), window),
        DatePopup("", "", [], window),
        *(PlanList([], work.opened, work.jobs), SketchPage(), MatchPair(), metrics, pairs),
        *(TableView[SheetRow]("A table"), TimingLine(), CheckBar(), AlbumList()),
        *(beside, Viewer(window), lab),
    ]
    for part in shown:
        if not part.isWindow():
            part.setParent(window)
        part.resize(900, 600)
        with qtbot.waitActive(part.window(), timeout=LONG):
            part.show()
            part.window().activateWindow()
        actions = part.findChildren(BoundAction)
        for action in actions:
            owner = action.parent()
            assert isinstance(owner, QWidget)
            _reveal(owner, part)
            for other in actions:
                other.setEnabled(other is action)
            _press(action, owner, done, pressed)
        part.lower()


def _reveal(owner: QWidget, part: QWidget) -> None:
    while owner is not part:
        owner.setEnabled(True)
        owner.setVisible(True)
        above = owner.parentWidget()
        assert above is not None
        owner = above


def _press(one: BoundAction, owner: QWidget, done: list[str], pressed: Pressed) -> None:
    for key in one.shortcuts():
        if (one.objectName(), key.toString()) in pressed:
            continue
        if one.shortcutContext() is not Qt.ShortcutContext.WindowShortcut or QApplication.focusWidget() is None:
            _focus(owner)
        combined = QKeyCombination.fromCombined(key[0].toCombined())  # type: ignore[index]
        done.clear()
        QTest.keyClick(QApplication.focusWidget() or owner, combined.key(), combined.keyboardModifiers())
        if done == [one.objectName()]:
            pressed.add((one.objectName(), key.toString()))


def _focus(owner: QWidget) -> None:
    """Give the focus to a widget, or to the first one in it that takes it."""
    for one in (owner, *owner.findChildren(QWidget)):
        if one.isVisible() and one.isEnabled():
            one.setFocus()
            held = QApplication.focusWidget()
            if held is not None and (held is owner or owner.isAncestorOf(held)):
                return
