"""The sheet of a sketch, and its tools."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from app.gui.search.colours.canvas import SketchCanvas
from app.gui.search.colours.mix import Colour
from app.gui.search.colours.sketch import Drawing
from app.gui.search.colours.sketch_tools import SketchTool
from app.language.spoken import _

_SIZES = (0.04, 0.1, 0.22)


class SketchPage(QWidget):
    """Paints with a brush of three sizes, erases, undoes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = SketchCanvas()
        self._brush = SketchTool("brush", _("Brush"), "B", self)
        self._eraser = SketchTool("eraser", _("Eraser: erased areas can be anything"), "E", self)
        self._sizes = (
            SketchTool("thin", _("Thin"), "1", self),
            SketchTool("medium", _("Medium"), "2", self),
            SketchTool("thick", _("Thick"), "3", self),
        )
        self._undo = SketchTool("undo", _("Undo"), "Ctrl+Z", self)
        self._redo = SketchTool("redo", _("Redo"), "Ctrl+Shift+Z", self)
        self._clear = SketchTool("clear", _("Clear everything"), "Ctrl+Backspace", self)
        row = QHBoxLayout()
        row.setSpacing(2)
        for group in ((self._brush, self._eraser), self._sizes):
            exclusive = QButtonGroup(self)
            for tool in group:
                tool.setCheckable(True)
                exclusive.addButton(tool)
                row.addWidget(tool)
            row.addSpacing(6)
        row.addStretch()
        for tool in (self._undo, self._redo, self._clear):
            row.addWidget(tool)
        self._brush.setChecked(True)
        self._sizes[1].setChecked(True)
        self._brush.clicked.connect(lambda: self._wipe(False))
        self._eraser.clicked.connect(lambda: self._wipe(True))
        for tool, share in zip(self._sizes, _SIZES, strict=True):
            tool.clicked.connect(lambda __=False, share=share: self._take_size(share))
        self._undo.clicked.connect(self.canvas.undo)
        self._redo.clicked.connect(self.canvas.redo)
        self._clear.clicked.connect(self.canvas.clear)
        self.canvas.changed.connect(self._after)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.canvas)
        column.addLayout(row)
        self._after()

    def show_drawing(self, drawing: Drawing) -> None:
        """Continue a sketch."""
        self.canvas.set_drawing(drawing)
        self._after()

    def dip(self, colour: Colour) -> None:
        """Paint in another colour from now on."""
        self.canvas.colour = colour
        self._brush.setChecked(True)
        self._wipe(False)

    def _wipe(self, erases: bool) -> None:
        self.canvas.erases = erases
        self.canvas.update()

    def _take_size(self, share: float) -> None:
        self.canvas.brush = share
        self.canvas.update()

    def _after(self) -> None:
        drawing = self.canvas.drawing()
        self._undo.setEnabled(drawing.can_undo)
        self._redo.setEnabled(drawing.can_redo)
        self._clear.setEnabled(not self.canvas.is_empty())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Keep the sheet four to three."""
        super().resizeEvent(event)
        self.canvas.setFixedHeight(self.canvas.heightForWidth(self.width()))
