"""One example of a query, as it is shown: its picture, its chip, the form of its weight, and the choice of a part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, QPoint, QSize, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import (
    QHideEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QSlider, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import search_actions
from twinlens.app.gui.look.buttons import PILL_HEIGHT, PILL_PADDING, Pill, QuietButton
from twinlens.app.gui.look.labels import Sentence
from twinlens.app.gui.look.page_parts import STRETCH, column_of, row_of, set_look, surface
from twinlens.app.gui.look.theme import theme
from twinlens.app.gui.pictures.photograph import FramedPicture, image_of
from twinlens.app.gui.process.jobs import Jobs
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.gui.viewer.crop import WHOLE_PICTURE, CropOverlay
from twinlens.app.language.texts import _, number
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.viewer.crop import Region
    from twinlens.app.search.search_query import Example

_WIDEST = 200
_READABLE = 60  # px: less has no room for beginning and end of a name
_CROSS = 30  # width of its place


@dataclass(frozen=True)
class ShownExample:
    """An example as it is shown.

    Attributes
    ----------
    jpeg : bytes
        A thumbnail; empty while it is not known.
    weight : float
        Negative: the results should not be like it.
    cropped : bool
        Only a part of the picture is meant.
    colours : bool
        It is a palette or a sketch, of which no part can be meant.
    words : bool
        It is words, which have no parts either.
    """

    name: str
    jpeg: bytes
    weight: float = 1.0
    cropped: bool = False
    colours: bool = False
    words: bool = False

    @property
    def is_picture(self) -> bool:
        """Whether a part of it can be meant."""
        return not self.colours and not self.words


class ExamplePicture(FramedPicture):
    """The picture of an example, in a frame: orange where results should not be like it."""

    def __init__(self, example: ShownExample, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self.set_example(example)

    def set_example(self, example: ShownExample) -> None:
        """Show an example."""
        self._example = example
        pixmap = QPixmap()
        if example.jpeg:
            pixmap.loadFromData(example.jpeg)
        name = example.name
        self.setAccessibleName(_("Like {name}", name=name) if example.weight >= 0 else _("Not like {name}", name=name))
        self.setToolTip(example.name)
        self.show_picture(pixmap)

    def frame_colour(self) -> str:
        """Return the accent, or orange for "not like"."""
        return theme().accent if self._example.weight >= 0 else theme().warn


class ExampleChip(QuietButton):
    """Name and weight of an example, which a click changes, and a cross that removes it.

    Signals
    -------
    removed()
    """

    removed = Signal()

    def __init__(self, example: ShownExample, parent: QWidget) -> None:
        super().__init__(role="chip", parent=parent)
        self._cross = QuietButton("", "cross", "close", 14, self)
        self._cross.clicked.connect(self.removed)
        attach(self, search_actions(), {"remove example": self.removed.emit})
        self.set_example(example)

    def set_example(self, example: ShownExample) -> None:
        """Show an example."""
        self._example = example
        self.setText(example_text(example))
        self.setAccessibleName(_("{name}: change its weight", name=example_text(example)))
        self.setToolTip(
            _(
                "{name}\nWeight {weight:+.1f}. Click to change it, Del to remove it.",
                name=example.name,
                weight=example.weight,
            )
        )
        self._cross.setAccessibleName(_("Remove {name} from the search", name=example.name))
        self._cross.setToolTip(search_actions()["remove example"].tip())
        set_look(self, "against", example.weight < 0)

    def stops(self) -> list[QWidget]:
        """Return where Tab stops."""
        return [self, self._cross]

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """As wide as the name, within bounds."""
        width = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(min(_WIDEST, PILL_PADDING + width + 2 + _CROSS), PILL_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Cross at the right."""
        super().resizeEvent(event)
        self._cross.setGeometry(self.width() - _CROSS, 0, _CROSS, self.height())

    def fitting(self, room: int) -> str:
        """Return the text that fits: first the name is shortened, then sign and weight stand alone."""
        metrics = self.fontMetrics()
        lead, name, tail = example_parts(self._example)
        left = room - metrics.horizontalAdvance(lead + tail)
        how = Qt.TextElideMode.ElideMiddle if left > _READABLE else Qt.TextElideMode.ElideRight
        short = metrics.elidedText(name, how, left)
        offered = (f"{lead}{short}{tail}" if len(short) > 1 else "", f"{lead}{tail}", tail, lead)
        return next((words.strip() for words in offered if 0 < metrics.horizontalAdvance(words.strip()) <= room), "")


def example_text(example: ShownExample) -> str:
    """Return the text of an example: crop, sign, name, and weight if it is not 1."""
    return "".join(example_parts(example))


def example_parts(example: ShownExample) -> tuple[str, str, str]:
    """Return the signs before the name, the name, and the weight after it."""
    lead = "◩ " * example.cropped + "− " * (example.weight < 0)
    weight = abs(example.weight)
    return lead, example.name, f" ×{number(weight, '.1f')}" if abs(weight - 1) > 0.04 else ""


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
        row = row_of(self._like, self._unlike, other, STRETCH, gap=8)
        column_of(row, self._slider, self._words, on=self, gap=8, margins=16)
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


class ExampleCropping(QObject):
    """Decodes an example, and lets a part of it be chosen over the view.

    Signals
    -------
    chosen : int, object
        Place of the example, and the region; None for the whole picture.
    """

    chosen = Signal(int, object)

    def __init__(self, view: QWidget, opened: OpenLibrary, jobs: Jobs) -> None:
        super().__init__(view)
        self._opened, self._decoding = opened, jobs.latest()
        self._place = 0
        self._view = view
        self._overlay: CropOverlay | None = None

    def begin(self, place: int, example: Example) -> None:
        """Let a part of the example at a place be chosen."""
        opened = self._opened

        def work(__: Progress) -> np.ndarray[Any, np.dtype[np.uint8]]:
            from twinlens.app.library.pictures import picture_to_crop

            return picture_to_crop(opened.library, example.picture)

        def then(pixels: np.ndarray[Any, np.dtype[np.uint8]]) -> None:
            self._place = place
            if self._overlay is None:
                self._overlay = CropOverlay(self._view)
                self._overlay.region_chosen.connect(self._on_region)
            self._overlay.ask(image_of(pixels), example.region)

        self._decoding.begin(work).then(then)

    def cancel(self) -> None:
        """Choose nothing: another search begins."""
        self._decoding.cancel()

    def _on_region(self, region: Region) -> None:
        self.chosen.emit(self._place, None if region == WHOLE_PICTURE else region)
