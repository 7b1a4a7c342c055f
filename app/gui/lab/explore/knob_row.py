"""One parameter: its name, its value, what it is turned by, and a sentence that says what turning it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from app.gui.forms.declaration_words import limits_of, told
from app.gui.forms.number_boxes import Chooser
from app.gui.lab.explore.curve_slider import CurvePoint, CurveSlider
from app.gui.lab.explore.explore_words import value_words
from app.gui.look.flow_layout import FlowLayout
from app.gui.look.page_parts import label, set_role
from app.gui.look.quiet_button import Switch
from app.gui.look.sentences import small, strong
from app.gui.look.text_size import grown
from app.gui.process.outlived import outlived
from app.language.spoken import _, text
from core.declaration.parameters import ParameterKind

if TYPE_CHECKING:
    from app.lab.explore.knobs import Knob


class KnobRow(QWidget):
    """Shows one knob.

    Signals
    -------
    turned(str, object)
        Its path, and the value that is wanted.
    typed(str, str)
        Its path, and what was written as its value.
    held(bool)
    looked_at(str)
    """

    turned = Signal(str, object)
    typed = Signal(str, str)
    held = Signal(bool)
    looked_at = Signal(str)

    def __init__(self, knob: Knob, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.knob = knob
        self._value: Any = knob.default
        self._name = label(told(knob.name))
        self._name.setFont(strong(self._name.font()))
        self._unit = label(told(knob.about.unit), "quiet")
        self._field = QLineEdit()
        self._field.setFixedWidth(grown(84))
        self._field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._field.setAccessibleName(_("Value of {name}", name=told(knob.name)))
        self._field.returnPressed.connect(self._on_typed)
        self._field.installEventFilter(self)
        self.slider = CurveSlider(told(knob.name))
        self.slider.moved.connect(self._on_moved)
        self.slider.reset.connect(lambda: self.turned.emit(self.knob.path, self.knob.default))
        self.slider.held.connect(self.held)
        self.slider.looked_at.connect(lambda: self.looked_at.emit(self.knob.path))
        self._chooser, self._switch = Chooser(), Switch()
        self._chooser.activated.connect(self._on_moved)
        self._switch.toggled.connect(self._on_switched)
        for widget in (self._chooser, self._switch):
            widget.setAccessibleName(told(knob.name))
            widget.installEventFilter(self)
        self._said = label("", "quiet")
        self._said.setFont(small(self._said.font()))
        self._said.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._lay_out()
        self.set_knob(knob, knob.default)

    def _lay_out(self) -> None:
        head = FlowLayout(line_gap=2, right=True)
        self._name.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        head.addWidget(self._name)
        for widget in (self._chooser, self._switch, self._field, self._unit):
            head.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 2)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.slider)
        column.addWidget(self._said)
        self._said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._said.setFixedHeight(self._said.fontMetrics().height() + 2)
        self._chooser.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._chooser.setMinimumContentsLength(14)

    def set_knob(self, knob: Knob, value: Any) -> None:
        """Show another state of the same parameter."""
        self.knob, self._value = knob, value
        plain = knob.about.kind is not ParameterKind.SWITCH and not knob.slides
        self.slider.setVisible(knob.slides)
        self._field.setVisible(knob.slides)
        self._unit.setVisible(knob.slides and bool(knob.about.unit))
        self._said.setVisible(knob.slides or bool(knob.why_not))
        self._chooser.setVisible(plain)
        self._switch.setVisible(knob.about.kind is ParameterKind.SWITCH)
        shown = getattr(value, "key", value)
        if knob.slides:
            words = value_words(knob.stops[0]), value_words(knob.stops[-1])
            self.slider.set_stops(len(knob.stops), knob.place(value), knob.place(knob.default), words)
            if not self._field.hasFocus():
                self._field.setText(value_words(value))
        elif plain:
            self._chooser.blockSignals(True)
            if [self._chooser.itemText(n) for n in range(self._chooser.count())] != list(knob.stops):
                self._chooser.clear()
                self._chooser.addItems([told(str(stop)) for stop in knob.stops])
            self._chooser.setCurrentIndex(knob.place(shown))
            self._chooser.blockSignals(False)
        else:
            self._switch.blockSignals(True)
            self._switch.setChecked(bool(value))
            self._switch.blockSignals(False)
        self.setEnabled(not knob.why_not)
        default = _("usually {getattr}", getattr=value_words(getattr(knob.default, "key", knob.default)))
        self.setToolTip(
            text(knob.why_not)
            or f"{told(knob.about.help)}\n{limits_of(knob.about) or text(knob.about.accepted())}; {default}"
        )
        if knob.why_not:
            self.say(text(knob.why_not))

    def set_points(self, points: list[CurvePoint], pinned: Any = None, has_pinned: bool = False) -> None:
        """Show what is known along it."""
        self.slider.set_points(points, self.knob.place(pinned) if has_pinned else -1)

    def set_beside(self, words: str) -> None:
        """Write something beside the value, in the place of its unit."""
        self._unit.setText(words or told(self.knob.about.unit))
        self._unit.setVisible(self.knob.slides and bool(self._unit.text()))

    def say(self, sentence: str, wrong: bool = False) -> None:
        """Show what turning it did, or why it cannot be."""
        set_role(self._said, "error" if wrong else "quiet")
        self._said.setVisible(self.knob.slides or bool(sentence))
        self._said.setToolTip(sentence)
        self._write_said()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Show as much of the sentence as there is room for."""
        super().resizeEvent(event)
        self._write_said()

    def _write_said(self) -> None:
        measure, words = self._said.fontMetrics(), self.said()
        if self.knob.why_not:  # stands as long as the row does: it may take lines
            folded = measure.boundingRect(0, 0, self.width(), 1_000, Qt.TextFlag.TextWordWrap, words)
            height = folded.height()
        else:
            words, height = measure.elidedText(words, Qt.TextElideMode.ElideRight, self.width()), measure.height()
        self._said.setWordWrap(bool(self.knob.why_not))
        self._said.setFixedHeight(height + 2)
        self._said.setText(words)

    def said(self) -> str:
        """Return the sentence, whole."""
        return self._said.toolTip()

    def reset_field(self) -> None:
        """Write the value that holds."""
        self._field.setText(value_words(self._value))

    def _on_moved(self, place: int) -> None:
        stop = self.knob.stops[place]
        if self.knob.slides:
            self._field.setText(value_words(stop))
        self.turned.emit(self.knob.path, stop)

    def _on_switched(self, on: bool) -> None:
        self.turned.emit(self.knob.path, on)

    def _on_typed(self) -> None:
        self.typed.emit(self.knob.path, self._field.text())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Return what is looked at; a value that was not taken with Enter is let go."""
        if outlived(self):
            return False
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.Enter):
            self.looked_at.emit(self.knob.path)
        if watched is self._field and event.type() == QEvent.Type.FocusOut:
            self._field.setText(value_words(self._value))
        return super().eventFilter(watched, event)
