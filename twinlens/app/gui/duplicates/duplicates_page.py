"""The page of duplicates: the space that they would free, a tab for each kind with its count, and the groups.

Groups are filtered by words of names, folders and dates, by a folder in which one of their photographs lies, and by the
size of their files. What is removed is what the shown tab names, of the selected groups or of all that are shown.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QPushButton, QStackedWidget, QWidget

from twinlens.app.duplicates.duplicates import Duplicates, choices
from twinlens.app.duplicates.groups import DuplicateKind, GroupFilter
from twinlens.app.gui.actions.action import attach
from twinlens.app.gui.actions.declared_actions import duplicate_actions, window_actions
from twinlens.app.gui.duplicates.arranged_group import ArrangedGroup, GroupOrder, arrange, in_order
from twinlens.app.gui.duplicates.group_filters import (
    ALL,
    TABS,
    FolderFilter,
    KindTabs,
    PathWordsField,
    order_choice,
    size_filter,
)
from twinlens.app.gui.duplicates.group_list import GroupList
from twinlens.app.gui.look.buttons import Pill
from twinlens.app.gui.look.page_parts import EmptyState, TitledPage, command_button, row_of, surface
from twinlens.app.language.texts import _, _n, text
from twinlens.app.library.volumes import nothing_readable
from twinlens.core.message import size

if TYPE_CHECKING:
    from twinlens.app.disposal.disposal_plan import DisposalChoice
    from twinlens.app.library.browsing.listing import FolderNode


Arrangement = tuple[Duplicates | None, list[ArrangedGroup]]
"""The groups of a library, and as they stand on the page."""


class DuplicatesPage(TitledPage):
    """The page of groups of duplicates.

    Signals
    -------
    find_wanted
        All photographs are to be compared.
    folder_wanted
        A folder of photographs is to be chosen and added.
    clean_wanted
        The marked copies are to be moved away, after a dialog.
    rules_wanted
    failed_wanted
        The pairs that could not be compared are to be listed.
    closed
    """

    find_wanted = Signal()
    folder_wanted = Signal()
    clean_wanted = Signal()
    rules_wanted = Signal()
    failed_wanted = Signal()
    closed = Signal()

    def __init__(self) -> None:
        super().__init__("", scrolls=False)
        self.setAccessibleName(_("Duplicates"))
        self._found: Duplicates | None = None
        self._kind = ALL
        self._groups: list[ArrangedGroup] = []
        self._seen: list[ArrangedGroup] = []
        self._words, self._size, self._order = PathWordsField(), size_filter(), order_choice()
        self._folder = FolderFilter(_("Any folder"), _("Only groups with a photo in one folder"))
        self._also = FolderFilter(_("and any other"), _("Only what has a copy in another folder, too"))
        self._also.hide()
        self._failed = self.add_button(Pill("", _("Photos that could not be compared")))
        self._failed.clicked.connect(self.failed_wanted)
        self._failed.hide()
        self.more = self.add_button(Pill(_("More"), _("More about duplicates")))
        self.rules = self.add_button(Pill(_("What to keep"), _("Rules that choose which photo to keep")))
        self._clean = self._button()
        self.rules.clicked.connect(self.rules_wanted)
        self.tabs, self.list = KindTabs(), GroupList()
        self.tabs.chosen.connect(self._on_kind)
        self._strip = QWidget()
        surface(self._strip, "head")
        filters = (self._folder, self._also, self._size, self._order)
        row_of((self.tabs, 1), self._words, *filters, on=self._strip, gap=8, margins=(0, 0, 16, 0))
        self._words.textChanged.connect(lambda: self._show_seen(keep_focus=True))
        self._words.left.connect(self.setFocus)
        for signal in (self._folder.changed, self._also.changed, self._size.chosen, self._order.chosen):
            signal.connect(lambda *__: self._show_seen())
        self.list.selection_changed.connect(self._show_going)
        self._empty = EmptyState("", _("Compare the photos"))
        self._empty.wanted.connect(self.find_wanted)
        self._no_photographs = EmptyState(
            _("Copies, edited versions and series stand together here. There are no photos yet: add a folder."),
            _("Add a folder…"),
            window_actions()["add"].keys[0],
        )
        self._no_photographs.wanted.connect(self.folder_wanted)
        self._unmatched = EmptyState(_("No group matches these filters."), _("Show all"))
        self._unmatched.wanted.connect(self.show_all)
        self._views = QStackedWidget()
        for page in (self.list, self._empty, self._no_photographs, self._unmatched):
            self._views.addWidget(page)
        self.body.setSpacing(0)
        self.body.addWidget(self._strip)
        self.body.addWidget(self._views, 1)
        self.menu = QMenu(self)
        self.more.clicked.connect(lambda: self.menu.exec(self.more.mapToGlobal(self.more.rect().bottomLeft())))
        attach(self, window_actions(), {"leave": self.closed.emit})
        zooms = {"larger": lambda: self.list.zoom(1), "smaller": lambda: self.list.zoom(-1)}
        attach(self, duplicate_actions(), zooms)
        self.setFocusProxy(self.list)
        self.set_title(_("Duplicates"))
        self._strip.hide()

    def _button(self) -> QPushButton:
        made = self.add_button(command_button("", duplicate_actions()["clean"], "primary"))
        made.clicked.connect(self.clean_wanted)
        made.hide()
        return made

    # --- content -----------------------------------------------------------------------------------------------------

    @property
    def arrangement(self) -> Arrangement:
        """The groups that are shown, and as they stand."""
        return self._found, self._groups

    def show_duplicates(
        self, found: Duplicates, waiting: int, comparing: bool, groups: Sequence[ArrangedGroup] | None = None
    ) -> None:
        """Show groups of duplicates.

        Parameters
        ----------
        groups : sequence of ArrangedGroup, optional
            The groups as they are arranged after the present ones, where that was done before.
        waiting : int
            Photographs that are not compared yet.
        comparing : bool
            Whether they are being compared now.
        """
        self._groups = arrange(found, self._found, self._groups) if groups is None else list(groups)
        self._found = found
        self.list.shapes.forget_others(self._groups)
        copies = len(found.going)
        counted = _n("{count} group", "{count} groups", len(found.groups))
        if copies:
            self.set_title(f"{counted}, " + _n("{count} copy to remove", "{count} copies to remove", copies))
            said = _(
                "Originals, edited versions and series stay. You see the list with pictures before anything moves."
            )
        else:
            self.set_title(counted)
            said = _("There are no copies to remove.")
        if comparing:
            said = _("Comparing the photos. Groups appear as they are found.")
        elif waiting:
            said = (
                _n("{count} photo is not compared yet.", "{count} photos are not compared yet.", waiting) + f" {said}"
            )
        self.set_line(" ".join([said, *(text(one) for one in found.bounds)]))
        failed = len(found.failed)
        self._failed.setText(_n("{count} pair not compared", "{count} pairs not compared", failed))
        self._failed.setVisible(bool(failed))
        self._clean.setEnabled(not comparing)
        self.tabs.show_counts(found.groups)
        for made in (self._folder, self._also):
            made.show_groups(self._groups)
        self._strip.setVisible(bool(found.groups))
        if not found.groups:
            if comparing:
                sentence = _("The photos are being compared.")
            elif waiting:
                sentence = _n(
                    "{count} photo is to be compared with all others.",
                    "{count} photos are to be compared with each other.",
                    waiting,
                )
            elif found.missing and not found.of:
                sentence = text(nothing_readable())
            else:
                sentence = _n("No duplicates: there is {count} photo.", "No duplicates among {count} photos.", found.of)
            self.set_title(_("Duplicates"))
            self.set_line("")
            self._empty.set_sentence(sentence)
            self._empty.show_action(bool(waiting) and not comparing)
        self._show_passing(found)

    def _show_passing(self, found: Duplicates) -> None:
        """Show the groups that pass the filters, or why none does, and how many of their photographs are removed."""
        self._seen = self._passing()
        self.list.show_groups(self._seen)
        if self._seen:
            self._views.setCurrentWidget(self.list)
        elif found.groups:
            self._views.setCurrentWidget(self._unmatched)
        else:
            self._views.setCurrentWidget(self._empty if found.of or found.missing else self._no_photographs)
        self._show_going()

    def _show_going(self) -> None:
        """Show how many photographs are removed: those that the tab names, of the selected groups or of all."""
        kinds = self.wanted().kinds
        groups = [group for one in self.acted_on() for group in one.now]
        going = [one.photograph.bytes for group in groups for one in group.going if not kinds or one.kind in kinds]
        members = (one for group in groups for one in group.held if not kinds or one.kind in kinds)
        held = sum(bool(one.alone) and not one.only_here for one in members)
        self._clean.setText(
            self._removing(len(going), text(size(sum(going))))
            if going
            else _n("{count} copy with files of its own…", "{count} copies with files of their own…", held)
        )
        self._clean.setVisible(bool(going or held))

    def _removing(self, count: int, freed: str) -> str:
        """Return the words of the button that removes: what goes is what the tab names."""
        if self._kind == DuplicateKind.IDENTICAL:
            return _n(
                "Remove {count} byte-for-byte copy ({size})…",
                "Remove {count} byte-for-byte copies ({size})…",
                count,
                size=freed,
            )
        if self._kind == DuplicateKind.EDITED:
            return _n(
                "Remove {count} edited version ({size})…", "Remove {count} edited versions ({size})…", count, size=freed
            )
        if self._kind == DuplicateKind.SERIES:
            return _n(
                "Remove {count} shot of a series ({size})…",
                "Remove {count} shots of series ({size})…",
                count,
                size=freed,
            )
        return _n("Remove {count} copy ({size})…", "Remove {count} copies ({size})…", count, size=freed)

    def seen(self) -> list[ArrangedGroup]:
        """Return the groups that are shown, in their order."""
        return self._seen

    def _passing(self) -> list[ArrangedGroup]:
        """Return the groups that pass the filters, in their order."""
        wanted = self.wanted()
        passing = self._groups if wanted == TABS[ALL] else [one for one in self._groups if one.passes(wanted)]
        return in_order(passing, GroupOrder(self._order.value))

    def groups(self) -> list[ArrangedGroup]:
        """Return all groups, whatever the filters."""
        return self._groups

    def acted_on(self) -> list[ArrangedGroup]:
        """Return the groups on which the page acts as a whole: the selected ones if there are several, else all."""
        selected = self.list.selected_groups()
        return selected if len(selected) > 1 else self.seen()

    def going(self) -> list[DisposalChoice]:
        """Return the photographs that the page removes."""
        return choices([group for one in self.acted_on() for group in one.now], self.wanted().kinds)

    def wanted(self) -> GroupFilter:
        """Return the filter of the groups."""
        folder, also = (one.folder for one in (self._folder, self._also))
        return TABS[self._kind].changed(
            folder=Path(os.fsdecode(folder)) if folder else None,
            also_in=Path(os.fsdecode(also)) if also else None,
            least_bytes=int(self._size.value),
            words=self._words.text(),
        )

    def show_folders(self, nodes: Sequence[FolderNode]) -> None:
        """Offer the folders of the library."""
        for made in (self._folder, self._also):
            made.show_folders(nodes)

    def show_pair(self, first: bytes, second: bytes) -> None:
        """Show what is in both of two folders, given by their full paths."""
        self._folder.choose(first)
        self._also.choose(second)

    def type_words(self) -> None:
        """Let words be typed that a name, folder or date contains."""
        self._words.setFocus()
        self._words.selectAll()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 (Qt's name)
        """Arrange the groups anew when the page is opened."""
        super().showEvent(event)
        if not event.spontaneous() and self._found is not None:
            anew = arrange(self._found, None, self._groups)
            if len(anew) != len(self._groups) or not all(map(operator.is_, anew, self._groups)):
                self._groups = anew
                self._show_passing(self._found)

    def kind(self) -> str:
        """Return the shown kind."""
        return self._kind

    def set_kind(self, kind: str) -> None:
        """Show one kind."""
        self._kind = kind if kind in TABS else ALL
        self.tabs.choose(self._kind)

    def go_to_photograph(self, photograph_id: int) -> bool:
        """Make a photograph current, without filters where they hide it; return whether it is in a group."""
        if not any(photograph_id in one.ids for one in self._groups):
            return False
        if not any(photograph_id in one.ids for one in self.seen()):
            self.show_all()
        self.list.set_current(photograph_id)
        return True

    def show_all(self) -> None:
        """Show all groups, without filters."""
        self._words.clear()
        self.show_pair(b"", b"")
        self._size.choose("0")
        self.set_kind(ALL)
        self._show_seen()

    def go_to_undecided(self) -> bool:
        """Make the next undecided group current, and return whether there is one."""
        groups = self.seen()
        after = [*range(self.list.row() + 1, len(groups)), *range(self.list.row() + 1)]
        row = next((one for one in after if groups[one].group.undecided), -1)
        self.list.go_to_group(row)
        return row >= 0

    def setFocus(self) -> None:  # type: ignore[override]  # noqa: N802 (Qt's name)
        """Focus the groups, or the button of the empty state."""
        (self._views.currentWidget() or self.list).setFocus()

    def _on_kind(self, kind: str) -> None:
        self._kind = kind
        self._show_seen()

    def _show_seen(self, *, keep_focus: bool = False) -> None:
        self._also.setVisible(bool(self._folder.folder or self._also.folder))
        if self._found is not None:
            self._show_passing(self._found)
            if not keep_focus:
                self.setFocus()
