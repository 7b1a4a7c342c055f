"""The photograph that is meant, rather large, with its facts: always at the same place, which is kept for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.gui.look.framed_picture import FramedPicture
from app.gui.look.sentences import small, strong
from app.gui.pictures.photograph_facts import fact_lines
from app.language.spoken import _

if TYPE_CHECKING:
    from app.library.browsing import Photograph

_LEAST_PX, _MOST_PX = 90, 260


class PhotographCard(QWidget):
    """Shows one photograph, or nothing in its place."""

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
        self._facts.setFixedHeight(4 * self._facts.fontMetrics().lineSpacing() + 4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._picture, 100)
        column.addSpacing(4)
        column.addWidget(self._name)
        column.addWidget(self._facts)
        column.addStretch(1)

    def show_image(self, image: QImage | None) -> None:
        """Show a picture; None for none."""
        self._picture.show_picture(image)

    def show_photograph(self, photograph: Photograph | None, beside: str = "") -> None:
        """Show what is known of it, and what the colours say."""
        if photograph is None:
            self._name.setText("")
            self._facts.setText("")
            return
        width = self.width()
        elided = self._name.fontMetrics().elidedText(photograph.name, Qt.TextElideMode.ElideMiddle, width)
        self._name.setText(elided)
        self._name.setToolTip(photograph.path)
        self._facts.setText("\n".join([*fact_lines(photograph), *([beside] if beside else [])]))
        self.setAccessibleDescription(f"{photograph.name} {self._facts.text()}")
