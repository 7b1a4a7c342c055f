"""Every key of the window: what it does, and the sheet that lists them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from PySide6.QtGui import QShortcut

    from app.gui.frame import Frame
    from app.gui.shortcuts import Shortcut


def bind(frame: Frame) -> None:
    """Bind the keys that hold in the whole window; those of the grids and pages are their own."""
    for key, act in {
        "Ctrl+1": lambda: frame.show_view("library"),
        "Ctrl+2": lambda: frame.show_view("search"),
        "Ctrl+3": lambda: frame.show_view("indexes"),
        "Ctrl+4": lambda: frame.show_view("problems"),
        "Ctrl+6": lambda: frame.show_view("compare"),
        "Ctrl+5": lambda: frame.show_view("learn"),
        "Ctrl+,": lambda: frame.show_view("settings"),
        "Ctrl+O": frame.taking.choose_folder,
        "F5": frame.adding.rescan,
        "F9": frame.toggle_side,
        "Ctrl+P": frame.status.toggle_pause,
        "Ctrl+.": frame.status.cancel,
        "Ctrl+F": frame.filter,
        "Ctrl+D": lambda: frame.browsing.order_by("date"),
        "Ctrl+Shift+D": lambda: frame.browsing.order_by("folder"),
        "Ctrl+V": frame.taking.paste,
        "Ctrl+K": frame.ask_with_colours,
        "F1": frame.show_shortcuts,
        "Ctrl+Q": frame.close,
        "Ctrl+Return": lambda: frame.actions_.open(frame.current()),
        "Ctrl+Shift+R": lambda: frame.actions_.reveal(frame.current()),
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


def bind_to_grid(frame: Frame, grid: object) -> None:
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
    for place in (results, photographs, frame.viewing.viewer, frame.side):
        _bind_within(place, "Ctrl+Z", frame.marking.undo)


def _mark(frame: Frame, similar: bool) -> None:
    mark = frame.marking.mark_results if frame.view() == "search" else frame.marking.mark_selection
    mark(frame.chosen(), similar)


def _bind_within(widget: object, key: str, act: object) -> QShortcut:
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QKeySequence
    from PySide6.QtGui import QShortcut as Made
    from PySide6.QtWidgets import QWidget

    assert isinstance(widget, QWidget)
    shortcut = Made(QKeySequence(key), widget)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.activated.connect(act)
    return shortcut


def sheet() -> list[Shortcut]:
    """List every key, in groups, for people."""
    from app.gui.shortcuts import Shortcut

    views, photographs = QCoreApplication.translate("Keys", "Views"), QCoreApplication.translate("Keys", "Photographs")
    pages, learning = QCoreApplication.translate("Keys", "Pages"), QCoreApplication.translate("Keys", "Learn")
    comparing = QCoreApplication.translate("Keys", "Compare")
    searching, large = (
        QCoreApplication.translate("Keys", "Search"),
        QCoreApplication.translate("Keys", "Large photograph"),
    )
    return [
        Shortcut("Ctrl+1", QCoreApplication.translate("Keys", "Library"), views),
        Shortcut("Ctrl+2", QCoreApplication.translate("Keys", "Search"), views),
        Shortcut("Ctrl+6", QCoreApplication.translate("Keys", "Compare"), views),
        Shortcut("Ctrl+3", QCoreApplication.translate("Keys", "Indexes"), views),
        Shortcut("Ctrl+4", QCoreApplication.translate("Keys", "Problems"), views),
        Shortcut("Ctrl+5", QCoreApplication.translate("Keys", "Learn"), views),
        Shortcut("Ctrl+,", QCoreApplication.translate("Keys", "Settings"), views),
        Shortcut("Ctrl+O", QCoreApplication.translate("Keys", "Add a folder"), views),
        Shortcut("F5", QCoreApplication.translate("Keys", "Look for new and changed photographs"), views),
        Shortcut("Ctrl+P / Ctrl+.", QCoreApplication.translate("Keys", "Pause or go on, cancel what runs"), views),
        Shortcut("Del", QCoreApplication.translate("Keys", "Forget the chosen folder; its files are untouched"), views),
        Shortcut("F9", QCoreApplication.translate("Keys", "Folders and filters at the left, or none"), views),
        Shortcut("Esc", QCoreApplication.translate("Keys", "Back to the library"), views),
        Shortcut("F1", QCoreApplication.translate("Keys", "These keys"), views),
        Shortcut("Ctrl+Q", QCoreApplication.translate("Keys", "Close"), views),
        Shortcut("Enter", QCoreApplication.translate("Keys", "Find look-alikes; of several together"), photographs),
        Shortcut("Space", QCoreApplication.translate("Keys", "Show large"), photographs),
        Shortcut("Ctrl+F", QCoreApplication.translate("Keys", "Filter; or just type"), photographs),
        Shortcut("Ctrl+D / Ctrl+Shift+D", QCoreApplication.translate("Keys", "By date, by folder"), photographs),
        Shortcut("Ctrl++ / Ctrl+-", QCoreApplication.translate("Keys", "Larger, smaller"), photographs),
        Shortcut("Ctrl+A", QCoreApplication.translate("Keys", "Select all"), photographs),
        Shortcut(
            QCoreApplication.translate("Keys", "Shift+Arrow"),  # no sequence that Qt could translate
            QCoreApplication.translate("Keys", "Select up to there"),
            photographs,
        ),
        Shortcut("Ctrl+Space", QCoreApplication.translate("Keys", "Select one more, or one less"), photographs),
        Shortcut(
            "S / D",
            QCoreApplication.translate("Keys", "Several selected: mark as alike; two: as different"),
            photographs,
        ),
        Shortcut("Ctrl+Z", QCoreApplication.translate("Keys", "Undo the last mark, and those before it"), photographs),
        Shortcut("Ctrl+C", QCoreApplication.translate("Keys", "Copy"), photographs),
        Shortcut("Ctrl+Shift+E", QCoreApplication.translate("Keys", "Export copies"), photographs),
        Shortcut("Ctrl+Enter", QCoreApplication.translate("Keys", "Open in another program"), photographs),
        Shortcut("Ctrl+Shift+R", QCoreApplication.translate("Keys", "Show in the file manager"), photographs),
        Shortcut(
            "Menu / Shift+F10", QCoreApplication.translate("Keys", "Everything that can be done with it"), photographs
        ),
        Shortcut(
            "Ctrl+V", QCoreApplication.translate("Keys", "Search with the picture or path on the clipboard"), searching
        ),
        Shortcut("+ / -", QCoreApplication.translate("Keys", "More like this, not like this"), searching),
        Shortcut(
            "S / D",
            QCoreApplication.translate("Keys", "Mark as similar to what was asked, or different; again: take back"),
            searching,
        ),
        Shortcut(
            "Ctrl+Shift+S", QCoreApplication.translate("Keys", "Mark all that is confirmed as similar"), searching
        ),
        Shortcut(
            "Ctrl+L / Ctrl+Shift+L", QCoreApplication.translate("Keys", "Add a picture file: like, not like"), searching
        ),
        Shortcut("Ctrl+R", QCoreApplication.translate("Keys", "Search with a part of the picture"), searching),
        Shortcut("Ctrl+K", QCoreApplication.translate("Keys", "Ask with colours or a sketch"), searching),
        Shortcut("Ctrl+U", QCoreApplication.translate("Keys", "Ask with its marks too, or without"), searching),
        Shortcut("Ctrl+I", QCoreApplication.translate("Keys", "Choose the index"), searching),
        Shortcut(
            "Ctrl+G / Ctrl+Shift+G",
            QCoreApplication.translate("Keys", "Check for the same picture, show only what is confirmed"),
            searching,
        ),
        Shortcut(
            "Ctrl+E / Ctrl+M",
            QCoreApplication.translate("Keys", "Compare with exact search, show what is missed"),
            searching,
        ),
        Shortcut(
            "Alt+Left / Alt+Right", QCoreApplication.translate("Keys", "The search before, the next one"), searching
        ),
        Shortcut("Ctrl+H", QCoreApplication.translate("Keys", "Earlier and saved searches"), searching),
        Shortcut("Ctrl+Shift+C", QCoreApplication.translate("Keys", "Compare indexes by what is chosen"), photographs),
        Shortcut(
            "C / Shift+C",
            QCoreApplication.translate("Keys", "Compare indexes by this result, by what is asked"),
            searching,
        ),
        Shortcut("Enter", QCoreApplication.translate("Keys", "Ask with this photograph"), comparing),
        Shortcut("N", QCoreApplication.translate("Keys", "Ask with another photograph, by chance"), comparing),
        Shortcut(
            "Alt+Left / Alt+Right", QCoreApplication.translate("Keys", "The photograph before, the next one"), comparing
        ),
        Shortcut("A / E / Del", QCoreApplication.translate("Keys", "Add a column, change it, take it away"), comparing),
        Shortcut("Ctrl+Left / Ctrl+Right", QCoreApplication.translate("Keys", "Move the column"), comparing),
        Shortcut("P / Ctrl+S", QCoreApplication.translate("Keys", "Pin the column, keep it as an index"), comparing),
        Shortcut("R", QCoreApplication.translate("Keys", "What all are held against"), comparing),
        Shortcut("M / Shift+M", QCoreApplication.translate("Keys", "More, fewer photographs"), comparing),
        Shortcut("X", QCoreApplication.translate("Keys", "Export picture or numbers"), comparing),
        Shortcut(
            "S / D / Space", QCoreApplication.translate("Keys", "The pair is similar, different; leave it"), learning
        ),
        Shortcut("1 / 2", QCoreApplication.translate("Keys", "The left one, the right one large"), learning),
        Shortcut("Backspace / Ctrl+Z", QCoreApplication.translate("Keys", "Take the last mark back"), learning),
        Shortcut("L / Ctrl+Enter", QCoreApplication.translate("Keys", "Learn from the marks"), learning),
        Shortcut("K / N", QCoreApplication.translate("Keys", "Keep what was learned, leave it"), learning),
        Shortcut("B", QCoreApplication.translate("Keys", "Go back to what was used before"), learning),
        Shortcut("A", QCoreApplication.translate("Keys", "Rank by another photograph"), learning),
        Shortcut("M", QCoreApplication.translate("Keys", "Marks and metrics, where the window is narrow"), learning),
        Shortcut("Ctrl+N", QCoreApplication.translate("Keys", "New index"), pages),
        Shortcut(
            "F2 / Del / Ctrl+M",
            QCoreApplication.translate("Keys", "Rename, delete an index, make it the default"),
            pages,
        ),
        Shortcut("Ctrl+Z", QCoreApplication.translate("Keys", "Undo a deletion"), pages),
        Shortcut("Ctrl+S", QCoreApplication.translate("Keys", "Create the index"), pages),
        Shortcut(
            "R / Shift+R", QCoreApplication.translate("Keys", "Read again what could not be read; all of it"), pages
        ),
        Shortcut("I", QCoreApplication.translate("Keys", "Set a problem aside"), pages),
        Shortcut("Left / Right", QCoreApplication.translate("Keys", "The photograph before, the next one"), large),
        Shortcut("+ / - / 0 / 1", QCoreApplication.translate("Keys", "Larger, smaller, whole, pixel for pixel"), large),
        Shortcut("S / D", QCoreApplication.translate("Keys", "Similar to what was asked, or different"), large),
        Shortcut("R", QCoreApplication.translate("Keys", "Search with a part of it"), large),
        Shortcut("Esc / Space", QCoreApplication.translate("Keys", "Close"), large),
    ]
