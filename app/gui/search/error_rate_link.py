"""The link that shows how many results are certain; a click shows only these, another one all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.gui.look.sentences import Link, small
from app.gui.search.timing_line import HEIGHT
from app.language.spoken import _

if TYPE_CHECKING:
    from app.search.results import ConfidenceThreshold


class ConfidenceLink(Link):
    """Stands after the timing line; hidden where there are too few marks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setCheckable(True)
        self.setFont(small(self.font(), 0.9))
        self.setFixedHeight(HEIGHT)
        self.hide()

    def show_sure(self, sure: ConfidenceThreshold | None, within: int, of: int) -> None:
        """Show how many results are certain, with the meaning in the tooltip."""
        self.setVisible(sure is not None and of > 0)
        if sure is None:
            return
        words = _("{within} of {of} certain", within=within, of=of) if within else _("No confirmed matches")
        meaning = _(
            "{sentence}\nMatches count as certain too. Click to show only certain results, click again to show all.",
            sentence=sure.sentence(),
        )
        self.setText(words)
        self.setEnabled(within > 0)
        self.setAccessibleName(words)
        self.setToolTip(meaning)
