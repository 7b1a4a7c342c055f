"""The column of the marks: how many, which of them, the list, and what can be done with all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QMenu, QStackedWidget, QVBoxLayout, QWidget

from app.gui.learn.mark_list import NOT_MEASURED, Distances, MarkList
from app.gui.look.card_painting import BAR_PX
from app.gui.look.page_parts import button, label
from app.gui.pictures.small_pictures import SmallPictures
from app.language.spoken import _, number
from app.marks.results import NO_MARKS, MarksResult, MarkStatus

if TYPE_CHECKING:
    from app.marks.mark_filters import MarkFilters

MARK_FILTERS = ("all", "similar", "different", "contradicted", "missing")


def chosen_mark_filters(chosen: str) -> MarkFilters:
    """Return what a filter of the list lets through; to be called in a job."""
    from app.marks.mark_filters import MarkFilters

    return {
        "similar": MarkFilters(similar=True),
        "different": MarkFilters(similar=False),
        "contradicted": MarkFilters(contradicted=True),
        "missing": MarkFilters(missing=True),
    }.get(chosen, MarkFilters())


class MarkColumn(QWidget):
    """Lists the marks.

    Signals
    -------
    filter_chosen : str
        One of :data:`FILTERS`.
    export_wanted, import_wanted
    remove_wanted : list of int
    asked_with : int
    """

    filter_chosen = Signal(str)
    export_wanted = Signal()
    import_wanted = Signal()
    remove_wanted = Signal(list)
    asked_with = Signal(int)

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self.list = MarkList(thumbnails)
        self.list.remove_wanted.connect(self.remove_wanted)
        self.list.asked_with.connect(self.asked_with)
        self._count = NO_MARKS
        self._filter = QComboBox()
        self._filter.setAccessibleName(_("Which marks"))
        self._filter.setToolTip(_("Which marks are listed"))
        self._filter.activated.connect(lambda place: self.filter_chosen.emit(MARK_FILTERS[place]))
        self._menu_button = button("⋯", _("Export and import marks"), "", "")
        self._menu_button.setFixedWidth(44)
        self._menu_button.clicked.connect(self.show_menu)
        self._words = label("", "quiet", wrap=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._words.setContentsMargins(4, 8, 4, 0)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._words)
        self._stack.addWidget(self.list)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.setContentsMargins(0, 0, BAR_PX, 0)  # as wide as the cards
        row.addWidget(self._filter, 1)
        row.addWidget(self._menu_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(row)
        column.addWidget(self._stack, 1)
        self.setFocusProxy(self.list)
        self.show_count(NO_MARKS)

    def show_marks(self, marks: Sequence[MarkStatus], chosen: str = "all", distances: Distances = NOT_MEASURED) -> None:
        """Show the marks of a filter, the newest first, and how far their photographs are from each other."""
        self.list.show_marks(marks, distances)
        self._filter.setCurrentIndex(MARK_FILTERS.index(chosen))
        self._say_nothing(chosen)
        self._stack.setCurrentIndex(1 if marks else 0)

    def show_count(self, count: MarksResult) -> None:
        """Show how many there are of each kind."""
        self._count = count
        names = (
            _("All"),
            _("Similar"),
            _("Different"),
            _("Marked both ways"),
            _("Waiting for a photo"),
        )
        held = self._filter.currentIndex()
        if self._filter.count() == 0:
            self._filter.addItems(list(names))
        for place, (name, many) in enumerate(zip(names, count.counts(), strict=True)):
            self._filter.setItemText(place, f"{name}  {number(many)}")
        self._filter.setCurrentIndex(max(0, held))
        self._say_nothing(MARK_FILTERS[self._filter.currentIndex()])

    def count(self) -> MarksResult:
        """Return how many there are."""
        return self._count

    def words(self) -> QLabel:
        """Return what is said where no mark is listed."""
        return self._words

    def _say_nothing(self, chosen: str) -> None:
        nothing = {
            "all": _("No marks yet. Press S or D on results of a search, or answer at the left."),
            "similar": _("None is marked similar yet."),
            "different": _("None is marked different yet."),
            "contradicted": _("No pair is marked both ways."),
            "missing": _("No mark waits for a photo."),
        }
        self._words.setText(nothing[chosen])

    def menu(self) -> QMenu:
        """Make the menu of what is done with all marks."""
        menu = QMenu(self)
        out = QAction(_("Export marks…"), menu)
        out.setEnabled(self._count.total > 0)
        out.triggered.connect(self.export_wanted)
        into = QAction(_("Import marks…"), menu)
        into.triggered.connect(self.import_wanted)
        remove = QAction(_("Remove those selected (Del)"), menu)
        remove.setEnabled(bool(self.list.chosen_keys()))
        remove.triggered.connect(lambda: self.remove_wanted.emit(self.list.chosen_keys()))
        menu.addActions([out, into])
        menu.addSeparator()
        menu.addAction(remove)
        return menu

    def show_menu(self) -> None:
        """Show it under its button."""
        self.menu().exec(self._menu_button.mapToGlobal(QPoint(0, self._menu_button.height())))
