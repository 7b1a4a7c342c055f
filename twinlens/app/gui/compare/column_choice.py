"""Panel to choose a column of a comparison: an index of the library, a suggestion, or a custom index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import compare_actions, window_actions
from twinlens.app.gui.compare.column_search import short_words
from twinlens.app.gui.forms.parameter_controls import Chooser
from twinlens.app.gui.look.buttons import Pill, QuietButton
from twinlens.app.gui.look.labels import ElidedLine, Heading
from twinlens.app.gui.look.page_parts import column_of, command_button, label, scrolling, surface
from twinlens.app.gui.process.jobs import Jobs, outlived
from twinlens.app.gui.process.open_library import OpenLibrary
from twinlens.app.language.texts import _, text
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.compare.columns import ChangeableIndex, ColumnOffer, ColumnOffers, ComparisonColumn
    from twinlens.app.gui.forms.declaration_form import DeclarationForm


class ColumnChoice(QObject):
    """Controller of the panel, which fills it in a job."""

    chosen = Signal(object)
    """A `ComparisonColumn` to add."""
    changed = Signal(object, object)
    """A `ComparisonColumn`, and its replacement."""

    def __init__(self, panel: AddPanel, jobs: Jobs, parent: QObject) -> None:
        super().__init__(parent)
        self._panel, self._jobs = panel, jobs
        self._offering = self._jobs.latest()
        self._edited: ComparisonColumn | None = None
        panel.added.connect(self.chosen)
        panel.changed.connect(self._on_changed)

    def offer(self, opened: OpenLibrary, present: Sequence[ComparisonColumn], default: str, like: int = 0) -> None:
        """Show columns to add beside the visible ones, or to replace one of these, by its position.

        Where none is seen, ``default`` is changed.
        """
        self._edited = None
        own = present[like] if like < len(present) else None
        ordered = list(present) if own is None else [own, *(one for one in present if one != own)]

        def show(offers: ColumnOffers) -> None:
            alike = own is not None and own.index == offers.base
            method, search = (own.method, own.search) if own is not None and alike else ("", "")
            self._panel.open(offers, method, search)

        self._look(opened, ordered, default, show)

    def offer_change(
        self, opened: OpenLibrary, present: Sequence[ComparisonColumn], default: str, column: ComparisonColumn
    ) -> None:
        """Show the parameters of a column, to change them."""
        self._edited = column

        def show(offers: ColumnOffers) -> None:
            own = next((one for one in offers.bases if one.name == column.index), offers.bases[0])
            method, search = column.method or own.method, column.search or own.search
            self._panel.open_to_change(offers.bases, own.name, method, search)

        self._look(opened, present, default, show)

    def _look(
        self,
        opened: OpenLibrary,
        present: Sequence[ComparisonColumn],
        default: str,
        show: Callable[[ColumnOffers], None],
    ) -> None:
        def work(_: Progress) -> ColumnOffers:
            from twinlens.app.compare.columns import offers

            return offers(opened.library, present, default, opened.put_away)

        self._offering.begin(work).then(show)

    def _on_changed(self, column: ComparisonColumn) -> None:
        edited, self._edited = self._edited, None
        self.changed.emit(edited, column)


WIDTH = 500
_BESIDE = 16  # the scroll bar, and the line at the left


class AddPanel(QFrame):
    """Panel over the columns, at the right.

    Signals
    -------
    added(object)
        A `ComparisonColumn`.
    changed(object)
        The `ComparisonColumn` that takes the place of the one that was opened for a change.
    left()
    """

    added = Signal(object)
    changed = Signal(object)
    left = Signal()

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self._edits = False
        self._bases: list[ChangeableIndex] = []
        self._offers: list[QPushButton] = []
        self._forms: dict[str, DeclarationForm] = {}
        over.installEventFilter(self)
        surface(self, "panel")
        self.setAccessibleName(_("Add a column"))
        self._title = Heading(_("Add a column"))
        self._close = Pill("×", _("Close"), parent=self)
        self._close.setToolTip(_("Close (Esc)"))
        self._close.clicked.connect(self.leave)
        self._lay_out()
        attach(self, window_actions(), {"leave": self.leave})
        attach(self, compare_actions(), {"offer": self._add.click})
        self.hide()

    def _lay_out(self) -> None:
        body = self._body = QWidget()
        body.installEventFilter(self)
        self._column = column_of(self._title, on=body, gap=6, margins=(16, 14, 16, 16))
        self._offered = column_of(gap=4)
        self._column.addLayout(self._offered)
        self._by_hand = Heading(_("Custom"))
        self._column.addSpacing(10)
        self._column.addWidget(self._by_hand)
        self._what = label("", "help", wrap=True)
        self._what.setText(
            _("Uses the vectors of the library, so no photo is read again. It is temporary unless you keep it.")
        )
        self._column.addWidget(self._what)
        self._index = Chooser()
        self._index.setAccessibleName(_("Index to change"))
        self._index.activated.connect(self._on_base)
        self._column.addWidget(self._index)
        self._hand = QVBoxLayout()
        self._column.addLayout(self._hand)
        self._error = label("", "error", wrap=True)
        self._column.addWidget(self._error)
        self._add = command_button(compare_actions()["offer"].words, compare_actions()["offer"], "primary")
        self._add.clicked.connect(self._on_add)
        self._column.addWidget(self._add)
        self._column.addStretch(1)
        column_of(scrolling(body, role=""), on=self, margins=1)

    def open(self, offers: ColumnOffers, method: str = "", search: str = "") -> None:
        """Show columns to add: indexes of the library, suggestions, and a form that begins as one index.

        Parameters
        ----------
        method, search : str
            With what in the place of its own the form begins; empty for its own.
        """
        self._edits = False
        self._title.setText(_("Add a column"))
        self._add.setText(_("Add this column"))
        self._clear_offers()
        for heading, some in (
            (_("Indexes of the library"), offers.kept),
            (_("Suggestions for “{index}”", index=offers.base), offers.worth),
        ):
            if some:
                self._offered.addSpacing(6)
                self._offered.addWidget(Heading(heading))
                for offer in some:
                    self._offered.addWidget(self._offer(offer))
        self._begin(offers.bases, offers.base)
        if method or search:
            own = self._bases[self._index.currentIndex()]
            self._set_forms(method or own.method, search or own.search)
        self._show()
        first = self._offers[0] if self._offers else self._index
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_to_change(self, bases: Sequence[ChangeableIndex], base: str, method: str, search: str) -> None:
        """Show a column to change."""
        self._edits = True
        self._title.setText(_("Change this column"))
        self._add.setText(_("Apply"))
        self._clear_offers()
        self._begin(bases, base)
        self._set_forms(method, search)
        self._show()
        self._forms["method"].setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Close the panel without a column."""
        if self.isVisible():
            self.hide()
            self.left.emit()

    def column(self) -> ComparisonColumn:
        """Return the custom column."""
        from twinlens.app.compare.columns import ComparisonColumn

        base = self._bases[self._index.currentIndex()]
        texts = {family: form.text() for family, form in self._forms.items()}
        return ComparisonColumn(
            base.name,
            method="" if texts["method"] == base.method else texts["method"],
            search="" if texts["search"] == base.search else texts["search"],
        )

    def forms(self) -> dict[str, DeclarationForm]:
        """Return the forms, by family."""
        return self._forms

    def _clear_offers(self) -> None:
        while (item := self._offered.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self._offers = []

    def _offer(self, offer: ColumnOffer) -> QPushButton:
        made = _OfferButton(text(offer.title), short_words(offer.parts))
        made.clicked.connect(lambda: self._take(offer.column))
        self._offers.append(made)
        return made

    def _begin(self, bases: Sequence[ChangeableIndex], base: str) -> None:
        if not self._forms:
            self._make_forms()
        self._bases = list(bases)
        self._index.clear()
        for one in self._bases:
            self._index.addItem(one.name)
        place = next((n for n, one in enumerate(self._bases) if one.name == base), 0)
        self._index.setCurrentIndex(place)
        self._on_base(place)

    def _make_forms(self) -> None:
        from twinlens.app.gui.forms.declaration_form import DeclarationForm
        from twinlens.app.methods import catalogue

        for family, heading in (
            ("method", _("How vectors become bits")),
            ("search", _("How the bits are searched")),
        ):
            self._hand.addSpacing(6)
            self._hand.addWidget(Heading(heading))
            form = DeclarationForm(catalogue.FAMILIES[family](), heading, text_line=True)
            form.validity_changed.connect(self._on_validity)
            self._forms[family] = form
            self._hand.addWidget(form)

    def _on_base(self, place: int) -> None:
        if 0 <= place < len(self._bases):
            self._set_forms(self._bases[place].method, self._bases[place].search)

    def _set_forms(self, method: str, search: str) -> None:
        from twinlens.app.methods import catalogue

        self._forms["method"].set_value(catalogue.method(method))
        self._forms["search"].set_value(catalogue.search_structure(search))
        self._on_validity()

    def _on_validity(self) -> None:
        self._add.setEnabled(all(form.is_valid() for form in self._forms.values()))

    def _on_add(self) -> None:
        if self._add.isEnabled():
            self._take(self.column())

    def _take(self, column: ComparisonColumn) -> None:
        edits = self._edits
        self.hide()
        (self.changed if edits else self.added).emit(column)

    def _show(self) -> None:
        self._fit()
        self.show()
        self.raise_()

    def _fit(self) -> None:
        needed = self._body.minimumSizeHint().width() + _BESIDE  # forms within forms are wide
        width = min(max(WIDTH, needed), self._over.width())
        self.setGeometry(self._over.width() - width, 0, width, self._over.height())
        self._close.adjustSize()
        self._close.move(width - self._close.width() - 12, 10)
        self._close.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keep the panel at the right."""
        if outlived(self):
            return False
        others = watched is self._over and event.type() == QEvent.Type.Resize
        if self.isVisible() and (others or (watched is self._body and event.type() == QEvent.Type.LayoutRequest)):
            self._fit()
        return super().eventFilter(watched, event)


class _OfferButton(QuietButton):
    """A column that can be added: its heading over its text."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title, "offer")
        inner = column_of(on=self, gap=2, margins=(14, 9, 14, 9))
        for words, role in ((title, "name"), (text, "help")):
            line = ElidedLine(role)
            line.setText(words)
            line.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inner.addWidget(line)
        self.setAccessibleName(f"{title}. {text}")
        self.setToolTip(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
