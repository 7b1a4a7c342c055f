"""The page of the Lab: experiments at the left, the chosen one at the right, or the form of a new one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QPoint, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from twinlens.app.gui.actions.action import Action, attach, offer
from twinlens.app.gui.actions.declared_actions import window_actions
from twinlens.app.gui.actions.lab_actions import lab_actions
from twinlens.app.gui.lab.experiment_list import ExperimentList, ListedExperiment, new_menu
from twinlens.app.gui.lab.experiments.plan_form import PlanForm
from twinlens.app.gui.lab.sheet.sheet_view import SheetView
from twinlens.app.gui.look.flow_layout import FlowLayout
from twinlens.app.gui.look.page_parts import STRETCH, column_of, command_button, label, row_of
from twinlens.app.gui.look.theme import grown
from twinlens.app.gui.services.dropped_files import DropSign
from twinlens.app.language.texts import _

ENDING = ".twinlens-experiment"
_LIST_PX = 252
_ROOMY = 1000  # narrower than that, the list waits behind its button


class LabView(QWidget):
    """The page of the Lab.

    Signals
    -------
    dropped : object
        File of an experiment.
    """

    dropped = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(_("Lab"))
        self.setAcceptDrops(True)
        self._sign = DropSign(self)
        self._list_wanted: bool | None = None  # by the person; None: where there is room
        self.list = ExperimentList()
        self._form: PlanForm | None = None
        self._main, self._pages, self._stack = QWidget(), QStackedWidget(), QStackedWidget()
        self._column, self._strip = QWidget(), QWidget()
        self._focusing: dict[QWidget, Callable[[], object]] = {}
        self._lay_out()
        self.sheet = SheetView(self._pages)
        self._pages.addWidget(self.sheet)

    def _lay_out(self) -> None:
        actions = lab_actions()
        for one in (self._column, self._strip):
            one.setObjectName("side")
            one.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._column.setFixedWidth(grown(_LIST_PX))
        column = column_of(on=self._column, gap=0, margins=(0, 0, 1, 8))
        head = row_of(
            (label(_("Experiments"), "section"), 1),
            _sign_button("☰", actions["list"]),
            margins=(18, 10, 8, 8),
        )
        column.addLayout(head)
        new = command_button(_("New experiment"), actions["new"], "primary")
        column.addLayout(row_of(new, margins=(16, 0, 16, 10)))
        column.addWidget(self.list, 1)
        below = FlowLayout(2, 0, grows=False)
        below.setContentsMargins(8, 6, 8, 0)
        views = window_actions()
        for words, action in (
            (_("Open file…"), actions["open"]),
            (_("Indexes"), views["indexes"]),
            (_("Compare indexes"), views["compare"]),
        ):
            below.addWidget(command_button(words, action, "link"))
        column.addLayout(below)
        column_of(
            _sign_button("☰", actions["list"]),
            _sign_button("+", actions["new"]),
            STRETCH,
            on=self._strip,
            gap=8,
            margins=(4, 10, 5, 8),
        )
        row_of(self._column, self._strip, (self._pages, 1), on=self._main, gap=0, margins=0)
        self._stack.addWidget(self._main)
        column_of(self._stack, on=self, margins=0)

    def bind(
        self,
        anywhere: Mapping[str, Callable[[], object]],
        with_one: Mapping[str, Callable[[], object]],
        views: Mapping[str, Callable[[], object]],
    ) -> None:
        """Bind what the Lab does to its buttons and keys.

        Parameters
        ----------
        anywhere : mapping of str to callable
            By the names of the actions: new, open, pause, and delete for the experiments that are chosen in the list.
        with_one : mapping of str to callable
            What the buttons of the sheet do with its experiment, by the names of their actions.
        views : mapping of str to callable
            By the names of the window's actions: indexes, compare, and leave.
        """
        column, strip, sheet = self._column, self._strip, self.sheet
        actions = lab_actions()
        always = {"new": anywhere["new"], "open": anywhere["open"], "list": self.toggle_list}
        offer(column, actions, always, ())
        offer(strip, actions, {"new": anywhere["new"], "list": self.toggle_list}, ())
        for part in (column, strip, sheet):
            attach(part, actions, always)
            attach(part, window_actions(), {"leave": views["leave"]})
        for part in self.parts:
            attach(part, actions, {"pause": anywhere["pause"], "delete": anywhere["delete"]})
        offer(column, window_actions(), {"indexes": views["indexes"], "compare": views["compare"]}, ())
        sheet.bind(with_one, [column])
        attach(column, actions, {"rename": self._on_rename})
        attach(self.list, actions, {"page": self.focus_page})
        self.list.menu_wanted.connect(partial(self._show_menu, with_one["change"], anywhere["delete"]))

    @property
    def parts(self) -> tuple[QWidget, QWidget]:
        """The list and the sheet, in which the keys of an experiment hold."""
        return self._column, self.sheet

    # --- what is shown -----------------------------------------------------------------------------------------------

    def add_page(self, page: QWidget, focus: Callable[[], object]) -> None:
        """Add a page that can replace the sheet, with its focus function."""
        self._focusing[page] = focus
        self._pages.addWidget(page)

    def show_page(self, page: QWidget) -> None:
        """Show the sheet, or a page in its place."""
        self._pages.setCurrentWidget(page)
        self._place_list()

    def page(self) -> QWidget:
        """Return the visible page at the right."""
        shown = self._pages.currentWidget()
        assert shown is not None
        return shown

    def show_list(self, experiments: Sequence[ListedExperiment], chosen: Sequence[int]) -> None:
        """Show the list."""
        self.list.show_rows(experiments, chosen)
        now = self.list.current()
        if now is not None and chosen and now.id not in chosen:  # the keys go on from what is seen
            place = next((place for place, one in enumerate(experiments) if one.id == chosen[0]), 0)
            flag = QItemSelectionModel.SelectionFlag.NoUpdate
            self.list.selectionModel().setCurrentIndex(self.list.cards.index(place), flag)

    @property
    def form(self) -> PlanForm:
        """The form of a plan, made on first use."""
        if self._form is None:
            from twinlens.app.methods import catalogue

            self._form = PlanForm(catalogue.FAMILIES["method"](), catalogue.FAMILIES["search"]())
            self._form.left.connect(self.show_main)
            self._stack.addWidget(self._form)
        return self._form

    def show_form(self) -> None:
        """Show the form of a plan."""
        self._stack.setCurrentWidget(self.form)
        self.form.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_main(self) -> None:
        """Show list and experiment."""
        self._stack.setCurrentWidget(self._main)
        self.focus_content()

    def is_form(self) -> bool:
        """Return whether the form is shown."""
        return self._stack.currentWidget() is not self._main

    def focus_content(self) -> None:
        """Focus the form, the list of runs, or the page beside it."""
        if self.is_form():
            self.form.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.page() is self.sheet and not self._column.isHidden() and not self.sheet.has_form():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_page()

    def focus_page(self) -> None:
        """Focus the page at the right."""
        self._focusing.get(self.page(), self.sheet.focus)()

    # --- room --------------------------------------------------------------------------------------------------------

    def toggle_list(self) -> None:
        """Show and focus the list, or hide it."""
        self._list_wanted = self._column.isHidden()
        self._place_list()
        if self._list_wanted:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.focus_page()

    def list_wanted(self) -> bool | None:
        """Return whether the person wants the list; None if its visibility follows the width."""
        return self._list_wanted

    def set_list_wanted(self, wanted: bool | None) -> None:
        """Restore the remembered choice."""
        self._list_wanted = wanted
        self._place_list()

    def _place_list(self) -> None:
        shown = self.width() >= grown(_ROOMY) if self._list_wanted is None else self._list_wanted
        alone = self.page() is not self.sheet
        self._column.setVisible(shown and not alone)
        self._strip.setVisible(not shown and not alone)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Fit the list to the width."""
        super().resizeEvent(event)
        self._place_list()

    # --- what the person does ----------------------------------------------------------------------------------------

    def _on_rename(self) -> None:
        if self._column.isHidden():
            self.toggle_list()
        self.list.rename()

    def _show_menu(
        self, change: Callable[[], object], delete: Callable[[], object], one: ListedExperiment, at: QPoint
    ) -> None:
        menu = new_menu(self)
        rename = menu.addAction(_("Rename") + "\tF2", self._on_rename)
        rename.setEnabled(one.id > 0)
        menu.addAction(_("New experiment from this one…") + "\tE", change)
        menu.addSeparator()
        menu.addAction(_("Delete") + "\tDel", delete)
        menu.popup(at)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Accept experiment files; leave other files to the window."""
        if found := _experiments(event):
            event.acceptProposedAction()
            few = _("Open this experiment")
            self._sign.say(few if len(found) == 1 else _("Open these experiments"))
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 (Qt's name)
        """Hide the sign."""
        super().dragLeaveEvent(event)
        self._sign.hide()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        """Open dropped experiment files."""
        self._sign.hide()
        found = _experiments(event)
        if found:
            event.acceptProposedAction()
        for file in found:
            self.dropped.emit(file)


def _sign_button(sign: str, action: Action) -> QPushButton:
    made = command_button(sign, action, "link")
    made.setFixedWidth(grown(30))
    return made


def _experiments(event: QDropEvent) -> list[Path]:
    files = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    return [one for one in files if one.suffix.lower() == ENDING]
