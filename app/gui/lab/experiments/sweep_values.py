"""Several values of one knob, chosen by a click from what its declaration allows, or written."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.gui.forms.declaration_words import limits_of, parameter_label
from app.gui.forms.number_boxes import Chooser
from app.gui.look.flow_layout import Flow, FlowLayout
from app.gui.look.page_parts import label
from app.gui.look.text_size import grown
from app.language.spoken import _
from core.declaration.declaration import Declaration
from core.declaration.parameters import Parameter, ParameterKind

_SHOWN = 9  # values that are offered
_DOUBLINGS = 4  # below and above what is usual


def proposed_values(about: Parameter, now: object) -> list[str]:
    """Return values of a parameter that differ enough to tell something, in text form.

    Parameters
    ----------
    about : Parameter
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
    """Chooses the values that parameters of a declaration take one after the other.

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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self._offered)

    def show_of(self, made: Declaration, sweeps: dict[str, list[str]]) -> None:
        """Show the parameters of a declaration, and the values of one."""
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
