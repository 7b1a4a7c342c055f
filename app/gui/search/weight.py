"""The weight of an example, for or against."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import (
    QHideEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSlider, QVBoxLayout, QWidget

from app.gui.look.page_parts import surface
from app.gui.look.pills import Pill
from app.gui.look.sentences import Sentence
from app.gui.search.example import ShownExample
from app.language.spoken import _

_MOST = 3.0  # the greatest weight
_SOON_MS = 120


class WeightPopup(QFrame):
    """Form of the weight of an example, for or against.

    Signals
    -------
    weight_changed(float)
        Soon after the last movement.
    crop_wanted()
    colours_wanted(), words_wanted()
        The palette or the sketch is to be changed; the words are.
    """

    weight_changed = Signal(float)
    crop_wanted = Signal()
    colours_wanted = Signal()
    words_wanted = Signal()

    def __init__(self, example: ShownExample, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it opens nothing
        self.setAccessibleName(_("Weight of {name}", name=example.name))
        self.setFixedWidth(264)
        self._words = Sentence()
        self._like = Pill(_("like"), _("Results should resemble it"))
        self._unlike = Pill(_("not like"), _("Results should not resemble it"))
        if example.words:
            other, wanted = Pill(_("✎ change"), _("Change these words"), invites=True), self.words_wanted
        elif example.colours:
            other, wanted = Pill(_("◐ change"), _("Change these colours"), invites=True), self.colours_wanted
        else:
            other = Pill(_("◩ crop"), _("Search with a part of the picture"), invites=True)
            wanted = self.crop_wanted
        for pill, chosen in ((self._like, example.weight >= 0), (self._unlike, example.weight < 0)):
            pill.setCheckable(True)
            pill.setAutoExclusive(True)
            pill.setChecked(chosen)
            pill.clicked.connect(self._on_changed)
        other.clicked.connect(lambda: self._go_on(wanted))
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(1, round(_MOST * 10))
        self._slider.setPageStep(5)
        self._slider.setValue(round(abs(example.weight) * 10))
        self._slider.setAccessibleName(_("Weight"))
        self._slider.valueChanged.connect(self._on_changed)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(lambda: self.weight_changed.emit(self.weight()))
        row = QHBoxLayout()
        row.setSpacing(8)
        for pill in (self._like, self._unlike, other):
            row.addWidget(pill)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self._slider)
        column.addWidget(self._words)
        self._say()

    def weight(self) -> float:
        """Return the weight."""
        return self._slider.value() / 10 * (1 if self._like.isChecked() else -1)

    def open_at(self, place: QPoint) -> None:
        """Open under a chip."""
        self.move(place)
        self.show()
        self._slider.setFocus()

    def _on_changed(self) -> None:
        self._say()
        self._soon.start()

    def _go_on(self, wanted: SignalInstance) -> None:
        self.close()
        wanted.emit()

    def _say(self) -> None:
        weight = abs(self.weight())
        if self.weight() >= 0:
            self._words.say(_("Counts **{weight:.1f} ×** for the results", weight=weight))
        else:
            self._words.say(_("Counts **{weight:.1f} ×** against the results", weight=weight))

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 (Qt's name)
        """Emit the last movement, if it was not emitted yet."""
        if self._soon.isActive():
            self._soon.stop()
            self.weight_changed.emit(self.weight())
        super().hideEvent(event)
