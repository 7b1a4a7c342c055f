"""The parts that pages are made of: a head, headings, cards, buttons, all in the same rhythm."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget


def label(text: str = "", role: str = "", wrap: bool = False) -> QLabel:
    """Make a label; its role ("title", "quiet", "help", "error", "section", "mono") says how it looks."""
    made = QLabel(text)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    if role == "section":
        font = made.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        font.setWeight(QFont.Weight.DemiBold)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
        font.setCapitalization(QFont.Capitalization.AllUppercase)
        made.setFont(font)
    return made


def button(text: str, name: str, key: str = "", role: str = "") -> QPushButton:
    """Make a button that says its key; the key itself is bound by :func:`bind`."""
    made = QPushButton(text)
    made.setAccessibleName(name)
    made.setToolTip(tip_with_key(name, key))
    made.setAutoDefault(False)
    if role:
        made.setProperty("role", role)
    return made


def tip_with_key(name: str, key: str) -> str:
    """Return what a button does, and its key, if it has one."""
    shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) if key else ""
    return f"{name} ({shown})" if shown else name


def bind(widget: QWidget, key: str, slot: Callable[[], object]) -> QShortcut:
    """Bind a key within a widget and what stands in it."""
    shortcut = QShortcut(QKeySequence(key), widget)
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)  # what the constructor is told, it forgets
    shortcut.activated.connect(slot)
    return shortcut


def set_role(widget: QWidget, role: str) -> None:
    """Let a widget look otherwise."""
    set_look(widget, "role", role)


def set_look(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet asks for."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().polish(widget)


def scrolling(widget: QWidget, name: str = "", role: str = "page") -> QScrollArea:
    """Let a widget scroll up and down; what takes the focus in it comes into view."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setAccessibleName(name)
    area.setProperty("role", role)
    area.setWidget(widget)
    return area


def surface(widget: QWidget, role: str) -> None:
    """Style a widget by a role, such as "ground", "paper", "head", "strip" or "popup"."""
    widget.setProperty("role", role)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


class PageCard(QFrame):
    """A sheet of paper on the ground, with a column on it."""

    def __init__(self, heading: str = "") -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(20, 16, 20, 16)
        self.column.setSpacing(8)
        if heading:
            self.column.addWidget(label(heading, "section"))


class TitledPage(QWidget):
    """A page: its head with title, one line of facts and buttons, and a body that scrolls.

    Parameters
    ----------
    title : str
    widest : int
        Pixels that the body takes at most: lines of text must not run across a wide screen.
    scrolls : bool
        Whether the body scrolls as a whole; otherwise something in it does.
    """

    def __init__(self, title: str, widest: int = 760, scrolls: bool = True) -> None:
        super().__init__()
        self._widest = widest
        self._head = QWidget()
        surface(self._head, "head")
        self._head.setMinimumHeight(72)
        self._title = label(title, "title")
        self._line = label("", "quiet", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch()
        words.addWidget(self._title)
        words.addWidget(self._line)
        words.addStretch()
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        row = QHBoxLayout(self._head)
        row.setContentsMargins(24, 6, 24, 6)
        row.setSpacing(16)
        row.addLayout(words, 1)
        row.addLayout(self._buttons)
        self.setAccessibleName(title)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._outer.setSpacing(0)
        self._outer.addWidget(self._head)
        sheet = QWidget()
        surface(sheet, "ground")
        inner = self._inner = QWidget()
        self.body = QVBoxLayout(inner)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(16)
        across = QHBoxLayout(sheet)
        self._across = QHBoxLayout()
        self._across.setContentsMargins(0, 0, 0, 0)
        self._across.setSpacing(0)
        self._outer.addLayout(self._across, 1)
        if scrolls:
            across.setContentsMargins(24, 24, 24, 24)
            self.set_widest(widest)
            across.addWidget(inner, 100)
            across.addStretch(1)
            self._scroll = scrolling(sheet, title)
            self._across.addWidget(self._scroll, 100)
        else:
            across.setContentsMargins(0, 0, 0, 0)
            across.addWidget(inner)
            self._across.addWidget(sheet)

    def set_widest(self, widest: int) -> None:
        """Set how wide the body is at most, px."""
        self._inner.setMaximumWidth(widest)

    def add_button(self, made: QPushButton) -> QPushButton:
        """Put a button at the right of the head."""
        self._buttons.addWidget(made)
        return made

    def add_aside(self, width: int) -> QVBoxLayout:
        """Return a column beside what scrolls, where something stays in view."""
        aside = QWidget()
        surface(aside, "ground")
        column = QVBoxLayout(aside)
        column.setContentsMargins(8, 24, 24, 24)
        column.setSpacing(16)
        aside.setFixedWidth(width + 32)
        self._scroll.setMaximumWidth(self._widest + 48)
        rest = QWidget()
        surface(rest, "ground")
        self._across.addWidget(aside)
        self._across.addWidget(rest, 1)
        return column

    def set_line(self, text: str) -> None:
        """Set the line of facts of the page."""
        self._line.setText(text)

    def set_title(self, text: str) -> None:
        """Change the heading."""
        self._title.setText(text)
