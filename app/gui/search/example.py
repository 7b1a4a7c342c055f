"""One example of the query: picture, chip and weight."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from app.gui.look.framed_picture import FramedPicture
from app.gui.look.page_parts import set_look
from app.gui.look.pills import PILL_HEIGHT, PILL_PADDING
from app.gui.look.quiet_button import QuietButton
from app.gui.look.theme import theme
from app.language.spoken import _, number

MOST_EXAMPLES = 16  # more than that nobody means, and could not see

_WIDEST = 200
_READABLE = 60  # px: less has no room for beginning and end of a name
_CROSS = 30  # width of its place


@dataclass(frozen=True)
class ShownExample:
    """An example as it is shown.

    Attributes
    ----------
    name : str
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
        self._cross.setToolTip(_("Remove (Del)"))
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

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Remove it with Del."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)

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
