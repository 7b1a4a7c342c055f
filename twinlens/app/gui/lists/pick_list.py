"""A list of which one row is picked, by a click or Enter, as in a menu, and the popup of choices made of it.

A field above it may keep the focus.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QLineEdit, QWidget

from twinlens.app.gui.lists.card import Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.look.page_parts import column_of, surface
from twinlens.app.gui.process.jobs import outlived
from twinlens.app.language.text_folding import folded
from twinlens.app.language.texts import _, number

Row = TypeVar("Row")
_MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_TAKES = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class PickList(CardList[Row]):
    """The list.

    Parameters
    ----------
    name : str
        Accessible name.
    key_of, card_of : callable
        As of a list of cards.
    lines : int
        Number of lesser lines that have room.
    """

    picked = Signal(object)
    """The picked row."""

    def __init__(
        self, name: str, key_of: Callable[[Row], Hashable], card_of: Callable[[Row], Card], lines: int = 0
    ) -> None:
        super().__init__(key_of, card_of, CardLook(lines, margin=12, compact=True), seeks=True)
        self.setAccessibleName(name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setFrameShape(self.Shape.NoFrame)
        self.clicked.connect(lambda __: self.pick())

    def pick(self) -> None:
        """Pick the current row."""
        one = self.current()
        if one is not None:
            self.picked.emit(one)

    def follow(self, field: QWidget) -> None:
        """Be moved by the keys of a field that the field does not need."""
        self.setFocusProxy(field)
        field.installEventFilter(self)

    def height_of(self, rows: int) -> int:
        """Return the height of so many rows, in pixels."""
        return rows * max(1, self.sizeHintForRow(0)) + 2 * self.frameWidth()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of all rows."""
        return QSize(super().sizeHint().width(), self.height_of(self.cards.rowCount()))

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Pick by Enter or the space bar."""
        if event.key() in (*_TAKES, Qt.Key.Key_Space):
            self.pick()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Take the keys of the field."""
        if outlived(self):
            return False
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in (*_MOVES, *_TAKES):
            self.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)


_FIELD_HEIGHT = 32


class InputField(QLineEdit):
    """A line edit with a border."""

    def __init__(self, hint: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(hint)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setFixedHeight(_FIELD_HEIGHT)


_SEEN = 12  # visible rows; more are reached by scrolling and typing
_WIDTH = 280


class ListChoice(NamedTuple):
    """One row.

    Attributes
    ----------
    value, words : str
        The chosen value, and its text.
    photographs : int or None
        Number of photographs with it; None where it has no meaning.
    """

    value: str
    words: str
    photographs: int | None = None


class ChoiceList(QFrame):
    """The popup list of choices below a widget; a click or Enter takes one, Esc none.

    Parameters
    ----------
    name : str
        Accessible name.
    now : str
        The present value.
    chosen : str
        The chosen value.
    """

    chosen = Signal(str)

    def __init__(self, name: str, choices: Sequence[ListChoice], now: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it has no other effect
        self.setAccessibleName(name)
        self._field = InputField(_("Type to find"), _("Find in the list"))
        self._field.textEdited.connect(self._on_typed)
        self._choices = list(choices)
        self._list: PickList[ListChoice] = PickList(name, lambda one: one.value, _card)
        self._list.show_rows(self._choices, [now])
        self._list.picked.connect(self._on_picked)
        if len(choices) <= _SEEN:
            self._field.hide()
        else:
            self._list.follow(self._field)
        column_of(self._field, self._list, on=self, gap=6, margins=8)

    def open(self, below: QWidget) -> None:
        """Show the list below a widget, or above it without room below."""
        screen = below.screen().availableGeometry()
        self.setFixedWidth(min(max(_WIDTH, below.width()), screen.width()))
        wanted = self._list.height_of(min(_SEEN, len(self._choices)))
        around = 0 if self._field.isHidden() else self._field.height() + 6
        self._list.setFixedHeight(min(wanted, screen.height() - around - 16))
        self.adjustSize()
        at = below.mapToGlobal(QPoint(0, below.height() + 2))
        if at.y() + self.height() > screen.bottom():
            at.setY(max(screen.top(), below.mapToGlobal(QPoint(0, -self.height() - 2)).y()))
        at.setX(max(screen.left(), min(at.x(), screen.right() - self.width())))
        self.move(at)
        self.show()
        (self._list if self._field.isHidden() else self._field).setFocus(Qt.FocusReason.PopupFocusReason)
        self._list.scrollTo(self._list.currentIndex())

    def words(self) -> list[str]:
        """Return the texts of the listed rows, with their counts."""
        return [_card(one).spoken for one in self._list.rows()]

    def _on_typed(self, text: str) -> None:
        words = folded(text).split()
        self._list.show_rows([one for one in self._choices if all(word in folded(one.words) for word in words)])
        self._list.go_to(0)

    def _on_picked(self, one: ListChoice) -> None:
        self.chosen.emit(one.value)
        self.close()


def _card(one: ListChoice) -> Card:
    count = "" if one.photographs is None else number(one.photographs)
    return Card(CardLine(one.words, "ink"), f"{one.words} {count}".strip(), right=count, tip=one.words)
