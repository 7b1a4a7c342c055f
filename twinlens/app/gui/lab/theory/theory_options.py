"""Topics of theory in words, and the options of each: index, kernel and numbers, with their defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from twinlens.app.gui.forms.parameter_controls import Chooser, NumberBox
from twinlens.app.gui.look.flow_layout import Flow
from twinlens.app.gui.look.page_parts import column_of, row_of
from twinlens.app.gui.look.theme import grown
from twinlens.app.language.texts import _
from twinlens.core.declaration.parameters import Parameter, ParameterKind

Value = str | int | float
OPTION_NAMES = {
    "rank": ("index", "kernel", "landmarks", "bits", "scale", "size", "seed"),
    "hamming": ("index", "kernel", "bits", "size", "seed"),
    "bounds": ("index", "kernel", "size", "seed"),
    "rotation": ("index", "bits", "size", "seed"),
    "metric": ("metric", "seed"),
}
"""The options of each topic."""

_NUMBERS = {
    "landmarks": (20, 500, 500), "bits": (8, 1_024, 256), "size": (100, 10_000, 2_000), "seed": (0, 9_999, 0),
    "scale": (0.0, 50.0, 3.0),
}  # fmt: skip
"""Least, most and default."""


def _parameter(name: str) -> Parameter:
    low, high, default = _NUMBERS[name]
    kind = ParameterKind.NUMBER if isinstance(default, float) else ParameterKind.WHOLE
    return Parameter(name, kind, default, low, high, False, False, "", option_help(name), (), False, False, None)


class TheoryOptions(QWidget):
    """Form with the options of a topic.

    Signals
    -------
    changed
        The person has chosen something else.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._flow = Flow(10)
        self._kind = ""
        self._usual: Mapping[str, Value] = {}
        self._options: dict[str, Sequence[tuple[str, str]]] = {}
        self._values: dict[str, dict[str, Value]] = {}
        self._controls: dict[str, Chooser | NumberBox] = {}
        self._defaults: dict[str, Value] = {}
        self._reset = QPushButton()
        column_of(self._flow, on=self, margins=0)

    def offer(self, options: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        """Set indexes, metrics and the kernels of each kind, each as value and label; the first is the default.

        Kernels are named "kernel of KIND".
        """
        if self._options == dict(options):
            return
        self._options = dict(options)
        if self._kind:
            self.show_kind(self._kind)

    def begin_with(self, usual: Mapping[str, Value]) -> None:
        """Set values that the person has not chosen; impossible ones are left out."""
        self._usual = usual

    def show_kind(self, kind: str) -> None:
        """Show the options of a topic with their last values."""
        self._kind = kind
        self._defaults = {name: self._default(name) for name in OPTION_NAMES[kind]}
        self._controls = {}
        shown: list[QWidget] = []
        for name in OPTION_NAMES[kind]:
            control = self._control(name)
            if control is None:
                continue
            self._controls[name] = control
            self._set(name, self._values.get(kind, {}).get(name, self._defaults[name]))
            shown.append(_labelled(name, control))
        self._reset = QPushButton(_("Defaults"))
        self._reset.setObjectName("link")
        self._reset.setToolTip(_("Reset to defaults"))
        self._reset.clicked.connect(self._on_reset)
        place = QWidget()
        row_of(self._reset, on=place, margins=0)
        place.setFixedHeight(shown[0].sizeHint().height() if shown else 30)
        self._flow.set_widgets([*shown, place])
        self._show_reset()

    def values(self) -> dict[str, Value]:
        """Return the chosen values."""
        return {name: self._value(name) for name in self._controls}

    def state(self) -> dict[str, dict[str, Value]]:
        """Return the chosen values of every topic, to remember."""
        return {kind: dict(values) for kind, values in self._values.items() if values}

    def set_state(self, state: object) -> None:
        """Restore remembered values; impossible ones return to their defaults."""
        self._values = {}
        if isinstance(state, dict):
            for kind, values in state.items():
                if kind in OPTION_NAMES and isinstance(values, dict):
                    self._values[kind] = {
                        name: value
                        for name, value in values.items()
                        if name in OPTION_NAMES[kind] and isinstance(value, str | int | float)
                    }

    def _default(self, name: str) -> Value:
        wanted = self._usual.get(name)
        if name in _NUMBERS:
            low, high, usual = _NUMBERS[name]
            return wanted if isinstance(wanted, int | float) and low <= wanted <= high else usual
        options = [value for value, __ in self._options_of(name)]
        return str(wanted) if wanted in options else options[0] if options else ""

    def _options_of(self, name: str) -> Sequence[tuple[str, str]]:
        return self._options.get(f"{name} of {self._kind}", self._options.get(name, ()))

    def _control(self, name: str) -> Chooser | NumberBox | None:
        made: Chooser | NumberBox
        if name in _NUMBERS:
            made = NumberBox(_parameter(name))
            made.setFixedWidth(grown(76))
            made.textEdited.connect(self._on_changed)
            made.editingFinished.connect(lambda: self._set(name, self._value(name)))
        else:
            options = self._options_of(name)
            if not options:
                return None
            made = Chooser()
            made.setMaximumWidth(160)
            for value, words in options:
                made.addItem(words, value)
            made.activated.connect(self._on_changed)
        made.setAccessibleName(option_label(name))
        made.setToolTip(option_help(name))
        return made

    def _value(self, name: str) -> Value:
        control = self._controls[name]
        if isinstance(control, Chooser):
            return str(control.currentData())
        low, high, default = _NUMBERS[name]
        number = control.number()  # the text itself, where it is none
        return min(max(number, low), high) if isinstance(number, int | float) else default

    def _set(self, name: str, value: Value) -> None:
        control = self._controls[name]
        if isinstance(control, Chooser):
            control.setCurrentIndex(max(0, control.findData(value)))
        elif isinstance(value, int | float):
            control.set_number(value)

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
        usual = all(self._value(name) == self._defaults[name] for name in self._controls)
        self._reset.setVisible(not usual)


def _labelled(name: str, control: QWidget) -> QWidget:
    made = QWidget()
    label = QLabel(option_label(name))
    label.setObjectName("quiet")
    label.setBuddy(control)
    label.setToolTip(option_help(name))
    row = row_of(label, control, on=made, gap=6, margins=0)
    row.setAlignment(Qt.AlignmentFlag.AlignVCenter)
    return made


KINDS = ("rank", "hamming", "bounds", "rotation", "metric")


@dataclass(frozen=True)
class TheoryTopic:
    """A topic of theory: its heading, its title in the list, and its introduction."""

    heading: str
    short: str
    background: str


def theory_topic(kind: str) -> TheoryTopic:
    """Return the topic of a kind of theory."""
    return {
        "rank": TheoryTopic(
            _("What does rank do to KLSH on your photos?"),
            _("What does rank do to KLSH?"),
            _(
                "KLSH hashes a photo by where it lies in the space of a kernel, of which it knows a sample: the "
                "landmarks. The rank says how many of the sample's leading directions count. The first ones hold what "
                "photos differ in; the last ones are little more than chance."
            ),
        ),
        "hamming": TheoryTopic(
            _("How well do bits tell how alike two photos are?"),
            _("What do bits tell of a kernel?"),
            _(
                "Bits of random waves differ the more often, the less alike two photos are under a kernel that "
                "depends on their difference alone. Theory says how often to expect it, and within which bounds; every "
                "pair of photos shows how far off it is."
            ),
        ),
        "bounds": TheoryTopic(
            _("How much work do norm bounds spare an exact search?"),
            _("What do norm bounds spare?"),
            _(
                "Two photos cannot be nearer than their norms differ. An exact search that knows the norms "
                "can leave out, uncompared, what is too far by this bound (1). The paper's second bound is not true "
                "of every pair: it may lose neighbours."
            ),
        ),
        "rotation": TheoryTopic(
            _("What does the rotation of ITQ gain?"),
            _("What does a rotation gain?"),
            _(
                "ITQ keeps the directions in which photos differ most, and of each one bit: its sign. Before it "
                "takes signs it turns the directions, step by step, so that photos come to lie as near as can be "
                "to the corners of a cube, where signs lose least."
            ),
        ),
        "metric": TheoryTopic(
            _("What has a metric learned from your marks?"),
            _("What has a metric learned?"),
            _(
                "A metric learned from marks stretches directions in which photos that you call different lie "
                "apart, and shrinks those in which alike ones do; most stay as they are."
            ),
        ),
    }[kind]


def option_label(name: str) -> str:
    """Return the label of an option."""
    return {
        "index": _("Photos of"),
        "kernel": _("Kernel"),
        "metric": _("Metric"),
        "landmarks": _("Landmarks"),
        "bits": _("Bits"),
        "scale": _("Transform s"),
        "size": _("Sample"),
        "seed": _("Seed"),
    }[name]


def option_help(name: str) -> str:
    """Return the help of an option."""
    return {
        "index": _("The index whose vectors are examined"),
        "kernel": _("How photos are compared; its own is the one that the index ranks by"),
        "metric": _("One of the metrics that were learned from marks"),
        "landmarks": _("Photos that the space of the kernel is learned from, 20 to 500"),
        "bits": _("Length of the codes, 8 to 1,024"),
        "scale": _("Scale of the transform exp(s (k − 1)) that is held against none; 0 for none"),
        "size": _("Most photos that are examined; more take longer"),
        "seed": _("Of everything that is drawn by chance: another one shows how much chance does"),
    }[name]
