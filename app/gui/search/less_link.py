"""The link below the results that shows those that are less similar, and hides them again."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.gui.look.sentences import Link, small
from app.language.spoken import _, _n


class LessLink(Link):
    """Hidden where nothing is folded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setCheckable(True)
        self.setFont(small(self.font(), 0.9))
        self.hide()

    def show_less(self, count: int) -> None:
        """Say how many results are less similar than those above."""
        words = _n("Show {count} less similar photo", "Show {count} less similar photos", count, count=count)
        self.setText(_("Hide what is less similar") if self.isChecked() else words)
        self.setAccessibleName(self.text())
        self.setVisible(count > 0)
