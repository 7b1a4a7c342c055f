"""The views of the window, declared once, and the rail at its left edge, with a button for those that it offers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QStyleOptionToolButton, QToolButton, QWidget

from twinlens.app.gui.actions.action import Action, show_action
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.look.page_parts import column_of
from twinlens.app.gui.look.theme import grown, icon, theme
from twinlens.app.language.texts import _n

RAIL_WIDTH = 64
_BESIDE = 8  # margins of a word: with less the style cuts it
_WIDEST = 80  # words may be smaller, since the views need the room
_HEIGHT = 56
_ICON = 18


@dataclass(frozen=True)
class View:
    """A view of the window; the action of the whole window that has its name shows it.

    Attributes
    ----------
    name : str
        Its name.
    maker : str
        The module that is imported when it is first needed, and what makes it of the workspace; empty for the library,
        which is there from the start.
    button : str
        The view whose button of the rail is marked while it is shown; its own where the rail has one.
    chooses : bool
        Whether photographs are chosen in it, so that the keys of photographs act on these.
    beside : bool
        Whether folders and filters stand beside it.
    kept : bool
        Whether it is shown again when a library opens that was left with it.
    """

    name: str
    maker: str
    button: str
    chooses: bool = False
    beside: bool = False
    kept: bool = False


_GUI = "twinlens.app.gui"

VIEWS: Final = (
    View("library", "", "library", chooses=True, beside=True),
    View("search", f"{_GUI}.search.search_page:SearchPage", "search", chooses=True, beside=True, kept=True),
    View("duplicates", f"{_GUI}.duplicates.duplicates_control:DuplicatesControl", "duplicates", kept=True),
    View("map", f"{_GUI}.map.map_controller:MapControl", "map", chooses=True, kept=True),
    View("learn", f"{_GUI}.learn.learn_controller:LearnControl", "learn", kept=True),
    View("lab", f"{_GUI}.lab.lab_controller:LabControl", "lab", kept=True),
    View("compare", f"{_GUI}.compare.compare_controller:CompareControl", "lab", chooses=True, beside=True),
    View("indexes", f"{_GUI}.indexes.indexes_page:IndexesPage", "lab", kept=True),
    View("new index", f"{_GUI}.indexes.new_index_page:NewIndexPage", "lab"),
    View("problems", f"{_GUI}.library.problems_page:ProblemsPage", "problems"),
    View("libraries", f"{_GUI}.frame.libraries_page:workspace_libraries", "settings"),
    View("settings", f"{_GUI}.settings.settings_page:workspace_settings", "settings"),
)
"""Every view, those of the rail in its order."""

VIEW: Final = {view.name: view for view in VIEWS}
"""Every view, by its name."""


class RailButton(QToolButton):
    """A button of an icon over a word; the chosen one has the accent and a bar at its left."""

    def __init__(self, name: str, action: Action) -> None:
        super().__init__()
        self.name = name
        self.setProperty("role", "view")
        self.setIconSize(QSize(_ICON, _ICON))
        self.setText(action.words)
        show_action(self, action)
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
        column = column_of(on=self, gap=0, margins=(0, 8, 1, 8))
        actions = window_actions()
        self._buttons = {name: RailButton(name, actions[name]) for name in VIEW if VIEW[name].button == name}
        for name, button in self._buttons.items():
            if name == "problems":
                column.addStretch()
            column.addWidget(button)
            button.clicked.connect(self._on_clicked)
        self._buttons["problems"].hide()
        self.show_view("library")

    def show_view(self, name: str) -> None:
        """Mark the button of the view that is shown."""
        for own, button in self._buttons.items():
            button.setChecked(own == VIEW[name].button)

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
