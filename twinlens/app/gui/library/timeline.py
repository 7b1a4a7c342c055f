"""The timeline is the scroll bar of photographs in the order of their dates: years and months, by which one jumps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLocale, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QFontMetrics, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar

from twinlens.app.gui.look.labels import strong
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.photo_grid.grid_layout import GridLayout
from twinlens.app.language.texts import _

_TICK = 6
_SPACE = 10


class TimelineLabel(NamedTuple):
    """A year or a month that is written beside its section.

    Attributes
    ----------
    y : int
        Of its upper end, px.
    section : int
        Of the grid.
    words : str
        "2023", "May".
    is_year : bool
        Whether it is a year.
    """

    y: int
    section: int
    words: str
    is_year: bool


class Timeline(QScrollBar):
    """The scroll bar of a grid, with years and months where its sections are dates, else a plain one.

    A press goes to the place under the pointer, on a label to its heading.

    Attributes
    ----------
    pointed : Signal(object)
        The height in the content under the pointer, px; None when it leaves.
    """

    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._dates: tuple[str, ...] = ()
        self._layout: GridLayout | None = None
        self.setMouseTracking(True)
        self.setAccessibleName(_("Timeline"))

    def show_dates(self, dates: Sequence[str], layout: GridLayout) -> None:
        """Show the dates of the sections, such as "2023-05", "2023" and "" for none; no dates make it plain.

        Parameters
        ----------
        layout : GridLayout
            That of the grid now.
        """
        self._layout = layout
        before, self._dates = self.is_plain(), tuple(dates)
        self.setToolTip("" if self.is_plain() else _("Years and months: click to go there (Alt+Up, Alt+Down)"))
        if self.is_plain() != before:
            self.updateGeometry()
        self.update()

    def follow(self, layout: GridLayout) -> None:
        """Follow another layout of the same sections."""
        self._layout = layout
        self.update()

    def is_plain(self) -> bool:
        """Return whether it is a scroll bar and no more: no dates, or a single one, leave nothing to jump to."""
        return len(set(filter(None, self._dates))) < 2

    def labels(self) -> list[TimelineLabel]:
        """Return the labels that have room, from the top: every year before any month."""
        height = QFontMetrics(self._small()).height()
        shown: list[TimelineLabel] = []
        for years in (True, False):
            for label in self._candidates(years):
                if all(abs(label.y - other.y) >= height for other in shown) and label.y + height <= self.height():
                    shown.append(label)
        return sorted(shown)

    def _candidates(self, years: bool) -> Iterator[TimelineLabel]:
        year = ""
        for section, date in enumerate(self._dates):
            if date and years and date[:4] != year:
                year = date[:4]
                yield TimelineLabel(self._y(section), section, year, is_year=True)
            elif date[5:7] and not years:
                month = QLocale().standaloneMonthName(int(date[5:7]), QLocale.FormatType.ShortFormat)
                yield TimelineLabel(self._y(section), section, month, is_year=False)

    def _y(self, section: int) -> int:
        layout = self._layout
        return 0 if layout is None else round(int(layout.tops[section]) * self._share())

    def _share(self) -> float:
        """Return the pixels of the bar for a pixel of the content: 1 where all of it is seen."""
        height = max(self.height(), 1)
        return height / max(height, 1 if self._layout is None else self._layout.height)

    def _content_y(self, y: float) -> int:
        """Return the height in the content at a height of the bar."""
        layout = self._layout
        assert layout is not None
        height = QFontMetrics(self._small()).height()
        for label in self.labels():
            if label.y <= y < label.y + height:
                return int(layout.tops[label.section])
        return round(min(max(y / self._share(), 0.0), layout.height))

    def _small(self) -> QFont:
        font = self.font()
        font.setPixelSize(max(10, round(QFontMetrics(font).height() * 0.7)))
        return font

    # ---- Qt's names, all below --------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the width of the widest label."""
        if self.is_plain():
            return super().sizeHint()
        locale, metrics = QLocale(), QFontMetrics(strong(self._small()))
        months = (locale.standaloneMonthName(month, QLocale.FormatType.ShortFormat) for month in range(1, 13))
        return QSize(max(map(metrics.horizontalAdvance, ("0000", *months))) + _TICK + 2 * _SPACE, 40)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the same."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Paint the part that is seen, a tick for each section, and the labels."""
        layout = self._layout
        if self.is_plain() or layout is None:
            super().paintEvent(event)
            return
        colours, small = theme(), self._small()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(colours.ground))
        if self.maximum():
            self._paint_seen(painter, self._share())
        labels, height = {label.section: label for label in self.labels()}, QFontMetrics(strong(small)).height()
        written = [range(label.y, label.y + height + 2) for label in labels.values()]
        right = self.width() - _SPACE
        for section in range(len(self._dates)):
            label, y = labels.get(section), self._y(section)
            if label is None and any(y in rows for rows in written):
                continue
            if label is None:
                painter.fillRect(QRectF(right - _TICK / 2, y, _TICK / 2, 1), QColor(colours.quiet))
                continue
            font = strong(small) if label.is_year else small
            painter.setFont(font)
            painter.setPen(QColor(colours.ink if label.is_year else colours.quiet))
            at = QRect(_SPACE, y + 2, right - _SPACE, QFontMetrics(font).height())
            painter.drawText(at, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, label.words)
        painter.end()

    def _paint_seen(self, painter: QPainter, share: float) -> None:
        """Paint the part of the content that is seen."""
        colours = theme()
        seen = QRectF(2, self.value() * share, self.width() - 4, max(4.0, self.pageStep() * share))
        seen.moveBottom(min(seen.bottom(), float(self.height())))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.line))
        painter.drawRoundedRect(seen, 4, 4)
        painter.setBrush(QColor(colours.accent))
        painter.drawRect(QRectF(2, seen.top(), self.width() - 4, 2))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Go to the place under the pointer."""
        if self.is_plain() or event.button() is not Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
        else:
            self.setSliderDown(True)
            self._go(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """Show the place under the pointer, and go there while the button is held."""
        if self.is_plain():
            super().mouseMoveEvent(event)
        elif self.isSliderDown():
            self._go(event.position())
        else:
            self.pointed.emit(self._content_y(event.position().y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802
        """End the drag."""
        super().mouseReleaseEvent(event)
        self.setSliderDown(False)
        if not self.rect().contains(event.position().toPoint()):
            self.pointed.emit(None)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802
        """Point at nothing."""
        super().leaveEvent(event)
        if not self.isSliderDown():
            self.pointed.emit(None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802
        """Show no menu: its steps and pages mean nothing here."""
        event.accept()

    def _go(self, point: QPointF) -> None:
        y = self._content_y(point.y())
        self.pointed.emit(y)
        self.setValue(y)
