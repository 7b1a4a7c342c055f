"""The choice of the metric of an index: none, one of the library, or one that is fitted with the index."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.gui.forms.declaration_form import DeclarationForm
from app.gui.forms.declaration_words import told
from app.gui.forms.number_boxes import Chooser
from app.gui.look.page_parts import label
from app.language.spoken import _
from app.learn.metric_results import MetricStatus
from core.declaration.declaration import Declaration, read_declaration
from core.errors import DeclarationError, TwinlensError
from core.message import Message

Options = Sequence[type[Declaration]]


class MetricChooser(QWidget):
    """Chooses the metric of an index, among those that suit its descriptor.

    Parameters
    ----------
    options : sequence of Declaration classes
        The metrics that can be fitted with an index.
    name : str
        What is chosen, for those who cannot see the heading above.

    Signals
    -------
    changed
        The person has chosen another metric, or another parameter of it.
    validity_changed : bool
        What stands in the form can be, or can no longer be.
    """

    changed = Signal()
    validity_changed = Signal(bool)

    def __init__(self, options: Options, name: str) -> None:
        super().__init__()
        self._options = [option for option in options if not getattr(option, "needs_marks", False)]
        self._kept: list[MetricStatus] = []
        self._descriptor: Declaration | None = None
        self._text = ""
        self._offered: list[str] = []  # in the order of the list: nothing, names, keys
        self._chooser = Chooser()
        self._chooser.setAccessibleName(name)
        self._chooser.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._chooser.activated.connect(self._on_chosen)
        self._help = label("", "help", wrap=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._chooser)
        column.addWidget(self._help)
        self._forms: dict[str, DeclarationForm] = {}
        for option in self._options:
            form = self._forms[option.key] = DeclarationForm([option], told(option.title), text_line=False)
            form.changed.connect(self._on_form)
            form.validity_changed.connect(self.validity_changed)
            column.addWidget(form)
        self.setFocusProxy(self._chooser)
        self._offer()

    def text(self) -> str:
        """Return the name of the library's metric, or the text form of the one to fit; empty for none."""
        return self._text

    def is_valid(self) -> bool:
        """Return whether the form is valid."""
        form = self._forms.get(self._key())
        return form is None or form.is_valid()

    def has_choice(self) -> bool:
        """Return whether there is a metric to choose."""
        return len(self._offered) > 1

    def set_kept(self, metrics: Sequence[MetricStatus]) -> None:
        """Set the metrics of the library."""
        self._kept = list(metrics)
        self._offer()

    def set_descriptor(self, descriptor: Declaration) -> None:
        """Set the descriptor of the index; a metric that does not suit it is deselected."""
        if descriptor != self._descriptor:
            self._descriptor = descriptor
            self._offer()

    def knows(self, text: str) -> bool:
        """Return whether a text names a metric, of this descriptor or of another."""
        return text in {one.name for one in self._kept} or _head(text) in self._forms

    def check(self, text: str, descriptor: Declaration) -> str:
        """Return the normal form of a metric's text, if it suits a descriptor.

        Raises
        ------
        DeclarationError
            If it is no metric, or not for this descriptor.
        """
        if not text:
            return ""
        kept = next((one for one in self._kept if one.name == text), None)
        if kept is not None:
            if kept.descriptor != descriptor.text():
                raise DeclarationError(
                    Message("The metric “{name}” measures {descriptor}.", name=text, descriptor=kept.descriptor)
                )
            return text
        made = read_declaration(tuple(self._options), text)
        fault = _fault(made, descriptor)
        if fault is not None:
            raise DeclarationError(fault.message, fault.advice)
        return made.text()

    def set_text(self, text: str) -> None:
        """Show a metric that :meth:`check` has accepted, without a signal."""
        if text and text not in {one.name for one in self._kept}:
            made = read_declaration(tuple(self._options), text)
            self._forms[made.key].set_value(made)
            text = made.text()
        self._text = text
        self._show()

    def _offer(self) -> None:
        """List the metrics that suit the descriptor."""
        descriptor = self._descriptor
        entries = [("", _("As the descriptor weighs them"))]
        if descriptor is not None:
            entries += [
                (one.name, _("As in the metric {name}", name=one.name))
                for one in self._kept
                if one.descriptor == descriptor.text()
            ]
            for option in self._options:
                if _fault(option(), descriptor) is None:
                    words = _("Fitted to your photos  ·  {title}", title=told(option.title))
                    entries.append((option.key, words))
        self._offered = [key for key, __ in entries]
        self._chooser.clear()
        self._chooser.addItems([words for __, words in entries])
        if self._key() not in self._offered:
            self._text = ""
        self._show()

    def _key(self) -> str:
        """Return the chosen entry of the list."""
        names = {one.name for one in self._kept}
        return self._text if self._text in names else _head(self._text)

    def _show(self) -> None:
        key = self._key()
        if key in self._offered:
            self._chooser.setCurrentIndex(self._offered.index(key))
        for option in self._options:
            self._forms[option.key].setVisible(option.key == key)
            if option.key == key:
                self._help.setText(told(option.summary()))
        kept = next((one for one in self._kept if one.name == key), None)
        if kept is not None:
            self._help.setText(_("A metric of your library. {note}", note=kept.note))
        elif not key:
            self._help.setText(_("No metric: every feature counts as it is."))

    def _on_chosen(self, place: int) -> None:
        key = self._offered[place]
        form = self._forms.get(key)
        text = key if form is None else form.text()
        if text != self._text:
            self._text = text
            self._show()
            self.changed.emit()
            self.validity_changed.emit(self.is_valid())

    def _on_form(self) -> None:
        self._text = self._forms[self._key()].text()
        self.changed.emit()


def _head(text: str) -> str:
    return text.split(":", maxsplit=1)[0].strip()


def _fault(made: Declaration, descriptor: Declaration) -> TwinlensError | None:
    """Return why a metric can never be fitted to the vectors of a descriptor; None if it can."""
    check, dimensions = getattr(made, "check", None), getattr(descriptor, "dimensions", None)
    if check is None or dimensions is None:
        return None
    try:
        check(dimensions)
    except TwinlensError as error:
        return error
    return None
