"""The page to create an index: descriptor, metric, hash method and search structure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from app.gui.forms.declaration_form import DeclarationForm
from app.gui.indexes.metric_choice import MetricChooser
from app.gui.look.page_parts import PageCard, TitledPage, bind, button, label
from app.language.spoken import _
from app.learn.metric_results import MetricStatus
from core.declaration.declaration import Declaration, read_declaration
from core.errors import DeclarationError
from core.message import Message

_ESTIMATE_MS = 300  # of quiet, before what it would cost is asked for
_ASIDE_PX = 296
_PROPOSED = {"method": "itq"}  # ranks better than the first of the list does; another family need not have it


class NewIndexPage(TitledPage):
    """Form of a new index.

    Parameters
    ----------
    families : mapping of str to tuple of Declaration classes, optional
        The families "descriptor", "metric", "method" and "search"; by default those of the program.

    Signals
    -------
    create_wanted : str, str, str, str, str
        Text forms of descriptor, metric, method and search structure, and the name; metric and name may be empty.
    cancelled
        The person has left.
    estimate_wanted : str, str, str, str
        The text forms, some time after they were changed last; :meth:`set_estimate` answers.
    """

    create_wanted = Signal(str, str, str, str, str)
    cancelled = Signal()
    estimate_wanted = Signal(str, str, str, str)

    def __init__(self, families: Mapping[str, Sequence[type[Declaration]]] | None = None) -> None:
        super().__init__("")
        self._families = dict(_families() if families is None else families)
        self._taken: frozenset[str] = frozenset()
        self.set_title(_("New index"))
        self.setAccessibleName(_("New index"))
        self.set_line(_("Another way to compare photos, built in the background beside your other indexes."))
        cancel = self.add_button(button(_("Cancel"), _("Close without creating an index"), "Esc"))
        cancel.clicked.connect(self.cancelled)
        self._create = self.add_button(button(_("Create"), _("Create the index"), "Ctrl+S", "primary"))
        self._create.clicked.connect(self._on_create)
        bind(self, "Esc", self.cancelled.emit)
        bind(self, "Ctrl+S", self._create.click)
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
        self._ask_soon.timeout.connect(self._on_ask)
        self._lay_out_aside()
        self.setFocusProxy(self._forms["descriptor"])
        self._show_text()
        self._ask_soon.start()

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
        """Show an index to begin with.

        Raises
        ------
        DeclarationError
            If a text has no meaning.
        """
        for family, text in (("descriptor", descriptor), ("method", method), ("search", search)):
            self._forms[family].set_value(read_declaration(self._families[family], text))
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
        """Set the names that are taken."""
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
            raise DeclarationError(Message("There is no metric “{name}”.", name=rest[0]))
        searches = self._families["search"]
        if len(rest) == 1 and self._is_of("search", rest[0]):
            rest = [self._forms["method"].text(), *rest]
        if len(rest) not in (1, 2):
            raise DeclarationError(
                Message("An index is written descriptor · metric · method · search, the metric only where it has one."),
                Message("For example: colour · itq:bits=256 · scan"),
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

    def _on_ask(self) -> None:
        self.estimate_wanted.emit(*self.texts())

    def _on_create(self) -> None:
        self.create_wanted.emit(*self.texts(), self._name.text().strip())


def _families() -> dict[str, Any]:
    from app.methods import catalogue  # brings the readers of pictures along: not before the page is wanted

    return {name: options() for name, options in catalogue.FAMILIES.items()}
