"""The keys that hold in the whole window, and those of the grids."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from app.gui.frame.workspace import Workspace


def bind(window: Workspace) -> None:
    """Bind the keys that hold in the whole window; those of the grids and pages are their own."""
    for key, act in {
        "Ctrl+1": lambda: window.show_view("library"),
        "Ctrl+2": lambda: window.show_view("search"),
        "Ctrl+4": lambda: window.show_view("map"),
        "Ctrl+5": lambda: window.show_view("learn"),
        "Ctrl+6": lambda: window.show_view("lab"),
        "Ctrl+,": lambda: window.show_view("settings"),
        "Ctrl+O": window.taking.choose_folder,
        "F5": window.adding.rescan,
        "F9": window.toggle_side,
        "F11": window.toggle_full_screen,
        "Ctrl+P": window.status.toggle_pause,
        "Ctrl+.": window.status.cancel,
        "Ctrl+F": window.browsing.filter,
        "Ctrl+D": lambda: window.browsing.order_by("date"),
        "Ctrl+Shift+D": lambda: window.browsing.order_by("folder"),
        "Ctrl+V": window.taking.paste,
        "Ctrl+K": window.ask_with_colours,
        "Ctrl+Shift+K": window.add_colours,
        "Ctrl+Z": window.undoing.undo,
        "Ctrl+Shift+Z": window.undoing.redo,
        "F1": window.show_shortcuts,
        "Ctrl+Q": window.close_window,
        "Ctrl+Return": lambda: window.actions_.open(window.current()),
        "Ctrl+Shift+R": lambda: window.actions_.reveal(window.current()),
        "Ctrl+Shift+M": lambda: window.show_on_map(window.chosen()),
        "Ctrl+Shift+E": lambda: window.actions_.export(window.chosen(), "copy"),
    }.items():
        window.bind(key, act)
    for grid in (window.browsing.view.grid, window.searching.view.grid):
        bind_to_grid(window, grid)
    _bind_marks(window)
    _bind_within(window.comparing.view, "Esc", window.leave)
    search = window.searching.view
    for key, act in {
        "Alt+Left": window.searching.go_back,
        "Alt+Right": window.searching.go_forward,
        "Ctrl+H": search.history_wanted.emit,
    }.items():
        _bind_within(search, key, act)


def bind_to_grid(window: Workspace, grid: QWidget) -> None:
    """Bind what holds while the keys are on a grid."""
    _bind_within(grid, "Ctrl+C", lambda: window.actions_.copy(window.chosen()))
    _bind_within(grid, "Esc", window.leave)
    _bind_within(grid, "Ctrl+Shift+C", lambda: window.compare_with(window.chosen()))
    _bind_within(grid, "Shift+F10", window.menu.show_for_current)  # for keyboards without a menu key
    if grid is window.searching.view.grid:
        _bind_within(grid, "C", lambda: window.compare_with(window.chosen()))
        _bind_within(grid, "Shift+C", window.compare_question)
        _bind_within(grid, "+", lambda: window.searching.add_examples(list(window.chosen()), True))
        _bind_within(grid, "-", lambda: window.searching.add_examples(list(window.chosen()), False))


def _bind_marks(window: Workspace) -> None:
    """Bind S and D. In the library letters filter as one types: there they mark only where several are selected."""
    results, photographs = window.searching.view.grid, window.browsing.view.grid
    for key, similar in (("S", True), ("D", False)):
        act = partial(_mark, window, similar)
        _bind_within(results, key, act).setAutoRepeat(False)
        marks = _bind_within(photographs, key, act)
        marks.setAutoRepeat(False)
        marks.setEnabled(photographs.selection.count > 1)
        photographs.selection_changed.connect(lambda count, marks=marks: marks.setEnabled(count > 1))
    _bind_within(results, "Ctrl+Shift+S", window.marking.mark_confirmed)


def _mark(window: Workspace, similar: bool) -> None:
    mark = window.marking.mark_results if window.view() == "search" else window.marking.mark_selection
    mark(window.chosen(), similar)


def _bind_within(widget: QWidget, key: str, act: Callable[[], object]) -> QShortcut:
    shortcut = QShortcut(QKeySequence(key), widget)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(act)
    return shortcut
