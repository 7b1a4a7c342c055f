"""The chooser of colours: common ones, any, by name, or from a photograph."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.gui.look.sentences import Heading, Link, Sentence
from app.gui.look.text_size import grown
from app.gui.search.colours.colour_field import ColourField
from app.gui.search.colours.colour_picker import PhotographPicker
from app.gui.search.colours.mix import Colour, colour_code
from app.gui.search.colours.swatches import Swatches
from app.language.spoken import _

_PHOTOGRAPH = 150  # px, the width of the photograph


class ColourChooser(QWidget):
    """Chooses colours.

    Signals
    -------
    picked(object)
        A :data:`Colour` was taken: a swatch, a place in the photograph.
    changed(object)
        The chosen colour is to be another: it was dragged in the field, or written.
    main_wanted()
        The main colours of the photograph.
    """

    picked = Signal(object)
    changed = Signal(object)
    main_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._swatches = Swatches()
        self._field = ColourField()
        self._code = QLineEdit()
        self._code.setFixedWidth(grown(112))
        self._code.setAccessibleName(_("The chosen colour, by its code or its English name"))
        self._code.setToolTip(_("A code such as #c33 or a name such as navy (Enter applies)"))
        self._wrong = Sentence()
        self._photograph = PhotographPicker()
        self._from = Heading(_("From the photo"))
        self._from.setWordWrap(False)
        self._how = Sentence(_("Click to pick a colour"))
        self._main = Link(_("main colours"))
        self._main.setToolTip(_("Make a palette of the photo's main colours"))
        self._swatches.picked.connect(self.picked)
        self._photograph.picked.connect(self.picked)
        self._field.colour_changed.connect(self._on_field)
        self._code.returnPressed.connect(self._on_code)
        self._main.clicked.connect(self.main_wanted)
        written = QHBoxLayout()
        written.setSpacing(8)
        written.addWidget(self._code)
        written.addWidget(self._wrong, 1)
        self._photograph.setFixedWidth(_PHOTOGRAPH)
        aside = QVBoxLayout()
        aside.setSpacing(4)
        aside.addWidget(self._how)
        aside.addWidget(self._main)
        aside.addStretch()
        below = QHBoxLayout()
        below.setSpacing(12)
        below.addWidget(self._photograph, alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        below.addLayout(aside, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._swatches)
        column.addWidget(self._field)
        column.addLayout(written)
        column.addWidget(self._from)
        column.addLayout(below)
        self._palette_mode = True
        self.set_image(QImage())

    def focus_first(self) -> None:
        """Focus the common colours."""
        self._swatches.setFocus()

    def colour(self) -> Colour:
        """Return the chosen colour."""
        return self._field.colour()

    def set_colour(self, colour: Colour) -> None:
        """Show the chosen colour."""
        self._field.set_colour(colour)
        self._code.setText(colour_code(colour))
        self._wrong.say("")

    def set_image(self, image: QImage) -> None:
        """Offer the colours of a photograph; of none if it is empty."""
        self._photograph.set_image(image)
        self._show_photograph()

    def image(self) -> QImage:
        """Return the photograph."""
        return self._photograph.image()

    def offer_main(self, offered: bool) -> None:
        """Offer all main colours at once, for a palette."""
        self._palette_mode = offered
        self._show_photograph()

    def _show_photograph(self) -> None:
        there = not self._photograph.image().isNull()
        for widget in (self._from, self._photograph, self._how):
            widget.setVisible(there)
        self._main.setVisible(there and self._palette_mode)

    def _on_field(self, colour: Colour) -> None:
        self._code.setText(colour_code(colour))
        self._wrong.say("")
        self.changed.emit(colour)

    def _on_code(self) -> None:
        from app.search.question import read_palette
        from core.errors import TwinlensError

        try:
            colour = read_palette(self._code.text()).colours[0][0]
        except TwinlensError:
            self._wrong.say(_("This is not a colour. Write a code such as #c33 or a name such as navy."))
            return
        self.set_colour(colour)
        self.changed.emit(colour)
