"""A row of small widgets that goes on in the next line where there is no more room."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

_CHANGES = (
    QEvent.Type.LayoutRequest,
    QEvent.Type.Polish,
    QEvent.Type.Show,
    QEvent.Type.StyleChange,
    QEvent.Type.FontChange,
)


class Flow(QWidget):
    """Lays widgets out as words in lines."""

    def __init__(self, gap: int = 8) -> None:
        super().__init__()
        self._gap = gap
        self._shown: list[QWidget] = []
        self._heights: dict[int, int] = {}  # by width; layouts ask for them over and over
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_widgets(self, widgets: list[QWidget]) -> None:
        """Show widgets, in their order; those before are gone."""
        for one in self._shown:
            if one not in widgets:
                one.hide()
                one.deleteLater()
        self._shown = list(widgets)
        self._heights.clear()
        for before, one in zip([None, *widgets], widgets, strict=False):
            one.setParent(self)
            one.show()
            if before is not None:
                QWidget.setTabOrder(before, one)
        self._place(self.width(), move=True)
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:  # noqa: N802 (Qt's name)
        """Say that it needs more height where it is narrow."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802 (Qt's name)
        """Give the height of its lines."""
        return self._height(width)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Give its room."""
        return QSize(200, self._height(max(200, self.width())))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Give the room of its widest widget."""
        widest = max((one.sizeHint().width() for one in self._shown), default=0)
        return QSize(widest, self._height(max(widest, self.width())))

    def event(self, event: QEvent) -> bool:
        """Look again how large the widgets are, where one of them may have changed."""
        if event.type() in _CHANGES:
            self._heights.clear()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Lay out anew."""
        super().resizeEvent(event)
        self._place(self.width(), move=True)

    def _height(self, width: int) -> int:
        if width not in self._heights:
            self._heights[width] = self._place(width, move=False)
        return self._heights[width]

    def _place(self, width: int, move: bool) -> int:
        x = y = line = 0
        for one in self._shown:
            size = one.sizeHint()
            if x and x + size.width() > width:
                x, y, line = 0, y + line + self._gap, 0
            if move:
                one.setGeometry(QRect(QPoint(x, y), size))
            x, line = x + size.width() + self._gap, max(line, size.height())
        return y + line
