"""The parts of pages, all in the same rhythm: heads, headings, cards, buttons, empty states and prompts.

An empty state is a sentence and a button; a prompt is a bar above the views that waits for a decision. There is also
the thin bar of progress, and the widget that covers the whole window.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from twinlens.app.gui.actions.action import Action, press, show_action
from twinlens.app.gui.look.labels import write_in_capitals
from twinlens.app.gui.process.jobs import outlived
from twinlens.app.language.texts import _

Box = TypeVar("Box", bound=QBoxLayout)


def label(text: str = "", role: str = "", wrap: bool = False) -> QLabel:
    """Return a label; its role ("title", "quiet", "help", "error", "section", "mono") decides its look."""
    made = QLabel(text)
    made.setWordWrap(wrap)
    if role:
        made.setProperty("role", role)
    if role == "section":
        font = made.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        font.setWeight(QFont.Weight.DemiBold)
        font.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
        write_in_capitals(made, font)
    return made


def button(text: str, name: str, key: str = "", role: str = "") -> QPushButton:
    """Return a button with a key in the tooltip, which is bound elsewhere."""
    made = QPushButton(text)
    made.setAccessibleName(name)
    made.setToolTip(tip_with_key(name, key))
    made.setAutoDefault(False)
    if role:
        made.setProperty("role", role)
    return made


def command_button(text: str, action: Action, role: str = "") -> QPushButton:
    """Return a button for a declared action, whose key is bound elsewhere."""
    made = button(text, action.words, role=role)
    show_action(made, action)
    return made


def dialog_keys(leave: QPushButton, agree: QPushButton | None = None, *others: QPushButton) -> QDialogButtonBox:
    """Return the row of buttons below a dialog, in the order of the person's system.

    Parameters
    ----------
    leave : QPushButton
        Changes nothing, or closes what only shows something.
    agree : QPushButton, optional
        Does what the dialog is for.
    others : QPushButton
        What else can be done.
    """
    box, role = QDialogButtonBox(), QDialogButtonBox.ButtonRole
    for one in others:
        box.addButton(one, role.ActionRole)
    if agree is not None:
        box.addButton(agree, role.AcceptRole)
    box.addButton(leave, role.RejectRole)
    return box


def tip_with_key(name: str, key: str) -> str:
    """Return a tooltip: the effect of a button, and its key, if it has one."""
    shown = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) if key else ""
    return f"{name} ({shown})" if shown else name


def set_role(widget: QWidget, role: str) -> None:
    """Change the role of a widget, and with it its look."""
    set_look(widget, "role", role)


def set_look(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().polish(widget)


def scrolling(widget: QWidget, name: str = "", role: str = "page") -> QScrollArea:
    """Return a vertical scroll area of a widget; a focused child scrolls into view."""
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


STRETCH = "stretch"
"""The room that is left, in a row or column."""

LayoutPart = QWidget | QLayout | int | str | tuple[Any, ...]
"""A widget, layout or :data:`STRETCH`, alone or before its share of the room and its alignment; or so many free px."""

Margins = int | tuple[int, int, int, int]


def row_of(
    *parts: LayoutPart, on: QWidget | None = None, gap: int | None = None, margins: Margins | None = None
) -> QHBoxLayout:
    """Return a row.

    Parameters
    ----------
    on : QWidget, optional
        The widget whose layout it is.
    gap : int, optional
        Room between two parts, px; by default the style's.
    margins : int or tuple of int, optional
        Left, top, right and bottom margin, px, or all of them; by default the style's on a widget, and none elsewhere.
    """
    return _filled(QHBoxLayout(), parts, on, gap, margins)


def column_of(
    *parts: LayoutPart, on: QWidget | None = None, gap: int | None = None, margins: Margins | None = None
) -> QVBoxLayout:
    """Return a column; see :func:`row_of`."""
    return _filled(QVBoxLayout(), parts, on, gap, margins)


def _filled(
    layout: Box, parts: Sequence[LayoutPart], on: QWidget | None, gap: int | None, margins: Margins | None
) -> Box:
    if on is not None:
        on.setLayout(layout)
    if gap is not None:
        layout.setSpacing(gap)
    if margins is not None:
        layout.setContentsMargins(*((margins,) * 4 if isinstance(margins, int) else margins))
    for part in parts:
        first, *how = part if isinstance(part, tuple) else (part,)
        if first == STRETCH:
            layout.addStretch(*how)
        elif isinstance(first, int):
            layout.addSpacing(first)
        elif isinstance(first, QLayout):
            layout.addLayout(first, *how)
        elif how and isinstance(how[0], Qt.AlignmentFlag):
            layout.addWidget(first, alignment=how[0])
        else:
            layout.addWidget(first, *how)
    return layout


class PageCard(QFrame):
    """A card: a sheet of paper on the ground, with a column of widgets."""

    def __init__(self, heading: str = "") -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.column = column_of(on=self, gap=8, margins=(20, 16, 20, 16))
        if heading:
            self.column.addWidget(label(heading, "section"))


class TitledPage(QWidget):
    """A page: a head with title, one line of facts and buttons, and a scrolling body.

    Parameters
    ----------
    widest : int
        Greatest width of the body, px: lines of text must not run across a wide screen.
    scrolls : bool
        Whether the body scrolls as a whole; otherwise a part of it does.
    """

    def __init__(self, title: str, widest: int = 760, scrolls: bool = True) -> None:
        super().__init__()
        self._widest = widest
        self._head = QWidget()
        surface(self._head, "head")
        self._head.setMinimumHeight(72)
        self._title = label(title, "title")
        self._line = label("", "quiet", wrap=True)
        words = column_of(STRETCH, self._title, self._line, STRETCH, gap=2)
        self._buttons = row_of(gap=8)
        row_of((words, 1), self._buttons, on=self._head, gap=16, margins=(24, 6, 24, 6))
        self.setAccessibleName(title)
        self._outer = column_of(self._head, on=self, gap=0, margins=0)
        sheet = QWidget()
        surface(sheet, "ground")
        inner = self._inner = QWidget()
        self.body = column_of(on=inner, gap=16, margins=0)
        across = QHBoxLayout(sheet)
        self._across = row_of(gap=0, margins=0)
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
        """Set the greatest width of the body, px."""
        self._inner.setMaximumWidth(widest)

    def add_button(self, made: QPushButton) -> QPushButton:
        """Add a button at the right of the head."""
        self._buttons.addWidget(made)
        return made

    def add_aside(self, width: int) -> QVBoxLayout:
        """Return a column beside the body that does not scroll."""
        aside = QWidget()
        surface(aside, "ground")
        column = column_of(on=aside, gap=16, margins=(8, 24, 24, 24))
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


_WORDS_PX = 440


class PageView(TitledPage):
    """A titled page that is a view by itself, and shows nothing but the library."""

    @property
    def view(self) -> Self:
        """Return the page."""
        return self

    def focus(self) -> None:
        """Focus the page."""
        self.setFocus()

    def state(self) -> dict[str, Any]:
        """Return an empty state."""
        return {}


class EmptyState(QWidget):
    """An empty state: one sentence, and the button of the next step.

    Parameters
    ----------
    action : str
        Label of the button; without it there is none.
    key : str
        Key of the button, which is only shown.
    wanted
        The button was pressed.
    """

    wanted = Signal()

    def __init__(self, sentence: str, action: str = "", key: str = "") -> None:
        super().__init__()
        surface(self, "ground")
        self._column = QVBoxLayout(self)
        self._words = label(sentence, "empty", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        font = self._words.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        self._words.setFont(font)
        self._words.setFixedWidth(_WORDS_PX)
        self._words.setFixedHeight(max(0, self._words.heightForWidth(_WORDS_PX)))
        column = self._column
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(16)
        column.addStretch(2)
        column.addWidget(self._words, alignment=Qt.AlignmentFlag.AlignHCenter)
        self._button: QPushButton | None = None
        if action:
            made = self._button = button(action, action, key, "primary")
            made.clicked.connect(self.wanted)
            column.addWidget(made, alignment=Qt.AlignmentFlag.AlignHCenter)
            self.setFocusProxy(made)
        column.addStretch(3)
        self.setAccessibleName(sentence)

    def also(self, action: str, name: str, key: str = "") -> QPushButton:
        """Add a less prominent button; its key is only shown."""
        made = button(action, name, key)
        self._column.insertWidget(self._column.count() - 1, made, alignment=Qt.AlignmentFlag.AlignHCenter)
        return made

    def show_action(self, shown: bool) -> None:
        """Show or hide the button."""
        if self._button is not None:
            self._button.setVisible(shown)

    def set_sentence(self, sentence: str) -> None:
        """Change the sentence."""
        self._words.setText(sentence)
        self._words.setFixedHeight(max(0, self._words.heightForWidth(_WORDS_PX)))
        self.setAccessibleName(sentence)


class PromptBar(QWidget):
    """A bar with a sentence and two buttons; hidden unless a decision is needed."""

    agreed = Signal()
    declined = Signal()

    def __init__(self) -> None:
        super().__init__()
        surface(self, "head")
        self._words = QLabel()
        self._words.setWordWrap(True)
        self._words.setTextFormat(Qt.TextFormat.PlainText)  # it contains names of folders
        self._yes = QPushButton()
        self._yes.setObjectName("main")
        self._yes.clicked.connect(self._on_yes)
        self._no = QPushButton()
        self._no.clicked.connect(self._on_no)
        row_of((self._words, 1), self._yes, self._no, on=self, gap=12, margins=(20, 8, 16, 8))
        self.hide()

    def ask(self, sentence: str, yes: str, no: str, focus: bool = True) -> None:
        """Ask for a decision; without ``focus``, the focus stays where it is."""
        self._words.setText(sentence)
        self.setAccessibleName(sentence)
        for one, text in ((self._yes, yes), (self._no, no)):
            one.setText(text)
            one.setAccessibleName(text)
        self.show()
        if focus:
            self._yes.setFocus()

    def _on_yes(self) -> None:
        self.hide()
        self.agreed.emit()

    def _on_no(self) -> None:
        self.hide()
        self.declined.emit()


_STEPS = 1000


class ThinBar(QProgressBar):
    """A thin bar of progress from 0 to 1; below 0 it is invisible, but keeps its room."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "thin")
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setAccessibleName(_("Progress"))
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.show_share(-1)

    def show_share(self, share: float) -> None:
        """Show a share."""
        self.setValue(round(_STEPS * share))
        self.setVisible(share >= 0)


class OverWindow(QWidget):
    """A widget over the whole window of another one, with all keys while it is visible.

    Parameters
    ----------
    over : QWidget, optional
        The widget whose window it covers.
    """

    def __init__(self, over: QWidget | None = None) -> None:
        super().__init__(over)
        self._over = over
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def cover(self) -> None:
        """Cover the window."""
        assert self._over is not None
        window = self._over.window()
        self.setParent(window)
        self.setGeometry(window.rect())
        window.installEventFilter(self)
        self.show()
        self.raise_()
        self.setFocus()

    @staticmethod
    def uncover_all(over: QWidget) -> None:
        """Uncover the window of a widget."""
        for one in over.window().findChildren(OverWindow):
            if one.isVisible():
                one.uncover()

    def uncover(self) -> None:
        """Uncover the window."""
        assert self._over is not None
        self.hide()
        self._over.window().removeEventFilter(self)
        self.setParent(self._over)  # owned by the library's workspace, not by the window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Stay as large as the window."""
        if outlived(self):
            return False
        if event.type() is QEvent.Type.Resize and isinstance(watched, QWidget):
            self.setGeometry(watched.rect())
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Keep single keys from the window's shortcuts."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            plain = not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
            if plain and event.key() not in (Qt.Key.Key_F1, Qt.Key.Key_F11):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Do what a key means here."""
        if not press(self, event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, __: bool) -> bool:  # noqa: N802 (Qt's name)
        """Keep the focus: the views below cannot be used meanwhile."""
        return True
