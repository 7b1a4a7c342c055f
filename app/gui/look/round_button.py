"""Round buttons that lie on a photograph, dark in every theme."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from app.gui.look.quiet_button import QuietButton
from app.gui.look.theme import DARK

ROUND_SIDE = 40


class RoundButton(QuietButton):
    """A round button with a sign: ``previous``, ``next`` or ``close``. For the pointer: keys do the same."""

    def __init__(self, sign: str, name: str, key: str, parent: QWidget) -> None:
        super().__init__("", "round", sign, 24, parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedSize(ROUND_SIDE, ROUND_SIDE)
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({key})")
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def sign(self) -> tuple[str, str]:
        """Return the sign, in the accent under the pointer."""
        return super().sign()[0], DARK.accent if self.underMouse() else DARK.ink
