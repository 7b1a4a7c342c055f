"""Photographs dragged out to other programs: their files, and a small stack of them under the pointer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt, QUrl
from PySide6.QtGui import QColor, QDrag, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from app.gui.look.theme import theme
from app.language.spoken import number

_STACK_SIDE = 96


def files_to_drag(paths: Sequence[str]) -> QMimeData:
    """Return the data for another program: the files as addresses, and their paths as text."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path) for path in paths])
    data.setText("\n".join(paths))
    return data


def drag_files(source: QWidget, paths: Sequence[str], pixmap: QPixmap | None) -> None:
    """Drag files out; returns when they are dropped. They are only ever copied or linked."""
    dragged = QDrag(source)
    dragged.setMimeData(files_to_drag(paths))
    dragged.setPixmap(stack_pixmap(pixmap, len(paths), source.devicePixelRatioF()))
    dragged.setHotSpot(QPoint(_STACK_SIDE // 2, _STACK_SIDE // 2))
    dragged.exec(Qt.DropAction.CopyAction | Qt.DropAction.LinkAction, Qt.DropAction.CopyAction)


def stack_pixmap(pixmap: QPixmap | None, count: int, ratio: float) -> QPixmap:
    """Return the picture under the pointer: a photograph, sheets behind it for more, and their number."""
    colours = theme()
    side = _STACK_SIDE + 16
    picture = QPixmap(round(side * ratio), round(side * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    front = QRectF(0, 0, _STACK_SIDE, _STACK_SIDE)
    if pixmap is not None:
        size = pixmap.deviceIndependentSize().scaled(front.size(), Qt.AspectRatioMode.KeepAspectRatio)
        front = QRectF((_STACK_SIDE - size.width()) / 2, (_STACK_SIDE - size.height()) / 2, size.width(), size.height())
    painter.setPen(QColor(colours.line))
    painter.setBrush(QColor(colours.well))
    for sheet in range(min(count, 3) - 1, -1, -1):
        painter.drawRoundedRect(front.translated(4 * sheet + 0.5, 4 * sheet + 0.5), 4, 4)
    if pixmap is not None:
        painter.drawPixmap(front, pixmap, QRectF(pixmap.rect()))
    if count > 1:
        font = painter.font()
        font.setBold(True)
        painter.setFont(font)
        words = number(count)
        width = painter.fontMetrics().horizontalAdvance(words) + 16
        pill = QRectF(side - max(width, 24), 0, max(width, 24), 24)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.accent))
        painter.drawRoundedRect(pill, 12, 12)
        painter.setPen(QColor(colours.paper))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
    painter.end()
    return picture
