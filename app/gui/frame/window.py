"""The window as its parts know it: what they work with, and where they lead; the frame is what it is in truth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QWidget

    from app.gui.compare.controller import CompareControl
    from app.gui.frame.intake import Taking
    from app.gui.frame.late_views import LateViews
    from app.gui.frame.opening import Opening
    from app.gui.frame.pages_controller import PagesControl
    from app.gui.frame.status_line import StatusLine
    from app.gui.frame.undo import Undoing
    from app.gui.learn.controller import LearnControl
    from app.gui.library.adding_controller import AddingControl
    from app.gui.library.photograph_actions import PhotographActions
    from app.gui.library.view import LibraryView
    from app.gui.marks.controller import MarksControl
    from app.gui.photo_grid.grid import PhotoGrid
    from app.gui.process.jobs import Jobs
    from app.gui.search.controller import SearchControl
    from app.gui.viewer.controller import ViewerControl


class Window(Protocol):
    """A window of one library.

    Attributes
    ----------
    told_in_view : set of str
        Topics of jobs whose failure their own view tells.
    """

    jobs: Jobs
    told_in_view: set[str]
    status: StatusLine
    adding: AddingControl
    undoing: Undoing
    taking: Taking
    opening: Opening
    late: LateViews
    library_view: LibraryView
    searching: SearchControl
    comparing: CompareControl
    learning: LearnControl
    marking: MarksControl
    pages: PagesControl
    viewing: ViewerControl
    actions_: PhotographActions

    def window(self) -> QWidget:
        """Return the window as Qt knows it."""

    def view(self) -> str:
        """Name the view that is shown."""

    def show_view(self, name: str) -> None:
        """Show a view, by its name on the rail."""

    def new_index(self) -> None:
        """Show the form of a new index."""

    def show_shortcuts(self) -> None:
        """Show the sheet of keys."""

    def leave(self) -> None:
        """Go one step back."""

    def grid(self) -> PhotoGrid | None:
        """Return the grid that is seen, if one is."""

    def chosen(self) -> list[int]:
        """Return the ids of the selected photographs, or of the current one."""

    def show_menu(self, photograph_id: int, place: QPoint) -> None:
        """Show the menu of a photograph."""

    def show_in_library(self, ids: tuple[int, ...]) -> None:
        """Show photographs alone in the library."""

    def show_on_map(self, ids: list[int]) -> None:
        """Show where photographs lie on the map."""

    def compare_question(self) -> None:
        """Ask several indexes, side by side, what the search asks."""

    def explore(self, photograph_id: int) -> None:
        """Ask the explorer of the Lab with a photograph."""

    def answer_by(self, index: str) -> None:
        """Search by an index from now on."""
