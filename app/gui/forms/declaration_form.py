"""The form of a family of declarations: made from the classes alone, beside its text form that can be typed as well."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from app.gui.forms.family_form import FamilyBox, Options
from app.language.spoken import _
from core.declaration.declaration import Declaration, read_declaration
from core.errors import DeclarationError


class DeclarationForm(QWidget):
    """Chooses and fills one declaration.

    Parameters
    ----------
    options : sequence of Declaration classes
        The family; where it is one class alone, there is nothing to choose but its parameters.
    name : str
        What is chosen, for those who cannot see the heading above.
    text_line : bool
        Whether the text form is shown, to be typed as well.
    fold : bool
        Whether the later parameters of a long list wait behind a button.

    Signals
    -------
    changed
        The person has made another declaration that can be.
    validity_changed : bool
        What stands in the form can be, or can no longer be.
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self._family)
        column.addSpacing(8 if text_line else 0)
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
        """Return the declaration; where what stands in the form cannot be, the last one that could."""
        return self._value

    def is_valid(self) -> bool:
        """Return whether what stands in the form can be."""
        return self._valid

    def set_value(self, value: Declaration) -> None:
        """Show a declaration, without telling of a change."""
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
            self._take_error("", valid=False)  # the field says what is wrong with it
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
