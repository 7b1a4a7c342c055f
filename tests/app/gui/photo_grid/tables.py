"""Rows for tests of the grid: as many as wanted, without a library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from twinlens.app.gui.photo_grid import Caption


@dataclass(frozen=True)
class Month:
    heading: str
    start: int
    count: int

    @property
    def photographs(self) -> int:
        return self.count


class Table:
    """Photographs with the given ids; each its own hash, made from its id."""

    def __init__(self, ids: Sequence[int], months: Sequence[int] = (), caption: Caption | None = None) -> None:
        self.ids = np.array(ids, np.int64)
        self.count = len(ids)
        self.hashes = np.zeros((self.count, 32), np.uint8)
        self.hashes[:, :8] = self.ids.astype("<i8")[:, None].view(np.uint8)
        self.away = np.zeros(self.count, np.bool_)
        starts = np.cumsum([0, *months])
        self.shelves = tuple(Month(f"Month {i}", int(starts[i]), count) for i, count in enumerate(months))
        self._caption = caption

    def caption(self, row: int) -> Caption | None:
        return self._caption

    def spoken(self, row: int) -> str:
        return f"Photo {self.ids[row]}"


def key(photograph_id: int) -> bytes:
    return photograph_id.to_bytes(8, "little") + bytes(24)


def jpeg(colour: str = "#d04020", width: int = 64, height: int = 48) -> bytes:
    file = BytesIO()
    Image.new("RGB", (width, height), colour).save(file, "JPEG")
    return file.getvalue()


def is_like(colour: QColor, wished: str) -> bool:
    """Return whether a painted colour is a wished one, give or take what JPEG does to it."""
    other = QColor(wished)
    pairs = ((colour.red(), other.red()), (colour.green(), other.green()), (colour.blue(), other.blue()))
    return all(abs(a - b) < 12 for a, b in pairs)


CONTROL, SHIFT, PLAIN = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)
