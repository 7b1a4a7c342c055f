"""The query above the results: the bar of its examples with the index, the buttons beside it, and the head of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QMenu, QPushButton, QSizePolicy, QWidget

from twinlens.app.gui.actions.action import Action, give_key, show_action
from twinlens.app.gui.actions.declared_actions import search_actions, window_actions
from twinlens.app.gui.lists.card import Card, CardLine
from twinlens.app.gui.lists.pick_list import PickList
from twinlens.app.gui.look.buttons import PILL_HEIGHT, Pill, WordsPill
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.page_parts import column_of, command_button, surface
from twinlens.app.gui.marks.mark_controls import MarksPill
from twinlens.app.gui.search.query_examples import ExampleChip, ExamplePicture, ShownExample, WeightPopup
from twinlens.app.language.texts import _

_MARGIN = 16
_PICTURE = 72
_GAP = 8
_COMFORTABLE_CHIP = 136
_NARROWEST_CHIP = 76


@dataclass(frozen=True)
class _Room:
    """Start and width of the second half of the bar."""

    left: int
    width: int


class QueryBar(QWidget):
    """The query of a search.

    Its height is always the same. Where there is little room, chips end in dots and buttons show signs alone.

    Signals
    -------
    example_removed(int)
    weight_changed(int, float)
        An example, by its place, and its weight; negative: "not like".
    add_wanted(bool)
        Another example, like (True) or not like (False).
    crop_wanted(int)
        Only a part of an example is meant.
    colours_wanted()
        The panel of colours should be opened, or closed.
    words_wanted()
        Words should be typed, or changed.
    index_chosen(str)
        Name of an index.
    new_index_wanted()
    """

    example_removed = Signal(int)
    weight_changed = Signal(int, float)
    add_wanted = Signal(bool)
    crop_wanted = Signal(int)
    colours_wanted = Signal()
    words_wanted = Signal()
    index_chosen = Signal(str)
    new_index_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Pictures of this search"))
        self._examples: list[ShownExample] = []
        self._pictures: list[ExamplePicture] = []
        self._chips: list[ExampleChip] = []
        self._popup: WeightPopup | None = None
        actions = search_actions()
        self._like = Pill(_("+ like"), invites=True, parent=self)
        self._unlike = Pill(_("− not like"), invites=True, parent=self)
        self._crop = Pill(_("◩ crop"), invites=True, parent=self)
        for pill, name in ((self._like, "add like"), (self._unlike, "add unlike"), (self._crop, "crop")):
            give_key(pill, actions[name])
        self._colours = Pill(_("◐ colours"), _("Search with colours or a sketch"), invites=True, parent=self)
        about = _(
            "Search with colours or a sketch ({key}); with Shift, together with these photos ({more})",
            key=window_actions()["colours"].keys_text(),
            more=window_actions()["add colours"].keys_text(),
        )
        self._colours.setToolTip(about)
        self._colours.setCheckable(True)
        self._words = Pill(_("✎ words"), invites=True, parent=self)
        show_action(self._words, window_actions()["words"])
        self._buttons: tuple[Pill, ...] = (self._like, self._unlike, self._crop, self._colours)
        self._words.hide()
        self._index = IndexChooser(self)
        self.marks = MarksPill(self)
        self._like.clicked.connect(lambda: self.add_wanted.emit(True))
        self._unlike.clicked.connect(lambda: self.add_wanted.emit(False))
        self._crop.clicked.connect(lambda: self.crop_wanted.emit(self._last_like()))
        self._colours.clicked.connect(self.colours_wanted)
        self._words.clicked.connect(self.words_wanted)
        self._index.index_chosen.connect(self.index_chosen)
        self._index.new_index_wanted.connect(self.new_index_wanted)
        self._crop.setEnabled(False)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return one height, always, and the room for the name of the index, or the signs behind narrow chips."""
        signs = PILL_HEIGHT * len(self._buttons) + _GAP // 2 * (len(self._buttons) + 1)
        chips = sum(min(chip.sizeHint().width(), _NARROWEST_CHIP) + _GAP for chip in self._chips)
        index = self._index.least_width() + (0 if self.marks.isHidden() else self.marks.width() + _GAP)
        return QSize(max(360, self._pictures_width() + max(chips + signs, index)), _PICTURE + 2 * 12)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Room for one picture, its chip and the index."""
        return QSize(360, _PICTURE + 2 * 12)

    # --- what is shown -----------------------------------------------------------------------------------------------

    def set_examples(self, examples: Sequence[ShownExample]) -> None:
        """Show the examples of the query."""
        self._examples = list(examples)
        self._crop.setEnabled(any(one.is_picture for one in examples))
        if len(examples) == len(self._chips):  # the same places: nothing flickers, and the keys stay
            for one, picture, own in zip(examples, self._pictures, self._chips, strict=True):
                picture.set_example(one)
                own.set_example(one)
            self._place()
            return
        held = next((n for n, chip in enumerate(self._chips) for stop in chip.stops() if stop.hasFocus()), None)
        for widget in (*self._pictures, *self._chips):
            widget.hide()
            widget.deleteLater()
        self._pictures = [ExamplePicture(one, self) for one in examples]
        self._chips = [ExampleChip(one, self) for one in examples]
        for place, chip in enumerate(self._chips):
            chip.removed.connect(lambda place=place: self.example_removed.emit(place))
            chip.clicked.connect(lambda __=False, place=place: self._open_weight(place))
        for widget in (*self._pictures, *self._chips):
            widget.show()
        self._place()
        if held is not None:  # after an example is removed by key, the keys go on at the next one
            next_stop = self._chips[min(held, len(self._chips) - 1)].stops()[0] if self._chips else self._like
            next_stop.setFocus(Qt.FocusReason.TabFocusReason)

    def set_indexes(self, indexes: Sequence[IndexOption], current: str, used: bool = True) -> None:
        """Offer indexes: name, plain words, exact text; say whether one is used at all."""
        self._index.set_indexes(indexes, current, used)
        self._place()

    def show_marks(self, similar: int, different: int, used: bool = False, stale: bool = False) -> None:
        """Show the marks of the query's photographs, and whether they count; see :class:`MarksPill`."""
        self.marks.show_marks(similar, different, used, stale)
        self._place()

    def offer_words(self, offered: bool) -> None:
        """Offer the search with words, where an index knows them."""
        self._buttons = (self._like, self._unlike, self._crop, *([self._words] if offered else []), self._colours)
        self._words.setVisible(offered)
        self._place()

    def show_colours(self, opened: bool) -> None:
        """Show whether colours are being chosen."""
        self._colours.setChecked(opened)

    def choose_index(self) -> None:
        """Open the list of indexes."""
        self._index.click()

    def index(self) -> str:
        """Return the name of the chosen index."""
        return self._index.current()

    # --- weights -----------------------------------------------------------------------------------------------------

    def _last_like(self) -> int:
        pictures = [place for place, one in enumerate(self._examples) if one.is_picture]
        return max((place for place in pictures if self._examples[place].weight > 0), default=min(pictures, default=0))

    def _open_weight(self, place: int) -> None:
        chip = self._chips[place]
        popup = WeightPopup(self._examples[place], self)
        popup.weight_changed.connect(lambda weight: self._on_weight(place, weight))
        popup.crop_wanted.connect(lambda: self.crop_wanted.emit(place))
        popup.colours_wanted.connect(self.colours_wanted)
        popup.words_wanted.connect(self.words_wanted)
        popup.open_at(chip.mapToGlobal(QPoint(0, chip.height() + 4)))
        self._popup = popup

    def _on_weight(self, place: int, weight: float) -> None:
        if place < len(self._examples):
            old = self._examples[place]
            self._examples[place] = replace(old, weight=weight)
            self._chips[place].set_example(self._examples[place])
            self._pictures[place].set_example(self._examples[place])
            self._place()
            self.weight_changed.emit(place, weight)

    # --- layout ------------------------------------------------------------------------------------------------------

    def _order(self) -> None:
        """Set the tab order to the visual order."""
        stops: list[QWidget] = [stop for chip in self._chips for stop in chip.stops()]
        pills = [*self._buttons, self._index, self.marks]
        stops += sorted(pills, key=lambda pill: (pill.y(), pill.x()))
        ahead = self._stop_ahead()
        for before, after in pairwise([ahead, *stops] if ahead is not None else stops):
            QWidget.setTabOrder(before, after)

    def _stop_ahead(self) -> QWidget | None:
        """Return the last stop before this bar: chips are made later and would come behind their followers."""
        found = self._like.previousInFocusChain()
        while found is not None and found is not self._like:
            if found.focusPolicy() & Qt.FocusPolicy.TabFocus and not self.isAncestorOf(found):
                return found if found.window() is self.window() else None
            found = found.previousInFocusChain()
        return None

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Place everything."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        self.updateGeometry()
        top = (self.height() - _PICTURE) // 2
        room = self._place_pictures(top)
        below = top + _PICTURE - PILL_HEIGHT
        chips = [chip.sizeHint().width() for chip in self._chips]
        beside, gap = self._choose(room, chips)
        wide = sum(button.sizeHint().width() + gap for button in self._buttons if not button.isHidden())
        marks = self._marks_width(room.width - (self._index.sizeHint().width() if not beside else sum(chips)))
        widths = shared_widths(chips, room.width + gap - _GAP * len(chips) - (marks if beside else wide))
        x = room.left
        for chip, width in zip(self._chips, widths, strict=True):
            chip.setGeometry(x, top, width, PILL_HEIGHT)
            x += width + _GAP
        index = max(PILL_HEIGHT, min(self._index.sizeHint().width(), room.width - (wide if beside else marks)))
        self._index.setGeometry(room.left, below, index, PILL_HEIGHT)
        # Where the buttons are not: nothing gives way when there are the first marks.
        at = (x, top) if beside else (room.left + index + _GAP, below)
        self.marks.setGeometry(*at, max(0, marks - _GAP), PILL_HEIGHT)
        if beside:
            x = room.left + index + _GAP
        for button in (one for one in self._buttons if not one.isHidden()):
            button.setGeometry(x, below if beside else top, button.sizeHint().width(), PILL_HEIGHT)
            x += button.width() + gap
        self._order()

    def _marks_width(self, room: int) -> int:
        """Choose words or signs for the marks; return their width with a gap, 0 if there are none."""
        if self.marks.isHidden():
            return 0
        self.marks.show_signs_alone(False)
        self.marks.show_signs_alone(self.marks.sizeHint().width() + 2 * _GAP > room)
        return self.marks.sizeHint().width() + _GAP

    def _choose(self, room: _Room, chips: list[int]) -> tuple[bool, int]:
        """Choose words or signs for the buttons, whether they stand beside the index, and the gap between them.

        They stand behind the chips, as words, then as signs; then beside the index, unless its name had no room there
        and the chips can do with less.
        """
        least = sum(min(width, _COMFORTABLE_CHIP) + _GAP for width in chips)
        self._colours.show()
        for signs in (False, True):
            if least + self._name_buttons(signs) + len(self._buttons) * _GAP <= room.width + _GAP:
                return False, _GAP
        wide = self._name_buttons(signs=True)
        if wide + len(self._buttons) * _GAP + self._index.least_width() > room.width:
            narrow = sum(min(width, _NARROWEST_CHIP) + _GAP for width in chips)
            if narrow + wide + len(self._buttons) * _GAP // 2 <= room.width + _GAP // 2:
                return False, _GAP // 2
            without = wide - self._colours.sizeHint().width()
            if narrow + without + (len(self._buttons) - 1) * _GAP // 2 <= room.width + _GAP // 2:
                self._colours.hide()  # its key does the same, and the name of the index must be read
                return False, _GAP // 2
        return True, _GAP

    def _name_buttons(self, signs: bool) -> int:
        """Write words or signs alone on the buttons; return the width of all."""
        self._like.setText("+" if signs else _("+ like"))
        self._unlike.setText("−" if signs else _("− not like"))
        self._crop.setText("◩" if signs else _("◩ crop"))
        self._colours.setText("◐" if signs else _("◐ colours"))
        self._words.setText("✎" if signs else _("✎ words"))
        return sum(button.sizeHint().width() for button in self._buttons)

    def _step(self, most: int) -> int:
        """Return the distance from one picture to the next, given the largest width of all."""
        count = len(self._pictures)
        return min(_PICTURE + _GAP if count == 2 else 48, (most - _PICTURE) // (count - 1)) if count > 1 else 0

    def _pictures_width(self) -> int:
        """Return the least width of the pictures, with the margins of the bar."""
        count = len(self._pictures)
        return 2 * _MARGIN + (_PICTURE + self._step(2 * _PICTURE) * (count - 1) + _MARGIN if count else 0)

    def _place_pictures(self, top: int) -> _Room:
        """Put the pictures side by side; many overlap, like cards."""
        x = _MARGIN
        if self._pictures:
            step = self._step(max(_PICTURE, int(0.35 * self.width())))
            for picture in self._pictures:
                picture.setGeometry(x, top, _PICTURE, _PICTURE)
                x += step
            x += _PICTURE - step + _MARGIN
        return _Room(x, max(0, self.width() - x - _MARGIN))


def shared_widths(wanted: Sequence[int], room: int) -> list[int]:
    """Share room among widths: small ones get all they want, the others equal shares of the rest."""
    given = [0] * len(wanted)
    left, open_places = max(0, room), sorted(range(len(wanted)), key=lambda place: wanted[place])
    while open_places:
        place = open_places.pop(0)
        given[place] = min(wanted[place], left // (len(open_places) + 1))
        left -= given[place]
    return given


class QueryButtons(QHBoxLayout):
    """The buttons beside the query, in one row; the view that makes them connects them."""

    def __init__(self) -> None:
        super().__init__()
        self.setSpacing(4)
        self.addStretch()
        window, search = window_actions(), search_actions()
        self.back = self._button("‹", window["back"])
        self.forward = self._button("›", window["forward"])
        self.past = self._button(_("History"), search["history"])
        self.panel = self._button(_("Filters"), window["side"])
        self.panel.setCheckable(True)
        self.how = self._button(_("How this was found"), search["how"])
        self.how.setCheckable(True)
        give_key(self.how, search["how"])

    def _button(self, text: str, action: Action) -> QPushButton:
        made = command_button(text, action)
        made.setObjectName("small")
        self.addWidget(made)
        return made

    def show_steps(self, back: bool, forward: bool) -> None:
        """Show whether back and forward lead anywhere."""
        self.back.setEnabled(back)
        self.forward.setEnabled(forward)

    def show_panel(self, shown: bool, narrows: bool) -> None:
        """Show whether folders and filters are visible, and whether filters are set, which must never be hidden."""
        self.panel.setChecked(shown)
        self.panel.setText(_("Filters •") if narrows and not shown else _("Filters"))

    def show_menu(self, menu: QMenu) -> None:
        """Show the menu of earlier searches at its button."""
        menu.exec(self.past.mapToGlobal(self.past.rect().bottomLeft()))


class QueryHead(QWidget):
    """The head of the search view; where the query needs the whole width, the rest stands below.

    Parameters
    ----------
    bar : QWidget
        The query.
    """

    def __init__(self, bar: QWidget, steps: QLayout, similarities: QWidget) -> None:
        super().__init__()
        surface(self, "head")
        self._bar, self._steps, self._similarities = bar, steps, similarities
        rest = QWidget()
        rest.setSizePolicy(
            QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred
        )  # the remaining width is the query's
        self._rest = QBoxLayout(QBoxLayout.Direction.TopToBottom, rest)
        self._rest.setContentsMargins(0, 6, 16, 6)
        self._rest.setSpacing(2)
        self._rest.addLayout(steps)
        self._rest.addWidget(similarities)
        lines = FlowLayout(0, right=True)
        lines.addWidget(bar)
        lines.addWidget(rest)
        self.setLayout(lines)

    def event(self, event: QEvent) -> bool:
        """Choose the place of the rest."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            rest = max(self._steps.sizeHint().width(), self._similarities.sizeHint().width()) + 16
            under = self._bar.sizeHint().width() + rest > self.width()
            way = QBoxLayout.Direction.LeftToRight if under else QBoxLayout.Direction.TopToBottom
            if self._rest.direction() != way:
                self._rest.setDirection(way)
        return super().event(event)


_WIDTH, _HEIGHT = 400, 420


class IndexOption(NamedTuple):
    """An index in the list: its name, what it compares in plain words, its exact text."""

    name: str
    words: str
    text: str


class IndexChooser(WordsPill):
    """Shows the index that is searched, and opens the list of all.

    Signals
    -------
    index_chosen(str)
    new_index_wanted()
    """

    index_chosen = Signal(str)
    new_index_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(opens=True, parent=parent)
        give_key(self, search_actions()["index"])
        self._indexes: list[IndexOption] = []
        self._current = ""
        self._used = True
        self._list: IndexPopup | None = None
        self.clicked.connect(self._on_clicked)
        self._write()

    def set_indexes(self, indexes: Sequence[IndexOption], current: str, used: bool = True) -> None:
        """Offer indexes, and choose one, which words alone do not use."""
        self._indexes, self._current, self._used = list(indexes), current, used
        self._write()

    def current(self) -> str:
        """Return the name of the chosen index."""
        return self._current

    def _write(self) -> None:
        if not self._used:
            self.set_words("", _("by what photos show"), "")
            show_action(self, search_actions()["index"], "")
            self.setAccessibleName(_("Search by what photos show"))
            return
        now = next((one for one in self._indexes if one.name == self._current), None)
        adds_words = now is not None and now.words and now.words.casefold() != now.name.casefold()
        words = f": {now.words}" if now is not None and adds_words else ""
        self.set_words(_("in") + " ", self._current or _("nothing yet"), words)
        spoken = f"{self._current}{words}"
        show_action(self, search_actions()["index"], f"{spoken}\n{now.text}" if now else "")
        self.setAccessibleName(_("Search in: {index}", index=spoken))

    def _on_clicked(self) -> None:
        self._list = IndexPopup(self._indexes, self._current, self)
        self._list.chosen.connect(self._on_chosen)
        self._list.new_index_wanted.connect(self.new_index_wanted)
        self._list.open_at(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def _on_chosen(self, name: str) -> None:
        if name != self._current:
            self._current = name
            self._write()
            self.index_chosen.emit(name)


class IndexPopup(QFrame):
    """The list of indexes below the pill."""

    chosen = Signal(str)
    new_index_wanted = Signal()

    def __init__(self, indexes: Sequence[IndexOption], current: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        surface(self, "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay)  # the press that closes it opens nothing
        self.setAccessibleName(_("Indexes"))
        self.rows = PickList(_("Indexes"), lambda one: one.name, _card, lines=1)
        self.rows.show_rows([*indexes, IndexOption("", "", "")], [current])
        self.rows.picked.connect(self._on_picked)
        column_of(self.rows, on=self, margins=8)
        self.setFixedSize(_WIDTH, min(_HEIGHT, self.sizeHint().height()))

    def open_at(self, place: QPoint) -> None:
        """Open with the keys in the list."""
        screen = self.screen().availableGeometry()
        self.move(min(place.x(), screen.right() - self.width()), min(place.y(), screen.bottom() - self.height()))
        self.show()
        self.rows.setFocus()

    def _on_picked(self, one: IndexOption) -> None:
        self.close()
        if one.name:
            self.chosen.emit(one.name)
        else:
            self.new_index_wanted.emit()


def _card(one: IndexOption) -> Card:
    """Return name and plain words, and the exact text below; of no index the way to a new one."""
    if not one.name:
        return Card(CardLine(_("New index…"), "accent"), _("New index…"))
    words = one.words if one.words.casefold() != one.name.casefold() else ""
    spoken = f"{one.name}: {one.words}" if one.words else one.name
    return Card(CardLine(one.name, "ink", words), spoken, (CardLine(one.text),), tip=one.text)
