"""The page of the search: the search with its colours, words, marks and history, and the keys of its results."""

from __future__ import annotations

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import search_actions
from twinlens.app.gui.search.colours.colour_search import ColoursControl
from twinlens.app.gui.search.history_menu import HistoryMenu
from twinlens.app.gui.search.marking import MarksControl
from twinlens.app.gui.search.search_controller import SearchControl
from twinlens.app.gui.search.word_search import WordsControl
from twinlens.app.gui.services.workspace import Workspace


class SearchPage(SearchControl):
    """The controller of the search with those of what belongs to it."""

    def __init__(self, window: Workspace) -> None:
        super().__init__(window)
        self.colours = ColoursControl(self, window)
        self.words = WordsControl(self, window)
        self.marks = MarksControl(self, window)
        self.earlier = HistoryMenu(self, window)
        view, grid = self.view, self.grid
        attach(view, search_actions(), {"history": view.history_wanted.emit})
        attach(
            grid,
            search_actions(),
            {
                "stack": lambda: view.toggle_stack(grid.current_id()),
                "compare result": lambda: window.show_photographs("compare", window.chosen()),
            },
        )
