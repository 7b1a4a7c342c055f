"""Switches of the check for the same picture: on or off, and matches only."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from app.gui.actions.action import give
from app.gui.look.painted_button import PaintedButton
from app.gui.look.sentences import Link, small
from app.gui.look.theme import theme
from app.gui.search.actions import search_actions
from app.gui.search.timing_line import HEIGHT
from app.language.spoken import _, number

_BOX = 14


class CheckBar(QWidget):
    """Stands at the end of the timing line, where an index can be checked.

    Signals
    -------
    check_wanted(bool)
    only_wanted(bool)
        Only confirmed photographs are to be shown, or all.
    order_wanted()
        Confirmed photographs are to come first.
    """

    check_wanted = Signal(bool)
    only_wanted = Signal(bool)
    order_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(HEIGHT)
        self.setFont(small(self.font(), 0.9))
        self._order = Link(_("show matches first"))
        self._order.setToolTip(_("Show matches before the other results"))
        self._only = Switch()
        actions = search_actions()
        give(self._only, actions["only confirmed"])
        self._check = Switch()
        self._check.setText(_("check matches"))
        give(self._check, actions["check"])
        self._check.setAccessibleName(_("Compare the first results point by point"))
        self._check.setToolTip(
            _(
                "Compare the first results with your photo point by point. Matches are marked and come first ({key})",
                key=actions["check"].keys_text(),
            )
        )
        self._order.clicked.connect(self.order_wanted)
        self._only.clicked.connect(self.only_wanted)
        self._check.clicked.connect(self.check_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 1)
        row.setSpacing(12)
        for widget in (self._order, self._only, self._check):
            widget.setFont(self.font())
            row.addWidget(widget)
        self.show_state(applies=False)

    def show_state(
        self, applies: bool, checks: bool = True, confirmed: int | None = None, only: bool = False, waits: bool = False
    ) -> None:
        """Show the state of the check.

        Parameters
        ----------
        applies : bool
            The index compares what can be checked.
        checks : bool
            It is checked.
        confirmed : int or None
            How many are confirmed besides what was asked with; None while that is not known.
        only : bool
            Only these are shown.
        waits : bool
            They are not yet before the others.
        """
        self._check.setVisible(applies)
        self._check.setChecked(checks)
        self._only.setVisible(applies and checks)
        self._only.setChecked(only)
        self._only.setEnabled(only or bool(confirmed))
        count = "…" if confirmed is None else number(confirmed)
        words = _("same picture only · {value}", value=count)
        self._only.setText(words)
        self._only.setAccessibleName(words)
        self._only.setToolTip(
            _("Show only results with the same picture ({key})", key=search_actions()["only confirmed"].keys_text())
        )
        self._order.setVisible(applies and checks and waits and not only)


class Switch(PaintedButton):
    """A box with a tick and a text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the room of its text."""
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.text()) + _BOX + 14, max(22, metrics.height() + 6))

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the box, the tick and the text."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(1 if self.isEnabled() else 0.55)
        box = QRectF(4, (self.height() - _BOX) / 2, _BOX, _BOX)
        lively = self.isEnabled() and (self.underMouse() or self.hasFocus())
        painter.setPen(QPen(QColor(now.accent if self.isChecked() or lively else now.quiet), 1.2))
        painter.setBrush(QColor(now.accent if self.isChecked() else now.paper))
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        if self.isChecked():
            paint_tick(painter, box.center(), QColor(now.paper), 1.7)
        painter.setFont(self.font())
        painter.setPen(QColor(now.ink if self.isChecked() or lively else now.quiet))
        words = self.rect().adjusted(_BOX + 10, 0, 0, 0)
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, self.text())
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(now.accent), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.end()


def paint_tick(painter: QPainter, middle: QPointF, ink: QColor, width: float) -> None:
    """Paint a tick."""
    painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline([middle + QPointF(-3.5, 0.2), middle + QPointF(-1, 2.8), middle + QPointF(3.6, -2.8)])
