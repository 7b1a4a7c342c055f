"""Declarations chosen by a click on their cards, each with its knobs and its text form, which may be a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.bench.experiment import PEER
from app.bench.sweeps import swept
from app.gui.forms.declaration_form import DeclarationForm
from app.gui.forms.declaration_words import told
from app.gui.lab.experiments.choice_cards import ChoiceCards
from app.gui.lab.experiments.sweep_values import SweepValues
from app.gui.look.page_parts import button, label
from app.gui.look.text_size import grown
from app.lab.experiments.sweep_text import put_together, taken_apart
from app.language.spoken import _, number, text
from core.declaration.declaration import Declaration, read_declaration
from core.errors import DeclarationError

Options = Sequence[type[Declaration]]


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
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.edit, 1)
        row.addWidget(self._count)
        row.addWidget(remove)
        self._check()

    def text(self) -> str:
        """Return the text form."""
        return self.edit.text().strip()

    def key(self) -> str:
        """Return the kind of the declaration."""
        return self.text().partition(":")[0]

    def set_text(self, text: str) -> None:
        """Show another text form."""
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


class SweepList(QWidget):
    """Edits declarations.

    Parameters
    ----------
    options : tuple of Declaration classes
    name : str
        What one of them is, such as "method".

    Signals
    -------
    changed
        Something is other than it was, whether it can be or not.
    """

    changed = Signal()

    def __init__(self, options: Options, name: str) -> None:
        super().__init__()
        self._options, self._name = options, name
        self._lines: list[_SweepLine] = []
        self._current: _SweepLine | None = None
        self._column = QVBoxLayout()
        self._column.setSpacing(6)
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
        below = QHBoxLayout()
        below.setSpacing(16)
        below.addWidget(add)
        below.addWidget(self._more)
        below.addStretch()
        self._sheet = QWidget()
        self._form = DeclarationForm(options, name, text_line=False)
        self._form.changed.connect(self._on_form)
        self._sweeps = SweepValues()
        self._sweeps.changed.connect(self._on_form)
        sheet = QVBoxLayout(self._sheet)
        sheet.setContentsMargins(0, 8, 0, 0)
        sheet.setSpacing(8)
        sheet.addWidget(self._sweeps)
        sheet.addWidget(self._form)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.cards)
        column.addLayout(self._column)
        column.addWidget(self._fault)
        column.addLayout(below)
        column.addWidget(self._sheet)
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
        """Choose a kind, or no longer."""
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
