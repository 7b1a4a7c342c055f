"""The slideshow: one photograph after another in the viewer, over the whole screen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer

from twinlens.app.gui.viewer.viewer import Viewer
from twinlens.app.language.texts import _

SECONDS = (1, 2, 3, 5, 8, 12, 20, 30, 60)
"""How long a photograph may stay."""

USUAL = 5


class Slideshow(QObject):
    """A running slideshow in the viewer; it goes on when a photograph was there for some seconds.

    Parameters
    ----------
    step : callable
        Shows the next (1) or previous (-1) photograph.
    seconds : int
        How long each stays, one of `SECONDS`.
    tell : callable
        Is called with other seconds that a person chooses.
    """

    def __init__(
        self, viewer: Viewer, step: Callable[[int], object], seconds: int, tell: Callable[[int], object]
    ) -> None:
        super().__init__(viewer)
        self._viewer, self._step, self._tell = viewer, step, tell
        self._seconds = seconds if seconds in SECONDS else USUAL
        self._paused = self._there = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: self._step(1))
        self._window = viewer.window()
        self._was_whole = self._window.isFullScreen()
        self._window.setWindowState(self._window.windowState() | Qt.WindowState.WindowFullScreen)
        self._show()

    def arrive(self) -> None:
        """Count the seconds, since the picture is there or cannot be shown."""
        self._there = True
        if not self._paused:
            self._timer.start(1000 * self._seconds)

    def await_next(self) -> None:
        """Count no seconds until the next picture is there."""
        self._there = False
        self._timer.stop()

    def pause(self) -> None:
        """Pause, or go on."""
        self._paused = not self._paused
        self._timer.stop()
        if self._there:
            self.arrive()
        self._show()

    def change_seconds(self, by: int) -> None:
        """Let photographs stay longer or shorter."""
        place = SECONDS.index(self._seconds) + by
        self._seconds = SECONDS[min(max(place, 0), len(SECONDS) - 1)]
        self._tell(self._seconds)
        if self._timer.isActive():
            self.arrive()
        self._show()

    def end(self) -> None:
        """End it; the window has its size again."""
        self._timer.stop()
        self._viewer.show_slideshow("")
        if not self._was_whole:
            self._window.setWindowState(self._window.windowState() & ~Qt.WindowState.WindowFullScreen)
        self.deleteLater()

    def _show(self) -> None:
        hint = _("Space pauses   ·   Up and Down: longer, shorter   ·   Esc ends")
        if self._paused:
            hint = _("Space goes on   ·   Up and Down: longer, shorter   ·   Esc ends")
        self._viewer.show_slideshow(_("{seconds} s   ·   {hint}", seconds=self._seconds, hint=hint), self._paused)
