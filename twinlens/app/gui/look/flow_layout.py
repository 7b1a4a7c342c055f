"""A flow layout lays widgets out in a row and continues on the next line where there is no more room."""

from __future__ import annotations

from PySide6.QtCore import QMargins, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QSizePolicy, QWidget


class FlowLayout(QLayout):
    """A layout of widgets like words in lines.

    A widget has its usual width; expanding ones share the rest of their line. A widget wider than the layout gets the
    width of the layout.

    Parameters
    ----------
    gap, line_gap : int
        Pixels between widgets, and between lines.
    grows : bool
        Whether expanding widgets share the rest of their line.
    right : bool
        Whether lines without expanding widgets are aligned right.
    """

    def __init__(self, gap: int = 8, line_gap: int | None = None, right: bool = False, grows: bool = True) -> None:
        super().__init__()
        self._gap, self._line_gap = gap, gap if line_gap is None else line_gap
        self._right, self._grows = right, grows
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}  # by width, until an item changes, since Qt queries them often
        self._hint, self._least = QSize(), QSize()
        self.setContentsMargins(0, 0, 0, 0)

    # --- Qt's names, all below ---------------------------------------------------------------------------------------

    def addItem(self, item: QLayoutItem) -> None:  # noqa: N802
        """Add a widget or a layout at the end."""
        self._items.append(item)

    def addLayout(self, layout: QLayout) -> None:  # noqa: N802
        """Add a layout at the end."""
        self.addChildLayout(layout)
        self.addItem(layout)

    def count(self) -> int:
        """Return the number of items, hidden ones included."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        """Return an item by its index."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:  # noqa: N802
        """Remove and return an item."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:  # noqa: N802
        """Return that it expands horizontally."""
        return Qt.Orientation.Horizontal

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return that its height depends on its width."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Return the height of the lines for a width."""
        if width not in self._heights:
            self._heights[width] = self._place(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size of all items in one line."""
        if not self._hint.isValid():
            shown = self._shown()
            wide = sum(_usual(one) for one in shown) + self._gap * max(0, len(shown) - 1)
            high = max((one.sizeHint().height() for one in shown), default=0)
            self._hint = QSize(wide, high).grownBy(self._margins())
        return self._hint

    def minimumSize(self) -> QSize:  # noqa: N802
        """Return the size of the largest item alone."""
        if not self._least.isValid():
            least = [one.minimumSize() for one in self._shown()]
            wide, high = (max(sides, default=0) for sides in ([s.width() for s in least], [s.height() for s in least]))
            self._least = QSize(wide, high).grownBy(self._margins())
        return self._least

    def invalidate(self) -> None:
        """Forget the sizes, since an item has changed."""
        self._heights.clear()
        self._hint, self._least = QSize(), QSize()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:  # noqa: N802
        """Lay the items out in a rectangle."""
        super().setGeometry(rect)
        self._place(rect, move=True)

    # --- lines -------------------------------------------------------------------------------------------------------

    def _margins(self) -> QMargins:
        return self.contentsMargins()

    def _shown(self) -> list[QLayoutItem]:
        return [one for one in self._items if not one.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        x = 0
        for one in self._shown():
            wide = _usual(one)
            if not lines or x + self._gap + wide > width:
                lines.append([])
                x = -self._gap
            lines[-1].append(one)
            x += self._gap + wide
        return lines

    def _place(self, rect: QRect, move: bool) -> int:
        margins = self._margins()
        room = rect.marginsRemoved(margins)
        if move:  # lines are centred vertically in a higher rectangle
            room.setTop(room.top() + max(0, rect.height() - self.heightForWidth(rect.width())) // 2)
        y = room.top()
        for number, line in enumerate(self._lines(room.width())):
            y += self._line_gap if number else 0
            widths = _widths(line, room.width() - self._gap * (len(line) - 1), self._grows)
            heights = [_height(one, wide) for one, wide in zip(line, widths, strict=True)]
            x = room.left()
            if self._right:
                x += max(0, room.width() - sum(widths) - self._gap * (len(line) - 1))
            for one, wide, high in zip(line, widths, heights, strict=True):
                if move:
                    one.setGeometry(QRect(x, y + (max(heights) - high) // 2, wide, high))
                x += wide + self._gap
            y += max(heights)
        return y - rect.top() + margins.bottom()


def _widths(line: list[QLayoutItem], room: int, grow: bool) -> list[int]:
    widths = [min(_usual(one), room) for one in line]
    growing = [n for n, one in enumerate(line) if grow and _grows(one)]
    growing.sort(
        key=lambda n: line[n].maximumSize().width()
    )  # bounded widgets first: they leave their share to the others
    for left, place in zip(range(len(growing), 0, -1), growing, strict=True):
        spare = max(0, room - sum(widths)) // left
        widths[place] = min(widths[place] + spare, line[place].maximumSize().width())
    return widths


def _usual(one: QLayoutItem) -> int:
    return max(one.sizeHint().width(), one.minimumSize().width())


def _grows(one: QLayoutItem) -> bool:
    widget = one.widget()
    anyhow = widget is not None and widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Ignored
    return anyhow or bool(one.expandingDirections() & Qt.Orientation.Horizontal)


def _height(one: QLayoutItem, width: int) -> int:
    return one.heightForWidth(width) if one.hasHeightForWidth() else one.sizeHint().height()


class Flow(QWidget):
    """A widget with a flow layout, whose widgets can be replaced."""

    def __init__(self, gap: int = 8) -> None:
        super().__init__()
        self._lines = FlowLayout(gap, grows=False)
        self.setLayout(self._lines)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_widgets(self, widgets: list[QWidget]) -> None:
        """Show widgets in order, in place of the former ones."""
        while (item := self._lines.takeAt(0)) is not None:
            one = item.widget()
            if one is not None and one not in widgets:
                one.hide()
                one.deleteLater()
        for before, one in zip([None, *widgets], widgets, strict=False):
            self._lines.addWidget(one)
            one.show()
            if before is not None:
                QWidget.setTabOrder(before, one)
