"""The keys that hold in the whole window, and those of the grids."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.gui.frame.frame import Frame


def bind(frame: Frame) -> None:
    """Bind the keys that hold in the whole window; those of the grids and pages are their own."""
    for key, act in {
        "Ctrl+1": lambda: frame.show_view("library"),
        "Ctrl+2": lambda: frame.show_view("search"),
        "Ctrl+3": lambda: frame.show_view("indexes"),
        "Ctrl+4": lambda: frame.show_view("problems"),
        "Ctrl+6": lambda: frame.show_view("compare"),
        "Ctrl+5": lambda: frame.show_view("learn"),
        "Ctrl+7": lambda: frame.show_view("lab"),
        "Ctrl+8": lambda: frame.show_view("map"),
        "Ctrl+,": lambda: frame.show_view("settings"),
        "Ctrl+O": frame.taking.choose_folder,
        "F5": frame.adding.rescan,
        "F9": frame.toggle_side,
        "F11": frame.toggle_full_screen,
        "Ctrl+P": frame.status.toggle_pause,
        "Ctrl+.": frame.status.cancel,
        "Ctrl+F": frame.filter,
        "Ctrl+D": lambda: frame.browsing.order_by("date"),
        "Ctrl+Shift+D": lambda: frame.browsing.order_by("folder"),
        "Ctrl+V": frame.taking.paste,
        "Ctrl+K": frame.ask_with_colours,
        "Ctrl+Shift+K": frame.add_colours,
        "F1": frame.show_shortcuts,
        "Ctrl+Q": frame.close,
        "Ctrl+Return": lambda: frame.actions_.open(frame.current()),
        "Ctrl+Shift+R": lambda: frame.actions_.reveal(frame.current()),
        "Ctrl+Shift+M": lambda: frame.show_on_map(frame.chosen()),
        "Ctrl+Shift+E": lambda: frame.actions_.export(frame.chosen(), "copy"),
    }.items():
        frame.bind(key, act)
    for grid in (frame.library_view.grid, frame.search_view.grid):
        bind_to_grid(frame, grid)
    _bind_marks(frame)
    _bind_within(frame.compare_view, "Esc", frame.leave)
    search = frame.search_view
    for key, act in {
        "Alt+Left": frame.searching.go_back,
        "Alt+Right": frame.searching.go_forward,
        "Ctrl+H": search.history_wanted.emit,
    }.items():
        _bind_within(search, key, act)


def bind_to_grid(frame: Frame, grid: QWidget) -> None:
    """Bind what holds while the keys are on a grid."""
    _bind_within(grid, "Ctrl+C", lambda: frame.actions_.copy(frame.chosen()))
    _bind_within(grid, "Esc", frame.leave)
    _bind_within(grid, "Ctrl+Shift+C", frame.compare)
    _bind_within(grid, "Shift+F10", frame.menu.show_for_current)  # for keyboards without a menu key
    if grid is frame.search_view.grid:
        _bind_within(grid, "C", frame.compare)
        _bind_within(grid, "Shift+C", frame.compare_question)
        _bind_within(grid, "+", lambda: frame.searching.add_examples(list(frame.chosen()), True))
        _bind_within(grid, "-", lambda: frame.searching.add_examples(list(frame.chosen()), False))


def _bind_marks(frame: Frame) -> None:
    """Bind S and D. In the library letters filter as one types: there they mark only where several are selected."""
    results, photographs = frame.search_view.grid, frame.library_view.grid
    for key, similar in (("S", True), ("D", False)):
        act = partial(_mark, frame, similar)
        _bind_within(results, key, act).setAutoRepeat(False)
        marks = _bind_within(photographs, key, act)
        marks.setAutoRepeat(False)
        marks.setEnabled(photographs.selection.count > 1)
        photographs.selection_changed.connect(lambda count, marks=marks: marks.setEnabled(count > 1))
    _bind_within(results, "Ctrl+Shift+S", frame.marking.mark_confirmed)
    for place in (results, frame.library_view, frame.forgotten_notice, frame.viewing.viewer, frame.side):
        _bind_within(place, "Ctrl+Z", frame.marking.undo)


def _mark(frame: Frame, similar: bool) -> None:
    mark = frame.marking.mark_results if frame.view() == "search" else frame.marking.mark_selection
    mark(frame.chosen(), similar)


def _bind_within(widget: QWidget, key: str, act: Callable[[], object]) -> QShortcut:
    shortcut = QShortcut(QKeySequence(key), widget)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(act)
    return shortcut
