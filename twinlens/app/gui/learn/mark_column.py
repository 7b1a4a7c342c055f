"""Column of marks: how many there are, the list as cards, and removing, restoring, exporting and importing them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QStackedWidget, QWidget

from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import metric_actions
from twinlens.app.gui.lists.card import BAR_PX, Card, CardLine, CardLook
from twinlens.app.gui.lists.card_list import CardList
from twinlens.app.gui.look.page_parts import button, column_of, label, row_of
from twinlens.app.gui.marks.mark_controls import origin_words
from twinlens.app.gui.pictures.small_pictures import SmallPictures
from twinlens.app.language.texts import _, _n, number, text
from twinlens.app.learn.learn_results import MarkedPairDistances
from twinlens.app.machine.output_file import OutputFile
from twinlens.app.marks.mark_results import NO_MARKS, MarksResult, MarkStatus
from twinlens.core.files.untrusted_input import plain_name
from twinlens.core.progress import Progress

if TYPE_CHECKING:
    from twinlens.app.gui.services.workspace import Workspace
    from twinlens.app.marks.mark_filters import MarkFilters
    from twinlens.app.marks.mark_results import MarkResult, MarksFileResult, MarkStatus, RemovedMarks


MARK_FILTERS = ("all", "similar", "different", "contradicted", "missing")


def chosen_mark_filters(chosen: str) -> MarkFilters:
    """Return the marks that a filter of the list shows; to be called in a job."""
    from twinlens.app.marks.mark_filters import MarkFilters

    return {
        "similar": MarkFilters(similar=True),
        "different": MarkFilters(similar=False),
        "contradicted": MarkFilters(contradicted=True),
        "missing": MarkFilters(missing=True),
    }.get(chosen, MarkFilters())


Distances = Mapping[int, MarkedPairDistances]
"""By mark; not all can be measured."""

NOT_MEASURED: Distances = MappingProxyType({})


class MarkColumn(QWidget):
    """Column of the marks: a filter, a menu, and the list.

    Signals
    -------
    filter_chosen : str
        One of :data:`MARK_FILTERS`.
    """

    filter_chosen = Signal(str)

    def __init__(self, thumbnails: SmallPictures) -> None:
        super().__init__()
        self.list = MarkList(thumbnails)
        self._acts = attach(self.list, metric_actions(), {"forget": self.list.remove_chosen})
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
        row = row_of(gap=8)
        row.setContentsMargins(0, 0, BAR_PX, 0)  # as wide as the cards
        row.addWidget(self._filter, 1)
        row.addWidget(self._menu_button)
        column_of(row, (self._stack, 1), on=self, gap=8, margins=0)
        self.setFocusProxy(self.list)
        self.show_count(NO_MARKS)

    def show_marks(self, marks: Sequence[MarkStatus], chosen: str = "all", distances: Distances = NOT_MEASURED) -> None:
        """Show the marks of a filter, the newest first, with the distances of their photographs."""
        self.list.show_marks(marks, distances)
        self._filter.setCurrentIndex(MARK_FILTERS.index(chosen))
        self._say_nothing(chosen)
        self._stack.setCurrentIndex(1 if marks else 0)

    def show_count(self, count: MarksResult) -> None:
        """Show the number of marks of each kind."""
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
        """Return the number of marks."""
        return self._count

    def words(self) -> QLabel:
        """Return the text in place of an empty list."""
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

    def bind(self, export: Callable[[], object], bring_in: Callable[[], object]) -> None:
        """Let the menu do what concerns files."""
        self._acts |= attach(self, metric_actions(), {"export": export, "import": bring_in})

    def menu(self) -> QMenu:
        """Make the menu for all marks."""
        menu, acts = QMenu(self), self._acts
        acts["export"].setEnabled(self._count.total > 0)
        menu.addActions([acts["export"], acts["import"]])
        menu.addSeparator()
        menu.addAction(acts["forget"])
        return menu

    def show_menu(self) -> None:
        """Show the menu under its button."""
        self.menu().exec(self._menu_button.mapToGlobal(QPoint(0, self._menu_button.height())))


_SECOND_PX = 82  # from here on, the second photograph


def mark_facts(one: MarkStatus, apart: MarkedPairDistances | None = None) -> list[str]:
    """Return the facts of a mark besides the judgement."""
    if one.contradicted:
        return [_("also marked the other way: not used")]
    if one.missing:
        return [_("waits for a photo")]
    if apart is None or apart.before is None or apart.comparable is None:
        return []
    before, after = (number(value, ".2f" if abs(value) < 100 else ",.0f") for value in (apart.before, apart.comparable))
    return [_("distance {distance} → {distance2}", distance=before, distance2=after)]


def mark_card(one: MarkStatus, apart: MarkedPairDistances | None = None) -> Card:
    """Return the card of a mark, with its text for screen readers."""
    judgement, told = _("similar") if one.similar else _("different"), mark_facts(one, apart)
    first, second, said = plain_name(one.first), plain_name(one.second), ", ".join((judgement, *told))
    made = datetime.fromisoformat(one.created).astimezone()
    origin = _("{origin}, {moment}", origin=origin_words(one.origin), moment=made)
    return Card(
        title=CardLine(judgement, "accent" if one.similar else "warn"),
        lines=tuple(CardLine(fact, "warn" if one.contradicted else "quiet") for fact in told),
        pictures=tuple(one.contents),
        faded=one.missing,
        spoken=f"{first}, {second}: {said}",
        tip="\n".join((first, second, said, origin)),
    )


class MarkList(CardList[MarkStatus]):
    """List of marks as cards, the newest first.

    Del removes a mark, Enter ranks by its first photograph, letters go to the view.

    Signals
    -------
    asked_with : int
        Rank by a photograph of it.
    """

    query_photographs = Signal(int)

    def __init__(self, thumbnails: SmallPictures) -> None:
        look = CardLook(lines=2, margin=10, framed=True)
        super().__init__(lambda one: one.id, lambda one: mark_card(one, self.distances.get(one.id)), look, thumbnails)
        self.distances = NOT_MEASURED
        self.setAccessibleName(_("Your marks"))
        attach(self, metric_actions(), {"rank": self._rank})

    def show_marks(self, marks: Sequence[MarkStatus], distances: Distances = NOT_MEASURED) -> None:
        """Show marks, with the distances of their photographs."""
        self.distances = distances
        self.show_rows(marks)

    def without(self, ids: Sequence[int]) -> None:
        """Remove marks from the list."""
        self.show_rows([one for one in self.rows() if one.id not in ids])

    def _rank(self) -> None:
        current = self.current()
        self._ask_with(current.first_id if current else None)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Rank by the photograph under the pointer."""
        index = self.indexAt(event.position().toPoint())
        if index.isValid():
            one, rect = self.rows()[index.row()], self.visualRect(index)
            self._ask_with(one.second_id if event.position().x() > rect.left() + _SECOND_PX else one.first_id)

    def _ask_with(self, photograph_id: int | None) -> None:
        if photograph_id is not None:
            self.query_photographs.emit(photograph_id)


class MarkChanges:
    """Changes of marks, each of which can be undone."""

    def __init__(self, column: MarkColumn, window: Workspace) -> None:
        self._opened, self._jobs = window.opened, window.jobs
        self._column = column
        self._changes, self._undoing, self._status = window.changes, window.undoing, window.status

    def remove(self, ids: list[int]) -> None:
        """Remove marks."""
        opened = self._opened
        self._column.list.without(ids)
        removed: list[MarkStatus] = []

        def work(__: Progress) -> RemovedMarks:
            from twinlens.app.marks.marks import remove_marks

            return remove_marks(opened.library, ids)

        def restore() -> None:
            def bring_back(__: Progress) -> MarkResult:
                from twinlens.app.marks.marks import restore_marks

                return restore_marks(opened.library, removed)

            self._changes.do(bring_back, lambda __: None)

        def on_removed(result: RemovedMarks) -> None:
            removed.extend(result.removed)
            if removed:
                words = _n("{count} mark removed.", "{count} marks removed.", len(removed))
                self._undoing.offer(words, restore)

        self._changes.do(work, on_removed)

    def export(self, file: OutputFile, chosen: str) -> None:
        """Write the marks of a filter into a file."""
        opened = self._opened

        def work(__: Progress) -> MarksFileResult:
            from twinlens.app.marks.mark_file import export_marks

            return export_marks(opened.library, file, chosen_mark_filters(chosen))

        def written(result: MarksFileResult) -> None:
            self._status.show_message(
                _n(
                    "{count} mark written into {file}.",
                    "{count} marks written into {file}.",
                    result.marks,
                    file=result.file,
                )
            )

        self._jobs.begin(work).then(written)

    def bring_in(self, file: Path) -> None:
        """Import marks from a file, which can be undone."""
        opened = self._opened
        added: list[int] = []

        def work(__: Progress) -> MarkResult:
            from twinlens.app.marks.mark_file import import_marks

            return import_marks(opened.library, file)

        def take_out() -> None:
            def remove(__: Progress) -> RemovedMarks:
                from twinlens.app.marks.marks import remove_marks

                return remove_marks(opened.library, added)

            self._changes.do(remove, lambda __: None)

        def on_taken(result: MarkResult) -> None:
            added.extend(one.id for one in result.added)
            words = _n("{count} mark taken in.", "{count} marks taken in.", len(added))
            told = [words, *map(text, (*result.notes[:1], *result.refused[:1]))]
            if len(result.refused) > 1:
                told.append(_("{refused} more were refused.", refused=len(result.refused) - 1))
            if added:
                self._undoing.offer(" ".join(told), take_out)
            else:
                self._status.show_message(" ".join(told))

        self._changes.do(work, on_taken)
