"""List of declarations, chosen by a click on their cards, each with its parameters and its text form.

A declaration may be a sweep: several values of one parameter.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QFontDatabase, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QSizePolicy, QWidget

from twinlens.app.bench.experiment import PEER
from twinlens.app.bench.sweeps import put_together, swept, taken_apart
from twinlens.app.gui.forms.declaration_form import DeclarationForm
from twinlens.app.gui.forms.parameter_controls import Chooser, limits_of, parameter_label, told
from twinlens.app.gui.look.buttons import QuietButton
from twinlens.app.gui.look.flow_layout import Flow, FlowLayout
from twinlens.app.gui.look.labels import small, strong
from twinlens.app.gui.look.page_parts import STRETCH, button, column_of, label, row_of
from twinlens.app.gui.look.theme import grown
from twinlens.app.language.texts import _, number, text
from twinlens.core.declaration.declaration import Declaration, read_declaration
from twinlens.core.declaration.parameters import Parameter, ParameterKind
from twinlens.core.errors import DeclarationError

Options = Sequence[type[Declaration]]


class SweepList(QWidget):
    """Editor of declarations and their sweeps.

    Parameters
    ----------
    name : str
        What one of them is, such as "method".
    changed
        Something is other than it was, whether it can be or not.
    """

    changed = Signal()

    def __init__(self, options: Options, name: str) -> None:
        super().__init__()
        self._options, self._name = options, name
        self._lines: list[_SweepLine] = []
        self._current: _SweepLine | None = None
        self._column = column_of(gap=6)
        self._fault = label("", "error", wrap=True)
        self._fault.hide()
        self.cards = ChoiceCards([(one.key, told(one.title), told(one.summary())) for one in options])
        self.cards.pressed.connect(self._on_card)
        add = button(_("+ The same again"), _("Add the {name} once more, with other parameters", name=name), "", "link")
        add.clicked.connect(self._on_again)
        self._more = QPushButton()
        self._more.setProperty("role", "fold")
        self._more.setCheckable(True)
        self._more.toggled.connect(self._on_folded)
        below = row_of(add, self._more, STRETCH, gap=16)
        self._sheet = QWidget()
        self._form = DeclarationForm(options, name, text_line=False)
        self._form.changed.connect(self._on_form)
        self._sweeps = SweepValues()
        self._sweeps.changed.connect(self._on_form)
        column_of(self._sweeps, self._form, on=self._sheet, gap=8, margins=(0, 8, 0, 0))
        column_of(self.cards, self._column, self._fault, below, self._sheet, on=self, gap=6, margins=0)
        self._soon = QTimer(self)  # the form follows what is typed, when the hand rests
        self._soon.setSingleShot(True)
        self._soon.setInterval(200)
        self._soon.timeout.connect(self._fill_form)
        self._more.setChecked(True)
        self._on_folded(True)

    def texts(self) -> list[str]:
        """Return the text forms with their sweeps."""
        return [one.text() for one in self._lines if one.text()]

    def set_texts(self, texts: Sequence[str]) -> None:
        """Show other text forms without a signal."""
        for one in self._lines:
            self._column.removeWidget(one)
            one.hide()
            one.deleteLater()
        self._lines, self._current = [], None
        for form in texts:
            self._add(form)
        self._current = None
        self._choose(self._lines[0] if self._lines else None)
        self._say()

    def is_valid(self) -> bool:
        """Return whether all text forms are valid."""
        return bool(self._lines) and all(one.count() for one in self._lines)

    def _add(self, text: str, focus: bool = False, tell: bool = False) -> None:
        line = _SweepLine(self._options, text, self._name)
        line.changed.connect(partial(self._on_line, line))
        line.focused.connect(partial(self._choose, line))
        line.removed.connect(partial(self._remove, line))
        self._lines.append(line)
        self._column.addWidget(line)
        if focus:
            line.edit.setFocus(Qt.FocusReason.OtherFocusReason)
            line.edit.selectAll()
        if tell:
            self._say()
            self.changed.emit()

    def _remove(self, line: _SweepLine) -> None:
        self._lines.remove(line)
        self._column.removeWidget(line)
        line.hide()
        line.deleteLater()
        if self._current is line:
            self._choose(self._lines[0] if self._lines else None)
        self._say()
        self.changed.emit()

    def _on_line(self, line: _SweepLine) -> None:
        self._current = line
        self._soon.start()
        self._say()
        self.changed.emit()

    def _choose(self, line: _SweepLine | None) -> None:
        if line is not self._current:
            self._current = line
            self._fill_form()

    def _on_card(self, key: str) -> None:
        """Add or remove the declaration of a card."""
        there = [one for one in self._lines if one.key() == key]
        for line in there:
            self._remove(line)
        if not there:
            made = next(one for one in self._options if one.key == key)
            self._add(made().text(), tell=True)
            self._choose(self._lines[-1])

    def _on_again(self) -> None:
        if self._current is not None:
            self._add(self._current.text(), focus=True, tell=True)

    def _say(self) -> None:
        self.cards.check({one.key() for one in self._lines})
        fault = next((one.fault for one in self._lines if one.fault), "")
        if not self._lines:
            fault = _("Add at least one.")
        self._fault.setText(fault)
        self._fault.setVisible(bool(fault))

    # --- as a form ---------------------------------------------------------------------------------------------------

    def _on_folded(self, shown: bool) -> None:
        self._sheet.setVisible(shown)
        self._fill_form()

    def _fill_form(self) -> None:
        line = self._current
        sign = "▾" if self._more.isChecked() else "▸"
        key = "" if line is None else line.key()
        self._more.setText(f"{sign}  " + _("Parameters of {key}", key=key))
        self._more.setVisible(line is not None)
        if line is None or not self._more.isChecked():
            return
        try:
            parted = taken_apart(line.text())
            made = read_declaration(self._options, parted[0]) if parted is not None else None
        except DeclarationError:
            made = None
        for widget in (self._form, self._sweeps):
            widget.setEnabled(made is not None)
        if made is not None and parted is not None:
            self._form.set_value(made)
            self._sweeps.show_of(made, parted[1])

    def _on_form(self) -> None:
        line = self._current
        if line is None or not self._form.is_valid():
            return
        made = self._form.value()
        sweeps = self._sweeps.values_of(made)
        line.set_text(put_together(made.text(), sweeps))
        self._sweeps.show_of(made, sweeps)
        self._say()
        self.changed.emit()


class _SweepLine(QWidget):
    """A text form with its number of declarations and a button to remove it."""

    changed = Signal()
    focused = Signal()
    removed = Signal()

    def __init__(self, options: Options, text: str, name: str) -> None:
        super().__init__()
        self._options = options
        self.edit = QLineEdit(text)
        self.edit.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.edit.setAccessibleName(name)
        self.edit.setToolTip(_("A text form, or several at once, such as rank={16,64}"))
        self.edit.textEdited.connect(self._on_edited)
        self.edit.installEventFilter(self)
        self._count = label("", "quiet")
        self._count.setFixedWidth(grown(36))
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.fault = ""
        remove = button("×", _("Remove {text}", text=text), "", "link")
        remove.setFixedWidth(grown(24))
        remove.clicked.connect(self.removed)
        row_of((self.edit, 1), self._count, remove, on=self, gap=8, margins=0)
        self._check()

    def text(self) -> str:
        """Return the text form."""
        return self.edit.text().strip()

    def key(self) -> str:
        """Return the kind of the declaration."""
        return self.text().partition(":")[0]

    def set_text(self, text: str) -> None:
        """Set the text form."""
        if text != self.text():
            self.edit.setText(text)
        self._check()

    def count(self) -> int:
        """Return the number of declarations; 0 for an invalid text."""
        try:
            found = swept(self.text())
            for one in found:
                if not one.startswith(PEER):  # faiss itself reads what it is to make
                    read_declaration(self._options, one)
        except DeclarationError as error:
            self.fault = text(error)
            return 0
        self.fault = ""
        return len(found)

    def _check(self) -> None:
        count = self.count()
        self._count.setText("?" if not count else "" if count == 1 else f"× {number(count)}")
        if self.edit.property("wrong") != (not count):
            self.edit.setProperty("wrong", not count)
            self.edit.style().polish(self.edit)

    def _on_edited(self) -> None:
        self._check()
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Signal the focus."""
        if event.type() is QEvent.Type.FocusIn:
            self.focused.emit()
        return super().eventFilter(watched, event)


_SHOWN = 9  # values that are offered
_DOUBLINGS = 4  # below and above what is usual


def proposed_values(about: Parameter, now: object) -> list[str]:
    """Return values of a parameter that are far enough apart for a sweep, in text form.

    Parameters
    ----------
    now : object
        The value that it has.
    """
    words = ["none"] if about.optional else []
    if about.kind is ParameterKind.SWITCH:
        return ["on", "off"]
    words += list(about.words)
    if about.kind in (ParameterKind.WHOLE, ParameterKind.NUMBER):
        usual = next((one for one in (now, about.default) if type(one) in (int, float) and one), 16)
        assert isinstance(usual, int | float)
        steps = [usual * 2.0**power for power in range(-_DOUBLINGS, _DOUBLINGS + 1)]
        whole = about.kind is ParameterKind.WHOLE
        words += [f"{round(one)}" if whole else f"{one:g}" for one in steps if _allows(about, one, whole)]
    return list(dict.fromkeys(words))[:_SHOWN]


def _allows(about: Parameter, value: float, whole: bool) -> bool:
    """Return whether a number is within the limits of a parameter."""
    low, high = about.lower, about.upper
    above = low is None or value > low or (value == low and not about.lower_open)
    below = high is None or value < high or (value == high and not about.upper_open)
    return above and below and (not whole or value >= 1)


class SweepValues(QWidget):
    """Editor of the values of swept parameters.

    Signals
    -------
    changed
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._about: dict[str, Parameter] = {}
        self._made: Declaration | None = None
        self._others: dict[str, list[str]] = {}
        self._chooser, self._values, self._offered, self._limits = Chooser(), QLineEdit(), Flow(6), label("", "quiet")
        self._chooser.setAccessibleName(_("Parameter with several values"))
        self._values.setAccessibleName(_("Values"))
        self._values.setPlaceholderText(_("separated by commas: 16, 64, 256"))
        self._values.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._values.setMinimumWidth(grown(160))
        self._values.editingFinished.connect(self._on_values)
        self._chooser.activated.connect(self._on_chosen)
        row = FlowLayout(8, 4)
        for widget in (label(_("Try several"), "quiet"), self._chooser, self._values, self._limits):
            row.addWidget(widget)
        column_of(row, self._offered, on=self, gap=6, margins=0)

    def show_of(self, made: Declaration, sweeps: dict[str, list[str]]) -> None:
        """Show the parameters of a declaration, and the values of one of them."""
        about = {
            one.name: one
            for one in made.parameters()
            if one.name != "seed" and one.kind is not ParameterKind.DECLARATION
        }
        before = self._name()
        self._made = made
        if list(about) != list(self._about):
            self._chooser.clear()
            self._chooser.addItems([parameter_label(one) for one in about.values()])
        self._about = about
        self._others = {name: list(values) for name, values in sweeps.items()}
        name = before if before in about and (before in sweeps or not sweeps) else next(iter(sweeps), next(iter(about)))
        if name in about:
            self._chooser.setCurrentIndex(list(about).index(name))
        self._show_values()

    def values_of(self, made: Declaration) -> dict[str, list[str]]:
        """Return the values of every swept parameter that a declaration has."""
        names = {one.name for one in made.parameters()}
        return {name: values for name, values in self._others.items() if name in names}

    def _name(self) -> str:
        names, place = list(self._about), self._chooser.currentIndex()
        return names[place] if 0 <= place < len(names) else ""

    def _show_values(self) -> None:
        name = self._name()
        chosen = self._others.get(name, [])
        if not self._values.hasFocus():
            self._values.setText(", ".join(chosen))
        about = self._about.get(name)
        if about is None or self._made is None:
            return
        self._limits.setText(limits_of(about))
        values = proposed_values(about, getattr(self._made, name))
        self._offered.set_widgets([self._chip(value, value in chosen) for value in values])

    def _chip(self, value: str, chosen: bool) -> QWidget:
        made = QPushButton(value)
        made.setObjectName("small")
        made.setCheckable(True)
        made.setChecked(chosen)
        made.setAutoDefault(False)
        made.setAccessibleName(_("Try {value}", value=value))
        made.clicked.connect(partial(self._switch, value))
        return made

    def _switch(self, value: str, *__: object) -> None:
        self._take(sorted({*self._others.get(self._name(), [])} ^ {value}, key=_size))

    def _on_chosen(self) -> None:
        self._show_values()
        self._values.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_values(self) -> None:
        self._take([one.strip() for one in self._values.text().split(",") if one.strip()])

    def _take(self, values: list[str]) -> None:
        name = self._name()
        if values == self._others.get(name, []):
            return
        self._others.pop(name, None)
        if values:
            self._others[name] = values
        self.changed.emit()


def _size(value: str) -> tuple[bool, float]:
    """Order words before numbers, and numbers by their size."""
    try:
        return True, float(value)
    except ValueError:
        return False, 0.0


_GAP = 8
_LEAST = 220  # width of a card, from which on another stands beside it


class ChoiceCards(QWidget):
    """A grid of cards, as high as its cards.

    Parameters
    ----------
    cards : sequence of (str, str, str)
        Key, title and sentence of each.
    pressed : str
        Key of a card; which ones are checked then, :meth:`check` says.
    """

    pressed = Signal(str)

    def __init__(self, cards: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.cards: dict[str, QuietButton] = {}
        self._checked: Collection[str] = ()
        for key, title, sentence in cards:
            made = self.cards[key] = _ChoiceCard(title, sentence)
            made.setParent(self)
            made.clicked.connect(partial(self._press, key))

    def check(self, keys: Collection[str]) -> None:
        """Check the chosen cards."""
        self._checked = keys
        for key, card in self.cards.items():
            card.setChecked(key in keys)

    def _press(self, key: str, *__: object) -> None:
        self.check(self._checked)  # a click alone checks nothing
        self.pressed.emit(key)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Place the cards; cards in a row are equally high."""
        super().resizeEvent(event)
        columns = max(1, min(len(self.cards), (self.width() + _GAP) // (grown(_LEAST) + _GAP)))
        wide = (self.width() - _GAP * (columns - 1)) // columns
        every, top = list(self.cards.values()), 0
        for first in range(0, len(every), columns):
            row = every[first : first + columns]
            high = max(_card_height(card, wide) for card in row)
            for place, card in enumerate(row):
                card.setGeometry(QRect(place * (wide + _GAP), top, wide, high))
            top += high + _GAP
        if self.height() != top - _GAP:
            self.setFixedHeight(max(0, top - _GAP))


class _ChoiceCard(QuietButton):
    """A card with a title and a sentence, which is pressed like a button and checked while it is chosen."""

    def __init__(self, title: str, sentence: str) -> None:
        super().__init__(title, "word")
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(title)
        self.setAccessibleDescription(sentence)
        self.words = column_of(on=self, gap=2, margins=(12, 8, 12, 8))
        heading, below = label(title, wrap=True), label(sentence, "quiet", wrap=True)
        heading.setFont(strong(heading.font()))
        below.setFont(small(below.font(), 0.92))
        for one in (heading, below):
            one.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self.words.addWidget(one)
        self.words.addStretch()


def _card_height(card: QuietButton, width: int) -> int:
    layout = card.layout()
    return 0 if layout is None else layout.totalHeightForWidth(width)
