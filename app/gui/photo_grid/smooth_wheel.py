"""A wheel that scrolls smoothly: each notch moves the goal, and the scroll bar glides there."""

from __future__ import annotations

from PySide6.QtCore import QAbstractAnimation, QEasingCurve, QObject, QVariantAnimation
from PySide6.QtWidgets import QScrollBar

_DURATION_MS = 140


class SmoothScroll(QObject):
    """Moves a scroll bar smoothly."""

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__(bar)
        self._bar = bar
        self._goal = 0
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(_DURATION_MS)
        self._animation.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._animation.valueChanged.connect(self._on_value)
        bar.sliderPressed.connect(self.stop)

    def by(self, distance: int) -> None:
        """Scroll on by a distance, px, from the present goal."""
        start = self._bar.value()
        moving = self._animation.state() is QAbstractAnimation.State.Running
        goal = (self._goal if moving else start) + distance
        self._goal = min(max(goal, self._bar.minimum()), self._bar.maximum())
        self._animation.stop()
        self._animation.setStartValue(start)
        self._animation.setEndValue(self._goal)
        self._animation.start()

    def stop(self) -> None:
        """Stop."""
        self._animation.stop()

    def _on_value(self, value: object) -> None:
        if isinstance(value, int):
            self._bar.setValue(value)
