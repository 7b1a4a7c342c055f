"""The head of the search view: the query, history buttons and the histogram."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QSizePolicy, QWidget

from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import surface


class QueryHead(QWidget):
    """The head of the search view; where the query needs the whole width, the rest stands below.

    Parameters
    ----------
    bar : QWidget
        The question.
    steps : QLayout
    similarities : QWidget
    """

    def __init__(self, bar: QWidget, steps: QLayout, similarities: QWidget) -> None:
        super().__init__()
        surface(self, "head")
        self._bar, self._steps, self._similarities = bar, steps, similarities
        rest = QWidget()
        rest.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)  # what is left is the question's
        self._rest = QBoxLayout(QBoxLayout.Direction.TopToBottom, rest)
        self._rest.setContentsMargins(0, 6, 16, 6)
        self._rest.setSpacing(2)
        self._rest.addLayout(steps)
        self._rest.addWidget(similarities)
        lines = FlowLayout(0, right=True)
        lines.addWidget(bar)
        lines.addWidget(rest)
        self.setLayout(lines)

    def event(self, event: QEvent) -> bool:
        """Choose the place of the rest."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            rest = max(self._steps.sizeHint().width(), self._similarities.sizeHint().width()) + 16
            under = self._bar.sizeHint().width() + rest > self.width()
            way = QBoxLayout.Direction.LeftToRight if under else QBoxLayout.Direction.TopToBottom
            if self._rest.direction() != way:
                self._rest.setDirection(way)
        return super().event(event)
