"""The views of a workspace, and the rail at the left edge with a button for each.

A view is made when first shown, refreshed when shown again, and saved at the end. A table names the part of each view
that is imported then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QStyleOptionToolButton, QToolButton, QVBoxLayout, QWidget

from app.gui.actions.action import Action
from app.gui.actions.declared_actions import window_actions
from app.gui.look.theme import grown, icon, theme
from app.gui.services.services import WorkspaceServices
from app.language.texts import _n

if TYPE_CHECKING:
    from app.gui.viewer.viewer_control import PhotographSequence


class ViewPart(Protocol):
    """A view with its controller."""

    @property
    def view(self) -> QWidget:
        """Return the widget."""

    def focus(self) -> None:
        """Focus the main content."""

    def refresh(self) -> None:
        """Show the present library; called while the view is visible, or when it becomes so again."""

    def state(self) -> dict[str, Any]:
        """Return the state to save under the part's name in the library."""


@runtime_checkable
class ShowsPhotographs(ViewPart, Protocol):
    """A view in which photographs are selected, and can be shown large."""

    def chosen(self) -> list[int]:
        """Return the selected photographs, or the current one."""

    def current(self) -> int:
        """Return the current photograph, or -1."""

    def looked_through(self) -> PhotographSequence:
        """Return the photographs through which the viewer steps."""


@runtime_checkable
class SearchesByPhotographs(Protocol):
    """A view that shows photographs because of query photographs."""

    def query_photographs(self) -> list[int]:
        """Return the query photographs, beside which a selected one can be compared."""


class Views(QStackedWidget):
    """The stack of views: makes each once, shows one, and refreshes hidden ones when they are shown.

    Parameters
    ----------
    remembered : dict
        The saved state; that of a view which is never made is kept.
    """

    def __init__(self, remembered: dict[str, object]) -> None:
        super().__init__()
        self._remembered = remembered
        self._make: dict[str, Callable[[], ViewPart]] = {}
        self._parts: dict[str, ViewPart] = {}
        self._stale: set[str] = set()

    def add(self, name: str, make: Callable[[], ViewPart]) -> None:
        """Add a view by name, with the function that makes it and does its slow imports."""
        self._make[name] = make

    def made(self, name: str) -> ViewPart | None:
        """Return the part of a name if it was made."""
        return self._parts.get(name)

    def part(self, name: str) -> ViewPart:
        """Return the part of a name, made now if necessary."""
        if name not in self._parts:
            made = self._parts[name] = self._make[name]()
            self.addWidget(made.view)
        elif name in self._stale:
            self._parts[name].refresh()
        self._stale.discard(name)
        return self._parts[name]

    def choosing(self, name: str) -> ShowsPhotographs | None:
        """Return the part of a name if it was made and shows photographs."""
        part = self._parts.get(name)
        return part if isinstance(part, ShowsPhotographs) else None

    def query_photographs(self, name: str) -> list[int]:
        """Return the query photographs of the part of a name; none without a query."""
        part = self._parts.get(name)
        return part.query_photographs() if isinstance(part, SearchesByPhotographs) else []

    def show_view(self, name: str) -> None:
        """Show a view, and focus its main content."""
        part = self.part(name)
        self.setCurrentWidget(part.view)
        part.focus()

    def refresh(self) -> None:
        """Refresh the visible view now, and the others when they are shown."""
        for name, part in list(self._parts.items()):
            if part.view.isVisible():
                part.refresh()
            else:
                self._stale.add(name)

    def state(self) -> dict[str, Any]:
        """Return the states of all views."""
        kept = {name: self._remembered[name] for name in self._make if name in self._remembered}
        return kept | {name: state for name, part in self._parts.items() if (state := part.state())}


LAB_VIEWS: Final = ("lab", "compare", "indexes", "new index")
"""The Lab, and the views that are opened from it."""

LATE_VIEWS: Final[Mapping[str, str]] = {
    "duplicates": "app.gui.duplicates.duplicates_control:DuplicatesControl",
    "map": "app.gui.map.map_controller:MapControl",
    "learn": "app.gui.learn.learn_controller:LearnControl",
    "compare": "app.gui.compare.compare_controller:CompareControl",
    "lab": "app.gui.lab.lab_controller:LabControl",
    "indexes": "app.gui.indexes.indexes_page:IndexesPage",
    "new index": "app.gui.indexes.new_index_page:NewIndexPage",
    "problems": "app.gui.library.problems_page:ProblemsPage",
    "settings": "app.gui.settings.settings_page:SettingsControl",
}
"""The part of each view that is imported when it is first shown: its module, and its class, made of the workspace."""


def make_view(name: str, window: WorkspaceServices) -> ViewPart:
    """Return a part of :data:`LATE_VIEWS`."""
    module, _, part = LATE_VIEWS[name].partition(":")
    made: ViewPart = getattr(import_module(module), part)(window)
    return made


RAIL_WIDTH = 64
_BESIDE = 8  # margins of a word: with less the style cuts it
_WIDEST = 80  # words may be smaller, since the views need the room
_HEIGHT = 56
_ICON = 18
_VIEWS = ("library", "search", "duplicates", "map", "learn", "lab", "problems", "settings")


class RailButton(QToolButton):
    """A button of an icon over a word; the chosen one has the accent and a bar at its left."""

    def __init__(self, name: str, action: Action) -> None:
        super().__init__()
        self.name = name
        self.setProperty("role", "view")
        self.setIconSize(QSize(_ICON, _ICON))
        self.setText(action.words)
        self.setAccessibleName(action.words)
        self.setToolTip(f"{action.words} ({action.keys_text()})")
        self.setCheckable(True)
        self.setAutoExclusive(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leads to the view, which takes the focus
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return every button the same size."""
        return QSize(_wide(), grown(_HEIGHT))

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show a word in the largest small font in which it fits."""
        super().setText(text)
        font = self.font()
        for pixels in range(grown(11), 7, -1):
            font.setPixelSize(pixels)
            if QFontMetrics(font).horizontalAdvance(text) <= _wide() - _BESIDE:
                break
        self.setFont(font)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:  # noqa: N802 (Qt's name)
        """Set the icon to draw, in the colour of its state."""
        super().initStyleOption(option)
        option.toolButtonStyle = Qt.ToolButtonStyle.ToolButtonTextUnderIcon
        now = theme()
        colour = now.accent if self.isChecked() else now.warn if self.name == "problems" else now.quiet
        option.icon = icon(self.name, colour, _ICON, self.devicePixelRatioF())


def _wide() -> int:
    return min(grown(RAIL_WIDTH), _WIDEST)


class Rail(QWidget):
    """The column of buttons; the one of problems appears only when there are any."""

    view_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(_wide() + 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 1, 8)
        column.setSpacing(0)
        actions = window_actions()
        self._buttons = {name: RailButton(name, actions[name]) for name in _VIEWS}
        for name, button in self._buttons.items():
            if name == "problems":
                column.addStretch()
            column.addWidget(button)
            button.clicked.connect(self._on_clicked)
        self._buttons["problems"].hide()
        self.show_view("library")

    def show_view(self, name: str) -> None:
        """Mark the view that is shown."""
        for own, button in self._buttons.items():
            button.setChecked(own == name)

    def show_problems(self, count: int) -> None:
        """Show the number of problems; hide the button without any."""
        button = self._buttons["problems"]
        button.setText(_n("{count} problem", "{count} problems", count))
        button.setAccessibleName(button.text())
        button.setVisible(count > 0)

    def _on_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, RailButton):
            self.view_wanted.emit(button.name)
