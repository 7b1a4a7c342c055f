"""A thin line that says how far work is."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

from app.language.spoken import _

_STEPS = 1000


class ThinBar(QProgressBar):
    """Shows a share from 0 to 1; below 0 nothing runs, and only its room is there, so that nothing jumps."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "thin")
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setAccessibleName(_("Progress"))
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.show_share(-1)

    def show_share(self, share: float) -> None:
        """Show it."""
        self.setValue(round(_STEPS * share))
        self.setVisible(share >= 0)
