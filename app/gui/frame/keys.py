"""Handlers of the actions of the window and its grids."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction

from app.gui.actions.action import attach
from app.gui.actions.everywhere import window_actions
from app.gui.frame import commands
from app.gui.frame.desk import WorkspaceCommands
from app.gui.library.actions import library_actions, photograph_actions
from app.gui.look.page_parts import bind
from app.gui.photo_grid.grid import PhotoGrid
from app.gui.search.actions import search_actions

_CHOOSING = ("library", "search", "compare", "map")
"""Views in which photographs are chosen."""


def bind_all(desk: WorkspaceCommands) -> None:
    """Bind the actions of the whole window, of the library and of the search; other views bind their own."""
    views = ("library", "search", "duplicates", "map", "learn", "lab", "compare", "indexes", "problems", "settings")
    attach(
        desk.widget,
        window_actions(),
        {
            **{name: partial(desk.show_view, name) for name in views},
            "back": desk.history.go_back,
            "forward": desk.history.go_forward,
            "palette": partial(commands.show_palette, desk),
            "guide": desk.show_guide,
            "keys": partial(desk.show_guide, "keys"),
            "about": partial(commands.show_notices, desk),
            "undo": desk.undoing.undo,
            "redo": desk.undoing.redo,
            "history": partial(commands.show_done, desk),
            "add": desk.taking.choose_folder,
            "rescan": desk.adding.rescan,
            "pause": desk.status.toggle_pause,
            "cancel": desk.status.cancel,
            "side": desk.toggle_side,
            "full screen": desk.toggle_full_screen,
            "new index": desk.new_index,
            "open library": desk.choose_library,
            "open server": desk.choose_server,
            "colours": desk.ask_with_colours,
            "add colours": desk.add_colours,
            "paste": desk.taking.paste,
            "quit": desk.close_window,
        },
        whole_window=True,
    )
    attach(
        desk.widget,
        library_actions(),
        {
            "filter": desk.browsing.filter,
            "by date": lambda: desk.browsing.order_by("date"),
            "names": desk.browsing.toggle_names,
            "by folder": lambda: desk.browsing.order_by("folder"),
        },
        whole_window=True,
    )
    actions = desk.actions_
    made = attach(
        desk.widget,
        photograph_actions(),
        {
            "open": lambda: actions.open(desk.current()),
            "reveal": lambda: actions.reveal(desk.current()),
            "map": lambda: desk.show_on_map(desk.chosen()),
            "side by side": lambda: desk.look_side_by_side(desk.chosen()),
            "in library": lambda: desk.show_in_library(tuple(desk.chosen())),
            "explore": lambda: desk.explore(desk.current()),
            "export": lambda: actions.export(desk.chosen(), "copy"),
            "export links": lambda: actions.export(desk.chosen(), "link"),
            "export table": lambda: actions.export(desk.chosen(), "csv"),
        },
        whole_window=True,
    )
    desk.shown.connect(partial(_enable, list(made.values())))
    bind_to_grid(desk, desk.browsing.view.grid)
    bind_to_grid(desk, desk.searching.view.grid)
    _bind_results(desk)
    _bind_library_marks(desk)


def _enable(made: list[QAction], view: str) -> None:
    """Let these keys be the view's own where no photograph is chosen."""
    for one in made:
        one.setEnabled(view in _CHOOSING)


def bind_to_grid(desk: WorkspaceCommands, grid: PhotoGrid) -> None:
    """Bind what holds while the keys are on a grid."""
    attach(
        grid,
        photograph_actions(),
        {
            "copy": lambda: desk.actions_.copy(desk.chosen()),
            "compare": lambda: desk.compare_with(desk.chosen()),
            "menu": grid.ask_for_menu,
        },
    )
    bind(grid, "Esc", desk.leave)


def _bind_results(desk: WorkspaceCommands) -> None:
    searching, marking = desk.searching, desk.marking
    made = attach(
        searching.view.grid,
        search_actions(),
        {
            "more like": lambda: searching.add_examples(list(desk.chosen()), True),
            "not like": lambda: searching.add_examples(list(desk.chosen()), False),
            "similar": lambda: marking.mark_results(desk.chosen(), True),
            "different": lambda: marking.mark_results(desk.chosen(), False),
            "confirmed": marking.mark_confirmed,
            "stack": lambda: searching.view.toggle_stack(searching.view.grid.current_id()),
            "compare result": lambda: desk.compare_with(desk.chosen()),
            "compare": desk.compare_question,
        },
    )
    for name in ("similar", "different"):
        made[name].setAutoRepeat(False)  # a key that is held down judges one photograph, not all
    attach(searching.view, search_actions(), {"history": searching.view.history_wanted.emit})


def _bind_library_marks(desk: WorkspaceCommands) -> None:
    """Bind S and D in the library, where letters filter as one types: they mark only where several are selected."""
    grid, marking = desk.browsing.view.grid, desk.marking
    acts: dict[str, Callable[[], object]] = {
        "alike": lambda: marking.mark_selection(desk.chosen(), True),
        "different": lambda: marking.mark_selection(desk.chosen(), False),
    }

    def follow(made: QAction, count: int) -> None:
        made.setEnabled(count > 1)

    for one in attach(grid, photograph_actions(), acts).values():
        one.setAutoRepeat(False)
        one.setEnabled(grid.selection.count > 1)
        grid.selection_changed.connect(partial(follow, one))
