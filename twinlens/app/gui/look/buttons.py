"""The buttons of the window: quiet ones, switches, pills with round ends, and round ones over a photograph.

The role of a button and the style sheet decide how it looks.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent, QPaintEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QWidget

from twinlens.app.gui.look.labels import ElidedLine, on_button
from twinlens.app.gui.look.page_parts import label, row_of
from twinlens.app.gui.look.theme import DARK, Sign, icon, theme

_BESIDE = 6  # px between sign and words


class QuietButton(QPushButton):
    """A button that takes the focus by Tab only, so that a click leaves it elsewhere; Enter presses it, too.

    Unlike in Qt's own buttons, an ampersand in the text (a file's name, for instance) makes no shortcut, and a new text
    does not remove the shortcut. A text that lacks room ends in dots. Where the button has a layout of labels, these
    show the words.

    Parameters
    ----------
    role : str
        Role in the style sheet.
    sign : str
        Name of the icon before the words, or alone.
    side : int
        Side of the icon, px.
    """

    def __init__(
        self, text: str = "", role: str = "", sign: str = "", side: int = 16, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._sign = sign
        self.setIconSize(QSize(side, side))
        self.setProperty("role", role)
        self.setAutoDefault(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setText(text)

    def setText(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Show a text; the shortcut stays."""
        if text != self.text():
            key = self.shortcut()
            super().setText(text)
            self.setShortcut(key)
            self.updateGeometry()

    def sign(self) -> tuple[str, str]:
        """Return the name of the icon, empty for none, and its colour, by default that of the words."""
        return self._sign, self.palette().buttonText().color().name() if self.isEnabled() else theme().faint

    def icon_now(self) -> QIcon:
        """Return the icon in its present state."""
        name, colour = self.sign()
        return icon(name, colour, self.iconSize().width(), self.devicePixelRatioF()) if name else QIcon()

    def fitting(self, room: int) -> str:
        """Return the words elided to a width in pixels."""
        words = self.text()
        return self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room) if len(words) > 1 else words

    def drawn_option(self) -> QStyleOptionButton:
        """Return how it is drawn: with the icon of its present state, and the text as far as there is room."""
        option = QStyleOptionButton()
        self.initStyleOption(option)
        if self.layout() is not None:
            option.text = ""
            return option
        room = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self).width()
        shown = self.icon_now()
        if not shown.isNull():
            option.icon = shown
            room -= self.iconSize().width() + _BESIDE
        option.text = on_button(self.fitting(room + 1))
        return option

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw icon and text; Qt wants its own option at every change of a button that nobody sees, too."""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, self.drawn_option())
        painter.end()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of icon and words."""
        layout = self.layout()
        if layout is not None:
            return layout.totalSizeHint()
        option = QStyleOptionButton()
        self.initStyleOption(option)
        wide, high = self.fontMetrics().horizontalAdvance(self.text()), self.fontMetrics().height()
        if self.sign()[0]:
            wide += self.iconSize().width() + _BESIDE * bool(self.text())
            high = max(high, self.iconSize().height())
        return self.style().sizeFromContents(QStyle.ContentsType.CT_PushButton, option, QSize(wide, high), self)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Press with Enter too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class Switch(QuietButton):
    """A switch: a box with a tick, and words behind it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, "switch", parent=parent)
        self.setCheckable(True)

    def sign(self) -> tuple[str, str]:
        """Return the icon of the box, ticked or not."""
        now = theme()
        lively = self.isChecked() or self.underMouse() or self.hasFocus()
        colour = now.faint if not self.isEnabled() else now.accent if lively else now.quiet
        return "on" if self.isChecked() else "off", colour


PILL_HEIGHT = 32
PILL_PADDING = 14


class Pill(QuietButton):
    """A button with round ends.

    Parameters
    ----------
    text : str
        Its words.
    name : str
        Its effect, as tooltip and accessible name.
    invites : bool
        Whether it offers to add something, and is quiet with a dashed outline.
    """

    def __init__(
        self,
        text: str = "",
        name: str = "",
        invites: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, "pill", parent=parent)
        self.setProperty("invites", invites)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name or text)
        self.setToolTip(name)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the width of the words and the height of all pills; at least a circle."""
        if self.layout() is None and len(self.text()) == 1:
            return QSize(PILL_HEIGHT, PILL_HEIGHT)
        return QSize(super().sizeHint().width() + PILL_PADDING * (self.layout() is None), PILL_HEIGHT)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a smaller width, at which the words end in dots."""
        return QSize(PILL_HEIGHT, PILL_HEIGHT)


class ChoicePill(Pill):
    """A pill that shows one of several choices, and opens a menu of all.

    Parameters
    ----------
    name : str
        What is chosen.
    choices : mapping of str to str
        The words of each value, the one that is chosen at first before the others.

    Signals
    -------
    chosen(str)
        The value that a person chooses.
    """

    chosen = Signal(str)

    def __init__(self, name: str, choices: Mapping[str, str]) -> None:
        super().__init__("", name)
        self._choices = choices
        self.value = ""
        self.clicked.connect(self._open)
        self.show_choice(next(iter(choices)))

    def show_choice(self, value: str) -> None:
        """Show another choice without a signal."""
        self.value = value
        self.setText(self._choices.get(value, value))
        self.setAccessibleName(f"{self.toolTip()}: {self.text()}")
        self.updateGeometry()

    def choose(self, value: str) -> None:
        """Choose as a person does."""
        self.show_choice(value)
        self.chosen.emit(value)

    def _open(self) -> None:
        menu = QMenu(self)
        for value, words in self._choices.items():
            action = menu.addAction(on_button(words))
            action.setCheckable(True)
            action.setChecked(value == self.value)
            action.triggered.connect(lambda __=False, value=value: self.choose(value))
            if action.isChecked():
                menu.setActiveAction(action)
        menu.exec(self.mapToGlobal(self.rect().bottomLeft()))
        menu.deleteLater()


class WordsPill(Pill):
    """A pill with quiet words, strong words, and quiet words again.

    Parameters
    ----------
    name : str
        Accessible name.
    opens : bool
        Whether it opens a list.
    """

    def __init__(self, name: str = "", opens: bool = False, parent: QWidget | None = None) -> None:
        super().__init__("", name, parent=parent)
        self._lead, self._loud, self._tail = label(role="quiet"), ElidedLine("name"), ElidedLine("quiet")
        self._loud.setSizePolicy(
            QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Preferred
        )  # in full where there is room
        inner = row_of(on=self, gap=0, margins=(PILL_PADDING, 0, PILL_PADDING - 4 * opens, 0))
        for words in (self._lead, self._loud, self._tail):
            words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inner.addWidget(words)
        inner.addStretch()
        if opens:
            inner.addSpacing(6)
            inner.addWidget(Sign("opens", 14))

    def set_words(self, lead: str, text: str, tail: str) -> None:
        """Show words."""
        self.setText(text)
        for shown, words in ((self._lead, lead), (self._loud, text), (self._tail, tail)):
            shown.setText(words)
            shown.setVisible(bool(words))
        self.updateGeometry()

    def least_width(self) -> int:
        """Return the width at which all but the last quiet words are legible."""
        return self.sizeHint().width() - self._tail.sizeHint().width() * bool(self._tail.text())


ROUND_SIDE = 40


class RoundButton(QuietButton):
    """A round button for the pointer, with a sign: ``previous``, ``next`` or ``close``."""

    def __init__(self, sign: str, parent: QWidget) -> None:
        super().__init__("", "round", sign, 24, parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedSize(ROUND_SIDE, ROUND_SIDE)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def sign(self) -> tuple[str, str]:
        """Return the sign and its colour, the accent under the pointer."""
        return super().sign()[0], DARK.accent if self.underMouse() else DARK.ink


class Link(QuietButton):
    """A link: words that act when pressed."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, "words", parent=parent)
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
