"""Kept metrics side by side: what each was learned from, which one search uses, and what it weighs more or less.

The weights are of colours, of parts of the picture, or shown by photographs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QSizePolicy, QToolTip, QWidget

from twinlens.app.gui.actions.action import offer
from twinlens.app.gui.actions.declared_actions import learn_actions, metric_actions
from twinlens.app.gui.learn.headline import section_heading
from twinlens.app.gui.lists.card import Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.labels import small
from twinlens.app.gui.look.page_parts import column_of, command_button, label
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.pictures.small_pictures import SmallPictures, filling
from twinlens.app.language.texts import _, number, text
from twinlens.app.learn.learn_results import (
    JudgedMetric,
    MetricComparison,
    MetricMeaning,
    MetricStatus,
    Weighed,
    WeighedCentre,
    WeighedColour,
    WeighedDirection,
    WeighedPart,
)

if TYPE_CHECKING:
    from twinlens.app.library.browsing.photographs import Photograph

    Ends = tuple[list[Photograph], list[Photograph]]


@dataclass(frozen=True)
class KeptMetrics:
    """The kept metrics, and the one that search uses.

    Attributes
    ----------
    index : str
        Answers now.
    before : str
        Index that answered before; empty where there is nothing to go back to.
    compared : MetricComparison or None
        How they stand on the marks there are now, once that is known.
    """

    kept: Sequence[MetricStatus] = ()
    index: str = ""
    before: str = ""
    compared: MetricComparison | None = None

    @property
    def used(self) -> str:
        """Name of the metric that search uses; empty for none."""
        return next((one.name for one in self.kept if self.index in one.indexes), "")

    def standing(self, name: str) -> str:
        """Return the state of a metric as text; empty if unknown."""
        judged = () if self.compared is None else self.compared.metrics
        return next((metric_state(one) for one in judged if one.name == name), "")


def metric_state(one: JudgedMetric) -> str:
    """Return the state of a metric in a few figures."""
    accuracy = None if one.held_out is None else one.held_out.accuracy
    if accuracy is None:
        return _("Marks of other photos would tell how it stands.") if one.seen else ""
    return _(
        "Pair accuracy {accuracy:.0%} (± {off}) on marks it has not seen",
        accuracy=accuracy.mean,
        off=max(1, round(100 * max(accuracy.high - accuracy.mean, accuracy.mean - accuracy.low))),
    )


@dataclass(frozen=True)
class ShownMetric:
    """A metric of the list, or none.

    Attributes
    ----------
    name : str
        Empty: search without any.
    used : bool
        Search goes by it now.
    about, standing : str
        What it was learned from, and how it stands.
    """

    name: str
    used: bool
    about: str
    standing: str = ""


def metric_card(one: ShownMetric) -> Card:
    """Return the card of a metric, with its text for screen readers."""
    title, sign = one.name or _("No metric"), _("used now") if one.used else ""
    lines = tuple(filter(None, (one.about, one.standing)))
    return Card(
        title=CardLine(title, "ink", sign, "accent"),
        lines=tuple(map(CardLine, lines)),
        spoken=". ".join(filter(None, (title, sign, *lines))),
        removable=bool(one.name),
    )


class MetricColumn(QWidget):
    """Column of the metrics, and of search without any."""

    def __init__(self) -> None:
        super().__init__()
        look = CardLook(lines=4, margin=14, framed=True)
        self.list = CardList[ShownMetric](lambda one: one.name, metric_card, look, renamable=lambda one: bool(one.name))
        self.list.setAccessibleName(_("Metrics"))
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.chosen_changed.connect(self._on_chosen_changed)
        actions = metric_actions()
        self._use = command_button(_("Use"), actions["use"], "link")
        self._rename = command_button(_("Rename"), actions["rename"], "link")
        self._delete = command_button(_("Delete"), actions["delete"], "link")
        self._back = command_button("", learn_actions()["go back"], "link")
        row = FlowLayout(4)
        for made in (self._use, self._rename, self._delete, self._back):
            row.addWidget(made)
        column_of(row, (self.list, 1), on=self, gap=8, margins=0)
        offer(self, actions, {"rename": self.list.rename, "delete": self.list.remove_chosen}, [self.list])
        self.setFocusProxy(self.list)
        self.show_metrics(KeptMetrics())

    def bind(self, use: Callable[[str], object]) -> None:
        """Let the button, Enter and a double click search by the current metric; the name is "" for none."""
        offer(self, metric_actions(), {"use": lambda: use(self._name())}, [self.list])
        self.list.doubleClicked.connect(self._use.click)

    def _name(self) -> str:
        one = self.list.current()
        return "" if one is None else one.name

    def show_metrics(self, metrics: KeptMetrics) -> None:
        """Show metrics; a name that is being typed stays."""
        used = metrics.used
        kept = (
            ShownMetric(one.name, one.name == used, text(one.note) or one.descriptor, metrics.standing(one.name))
            for one in metrics.kept
        )
        self.list.show_rows([ShownMetric("", not used, _("Ranked as the index measures it.")), *kept])
        if not self.list.chosen():
            self.list.go_to(max(0, self.list.currentIndex().row()))
        self._on_chosen_changed()
        self._back.setVisible(bool(metrics.before))
        if metrics.before:
            self._back.setText(_("Go back to “{before}”", before=metrics.before))

    def _on_chosen_changed(self) -> None:
        one = self.list.current()
        self._use.setEnabled(one is not None and not one.used)
        for made in (self._rename, self._delete):
            made.setEnabled(one is not None and bool(one.name))


MOST = 6
"""Rows of each kind at most."""

_ROW = 28
_TALL_ROW = 52  # with photographs
_TILE = QSize(56, 42)
_GAP = 32
_EACH = 3  # photographs
_FACTOR_PX = 48


class WeightBars(QWidget):
    """Two columns of bars: what counts more, and what counts less."""

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self._thumbnails = thumbnails
        self._photographs: Mapping[int, Photograph] = {}
        self._more: tuple[Weighed, ...] = ()
        self._less: tuple[Weighed, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        thumbnails.came.connect(self.update)
        self._fit()

    def show_weights(self, weights: Sequence[Weighed], photographs: Mapping[int, Photograph]) -> None:
        """Show weights; photographs illustrate groups without a colour or a name."""
        self._photographs = photographs
        ordered = sorted(weights, key=lambda one: -one.factor)
        self._more = tuple(one for one in ordered if one.factor > 1)[:MOST]
        self._less = tuple(one for one in reversed(ordered) if one.factor <= 1)[:MOST]
        self._thumbnails.want(one.content_hash for weight in weights for end in self._ends(weight) for one in end)
        self._fit()
        told = [f"{weighed_title(one)} × {factor_text(one.factor)}".strip() for one in (*self._more, *self._less)]
        self.setAccessibleDescription(", ".join(told))
        self.update()

    def weights(self) -> tuple[Weighed, ...]:
        """Return the visible weights."""
        return (*self._more, *self._less)

    def _ends(self, one: Weighed) -> Ends:
        """Return photographs with much of a group, and those at the other end of a direction."""
        ids: tuple[list[int], list[int]] = [], []
        if isinstance(one, WeighedCentre):
            ids = one.photographs, []
        elif isinstance(one, WeighedDirection):
            ids = one.one_end, one.other_end
        first, other = ([self._photographs[id_] for id_ in some if id_ in self._photographs][:_EACH] for some in ids)
        return first, other

    def _row(self) -> int:
        return _TALL_ROW if any(self._ends(one)[0] for one in self.weights()) else _ROW

    def _fit(self) -> None:
        rows = max(len(self._more), len(self._less))
        self.setFixedHeight(rows * self._row() + (22 if rows else 0))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Use the width."""
        super().resizeEvent(event)
        self.update()

    def _columns(self) -> list[tuple[QRectF, tuple[Weighed, ...]]]:
        width = (self.width() - _GAP) / 2
        boxes = (QRectF(0, 0, width, self.height()), QRectF(width + _GAP, 0, width, self.height()))
        return list(zip(boxes, (self._more, self._less), strict=True))

    def _at(self, where: QPointF) -> Weighed | None:
        for box, weights in self._columns():
            row = int((where.y() - 22) // self._row())
            if box.left() <= where.x() <= box.right() and 0 <= row < len(weights):
                return weights[row]
        return None

    def event(self, event: QEvent) -> bool:
        """Show the meaning of a bar as a tooltip."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            one = self._at(QPointF(event.pos()))
            if one is not None:
                QToolTip.showText(event.globalPos(), self._spoken(one), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _spoken(self, one: Weighed) -> str:
        words = _(
            "{name}: counts {factor_text} times as much as before",
            name=weighed_title(one),
            factor_text=factor_text(one.factor),
        )
        names = ", ".join(photograph.name for end in self._ends(one) for photograph in end)
        return f"{words}\n{names}" if names else words

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw both columns."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # A bar is full at twice or half the weight, or at what is stronger: small changes are seen to be small.
        strongest = max((abs(math.log(max(one.factor, 1e-3))) for one in self.weights()), default=0.0)
        strongest = max(strongest, math.log(2))
        names = (_("counts more"), _("counts less"))
        for (box, weights), name in zip(self._columns(), names, strict=True):
            if not weights:
                continue
            painter.setFont(small(self.font()))
            painter.setPen(QColor(theme().quiet))
            painter.drawText(QRectF(box.left(), 0, box.width(), 18), Qt.AlignmentFlag.AlignVCenter, name)
            painter.setFont(self.font())
            for row, one in enumerate(weights):
                line = QRectF(box.left(), 22 + row * self._row(), box.width(), self._row())
                self._draw(painter, line, one, abs(math.log(max(one.factor, 1e-3))) / strongest)
        painter.end()

    def _draw(self, painter: QPainter, line: QRectF, one: Weighed, share: float) -> None:
        now, metrics = theme(), QFontMetrics(self.font())
        left = line.left()
        middle = line.center().y()
        ends = self._ends(one)
        if isinstance(one, WeighedColour):
            painter.setPen(QPen(QColor(now.line), 1))
            painter.setBrush(QColor(*one.rgb))
            painter.drawRoundedRect(QRectF(left + 0.5, middle - 9.5, 27, 19), 4, 4)
            left += 36
        elif ends[0]:
            left = self._pictures(painter, line, ends, left)
        right = line.right() - _FACTOR_PX
        if weighed_title(one) and not ends[0]:
            room = min(max(60.0, (right - left) * 0.5), 170.0)
            words = metrics.elidedText(weighed_title(one), Qt.TextElideMode.ElideRight, int(room))
            painter.setPen(QColor(now.ink))
            painter.drawText(QRectF(left, line.top(), room, line.height()), Qt.AlignmentFlag.AlignVCenter, words)
            left += room + 8
        bar = QRectF(left, middle - 3, max(8.0, right - left), 6)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(now.well))
        painter.drawRoundedRect(bar, 3, 3)
        painter.setBrush(QColor(now.accent if one.factor > 1 else now.quiet))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(6.0, bar.width() * share), 6), 3, 3)
        painter.setPen(QColor(now.quiet))
        words = f"× {factor_text(one.factor)}"
        box = QRectF(right, line.top(), _FACTOR_PX, line.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)

    def _pictures(self, painter: QPainter, line: QRectF, ends: Ends, left: float) -> float:
        """Paint photographs of one end, and after an arrow those of the other, in at most half of the row."""
        side = 2 if ends[1] else _EACH
        room = max(1, int(line.width() * 0.55 - (20 if ends[1] else 0)) // (_TILE.width() + 4))
        side = max(1, min(side, room // 2 if ends[1] else room))
        for place, group in enumerate((ends[0][:side], ends[1][:side])):
            if place and group:
                painter.setPen(QColor(theme().quiet))
                box = QRectF(left, line.top(), 20, line.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "↔")
                left += 22
            for photograph in group:
                self._picture(painter, photograph.content_hash, QPointF(left, line.center().y() - _TILE.height() / 2))
                left += _TILE.width() + 4
        return left + 8

    def _picture(self, painter: QPainter, content: bytes, where: QPointF) -> None:
        pixmap = self._thumbnails.pixmap(content, filling(_TILE, self.devicePixelRatioF()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme().well))
        painter.drawRoundedRect(QRectF(where.x(), where.y(), _TILE.width(), _TILE.height()), 4, 4)
        if pixmap is not None:
            painter.drawPixmap(where, pixmap)


class MeaningView(QWidget):
    """The bars under one sentence."""

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self.bars = WeightBars(thumbnails)
        self._sentence = label("", "quiet", wrap=True)
        column_of(section_heading(_("What is weighed")), self._sentence, self.bars, on=self, gap=6, margins=0)
        self.hide()

    def show_meaning(
        self, meaning: MetricMeaning | None, photographs: Mapping[int, Photograph] = MappingProxyType({})
    ) -> None:
        """Show what a metric weighs; nothing without one."""
        self.setVisible(meaning is not None)
        if meaning is not None:
            self._sentence.setText(text(meaning.sentence))
            self.bars.show_weights(meaning.weighed, photographs)

    def sentence(self) -> str:
        """Return the sentence."""
        return self._sentence.text()


def weighed_title(one: Weighed) -> str:
    """Return the name of a weighed group; a colour and a direction have none."""
    if isinstance(one, WeighedPart):
        return text(one.name)
    return _("Centre {number:d}", number=one.number) if isinstance(one, WeighedCentre) else ""


def factor_text(factor: float) -> str:
    """Return a factor as text.

    Examples
    --------
    >>> [factor_text(one) for one in (12.3, 3.84, 1.04, 0.4, 0.031)]
    ['12', '3.84', '1.04', '0.40', '0.03']
    """
    return number(factor, ",.0f" if factor >= 9.995 else ".2f")
