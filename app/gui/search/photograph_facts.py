"""Facts of a photograph as text: date, camera and size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, Qt

from app.language.spoken import _, text
from core.amounts import size

if TYPE_CHECKING:
    from app.library.browsing import Photograph


def fact_lines(photograph: Photograph) -> list[str]:
    """Return the lines with date and camera, and with the size."""
    size = f"{photograph.width} × {photograph.height}" if photograph.width and photograph.height else ""
    lines = (
        " · ".join(part for part in (written_date(photograph.taken), photograph.camera) if part),
        " · ".join(part for part in (size, _bytes(photograph.size), photograph.format) if part),
    )
    return [line for line in lines if line]


def written_date(taken: str | None) -> str:
    """Write a date (ISO) for people; empty if there is none."""
    if not taken:
        return ""
    moment = QDateTime.fromString(taken, Qt.DateFormat.ISODate)
    if not moment.isValid():
        return taken
    return QLocale().toString(moment, _("d MMMM yyyy, HH:mm"))


def _bytes(count: int) -> str:
    return text(size(count)) if count > 0 else ""
