"""Animation: the view glides, points travel to a new layout, pictures unfold.

All come nearer by the same share in equal times, so that a new goal on the way changes the course and never jumps.
"""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.gui.map.camera import Camera, between, close_to
from core.arrays import Float32Vectors

_GLIDE_S = 0.055
_TRAVEL_S = 0.16
_FOLD_S = 0.07
_TICK_MS = 16
_STEP_S = 0.05  # after a pause no more than that is caught up with
_ARRIVED = 2e-4  # of the map
_FOLDED = 0.02
_THROW_S = 0.16  # how long a thrown sheet goes on at its speed, were there no friction


class Motion(QObject):
    """The view and the points as they are seen now, on their way to where they are wished.

    Attributes
    ----------
    moved : Signal()
        Something is elsewhere than before: it is to be painted.
    rested : Signal()
        All has arrived.

    While points travel, pictures are folded into them: among so many on their way nobody could tell them apart.
    """

    moved = Signal()
    rested = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.camera = Camera.fitting(1, 1)
        self.xy: Float32Vectors = np.empty((0, 2), np.float32)
        self._goal = self.camera
        self.fold = 1.0
        self.unsettled = False  # more layouts are to come: pictures stay folded
        self._layout = self.xy
        self._last = 0.0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self.step)

    @property
    def goal(self) -> Camera:
        """The target of the motion."""
        return self._goal

    @property
    def travels(self) -> bool:
        """Whether points are on their way."""
        return self.xy is not self._layout

    @property
    def moves(self) -> bool:
        """Whether anything is on its way."""
        return self._timer.isActive()

    def look(self, camera: Camera) -> None:
        """Look from somewhere at once."""
        self.camera = self._goal = camera
        self.moved.emit()

    def glide(self, camera: Camera) -> None:
        """Glide somewhere."""
        self._goal = camera
        self._go()

    def throw(self, across_px_s: float, down_px_s: float, most: float) -> None:
        """Let the sheet glide on after a hand that was moving let it go."""
        self.glide(self.camera.panned(across_px_s * _THROW_S, down_px_s * _THROW_S).kept_within(most))

    def place(self, xy: Float32Vectors) -> None:
        """Put points somewhere at once."""
        self.xy = self._layout = xy
        self.moved.emit()

    def travel(self, xy: Float32Vectors) -> None:
        """Send points to other places: as many as there are."""
        assert xy.shape == self.xy.shape
        if not self.travels:
            self.xy = self.xy.copy()
        self._layout = xy
        self._go()

    def finish(self) -> None:
        """Be everywhere at once."""
        self.xy, self.camera, self.fold = self._layout, self._goal, 1.0
        self._on_rest()

    def _go(self) -> None:
        if not self._timer.isActive():
            self._last = perf_counter() - _TICK_MS / 1000
            self._timer.start()

    def step(self) -> None:
        """Come nearer by as much as the time since the last step; done by itself while anything is on its way."""
        now = perf_counter()
        passed, self._last = min(now - self._last, _STEP_S), now
        if close_to(self.camera, self._goal):
            self.camera = self._goal
        else:
            self.camera = between(self.camera, self._goal, 1 - math.exp(-passed / _GLIDE_S))
        if self.travels:
            way = self._layout - self.xy
            if float(np.abs(way).max(initial=0.0)) < _ARRIVED:
                self.xy = self._layout
            else:
                self.xy += way * np.float32(1 - math.exp(-passed / _TRAVEL_S))
        wish = 0.0 if self.travels or self.unsettled else 1.0
        self.fold += (wish - self.fold) * (1 - math.exp(-passed / _FOLD_S))
        if abs(self.fold - wish) < _FOLDED:
            self.fold = wish
        if self.camera is self._goal and not self.travels and self.fold == wish:
            self._on_rest()
        else:
            self.moved.emit()

    def _on_rest(self) -> None:
        self._timer.stop()
        self.moved.emit()
        self.rested.emit()
