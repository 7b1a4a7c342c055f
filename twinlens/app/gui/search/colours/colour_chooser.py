"""The chooser of colours: common ones as swatches, any by its field or its name, or one from a photograph."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QToolTip, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import colour_actions
from twinlens.app.gui.look.buttons import Link
from twinlens.app.gui.look.labels import Heading, Sentence
from twinlens.app.gui.look.page_parts import STRETCH, column_of, row_of
from twinlens.app.gui.look.theme import grown, theme
from twinlens.app.gui.search.colours.colour_pickers import ColourField, PhotographPicker
from twinlens.app.gui.search.colours.palette import Colour, colour_code
from twinlens.app.language.texts import _

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
        written = row_of(self._code, (self._wrong, 1), gap=8)
        self._photograph.setFixedWidth(_PHOTOGRAPH)
        aside = column_of(self._how, self._main, STRETCH, gap=4)
        below = row_of((self._photograph, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop), (aside, 1), gap=12)
        column_of(self._swatches, self._field, written, self._from, below, on=self, gap=8, margins=0)
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
        from twinlens.app.search.search_query import read_palette
        from twinlens.core.errors import TwinlensError

        try:
            colour = read_palette(self._code.text()).colours[0][0]
        except TwinlensError:
            self._wrong.say(_("This is not a colour. Write a code such as #c33 or a name such as navy."))
            return
        self.set_colour(colour)
        self.changed.emit(colour)


SWATCH_COLUMNS = 12
_ROW = 26
SWATCH_CODES = (
    "#d7322f", "#f07d1a", "#f6c927", "#9ac33c", "#3a9a46", "#11887a",
    "#46b4dc", "#1f5fbf", "#6b46b0", "#e268a5", "#7a5236", "#111111",
    "#7d1d20", "#dcb690", "#fbf0b8", "#7f8538", "#1f4f30", "#a9d8d0",
    "#b3daf3", "#152a5e", "#c8b4e4", "#f6cbd6", "#9a9a98", "#ffffff",
)  # fmt: skip


def colour_names() -> list[str]:
    """Return the names of the colours."""
    return [
        _("red"),
        _("orange"),
        _("yellow"),
        _("light green"),
        _("green"),
        _("teal"),
        _("sky blue"),
        _("blue"),
        _("violet"),
        _("pink"),
        _("brown"),
        _("black"),
        _("dark red"),
        _("sand"),
        _("pale yellow"),
        _("olive"),
        _("dark green"),
        _("pale green"),
        _("pale blue"),
        _("dark blue"),
        _("lilac"),
        _("rose"),
        _("grey"),
        _("white"),
    ]


class Swatches(QWidget):
    """Two rows of colours; arrows go from one to the next, Enter takes.

    Signals
    -------
    picked(object)
        A :data:`Colour`.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = colour_names()
        self._current = 0
        self._over = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        attach(self, colour_actions(), {"pick": lambda: self._pick(self._current)})
        self._name()

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Two rows."""
        return QSize(SWATCH_COLUMNS * 20, len(SWATCH_CODES) // SWATCH_COLUMNS * _ROW)

    def _name(self) -> None:
        self.setAccessibleName(_("Common colours: {names}", names=self._names[self._current]))

    def box(self, place: int) -> QRectF:
        """Return the place of a colour."""
        row, column = divmod(place, SWATCH_COLUMNS)
        width = self.width() / SWATCH_COLUMNS
        side = min(width - 4, _ROW - 4)
        # The first and the last end where everything above and below them does.
        left = (self.width() - side) * column / (SWATCH_COLUMNS - 1)
        return QRectF(left, row * _ROW + (_ROW - side) / 2, side, side)

    def place_at(self, at: QPointF) -> int:
        """Return the number of the colour at a place; -1 for none."""
        return next((i for i in range(len(SWATCH_CODES)) if self.box(i).adjusted(-2, -2, 2, 2).contains(at)), -1)

    def _pick(self, place: int) -> None:
        if place >= 0:
            self._current = place
            self._name()
            self.update()
            colour = QColor(SWATCH_CODES[place])
            chosen: Colour = (colour.red(), colour.green(), colour.blue())
            self.picked.emit(chosen)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Take a colour."""
        if event.button() is Qt.MouseButton.LeftButton:
            self._pick(self.place_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Lift the colour under the pointer."""
        self._lift(self.place_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 (Qt's name)
        """Lift nothing."""
        super().leaveEvent(event)
        self._lift(-1)

    def _lift(self, place: int) -> None:
        if place != self._over:
            self._over = place
            self.update()

    def event(self, event: QEvent) -> bool:
        """Name the colour under the pointer."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            place = self.place_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), self._names[place] if place >= 0 else "", self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Go to the next, or take."""
        step = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -SWATCH_COLUMNS,
            Qt.Key.Key_Down: SWATCH_COLUMNS,
        }.get(Qt.Key(event.key()))
        if step is not None:
            if 0 <= self._current + step < len(SWATCH_CODES):
                self._current += step
                self._name()
                self.update()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, __: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the colours, and where pointer and keys are."""
        now = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, colour in enumerate(SWATCH_CODES):
            box = self.box(place)
            held = self.hasFocus() and place == self._current
            painter.setPen(QPen(QColor(now.line), 1))
            painter.setBrush(QColor(colour))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
            if held or place == self._over:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(now.paper), 3))
                painter.drawRoundedRect(box.adjusted(1.5, 1.5, -1.5, -1.5), 3, 3)
                painter.setPen(QPen(QColor(now.accent if held else now.ink), 2))
                painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()
