"""Thumbnails that Qt made."""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice
from PySide6.QtGui import QColor, QImage, QImageWriter


def image(width: int = 64, height: int = 48, colour: str = "#808080") -> QImage:
    made = QImage(width, height, QImage.Format.Format_RGB32)
    made.fill(QColor(colour))
    return made


def jpeg(width: int = 64, height: int = 48, colour: str = "#808080") -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, QByteArray(b"jpeg")).write(image(width, height, colour))
    return bytes(buffer.data().data())
