"""The page to create an index: descriptor, metric, hash method and search structure.

The metric is none, one of the library, or one that is fitted with the index.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QSizePolicy, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import new_index_actions
from twinlens.app.gui.forms.declaration_form import DeclarationForm
from twinlens.app.gui.forms.parameter_controls import Chooser, told
from twinlens.app.gui.look.page_parts import PageCard, PageView, column_of, command_button, label
from twinlens.app.gui.process.jobs import Failure
from twinlens.app.gui.services.workspace import Workspace
from twinlens.app.language.texts import _, text
from twinlens.app.learn.learn_results import MetricListResult, MetricStatus
from twinlens.core.declaration.declaration import Declaration, read_declaration
from twinlens.core.errors import DeclarationError, TwinlensError
from twinlens.core.progress import Progress

_ESTIMATE_MS = 300  # pause after a change before the cost is estimated
_ASIDE_PX = 296
_PROPOSED = {"method": "itq"}  # a better default than the first of the list, where the family has it


class NewIndexPage(PageView):
    """The form of a new index; its cost is estimated a moment after the last change."""

    def __init__(self, window: Workspace) -> None:
        super().__init__("")
        self._window, self._library = window, window.opened.library
        self._estimating, self._listing = window.jobs.latest(), window.jobs.latest()
        self._families = _families()
        self._taken: frozenset[str] = frozenset()
        self.set_title(_("New index"))
        self.setAccessibleName(_("New index"))
        self.set_line(_("Another way to compare photos, built in the background beside your other indexes."))
        cancel = self.add_button(command_button(_("Cancel"), new_index_actions()["leave"]))
        cancel.clicked.connect(self._leave)
        self._create = self.add_button(command_button(_("Create"), new_index_actions()["create"], "primary"))
        self._create.clicked.connect(self._on_create)
        attach(self, new_index_actions(), {"leave": self._leave, "create": self._create.click})
        self._forms: dict[str, DeclarationForm] = {}
        self._cards: dict[str, PageCard] = {}
        for family, heading in (
            ("descriptor", _("What is compared")),
            ("method", _("How vectors become bits")),
            ("search", _("How the bits are searched")),
        ):
            card = PageCard(heading)
            form = DeclarationForm(self._families[family], heading, text_line=False)
            for option in self._families[family]:
                if option.key == _PROPOSED.get(family):
                    form.set_value(option())
            form.changed.connect(self._on_forms_changed)
            form.validity_changed.connect(self._on_validity)
            card.column.addWidget(form)
            self.body.addWidget(card)
            self._forms[family], self._cards[family] = form, card
            if family == "descriptor":
                self._add_metric()
        self.body.addStretch(1)
        self._ask_soon = QTimer(self)
        self._ask_soon.setSingleShot(True)
        self._ask_soon.setInterval(_ESTIMATE_MS)
        self._ask_soon.timeout.connect(self.refresh)
        self._lay_out_aside()
        self.setFocusProxy(self._forms["descriptor"])
        self._show_text()
        window.making.failed.connect(self.set_error)
        window.indexes.listed.connect(lambda __: self.set_taken(window.indexes.names()))
        self.set_taken(window.indexes.names())
        self.refresh()

    def focus(self) -> None:
        """Focus the form, with the present metrics."""
        library = self._library

        def work(__: Progress) -> MetricListResult:
            from twinlens.app.learn.metrics import list_metrics

            return list_metrics(library)

        self._listing.begin(work).then(lambda result: self.set_metrics(result.metrics))
        super().focus()

    def refresh(self) -> None:
        """Estimate the cost of the index again."""
        library = self._library
        descriptor, metric, method, search = self.texts()

        def work(__: Progress) -> str:
            from twinlens.app.indexes.indexes import estimate_index

            return text(estimate_index(library, descriptor, method, search, metric))

        self._estimating.begin(work).then(self.set_estimate).failed(self._on_failed)

    def _on_failed(self, failure: Failure) -> None:
        self.set_estimate("")
        self.set_error(failure.words())

    def _leave(self) -> None:
        self._window.show_view("indexes")

    def _add_metric(self) -> None:
        heading = _("Which differences count")
        card = self._cards["metric"] = PageCard(heading)
        self._metric = MetricChooser(self._families.get("metric", ()), heading)
        self._metric.changed.connect(self._on_forms_changed)
        self._metric.validity_changed.connect(self._on_validity)
        card.column.addWidget(self._metric)
        self.body.addWidget(card)

    def _lay_out_aside(self) -> None:
        column = self.add_aside(_ASIDE_PX)
        naming = PageCard(_("Name"))
        self._name = QLineEdit()
        self._name.setAccessibleName(_("Name of the index"))
        self._name.textEdited.connect(self._on_name)
        self._name_error = label("", "error", wrap=True)
        naming.column.addWidget(self._name)
        naming.column.addWidget(self._name_error)
        cost = PageCard(_("Cost"))
        self._estimate = label("…", wrap=True)
        self._estimate.setMinimumHeight(4 * self._estimate.fontMetrics().lineSpacing())
        cost.column.addWidget(self._estimate)
        written = PageCard(_("As text"))
        self._text = QPlainTextEdit()
        self._text.setAccessibleName(_("The index as text"))
        self._text.setToolTip(_("Descriptor · metric · method · search structure, as the command line takes them"))
        self._text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._text.setTabChangesFocus(True)
        self._text.setFixedHeight(96)
        self._text.textChanged.connect(self._on_text_changed)
        self._error = label("", "error", wrap=True)
        self._error.setMinimumHeight(4 * self._error.fontMetrics().lineSpacing())
        written.column.addWidget(self._text)
        written.column.addWidget(self._error)
        for card in (naming, cost, written):
            column.addWidget(card)
        column.addStretch(1)

    def texts(self) -> tuple[str, str, str, str]:
        """Return the text forms of descriptor, metric, method and search structure; the metric's may be empty."""
        forms = self._forms
        return forms["descriptor"].text(), self._metric.text(), forms["method"].text(), forms["search"].text()

    def set_texts(self, descriptor: str, method: str, search: str, metric: str = "") -> None:
        """Show the declarations of an index to begin with.

        Raises
        ------
        DeclarationError
            If a text has no meaning.
        """
        for family, written in (("descriptor", descriptor), ("method", method), ("search", search)):
            self._forms[family].set_value(read_declaration(self._families[family], written))
        chosen = self._forms["descriptor"].value()
        self._metric.set_descriptor(chosen)
        self._metric.set_text(self._metric.check(metric, chosen))
        self._on_forms_changed()

    def set_metrics(self, metrics: Sequence[MetricStatus]) -> None:
        """Set the metrics of the library."""
        self._metric.set_kept(metrics)
        self._show_text()

    def set_name(self, name: str) -> None:
        """Propose a name."""
        self._name.setText(name)
        self._on_name()

    def set_taken(self, names: Collection[str]) -> None:
        """Set the names of the existing indexes."""
        self._taken = frozenset(names)
        self._on_name()

    def set_estimate(self, sentence: str) -> None:
        """Show the estimated cost."""
        self._estimate.setText(sentence)

    def set_error(self, sentence: str) -> None:
        """Show why the index could not be created."""
        self._error.setText(sentence)

    def _uses_codes(self) -> bool:
        return bool(getattr(self._forms["search"].value(), "uses_codes", True))

    def _written(self) -> str:
        descriptor, metric, method, search = self.texts()
        parts = [descriptor, *([metric] if metric else []), *([method] if self._uses_codes() else []), search]
        return " · ".join(parts)

    def _show_cards(self) -> None:
        self._metric.set_descriptor(self._forms["descriptor"].value())
        self._cards["metric"].setVisible(self._metric.has_choice())
        self._cards["method"].setVisible(self._uses_codes())

    def _show_text(self) -> None:
        self._show_cards()
        if self._text.toPlainText() != self._written():
            self._text.blockSignals(True)
            self._text.setPlainText(self._written())
            self._text.blockSignals(False)
        self._name.setPlaceholderText(self._written())
        self._error.setText("")

    def _on_forms_changed(self) -> None:
        self._show_text()
        self._on_validity()
        self._ask_soon.start()

    def _on_text_changed(self) -> None:
        parts = [part.strip() for part in self._text.toPlainText().split("·")]
        try:
            made, metric = self._read(parts)
        except DeclarationError as error:
            self._error.setText(str(error))
            self._create.setEnabled(False)
            return
        for family, value in made.items():
            self._forms[family].set_value(value)
        self._show_cards()
        self._metric.set_text(metric)
        self._name.setPlaceholderText(self._written())
        self._error.setText("")
        self._on_validity()
        self._ask_soon.start()

    def _read(self, parts: list[str]) -> tuple[dict[str, Declaration], str]:
        """Read descriptor, metric, method and search structure.

        The metric and the search structure may be left out, and without codes the method.
        """
        first, *rest = parts
        descriptor = read_declaration(self._families["descriptor"], first)
        made: dict[str, Declaration] = {"descriptor": descriptor}
        metric = ""
        if rest and self._metric.knows(rest[0]):
            metric = self._metric.check(rest.pop(0), descriptor)
        elif len(rest) == 3 or (len(rest) == 2 and self._is_of("method", rest[1])):
            raise DeclarationError("There is no metric “{name}”.", name=rest[0])
        searches = self._families["search"]
        if len(rest) == 1 and self._is_of("search", rest[0]):
            rest = [self._forms["method"].text(), *rest]
        if len(rest) not in (1, 2):
            raise DeclarationError(
                "An index is written descriptor · metric · method · search, the metric only where it has one.",
                "For example: colour · itq:bits=256 · scan",
            )
        made["method"] = read_declaration(self._families["method"], rest[0])
        made["search"] = read_declaration(searches, rest[1] if len(rest) > 1 else searches[0].key)
        return made, metric

    def _is_of(self, family: str, text: str) -> bool:
        return text.split(":", maxsplit=1)[0].strip() in {option.key for option in self._families[family]}

    def _on_validity(self) -> None:
        shown = [form for family, form in self._forms.items() if family != "method" or self._uses_codes()]
        valid = all(form.is_valid() for form in shown) and self._metric.is_valid()
        self._create.setEnabled(valid and not self._name_error.text())

    def _on_name(self) -> None:
        taken = self._name.text().strip() in self._taken
        self._name_error.setText(_("An index with this name already exists.") if taken else "")
        self._on_validity()

    def _on_create(self) -> None:
        name = self._name.text().strip()
        self._window.indexes.delete_put_away(name)
        self._window.making.create(*self.texts(), name)
        self.set_name("")  # the next index needs another name
        self._leave()


def _families() -> dict[str, Any]:
    from twinlens.app.methods import catalogue  # imports the readers of pictures: slow, so only when the page is opened

    return {name: options() for name, options in catalogue.FAMILIES.items()}


Options = Sequence[type[Declaration]]


class MetricChooser(QWidget):
    """Chooses the metric of an index, among those that suit its descriptor.

    Parameters
    ----------
    options : sequence of Declaration classes
        The metrics that can be fitted with an index.
    name : str
        Accessible name of the choice.
    changed
        The person has chosen another metric, or another parameter of it.
    validity_changed : bool
        Whether the form is valid.
    """

    changed = Signal()
    validity_changed = Signal(bool)

    def __init__(self, options: Options, name: str) -> None:
        super().__init__()
        self._options = [option for option in options if not getattr(option, "needs_marks", False)]
        self._kept: list[MetricStatus] = []
        self._descriptor: Declaration | None = None
        self._text = ""
        self._offered: list[str] = []  # in the order of the list: none, names, keys
        self._chooser = Chooser()
        self._chooser.setAccessibleName(name)
        self._chooser.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._chooser.activated.connect(self._on_chosen)
        self._help = label("", "help", wrap=True)
        column = column_of(self._chooser, self._help, on=self, gap=8, margins=0)
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
        """Return whether there is any metric to choose."""
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
            If it is not a metric for this descriptor.
        """
        if not text:
            return ""
        kept = next((one for one in self._kept if one.name == text), None)
        if kept is not None:
            if kept.descriptor != descriptor.text():
                raise DeclarationError(
                    "The metric “{name}” measures {descriptor}.", name=text, descriptor=kept.descriptor
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
