"""What can be chosen of a question: index, kernel, numbers; each with its default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QLabel, QPushButton, QSpinBox, QVBoxLayout, QWidget

from app.gui.forms.boxes import Chooser
from app.gui.lab.flow import Flow
from app.gui.theory.words import help_of, label_of

translate = QCoreApplication.translate

Value = str | int | float

NAMES = {
    "rank": ("index", "kernel", "landmarks", "bits", "scale", "size", "seed"),
    "hamming": ("index", "kernel", "bits", "size", "seed"),
    "bounds": ("index", "kernel", "size", "seed"),
    "rotation": ("index", "bits", "size", "seed"),
    "metric": ("metric", "seed"),
}
"""What each question lets one choose."""

_NUMBERS = {
    "landmarks": (20, 500, 50, 500), "bits": (8, 1_024, 32, 256), "size": (100, 10_000, 500, 2_000),
    "seed": (0, 9_999, 1, 0), "scale": (0.0, 50.0, 0.5, 3.0),
}  # fmt: skip
"""Least, most, step and default."""


class _Whole(QSpinBox):
    """A whole number, deaf to a wheel that only scrolls the page past it."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Change nothing."""
        event.ignore()


class _Number(QDoubleSpinBox):
    """A number, as deaf."""

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Change nothing."""
        event.ignore()


class Knobs(QWidget):
    """Shows what can be chosen of the question that is asked.

    Signals
    -------
    changed
        The person has chosen something else.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("head")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._flow = Flow(14)
        self._kind = ""
        self._options: dict[str, Sequence[tuple[str, str]]] = {}
        self._values: dict[str, dict[str, Value]] = {}
        self._controls: dict[str, Chooser | _Whole | _Number] = {}
        self._defaults: dict[str, Value] = {}
        self._reset = QPushButton()
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 8, 16, 8)
        column.addWidget(self._flow)

    def offer(self, options: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        """Offer indexes, metrics and the kernels of each kind, each as value and words; the first is usual.

        Kernels are named "kernel of KIND".
        """
        if self._options == dict(options):
            return
        self._options = dict(options)
        if self._kind:
            self.show_kind(self._kind)

    def show_kind(self, kind: str) -> None:
        """Show what can be chosen of a question, as it was left."""
        self._kind = kind
        self._defaults = {name: self._default(name) for name in NAMES[kind]}
        self._controls = {}
        shown: list[QWidget] = []
        for name in NAMES[kind]:
            control = self._control(name)
            if control is None:
                continue
            self._controls[name] = control
            self._set(name, self._values.get(kind, {}).get(name, self._defaults[name]))
            shown.append(_labelled(name, control))
        self._reset = QPushButton(translate("Theory", "Defaults"))
        self._reset.setObjectName("link")
        self._reset.setToolTip(translate("Theory", "Choose what is usual again"))
        self._reset.clicked.connect(self._on_reset)
        self._flow.set_widgets([*shown, self._reset])
        self._show_reset()

    def values(self) -> dict[str, Value]:
        """Give what is chosen."""
        return {name: self._value(name) for name in self._controls}

    def state(self) -> dict[str, dict[str, Value]]:
        """Give what is chosen of every question, to be remembered."""
        return {kind: dict(values) for kind, values in self._values.items() if values}

    def set_state(self, state: object) -> None:
        """Take what was remembered; what cannot be any more is usual again."""
        self._values = {}
        if isinstance(state, dict):
            for kind, values in state.items():
                if kind in NAMES and isinstance(values, dict):
                    self._values[kind] = {
                        name: value
                        for name, value in values.items()
                        if name in NAMES[kind] and isinstance(value, str | int | float)
                    }

    def _default(self, name: str) -> Value:
        if name in _NUMBERS:
            return _NUMBERS[name][3]
        options = self._options_of(name)
        return options[0][0] if options else ""

    def _options_of(self, name: str) -> Sequence[tuple[str, str]]:
        return self._options.get(f"{name} of {self._kind}", self._options.get(name, ()))

    def _control(self, name: str) -> Chooser | _Whole | _Number | None:
        made: Chooser | _Whole | _Number
        if name in _NUMBERS:
            low, high, step, _ = _NUMBERS[name]
            if name == "scale":
                made = _Number()
                made.setDecimals(1)
                made.setSpecialValueText(translate("Theory", "none"))
                made.setRange(low, high)
                made.setSingleStep(step)
                made.valueChanged.connect(self._on_changed)
            else:
                made = _Whole()
                made.setGroupSeparatorShown(True)
                made.setRange(int(low), int(high))
                made.setSingleStep(int(step))
                made.valueChanged.connect(self._on_changed)
            made.setKeyboardTracking(False)
            made.setFixedWidth(86)
        else:
            options = self._options_of(name)
            if not options:
                return None
            made = Chooser()
            for value, words in options:
                made.addItem(words, value)
            made.activated.connect(self._on_changed)
        made.setAccessibleName(label_of(name))
        made.setToolTip(help_of(name))
        return made

    def _value(self, name: str) -> Value:
        control = self._controls[name]
        if isinstance(control, Chooser):
            return str(control.currentData())
        return control.value()

    def _set(self, name: str, value: Value) -> None:
        control = self._controls[name]
        control.blockSignals(True)
        if isinstance(control, Chooser):
            control.setCurrentIndex(max(0, control.findData(value)))
        elif isinstance(control, _Whole):
            control.setValue(int(value) if isinstance(value, int | float) else int(self._defaults[name]))
        else:
            control.setValue(float(value) if isinstance(value, int | float) else float(self._defaults[name]))
        control.blockSignals(False)

    def _on_changed(self) -> None:
        self._values[self._kind] = {
            name: value for name, value in self.values().items() if value != self._defaults[name]
        }
        self._show_reset()
        self.changed.emit()

    def _on_reset(self) -> None:
        for name in self._controls:
            self._set(name, self._defaults[name])
        self._on_changed()

    def _show_reset(self) -> None:
        # It keeps its room, so that nothing moves when it comes.
        usual = all(self._value(name) == self._defaults[name] for name in self._controls)
        self._reset.setEnabled(not usual)


def _labelled(name: str, control: QWidget) -> QWidget:
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    label = QLabel(label_of(name))
    label.setObjectName("quiet")
    label.setBuddy(control)
    label.setToolTip(help_of(name))
    row.addWidget(label)
    row.addWidget(control)
    row.setAlignment(Qt.AlignmentFlag.AlignVCenter)
    return made
