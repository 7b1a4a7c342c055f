"""A control for each kind of parameter; it shows the value, or a word such as ``auto`` or ``none`` in its place.

Boxes and choosers are flat, driven by keys, and ignore the wheel, which scrolls the page.
"""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QLocale, QSize, Qt, Signal
from PySide6.QtGui import (
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QToolTip,
    QWidget,
)

from twinlens.app.gui.look.buttons import Switch
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.theme import grown
from twinlens.app.language.texts import _, number, text, typed_number
from twinlens.core.declaration.declaration import Declaration
from twinlens.core.declaration.parameters import Parameter, ParameterKind


class ParameterControl(QWidget):
    """Base class of the controls.

    Signals
    -------
    changed
        The person has changed the value.
    """

    changed = Signal()

    def __init__(self, about: Parameter) -> None:
        super().__init__()
        self.about = about
        self._row = FlowLayout(grows=about.kind is ParameterKind.TEXT)
        self.setLayout(self._row)

    def value(self) -> object:
        """Return the value for the declaration, which may refuse it."""
        raise NotImplementedError

    def set_value(self, value: object) -> None:
        """Show a value, without a signal."""
        raise NotImplementedError

    def name_parts(self, widget: QWidget) -> None:
        """Set accessible name and description (limits and help) of the part that takes the focus."""
        name, unit = parameter_label(self.about), told(self.about.unit)
        widget.setAccessibleName(f"{name}, {unit}" if unit and unit.lower() != name.lower() else name)
        widget.setAccessibleDescription(f"{limits_of(self.about)}. {told(self.about.help)}".removeprefix(". "))
        widget.setToolTip(f"{self.about.name}={text(self.about.accepted())}")
        self.setFocusProxy(widget)

    def set_wrong(self, wrong: bool) -> None:
        """Mark or unmark the value as invalid."""
        for widget in self.findChildren(QLineEdit):
            if widget.property("wrong") != wrong:
                widget.setProperty("wrong", wrong)
                widget.style().polish(widget)


class SwitchControl(ParameterControl):
    """A control of true or false."""

    def __init__(self, about: Parameter) -> None:
        super().__init__(about)
        self._switch = Switch()
        self.name_parts(self._switch)
        self._switch.clicked.connect(self.changed)
        self._row.addWidget(self._switch)

    def value(self) -> object:
        """Return whether the switch is on."""
        return self._switch.isChecked()

    def set_value(self, value: object) -> None:
        """Turn the switch on or off."""
        self._switch.setChecked(bool(value))


class ChoiceControl(ParameterControl):
    """A control of one of several words, or of true, false and neither."""

    def __init__(self, about: Parameter) -> None:
        super().__init__(about)
        words: list[object] = [True, False] if about.kind is ParameterKind.SWITCH else list(about.words)
        self._values = [*words, None] if about.optional else words
        self._chooser = Chooser()
        for value in self._values:
            self._chooser.addItem(choice_word(about, value))
        self.name_parts(self._chooser)
        self._chooser.activated.connect(self.changed)
        self._row.addWidget(self._chooser)

    def value(self) -> object:
        """Return the chosen word."""
        return self._values[self._chooser.currentIndex()]

    def set_value(self, value: object) -> None:
        """Choose a word."""
        self._chooser.setCurrentIndex(self._values.index(value))


class BoxControl(ParameterControl):
    """A control of a number or a text, with buttons for the words that may replace it."""

    def __init__(self, about: Parameter) -> None:
        super().__init__(about)
        self._box = QLineEdit() if about.kind is ParameterKind.TEXT else NumberBox(about)
        self._box.textEdited.connect(self._on_edited)
        self.name_parts(self._box)
        self._words: dict[QPushButton, str | None] = {}
        for word in [*about.words, *([None] if about.optional else [])]:
            button = QPushButton(choice_word(about, word))
            button.setCheckable(True)
            button.setProperty("role", "word")
            button.setAccessibleName(f"{parameter_label(about)}: {choice_word(about, word)}")
            button.clicked.connect(self._on_word)
            self._words[button] = word
            self._row.addWidget(button)
        self._row.addWidget(self._box)
        behind = " · ".join(part for part in (told(about.unit), limits_of(about)) if part)
        if behind:
            unit = QLabel(behind)
            unit.setProperty("role", "quiet")
            self._row.addWidget(unit)
        self._show_word(None, chosen=False)

    def value(self) -> object:
        """Return the chosen word, or the content of the box."""
        for button, word in self._words.items():
            if button.isChecked():
                return word
        return self._box.number() if isinstance(self._box, NumberBox) else self._box.text()

    def set_value(self, value: object) -> None:
        """Show a word as chosen, or a value in the box."""
        chosen = value is None or (value in self._words.values() and self.about.kind is not ParameterKind.TEXT)
        self._show_word(value, chosen)
        if chosen:
            return
        if not isinstance(self._box, NumberBox):
            self._box.setText(str(value))
        elif isinstance(value, int | float):
            self._box.set_number(value)

    def _show_word(self, word: object, chosen: bool) -> None:
        for button, own in self._words.items():
            button.setChecked(chosen and own == word)

    def _on_word(self) -> None:
        pressed = self.sender()
        for button in self._words:
            if button is not pressed:
                button.setChecked(False)
        if not any(button.isChecked() for button in self._words):
            self._fill()
            self._box.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit()

    def _fill(self) -> None:
        """Put a valid number in the empty box when its word is no longer chosen."""
        if isinstance(self._box, NumberBox) and not self._box.text():
            default = self.about.default
            usable = isinstance(default, int | float) and not isinstance(default, bool)
            lowest = self.about.lower if self.about.lower is not None else 0
            self._box.set_number(default if usable else lowest + (1 if self.about.lower_open else 0))

    def _on_edited(self) -> None:
        self._show_word(None, chosen=False)
        self.changed.emit()


def control_for(about: Parameter) -> ParameterControl:
    """Return the control of a parameter that is not a nested declaration."""
    if about.kind is ParameterKind.CHOICE or (about.kind is ParameterKind.SWITCH and about.optional):
        return ChoiceControl(about)
    return SwitchControl(about) if about.kind is ParameterKind.SWITCH else BoxControl(about)


_ARROWS_PX = 16
_LEAST_PX = 96
_WORDS_PX = 48  # padding, edge and arrow beside the words of a list


class Chooser(QComboBox):
    """A drop-down list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.setItemDelegate(QStyledItemDelegate(self))  # the style sheet's rules of rows hold for this delegate alone

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Return a small width, so that a long word ends in dots."""
        least = super().minimumSizeHint()
        return QSize(min(least.width(), grown(_LEAST_PX)), least.height())

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:  # noqa: N802 (Qt's name)
        """Set the text to draw, elided where it has no room."""
        super().initStyleOption(option)
        room, end = self.width() - _WORDS_PX, Qt.TextElideMode.ElideMiddle
        option.currentText = self.fontMetrics().elidedText(option.currentText, end, room)

    def event(self, event: QEvent) -> bool:
        """Show the whole word and its meaning as a tooltip."""
        if isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), f"{self.currentText()}\n{self.toolTip()}".strip(), self)
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Leave the wheel to the page."""
        event.ignore()


class NumberBox(QLineEdit):
    """A field for a number of any size; arrow keys step by about a tenth of it, within its limits.

    Typed text stays as it is: the declaration decides whether it is valid.
    """

    def __init__(self, about: Parameter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._about = about
        self.setFixedWidth(grown(112))
        self.setTextMargins(0, 0, _ARROWS_PX, 0)

    def number(self) -> object:
        """Return the number, or the text itself if it is none."""
        text = self.text().strip()
        whole = self._about.kind is ParameterKind.WHOLE
        plain = typed_number(text.replace(" ", ""))
        try:
            return int(plain) if whole else float(plain)
        except ValueError:
            return text

    def set_number(self, value: float) -> None:
        """Show a number."""
        if self._about.kind is ParameterKind.WHOLE:
            self.setText(number(int(value)))
        else:
            self.setText(number(value, "g" if float(f"{value:g}") == value else ".15g"))

    def step(self, steps: int) -> None:
        """Step to the next round number, several times."""
        value = self.number()
        if not isinstance(value, int | float):
            return
        for _step in range(abs(steps)):
            value = stepped(self._about, value, up=steps > 0)
        self.set_number(value)
        self.textEdited.emit(self.text())

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Step with the arrow keys."""
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1, Qt.Key.Key_PageUp: 10, Qt.Key.Key_PageDown: -10}
        if event.key() in steps:
            self.step(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Step with the arrows."""
        if event.position().x() > self.width() - _ARROWS_PX - 4:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.step(1 if event.position().y() < self.height() / 2 else -1)
        else:
            super().mousePressEvent(event)


def stepped(about: Parameter, value: float, up: bool) -> float:
    """Return the next round number above or below, within the limits of a parameter.

    A step is about a tenth of the number: a power of two where the default is one, else of ten.
    """
    whole = about.kind is ParameterKind.WHOLE
    size = abs(value)
    default = about.default if isinstance(about.default, int) and not isinstance(about.default, bool) else 0
    if whole and default > 4 and default & (default - 1) == 0:
        step: float = 2 ** max(0, int(math.log2(max(size, 1))) - 3)
        if not up and size and size == 2 ** int(math.log2(size)):
            step = max(1, step // 2)
    else:
        power = max(-15, math.floor(math.log10(size))) if size else (0 if whole else -1)
        if not up and size and math.isclose(size, 10.0**power):
            power -= 1
        step = max(1, 10 ** max(0, power - 1)) if whole else 10.0 ** (power if size < 1 else power - 1)
    next_one = (math.floor(value / step + 1e-9) + 1) * step if up else (math.ceil(value / step - 1e-9) - 1) * step
    next_one = int(next_one) if whole else float(f"{next_one:.6g}")
    if about.lower is not None and (next_one < about.lower or (about.lower_open and next_one <= about.lower)):
        return value if about.lower_open else (int(about.lower) if whole else about.lower)
    if about.upper is not None and (next_one > about.upper or (about.upper_open and next_one >= about.upper)):
        return value if about.upper_open else (int(about.upper) if whole else about.upper)
    return next_one


_NO_LIMIT = 1e15
"""Limits from here on only keep numbers finite, and are not shown."""


def told(text: str) -> str:
    """Return a text of a declaration in the language of the window."""
    return _(text) if text else ""


def parameter_label(about: Parameter) -> str:
    """Return the label of a parameter: "Training items" for ``training_items``."""
    return capital(told(about.name.replace("_", " ")))


def choice_word(about: Parameter, value: object) -> str:
    """Return the name of a choice: of a language in that language, else in that of the window."""
    if value is None:
        return capital(told("none"))
    if isinstance(value, bool):
        return capital(told("on" if value else "off"))
    if names_languages(about) and value != "system":
        return capital(QLocale(str(value)).nativeLanguageName())
    # "pca" is shown as it is typed; words of preferences are not
    typed = about.kind is ParameterKind.CHOICE and not about.group
    return told(str(value)) if typed else capital(told(str(value)))


def names_languages(about: Parameter) -> bool:
    """Return whether the words of a parameter are languages."""
    return about.name == "language"


def capital(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def limits_of(about: Parameter) -> str:
    """Return the accepted range, such as "1 to 16,384"; empty without limits."""
    if about.kind not in (ParameterKind.WHOLE, ParameterKind.NUMBER):
        return ""
    low, high = about.lower, about.upper
    if high is not None and high >= _NO_LIMIT:
        high = None
    if low is not None and high is not None and not about.lower_open and not about.upper_open:
        return _("{low} to {high}", low=low, high=high)
    said = []
    if low is not None:
        said.append(_("above {low}", low=low) if about.lower_open else _("at least {low}", low=low))
    if high is not None:
        said.append(_("below {high}", high=high) if about.upper_open else _("at most {high}", high=high))
    return ", ".join(said)


def declaration_name(option: type[Declaration]) -> str:
    """Return the name of a class in a list: its title, and in plain words what it compares."""
    plain = str(getattr(option, "plain_name", ""))
    return f"{told(option.title)}  ·  {told(plain)}" if plain else told(option.title)
