"""The panel for searching with colours: a palette with shares or a sketch, and the chooser of colours."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFrame, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.look.buttons import Link, Pill
from twinlens.app.gui.look.labels import Heading, Sentence
from twinlens.app.gui.look.page_parts import STRETCH, column_of, row_of, scrolling, surface
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.search.colours.colour_chooser import ColourChooser
from twinlens.app.gui.search.colours.palette import MOST_COLOURS, Colour, PaletteMix, ShareStrip
from twinlens.app.gui.search.colours.sketch import Drawing, SketchPage
from twinlens.app.language.texts import _

_WIDTH, _WIDEST = 304, 336


def panel_width() -> int:
    """Return the width of the panel and of the explanation that it covers."""
    return min(grown(_WIDTH), _WIDEST)


class ColoursPanel(QFrame):
    """Lies over the right of a view and stays until it is closed, so that results are visible as colours change.

    Signals
    -------
    changed()
        Other colours are searched: see :meth:`mix` and :meth:`sketch`.
    main_wanted(object)
        The main colours of an image are wanted as a palette.
    index_wanted()
        An index that compares colours should be made.
    left(bool)
        It is closed, and whether it had the keys.
    """

    changed = Signal()
    main_wanted = Signal(object)
    index_wanted = Signal()
    left = Signal(bool)

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        surface(self, "panel")
        self.setAccessibleName(_("Search with colours"))
        self._strip = ShareStrip()
        self._strip.mix_changed.connect(self._on_mix)
        self._strip.chosen.connect(self._on_chosen)
        self._remove = Link(_("remove"))
        self._remove.setToolTip(_("Remove the chosen colour from the palette (Del)"))
        self._remove.clicked.connect(self._strip.remove_current)
        policy = self._remove.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._remove.setSizePolicy(policy)
        self._sketch = SketchPage()
        self._sketch.canvas.changed.connect(self.changed)
        self._chooser = ColourChooser()
        self._chooser.picked.connect(self._on_picked)
        self._chooser.changed.connect(self._on_changed)
        self._chooser.main_wanted.connect(lambda: self.main_wanted.emit(self._chooser.image()))
        self._said = ""
        self._note = Sentence()
        self._note.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._note.setMinimumHeight(2 * self._note.fontMetrics().lineSpacing())  # nothing below it moves
        self._make = Link(_("add search by colours"))
        self._make.clicked.connect(self.index_wanted)
        self._tabs = (
            Pill(_("Palette"), _("Colours anywhere in the photo")),
            Pill(_("Sketch"), _("Colours in their places")),
        )
        self._pages = (self._palette_page(), self._sketch)
        for place, tab in enumerate(self._tabs):
            tab.setCheckable(True)
            tab.setAutoExclusive(True)
            tab.clicked.connect(lambda __=False, place=place: self._on_tab(place))
        self._lay_out()
        self._show_tab(0)
        self.show_note("")
        attach(self, window_actions(), {"leave": self.leave})
        self.hide()

    def _palette_page(self) -> QWidget:
        page = QWidget()
        column_of(self._strip, (self._remove, Qt.AlignmentFlag.AlignRight), on=page, gap=2, margins=0)
        return page

    def _lay_out(self) -> None:
        close = Pill("×", _("Close"), parent=self)
        close.setToolTip(_("Close (Esc)"))
        close.clicked.connect(self.leave)
        head = row_of(*self._tabs, STRETCH, close, gap=8)
        body = QWidget()
        column_of(
            Heading(_("Search with colours")),
            head,
            self._note,
            (self._make, Qt.AlignmentFlag.AlignLeft),
            *self._pages,
            self._chooser,
            STRETCH,
            on=body,
            gap=10,
            margins=(16, 12, 16, 16),
        )
        column_of(scrolling(body, role=""), on=self, margins=1)

    # --- the colours ----------------------------------------------------------------------------------------------

    def asks_sketch(self) -> bool:
        """Return whether the search is by a sketch, not a palette."""
        return self._tabs[1].isChecked()

    def mix(self) -> PaletteMix:
        """Return the palette."""
        return self._strip.mix()

    def sketch(self) -> QImage:
        """Return the sketch, transparent where nothing is painted; empty if nothing is painted at all."""
        canvas = self._sketch.canvas
        return QImage() if canvas.is_empty() else canvas.image()

    def show_mix(self, mix: PaletteMix) -> None:
        """Show a palette without searching."""
        self._show_tab(0)
        if mix != self._strip.mix():
            self._strip.set_mix(mix)
            self._after_mix()

    def show_sketch(self, image: QImage) -> None:
        """Show a sketch without searching."""
        self._show_tab(1)
        self._sketch.show_drawing(Drawing(image))

    def clear(self) -> None:
        """Begin with nothing."""
        self._strip.set_mix(PaletteMix())
        self._sketch.show_drawing(Drawing())
        self._after_mix()

    def take_mix(self, mix: PaletteMix) -> None:
        """Search with a palette made of a photograph."""
        self._strip.set_mix(mix, 0)
        self._on_mix(mix)

    def set_photograph(self, image: QImage) -> None:
        """Offer the colours of a photograph; of none if it is empty."""
        self._chooser.set_image(image)

    def photograph(self) -> QImage:
        """Return the photograph whose colours are offered."""
        return self._chooser.image()

    def show_note(self, sentence: str, makes: bool = False) -> None:
        """Show a note, and whether an index can be made to help."""
        self._said = sentence
        self._say()
        self._make.setVisible(makes)

    def _say(self) -> None:
        mix = self.mix()
        if self._said and (self.asks_sketch() or len(mix) < MOST_COLOURS):
            self._note.say(self._said)
        elif self.asks_sketch():
            self._note.say(_("Finds photos with these colours in these places"))
        elif not len(mix):
            self._note.say(_("Finds photos with these colours anywhere"))
        elif len(mix) == MOST_COLOURS:
            self._note.say(_("A palette can have up to eight colours"))
        else:
            self._note.say(_("Drag the edges to change how much of each"))

    # --- changes -----------------------------------------------------------------------------------------------------

    def _on_tab(self, place: int) -> None:
        self._show_tab(place)
        if len(self.mix()) if place == 0 else not self.sketch().isNull():
            self.changed.emit()

    def _show_tab(self, place: int) -> None:
        self._tabs[place].setChecked(True)
        for own, page in enumerate(self._pages):
            page.setVisible(own == place)
        self._chooser.offer_main(place == 0)
        if place:
            self._chooser.set_colour(self._sketch.canvas.colour)
            self._say()
        else:
            self._after_mix()

    def _on_mix(self, __: PaletteMix) -> None:
        self._after_mix()
        self.changed.emit()

    def _after_mix(self) -> None:
        mix = self._strip.mix()
        self._remove.setVisible(len(mix) > 0)
        if len(mix):
            self._chooser.set_colour(mix.colours[self._strip.current()])
        self._say()

    def _on_chosen(self, place: int) -> None:
        mix = self._strip.mix()
        if place < len(mix) and not self.asks_sketch():
            self._chooser.set_colour(mix.colours[place])

    def _on_picked(self, colour: Colour) -> None:
        """Add a colour to the palette, or dip the brush into it."""
        if self.asks_sketch():
            self._chooser.set_colour(colour)
            self._sketch.dip(colour)
            return
        mix = self._strip.mix()
        if colour in mix.colours:
            self._strip.set_mix(mix, mix.colours.index(colour))
            self._after_mix()
        elif len(mix) < MOST_COLOURS:
            mix = mix.with_colour(colour)
            self._strip.set_mix(mix, len(mix) - 1)
            self._on_mix(mix)

    def _on_changed(self, colour: Colour) -> None:
        """Replace the chosen colour."""
        if self.asks_sketch():
            self._sketch.dip(colour)
            return
        mix, place = self._strip.mix(), self._strip.current()
        made = mix.replaced(place, colour) if len(mix) else PaletteMix.of([(colour, 1.0)])
        self._strip.set_mix(made)
        self._remove.setVisible(True)
        self.changed.emit()

    # --- being there -------------------------------------------------------------------------------------------------

    def open(self) -> None:
        """Open, and take the focus."""
        self.show()
        self.raise_()
        if self.asks_sketch():
            self._sketch.canvas.setFocus()
        elif len(self.mix()):
            self._strip.setFocus()
        else:
            self._chooser.focus_first()

    def leave(self) -> None:
        """Close."""
        held = self.window().focusWidget()
        held_here = held is None or held is self or self.isAncestorOf(held)
        self.hide()
        self.left.emit(held_here)

    def fit(self, top: int) -> None:
        """Lie at the right of the view, from a height on."""
        self.setGeometry(self._over.width() - panel_width(), top, panel_width(), self._over.height() - top)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return the fixed width."""
        return QSize(panel_width(), 600)
