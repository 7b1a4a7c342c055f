"""The readout of a point: a small card beside it, and a sentence for screen readers."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtWidgets import QWidget

from app.gui.charts.data_painting import ink_of
from app.gui.charts.points import PointPlace
from app.gui.charts.tick_text import tick_text
from app.gui.look.outside_text import RichLabel
from app.gui.look.theme import theme
from app.lab.figures.figure import Axis, Figure
from app.language.spoken import number

_AWAY = 14
_MOST = 12  # facts


def point_facts(figure: Figure, place: PointPlace) -> list[tuple[str, str]]:
    """Return what is known of a point, by name; what the axes say, and then what it was measured with."""
    one = figure.series[place.series]
    found = [_of(figure.x, one.x[place.point]), _of(figure.y, one.y[place.point])]
    if len(one.low):
        words = f"{_number(one.low[place.point])} – {_number(one.high[place.point])}"
        found.append(("", words + (f" {figure.y.unit}" if figure.y.unit else "")))
    if len(one.points):
        said = {value for _, value in found}
        found += [(str(name), str(value)) for name, value in one.points[place.point].items() if str(value) not in said]
    return found[:_MOST]


def point_sentence(figure: Figure, place: PointPlace) -> str:
    """Return the same in one line."""
    said = ", ".join(f"{name} {value}".strip() for name, value in point_facts(figure, place))
    name = figure.series[place.series].name
    return f"{name}: {said}" if name else said


def _of(axis: Axis, value: float) -> tuple[str, str]:
    return str(axis.label), _number(value) + (f" {axis.unit}" if axis.unit else "")


def _number(value: float) -> str:
    if float(value).is_integer() and abs(value) < 1e7:
        return number(value, ",.0f").replace("-", "−")
    return (
        tick_text(float(value)) if abs(value) < 1e-3 or abs(value) >= 1_000 else number(value, ".4g").replace("-", "−")
    )


class Readout(RichLabel):
    """The card.

    Parameters
    ----------
    parent : QWidget
        It never leaves this one.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._within = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setMargin(9)
        self.hide()

    def show_of(self, figure: Figure, place: PointPlace, at: QPointF, hint: str) -> None:
        """Show what is known of a point beside its place in the parent."""
        now = theme()
        one = figure.series[place.series]
        ink = ink_of(one.place).name()
        rows = "".join(
            f"<tr><td style='color:{now.quiet}; padding-right:12px'>{escape(name)}</td><td>{escape(value)}</td></tr>"
            for name, value in point_facts(figure, place)
        )
        name = f"<b style='color:{ink}'>{escape(str(one.name))}</b>" if one.name else ""
        foot = f"<div style='color:{now.quiet}; margin-top:4px'>{escape(hint)}</div>" if hint else ""
        self.setStyleSheet(
            f"background: {now.paper}; color: {now.ink}; border: 1px solid {now.line}; border-radius: 6px;"
            f"font-size: 11px;"
        )
        self.setText(f"{name}<table cellspacing='0' cellpadding='1'>{rows}</table>{foot}")
        self.adjustSize()
        self.move(self._beside(at.toPoint()))
        self.show()
        self.raise_()

    def _beside(self, at: QPoint) -> QPoint:
        bounds: QRect = self._within.rect().adjusted(4, 4, -4, -4)
        left = at.x() + _AWAY if at.x() + _AWAY + self.width() <= bounds.right() else at.x() - _AWAY - self.width()
        top = at.y() - self.height() - _AWAY
        top = top if top >= bounds.top() else at.y() + _AWAY
        return QPoint(
            min(max(left, bounds.left()), max(bounds.left(), bounds.right() - self.width())),
            min(max(top, bounds.top()), max(bounds.top(), bounds.bottom() - self.height())),
        )
