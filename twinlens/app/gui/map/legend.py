"""Legend of the map, which highlights groups and shows them alone, and the card of the current photograph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QImage,
    QPainter,
    QPixmap,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from twinlens.app.gui.look.buttons import QuietButton
from twinlens.app.gui.look.labels import ElidedLine, small, strong
from twinlens.app.gui.look.page_parts import STRETCH, column_of, label, row_of, surface
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.map.colouring import Colouring, PointGroup, group_colour
from twinlens.app.gui.map.dots import shape_path
from twinlens.app.gui.pictures.photograph import FramedPicture, fact_lines
from twinlens.app.language.texts import _
from twinlens.app.language.texts import number as written

if TYPE_CHECKING:
    from twinlens.app.library.browsing.photographs import Photograph


_ROW_PX, _PICTURED_PX = 26, 32
_MOST_ROWS = 8
PICTURE = QSize(34, 26)
_BESIDE = 8
_MARK_PX = 14


class Legend(QWidget):
    """Legend of the groups of a colouring.

    Signals
    -------
    lit(object)
        The number of a group that is to stand out, or None.
    only(list)
        Numbers of the groups that are to be seen alone; none for all.
    """

    lit = Signal(object)
    only = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("What the colours mean"))
        self._rows: list[LegendRow] = []
        self._column = column_of(on=self, gap=0, margins=0)
        self.setFixedHeight(_PICTURED_PX * _MOST_ROWS)
        self._column.addStretch(1)

    def show_colours(self, coloured: Colouring | None) -> None:
        """Show groups, with room for the largest number of them."""
        for row in self._rows:
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = []
        for number, group in enumerate(coloured.groups if coloured is not None else ()):
            assert coloured is not None
            row = LegendRow(group, coloured)
            row.clicked.connect(lambda checked, number=number: self._on_clicked(number, checked))
            row.meant.connect(lambda meant, number=number: self.lit.emit(number if meant else None))
            self._column.insertWidget(number, row)
            self._rows.append(row)
        for before, after in zip(self._rows, self._rows[1:], strict=False):
            self.setTabOrder(before, after)

    def lacking(self) -> list[int]:
        """Return the photographs whose pictures are still missing."""
        return [row.typical for row in self._rows if row.lacks_picture()]

    def show_picture(self, photograph: int, picture: QPixmap) -> None:
        """Show the picture of a typical photograph."""
        for row in self._rows:
            if row.typical == photograph:
                row.show_picture(picture)

    def shown_alone(self) -> list[int]:
        """Return the groups that are shown alone."""
        return [number for number, row in enumerate(self._rows) if row.isChecked()]

    def clear(self) -> None:
        """Show all groups again."""
        if self.shown_alone():
            for row in self._rows:
                row.setChecked(False)
            self._tell()

    def _on_clicked(self, number: int, checked: bool) -> None:
        from PySide6.QtWidgets import QApplication

        if not QApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier:
            for other, row in enumerate(self._rows):
                row.setChecked(other == number and checked)
        if all(row.isChecked() for row in self._rows):
            for row in self._rows:
                row.setChecked(False)
        self._tell()

    def _tell(self) -> None:
        alone = self.shown_alone()
        for number, row in enumerate(self._rows):
            row.set_faint(bool(alone) and number not in alone)
        self.only.emit(alone)


class LegendRow(QuietButton):
    """Row of a group: its mark, its name, its size."""

    meant = Signal(bool)
    """The pointer or the keys are on it, or no longer."""

    def __init__(self, group: PointGroup, coloured: Colouring) -> None:
        super().__init__(group.name, "legend")
        self._group, self._coloured = group, coloured
        self.setCheckable(True)
        self._picture: QPixmap | None = None
        self.setFixedHeight(_PICTURED_PX if group.typical >= 0 else _ROW_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._mark, self._shown, self._name, count = QLabel(), QLabel(), ElidedLine(), label(role="quiet")
        self._name.setText(group.name)
        count.setText(written(group.count))
        count.setFont(small(count.font(), 0.9))
        self._shown.setFixedSize(PICTURE)
        surface(self._shown, "well")
        self._shown.setVisible(group.typical >= 0)
        inner = row_of(on=self, gap=_BESIDE, margins=(8, 0, 8, 0))
        self._parts = (self._mark, self._shown, self._name, count)
        for part in self._parts:
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inner.addWidget(part)
        inner.setStretch(2, 1)
        self._draw()
        self.setAccessibleName(_("{name}: {value} photos", name=group.name, value=group.count))
        self.setToolTip(
            _(
                "{accessiblename}. Click shows these alone; with Ctrl, these too; again, all.",
                accessiblename=self.accessibleName(),
            )
        )

    @property
    def typical(self) -> int:
        """The typical photograph of the group, or -1."""
        return self._group.typical

    def lacks_picture(self) -> bool:
        """Return whether its picture is missing."""
        return self.typical >= 0 and self._picture is None

    def show_picture(self, picture: QPixmap) -> None:
        """Show the picture of a typical photograph in its reserved place."""
        self._picture = picture
        self._shown.setPixmap(picture)

    def set_faint(self, faint: bool) -> None:
        """Set whether its points are hidden."""
        for part in self._parts:
            part.setEnabled(not faint)

    def _draw(self) -> None:
        """Draw the mark in its shape."""
        ratio = self.devicePixelRatioF()
        made = QPixmap(QSize(_MARK_PX, _MARK_PX) * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = QColor(group_colour(self._group, self._coloured, theme()))
        painter.fillPath(shape_path(self._group.shape, QPointF(_MARK_PX / 2, _MARK_PX / 2), 5.5), ink)
        painter.end()
        self._mark.setPixmap(made)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Apply the current colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_mark"):
            self._draw()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the size of one line."""
        return QSize(180, self.maximumHeight())

    def enterEvent(self, event: QEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Highlight its points."""
        super().enterEvent(event)
        self.meant.emit(True)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """End the highlight."""
        super().leaveEvent(event)
        self.meant.emit(False)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """Highlight its points."""
        super().focusInEvent(event)
        self.meant.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 (Qt's name)
        """End the highlight."""
        super().focusOutEvent(event)
        self.meant.emit(False)


_LEAST_PX, _MOST_PX = 90, 260


class PhotographCard(QWidget):
    """Card of one photograph, or of none."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("The photo under the pointer"))
        self._picture = FramedPicture(_("Point at a photo"), framed=False)
        self._picture.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._picture.setMinimumHeight(_LEAST_PX)
        self._picture.setMaximumHeight(_MOST_PX)
        self._name, self._facts = QLabel(), QLabel()
        self._name.setFont(strong(self._name.font()))
        self._facts.setFont(small(self._facts.font(), 0.92))
        self._facts.setObjectName("quiet")
        for one in (self._name, self._facts):
            one.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._facts.setWordWrap(True)
        self._facts.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._facts.setFixedHeight(5 * self._facts.fontMetrics().lineSpacing() + 4)
        column_of((self._picture, 100), 4, self._name, self._facts, (STRETCH, 1), on=self, gap=4, margins=0)

    def show_image(self, image: QImage | None) -> None:
        """Show a picture; None for none."""
        self._picture.show_picture(image)

    def show_photograph(self, photograph: Photograph | None, beside: str = "") -> None:
        """Show the facts of a photograph, and its group."""
        if photograph is None:
            self._name.setText("")
            self._facts.setText("")
            return
        width = self.width()
        elided = self._name.fontMetrics().elidedText(photograph.name, Qt.TextElideMode.ElideMiddle, width)
        self._name.setText(elided)
        self._name.setToolTip(photograph.path)
        self._facts.setText("\n".join([*fact_lines(photograph, briefly=True), *([beside] if beside else [])]))
        self.setAccessibleDescription(f"{photograph.name} {self._facts.text()}")
