"""A thin line that says how far work is."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

from app.language.spoken import _

_STEPS = 1000


class ThinBar(QProgressBar):
    """Shows a share from 0 to 1; below 0 nothing runs, and only its room is there, so that nothing jumps.

    Parameters
    ----------
    name : str
        For those who listen.
    keeps_room : bool
        Whether its room is there while nothing runs.
    """

    def __init__(self, name: str = "", keeps_room: bool = True) -> None:
        super().__init__()
        self.setProperty("role", "thin")
        self.setRange(0, _STEPS)
        self.setTextVisible(False)
        self.setAccessibleName(name or _("Progress"))
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(keeps_room)
        self.setSizePolicy(policy)
        self.show_share(-1)

    def show_share(self, share: float) -> None:
        """Show it."""
        self.setValue(round(_STEPS * share))
        self.setVisible(share >= 0)
