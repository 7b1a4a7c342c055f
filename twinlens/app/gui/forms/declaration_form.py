"""The form of a family of declarations, made from its classes: a choice of one, its parameters, its text form.

A parameter may be a choice of a declaration again.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from twinlens.app.gui.forms.parameter_controls import (
    Chooser,
    ParameterControl,
    control_for,
    declaration_name,
    parameter_label,
    told,
)
from twinlens.app.gui.look.page_parts import column_of
from twinlens.app.gui.look.page_parts import label as made_label
from twinlens.app.language.texts import _, _n, text
from twinlens.core.declaration.declaration import Declaration, read_declaration
from twinlens.core.declaration.parameters import Parameter, ParameterKind
from twinlens.core.errors import DeclarationError

Options = Sequence[type[Declaration]]


class DeclarationForm(QWidget):
    """Form of one declaration: the choice of its class, and its parameters.

    Parameters
    ----------
    options : sequence of Declaration classes
        The classes of the family; a single class offers only its parameters.
    name : str
        Accessible name of the choice.
    text_line : bool
        Whether the text form is shown and can be edited.
    fold : bool
        Whether the later parameters of a long list are folded behind a button.
    changed
        The person has made another valid declaration.
    validity_changed : bool
        Whether the form is valid.
    """

    changed = Signal()
    validity_changed = Signal(bool)

    def __init__(
        self,
        options: Options,
        name: str = "",
        text_line: bool = True,
        fold: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._options = tuple(options)
        self._valid = True
        self._family = FamilyBox(self._options, name, fold=fold)
        self._family.changed.connect(self._on_fields_changed)
        self._text = QLineEdit()
        self._text.setAccessibleName(_("As text"))
        self._text.setToolTip(_("The text form, as the command line and experiment files take it"))
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.textEdited.connect(self._on_text_edited)
        self._error = QLabel()
        self._error.setProperty("role", "error")
        self._error.setWordWrap(True)
        self._error.setMinimumHeight(2 * self._error.fontMetrics().lineSpacing())
        column = column_of(self._family, 8 if text_line else 0, on=self, gap=4, margins=0)
        self.setFocusProxy(self._family)
        heading = QLabel(_("As text"))
        heading.setProperty("role", "quiet")
        heading.setBuddy(self._text)
        for widget in (heading, self._text, self._error):
            column.addWidget(widget)
            widget.setVisible(text_line)
        column.addStretch(1)
        self._value = self._now()
        self._text.setText(self._value.text())

    def value(self) -> Declaration:
        """Return the declaration; where the form is invalid, the last valid one."""
        return self._value

    def is_valid(self) -> bool:
        """Return whether the form is valid."""
        return self._valid

    def set_value(self, value: Declaration) -> None:
        """Show a declaration, without a signal."""
        self._family.set_value(value)
        self._value = value
        self._text.setText(value.text())
        self._take_error("", valid=True)

    def text(self) -> str:
        """Return the text form of the declaration."""
        return self._value.text()

    def _now(self) -> Declaration:
        made = self._family.value()
        assert made is not None
        return made

    def _on_fields_changed(self) -> None:
        try:
            made = self._now()
        except DeclarationError:
            self._take_error("", valid=False)  # the field itself shows the error
            return
        self._text.setText(made.text())
        self._take(made)

    def _on_text_edited(self, text: str) -> None:
        try:
            made = read_declaration(self._options, text)
        except DeclarationError as error:
            self._take_error(str(error), valid=False)
            return
        self._family.set_value(made)
        self._take(made)

    def _take(self, made: Declaration) -> None:
        new, self._value = made != self._value, made
        self._take_error("", valid=True)
        if new:
            self.changed.emit()

    def _take_error(self, sentence: str, valid: bool) -> None:
        self._error.setText(sentence)
        was, self._valid = self._valid, valid
        if was != self._valid:
            self.validity_changed.emit(self._valid)


_LABELS_PX = 152
_FEW = 4  # parameters up to which nothing is folded
_FIRST = 3  # parameters before the fold of a longer form


class FamilyBox(QWidget):
    """Box that chooses a class of a family, and shows the fields of the chosen one.

    Signals
    -------
    changed
        The person has chosen or changed something; :meth:`value` says whether it is valid.
    """

    changed = Signal()

    def __init__(self, options: Options, name: str = "", optional: bool = False, fold: bool = True) -> None:
        super().__init__()
        self._options = list(options)
        self._fold = fold
        self._fields: ParameterFields | None = None
        self._made: dict[type[Declaration], ParameterFields] = {}  # fields of the classes shown so far
        self._column = column_of(on=self, gap=8, margins=0)
        self._chooser = Chooser()
        self._chooser.setAccessibleName(name or _("Kind"))
        for option in self._options:
            self._chooser.addItem(declaration_name(option))
        if optional:
            self._chooser.addItem(_("None"))
        self._chooser.activated.connect(self._on_chosen)
        self._chooser.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._summary = _wrapped("help")
        self._chosen_from = len(self._options) + optional > 1
        for widget in (self._chooser, self._summary):
            self._column.addWidget(widget)
            widget.setVisible(self._chosen_from)
        if self._chosen_from:
            self.setFocusProxy(self._chooser)
        self._show_fields(0, {})

    def value(self) -> Declaration | None:
        """Return the declaration.

        Raises
        ------
        DeclarationError
            If a value is invalid; its field shows why.
        """
        return None if self._fields is None else self._fields.value()

    def set_value(self, value: Declaration | None) -> None:
        """Show a declaration, without a signal."""
        if value is None:
            self._show_fields(len(self._options), {})
            return
        place = next(i for i, option in enumerate(self._options) if option.key == value.key)
        self._show_fields(place, {about.name: getattr(value, about.name) for about in value.parameters()})

    def _on_chosen(self, place: int) -> None:
        # Parameters that the old and the new class share keep their values: nobody wants to lose the number of bits.
        self._show_fields(place, {} if self._fields is None else self._fields.raw())
        self.changed.emit()

    def _show_fields(self, place: int, values: dict[str, object]) -> None:
        self._chooser.setCurrentIndex(place)
        option = self._options[place] if place < len(self._options) else None
        for other, fields in self._made.items():
            fields.setVisible(other is option and bool(other.parameters()))
        if option is None:
            self._fields = None
            self._summary.setText(_("Nothing."))
            return
        self._summary.setText(told(option.summary()))
        paper = f"\n\n{option.paper}" if option.paper else ""
        explained = "\n\n".join(told(paragraph) for paragraph in option.paragraphs())
        self._chooser.setToolTip(f"{explained}{paper}".strip())
        if option not in self._made:
            made = self._made[option] = ParameterFields(option, self._fold)
            made.changed.connect(self.changed)
            self._column.addWidget(made)
            made.setVisible(bool(option.parameters()))
        self._fields = self._made[option]
        self._fields.set_values(values)


class ParameterFields(QWidget):
    """The fields of one class's parameters, each with name, control, unit, limits and help."""

    changed = Signal()

    def __init__(self, option: type[Declaration], fold: bool = True) -> None:
        super().__init__()
        self.option = option
        self._controls: dict[str, ParameterControl | FamilyBox] = {}
        self._helps: dict[str, QLabel] = {}
        parameters = option.parameters()
        first = [about for place, about in enumerate(parameters) if not fold or _stands_first(place, about, parameters)]
        rest = [about for about in parameters if about not in first]
        column = column_of(self._grid(first), on=self, gap=8, margins=(0, 8, 0, 0))
        self._rest_names = {about.name for about in rest}
        self._rest = self._grid(rest)
        self._more = QPushButton()
        self._more.setProperty("role", "fold")
        self._more.setCheckable(True)
        self._more.toggled.connect(self._on_more)
        if rest:
            self._more.setAccessibleName(_("More parameters"))
            column.addWidget(self._more, alignment=Qt.AlignmentFlag.AlignLeft)
            column.addWidget(self._rest)
        self._on_more(False)

    def raw(self) -> dict[str, object]:
        """Return the values of the fields, valid or not, without invalid nested choices."""
        found: dict[str, object] = {}
        for name, control in self._controls.items():
            try:
                found[name] = control.value()
            except DeclarationError:
                continue
        return found

    def value(self) -> Declaration:
        """Return the declaration; an invalid field shows why.

        Raises
        ------
        DeclarationError
            If a value is invalid.
        """
        values: dict[str, object] = {}
        fault: DeclarationError | None = None
        for name, control in self._controls.items():
            wrong: DeclarationError | None = None
            try:
                values[name] = control.value()
                self.option(**{name: values[name]})
            except DeclarationError as error:
                wrong = fault = error
            if isinstance(control, ParameterControl):
                self._tell(name, control, wrong)
        if fault is not None:
            raise fault
        return self.option(**values)

    def set_values(self, values: dict[str, object]) -> None:
        """Show the given valid values, and defaults for all others."""
        hidden = False
        for about in self.option.parameters():
            value = about.default
            if about.name in values:
                try:
                    value = getattr(self.option(**{about.name: values[about.name]}), about.name)
                except DeclarationError:
                    value = about.default
            control = self._controls[about.name]
            if isinstance(control, FamilyBox):
                control.set_value(value)
            else:
                control.set_value(value)
                self._tell(about.name, control, None)
            hidden |= about.name in self._rest_names and value != about.default
        if hidden:  # a changed parameter must be visible
            self._more.setChecked(True)

    def _tell(self, name: str, control: ParameterControl, wrong: DeclarationError | None) -> None:
        line = self._helps[name]
        line.setText(told(control.about.help) if wrong is None else _of_field(self.option, wrong))
        _set_role(line, "help" if wrong is None else "error")
        control.set_wrong(wrong is not None)

    def _grid(self, parameters: Sequence[Parameter]) -> QWidget:
        widget = QWidget()
        grid = QGridLayout(widget)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, _LABELS_PX)
        grid.setColumnStretch(1, 1)
        group, row = "", 0
        for about in parameters:
            if about.group != group:
                group = about.group
                grid.setRowMinimumHeight(row, 16 if row else 0)
                grid.addWidget(made_label(told(group), "section"), row + 1, 0, 1, 2)
                grid.setRowMinimumHeight(row + 2, 8)
                row += 3
            label = QLabel(parameter_label(about))
            label.setMinimumHeight(30)
            grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
            control = self._control(about)
            label.setBuddy(control)
            self._helps[about.name] = help_line = _wrapped("help")
            help_line.setText(told(about.help))
            if isinstance(control, FamilyBox):
                grid.addWidget(help_line, row, 1)
                grid.addWidget(_indented(control), row + 1, 1)
            else:
                grid.addWidget(control, row, 1)
                grid.addWidget(help_line, row + 1, 1)
            grid.setRowMinimumHeight(row + 2, 8)
            row += 3
        return widget

    def _control(self, about: Parameter) -> ParameterControl | FamilyBox:
        control: ParameterControl | FamilyBox
        if about.kind is ParameterKind.DECLARATION and about.options is not None:
            control = FamilyBox(tuple(about.options()), parameter_label(about), about.optional)
        else:
            control = control_for(about)
        control.changed.connect(self.changed)
        self._controls[about.name] = control
        return control

    def _on_more(self, shown: bool) -> None:
        self._rest.setVisible(shown)
        count = len(self._rest_names)
        words = _("Fewer") if shown else _n("{count} more", "{count} more", count)
        self._more.setText(f"{'▾' if shown else '▸'}  {words}")


def _stands_first(place: int, about: Parameter, parameters: Sequence[Parameter]) -> bool:
    return len(parameters) <= _FEW or place < _FIRST or about.shown or about.kind is ParameterKind.DECLARATION


def _of_field(option: type[Declaration], wrong: DeclarationError) -> str:
    """Return the error of a nested field without the name of its class."""
    sentence = text(wrong.message).removeprefix(f"{option.key}: ")
    return sentence[:1].upper() + sentence[1:]


def _wrapped(role: str) -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setProperty("role", role)
    return label


def _set_role(label: QLabel, role: str) -> None:
    if label.property("role") != role:
        label.setProperty("role", role)
        label.style().polish(label)


def _indented(widget: QWidget) -> QFrame:
    frame = QFrame()
    frame.setProperty("role", "nested")
    column_of(widget, on=frame, margins=(12, 4, 0, 4))
    return frame
