"""Conversion of pictures between arrays, files and Qt."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage


def image_of(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> QImage:
    """Return an image of pixels, (h, w, 3)."""
    height, width = pixels.shape[:2]
    plain = np.ascontiguousarray(pixels)
    return QImage(plain.data, width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def png_of(image: Any) -> bytes:
    """Return an image, such as one from the clipboard, as PNG."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImage(image).save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def rgb_of(image: QImage) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the pixels of an image, (h, w, 3)."""
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    rows = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : 3 * plain.width()].reshape(plain.height(), plain.width(), 3).copy()
