"""The answer, and what one must know to understand it: the first thing that is read on the page."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout

from app.gui.look.page_parts import label, set_role, surface


class FindingBox(QFrame):
    """A card with a line of the accent at its left."""

    def __init__(self) -> None:
        super().__init__()
        surface(self, "answer")
        self.answer, self.more, self.background = (label(wrap=True) for __ in range(3))
        set_role(self.background, "quiet")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 14, 20, 14)
        column.setSpacing(6)
        for one, pixels in ((self.answer, 15), (self.more, 13), (self.background, 12)):
            one.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            font = one.font()
            font.setPixelSize(pixels)
            one.setFont(font)
            column.addWidget(one)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    @property
    def words(self) -> str:
        """The whole answer."""
        return " ".join(filter(None, [self.answer.text(), self.more.text()]))

    def say(self, answer: str, background: str, quiet: bool = False) -> None:
        """Show an answer, quietly what is no answer yet."""
        first, _, rest = answer.partition(". ")
        self.answer.setText(f"{first}." if rest else answer)
        self.more.setText(rest)
        self.more.setVisible(bool(rest))
        self.background.setText(background)
        for one in (self.answer, self.more):
            set_role(one, "quiet" if quiet else "")
