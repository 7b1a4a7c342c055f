"""The facts of a photograph: name, date, camera, size and folder."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.gui.look.sentences import Heading, Sentence
from app.language.texts import _, text
from app.machine.app_folders import home_relative
from core.message import size

if TYPE_CHECKING:
    from app.library.browsing import Photograph


class PhotographFacts(QWidget):
    """The facts of one photograph under a heading; hidden without a photograph."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = [Sentence() for __ in range(4)]
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(Heading(_("Photo")))
        for line in self._lines:
            column.addWidget(line)
        self.show_photograph(None)

    def show_photograph(self, photograph: Photograph | None) -> None:
        """Show the facts of a photograph."""
        words = (
            [] if photograph is None else [photograph.name, *fact_lines(photograph), home_relative(photograph.folder)]
        )
        self.setVisible(bool(words))
        for number, line in enumerate(self._lines):
            line.setVisible(number < len(words))
            line.tell(words[number] if number < len(words) else "", loud=number == 0)


def fact_lines(photograph: Photograph) -> list[str]:
    """Return the lines with date and camera, and with the size."""
    size = f"{photograph.width} × {photograph.height}" if photograph.width and photograph.height else ""
    lines = (
        " · ".join(part for part in (written_date(photograph.taken), photograph.camera) if part),
        " · ".join(part for part in (size, _bytes(photograph.size), photograph.format) if part),
    )
    return [line for line in lines if line]


def _bytes(count: int) -> str:
    return text(size(count)) if count > 0 else ""


def written_date(taken: str | None) -> str:
    """Return a date (ISO) in the person's format; empty if there is none."""
    if not taken:
        return ""
    try:
        return _("{moment}", moment=datetime.fromisoformat(taken))
    except ValueError:
        return taken
