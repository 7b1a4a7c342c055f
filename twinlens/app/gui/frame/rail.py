"""The rail at the left edge of the window, with a button for each view."""

from __future__ import annotations

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
_VIEWS = ("library", "search", "duplicates", "map", "learn", "lab", "problems", "settings")


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
