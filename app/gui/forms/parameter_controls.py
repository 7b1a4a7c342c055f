"""A control for each kind of parameter: what it shows is the value, or a word such as ``auto`` or ``none``."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from app.gui.forms.declaration_words import choice_word, limits_of, parameter_label, told
from app.gui.forms.number_boxes import Chooser, NumberBox
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.quiet_button import Switch
from app.language.spoken import text
from core.declaration.parameters import Parameter, ParameterKind


class ParameterControl(QWidget):
    """Base of the controls.

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
        """Return the value as the declaration takes it; it may be refused there."""
        raise NotImplementedError

    def set_value(self, value: object) -> None:
        """Show a value, without telling."""
        raise NotImplementedError

    def name_parts(self, widget: QWidget) -> None:
        """Set the accessible name of the part that takes the focus, and its limits and help as description."""
        name, unit = parameter_label(self.about), told(self.about.unit)
        widget.setAccessibleName(f"{name}, {unit}" if unit and unit.lower() != name.lower() else name)
        widget.setAccessibleDescription(f"{limits_of(self.about)}. {told(self.about.help)}".removeprefix(". "))
        widget.setToolTip(f"{self.about.name}={text(self.about.accepted())}")
        self.setFocusProxy(widget)

    def set_wrong(self, wrong: bool) -> None:
        """Mark or unmark the value as one that cannot be."""
        for widget in self.findChildren(QLineEdit):
            if widget.property("wrong") != wrong:
                widget.setProperty("wrong", wrong)
                widget.style().polish(widget)


class SwitchControl(ParameterControl):
    """True or false."""

    def __init__(self, about: Parameter) -> None:
        super().__init__(about)
        self._switch = Switch()
        self.name_parts(self._switch)
        self._switch.clicked.connect(self.changed)
        self._row.addWidget(self._switch)

    def value(self) -> object:
        """Return whether it is on."""
        return self._switch.isChecked()

    def set_value(self, value: object) -> None:
        """Turn it on or off."""
        self._switch.setChecked(bool(value))


class ChoiceControl(ParameterControl):
    """One of several words; also true or false where none of both may be meant."""

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
        """Return the chosen one."""
        return self._values[self._chooser.currentIndex()]

    def set_value(self, value: object) -> None:
        """Choose one."""
        self._chooser.setCurrentIndex(self._values.index(value))


class BoxControl(ParameterControl):
    """A number or a text, and beside it buttons for the words that are taken instead."""

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
        """Return the word that is chosen, or what stands in the box."""
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
        """Put some number that can be in the empty box, when its word is no longer chosen."""
        if isinstance(self._box, NumberBox) and not self._box.text():
            default = self.about.default
            usable = isinstance(default, int | float) and not isinstance(default, bool)
            lowest = self.about.lower if self.about.lower is not None else 0
            self._box.set_number(default if usable else lowest + (1 if self.about.lower_open else 0))

    def _on_edited(self) -> None:
        self._show_word(None, chosen=False)
        self.changed.emit()


def control_for(about: Parameter) -> ParameterControl:
    """Make the control of a parameter that is no nested declaration."""
    if about.kind is ParameterKind.CHOICE or (about.kind is ParameterKind.SWITCH and about.optional):
        return ChoiceControl(about)
    return SwitchControl(about) if about.kind is ParameterKind.SWITCH else BoxControl(about)
